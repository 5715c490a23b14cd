"""A difference as Markdown for a pull request.

INVARIANT: whatever commands, titles and outputs hold, they stay inside their code spans and fences: no link, no
mention, no image and no HTML of theirs is rendered.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from ...dsl.display import visible, visible_but_tabs
from .compare import Difference
from .levels import Finding, Level
from .record import ENCODINGS, total_tokens
from .results import Compared, Seen
from .side import Side

MOST_RESULTS = 20
MOST_LINES = 60
MOST_HANDOVERS = 100
"""A comment on a pull request holds 65,536 characters; what is left out is counted, and stands in the JSON."""


def render_markdown(difference: Difference) -> str:
    """Return the whole report."""
    parts = chain(
        _head(difference), _reasons(difference), _handovers(difference), _results(difference), _totals(difference)
    )
    return "\n".join(parts).rstrip("\n") + "\n"


def span(text: str) -> str:
    """Return a code span that shows a text of one line and nothing else."""
    text = visible(text).replace("\n", " ")
    longest = max(map(len, re.findall("`+", text)), default=0)
    ticks = "`" * (longest + 1)
    edge = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{ticks}{edge}{text}{edge}{ticks}"


def fence(text: str, language: str = "") -> str:
    """Return a fenced block that holds a text, whatever it is."""
    text = visible_but_tabs(text)
    longest = max(map(len, re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def plain(text: str) -> str:
    """Return words of ours in which `…` quotes what others wrote: those are code spans, the rest is escaped.

    Words that GitHub would link, or set as a formula, become code spans as well: its autolinks, mentions and references
    are found in the text after escapes are resolved, so escapes do not keep them away.
    """
    parts = visible(text).replace("\n", " ").split("`")
    if len(parts) % 2 == 0:
        return span(text)
    return "".join(span(part) if number % 2 else _escape(part) for number, part in enumerate(parts))


def cell(text: str) -> str:
    """Return what stands in a cell of a table; a bar would end the cell, also within a code span."""
    return text.replace("|", "\\|")


def _escape(text: str) -> str:
    words = re.split(r"(\S*(?:[@#$]|://|[Ww]{3}\.)\S*)", text)
    return "".join(
        span(word) if number % 2 else re.sub(r"([\\*_\[\]<>&!~])", r"\\\1", word) for number, word in enumerate(words)
    )


def _head(difference: Difference) -> Iterator[str]:
    old, new = difference.old, difference.new
    yield f"# Rules: {_name(old)} → {_name(new)}\n"
    if not difference.findings:
        yield "Nothing that is compared differs.\n"
    elif difference.level:
        yield f"This deserves a **{difference.level.word}** release.\n"
    versions = difference.versions
    if versions is not None and versions.deserved is not None:
        word = "declares" if versions.holds else "**declares"
        end = "." if versions.holds else "**."
        yield f"The newer pack {word} {_escape(versions.new)}, deserves {versions.deserved}{end}\n"
    for words, rules in (("Added", difference.added), ("Removed", difference.removed), ("Changed", difference.changed)):
        if rules:
            yield f"{words}: {', '.join(map(span, rules))}\n"


def _name(side: Side) -> str:
    return span(side.label) + (f" ({span(f'{side.name} {side.version}')})" if side.version is not None else "")


def _reasons(difference: Difference) -> Iterator[str]:
    """Yield what the level follows from, the largest first; results have a part of their own."""
    findings = [each for each in difference.findings if not each.name.startswith(("result_", "reason_"))]
    if not findings:
        return
    yield "## Why\n"
    yield "| level | rule | finding | |\n|---|---|---|---|"
    for finding in sorted(findings, key=lambda each: (-each.level, each)):
        rule = cell(span(finding.rule)) if finding.rule else "the pack"
        yield f"| {finding.level.word} | {rule} | {finding.meaning} | {cell(plain(_short(finding)))} |"
    yield ""
    if difference.commands:
        yield "How commands are written now:\n"
        for rule, words in difference.commands.items():
            yield f"* {span(rule)}: {plain('; '.join(words))}"
        yield ""


def _short(finding: Finding) -> str:
    return finding.words if len(finding.words) <= 400 else finding.words[:400].replace("`", "'") + "…"


def _handovers(difference: Difference) -> Iterator[str]:
    if not difference.handovers:
        return
    yield "## Commands that change hands\n"
    yield "| command | tools | before | after |\n|---|---|---|---|"
    for each in difference.handovers[:MOST_HANDOVERS]:
        before, after = (cell(span(rule)) if rule is not None else "no rule" for rule in (each.old, each.new))
        yield f"| {cell(span(each.command))} | {cell(', '.join(map(span, each.tools)))} | {before} | {after} |"
    more = len(difference.handovers) - MOST_HANDOVERS
    yield f"\nand {more} more\n" if more > 0 else ""


_TITLES = {
    "result_changed": "another summary",
    "result_lost": "no longer summarised",
    "result_gained": "summarised now",
    "reason_changed": "passes for another reason",
}


def _results(difference: Difference) -> Iterator[str]:
    changed = [each for each in difference.results if each.change is not None]
    if not changed:
        return
    yield "## Results that change\n"
    changed.sort(key=lambda each: (-_level(each), each.item.name))
    for each in changed[:MOST_RESULTS]:
        assert each.change is not None
        yield f"### {span(each.item.name)}: {_TITLES[each.change]}\n"
        yield f"{span((each.item.result.command or each.item.result.tool)[:200])}\n"
        yield from _side_by_side(each)
    more = len(changed) - MOST_RESULTS
    if more > 0:
        yield f"{more} more results change; `--format json` lists them all.\n"


def _level(each: Compared) -> Level:
    finding = each.finding
    return Level.NONE if finding is None else finding.level


def _side_by_side(each: Compared) -> Iterator[str]:
    yield "| | outcome | rule | " + " | ".join(ENCODINGS) + " |"
    yield "|---|---|---|" + "---:|" * len(ENCODINGS)
    yield f"| original | | | {_counts(each.original.get(name) for name in ENCODINGS)} |"
    for name, seen in (("before", each.old), ("after", each.new)):
        counts = _counts(seen.tokens.get(encoding) for encoding in ENCODINGS)
        rule = cell(span(seen.rule)) if seen.rule is not None else ""
        yield f"| {name} | {_outcome(seen)} | {rule} | {counts} |"
    yield ""
    old, new = _text(each.old), _text(each.new)
    if old is None and new is None:
        return
    if old is None or new is None:
        when, seen = ("After", each.new) if old is None else ("Before", each.old)
        if seen.shown is None:
            words = f"{when}, too short to be shown; what the rule {'says' if old is None else 'said'} of it:"
        elif old is None:
            words = "After, where the original was shown before:"
        else:
            words = "Before; now the original is shown:"
        yield f"{words}\n\n{fence(_cap((_text(seen) or '').split(chr(10))))}\n"
        return
    if each.old.shown is None and each.new.shown is None:
        yield "Too short to be shown; what the rule says of it:\n"
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), "before", "after", lineterm="", n=3)
    yield f"{fence(_cap(list(lines)[2:]), 'diff')}\n"


def _outcome(seen: Seen) -> str:
    return seen.outcome + (f" ({seen.reason})" if seen.reason is not None else "")


def _text(seen: Seen) -> str | None:
    """Return what a model sees, or what a rule says where the gate shows the original; None where it says nothing."""
    return seen.shown if seen.shown is not None else seen.body


def _cap(lines: list[str]) -> str:
    more = len(lines) - MOST_LINES
    cut = [line if len(line) <= 400 else line[:400] + "…" for line in lines[:MOST_LINES]]
    return "\n".join([*cut, *([f"… {more} more lines"] if more > 0 else [])])


def _counts(counts: Iterable[int | None]) -> str:
    return " | ".join("" if count is None else f"{count:,}" for count in counts)


def _totals(difference: Difference) -> Iterator[str]:
    if not difference.results:
        packs = difference.old.examples is None and difference.new.examples is None
        where = "packs hold no examples" if packs else "the rules have no examples"
        yield f"No results were compared: {where}, and no other results are given by `--corpus`.\n"
        return
    changed = sum(each.change is not None for each in difference.results)
    totals = total_tokens(difference.results)
    yield "## Tokens\n"
    yield f"Results compared: {len(difference.results):,}; changed: {changed:,}.\n"
    yield "| | " + " | ".join(ENCODINGS) + " |\n|---|" + "---:|" * len(ENCODINGS)
    for name, words in (("original", "originals"), ("old", "seen before"), ("new", "seen after")):
        yield f"| {words} | {_counts(totals[name][encoding] for encoding in ENCODINGS)} |"
    grown = [totals["new"][encoding] - totals["old"][encoding] for encoding in ENCODINGS]
    if any(grown):
        yield f"| difference | {' | '.join(f'{more:+,}' for more in grown)} |"
    yield ""
