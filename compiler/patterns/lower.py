"""From the parts of a pattern to its program.

Input: the parts as parsed, the words and phrases the file knows. Output: a program, or None and diagnostics.
Reports unknown hole types and phrases (E0301), phrases that contain themselves (E0302), bad capture names (E0303) and
choices that stand twice (E0308).
INVARIANT: every span in a program lies in the source of the pattern, also for what phrases of other files bring in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ...dsl import ast
from ...dsl.diagnostics import Diagnostic, Edit, Label, Report
from ...dsl.source import Source, Span
from ...dsl.suggest import did_you_mean
from .program import (
    BLANK,
    DIGIT,
    HEX,
    Cap,
    CString,
    Enum,
    Fit,
    Group,
    Lit,
    Op,
    Opt,
    Program,
    Quoted,
    Raw,
    Rest,
    Run,
    caps,
)

INT_DIGITS: Final = 18
"""The longest integer that every host reads exactly: 18 digits fit 64 bits."""

HEX_WIDTH: Final = (4, 64)
RESERVED: Final = ("line", "key", "count", "first", "rows")

_BUILT_IN: Final[Mapping[str, Callable[[ast.Hole, Cap | None, Span], Op]]] = {
    "text": lambda _, cap, span: Fit("text", cap, span=span),
    "word": lambda _, cap, span: Fit("word", cap, span=span),
    "cell": lambda _, cap, span: Fit("cell", cap, span=span),
    "int": lambda _, cap, span: Run(DIGIT, 1, INT_DIGITS, cap, span=span),
    "hex": lambda hole, cap, span: Run(HEX, *(hole.width or HEX_WIDTH), cap, span=span),
    "spaces": lambda _, cap, span: Run(BLANK, 1, None, cap, span=span),
    "gap": lambda _, cap, span: Run(BLANK, 2, None, cap, span=span),
    "indent": lambda _, cap, span: Run(BLANK, 0, None, cap, span=span),
    "enum": lambda hole, cap, span: Enum(longest_first(hole.choices), cap, span=span),
    "cstring": lambda _, cap, span: CString(cap, span=span),
    "quoted": lambda _, cap, span: Quoted(cap, span=span),
    "rest": lambda _, cap, span: Rest(cap, span=span),
    "raw": lambda _, cap, span: Raw(cap, span=span),
}

HOLE_TYPES: Final = tuple(sorted(_BUILT_IN.keys() - {"enum"}))
"""The types an author can write; `enum` is what the parser calls choices in parentheses."""

_EVERYDAY: Final[Mapping[str, str]] = {
    **dict.fromkeys(("number", "digits", "digit", "integer", "num", "uint", "long"), "int"),
    **dict.fromkeys(("str", "string", "any", "anything", "name", "path", "file"), "text"),
    **dict.fromkeys(("line", "tail", "remainder", "all"), "rest"),
    **dict.fromkeys(("token", "identifier", "id", "symbol"), "word"),
    **dict.fromkeys(("sha", "hash", "commit"), "hex(4..64)"),
    **dict.fromkeys(("blank", "blanks", "space", "whitespace", "ws"), "spaces"),
}
"""What other notations call the types."""


def longest_first(choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the choices without duplicates, the longest first, else as written."""
    return tuple(sorted(dict.fromkeys(choices), key=len, reverse=True))


def lower_pattern(
    parts: tuple[ast.Part, ...],
    words: Mapping[str, ast.Word],
    phrases: Mapping[str, ast.Phrase],
    source: Source,
    report: Report,
) -> Program | None:
    """Return the program of a pattern, or None after reporting what is wrong with its names."""
    lowering = _Lowering(words, phrases, source, report)
    ops = lowering.lower(parts, None, ())
    lowering.check_names(tuple(ops))
    return None if lowering.failed else tuple(ops)


