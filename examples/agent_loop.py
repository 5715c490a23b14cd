"""An agent loop with a database tool, between which and the model stands Cablese.

The model is a script, so the example needs no network; everything else is real: a SQLite database, the pipeline, the
store, the tool with which the model reads an original again. What the script decides, it decides from what it was
shown, as a model would.

Run it with `python examples/agent_loop.py`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from cablese import Compressor, ToolResult
from cablese.runtime import MemoryStore

QUERY = "dq_execute_database_query"
"""The name under which the core manifest knows a tool that gives rows."""

Call = tuple[str, dict[str, Any]]


def make_database() -> sqlite3.Connection:
    """Make a table of orders, as shops have them: a constant column, an empty one, one that is rarely filled."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE orders (id INTEGER, store TEXT, amount REAL, currency TEXT, coupon TEXT, note TEXT)")
    database.executemany(
        "INSERT INTO orders VALUES (?, ?, ?, 'EUR', NULL, ?)",
        [
            (number, f"S{number % 7}", number * 1.25, "call before delivery" if number == 137 else None)
            for number in range(1, 241)
        ],
    )
    return database


class Tools:
    """What the agent can call: a query, and the recovery tool of the compressor."""

    def __init__(self, compressor: Compressor) -> None:
        self.database = make_database()
        self.recovery = compressor.recovery_tool()

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Run a tool. An error is a result, too, with the status that says so."""
        if name == self.recovery.name:
            return ToolResult(name, self.recovery.handler(**arguments), arguments, status="success")
        try:
            return ToolResult(name, self._query(arguments["sql"]), arguments, status="success")
        except sqlite3.Error as error:
            return ToolResult(name, {"error": str(error), "sql": arguments["sql"]}, arguments, status="error")

    def _query(self, sql: str) -> list[dict[str, Any]]:
        cursor = self.database.execute(sql)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]


def scripted_model(recovery: str) -> Callable[[Any], Call | str]:
    """Return a model: a function from what it is shown to its next call, or to its answer."""

    def script() -> Iterator[Call | str]:
        shown = yield QUERY, {"sql": "SELECT * FROM order"}
        assert "syntax error" in shown["error"], "an error reaches the model as it was"
        table = yield QUERY, {"sql": "SELECT * FROM orders"}
        amounts = [row[table["columns"].index("amount")] for row in table["rows"]]
        # The view has a pointer, so something was left out: is there a column that it does not show?
        handle = table["_tee"]["key"]
        text = yield recovery, {"handle": handle, "bytes": "1:120"}
        left_out = [name for name in ("coupon", "discount") if f'"{name}"' in text and name not in table["columns"]]
        # And is it empty in every row, or only in the first?
        text = yield recovery, {"handle": handle, "grep": f'"{left_out[0]}":[^n]'}
        assert text.startswith("[0 found"), "every row has null there"
        currency = table["constants"]["currency"]
        yield f"{len(amounts)} orders, {sum(amounts):.2f} {currency} in all; no order had a coupon."

    steps = script()

    def model(shown: Any) -> Call | str:
        return steps.send(shown)

    return model


def main() -> None:
    """Run the loop and print what the model saw of each result."""
    compressor = Compressor.default(store=MemoryStore(), count=True)
    tools = Tools(compressor)
    model = scripted_model(tools.recovery.name)
    shown: Any = None
    while isinstance(step := model(shown), tuple):
        name, arguments = step
        view = compressor.view(tools.call(name, arguments))
        shown = view.content
        decision = view.decision
        before, after = (decision.tokens or {}).get("o200k_base", (0, 0))
        why = decision.reason or f"{decision.codec}, guarantee {decision.guarantee}"
        print(f"{name}({json.dumps(arguments)})")
        print(f"  {decision.outcome}: {why}; {before} tokens, shown {after}")
        print(f"  {str(shown)[:100]}")
    print(step)


if __name__ == "__main__":
    main()
