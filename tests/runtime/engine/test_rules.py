"""Whole rules: what is said about an output, and why nothing is said."""

import pytest
from cablese.runtime.engine import Body, Refusal, Streams, evaluate, explain
from hypothesis import given
from hypothesis import strategies as st

from .lowered import lowered_rule
from .programs import fact, fit, git_diff, git_log, leaf, libtest, lit, many, number, out, path, rule, some, stream, var

LOG = lowered_rule(git_log())
DIFF = lowered_rule(git_diff())
TESTS = lowered_rule(libtest())


def body(program, stdout, exit_code=0, stderr=""):
    """Return the text that a rule gives."""
    found = evaluate(program, Streams(stdout, stderr), exit_code)
    assert isinstance(found, Body), found
    return found.text


def refusal(program, stdout, exit_code=0, stderr="", *, merged=False):
    """Return why a rule gives none."""
    found = evaluate(program, Streams(stdout, stderr, merged), exit_code)
    assert isinstance(found, Refusal), found
    return found


# --- git log --------------------------------------------------------------------------------------------------------


@given(st.integers(1, 40), st.booleans())
def test_a_log_counts_its_commits_and_says_what_it_left_out(count, last_end):
    """The number is the number of lines; fifteen are shown, and the rest is named."""
    lines = [f"{at:07x} commit {at}" for at in range(count)]
    text = body(LOG, "\n".join(lines) + "\n" * last_end)
    expected = [f"commits: {count}", "subjects:", *(f"- {line}" for line in lines[:15])]
    assert text.split("\n") == expected + ([f"- (+{count - 15} more)"] if count > 15 else [])


@given(st.integers(0, 400))
def test_clip_keeps_two_hundred_characters(length):
    """Up to 200 code points stay; of more, 199 and an ellipsis."""
    line = "abcd " + "é" * length
    shown = body(LOG, line).split("\n")[-1].removeprefix("- ")
    assert shown == (line if len(line) <= 200 else line[:199] + "…")
    assert len(shown) <= 200


@pytest.mark.parametrize(
    ("arguments", "reason", "place"),
    [
        (("abcd x\n* x\n",), "invalid_output", ("stdout", 2, "* x", ("commit",))),
        (("abcd x\r\n",), "invalid_output", ("stdout", 1, "abcd x\r", ("commit",))),
        (("",), "invalid_output", ("stdout", 1, None, ("commit",))),
        (("abcd x\n", 0, "warning: x\n"), "stderr_present", ("stderr", 1, "warning: x", ())),
        (("* x\n", 0, "\n"), "stderr_present", ("stderr", 1, "", ())),
    ],
)
def test_a_refusal_names_the_place(arguments, reason, place):
    """Reason, stream, line number, line, and the kinds that were possible there; stderr is asked first."""
    found = refusal(LOG, *arguments)
    assert found.reason == reason
    assert found.cause[:4] == place
    assert found.detail


def test_an_exit_code_that_is_not_listed_refuses():
    """The list admits what it names; `unknown` is a name too."""
    text = "diff --git a/q b/q\n"
    assert refusal(DIFF, text, 129).reason == "invalid_output"
    for code in (0, 1, None):
        assert body(DIFF, text, code)


# --- joined streams -------------------------------------------------------------------------------------------------


def test_joined_streams_are_read_as_stdout_where_stderr_must_be_empty():
    """`2>&1` needs no grammar of its own there; `1>&2` still leaves bytes in stderr."""
    assert isinstance(evaluate(LOG, Streams("abcd x\n", "", merged=True), 0), Body)
    assert refusal(LOG, "warning: y\nabcd x\n", merged=True).reason == "invalid_output"
    assert refusal(LOG, "", 0, "abcd x\n", merged=True).reason == "stderr_present"
    assert refusal(LOG, "abcd x\n", 0, "abcd x\n", merged=True).reason == "stderr_present"


def test_joined_streams_are_read_as_stderr_where_stdout_must_be_empty():
    """The mirror of the above: a rule that reads stderr alone needs nothing for `2>&1`."""
    e = leaf("e", [lit("e"), number("n")])
    streams = {"stdout": "empty", "stderr": stream(many(e))}
    said = lowered_rule(
        rule("errors", streams, {"e": None}, facts=[["all", ["count", ["e"], None]]], summary=[out(fact("all"))])
    )
    assert body(said, "", 0, "e1\ne2\n") == "2"
    found = evaluate(said, Streams("e1\ne2\n", "", merged=True), 0)
    assert isinstance(found, Body)
    assert found.text == "2"
    assert refusal(said, "e1\nx\n", merged=True).reason == "invalid_output"


