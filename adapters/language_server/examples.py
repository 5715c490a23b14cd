"""`run example`: a lens above each example, and the command behind it.

Input: a view; the number of an example within its rule. Output: lenses, and in words what came of an example. An
example is run as `cablese test` runs it: our own matching of texts that are written down. No command is ever executed.
"""

from __future__ import annotations

from typing import Final

from lsprotocol import types

from ...compiler.evidence import TESTED
from ...compiler.examples import try_example
from ...compiler.trials import Bench
from ...dsl.diagnostics import Report
from .diagnostics import render_message
from .outline import Entry, Mark
from .view import View

RUN: Final = "cablese.runExample"


def list_lenses(view: View) -> list[types.CodeLens]:
    """Return a lens for each example."""
    return [
        types.CodeLens(
            view.range(mark.start, mark.end),
            types.Command("run example", RUN, arguments=[view.document.uri, entry.name, number]),
        )
        for entry in view.entries
        for number, mark in enumerate(_examples(entry))
    ]


def _examples(entry: Entry) -> list[Mark]:
    return [mark for mark in entry.marks if mark.role == "example" and mark.defines]


def run_example(view: View, rule: str, number: int) -> tuple[types.MessageType, str]:
    """Run an example of a rule that was checked in the text at hand; return what came of it."""
    session = view.project.session
    found = next((each for each in session.rules if each.id == rule and each.source.path == view.file), None)
    shelf = session.shelves.get(view.file)
    faults = [each for each in session.diagnostics if each.code not in TESTED and each.source.path == view.file]
    if found is None or shelf is None or shelf.text != view.document.text:
        why = render_message(faults[0]) if faults else f"there is no rule `{rule}` in this file"
        return types.MessageType.Warning, f"not run: {why}"
    if not 0 <= number < len(found.node.examples):
        return types.MessageType.Warning, f"not run: `{rule}` has no such example"
    node = found.node.examples[number]
    report = Report()
    bench = Bench(session.pack)
    case, verdict = try_example(found, node, bench, view.project.read, report)
    if report or case is None or verdict is None:
        words = "\n".join(render_message(each) for each in report)
        return types.MessageType.Error, f"`{node.title.value}` does not hold\n{words}"
    if verdict.body is None or case.shows is None:
        return types.MessageType.Info, f"`{node.title.value}` holds: passes as `{verdict.reason or 'no_gain'}`"
    saved = "in fewer tokens" if bench.saves(case.trial, verdict) else "but in no fewer tokens: shown as it came"
    return types.MessageType.Info, f"`{node.title.value}` holds: shown {saved}"
