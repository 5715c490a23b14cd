"""Packs: the same bytes anywhere, in the documented shape, accepted by the loader."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cablese.compiler import compile_sources, schema
from cablese.dsl.codes import CODES
from cablese.runtime.packs.pack import load_pack

from .rules import RULES, curated, read_rule_file, sketch

GOOD = [code.good for code in CODES.values() if code.good]


def sections(pack: bytes):
    """Return header, rules, admission entries and source maps of a pack."""
    _, header, *rest = [line for line in pack.split(b"\n") if line]
    head = json.loads(header)
    parts = [json.loads(part) for part in rest]
    rules, admits = len(head["rules"]), head["admits"]
    return head, parts[:rules], parts[rules : rules + admits], parts[rules + admits :]


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_packs_have_the_documented_shape(number):
    """Every section holds what the format says, no more; the loader takes it."""
    pack = compile_sources({"a.cable": GOOD[number]}, name="t", version="1", draft=True).pack
    assert pack is not None
    check_shape(pack)


def test_the_curated_pack_has_the_documented_shape():
    """So does the pack that is shipped."""
    check_shape(curated().pack)


def check_shape(pack: bytes) -> None:
    """Validate all sections and load them."""
    header, rules, admits, maps = sections(pack)
    schema.validate(schema.Header, header)
    for rule in rules:
        schema.validate(schema.Rule, rule)
    for entry in admits:
        schema.validate(schema.Admission, entry)
    assert len(maps) == len(rules)
    for each in maps:
        schema.validate(schema.SourceMap, each)
    load_pack(pack).verify()


SCRIPT = """
import sys, pathlib
from cablese.compiler import compile_sources
folder = pathlib.Path(sys.argv[1])
names = sorted((path.name for path in folder.glob("*.cable")), reverse=sys.argv[2] == "backwards")
sources = {name: (folder / name).read_text("utf-8") for name in names}
read = lambda path: (folder / path).read_bytes()
done = compile_sources(sources, name="curated", version="1", draft=True, read=read)
sys.stdout.buffer.write(done.pack)
"""


@pytest.mark.parametrize(("seed", "order"), [("1", "forwards"), ("77", "backwards")])
def test_the_same_sources_give_the_same_bytes(seed, order):
    """Neither the seed of hashes nor the order in which sources are given changes a byte."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(RULES), order], capture_output=True, env=environment, cwd=root, check=True
    )
    assert ran.stdout == curated().pack


def test_only_what_is_read_is_captured():
    """Captures that neither facts nor claims nor the summary read are matched, not taken."""
    _, (rule,), _, (source,) = sections(compile_sources({"a": GOOD_CAPTURES}, name="t", version="1", draft=True).pack)
    taken = {
        operation[-1][0]
        for pattern in rule["streams"]["stdout"]["patterns"]
        for operation in pattern
        if operation[-1] is not None and operation[0] != "lit"
    }
    assert taken == {"name"}
    assert set(rule["kinds"]) == {"job"}
    assert set(source["kinds"]) == {"job", "done"}


GOOD_CAPTURES = (
    next(code.good for code in CODES.values() if code.code == "E0501")
    .replace("running = count job", "running = distinct job.name")
    .replace("{{ running }}", "{{ running | join(' ') }}")
)


def test_admissions_are_sections_of_their_own():
    """An entry keeps its order and its place, its defaults are written out, its codec is required of the host."""
    text = (
        'use codec "rows"\n\nadmit "b_*" with rows {\n  depth 3  tee\n}\n\n'
        'admit "a" with columnar {\n  level normal  min_rows 5\n}\n'
    )
    header, _, admits, _ = sections(compile_sources({"a": text}, name="t", version="1").pack)
    assert header["requires"] == ["codec:columnar", "codec:rows"]
    assert admits == [
        {"pattern": "b_*", "codec": "rows", "level": "minimal", "tee": True, "settings": {"depth": 3}}
        | {"path": "a", "line": 3},
        {"pattern": "a", "codec": "columnar", "level": "normal", "tee": False, "settings": {"min_rows": 5}}
        | {"path": "a", "line": 7},
    ]


def test_a_finding_means_no_pack():
    """What compiled is still listed, but nothing half-made leaves the compiler."""
    bad = next(code.bad for code in CODES.values() if code.code == "E0605")
    good = GOOD_CAPTURES.replace("bash.jobs", "bash.work").replace("command  jobs", "command  work")
    done = compile_sources({"a": bad, "b": good}, name="t", version="1", draft=True)
    assert done.pack is None
    assert [rule.id for rule in done.rules] == ["bash.work"]
    assert [each.code for each in done.diagnostics] == ["E0605"]


@pytest.mark.parametrize(
    "text",
    [
        sketch(summary="{% if running %}" * 40 + "{{ running }}" + "{% endif %}" * 40),
        sketch(lines='job  = "[{n:int}]' + "{? x" * 50 + "}" * 50 + '"\n    done = "{n:int} jobs"'),
        sketch(facts=f"running = {'trimmed ' * 60}each job", summary="{% for r in running %}{{ r.line }}{% endfor %}"),
        sketch(command="jobs { " + " ".join(f"needs --a{number}" for number in range(80)) + " }"),
    ],
    ids=["template", "pattern", "fact", "command"],
)
def test_what_no_pack_can_hold_is_a_finding(text):
    """A rule beyond the bounds of packs does not compile; nothing is written that the runtime would refuse."""
    done = compile_sources({"a": text}, name="t", version="1", draft=True)
    assert done.pack is None
    assert [each.code for each in done.diagnostics] == ["E0408"]


def test_reading_files_is_left_to_the_caller():
    """Without `read`, a file that an example names is a finding, not an access."""
    sources = {path.name: path.read_text("utf-8") for path in RULES.glob("*.cable")}
    done = compile_sources(sources, name="t", version="1", draft=True)
    named = any("file " in text for text in sources.values())
    assert named == ("E0805" in {each.code for each in done.diagnostics})
    assert read_rule_file(next(iter(sources)))
