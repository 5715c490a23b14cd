"""Each finding is found where it holds, and nothing is found where nothing differs."""

from __future__ import annotations

import pytest
from cablese.compiler.diff.compare import compare
from cablese.compiler.diff.levels import FINDINGS, Level, weigh_versions
from cablese.runtime.packs.features import FEATURES
from hypothesis import given
from hypothesis import strategies as st

from ..rules import sketch
from .sides import difference, names, packed, side

JOBS = "[1] Running a\n[2] Running b\n2 jobs\n"
MANY = "".join(f"[{n}] Running the nightly import of archive {n} from the northern warehouse\n" for n in range(1, 30))
OTHER = sketch(
    id="bash.all",
    command="jobs --all { option -l }",
    lines='job = "{n:int} jobs"',
    stdout="job",
    facts="running = count job",
)
CLAIMED = sketch(ensure="count job = done.n")
ADMIT = 'admit "web.*" with json_compact { level minimal }\n'
EXAMPLE = 'example "one" {{ command "jobs"  stdout "[1] Running a\\n1 jobs\\n"  shows "running: {}" }}'
COLUMNS = '"[{n:int}] Running {name}"'

CASES = {
    "rule_removed": (sketch() + OTHER, sketch()),
    "command_moved": (sketch(command="jobs { option --all }"), sketch() + OTHER),
    "command_lost": (sketch(command="jobs { option --all }"), sketch()),
    "exit_lost": (sketch(), sketch(exit="0, 1")),
    "streams_changed": (sketch(), sketch(stderr="stderr   empty\n  merged   job* done")),
    "reading_changed": (sketch(), sketch(stdout="job+ done")),
    "facts_changed": (sketch(), sketch(facts="running = count job where n > 1")),
    "claims_changed": (sketch(), CLAIMED),
    "summary_changed": (sketch(), sketch(summary="jobs: {{ running }}")),
    "admit_changed": (sketch(before=ADMIT), sketch(before=ADMIT.replace("minimal", "normal"))),
    "rule_added": (sketch(), sketch() + OTHER),
    "command_gained": (sketch(), sketch(command="jobs { option --all }")),
    "exit_gained": (sketch(exit="0"), sketch(exit="0, 1")),
    "reading_widened": (sketch(stdout="job+ done"), sketch()),
    "facts_added": (
        sketch(),
        sketch(facts="running = count job\n    total = done.n", summary="running: {{ running }} of {{ total }}"),
    ),
    "admit_added": (sketch(before=ADMIT), sketch(before=ADMIT + ADMIT.replace("web", "mail"))),
    "requires_changed": (sketch(), sketch(before=ADMIT)),
    "commands_rewritten": (sketch(command="jobs { option -a, -b }"), sketch(command="jobs { option -b, -a }")),
    "reading_rewritten": (sketch(stdout="job* done"), sketch(stdout="(job job*)? done")),
    "title_changed": (sketch(), sketch().replace("running jobs", "jobs that run")),
    "examples_changed": (sketch(), sketch(examples=EXAMPLE.format(1))),
}
BY_RESULTS = {
    "result_changed": (sketch(), sketch(summary="jobs: {{ running }}"), MANY + "29 jobs\n"),
    "result_lost": (sketch(), CLAIMED, MANY + "30 jobs\n"),
    "result_gained": (CLAIMED, sketch(), MANY + "30 jobs\n"),
    "reason_changed": (
        CLAIMED,
        sketch(lines=f'job = {COLUMNS}\n    done = "{{n:int}} tasks"'),
        "[1] Running a\n3 jobs\n",
    ),
}
ELSEWHERE = {"commands_undecided", "language_raised"}
"""Found by tests of their own, or impossible while there is one language."""


def test_every_finding_has_a_case():
    """No name without a change that leads to it."""
    assert CASES.keys() | BY_RESULTS.keys() | ELSEWHERE == FINDINGS.keys()


