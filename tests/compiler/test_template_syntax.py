"""A template that cannot be parsed is explained where it went wrong, in our words."""

from __future__ import annotations

import jinja2
import pytest
from cablese.compiler import check_sources
from cablese.compiler.template_syntax import find_fault
from cablese.dsl.diagnostics import Diagnostic
from hypothesis import given
from hypothesis import strategies as st

from .rules import sketch, underlined

FACTS = "running = count job\n    f = each job"


def finding(summary: str) -> Diagnostic:
    """Return the one thing said about a summary."""
    (found,) = check_sources({"a.cable": sketch(facts=FACTS, summary=summary)}, draft=True)
    return found


@pytest.mark.parametrize(
    ("summary", "place", "message"),
    [
        ("{% for j in f %}\n  {{ j.name }}\n  end", "{% for j in f %}", "`for` is never closed"),
        ("{% if running %}\n  {{ running }}\n  end", "{% if running %}", "`if` is never closed"),
        ("{% if f %}{% for j in f %}{% endif %}", "{% for j in f %}", "`for` is never closed"),
        ("{% if running %}a{% endfor %}", "{% endfor %}", "`endfor` belongs to nothing"),
        ("{% if f %}{% else %}{% elif f %}{% endif %}", "{% elif f %}", "`elif` follows `else`"),
        ("a {{ running\n  b", "{{ running", "a tag is never closed"),
        ("{{ running }", "{{ running }", "a tag is never closed"),
        ("{{ running }} {{ running running }}", "{{ running running }}", "a tag of the template cannot be read"),
        ("a {% for j f %}{% endfor %}", "{% for j f %}", "a tag of the template cannot be read"),
        ("a {% end %}", "{% end %}", "there is no tag `end`"),
        ("a {% %}", "{% %}", "a tag is empty"),
    ],
)
def test_a_fault_is_pointed_at_where_it_begins(summary, place, message):
    """The tag that is wrong is underlined, not the line in which Jinja gave up."""
    found = finding(summary)
    assert (found.code, underlined(found), found.message) == ("E0601", place, message)
    assert "Jinja" not in found.primary.text


def test_templates_do_not_count():
    """`loop.index` is known to those who know Jinja; they are told that there is none."""
    found = finding("{% for j in f %}{{ loop.index }} {{ j.name }}{% endfor %}")
    assert (found.code, found.primary.text) == ("E0605", "templates do not count their rounds")


PIECES = (
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    " for ",
    " if ",
    "else",
    "endif",
    "endfor",
    "x",
    "'",
    '"',
    "\n",
    " in ",
    "(",
)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map(lambda pieces: "".join(pieces) + "\n"))
def test_faults_lie_within_the_template(text):
    """Whatever is written, a fault has its place, and a template that Jinja parses has none."""
    environment = jinja2.Environment(keep_trailing_newline=True, autoescape=False)
    fault = find_fault(text, environment)
    try:
        environment.parse(text)
    except jinja2.TemplateSyntaxError:
        pass
    else:
        assert fault is None
    if fault is not None:
        assert 0 <= fault.place.start < fault.place.end <= len(text)


def test_deep_tags_before_a_fault_are_not_asked_about():
    """A tag that nests without end is passed over, not read without end."""
    text = "{{ " + "(" * 5000 + " }}{{ ' }}"
    assert find_fault(text, jinja2.Environment(autoescape=True)) is not None