def two_streams(**more):
    """Return a rule that reads `o` lines in stdout, `e` lines in stderr, and with `merged` both in one."""
    o, e = leaf("o", [lit("o"), number("n")]), leaf("e", [lit("e"), number("n")])
    streams = {"stdout": stream(many(o)), "stderr": stream(many(e)), **more}
    facts = [
        ["all", ["each", ["e", "o"], None]],
        ["sums", ["sum", ["o"], "n"]],
        ["order", ["cap", "first", 9, ["each", ["e", "o"], None], True]],
        ["last", ["pick", "last", [[["o"], "n"], [["e"], None]], []]],
        ["grouped", ["group", ["e", "o"], None, "n"]],
    ]
    loops = [
        ["for", "x", fact(name), [out(var("x", ["line"])), ["text", " "]], [["text", "none "]]]
        for name in ("all", "order")
    ]
    groups = ["for", "g", fact("grouped"), [out(var("g", ["key"])), ["text", "x"], out(var("g", ["count"]))], []]
    summary = [*loops, out(fact("sums")), ["text", " "], out(fact("last")), ["text", " "], groups]
    return lowered_rule(rule("two", streams, {"o": None, "e": None}, facts=facts, summary=summary))


def test_the_order_of_two_streams_is_all_of_stdout_then_all_of_stderr():
    """Lists go kind after kind, groups and `in order` by the output, last is the last of stderr."""
    assert body(two_streams(), "o1\no2\n", 0, "e2\n") == "e2 o1 o2 o1 o2 e2 3 e2 1x12x2"


def test_a_joined_stream_needs_a_grammar_of_its_own_where_both_are_read():
    """Without `merged` the rule does not apply; with it, the other stream must be empty."""
    assert refusal(two_streams(), "o1\ne1\n", merged=True).reason == "invalid_output"
    o, e = leaf("o", [lit("o"), number("n")]), leaf("e", [lit("e"), number("n")])
    both = two_streams(merged=stream(many(alt_of(o, e))))
    for streams in (Streams("e1\no1\n", "", merged=True), Streams("", "e1\no1\n", merged=True)):
        found = evaluate(both, streams, 0)
        assert isinstance(found, Body)
        assert found.text.startswith("e1 o1 e1 o1 ")
    assert refusal(both, "o1\n", 0, "e1\n", merged=True).reason == "invalid_output"


def alt_of(*parts):
    """Return a choice."""
    from .programs import alt

    return alt(*parts)


def test_nothing_claimed_anywhere_is_no_answer():
    """Two streams that may both be empty, and are, give no summary."""
    assert refusal(two_streams(), "").reason == "invalid_output"


# --- git diff -------------------------------------------------------------------------------------------------------

HUNK_LINES = st.lists(st.sampled_from(["+", "-", " "]), min_size=1, max_size=12).filter(lambda marks: marks[0] != "\\")
CONTENT = st.sampled_from(["", "x", "-- note", "++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\r", "\x07"])


@st.composite
def patches(draw):
    """Draw a patch made by hand, and what it holds: name, added, removed, hunks per file."""
    text, files = [], []
    for number_ in range(draw(st.integers(1, 25))):
        name = f"d/{number_}.txt"
        text += [f"diff --git a/{name} b/{name}", f"--- a/{name}", f"+++ b/{name}"]
        plus = minus = hunks = 0
        for _ in range(draw(st.integers(1, 2))):
            marks = draw(HUNK_LINES)
            gone, come = sum(m != "+" for m in marks), sum(m != "-" for m in marks)
            text.append(f"@@ -1,{gone} +1,{come} @@ f()")
            text += [mark + draw(CONTENT) for mark in marks]
            plus, minus, hunks = plus + marks.count("+"), minus + marks.count("-"), hunks + 1
        files.append((name, plus, minus, hunks))
    return "\n".join(text) + "\n", files


