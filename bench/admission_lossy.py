"""The kinds that leave something out, source text and prose: what they leave of the tokens, and their time.

Each function returns rows `(name, ratio, detail)`. For tokens, `ratio` is the larger, of both encodings, of the shares
of the original, head line included. For times, it is the median time over that of the baseline, both taken alternately
in one run: `ast.parse` for source text, splitting at the ends of sentences for prose. The module is three of the
compiler's, in one file (`corpus/module.txt`); every signature and `raise` of it is looked for in what is shown.
`FUNCTIONS` lists them in order.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from statistics import median
from time import perf_counter

from ..runtime.admission import code, code_python, prose
from ..runtime.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Row = tuple[str, float, str]

MODULE = Path(__file__).resolve().parent / "corpus" / "module.txt"
ROUNDS = 9


def tokens() -> list[Row]:
    """Compare outlines and prose with their originals."""
    module, letters = MODULE.read_text("utf-8"), _letters()
    shown = code.encode(code.recognise(module))
    lost = _lost(module, shown)
    if lost:
        raise AssertionError(f"not in the outline: {lost}")
    count = len(module.splitlines())
    return [
        _share(f"code: a module of {count:,} lines of Python", module, shown),
        _share("prose: 60 notices with the same closing", letters, prose.encode(prose.recognise(letters), None)),
    ]


def times() -> list[Row]:
    """Compare telling that a text is Python, and its outline, with its tree alone; prose with its sentences."""
    module, letters = MODULE.read_text("utf-8"), _letters() * 8
    ends = re.compile(r"(?<=[.!?])\s+")
    return [
        _against("code: telling / ast.parse", lambda: code_python.check_module(module), lambda: ast.parse(module)),
        _against(
            "code: telling and outline / ast.parse",
            lambda: code.encode(code.recognise(module)),
            lambda: ast.parse(module),
        ),
        _against(
            "prose: telling and form / splitting",
            lambda: prose.encode(prose.recognise(letters), None),
            lambda: ends.split(letters),
        ),
    ]


def _letters() -> str:
    closing = "Please keep this message for your records. If you have questions, write to the desk that sent it."
    return "\n\n".join(
        f"Parcel {number} has left the depot on day {number % 7}, and will be there two days later. {closing}"
        for number in range(60)
    )


def _lost(text: str, shown: str) -> list[str]:
    """Return the signatures and raises of a module that an outline does not have."""
    lean = "".join(shown.split())
    lines = text.split("\n")
    wanted = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            wanted.append("".join(lines[node.lineno - 1 : max(node.lineno, node.body[0].lineno - 1)]))
        elif isinstance(node, ast.Raise):
            wanted.append(ast.get_source_segment(text, node) or "")
    return [each for each in wanted if "".join(each.split()) not in lean]


def _share(name: str, text: str, shown: str) -> Row:
    before, after = count_tokens(text), count_tokens(shown)
    detail = ", ".join(f"{encoding} {after[encoding]:,} of {before[encoding]:,}" for encoding in before)
    return name, max(after[encoding] / before[encoding] for encoding in before), detail


def _against(name: str, action: Callable[[], object], baseline: Callable[[], object]) -> Row:
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        for function, taken in ((action, ours), (baseline, theirs)):
            started = perf_counter()
            function()
            taken.append(perf_counter() - started)
    mine, base = median(ours), median(theirs)
    return name, mine / base, f"{mine * 1e3:.1f} ms against {base * 1e3:.1f} ms"


FUNCTIONS = (tokens, times)
