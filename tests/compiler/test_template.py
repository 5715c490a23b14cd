"""Summaries: what is lowered says what Jinja says, and nothing that may be missing is lowered."""

from __future__ import annotations

import pytest
from cablese.compiler import check_sources
from cablese.compiler.examples import read_example
from cablese.compiler.mutations import mutants
from cablese.compiler.trials import Trial
from cablese.dsl.diagnostics import Report
from cablese.dsl.scan import MAX_DEPTH
from cablese.runtime.engine.facts import Facts
from cablese.runtime.shell import parse_command
from hypothesis import given, settings
from hypothesis import strategies as st

from .jinja_reference import render
from .rules import compiled, curated, curated_bench, read_rule_file, run, sketch, underlined


def as_jinja(bench, rule, trial):
    """Return both renderings of one accepted output, or None where it passes."""
    verdict = bench.decide(trial)
    if verdict.body is None:
        return None
    program = bench.claim(trial.tool, parse_command(trial.command).words).rule
    facts = Facts(program, list(verdict.readings), trial.exit_code)
    return verdict.body, render(rule.node.summary.value, rule.section, facts, trial.exit_code)


@pytest.mark.parametrize("rule", curated().rules, ids=lambda rule: rule.id)
def test_shipped_summaries_render_as_jinja_renders_them(rule):
    """Every example of the shipped rules, and every accepted change of one, gives one text both ways."""
    compared = 0
    for node in rule.node.examples:
        case = read_example(rule, node, read_rule_file, Report())
        assert case is not None
        changed = (mutant.trial for mutant in mutants(case.trial, uncoloured=frozenset()))
        for number, trial in enumerate((case.trial, *changed)):
            if number % 7:
                continue
            both = as_jinja(curated_bench(), rule, trial)
            if both is not None:
                compared += 1
                assert both[0] == both[1]
    assert compared > 0 or not any(node.shows for node in rule.node.examples)


SIMPLE = st.sampled_from(
    [
        "text",
        "  indented",
        "n: {{ n }}",
        "{{ first_name }}",
        "  {{ first_name }}",
        "{{ maybe or 'none' }}",
        "  {{ maybe or '' }}",
        "{{ (maybe or first_name) | clip }} x",
        "{{ names | join(', ') }}",
        "{{ names | length }} names",
        "{{ exit_code }}",
        "{% if maybe or n %}a{% else %}b{% endif %}c",
        "{% for g in groups %}{{ g.key }}x{{ g.count }} {{ g.first.line }};{% endfor %}",
        "{% for g in groups %}{% for r in g.rows %}{{ r.extra or r.name }}{% endfor %}{% endfor %}",
        "{{ done.line or '' }}",
        "{{ jobs | more }}",
    ]
)
TESTS = st.sampled_from(["maybe", "not maybe", "n and names", "not done or maybe", "exit_code", "jobs and not maybe"])


def _block(inner):
    """Return templates of one more level."""
    body = st.lists(inner, min_size=1, max_size=2).map("\n  ".join)
    return st.one_of(
        st.tuples(TESTS, body).map(lambda it: f"{{% if {it[0]} %}}\n  {it[1]}\n  {{% endif %}}"),
        st.tuples(TESTS, body, body).map(
            lambda it: (
                f"{{% if {it[0]} %}}\n  {it[1]}\n{{% elif done %}}\n {{{{ done.line }}}}\n"
                f" {{% else %}}\n  {it[2]}\n  {{% endif %}}"
            )
        ),
        st.tuples(body, body).map(
            lambda it: (
                "{% for j in jobs %}\n  - {{ j.line | clip }}\n    {{ j.extra or '' }}\n  "
                f"{it[0]}\n  {{% else %}}\n  {it[1]}\n  {{% endfor %}}\n  {{{{ jobs | more }}}}"
            )
        ),
    )


TEMPLATES = st.lists(
    st.one_of(SIMPLE, _block(SIMPLE), _block(st.one_of(SIMPLE, TESTS.map(lambda t: f"{{% if {t} %}}!{{% endif %}}")))),
    min_size=1,
    max_size=4,
)
RULE = sketch(
    stdout="job+ done?",
    lines='job = "job {name:word}{? +{extra}}"\n    done = "done{? {why}}"',
    facts="n = count job\n    jobs = first 2 of each job\n    names = distinct job.name\n"
    "    groups = group job by name\n    first_name = first of job.name\n    maybe = done.why",
    ensure="n >= 1\n    n >= 0 + names\n    names <= n + groups",
    summary="@@@\n  {% if maybe and first_name %}.{% endif %}\n  {% for it in jobs %}{% endfor %}\n  {{ jobs | more }}",
    exit="0, 1, unknown",
)
NAMES = st.sampled_from(["a", "b", "x" * 205])
JOBS = st.tuples(NAMES, st.booleans()).map(lambda job: f"job {job[0]}{' +more' if job[1] else ''}\n")


