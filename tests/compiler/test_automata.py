"""The automata accept what the grammar says, and what is read off the grammar holds of every output."""

from __future__ import annotations

import random
import re

from cablese.compiler import compile_sources
from cablese.compiler.grammar import Target
from cablese.compiler.stages import Unit, run_stages
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from .rules import compiled, run, sketch

KINDS = "abcd"

EXPRESSIONS = st.recursive(
    st.sampled_from(KINDS),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("*+?")).map(lambda pair: f"({pair[0]}){pair[1]}"),
        st.lists(inner, min_size=2, max_size=3).map(" ".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' | '.join(parts)})"),
    ),
    max_leaves=7,
)


def letters_rule(expression: str) -> str:
    """Return a rule over lines of one letter, which says how often each occurred."""
    used = [kind for kind in KINDS if kind in expression]
    return sketch(
        stdout=expression,
        lines="\n    ".join(f'{kind} = "{kind}"' for kind in used),
        facts="\n    ".join(f"n{kind} = count {kind}" for kind in used),
        summary="\n  ".join(f"{kind}: {{{{ n{kind} }}}}" for kind in used),
    )


def words_of(expression: str) -> str:
    """Return the regular expression of Python that means the same over letters."""
    return re.sub(r"\s", "", expression)


@given(EXPRESSIONS, st.lists(st.text(KINDS, min_size=1, max_size=6), min_size=4, max_size=8))
@settings(max_examples=150, deadline=None)
def test_streams_mean_their_regular_expression(expression, texts):
    """An accepted stream matches the expression and is counted right; a refused one does not match."""
    text = letters_rule(expression)
    assume(compile_sources({"a": text}, name="t", version="1", draft=True).pack is not None)
    bench, _ = compiled(text)
    for letters in texts:
        verdict = bench.decide(trial(letters))
        assert (verdict.body is not None) == bool(re.fullmatch(words_of(expression), letters))
        if verdict.body is not None:
            for line in verdict.body.split("\n"):
                kind, _, count = line.partition(": ")
                assert int(count) == letters.count(kind)


def trial(letters: str):
    """Return an output with one letter a line."""
    from cablese.compiler.trials import Trial

    return Trial("bash", "jobs", "".join(f"{letter}\n" for letter in letters))


def sample(expression: str, rng: random.Random) -> str:
    """Return a word of an expression."""
    from re import _parser as parser  # the module behind `re`: its tree is the shortest way to a sampler

    def walk(nodes) -> str:
        return "".join(one(operation, argument) for operation, argument in nodes)

    def one(operation, argument) -> str:
        name = str(operation)
        if name == "LITERAL":
            return chr(argument)
        if name == "IN":
            return one(*rng.choice(argument))
        if name == "BRANCH":
            return walk(rng.choice(argument[1]))
        if name == "SUBPATTERN":
            return walk(argument[-1])
        low, high, inner = argument
        return "".join(walk(inner) for _ in range(rng.randint(low, min(high, low + 2))))

    return walk(parser.parse(words_of(expression)))


def grammar_of(text: str):
    """Return the resolved grammar of a rule, whatever else is wrong with it."""
    from cablese.compiler.lines import resolve_blocks
    from cablese.compiler.scope import resolve_scopes
    from cablese.compiler.sources import load_files
    from cablese.dsl.diagnostics import Report

    report = Report()
    files = load_files({"a": text}, None, report)
    scopes = resolve_scopes(files, report)
    tree = files.trees["a"]
    unit = Unit(tree.rules[0], tree.source, scopes["a"], resolve_blocks(files, scopes, report))
    run_stages(unit, report)
    return unit.resolved


@given(EXPRESSIONS, st.sets(st.sampled_from(KINDS), min_size=1), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_multiplicities_hold_of_every_word(expression, kinds, rng):
    """`low` to `high` of a set of kinds bounds how often they occur in any word of the grammar."""
    grammar = grammar_of(letters_rule(expression))
    known = frozenset(Target((kind,)) for kind in kinds if kind in grammar.definitions)
    often = grammar.occurs(None, known)
    for _ in range(10):
        word = sample(expression, rng)
        count = sum(word.count(target.kinds[0]) for target in known)
        assert often.low <= count
        assert count <= often.high or often.high == 2


def test_records_close_and_open_by_the_grammar():
    """A loop back through a record closes it and opens the next; what is counted within one stays within."""
    rule = sketch(
        stdout="run+ done",
        lines='run = "run {name}" job* note?\n    job = "job {}"\n    note = "note {}"\n    done = "done"',
        facts="run.jobs = count job\n    runs = each run",
        summary="{% for r in runs %}\n  {{ r.name }} {{ r.jobs }} {{ r.note.line or 'no note' }}\n  {% endfor %}",
    )
    output = "run one\njob a\njob b\nrun two\nrun three\njob c\nnote x\ndone\n"
    assert run(rule, output).body == "one 2 no note\ntwo 0 no note\nthree 1 note x"


def test_counters_decide_what_is_content():
    """While the counter of a record is above zero its lines are content whatever they look like."""
    rule = sketch(
        stdout="part+",
        lines='part = "part {n:int}" item*\n    item = "{}" spends n',
        facts="parts = count part\n    items = count item",
        summary="{{ parts }} parts, {{ items }} items",
    )
    assert run(rule, "part 2\npart 7\nx\npart 0\npart 1\ny\n").body == "3 parts, 3 items"
    assert run(rule, "part 2\nx\n").reason == "invalid_output"
    assert run(rule, "part 1\nx\ny\n").reason == "invalid_output"


def test_otherwise_kinds_are_asked_in_the_order_of_their_definitions():
    """Plain kinds first, then `otherwise` ones as written, those of taken-in blocks before the rule's own."""
    rule = sketch(
        before='lines shared {\n  loud = otherwise "a{}"\n}\n\n',
        uses=" with shared",
        stdout="(own | loud | exact)+",
        lines='exact = "ab"\n    own = otherwise "{}"',
        facts="e = count exact\n    l = count loud\n    o = count own",
        summary="{{ e }} {{ l }} {{ o }}",
    )
    assert run(rule, "ab\nax\nbx\n").body == "1 1 1"


def test_a_merged_stream_stands_for_both():
    """A path must be safe however the streams come: what only one of the variants has may be missing."""
    streams = "stderr   job*\n  merged   job*"
    rule = sketch(stdout="done", stderr=streams, facts="running = count job", summary="{{ running }} {{ done.n }}")
    assert "E0602" in [
        each.code for each in compile_sources({"a": rule}, name="t", version="1", draft=True).diagnostics
    ]
    both = rule.replace("merged   job*", "merged   (job | done)*").replace("{{ done.n }}", "{{ done.n or 'no' }}")
    assert "E0604" in [
        each.code for each in compile_sources({"a": both}, name="t", version="1", draft=True).diagnostics
    ]
    good = rule.replace("merged   job*", "merged   job* done")
    assert run(good, "2 jobs\n", stderr="[1] Running a\n").body == "1 2"
    assert run(good, "[1] Running a\n[2] Running b\n2 jobs\n", command="jobs 2>&1").body == "2 2"
