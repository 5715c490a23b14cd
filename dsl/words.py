"""What the words of the language mean, each in one line, for those who ask while they write.

The tables are those of docs/language.md, row for row, which a test holds them to. `CLAUSES` and `ENTRIES` say in a line
what whole sections of that page are about.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Meaning(NamedTuple):
    """How something is written, in Markdown, and what that means."""

    form: str
    text: str


ENTRIES: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "use": Meaning('`use "other.cable"`, `use codec "name"`', "takes in the shared definitions of another file"),
        "word": Meaning("`word NAME = [a-z]+ …`", "a row of character classes, for holes and option values"),
        "phrase": Meaning('`phrase NAME = "…"`', "a part of a pattern, for `{=NAME}`"),
        "options": Meaning("`options NAME { … }`", "lines of commands, for `with NAME` in `command`"),
        "lines": Meaning("`lines NAME { … }`", "definitions of lines, for `lines with NAME` in rules"),
        "rule": Meaning('`rule ID "title" { … }`', "how the output of one command is read, and what is shown of it"),
        "admit": Meaning('`admit "tool_*" with CODEC { … }`', "gives results that are no text of a command to a codec"),
    }
)
"""The entries of a file, by their first word."""

CLAUSES: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "tool": Meaning("`tool bash, shell`", "the tools of a host that run commands"),
        "command": Meaning("`command HEAD | HEAD { … }`", "are these words one of my forms? else `no_rule`"),
        "exit": Meaning("`exit 0, 101, unknown`", "is this one of my exit codes? else `invalid_output`"),
        "unknown": Meaning("`unknown`", "admits a host that does not tell the exit code"),
        "stdout": Meaning(
            "`stdout EXPRESSION`, `stdout empty`",
            "is every line of a kind I name, in an order I allow? else `invalid_output`",
        ),
        "stderr": Meaning(
            "`stderr EXPRESSION`, `stderr empty`",
            "is every line of a kind I name, in an order I allow? else `invalid_output`",
        ),
        "merged": Meaning("`merged EXPRESSION`", "read in place of both streams where they come as one"),
        "empty": Meaning("`stderr empty`", "not a single byte; else `stderr_present`"),
        "uncoloured": Meaning("`stdout uncoloured …`", "takes out colour sequences before reading"),
        "lines": Meaning("`lines [with NAME] { … }`", "gives names to what a line, or a run of lines, looks like"),
        "otherwise": Meaning(
            '`otherwise "…"`, `otherwise`',
            "claims a line only if nothing else possible there does; alone, any such line",
        ),
        "spends": Meaning("`spends a, b`", "each such line lowers these numbers of the record around it by one"),
        "facts": Meaning("`facts { name = … }`", "gives names to what the lines say"),
        "ensure": Meaning("`ensure { … }`", "does what the lines say agree with itself? else `unreconciled`"),
        "where": Meaning("`where f = v`, `!=`, `<`, `>`", "only those of which a capture is so"),
        "summary": Meaning('`summary """ … """`', "the text that is shown; not fewer tokens: `no_gain`"),
        "selects": Meaning('`selects "…", "…"`', "commands that the rule must accept"),
        "leaves": Meaning('`leaves "…", "…"`', "near misses that it must not accept, as their output is another"),
        "example": Meaning('`example "title" { … }`', "a command, what it printed, and what comes of it"),
        "shows": Meaning('`shows """ … """`', "the exact text of the summary"),
        "passes": Meaning("`passes REASON`", "the exact reason for which the original is shown"),
        "file": Meaning('`file "path"`', "a text from a file, relative to this one"),
        "with": Meaning("`with NAME`", "takes in a shared definition"),
    }
)
"""The words of a rule that begin its clauses, or stand in several of them."""

PATH_WORDS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "line": Meaning("`K.line`", "the text of the first line of a record or line"),
        "key": Meaning("`g.key`", "of a group, what its members have in common"),
        "count": Meaning("`g.count`", "of a group, how many there are"),
        "first": Meaning("`g.first`", "of a group, its first member"),
        "rows": Meaning("`g.rows`", "of a group, its members"),
        "exit_code": Meaning("`exit_code`", "the exit code as a number; `null` where the host does not tell"),
    }
)
"""What paths can name besides what an author defined."""

COMMAND_LINES: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "global": Meaning(
            "`global A, B`", "may stand before the last word of the head, each at most once, in any order"
        ),
        "needs": Meaning("`needs A | B`", "one of these must be there. Of several `needs` lines, each must be met"),
        "option": Meaning("`option A, B`", "may be there, as often as one likes"),
        "with": Meaning("`with NAME`", "takes in the lines of a shared `options`"),
        "refuse": Meaning("`refuse A, B`", "must not be there, not even behind `--`; looked for first"),
        "operand": Meaning(
            "`operand any`", "words that do not begin with `-` may be there; without this line there may be none"
        ),
        "after": Meaning(
            "`after -- any`", "anything may follow `--`; without this line `--` itself refuses the command"
        ),
    }
)
"""The lines inside `command` and `options`."""

VALUE_TYPES: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "int": Meaning("`<int>`", "1 to 18 digits"),
        "word": Meaning("`<word>`", "any word"),
        "name": Meaning("`<name>`", "letters, digits and `_ . : / @ -`"),
        "path": Meaning("`<path>`", "letters, digits and `/ . _ -`, the first one no `-`"),
        "toolchain": Meaning("`<toolchain>`", "letters, digits and `. _ -`"),
        "any": Meaning("`<any>`", "any characters, even none; only behind `=` or attached"),
        "NAME": Meaning("`<NAME>`", "a shared `word`"),
    }
)
"""The types of option values; `NAME` stands for the words of a file."""

HOLES: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "text": Meaning(
            "`{name}` `{}`", "text: any characters but control characters; tab is allowed; ends at the first fit"
        ),
        "word": Meaning("`{name:word}`", "text without blanks; ends at the first fit"),
        "cell": Meaning("`{name:cell}`", "text without tabs; ends at the first fit"),
        "int": Meaning("`{n:int}`", "1 to 18 digits; a number; takes all there is"),
        "hex": Meaning("`{h:hex(4..64)}`", "lower-case hexadecimal digits, so many of them; takes all there is"),
        "spaces": Meaning(
            "`{:spaces}` `{:gap}` `{:indent}`", "blanks: one or more, two or more, any number; takes all there is"
        ),
        "gap": Meaning(
            "`{:spaces}` `{:gap}` `{:indent}`", "blanks: one or more, two or more, any number; takes all there is"
        ),
        "indent": Meaning(
            "`{:spaces}` `{:gap}` `{:indent}`", "blanks: one or more, two or more, any number; takes all there is"
        ),
        "enum": Meaning("`{v:(ok|FAILED)}`", "one of these words, the longest first"),
        "cstring": Meaning(
            "`{s:cstring}`", 'what stands between the quotes of a C string, `\\"` included; takes all there is'
        ),
        "quoted": Meaning("`{s:quoted}`", "a C string with its quotes; takes all there is"),
        "rest": Meaning("`{x:rest}`", "everything to the end of the line, even nothing"),
        "raw": Meaning("`{x:raw}`", "the same, and control characters such as carriage returns, too"),
        "NAME": Meaning("`{x:NAME}`", "a shared `word`; takes all there is"),
    }
)
"""What holes admit, by type; `enum` are choices, `NAME` the words of a file."""

PARTS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "optional": Meaning("`{? … }`", "an optional part: taken if it fits where it stands. `{?s}` is the plural"),
        "default": Meaning("`{n:int = 1}`", "the value of `n` when its optional part is not there"),
        "phrase": Meaning("`{=NAME}`", "a shared `phrase`, spliced in"),
    }
)
"""What else stands in patterns."""

FACTS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "count": Meaning("`count K, L`", "how many"),
        "sum": Meaning("`sum K.n`", "the sum of all captures `n`; 0 when there are none"),
        "distinct": Meaning("`distinct K.f, L.f`", "the different texts, in order of first appearance"),
        "each": Meaning("`each K, L`", "all K, in the order of the output, then all L"),
        "group": Meaning(
            "`group K, L by f`", "groups with `key`, `count`, `first` and `rows`, in order of first appearance"
        ),
        "last": Meaning("`first N of …`, `last N of …`", "a capped list, which knows how many it left out"),
        "first": Meaning("`first N of …`, `last N of …`", "a capped list, which knows how many it left out"),
        "in": Meaning("`first N of … in order`", "chosen by the order of the list, shown in the order of the output"),
        "sorted": Meaning("`sorted … by f`", "by code point; equal ones keep their order"),
        "trimmed": Meaning("`trimmed …`", "without blank lines at both ends"),
        "of": Meaning(
            "`last of K, L.f`, `first of …`", "the text of the last (first) such line of the output, or of its capture"
        ),
        "or": Meaning('`a or b or "text"`', "the first that is present"),
        "field": Meaning("`K.name = …`", "the same inside every record K, as a field of it"),
    }
)
"""What facts are made of."""

CLAIMS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "+": Meaning(
            "`a + b = c`, `<=`, `>=`",
            "the sums compare so. Terms are numbers, facts, `count …`, `sum …`, captures; of a list, its length",
        ),
        "some": Meaning("`some K, L`", "there is at least one"),
        "no": Meaning("`no K`, `no K where f = v`", "there is none"),
        "within": Meaning("`LIST within LIST`", "everything in the first is in the second"),
        "when": Meaning(
            "`when exit 0: …`, `when exit not 0: …`; `when some K: …`, `when no K: …`",
            "… or the exit code is another; … or there is none (there is one)",
        ),
        "each": Meaning("`each K: …`", "for every record K, whose fields are then meant by bare names"),
    }
)
"""What claims are made of."""

TEMPLATE: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "path": Meaning('`{{ path }}` `{{ path or other or "text" }}`', "a value"),
        "for": Meaning(
            "`{% for x in list %} … {% else %} … {% endfor %}`", "for every element; `else` when there is none"
        ),
        "if": Meaning("`{% if path %} … {% elif path %} … {% else %} … {% endif %}`", "with `not`, `and`, `or`"),
        "clip": Meaning("`| clip`", "at most 200 characters; a longer text ends in `…`"),
        "join": Meaning('`| join(", ")`', "a list of texts as one text"),
        "length": Meaning("`| length`", "the length of a list"),
        "more": Meaning("`| more`", "`- (+N more)`: what a capped list left out; empty when nothing"),
        "earlier": Meaning("`| earlier`", "`- (+N earlier)`: the same for `last N of`"),
    }
)
"""The tags and filters of a summary; `path` stands for a value."""

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "no_rule": "the command is not of a form that a rule names, or not a plain list of words",
        "missing_stream": "a stream is missing, or a failed command printed nothing",
        "stderr_present": "something stands on the stream that has to be empty",
        "invalid_output": "a line of no kind, an order or an exit code that the rule does not know",
        "unreconciled": "a claim of `ensure` does not hold",
        "too_large": "deciding would take more work than is allowed",
        "already_compressed": "the output is a summary already, or was read from the store",
        "no_gain": "the summary is not strictly fewer tokens under both encodings",
    }
)
"""The reasons that an example can demand."""
