"""A difference as one page that needs nothing else, for a person who reviews it.

Input: a difference. Output: HTML: the overview as markup, rules and results as JSON that the page's script shows.

Invariants: a pure function of the difference. What commands, titles and outputs hold stays text: markup comes from
`page.html` alone, with everything that is put in escaped and visible; data is JSON in which no tag can begin; and the
policy of the page runs no script but the page's own, which may hand no text to a parser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from ...dsl.display import visible
from ...runtime.look import read_look, render_policy
from .compare import Difference
from .levels import Finding
from .page_record import page_record
from .record import ENCODINGS, total_tokens
from .side import Side

AT_ONCE: Final = 8
"""Findings that are there at first; the others are one click away, so that the results are not out of sight."""

_HERE: Final = Path(__file__).parent
_ROWS: Final = (("original", "originals"), ("old", "seen before"), ("new", "seen after"))
_FATES: Final = (("added", "added"), ("removed", "removed"), ("changed", "changed"))


def render_page(difference: Difference) -> str:
    """Return the page."""
    record = page_record(difference)
    style, script = read_look() + _read("page.css"), _read("compared.js") + _read("page.js")
    return _template().render(
        style=Markup(style),  # noqa: S704 - files of ours
        script=Markup(script),  # noqa: S704
        policy=render_policy(style, script),
        data=embed_json(record),
        old=_side(difference.old),
        new=_side(difference.new),
        level=difference.level.word,
        versions=difference.versions,
        findings=list(_reasons(difference)),
        at_once=AT_ONCE,
        rules=list(_rules(difference)),
        written=difference.old.texts is not None and difference.new.texts is not None,
        commands=difference.commands,
        handovers=difference.handovers,
        results=len(difference.results),
        changed=len(record["results"]),
        encodings=ENCODINGS,
        totals=_totals(difference),
    )


def embed_json(value: Any) -> Markup:
    """Return JSON for an element `script`: no `<` stands in it, so that nothing can end the element or begin a comment.

    Source: https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))  # noqa: S704


def quote_code(text: str) -> Markup:
    """Return words of ours in which `…` quotes what others wrote, as markup with that as code."""
    parts = visible(text).split("`")
    if len(parts) % 2 == 0:
        return escape(visible(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part) for number, part in enumerate(parts)
    )


@cache
def _template() -> Template:
    # Whatever is put in is escaped, and nothing in it acts on the text around it.
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters.update(code=quote_code, count="{:,}".format, more=_more)
    return environment.from_string(_read("page.html"))


@cache
def _read(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _more(value: int) -> str:
    """Return a difference with its sign, zero without one."""
    return f"{value:+,}".replace("-", "\N{MINUS SIGN}") if value else "0"


def _side(side: Side) -> dict[str, str | None]:
    pack = f"{side.name} {side.version}" if side.version is not None else None
    return {"label": side.label, "pack": pack}


def _reasons(difference: Difference) -> Iterator[Finding]:
    """Yield what the level follows from, the largest first; results have a part of their own."""
    findings = [each for each in difference.findings if not each.name.startswith(("result_", "reason_"))]
    yield from sorted(findings, key=lambda each: (-each.level, each))


def _rules(difference: Difference) -> Iterator[dict[str, Any]]:
    """Yield the rules that differ: those that are new, then those that are gone, then those that are others."""
    affected: dict[str, int] = {}
    for each in difference.results:
        if each.change is not None:
            for rule in {each.old.rule, each.new.rule} - {None}:
                affected[str(rule)] = affected.get(str(rule), 0) + 1
    for fate, words in _FATES:
        for rule in getattr(difference, fate):
            side = difference.old if fate == "removed" else difference.new
            findings = [each for each in _reasons(difference) if each.rule == rule]
            level = max((each.level for each in findings), default=None)
            yield {
                "id": rule,
                "fate": words,
                "title": side.rules[rule]["title"],
                "level": None if level is None else level.word,
                "results": affected.get(rule, 0),
            }


def _totals(difference: Difference) -> list[tuple[str, list[int]]]:
    """Return the rows of the table of tokens: words, and a count by encoding."""
    totals = total_tokens(difference.results)
    return [(words, [totals[name][encoding] for encoding in ENCODINGS]) for name, words in _ROWS]
