"""Hand-written rules for the engine's tests, and the small algebra they are written in.

`leaf`, `seq`, `alt`, `many`, `some`, `maybe` and `record` build a position automaton: the depth at which two positions
meet is how many records stay open between them. Patterns are given as operations of the pack format.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

DIGITS = [[48, 57]]
HEX = [[48, 57], [97, 102]]
BLANKS = [[9, 9], [32, 32]]


def lit(text):
    """Return a literal."""
    return ["lit", text]


def number(name=None, default=None):
    """Return an int hole, captured under a name."""
    return ["run", DIGITS, 1, 18, None if name is None else [name, "int", default]]


def fit(name=None, kind="text"):
    """Return a first-fit hole."""
    return ["fit", kind, None if name is None else [name, "text", None]]


def opt(*ops):
    """Return an optional part."""
    return ["opt", list(ops)]


def enum(*texts, name=None):
    """Return one of these texts."""
    return ["enum", list(texts), None if name is None else [name, "text", None]]


def rest(name=None):
    """Return everything to the end of the line."""
    return ["rest", None if name is None else [name, "text", None]]


RAW = ["raw", None]


@dataclass
class Leaf:
    """One line of a stream; no patterns: a catch-all."""

    kind: str
    patterns: list
    otherwise: bool = False
    sets: tuple[str, ...] = ()
    spends: tuple[str, ...] = ()


@dataclass
class Expr:
    """An expression: operator and operands."""

    operator: str
    parts: list = field(default_factory=list)


def leaf(kind, *patterns, **more):
    """Return one line; each pattern is a list of operations."""
    return Leaf(kind, [list(pattern) for pattern in patterns], **more)


def seq(*parts):
    """Return parts in a row."""
    return Expr("seq", list(parts))


def alt(*parts):
    """Return one of the parts."""
    return Expr("alt", list(parts))


def many(part):
    """Return a part any number of times."""
    return Expr("many", [part])


def some(part):
    """Return a part once or more."""
    return Expr("some", [part])


def maybe(part):
    """Return a part once or not at all."""
    return Expr("maybe", [part])


def record(name, part):
    """Return a record."""
    return Expr("record", [name, part])


class _Builder:
    """Numbers the leaves and gathers who follows whom, with the records that stay open."""

    def __init__(self):
        self.leaves: list[tuple[Leaf, list[str]]] = []
        self.follow: list[tuple[int, int, int]] = []

    def walk(self, part, path):
        if isinstance(part, Leaf):
            self.leaves.append((part, path))
            at = len(self.leaves) - 1
            return {at}, {at}, False
        if part.operator == "record":
            return self.walk(part.parts[1], [*path, part.parts[0]])
        walked = [self.walk(inner, path) for inner in part.parts]
        if part.operator == "alt":
            return (
                set().union(*(first for first, _, _ in walked)),
                set().union(*(last for _, last, _ in walked)),
                any(empty for _, _, empty in walked),
            )
        if part.operator == "seq":
            first, last, empty = walked[0]
            for next_first, next_last, next_empty in walked[1:]:
                self.join(last, next_first, len(path))
                first = first | next_first if empty else first
                last = last | next_last if next_empty else next_last
                empty = empty and next_empty
            return first, last, empty
        first, last, empty = walked[0]
        if part.operator in ("many", "some"):
            self.join(last, first, len(path))
        return first, last, empty or part.operator in ("many", "maybe")

    def join(self, lasts, firsts, depth):
        self.follow.extend((last, first, depth) for last in lasts for first in firsts)


def stream(expr, counters=(), *, uncoloured=False):
    """Return the stream program of an expression; counters as (name, record)."""
    builder = _Builder()
    first, last, blank = builder.walk(expr, [])
    patterns: list[Any] = []
    positions = []
    names = [name for name, _ in counters]
    for part, path in builder.leaves:
        patterns.extend(part.patterns)
        positions.append(
            {
                "kind": part.kind,
                "patterns": list(range(len(patterns) - len(part.patterns), len(patterns))),
                "otherwise": part.otherwise,
                "path": path,
                "sets": [names.index(name) for name in part.sets],
                "spends": [names.index(name) for name in part.spends],
            }
        )
    labels = sorted({(to, keep) for _, to, keep in builder.follow} | {(to, 0) for to in first})

    def row(edges):
        ordered = sorted(edges, key=lambda edge: (positions[edge[0]]["otherwise"], edge))
        return [labels.index(edge) for edge in ordered]

    rows = [row({(to, keep) for at, to, keep in builder.follow if at == here}) for here in range(len(positions))]
    return {
        "uncoloured": uncoloured,
        "patterns": patterns,
        "positions": positions,
        "start": row({(to, 0) for to in first}),
        "rows": rows,
        "final": sorted(last),
        "blank": blank,
        "labels": [list(label) for label in labels],
        "counters": [{"name": name, "record": owner} for name, owner in counters],
    }


def line_kind(streams, name):
    """Return where the lines of a kind are."""
    found = {}
    for stream_name, program in streams.items():
        if program != "empty":
            labels = [at for at, (to, _) in enumerate(program["labels"]) if program["positions"][to]["kind"] == name]
            if labels:
                found[stream_name] = labels
    return {"lines": found}


def record_kind(streams, name, own):
    """Return where a record opens, runs on, and has its own lines (of the kinds `own`)."""
    kind: dict[str, dict[str, list[int]]] = {"open": {}, "inside": {}, "own": {}}
    for stream_name, program in streams.items():
        if program == "empty":
            continue
        for at, (to, keep) in enumerate(program["labels"]):
            position = program["positions"][to]
            if name not in position["path"]:
                continue
            part = "inside" if position["path"].index(name) < keep else "open"
            kind[part].setdefault(stream_name, []).append(at)
            if position["kind"] in own:
                kind["own"].setdefault(stream_name, []).append(at)
    return kind


def rule(name, streams, kinds, **more):
    """Return a whole rule; `kinds` gives None for a line kind, the kinds of its own lines for a record."""
    base = {
        "id": name,
        "title": "a rule of the tests",
        "tools": ["bash", "shell"],
        "commands": [
            {
                "head": ["tool"],
                "globals": [],
                "needs": [],
                "options": [],
                "refuse": [],
                "operand": True,
                "after": False,
            }
        ],
        "exit": None,
        "streams": streams,
        "kinds": {
            kind: line_kind(streams, kind) if own is None else record_kind(streams, kind, own)
            for kind, own in kinds.items()
        },
        "facts": [],
        "fields": {},
        "ensure": [],
        "summary": [],
    }
    return {**base, **more}


def path(*steps, root=("scope",)):
    """Return `["path", PATH]`."""
    return ["path", [list(root), *map(list, steps)]]


def fact(name, *steps):
    """Return the path to a fact."""
    return path(*steps, root=("fact", name))


def var(name, *steps):
    """Return the path to a loop variable."""
    return path(*steps, root=("var", name))


def out(*expressions, filters=(), whole=False):
    """Return a node that shows the first of the expressions."""
    return ["out", list(expressions), [list(each) for each in filters], "" if whole else None]


# --- one line after the other ---------------------------------------------------------------------------------------


def git_log():
    """Return `git log --oneline`: commits, the first fifteen shown."""
    hash_hole = ["run", HEX, 4, 64, ["hash", "text", None]]
    streams = {
        "stdout": stream(some(leaf("commit", [hash_hole, opt(lit(" "), rest("subject"))]))),
        "stderr": "empty",
    }
    return rule(
        "bash.git_log",
        streams,
        {"commit": None},
        facts=[
            ["commits", ["count", ["commit"], None]],
            ["subjects", ["cap", "first", 15, ["each", ["commit"], None], False]],
        ],
        summary=[
            ["text", "commits: "],
            out(fact("commits")),
            ["text", "\nsubjects:\n"],
            [
                "for",
                "c",
                fact("subjects"),
                [["text", "- "], out(var("c", ["line"]), filters=[["clip"]]), ["text", "\n"]],
                [],
            ],
            out(fact("subjects"), filters=[["more"]], whole=True),
        ],
    )


# --- counted records ------------------------------------------------------------------------------------------------


def git_diff():
    """Return a patch: files with hunks, whose own counts say what is content."""
    head = leaf("head", [lit("diff --git a/"), fit("from"), lit(" b/"), fit("to")])
    about = leaf("about", [lit("index "), rest()], [lit("rename to "), fit("path")])
    old = leaf("old", [lit("--- a/"), fit("path")], [lit("--- /dev/null")])
    new = leaf("new", [lit("+++ b/"), fit("path"), opt(lit("\t"))], [lit("+++ /dev/null")])
    top = leaf(
        "hunk#1",
        [
            lit("@@ -"),
            number(),
            opt(lit(","), number("gone", 1)),
            lit(" +"),
            number(),
            opt(lit(","), number("come", 1)),
            lit(" @@"),
            RAW,
        ],
        sets=("gone", "come"),
    )
    content = alt(
        leaf("added", [lit("+"), RAW], spends=("come",)),
        leaf("removed", [lit("-"), RAW], spends=("gone",)),
        leaf("context", [lit(" "), RAW], spends=("gone", "come")),
        leaf("unended", [lit("\\ No newline at end of file")]),
    )
    hunk = record("hunk", seq(top, many(content)))
    files = some(record("file", seq(head, many(about), maybe(seq(old, new, some(hunk))))))
    streams = {"stdout": stream(files, (("gone", "hunk"), ("come", "hunk"))), "stderr": "empty"}
    return rule(
        "bash.git_diff",
        streams,
        {
            "file": (),
            "hunk": ("hunk#1",),
            "added": None,
            "removed": None,
            "old": None,
            "new": None,
            "head": None,
        },
        facts=[
            ["files", ["count", ["file"], None]],
            ["hunks", ["count", ["hunk"], None]],
            ["insertions", ["count", ["added"], None]],
            ["deletions", ["count", ["removed"], None]],
            ["listed", ["cap", "first", 20, ["each", ["file"], None], False]],
        ],
        fields={
            "file": [
                ["minus", ["count", ["removed"], None]],
                ["name", ["pick", "last", [[["new"], "path"]], [path(["kind", "old"], ["field", "path"])]]],
                ["plus", ["count", ["added"], None]],
            ]
        },
        exit=[0, 1, None],
        summary=[
            ["text", "files: "],
            out(fact("files")),
            ["text", "\nhunks: "],
            out(fact("hunks")),
            ["text", "\ninsertions: "],
            out(fact("insertions")),
            ["text", "\ndeletions: "],
            out(fact("deletions")),
            ["text", "\n"],
            [
                "for",
                "f",
                fact("listed"),
                [
                    ["text", "- "],
                    out(var("f", ["field", "name"]), filters=[["clip"]]),
                    ["text", " +"],
                    out(var("f", ["field", "plus"])),
                    ["text", " -"],
                    out(var("f", ["field", "minus"])),
                    ["text", "\n"],
                ],
                [],
            ],
            out(fact("listed"), filters=[["more"]], whole=True),
        ],
    )


# --- records in records ---------------------------------------------------------------------------------------------


def libtest():
    """Return what a test harness says: runs with cases, the blocks of those that failed, a list and a result."""
    top = leaf("run#1", [lit("running "), number("n"), lit(" test"), opt(lit("s"))])
    case = leaf("case", [lit("test "), fit("name"), lit(" ... "), enum("FAILED", "ok", name="verdict")])
    blank = leaf("blank", [])
    said = leaf("said", otherwise=True)
    block = record("block", seq(leaf("block#1", [lit("---- "), fit("name"), lit(" stdout ----")]), many(said)))
    names = leaf("listed", [lit("    "), fit("name")])
    failures = record(
        "failures",
        seq(
            leaf("failures#1", [lit("failures:")]),
            blank,
            some(block),
            leaf("failures#2", [lit("failures:")]),
            some(names),
        ),
    )
    result = leaf(
        "result",
        [
            lit("test result: "),
            enum("FAILED", "ok", name="verdict"),
            lit(". "),
            number("passed"),
            lit(" passed; "),
            number("failed"),
            lit(" failed"),
            rest(),
        ],
    )
    run = record("run", seq(top, many(case), maybe(blank), maybe(seq(failures, blank)), result))
    streams = {"stdout": stream(many(alt(blank, run)))}
    in_run = ["path", [["scope"], ["kind", "result"], ["field", "passed"]]]
    return rule(
        "bash.tests",
        streams,
        {
            "run": ("run#1",),
            "case": None,
            "block": ("block#1",),
            "listed": None,
            "result": None,
            "said": None,
        },
        facts=[
            ["blocks", ["cap", "first", 2, ["sorted", ["each", ["block"], None], "name"], False]],
            ["failing", ["distinct", [[["listed"], "name"]]]],
            ["ran", ["sum", ["run"], "n"]],
            ["results", ["each", ["result"], None]],
            ["verdicts", ["group", ["case"], None, "verdict"]],
            ["worst", ["pick", "last", [[["result"], "verdict"]], [["const", "none"]]]],
        ],
        fields={"block": [["printed", ["cap", "first", 2, ["trimmed", ["each", ["said"], None]], False]]]},
        ensure=[
            [
                None,
                "run",
                [
                    "rel",
                    "=",
                    [["path", [["scope"], ["field", "n"]]]],
                    [in_run, ["path", [["scope"], ["kind", "result"], ["field", "failed"]]]],
                ],
            ],
            [
                None,
                "run",
                ["within", ["distinct", [[["block"], "name"]]], ["distinct", [[["listed"], "name"]]]],
            ],
            [["exit", False, [0]], None, ["no", ["result"], ["verdict", "=", ["const", "FAILED"]]]],
        ],
        summary=[
            ["text", "ran: "],
            out(fact("ran")),
            ["text", ", last: "],
            out(fact("worst")),
            ["text", "\n"],
            [
                "for",
                "g",
                fact("verdicts"),
                [
                    ["text", "- "],
                    out(var("g", ["key"])),
                    ["text", " x"],
                    out(var("g", ["count"])),
                    ["text", "\n"],
                ],
                [],
            ],
            [
                "if",
                [
                    [
                        fact("failing"),
                        [["text", "failing: "], out(fact("failing"), filters=[["join", ", "]]), ["text", "\n"]],
                    ]
                ],
                [],
            ],
            [
                "for",
                "b",
                fact("blocks"),
                [
                    out(var("b", ["field", "name"]), whole=True),
                    [
                        "for",
                        "s",
                        var("b", ["field", "printed"]),
                        [["text", "  "], out(var("s", ["line"]), filters=[["clip"]]), ["text", "\n"]],
                        [["text", "  (silent)\n"]],
                    ],
                    out(var("b", ["field", "printed"]), filters=[["more"]], whole=True),
                ],
                [],
            ],
            out(fact("blocks"), filters=[["more"]], whole=True),
        ],
    )