@given(patches())
def test_a_patch_is_counted_by_its_own_counts(case):
    """Content may look like any header; files, hunks, insertions and deletions are what the patch was made of."""
    text, files = case
    lines = body(DIFF, text).split("\n")
    assert lines[:4] == [
        f"files: {len(files)}",
        f"hunks: {sum(file[3] for file in files)}",
        f"insertions: {sum(file[1] for file in files)}",
        f"deletions: {sum(file[2] for file in files)}",
    ]
    assert lines[4:24] == [f"- {name} +{plus} -{minus}" for name, plus, minus, _ in files[:20]]
    assert lines[24:] == ([f"- (+{len(files) - 20} more)"] if len(files) > 20 else [])


@given(patches(), st.data())
def test_a_patch_cut_within_a_hunk_is_refused(case, data):
    """Whatever is left of a hunk that was cut, the rule does not apply."""
    lines = case[0].split("\n")[:-1]
    last = max(at for at, line in enumerate(lines) if line.endswith("@@ f()"))
    cut = data.draw(st.integers(last, len(lines) - 2))
    found = refusal(DIFF, "\n".join(lines[: cut + 1]) + "\n")
    assert (found.reason, found.cause.line, found.cause.found) == ("invalid_output", cut + 2, None)


# --- records in records ---------------------------------------------------------------------------------------------


def run(cases, printed=("", "said", ""), **wrong):
    """Return the output of a run: (name, failed) for each case, and what each failing one printed."""
    failing = [name for name, failed in cases if failed]
    lines = [f"running {wrong.get('n', len(cases))} tests"]
    lines += [f"test {name} ... {'FAILED' if failed else 'ok'}" for name, failed in cases]
    lines.append("")
    if failing:
        lines += ["failures:", ""]
        for name in failing:
            lines += [f"---- {name} stdout ----", *printed]
        lines += ["failures:", *(f"    {name}" for name in wrong.get("listed", failing)), ""]
    passed = len(cases) - len(failing)
    lines.append(f"test result: {'FAILED' if failing else 'ok'}. {passed} passed; {len(failing)} failed; 0 ignored")
    return "\n".join(["", *lines, "", ""])


def test_runs_are_told_with_their_blocks():
    """Groups by first sight, distinct names, blocks sorted by name and capped, blank ends trimmed, lists capped."""
    text = run([("c", True), ("a", False), ("b", True), ("d", True)], printed=["", " ", "one", "", "two", "\t"])
    assert body(TESTS, text, 101).split("\n") == [
        "ran: 4, last: FAILED",
        "- FAILED x3",
        "- ok x1",
        "failing: c, b, d",
        "b",
        "  one",
        "  ",
        "- (+1 more)",
        "c",
        "  one",
        "  ",
        "- (+1 more)",
        "- (+1 more)",
    ]


def test_a_record_without_inner_lines_takes_the_other_branch():
    """`for … else`: nothing printed that is not blank."""
    assert "  (silent)" in body(TESTS, run([("a", True)], printed=["", ""]), 101).split("\n")


@pytest.mark.parametrize(
    ("text", "exit_code", "claim", "line", "sides"),
    [
        (run([("a", False)]) + run([("b", False)], n=2), 0, 0, 8, (2, 1)),
        (run([("a", True)], listed=["b"]), 101, 1, 2, (["a"], ["b"])),
        (run([("a", True)]), 0, 2, None, (None, None)),
    ],
)
def test_a_claim_that_fails_is_named(text, exit_code, claim, line, sides):
    """Which claim, about which occurrence, and what it compared."""
    found = refusal(TESTS, text, exit_code)
    assert found.reason == "unreconciled"
    assert (found.cause.claim, found.cause.line, (found.cause.left, found.cause.right)) == (claim, line, sides)


def test_success_is_what_exit_0_claims_say_when_no_code_is_known():
    """Without an exit code, an output that exit 0 would contradict is no success."""
    failing = evaluate(TESTS, Streams(run([("a", True)]), ""), None)
    passing = evaluate(TESTS, Streams(run([("a", False)]), ""), None)
    assert (failing.success, passing.success) == (False, True)


def test_explain_names_every_line():
    """Each line of an accepted output, with its stream, number and kind."""
    found = evaluate(TESTS, Streams(run([("a", False)]), ""), 0)
    assert explain(found)[:4] == [
        ("stdout", 1, "blank", ""),
        ("stdout", 2, "run#1", "running 1 tests"),
        ("stdout", 3, "case", "test a ... ok"),
        ("stdout", 4, "blank", ""),
    ]


