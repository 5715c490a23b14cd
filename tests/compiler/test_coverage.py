"""What examples touch of a rule is told exactly; what they do not is named with its place."""

from __future__ import annotations

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.coverage import SORTS, Coverage
from cablese.compiler.evidence import gather_evidence

RULE = '''rule bash.jobs "running jobs" {
  tool     bash
  command  jobs {
    option   -l, --max <int>
    refuse   --json
  }

  stdout   job* late? done
  stderr   empty
  lines {
    job  = "[{n:int}] {name}" | "({n:int}) {name}"
    late = "late:" hint*
    hint = "- {}"
    done = "{n:int} jobs"
  }

  facts {
    jobs = each job
    odd  = count job where n > 9
  }

  ensure {
    count job = done.n
    when exit 1: some late
    each late: count hint <= done.n
    distinct job.name within distinct job.name, late.line
  }

  summary """
  {% if odd %}
  odd: {{ odd }}
  {% elif jobs %}
  even
  {% else %}
  nothing
  {% endif %}
  {% for j in jobs %}
  {{ j.line }}
  {% else %}
  none
  {% endfor %}
  """

'''.replace("done.n\n    distinct", "9\n    distinct")


def measured(examples: str) -> Coverage:
    """Return the coverage of the rule with these examples."""
    done = compile_sources({"a.cable": RULE + examples + "}\n"}, name="t", version="1", draft=True)
    (evidence,) = gather_evidence(done)
    assert evidence.findings == ()
    return evidence.coverage


def names(coverage: Coverage, sort: str) -> list[str]:
    """Return what is not touched of a sort."""
    return [point.name for point in coverage.missing if point.sort == sort]


def test_without_examples_nothing_is_touched():
    """Every kind, pattern, claim, body and option is a point."""
    coverage = measured("")
    assert coverage.percent == 0
    assert [coverage.of(sort) for sort in SORTS] == [(0, 4), (0, 2), (0, 4), (0, 5), (0, 3)]
    assert names(coverage, "line") == ["`job`", "line 1 of `late`", "`hint`", "`done`"]
    assert names(coverage, "branch") == ["`if odd`", "`elif jobs`", "`else`", "`for j in jobs`", "`else`"]
    assert names(coverage, "option") == ["`--max <int>`", "`-l`", "refused `--json`"]


def test_one_output_touches_what_it_has():
    """Lines by kind and pattern, the bodies that were rendered, the claims that said something."""
    coverage = measured('example "a" { command "jobs -l" stdout "[1] a\\n1 jobs\\n" shows "even\\n[1] a" }\n')
    assert names(coverage, "line") == ["line 1 of `late`", "`hint`"]
    assert names(coverage, "pattern") == ["pattern 2 of `job`"]
    words = {point.words for point in coverage.missing}
    assert {"pattern 2 of `job`", "option `--max <int>`", "refused option `--json`"} < words
    assert names(coverage, "branch") == ["`if odd`", "`else`", "`else`"]
    assert names(coverage, "claim") == ["`when exit 1: some late`", "`each late: count hint <= 9`"]
    assert names(coverage, "option") == ["`--max <int>`", "refused `--json`"]


def test_a_claim_over_nothing_is_not_touched():
    """An empty list lies within every list: that says nothing about the claim."""
    coverage = measured('example "a" { command "jobs" stdout "0 jobs\\n" shows "nothing\\nnone" }\n')
    assert "`distinct job.name within distinct job.name, late.line`" in names(coverage, "claim")


def test_selection_tests_touch_options():
    """An allowed one in a selected command, a refused one in a command that is left; none behind `--`."""
    coverage = measured('selects "jobs --max 3"\n  leaves "jobs --json", "jobs -- -l"\n')
    assert names(coverage, "option") == ["`-l`"]


def test_all_points_make_a_hundred():
    """A percentage below a hundred means that something is left."""
    examples = """
  selects "jobs --max 3 -l"
  leaves  "jobs --json"
  example "a" {
    command "jobs" exit 1 stdout "[10] a\\n(2) b\\nlate:\\n- x\\n2 jobs\\n" shows "odd: 1\\n[10] a\\n(2) b"
  }
  example "b" { command "jobs" stdout "[1] a\\n1 jobs\\n" shows "even\\n[1] a" }
"""
    coverage = measured(examples)
    assert names(coverage, "branch") == ["`else`", "`else`"]
    assert coverage.percent == 88
    whole = measured(examples + '  example "c" { command "jobs" stdout "0 jobs\\n" shows "nothing\\nnone" }\n')
    assert (whole.percent, whole.missing) == (100, ())


@pytest.mark.parametrize("sort", ["line", "pattern", "claim", "branch", "option"])
def test_each_point_has_its_place(sort):
    """File and line of a point are where it is written."""
    lines = RULE.split("\n")
    places = {"line": "=", "pattern": "job  =", "claim": "", "branch": "{%", "option": ""}
    for point in measured("").points:
        if point.sort == sort:
            assert point.path == "a.cable"
            assert places[sort] in lines[point.line - 1], point
            if sort in {"claim", "branch", "option"}:
                assert point.name.removeprefix("refused ").strip("`") in lines[point.line - 1], point