class _Lowering:
    """One walk over the parts of one pattern."""

    def __init__(
        self, words: Mapping[str, ast.Word], phrases: Mapping[str, ast.Phrase], source: Source, report: Report
    ) -> None:
        self.words = words
        self.phrases = phrases
        self.source = source
        self.report = report
        self.failed = False

    def lower(self, parts: tuple[ast.Part, ...], use: Span | None, within: tuple[str, ...]) -> list[Op]:
        """Lower parts; `use` is the place of the outermost phrase use around them, `within` the phrases open here."""
        ops: list[Op] = []
        for part in parts:
            span = use or part.span
            match part:
                case ast.LiteralText(text=text):
                    _append_literal(ops, text, span)
                case ast.Hole():
                    ops.extend(self._lower_hole(part, use, within))
                case ast.OptionalPart(parts=inner):
                    ops.append(Opt(tuple(self.lower(inner, use, within)), span=span))
                case ast.PhraseUse(name=name):
                    for op in self._lower_phrase(name, span, within):
                        if isinstance(op, Lit):
                            _append_literal(ops, op.text, op.span)
                        else:
                            ops.append(op)
        return ops

    def _lower_hole(self, hole: ast.Hole, use: Span | None, within: tuple[str, ...]) -> list[Op]:
        span = use or hole.span
        name = hole.type.text
        cap = None
        if hole.name is not None:
            default = hole.default.value if hole.default else None
            kind = "int" if name == "int" else "text"
            cap = Cap(hole.name.text, kind, default, span=use or hole.name.span)
        self._check_choices(hole, span)
        build = _BUILT_IN.get(name)
        if build is not None and (name != "enum" or hole.choices):
            return [build(hole, cap, span)]
        word = self.words.get(name)
        if word is None:
            self._unknown("hole type", hole.type, (*HOLE_TYPES, *self.words), use, within)
            return []
        runs = tuple(Run(run.ranges, run.low, run.high, span=span) for run in word.runs)
        if len(runs) == 1:
            return [Run(runs[0].ranges, runs[0].low, runs[0].high, cap, span=span)]
        return list(runs) if cap is None else [Group(runs, cap, span=span)]

    def _lower_phrase(self, name: ast.Name, use: Span, within: tuple[str, ...]) -> list[Op]:
        if name.text in within:
            self.failed = True
            circle = " → ".join((*within[within.index(name.text) :], name.text))
            self.report.add(
                Diagnostic(
                    "E0302",
                    f"phrase `{name.text}` contains itself",
                    self.source,
                    Label(use, "spliced in here"),
                    notes=(f"the circle: {circle}",),
                    help="write the repeated text out, or split the phrase",
                )
            )
            return []
        phrase = self.phrases.get(name.text)
        if phrase is None:
            self._unknown("phrase", name, tuple(self.phrases), use if within else None, within)
            return []
        return self.lower(phrase.parts, use, (*within, name.text))

    def _unknown(
        self, what: str, name: ast.Name, known: tuple[str, ...], use: Span | None, within: tuple[str, ...]
    ) -> None:
        self.failed = True
        # An everyday name is a surer guess than a close spelling of a built-in type: `string` is no `cstring`.
        usual = _EVERYDAY.get(name.text.lower()) if what == "hole type" else None
        near = did_you_mean(name.text, self.words) if what == "hole type" else None
        near = near or usual or did_you_mean(name.text, known)
        listed = ", ".join(f"`{word}`" for word in sorted(set(known))) or "none"
        plural = "hole types" if what == "hole type" else "phrases"
        own = f"or define it at the top of the file: `word {name.text} = [a-z]+`" if what == "hole type" else None
        self.report.add(
            Diagnostic(
                "E0301",
                f"unknown {what} `{name.text}`",
                self.source,
                Label(use or name.span, f"in phrase `{within[-1]}`" if within else f"no such {what}"),
                notes=(f"known {plural}: {listed}",),
                help=f"did you mean `{near}`?" if near else own,
                edits=(Edit(name.span, near),) if near and not within else (),
            )
        )

    def _check_choices(self, hole: ast.Hole, span: Span) -> None:
        for choice in dict.fromkeys(hole.choices):
            if hole.choices.count(choice) > 1:
                self.report.add(
                    Diagnostic(
                        "E0308",
                        f"the choice `{choice}` stands here twice",
                        self.source,
                        Label(span, "the second one is never taken"),
                        help="remove one of them",
                    )
                )

    def check_names(self, program: Program) -> None:
        """Report reserved capture names and names that are taken twice."""
        seen: dict[str, Cap] = {}
        for cap, _ in caps(program):
            if cap.name in RESERVED:
                self.failed = True
                self.report.add(
                    Diagnostic(
                        "E0303",
                        f"`{cap.name}` may not name a capture",
                        self.source,
                        Label(cap.span, "reserved"),
                        notes=(f"`{cap.name}` is what every record, line or group already has under that name",),
                        help="choose another name",
                    )
                )
            elif cap.name in seen:
                self.failed = True
                self.report.add(
                    Diagnostic(
                        "E0303",
                        f"`{cap.name}` is captured twice in one pattern",
                        self.source,
                        Label(cap.span, "again here"),
                        (Label(seen[cap.name].span, "first captured here"),),
                        help="give one of them another name, or none: `{}` reads without capturing",
                    )
                )
            seen.setdefault(cap.name, cap)


def _append_literal(ops: list[Op], text: str, span: Span) -> None:
    if ops and isinstance(last := ops[-1], Lit):
        ops[-1] = Lit(last.text + text, span=last.span.to(span))
    elif text:
        ops.append(Lit(text, span=span))