@given(st.text(), st.text(), st.booleans(), st.sampled_from([None, 0, 1, 101]))
def test_no_text_makes_a_rule_raise(stdout, stderr, merged, exit_code):
    """Any text, in any stream, with any code: a body or a refusal."""
    for program in (LOG, DIFF, TESTS):
        assert isinstance(evaluate(program, Streams(stdout, stderr, merged), exit_code), Body | Refusal)


# --- values ---------------------------------------------------------------------------------------------------------

ITEMS = stream(some(leaf("item", [fit("name", "word"), lit(" "), number("n")], [fit("name", "word")])))


def shown(facts, summary, stdout, exit_code=0):
    """Return what a rule over `NAME [NUMBER]` lines says."""
    program = lowered_rule(
        rule("items", {"stdout": ITEMS, "stderr": "empty"}, {"item": None}, facts=facts, summary=summary)
    )
    return body(program, stdout, exit_code)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (["n", ">", ["const", 1]], "b 2, d 10"),
        (["n", "<", ["const", 2]], "a 1"),
        (["n", "=", ["const", 2]], "b 2"),
        (["n", "!=", ["const", 2]], "a 1, d 10"),
        (["name", ">", ["const", "a"]], "b 2, c, d 10"),
        (["name", "=", ["field", "name"]], "a 1, b 2, c, d 10"),
        (["name", "=", ["const", 1]], ""),
    ],
)
def test_where_compares_what_is_there(where, expected):
    """A missing field, or one of another type, fails every comparison."""
    facts = [["some", ["each", ["item"], where]], ["count", ["count", ["item"], where]]]
    text = shown(
        facts, [out(fact("some"), filters=[["join", ", "]]), ["text", "|"], out(fact("count"))], "a 1\nb 2\nc\nd 10"
    )
    assert text == f"{expected}|{len(expected.split(', ')) if expected else 0}"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["cap", "last", 2, ["each", ["item"], None], False], "c, a 3|- (+2 earlier)"),
        (["cap", "first", 4, ["each", ["item"], None], False], "b 2, a 1, c, a 3|"),
        (["sorted", ["each", ["item"], None], "name"], "a 1, a 3, b 2, c|"),
        (["sorted", ["each", ["item"], None], "n"], "c, a 1, b 2, a 3|"),
        (["cap", "first", 2, ["sorted", ["each", ["item"], None], "name"], True], "a 1, a 3|- (+2 earlier)"),
        (["distinct", [[["item"], "name"]]], "b, a, c|"),
        (["distinct", [[["item"], None]]], "b 2, a 1, c, a 3|"),
        (["distinct", [[["item"], "n"], [["item"], "name"]]], "2, 1, 3, b, a, c|"),
        (["group", ["item"], None, "name"], "b, a, c|"),
        (["pick", "first", [[["item"], "n"]], []], "2|"),
        (["pick", "last", [[["item"], "n"], [["item"], "name"]], []], "3|"),
        (["alt", [path(["kind", "item"], ["field", "none"]), ["const", "x"]]], "x|"),
    ],
)
def test_lists_and_choices(value, expected):
    """Caps say what they left out; sorting is stable, what is missing first; of two captures the first named."""
    facts = [["v", value]]
    text = shown(facts, [out(fact("v")), ["text", "|"], out(fact("v"), filters=[["earlier"]])], "b 2\na 1\nc\na 3")
    assert text == expected


def test_truth_null_and_empty_lines():
    """0, empty and missing are false; null prints as `null`; a line of its own disappears when its value is empty."""
    nothing = path(["kind", "item"], ["field", "none"])
    summary = [
        out(nothing, ["const", ""], whole=True),
        out(["path", [["exit"]]], whole=True),
        out(["const", 0], whole=True),
        ["if", [[["path", [["exit"]]], [["text", "no"]]], [["not", ["const", 0]], [["text", "yes "]]]], []],
        ["if", [[["and", [["const", 1], ["or", [nothing, ["const", ""]]]]], [["text", "no"]]]], [["text", "else"]]],
        out(["const", 0], ["const", ""], filters=[["length"]]),
    ]
    assert shown([], summary, "a", None) == "null\n0\nyes else0"
