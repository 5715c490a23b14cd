"""Packs: whatever the bytes are, the outcome is a named error or a pack that works."""

import copy
import json
import subprocess
import sys

import pytest
from cablese.runtime.engine import Body, Refusal, Streams, accepts, evaluate
from cablese.runtime.packs import pack as packs
from cablese.runtime.packs.pack import (
    NotAPackError,
    PackAltered,
    PackError,
    PackNewer,
    PackOutOfBounds,
    PackTooLarge,
    PackTruncated,
    load_pack,
    open_pack,
)
from hypothesis import given
from hypothesis import strategies as st

from .packs import assemble, canonical, header_of, make_pack, source_map
from .programs import git_diff, git_log, libtest

RULES = [git_log(), git_diff(), libtest()]
ADMITS = [
    {
        "pattern": "dq_*",
        "codec": "columnar",
        "level": "normal",
        "tee": True,
        "settings": {"min_rows": 20},
        "path": "a.cable",
        "line": 3,
    }
]
PACK = make_pack(RULES, ADMITS)
OUTPUTS = [
    "4c1d2aa first\n9f00b31 \n",
    "diff --git a/q b/q\n--- a/q\n+++ b/q\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
    (
        "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nsaid\n"
        "failures:\n    b\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n"
    ),
]


def use_all(data):
    """Do all that a runtime does with a pack: read every part, try commands, run every rule on outputs."""
    pack = load_pack(data)
    pack.verify()
    for number in (*pack.find(("tool", "x")), *range(len(pack.rules))):
        rule = pack.rule(number)
        for command in rule.commands:
            accepts(command, ("tool", "-n", "1", "--", "x"))
        for output in ("", "\n", *OUTPUTS):
            assert isinstance(evaluate(rule, Streams(output, ""), 0), Body | Refusal)
            assert isinstance(evaluate(rule, Streams(output, "", merged=True), None), Body | Refusal)


def test_a_pack_gives_what_was_put_in():
    """Header, rules, admission entries and source maps come back; every rule accepts an output of its tool."""
    pack = load_pack(PACK)
    assert (pack.name, pack.version, pack.language, pack.admits) == ("tests", "1.0.0", 1, 1)
    assert pack.rules == ("bash.git_log", "bash.git_diff", "bash.tests")
    assert pack.admit(0) == ADMITS[0]
    assert pack.source_map(1) == source_map(RULES[1])
    for number, output in enumerate(OUTPUTS):
        assert isinstance(evaluate(pack.rule(number), Streams(output, ""), 1), Body)


def test_find_reads_no_rule():
    """Candidates come from the index: first word and last head word, wherever it stands; no section is read."""
    rules = [copy.deepcopy(RULES[0]) for _ in range(3)]
    for rule, name, head in zip(rules, "abc", (["git", "log"], ["git", "diff"], ["pytest"]), strict=True):
        rule["id"] = name
        rule["commands"][0]["head"] = head
    pack = load_pack(make_pack(rules))
    pack._read = None
    assert pack.find(("git", "--no-pager", "log")) == (0,)
    assert pack.find(("git", "log", "diff")) == (0, 1)
    assert pack.find(("pytest",)) == (2,)
    assert pack.find(("log",)) == pack.find(()) == pack.find(("git",)) == ()


def test_a_file_is_read_in_parts(tmp_path):
    """From a path the same pack comes, and a rule is read without the others: damage elsewhere does not show."""
    path = tmp_path / "x.cablepack"
    path.write_bytes(PACK[:-400] + b"#" * 400)
    pack = open_pack(path)
    assert pack.digest == load_pack(PACK).digest
    assert pack.rule(0).id == "bash.git_log"
    with pytest.raises(PackAltered):
        pack.verify()


def test_a_long_header_is_read_from_a_file(tmp_path):
    """A header longer than one read is found whole."""
    sections = [canonical(part) for part in (*RULES, *map(source_map, RULES))]
    header = header_of(RULES, sections, requires=[f"codec:{number:040}" for number in range(8_000)])
    path = tmp_path / "x.cablepack"
    path.write_bytes(assemble(header, sections))
    open_pack(path).verify()
    path.write_bytes(assemble(header, sections)[:200_000])
    with pytest.raises(PackTruncated):
        open_pack(path)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", PackTruncated),
        (b"cable", PackTruncated),
        (b"#!/bin/sh\n", NotAPackError),
        (PACK[:40], PackTruncated),
        (PACK[:300], PackTruncated),
        (PACK[:-1], PackTruncated),
        (PACK + b"\n", PackAltered),
        (b"cablepack 2 anything may follow\n", PackNewer),
        (assemble({"language": 2, "whatever": []}, []), PackNewer),
        (assemble({"language": 1}, []), PackOutOfBounds),
        (b"cablepack 1 " + b"0" * 64 + PACK[76:], PackAltered),
        (PACK.ljust(packs.LARGEST_PACK + 1), PackTooLarge),
    ],
)
def test_each_kind_of_damage_has_its_name(data, error):
    """What is wrong with the file as a whole is told by the type of the error."""
    with pytest.raises(error):
        load_pack(data)


@given(st.integers(0, len(PACK) - 1), st.integers(1, 255))
def test_any_flipped_byte_is_found(position, mask):
    """No byte of a pack can change without an error when the pack is verified."""
    data = bytearray(PACK)
    data[position] ^= mask
    with pytest.raises(PackError):
        load_pack(bytes(data)).verify()


@given(st.integers(0, len(PACK) - 1))
def test_any_truncation_is_found(length):
    """No shorter file is a pack."""
    with pytest.raises(PackError):
        load_pack(PACK[:length])


