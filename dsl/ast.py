"""The syntax tree of a rule file: what the author wrote, with spans, nothing resolved.

Every node is frozen and carries the span of its text, which does not take part in equality: two trees are equal when
they say the same. Names are kept as written (`Name`), so that later passes can point at each of them.

One long file on purpose: records without logic, in the order of the grammar, of which every pass needs several.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .source import Source, Span


@dataclass(frozen=True, slots=True)
class Node:
    """Anything with a place in the source."""

    span: Span = field(compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An identifier as written. For a rule's id it holds the dots (`bash.git_log`)."""

    text: str


@dataclass(frozen=True, slots=True)
class Path(Node):
    """`result.passed`: names joined by dots."""

    names: tuple[Name, ...]

    def __str__(self) -> str:
        return ".".join(name.text for name in self.names)


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string or a triple-quoted block.

    `value` is what it means: escapes replaced, a block outdented with its first and last line end dropped.
    `offsets[i]` is the source offset of `value[i]`; `offsets[len(value)]` is where the text ends, so that a place in
    the value can be shown in the source. Not part of equality. `block` tells the two notations apart.
    """

    value: str
    block: bool = False
    offsets: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def place(self, start: int, end: int) -> Span:
        """Return the source span of `value[start:end]`."""
        return Span(self.offsets[start], self.offsets[end] if end > start else self.offsets[start])


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A literal integer."""

    value: int


# --- patterns -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LiteralText(Node):
    """Text of a line as it stands, escapes and doubled braces already replaced."""

    text: str


@dataclass(frozen=True, slots=True)
class Hole(Node):
    """`{name:type(args) = default}`. Without a name nothing is captured; without a type it is `text`.

    `type` is `text`, `word`, `cell`, `int`, `hex`, `spaces`, `gap`, `indent`, `enum`, `cstring`, `quoted`, `rest`,
    `raw`, or the name of a `word` of the file. `choices` belongs to `enum` (as written, in order), `width` to `hex`
    (lowest, highest number of digits).
    """

    name: Name | None
    type: Name
    choices: tuple[str, ...] = ()
    width: tuple[int, int] | None = None
    default: Number | None = None


@dataclass(frozen=True, slots=True)
class OptionalPart(Node):
    """`{? … }`."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class PhraseUse(Node):
    """`{=NAME}`: a phrase of the file, spliced in by the resolver."""

    name: Name


Part = LiteralText | Hole | OptionalPart | PhraseUse


# --- expressions over lines -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pattern(Node):
    """A string where a line stands. `otherwise`: claims a line only if nothing else possible there does."""

    text: Text
    parts: tuple[Part, ...]
    otherwise: bool = False


@dataclass(frozen=True, slots=True)
class CatchAll(Node):
    """`otherwise` alone: claims any line that nothing else claims."""


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """The name of a definition inside an expression."""

    name: Name


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`item*`, `item+`, `item?`."""

    item: Expr
    operator: Literal["*", "+", "?"]


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """Two or more items in a row."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """Two or more alternatives."""

    options: tuple[Expr, ...]


Expr = Pattern | CatchAll | Reference | Repeat | Sequence | Choice


@dataclass(frozen=True, slots=True)
class Definition(Node):
    """`name = expression [spends a, b]`. Whether it is a line kind or a record is decided by the resolver:
    a pattern, a catch-all or a choice of patterns is a line kind, anything else is a record.
    """

    name: Name
    value: Expr
    spends: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Stream(Node):
    """`stdout empty`, `stdout uncoloured a* b`. `expr` is None exactly when the stream must be empty."""

    name: Literal["stdout", "stderr", "merged"]
    expr: Expr | None
    uncoloured: bool = False


# --- commands -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option(Node):
    """One option as written.

    `flag` is its fixed beginning (`--max-count`, `-U`, `-`, `+`). `value` says what follows it:
    nothing (`none`), `either` (`--long <type>`: next word or after `=`), `equals` (`--long=<type>`),
    `split` (`-x <type>`: next word), `attached` (`-x<type>`), `word` (`--color auto`: that literal next word).
    A literal `--long=lit` is a flag with value `none` whose text holds the `=lit`.
    `type` names a type when `value` needs one; `word` is the literal next word.
    """

    flag: str
    value: Literal["none", "either", "equals", "split", "attached", "word"]
    type: Name | None = None
    word: str | None = None

    def __str__(self) -> str:
        kind = f"<{self.type.text}>" if self.type else ""
        shown = {"none": "", "either": f" {kind}", "split": f" {kind}", "equals": f"={kind}", "attached": kind}
        return self.flag + (f" {self.word}" if self.value == "word" else shown[self.value])


@dataclass(frozen=True, slots=True)
class OptionLine(Node):
    """`global …`, `needs a | b`, `option …`, `refuse …`."""

    role: Literal["global", "needs", "option", "refuse"]
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class WithOptions(Node):
    """`with NAME` inside a command."""

    name: Name


@dataclass(frozen=True, slots=True)
class Operands(Node):
    """`operand any`."""


@dataclass(frozen=True, slots=True)
class AfterDashes(Node):
    """`after -- any`."""


CommandLine = OptionLine | WithOptions | Operands | AfterDashes


@dataclass(frozen=True, slots=True)
class Head(Node):
    """The fixed words of a command: `git log`, `python -m pytest`."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Command(Node):
    """`command HEAD | HEAD { … }`."""

    heads: tuple[Head, ...]
    lines: tuple[CommandLine, ...]