@pytest.mark.parametrize("name", CASES)
def test_a_change_is_found(name):
    """The change has this finding, with words; and comparing a side with itself has none."""
    old, new = CASES[name]
    found = difference(old, new)
    assert name in {finding.name for finding in found.findings}
    assert all(finding.words for finding in found.findings)
    assert found.differs
    assert found.level == max(finding.level for finding in found.findings)
    for text in (old, new):
        same = difference(text, text, JOBS)
        assert not same.findings
        assert not same.differs
        assert same.level == Level.NONE


@pytest.mark.parametrize("name", BY_RESULTS)
def test_a_change_of_a_result_is_found(name):
    """What a model would see is decided by the runtime, and the texts of both sides are there."""
    old, new, output = BY_RESULTS[name]
    found = difference(old, new, output)
    (result,) = found.results
    assert result.change == name
    assert name in {finding.name for finding in found.findings}
    if name == "result_changed":
        assert result.old.shown is not None
        assert "running: 29" in result.old.shown
        assert result.new.shown is not None
        assert "jobs: 29" in result.new.shown
        assert result.old.tokens["o200k_base"] < result.original["o200k_base"]


def test_a_feature_of_a_later_version_asks_for_a_newer_runtime(monkeypatch):
    """It is a major change for those who have an older one; no longer making use of it is none."""
    text = 'admit "dq_*" with columnar {\n  level normal\n}\n'
    monkeypatch.setitem(FEATURES, "admit", "0.10.0")
    for old, new, words in (
        (sketch(), sketch(before=text), "cablese 0.1.0 or newer; now 0.10.0 or newer"),
        (sketch(before=text), sketch(), None),
    ):
        found = [each for each in difference(old, new).findings if each.name == "language_raised"]
        assert [each.words for each in found] == [words] * (words is not None)


def test_what_an_entry_says_otherwise_is_told():
    """Each setting with both values; what came and what went."""
    old = 'admit "dq_*" with columnar {\n  level normal\n  tee\n  min_rows 20\n}'
    new = 'admit "dq_*" with columnar {\n  level minimal\n  min_rows 5\n  clip 60\n}'
    (finding,) = difference(sketch(before=old), sketch(before=new)).findings
    assert finding.words == "`dq_*`: level normal, now minimal; no longer tee; min_rows 20, now 5; now clip 60"


def test_a_summary_that_is_too_short_to_be_shown_counts():
    """The gate shows the original on both sides; what the rule says of it is compared all the same."""
    found = difference(sketch(), sketch(summary="jobs: {{ running }}"), JOBS)
    (result,) = found.results
    assert (result.old.outcome, result.old.reason, result.change) == ("passed", "no_gain", "result_changed")


def test_examples_are_the_corpus_where_both_sides_know_theirs():
    """An example of either side is tried under both, once."""
    old, new = sketch(examples=EXAMPLE.format(1)), sketch(examples=EXAMPLE.format(2))
    (result,) = difference(old, new).results
    assert result.item.name == "example “one” of bash.jobs"
    assert names(old, new) == {"examples_changed"}


def test_moved_commands_have_a_witness_that_both_take():
    """The command of a handover is taken by the older rule on the one side and by the newer one on the other."""
    found = difference(*CASES["command_moved"])
    (moved,) = [each for each in found.handovers if each.name == "command_moved"]
    assert (moved.old, moved.new, moved.command, moved.tools) == ("bash.jobs", "bash.all", "jobs --all", ("bash",))


def test_a_tool_that_is_no_longer_meant_loses_its_commands():
    """Commands belong to a rule and a tool."""
    both = sketch().replace("tool     bash", "tool     bash, shell")
    (lost,) = difference(both, sketch()).handovers
    assert (lost.name, lost.tools) == ("command_lost", ("shell",))