# --- hostile but well-formed ----------------------------------------------------------------------------------------


def places(value, path=()):
    """Yield the path of everything inside a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def replaced(value, path, new):
    """Return the value with what stands at a path replaced; `new` is given what stood there."""
    if not path:
        return new(value)
    value = copy.copy(value)
    value[path[0]] = replaced(value[path[0]], path[1:], new)
    return value


VALUES = [
    None, True, False, 0, 1, -1, 2, 17, 64, 10**18, 10**30, "", "x", "stdout", "empty", "\ud800", [], [[]], {}, [0],
    [None],
    ["opt", []], ["rest", None], ["scope"], ["path", [["scope"]]], ["const", 1], ["text", "x"], [[0, 1]],
]  # fmt: skip
EDITS = [
    *(lambda _, value=value: value for value in VALUES),
    lambda old: [old],
    lambda old: [old, old],
    lambda old: old * 2 if isinstance(old, list | str) else old,
    lambda old: old[1:] if isinstance(old, list | str) else old,
    lambda old: old[::-1] if isinstance(old, list | str) else old,
    lambda old: {**old, "more": 1} if isinstance(old, dict) else old,
    lambda old: dict(list(old.items())[1:]) if isinstance(old, dict) else old,
    lambda old: old + 1 if isinstance(old, int) else old,
    lambda old: old - 1 if isinstance(old, int) else old,
]
RULE_PLACES = [(number, path) for number, rule in enumerate(RULES) for path in places(rule)]


@given(st.lists(st.tuples(st.sampled_from(RULE_PLACES), st.sampled_from(EDITS)), min_size=1, max_size=3))
def test_a_rule_changed_by_its_maker_fails_or_works(edits):
    """With digests that hold, a rule changed anywhere is out of bounds or runs to a body or a refusal."""
    rules = list(RULES)
    for (number, path), edit in edits:
        try:
            rules[number] = replaced(rules[number], path, edit)
        except (LookupError, TypeError):
            continue
    sections = [json.dumps(part).encode() for part in (*rules, *map(source_map, RULES))]
    data = assemble(header_of(RULES, sections), sections)
    try:
        use_all(data)
    except PackError as error:
        assert type(error) is PackOutOfBounds  # noqa: PT017 - either outcome is right


SECTIONS = [canonical(part) for part in (*RULES, *ADMITS, *map(source_map, RULES))]
HEADER = header_of(RULES, SECTIONS)


@given(st.sampled_from(list(places(HEADER))), st.sampled_from(EDITS))
def test_a_header_changed_by_its_maker_fails_or_works(path, edit):
    """The same for the header."""
    header = replaced(HEADER, path, edit)
    try:
        use_all(assemble(json.dumps(header).encode(), SECTIONS))
    except PackError:
        return


@pytest.mark.parametrize(
    "section",
    [
        b"[" * 100_000,
        b"[" * 70 + b"]" * 70,
        b'{"a":1,"a":2}',
        b"1.5",
        b"NaN",
        b"9" * 5_000,
        b"\xff",
        b'"\\ud800"',
        b"{}",
        b"null",
    ],
    ids=lambda section: section[:12].decode("latin-1"),
)
def test_json_that_no_pack_holds_is_refused(section):
    """Deep nesting, duplicate keys, floats, endless ints and broken text are out of bounds, not crashes."""
    sections = [section, *SECTIONS[1:]]
    pack = load_pack(assemble(header_of(RULES, sections, admits=1), sections))
    with pytest.raises(PackOutOfBounds):
        pack.rule(0)


def test_nested_optional_holes_cannot_blow_up():
    """A pattern whose look-aheads would double with each part is refused before anything is built."""
    rule = copy.deepcopy(RULES[0])
    part = ["opt", [["lit", "a"], ["opt", [["lit", "b"], ["fit", "text", None]]]]]
    rule["streams"]["stdout"]["patterns"] = [[["fit", "text", None], *[part] * 60]]
    with pytest.raises(PackOutOfBounds):
        load_pack(make_pack([rule, *RULES[1:]])).rule(0)


def test_facts_in_a_circle_and_endless_loops_run_out():
    """A circle of facts and loops in loops end in a refusal, in bounded time."""
    rule = copy.deepcopy(RULES[0])
    rule["facts"] = [["a", ["alt", [["path", [["fact", "b"]]]]]], ["b", ["alt", [["path", [["fact", "a"]]]]]]]
    rule["summary"] = [["out", [["path", [["fact", "a"]]]], [], None]]
    program = load_pack(make_pack([rule])).rule(0)
    assert evaluate(program, Streams(OUTPUTS[0], ""), 0).reason == "too_large"
    rule["facts"] = [["a", ["each", ["commit"], None]]]
    body = [["text", "x"]]
    for _ in range(12):
        body = [["for", "x", ["path", [["fact", "a"]]], body, []]]
    rule["summary"] = body
    program = load_pack(make_pack([rule])).rule(0)
    assert evaluate(program, Streams("abcd x\n" * 300, ""), 0).reason == "too_large"


def test_reading_a_pack_imports_no_engine(tmp_path):
    """Start-up pays for what a decision needs: the index of a pack, not expressions, tables or dataclasses."""
    path = tmp_path / "x.cablepack"
    path.write_bytes(PACK)
    code = (
        "import sys; before = set(sys.modules); from cablese.runtime.packs.pack import load_pack;"
        "load_pack(open(sys.argv[1], 'rb').read()).find(('tool',));"
        "print([name for name in set(sys.modules) - before if 'engine' in name or name in "
        "('dataclasses', 'lark', 'jinja2', 'pydantic', 'orjson', 'pathlib', 'asyncio')])"
    )
    found = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
