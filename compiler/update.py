"""Brings the texts that examples show up to date, by edits of nothing else.

Input: rule files by path, a way to read files. Output: old and new text of each file that changes: rule files, and
files that `shows file "…"` names. A text may change or be filled in; an example that no longer shows one stays as it
is, and a finding.
INVARIANT: a changed rule file says what it said, but for the texts; what cannot be written so is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..dsl import ast
from ..dsl.diagnostics import Report
from ..dsl.parser import parse_file
from ..dsl.quoting import quote_character
from ..dsl.source import Source, Span
from .compilation import CompiledRule, compile_sources
from .evidence import TESTED
from .examples import try_example
from .sources import Read, resolve_path
from .trials import Bench

Changes = dict[str, tuple[str, str]]
"""Old and new text by path."""


@dataclass(slots=True)
class _Wanted:
    """What is to be written: edits by rule file, texts by other file (None: two examples want different ones)."""

    edits: dict[str, dict[Span, str]] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)


def update_examples(
    sources: Mapping[str, str], *, draft: bool = False, read: Read | None = None, only: str | None = None
) -> Changes:
    """Return what has to be written, for all rules or the one called `only`; nothing where rules have faults."""
    done = compile_sources(sources, name="update", version="0", draft=draft, read=read)
    if any(found.code not in TESTED for found in done.diagnostics):
        return {}
    bench = Bench(done.tried)
    wanted = _Wanted()
    for rule in done.rules:
        if only in (None, rule.id):
            for node in rule.node.examples:
                _look(rule, node, bench, read, wanted)
    changes: Changes = {}
    for path, edits in wanted.edits.items():
        new = _edited(sources[path], edits)
        if _says_the_same(path, sources[path], new, edits):
            changes[path] = (sources[path], new)
    for path, text in wanted.texts.items():
        if text is not None:
            changes[path] = (_read_text(path, read), f"{text}\n")
    return changes


def _look(rule: CompiledRule, node: ast.Example, bench: Bench, read: Read | None, wanted: _Wanted) -> None:
    shows = node.shows
    if shows is None:
        return
    found = Report()
    case, verdict = try_example(rule, node, bench, read, found)
    if case is None and isinstance(shows, ast.FileText) and _is_missing(shows, found):
        empty = ast.Text("", offsets=(shows.span.start,), span=shows.span)
        case, verdict = try_example(rule, replace(node, shows=empty), bench, read, Report())
    if case is None or verdict is None or verdict.rule != rule.id or verdict.body in (None, case.shows):
        return
    assert verdict.body is not None
    if isinstance(shows, ast.Text):
        written = write_text(verdict.body, shows, rule.source)
        wanted.edits.setdefault(rule.source.path, {})[shows.span] = written
        return
    path = resolve_path(rule.source.path, shows.path.value)
    same = wanted.texts.setdefault(path, verdict.body) == verdict.body
    wanted.texts[path] = verdict.body if same else None


def _is_missing(shows: ast.FileText, report: Report) -> bool:
    """Say whether an example failed because the file of its text is yet to be written."""
    return [(each.primary.span, each.primary.text.startswith("no such file")) for each in report] == [
        (shows.path.span, True)
    ]


def write_text(value: str, old: ast.Text, source: Source) -> str:
    """Return the notation of a text in place of another one: a string stays one if one line is enough."""
    lines = value.split("\n")
    plain = all(char in "\n\t" or char.isprintable() for char in value)
    if not plain or any(line.lstrip(" \t").startswith('"""') for line in lines) or (len(lines) == 1 and not old.block):
        return f'"{"".join(map(_escape, value))}"'
    margin = _margin(old, source)
    return "\n".join(['"""', *(margin + line if line else "" for line in lines), f'{margin}"""'])


def _margin(old: ast.Text, source: Source) -> str:
    """Return the indentation of a block: that of its closing quotes, or of the line that a string stands in."""
    at = old.span.end - 3 if old.block else old.span.start
    line = source.text[source.text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _escape(char: str) -> str:
    return {"\n": "\\n", "\t": "\\t"}.get(char) or quote_character(char)


def _edited(text: str, edits: Mapping[Span, str]) -> str:
    for span in sorted(edits, reverse=True):
        text = text[: span.start] + edits[span] + text[span.end :]
    return text


def _says_the_same(path: str, old: str, new: str, edits: Mapping[Span, str]) -> bool:
    """Say whether only the texts at the edited places are others."""
    report = Report()
    before, after = (parse_file(Source(path, text), report) for text in (old, new))
    if report:
        return False
    rules = []
    for one, other in zip(before.rules, after.rules, strict=False):
        examples = [
            replace(node, shows=changed.shows) if node.shows is not None and node.shows.span in edits else node
            for node, changed in zip(one.examples, other.examples, strict=False)
        ]
        rules.append(replace(one, examples=tuple(examples)) if len(examples) == len(one.examples) else one)
    return replace(before, rules=tuple(rules)) == replace(after, source=before.source)


def _read_text(path: str, read: Read | None) -> str:
    try:
        return "" if read is None else read(path).decode("utf-8", "surrogateescape")
    except (OSError, KeyError):
        return ""
