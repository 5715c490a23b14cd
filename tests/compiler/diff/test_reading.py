"""What is proved to read the same, does: line by line, for outputs made up of all that the rules know."""

from __future__ import annotations

from functools import cache

from cablese.compiler.diff.reading import reads_the_same
from cablese.compiler.trials import Trial
from hypothesis import given, settings
from hypothesis import strategies as st

from ..rules import compiled, sketch

GRAMMARS = (
    "job* done",
    "job+ done",
    "(job | said)* done",
    "(job | nap)* done",
    "(job | nap | said)* done",
    "job* done?",
    "job* done+",
    "(job job*)? done",
    "(pair)* done",
    "(pair | job)* done",
    "said",
    "(job | done)*",
)
KINDS = {
    "job": '"[{n:int}] Running {name}"',
    "nap": '"[{n:int}] Stopped {name}"',
    "said": "otherwise",
    "done": '"{n:int} jobs"',
    "pair": "open close",
    "open": '"open {:int}"',
    "close": '"close {:int}"',
}
OUTPUT = st.lists(
    st.sampled_from(["[1] Running a", "[2] Stopped b", "2 jobs", "open 1", "close 1", "anything else"]), max_size=5
).map(lambda lines: "".join(f"{line}\n" for line in lines))


@cache
def rule(grammar: str):
    """Compile a rule of that grammar; its fact asks for nothing that another may lack."""
    used = [name for name in KINDS if name in grammar or (name in ("open", "close") and "pair" in grammar)]
    lines = "\n    ".join(f"{name} = {KINDS[name]}" for name in used)
    facts = f"running = count {used[0]}"
    return compiled(sketch(stdout=grammar, lines=lines, facts=facts))


def read(grammar: str, output: str):
    """Return the kinds of the lines as a rule reads them; None where it does not."""
    bench, _ = rule(grammar)
    verdict = bench.decide(Trial("bash", "jobs", output))
    if verdict.body is None:
        return None
    return [reading.program.kind_of(label) for reading in verdict.readings for label in reading.trace]


def proved(old: str, new: str) -> bool:
    """Ask about two grammars."""
    one, other = (rule(grammar)[1].section["streams"]["stdout"] for grammar in (old, new))
    return reads_the_same(one, other)


@given(st.sampled_from(GRAMMARS), st.sampled_from(GRAMMARS), OUTPUT)
@settings(max_examples=200, deadline=None)
def test_what_is_proved_holds(old, new, output):
    """An output that the older reads, the newer reads with the same kinds."""
    before = read(old, output)
    if before is not None and proved(old, new):
        assert read(new, output) == before


def test_what_is_plainly_so_is_proved():
    """Each reads as itself; fewer lines, another kind beside plain ones, an optional end are wider."""
    assert all(proved(grammar, grammar) for grammar in GRAMMARS)
    for old, new in (
        ("job+ done", "job* done"),
        ("job* done", "(job job*)? done"),
        ("job* done", "(job | nap)* done"),
        ("job* done", "job* done?"),
        ("job* done", "(job | said)* done"),
    ):
        assert proved(old, new), (old, new)


def test_what_is_not_so_is_not_proved():
    """A kind that takes lines from a catch-all, and outputs that are refused now, are no proof."""
    for old, new in (
        ("job* done", "job+ done"),
        ("(job | said)* done", "(job | nap | said)* done"),
        ("job* done?", "job* done"),
        ("(job | nap)* done", "job* done"),
    ):
        assert not proved(old, new), (old, new)
