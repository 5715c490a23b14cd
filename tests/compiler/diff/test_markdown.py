"""The report holds what others wrote without rendering it, and is the same every time."""

from __future__ import annotations

import re
import subprocess
import sys

from cablese.compiler.diff.markdown import cell, fence, plain, render_markdown, span
from hypothesis import given
from hypothesis import strategies as st

from ..rules import sketch
from .sides import difference

HOSTILE = st.text(st.sampled_from("`|<>&@#![]()*_~\\\n\r\x1b\u202e ab"), max_size=40)


@given(HOSTILE)
def test_a_fence_holds_a_text_whatever_it_is(text):
    """No line of the text closes the fence, and no control or direction character is left."""
    first, *lines, last = fence(text).split("\n")
    ticks = re.match("`+", first)
    assert ticks is not None
    assert last == ticks[0]
    assert not any(re.match(rf"\s*`{{{len(ticks[0])},}}\s*$", line) for line in lines)
    assert not set("\x1b\u202e\r") & set("".join(lines))


@given(HOSTILE)
def test_a_span_holds_a_text_whatever_it_is(text):
    """A span begins and ends with a run of ticks that is longer than any within, in one line."""
    shown = span(text)
    ticks = re.match("`+", shown)
    assert ticks is not None
    inner = shown[len(ticks[0]) : -len(ticks[0])]
    assert len(ticks[0]) not in map(len, re.findall("`+", inner))
    assert "\n" not in shown
    assert inner


@given(
    HOSTILE
    | st.lists(st.sampled_from(["@all", "#12", "http://x", "www.x.y", "$1$", "a", " ", "`", "<b>"])).map("".join)
)
def test_words_around_spans_render_as_they_are(text):
    """Outside of spans, what could begin an image or HTML is escaped, nothing is left that is linked all the same."""
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", plain(text))
    assert not re.search(r"(?<!\\)[<>\[\]!]", re.sub(r"\\\\", "", outside))
    assert not re.search(r"[@#$]|://|www\.", outside)
    assert "\n" not in plain(text)


def test_a_title_is_neither_a_link_nor_a_mention():
    """GitHub finds addresses, names and numbers also where their first character is escaped."""
    assert plain("by @ada, see http://x.y or #12") == "by `@ada,` see `http://x.y` or `#12`"


def test_a_tab_stays_a_tab_in_a_fence():
    """A change from tabs to blanks would otherwise show two equal lines."""
    assert fence("-\ta\n+    a") == "```\n-\ta\n+    a\n```"


def test_what_was_never_shown_is_not_said_to_be_shown_before():
    """A summary too short to be shown that is lost, or come, is told as what the rule says, not as what was seen."""
    lost = render_markdown(difference(OLD, sketch(command="jobs { needs --x }"), "1 jobs\n"))
    assert "Before, too short to be shown; what the rule said of it:" in lost
    assert "now the original is shown" not in lost
    come = render_markdown(difference(sketch(command="jobs { needs --x }"), OLD, "1 jobs\n"))
    assert "After, too short to be shown; what the rule says of it:" in come


def test_the_totals_say_how_much_more_or_less_is_seen():
    """With its sign; nothing where the same is seen."""
    output = "".join(f"[{n}] Running the nightly import of archive {n}\n" for n in range(40)) + "40 jobs\n"
    longer = sketch(summary="running jobs in all: {{ running }}")
    (row,) = [line for line in render_markdown(difference(OLD, longer, output)).split("\n") if "difference" in line]
    assert re.fullmatch(r"\| difference \| \+\d+ \| \+\d+ \|", row)
    assert "| difference | -" in render_markdown(difference(longer, OLD, output))
    assert "| difference |" not in render_markdown(difference(OLD, OLD, output))


def test_a_bar_does_not_end_a_cell():
    """Also within a code span, as GitHub reads tables first; and it is escaped once."""
    assert cell(span("a|b")) == "`a\\|b`"
    assert cell(plain("a|b `c|d`")) == "a\\|b `c\\|d`"


HOSTILE_LINE = "[1] Running ```x</details><img src=x> @all [a](b)"
OLD, NEW = (
    sketch(),
    sketch(facts="running = each job", summary="{% for j in running %}\n  {{ j.line }}\n  {% endfor %}"),
)


def test_a_report_keeps_hostile_output_in_its_fence():
    """Every line of the output stands within a fence that it does not close."""
    report = render_markdown(difference(OLD, NEW, f"{HOSTILE_LINE}\n1 jobs\n"))
    closing = ""
    inside = []
    for line in report.split("\n"):
        ticks = re.match("(`{3,})(?:diff)?$", line)
        if closing:
            closing = "" if line == closing else closing
            inside.append(line)
        elif ticks:
            closing = ticks[1]
        else:
            assert "<img" not in line
    assert not closing
    assert any("<img" in line for line in inside)


def test_reports_are_the_same_for_every_hash_seed():
    """Two processes with other seeds print the same bytes, as Markdown and as JSON."""
    code = (
        "import json;"
        "from tests.compiler.diff.test_markdown import *;"
        "from cablese.compiler.diff.record import difference_record as r;"
        "d = difference(OLD + NEW.replace('bash.jobs', 'bash.two').replace('jobs { }', 'two { }'), NEW, HOSTILE_LINE);"
        "print(render_markdown(d)); print(json.dumps(r(d)))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert len(printed.pop()) > 1000