# --- facts and claims -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Where(Node):
    """`where f = v`; `value` is a string, a number or the name of another field."""

    field: Name
    operator: Literal["=", "!=", "<", ">"]
    value: Text | Number | Name


@dataclass(frozen=True, slots=True)
class Count(Node):
    """`count K, L [where …]`."""

    kinds: tuple[Name, ...]
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """`sum K.n`."""

    path: Path


@dataclass(frozen=True, slots=True)
class Distinct(Node):
    """`distinct K.f, L.f`."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Each(Node):
    """`each K, L [where …]`."""

    kinds: tuple[Name, ...]
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class Group(Node):
    """`group K, L [where …] by f`."""

    kinds: tuple[Name, ...]
    by: Name
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class Cap(Node):
    """`first N of VALUE [in order]`, `last N of VALUE`."""

    end: Literal["first", "last"]
    limit: Number
    value: Value
    in_order: bool = False


@dataclass(frozen=True, slots=True)
class Pick(Node):
    """`last of K, L.f [or …]`, `first of …`: one text."""

    end: Literal["first", "last"]
    paths: tuple[Path, ...]
    alternatives: tuple[Path | Text | Number, ...] = ()


@dataclass(frozen=True, slots=True)
class Sorted(Node):
    """`sorted VALUE by f`."""

    value: Value
    by: Name


@dataclass(frozen=True, slots=True)
class Trimmed(Node):
    """`trimmed VALUE`."""

    value: Value


@dataclass(frozen=True, slots=True)
class Alternatives(Node):
    """`path or path or "text"`: the first that is present."""

    items: tuple[Path | Text | Number, ...]


Value = Count | Sum | Distinct | Each | Group | Cap | Pick | Sorted | Trimmed | Alternatives


@dataclass(frozen=True, slots=True)
class Fact(Node):
    """`name = value`, or `K.name = value`: a field of every record K."""

    path: Path
    value: Value


@dataclass(frozen=True, slots=True)
class ExitIs(Node):
    """`exit 0, 1` or `exit not 0` in a condition. None in `codes` is `unknown`."""

    codes: tuple[int | None, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Presence(Node):
    """`some K, L [where …]`, `no K`: a condition or a claim (only claims may have `where`)."""

    some: bool
    kinds: tuple[Name, ...]
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class Relation(Node):
    """`a + b = c`; terms are numbers, paths (a lone path stands as `Path`) or values."""

    left: tuple[Number | Path | Value, ...]
    operator: Literal["=", "<=", ">="]
    right: tuple[Number | Path | Value, ...]


@dataclass(frozen=True, slots=True)
class Within(Node):
    """`LIST within LIST`; a lone path stands as `Alternatives` with one item."""

    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Claim(Node):
    """`[when CONDITION:] [each K:] CLAIM`."""

    when: ExitIs | Presence | None
    each: Name | None
    body: Relation | Within | Presence


# --- the file -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileText(Node):
    """`file "path"` in an example."""

    path: Text


@dataclass(frozen=True, slots=True)
class Selection(Node):
    """`selects "…", "…"`: commands that are the rule's own; `leaves …`: near misses that are not."""

    role: Literal["selects", "leaves"]
    commands: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Example(Node):
    """An `example` of a rule. Exactly one of `shows` and `passes` is present."""

    title: Text
    command: Text | FileText
    stdout: Text | FileText | None
    stderr: Text | FileText | None
    exit: Number | None
    shows: Text | FileText | None
    passes: Name | None


@dataclass(frozen=True, slots=True)
class Use(Node):
    """`use "x.cable"`, or `use codec "x"` when `codec`."""

    target: Text
    codec: bool = False


@dataclass(frozen=True, slots=True)
class Run(Node):
    """`[class]q` of a word: the class as sorted, merged code-point ranges; `high` None is unbounded."""

    ranges: tuple[tuple[int, int], ...]
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Word(Node):
    """`word NAME = [class]q [class]q …`."""

    name: Name
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Phrase(Node):
    """`phrase NAME = "…"`."""

    name: Name
    text: Text
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Options(Node):
    """`options NAME { … }`."""

    name: Name
    lines: tuple[CommandLine, ...]


@dataclass(frozen=True, slots=True)
class Lines(Node):
    """`lines NAME with OTHER { … }`."""

    name: Name
    uses: tuple[Name, ...]
    definitions: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """A rule. `exit` None admits any code; in `exit`, None is `unknown`."""

    id: Name
    title: Text
    tools: tuple[Name, ...]
    commands: tuple[Command, ...]
    exit: tuple[int | None, ...] | None
    streams: tuple[Stream, ...]
    uses: tuple[Name, ...]
    definitions: tuple[Definition, ...]
    facts: tuple[Fact, ...]
    claims: tuple[Claim, ...]
    summary: Text
    selections: tuple[Selection, ...]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """`name value`, or `name` alone (value None), inside `admit`."""

    name: Name
    value: Text | Number | Name | None


@dataclass(frozen=True, slots=True)
class Admit(Node):
    """`admit "dq_*" with columnar { … }`."""

    pattern: Text
    codec: Name
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class File(Node):
    """A parsed rule file. What failed to parse is missing; the report says so."""

    source: Source = field(compare=False)
    uses: tuple[Use, ...]
    words: tuple[Word, ...]
    phrases: tuple[Phrase, ...]
    options: tuple[Options, ...]
    lines: tuple[Lines, ...]
    rules: tuple[Rule, ...]
    admits: tuple[Admit, ...]