def test_a_count_that_takes_in_a_new_kind_is_the_same_for_earlier_outputs():
    """A kind that is new, and counted with the others, widens the rule and changes nothing."""
    lines = 'job  = "[{n:int}] Running {name}"\n    nap  = "[{n:int}] Stopped {name}"\n    done = "{n:int} jobs"'
    wider = sketch(stdout="(job | nap)* done", lines=lines, facts="running = count job, nap")
    assert names(sketch(), wider, JOBS) == {"reading_widened"}
    assert difference(sketch(), wider).level == Level.MINOR
    assert "reading_changed" in names(wider, sketch(), JOBS)


@pytest.mark.parametrize(
    ("old", "new", "level", "deserved", "holds"),
    [
        ("1.0.0", "1.0.1", Level.MAJOR, "2.0.0", False),
        ("1.0.0", "2.0.0", Level.MAJOR, "2.0.0", True),
        ("1.2.3", "1.3.0", Level.MINOR, "1.3.0", True),
        ("1.2.3", "1.2.4", Level.MINOR, "1.3.0", False),
        ("1.2.3", "1.2.3", Level.NONE, "1.2.3", True),
        ("1.2.3", "1.2.2", Level.NONE, "1.2.3", False),
        ("0.4.1", "0.5.0", Level.MAJOR, "0.5.0", True),
        ("0.4.1", "0.4.2", Level.MINOR, "0.4.2", True),
        ("1.0.0", "soon", Level.PATCH, "1.0.1", False),
        ("early", "1.0.0", Level.MAJOR, None, True),
    ],
)
def test_versions_are_raised_as_semantic_versioning_has_it(old, new, level, deserved, holds):
    """The version that is deserved, and whether the declared one is as large."""
    weighed = weigh_versions(old, new, level)
    assert weighed is not None
    assert (weighed.deserved, weighed.holds) == (deserved, holds)


@given(st.tuples(*[st.integers(0, 30)] * 3), st.sampled_from(Level), st.sampled_from(Level))
def test_a_larger_change_never_deserves_a_smaller_version(version, one, other):
    """The version that is deserved grows with the level, and declaring just that holds."""
    text = ".".join(map(str, version))
    low, high = (weigh_versions(text, text, level) for level in sorted((one, other)))
    assert low is not None
    assert high is not None
    parts = [tuple(map(int, (each.deserved or "").split("."))) for each in (low, high)]
    assert version <= parts[0] <= parts[1]
    again = weigh_versions(text, high.deserved, max(one, other))
    assert again is not None
    assert again.holds


def test_packs_declare_versions_and_rule_files_do_not():
    """A pack with too small a version differs, also where its level would allow none."""
    old, new = packed(sketch(), "1.0.0"), packed(sketch(summary="jobs: {{ running }}"), "1.0.1")
    found = compare(old, new, [])
    assert found.versions is not None
    assert (found.versions.deserved, found.versions.holds) == ("2.0.0", False)
    assert compare(side(sketch()), new, []).versions is None
    earlier = packed(sketch(), "0.9.0")
    assert compare(old, earlier, []).differs
    assert not compare(old, packed(sketch(), "1.0.7"), []).differs


def test_each_form_of_a_command_is_compared_with_its_like():
    """A command may be told in several forms; one that changes is not hidden by one that stays, nor by its place."""
    forms = "jobs {{\n    needs --a\n    option {}\n  }}\n  command jobs {{\n    needs --b\n  }}"
    told = difference(sketch(command=forms.format("-l")), sketch(command=forms.format("-l, -p"))).commands
    assert told == {"bash.jobs": ("`jobs` takes `-p`",)}
    one, other = "jobs { needs --a }", "jobs { needs --b }"
    two = f"{one}\n  command {other}"
    assert difference(sketch(command=one), sketch(command=two)).commands == {"bash.jobs": ("`jobs` has more forms",)}
    assert difference(sketch(command=two), sketch(command=one)).commands == {"bash.jobs": ("`jobs` has fewer forms",)}
    assert difference(sketch(command=two), sketch(command=f"{other}\n  command {one}")).commands == {}
