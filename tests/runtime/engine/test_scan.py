"""The scanner: lines, traces and refusals, held against an interpreter of the tables that knows no shortcut."""

import re

import pytest
from cablese.runtime.engine.patterns import lower_line, lower_reader
from cablese.runtime.engine.scan import scan, split_lines
from cablese.runtime.engine.tables import LABEL_BASE, Place, Scan
from hypothesis import example, given
from hypothesis import strategies as st

from .lowered import lowered_stream
from .programs import RAW, alt, fit, git_diff, leaf, libtest, lit, many, maybe, number, opt, record, seq, some, stream

# --- the definition -------------------------------------------------------------------------------------------------


def claims(tables, position, line):
    """Say whether a position claims a line; give what it captures."""
    patterns = tables["positions"][position]["patterns"]
    if not patterns:
        return {}
    for pattern in patterns:
        ops = tables["patterns"][pattern]
        if re.compile(lower_line(ops)).match(line):
            return lower_reader(ops).read(line)
    return None


def reference(tables, text):
    """Step through the tables line by line. Gives the labels, or where it stops and what was possible there."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        return [] if tables["blank"] else (1, None, kinds(tables, tables["start"]))
    values = [0] * len(tables["counters"])
    owner = [counter["record"] for counter in tables["counters"]]
    path, row, position, trace = [], tables["start"], None, []
    for at, line in enumerate(lines, 1):
        possible = []
        for label in row:
            to, keep = tables["labels"][label]
            closed = path[keep:]
            opened = tables["positions"][to]["path"][keep:]
            spends = tables["positions"][to]["spends"]
            may_close = not any(values[c] for c in range(len(values)) if owner[c] in closed)
            if may_close and all(values[c] > 0 and owner[c] not in opened for c in spends):
                possible.append(label)
        for label in possible:
            to, keep = tables["labels"][label]
            captured = claims(tables, to, line)
            if captured is not None:
                break
        else:
            return at, line, kinds(tables, possible)
        position = tables["positions"][to]
        for counter in position["spends"]:
            values[counter] -= 1
        for counter, record_name in enumerate(owner):
            if record_name in position["path"][keep:]:
                values[counter] = 0
        for counter in position["sets"]:
            values[counter] = captured.get(tables["counters"][counter]["name"], 0)
        path, row = position["path"], tables["rows"][to]
        trace.append(label)
    if to not in tables["final"] or any(values):
        possible = []
        for label in row:
            target, keep = tables["labels"][label]
            closed, opened = path[keep:], tables["positions"][target]["path"][keep:]
            spends = tables["positions"][target]["spends"]
            may_close = not any(values[c] for c in range(len(values)) if owner[c] in closed)
            if may_close and all(values[c] > 0 and owner[c] not in opened for c in spends):
                possible.append(label)
        return len(lines) + 1, None, kinds(tables, possible)
    return trace


def kinds(tables, labels):
    """Return the kinds of labels, each once, in order."""
    return tuple(dict.fromkeys(tables["positions"][tables["labels"][label][0]]["kind"] for label in labels))


def outcome(found):
    """Return a scan or a place in the form of the definition."""
    if isinstance(found, Scan):
        return [ord(char) - LABEL_BASE for char in found.trace]
    return found.line, found.text, found.kinds


# --- random tables --------------------------------------------------------------------------------------------------

PATTERNS = st.sampled_from(
    [
        [],
        [lit("+"), RAW],
        [lit("-"), RAW],
        [lit(" "), RAW],
        [lit("+a")],
        [lit("a"), fit("x")],
        [lit("@"), number("n", None)],
        [lit("@"), opt(number("n", 1)), opt(lit(","), number("m", 2))],
        [fit("x"), lit("!")],
        [number("n")],
    ]
)


@st.composite
def leaves(draw, setting, spending):
    """One line: a few patterns or none, in a record with counters perhaps setting or spending them."""
    patterns = draw(st.lists(PATTERNS, min_size=0, max_size=2))
    sets = draw(st.sampled_from(setting)) if patterns else ()
    spends = draw(st.sampled_from(spending))
    return leaf(
        draw(st.sampled_from("stuvw")),
        *patterns,
        otherwise=not patterns or draw(st.booleans()),
        sets=sets,
        spends=spends,
    )


def expressions(line):
    """Expressions over lines, without records."""
    return st.recursive(
        line,
        lambda inner: st.one_of(
            st.builds(seq, inner, inner),
            st.builds(alt, inner, inner),
            st.builds(many, inner),
            st.builds(some, inner),
            st.builds(maybe, inner),
        ),
        max_leaves=4,
    )


@st.composite
def tables(draw):
    """Draw the tables of a stream: a record `r`, sometimes with counters, perhaps with a record `q` inside it."""
    counters = draw(st.sampled_from([(), (), (("n", "r"),), (("n", "r"), ("m", "r")), (("n", "r"), ("m", "q"))]))
    names = [name for name, owner in counters if owner == "r"]
    inner_names = [name for name, _ in counters]
    free = expressions(leaves([()], [()]))
    nothing = [()]
    top = draw(leaves([tuple(names)], nothing)) if names else draw(leaves(nothing, nothing))
    body = draw(expressions(leaves(nothing, nothing + [(name,) for name in names] + [tuple(names)])))
    inner = record(
        "q",
        seq(
            draw(leaves([()] if len(inner_names) == len(names) else [("m",)], nothing)),
            many(draw(leaves(nothing, nothing + [(name,) for name in inner_names]))),
        ),
    )
    content = draw(st.sampled_from([many(body), seq(many(body), maybe(inner)), many(alt(body, inner))]))
    around = draw(st.sampled_from([some, many]))(alt(draw(free), record("r", seq(top, content))))
    return stream(around, counters)


LINES = st.sampled_from(
    [
        "",
        "+",
        "+a",
        "-x",
        " ",
        " y",
        "a!",
        "ab",
        "@1",
        "@2",
        "@3,1",
        "@1,2",
        "@",
        "@,3",
        "7",
        "z",
        "+a!",
        "\\ No newline",
    ]
)
TEXTS = st.one_of(
    st.lists(LINES, max_size=12).map("\n".join),
    st.lists(st.sampled_from(["+", "-", " ", "@2,1", "@3"]), max_size=12).map("\n".join),
)
HUNK = alt(
    leaf("added", [lit("+"), RAW], spends=("n",)),
    leaf("removed", [lit("-"), RAW], spends=("m",)),
    leaf("context", [lit(" "), RAW], spends=("n", "m")),
    leaf("unended", [lit("\\ No newline")]),
)
HUNKS = stream(
    some(
        record(
            "r",
            seq(
                leaf("top", [lit("@"), opt(number("n", 1)), opt(lit(","), number("m", 2))], sets=("n", "m")), many(HUNK)
            ),
        )
    ),
    (("n", "r"), ("m", "r")),
)


@given(tables(), TEXTS)
@example(HUNKS, "@2,1\n+\n \n@1,1\n \n")
@example(HUNKS, "@2,1\n+\n \n+\n")
@example(HUNKS, "@1,2\n-\n-\n+\n@,2\n")
@example(HUNKS, "@1,2\n+\n+\n-\n")
def test_the_scanner_does_what_the_tables_say(tables, text):
    """Same labels, or the same line and the same kinds possible there, for any tables and any text."""
    assert outcome(scan(lowered_stream(tables), text)) == reference(tables, text)


@given(
    st.lists(
        st.sampled_from(["@1,1", "@2,1", "@3,3", "+x", "+x", "-y", "-y", " z", " z", "\\ No newline"]), max_size=30
    )
)
def test_counted_content_is_what_the_counts_say(lines):
    """Runs of content taken at once end where a line by line count ends, with the same refusals."""
    text = "\n".join(lines)
    assert outcome(scan(lowered_stream(HUNKS), text)) == reference(HUNKS, text)


# --- lines ----------------------------------------------------------------------------------------------------------


@given(st.text("a\n\r\x0b\x0c\x85\u2028", max_size=20))
def test_lines_end_at_lf_and_only_there(text):
    """No other line end splits; a missing last LF changes nothing; no line is lost."""
    lines = split_lines(text)
    assert "".join(f"{line}\n" for line in lines) in {text, f"{text}\n"}
    assert split_lines(text if text.endswith("\n") or not text else f"{text}\n") == lines


ANY = {"stdout": stream(many(leaf("line", otherwise=True)))}["stdout"]


@pytest.mark.parametrize(
    ("text", "line", "name"), [("a\nb\0\n", 2, "NUL"), ("\x1b[1ma\n", 1, "ESC"), ("a\n\x1b\0", 2, "ESC")]
)
def test_nul_and_esc_refuse_a_stream(text, line, name):
    """Even a catch-all claims no line with NUL or ESC; the place is reported."""
    found = scan(lowered_stream(ANY), text)
    assert isinstance(found, Place)
    assert (found.line, found.control) == (line, name)


def test_uncoloured_removes_sgr_and_nothing_else():
    """Colour goes away where the rule says so; any other escape still refuses."""
    program = lowered_stream({**ANY, "uncoloured": True})
    found = scan(program, "\x1b[1;31merror\x1b[0m: x\n")
    assert isinstance(found, Scan)
    assert found.lines == ["error: x"]
    assert isinstance(scan(program, "\x1b[2Kx\n"), Place)


def test_an_empty_stream_needs_blank():
    """No line at all is accepted only where the expression may be empty."""
    assert scan(lowered_stream(ANY), "") == Scan("", [])
    place = scan(lowered_stream(stream(some(leaf("line", otherwise=True)))), "")
    assert place == Place(1, None, ("line",))


@pytest.mark.parametrize("build", [git_diff, libtest])
@given(data=st.data())
def test_nothing_is_accepted_that_the_tables_refuse_in_written_rules(build, data):
    """The tables of whole rules, over lines that belong to them in any order."""
    tables = build()["streams"]["stdout"]
    known = {
        git_diff: [
            "diff --git a/x b/x", "index 1..2", "rename to y", "--- a/x", "+++ b/x", "--- /dev/null", "@@ -1 +1 @@",
            "@@ -1,2 +1,3 @@ fn", "+a", "-a", " a", "--- a/x", "\\ No newline at end of file",
        ],
        libtest: [
            "", "running 1 test", "test a ... ok", "test a ... FAILED", "failures:", "---- a stdout ----", "said",
            "    a", "test result: ok. 1 passed; 0 failed; x",
        ],
    }[build]  # fmt: skip
    text = "\n".join(data.draw(st.lists(st.sampled_from(known), max_size=14)))
    assert outcome(scan(lowered_stream(tables), text)) == reference(tables, text)
