"""How passes speak: short forms for the diagnostics that many of them raise.

Input: a report, a place, words. Output: diagnostics in the report. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..dsl.diagnostics import Diagnostic, Edit, Label, Report
from ..dsl.suggest import did_you_mean

if TYPE_CHECKING:
    from ..dsl import ast
    from ..dsl.source import Source, Span

_LISTED = 12


def error(
    report: Report,
    code: str,
    message: str,
    source: Source,
    span: Span,
    label: str = "",
    *,
    also: Sequence[Label] = (),
    notes: Sequence[str] = (),
    help: str | None = None,  # noqa: A002 - the word the reader sees
    edits: Sequence[Edit] = (),
) -> None:
    """Add one diagnostic."""
    report.add(Diagnostic(code, message, source, Label(span, label), tuple(also), tuple(notes), help, tuple(edits)))


def unknown(
    report: Report,
    code: str,
    what: str,
    name: ast.Name,
    candidates: Iterable[str],
    source: Source,
    *,
    notes: Sequence[str] = (),
    first: Iterable[str] = (),
    hint: str | None = None,
) -> None:
    """Add "unknown WHAT `name`", with the nearest candidate as help and edit, else `hint` as help.

    Of the candidates, those in `first` are listed before the others, and all of them.
    """
    ranked = list(dict.fromkeys([*sorted(set(first)), *sorted(set(candidates))]))
    known = ranked[: max(_LISTED, len(set(first)))]
    near = did_you_mean(name.text, ranked)
    listed = ", ".join(f"`{word}`" for word in known) + (" …" if len(ranked) > len(known) else "")
    extra = (f"known here: {listed}",) if known and near is None else ()
    error(
        report,
        code,
        f"unknown {what} `{name.text}`",
        source,
        name.span,
        "not defined",
        notes=(*notes, *extra),
        help=f"did you mean `{near}`?" if near else hint,
        edits=(Edit(name.span, near),) if near else (),
    )