@given(
    TEMPLATES,
    st.lists(JOBS, min_size=1, max_size=4),
    st.sampled_from(["", "done\n", "done why\n"]),
    st.sampled_from([None, 0, 1]),
)
@settings(max_examples=40, deadline=None)
def test_any_template_renders_as_jinja_renders_it(pieces, jobs, end, code):
    """Templates of random lines and blocks say the same in Jinja and in the runtime."""
    bench, rule = compiled(RULE.replace("@@@", "\n  ".join(pieces)))
    both = as_jinja(bench, rule, Trial("bash", "jobs", "".join(jobs) + end, exit_code=code))
    assert both is not None
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("template", "code", "place"),
    [
        ("a\n  {{ runnin }}", "E0605", "runnin"),
        ("{{ running }} {{ done.m }}", "E0605", "m"),
        ("{% for j in jobs %}{{ j.nam }}{% endfor %}{{ jobs | more }}", "E0605", "nam"),
        ("{% for jobs in jobs %}{% endfor %}{{ jobs | more }}", "E0605", "jobs"),
        ("x {% for j in jobs %}\n  {{ j.line }}\n  {% endfor %}", "E0603", "jobs"),
        ("{% for j in jobs %}{{ j.line }}{% endfor %}{% if running %}{{ jobs | more }}{% endif %}", "E0603", "jobs"),
        ("{{ jobs }}", "E0604", "jobs"),
        ("{{ running | join(', ') }}", "E0604", "join"),
        ("{{ jobs | length }}{{ jobs | more }}", "E0604", "length"),
        ("{% for d in running %}{% endfor %}", "E0604", "running"),
        ("{{ last_note }}", "E0602", "last_note"),
        ("{% if running %}{{ last_note }}{% endif %}", "E0602", "last_note"),
        ("{% if not last_note %}{{ last_note }}{% endif %}", "E0602", "last_note"),
        ("{{ running | upper }}", "E0601", "upper"),
        ("{{ running }}{# note #}", "E0601", "{#"),
        ("{{- running }}", "E0601", "{{-"),
        ("{{ running[0] }}", "E0601", "{{ running[0] }}"),
        ("{% set x = 1 %}{{ running }}", "E0601", "{% set x = 1 %}{{ running }}"),
        ("{% if running == 1 %}x{% endif %}", "E0601", "{% if running == 1 %}x{% endif %}"),
        ("{{ last_note or running | clip }}", "E0601", "{{ last_note or running | clip }}"),
        ("{{ running", "E0601", "{{ running"),
        ("{% if running %}", "E0601", "{% if running %}"),
    ],
)
def test_findings_point_into_the_template(template, code, place):
    """A finding underlines the name, filter or tag that is wrong, inside the template's own text."""
    text = sketch(
        stdout="job* note? done",
        lines='job  = "[{n:int}] Running {name}"\n    note = "note {}"\n    done = "{n:int} jobs"',
        facts="running = count job\n    jobs = first 5 of each job\n    last_note = last of note",
        summary=template,
    )
    found = [each for each in check_sources({"a": text}, draft=True) if each.code != "E0505"]
    assert (found[0].code, underlined(found[0])) == (code, place)
    assert {each.code for each in found} == {code}


@pytest.mark.parametrize(
    "shape",
    [
        lambda depth: "{% if running %}" * depth + "{{ running }}" + "{% endif %}" * depth,
        lambda depth: "{% for d in done %}x" * depth + "{% endfor %}" * depth + "{{ running }}",
        lambda depth: "{{ " + "(" * (depth // 2) + "running" + ")" * (depth // 2) + " }}",
        lambda depth: "{{ " + "running or " * depth + "0 }}",
        lambda depth: "{% if " + "not " * depth + "running %}x{% endif %}{{ running }}",
        lambda depth: "{{ running" + ".x" * depth + " }}",
        lambda depth: "{{ running" + " | clip" * depth + " }}",
        lambda depth: "{{ " + "-" * depth + "running }}",
    ],
)
def test_depth_is_bounded(shape):
    """A template of any depth is a finding; one within the bound is none of this kind."""
    for depth in (MAX_DEPTH + 2, 5000):
        found = check_sources({"a": sketch(summary=shape(depth))}, draft=True)
        assert [each.code for each in found] == ["E0108"]
    assert "E0108" not in [each.code for each in check_sources({"a": sketch(summary=shape(30))}, draft=True)]


def test_what_is_proved_may_be_shown():
    """A guard proves its path and what the path goes through; so does the other branch of a negated one."""
    rule = sketch(
        stdout="job* done?",
        facts="running = count job",
        summary="{{ running }}\n"
        "  {% if done %}\n  {{ done.n }} {{ done.line }}\n  {% endif %}\n"
        "  {% if not done.n %}\n  open\n  {% elif running and done %}\n  {{ done.n }}\n"
        "  {% else %}\n  {{ done.n }}\n  {% endif %}",
    )
    assert run(rule, "[1] Running a\n").body == "1\nopen"
    assert run(rule, "3 jobs\n").body == "0\n3 3 jobs\n3"


def test_a_lone_value_takes_its_line_with_it():
    """A line of one value disappears with it, white space and line end included; zero is a value."""
    rule = sketch(
        stdout="job* done?",
        facts="running = count job",
        summary="a\n    {{ done.line or '' }}\n  {{ running }}\n  b {{ done.line or '' }}\n  c",
    )
    assert run(rule, "[1] Running a\n").body == "a\n1\nb \nc"
    assert run(rule, "9 jobs\n").body == "a\n  9 jobs\n0\nb 9 jobs\nc"
