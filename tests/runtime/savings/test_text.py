"""The report as text and as a page: every figure with its unit, nothing that a hostile name could break."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from cablese.runtime.savings import aggregate, render_text, report_record
from cablese.runtime.savings.page import render_page
from hypothesis import given
from hypothesis import strategies as st

from .test_report import ENTRIES, HANDLES, decision, recovery

MIXED = [
    decision(1796072446.0, tokens={"o200k_base": [50, 10]}, handle=HANDLES[0]),
    decision(1796072450.0, rule="bash.cargo_test", bytes=[4000, 1000], ms=2),
    decision(1796072450.0, rule=None, outcome="passed", reason="no_rule", bytes=[7, 7], ms=0.25),
    decision(1796072450.0, tool="dq", rule=None, codec="columnar", bytes=[90_000, 30_000], ms=7.5),
    {"at": 1796072451.0, "tool": "grep", "outcome": "diagnosed", "bytes": [0, 61], "ms": 0.1},
    recovery(HANDLES[0], 100, 1796072452.0),
    recovery(HANDLES[5], 11, 1796072453.0),
]

TEXT = """\
bash                  calls  compressed  bytes before  bytes after    saved  ~tokens saved   ms p50   ms p99  ms total
  no rule                 1           0             0            0        -              -     0.25     0.25      0.25
    passed: no_rule 1 (7 bytes)
  bash.cargo_test         1           1         4,000        1,000   75.0 %            750     2.00     2.00      2.00
  bash.git_log            1           1           100           20   80.0 %             20     1.50     1.50      1.50
    o200k_base: 50 tokens before, 10 after, 80.0 % saved, counted in 1 of 1
    shown again: 1 time, 100 bytes, 25 ~tokens; net -20 bytes (-20.0 %), -5 ~tokens saved
  all of this tool        3           2         4,100        1,020   75.1 %            770     1.49     2.00      3.75

dq                    calls  compressed  bytes before  bytes after    saved  ~tokens saved   ms p50   ms p99  ms total
  columnar                1           1        90,000       30,000   66.7 %         15,000     7.50     7.50      7.50

grep                  calls  compressed  bytes before  bytes after    saved  ~tokens saved   ms p50   ms p99  ms total
  no rule                 1           0             0           61    0.0 %            -15     0.10     0.10      0.10
    diagnosed: 1

shown again, unknown of which rule: 1 time, 11 bytes, 2 ~tokens

all tools             calls  compressed  bytes before  bytes after    saved  ~tokens saved   ms p50   ms p99  ms total
                          5           3        94,100       31,081   67.0 %         15,755     1.49     7.49     11.35
  o200k_base: 50 tokens before, 10 after, 80.0 % saved, counted in 1 of 4
  diagnosed: 1
  passed: no_rule 1 (7 bytes)
  shown again: 2 times, 111 bytes, 27 ~tokens; net 62,908 bytes (66.8 %), 15,728 ~tokens saved
  from 2026-11-30 21:00:46 UTC to 2026-11-30 21:00:53 UTC

~tokens: estimated tokens are a quarter of the bytes: their share is closer to the truth than their
number, and neither holds where what was saved is white space; exact tokens are named by their
encoding and cover only calls that were counted
"""


def record_of(entries):
    """Sum up entries."""
    return report_record(aggregate(entries))


def test_the_text_is_this():
    """Tools by name, reasons below their rows, recoveries set off, losses below zero, and what figures are worth."""
    assert render_text(record_of(MIXED)) == TEXT
    assert render_text(record_of(reversed(MIXED))) == TEXT


def test_there_is_no_share_of_nothing():
    """An original that passed and was read again has bytes, and no percentage of what was not shortened."""
    passed = decision(1796072450.0, rule=None, outcome="passed", reason="level_none", bytes=[7, 7], handle=HANDLES[0])
    text = render_text(record_of([passed, recovery(HANDLES[0], 7, 1796072452.0)]))
    assert "shown again: 1 time, 7 bytes, 1 ~tokens; net -7 bytes, -1 ~tokens saved" in text


def test_an_empty_ledger_is_said_to_be_one():
    """And damage is named even then."""
    assert render_text(record_of([])) == "no decision has been recorded\n"
    assert render_text(record_of([b"x"])).endswith("\nleft out: 1 unreadable entry\n")
    assert render_text(record_of([*MIXED, b"x", b"y"])).endswith("\nleft out: 2 unreadable entries\n")
    assert "No decision has been recorded" in render_page(record_of([]))


@given(ENTRIES)
def test_estimates_come_with_the_caveat(entries):
    """Wherever there is a figure, there is the sentence about what it is worth; milliseconds stand beside tokens."""
    record = record_of(entries)
    text = render_text(record)
    if record["total"]["calls"]:
        assert "~tokens: estimated tokens are a quarter of the bytes" in text
        assert "~tokens saved   ms p50" in text
    page = render_page(record)
    assert "estimated tokens are a quarter of the bytes" in page
    assert "tokens saved (bytes / 4)</th>" in page


class Tags(HTMLParser):
    """Checks that tags are closed in order, and collects them with the texts."""

    VOID = frozenset({"meta"})

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        """Take in the start of an element."""
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Take in an empty element."""
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """Check that it is the innermost that ends."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Take in text."""
        self.text.append(data)


def read_page(page):
    """Parse a page; every tag must be closed in its place."""
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert tags.open == []
    return tags


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><svg/onload=alert(1)>",
    "a&b",
    "\x1b[31mred",
    "two\nlines",
    "\u202egnp.exe",
    "\ud800",
    "x" * 5000,
]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_is_text(name):
    """As tool, rule, codec, reason and encoding it adds no tag and no control character, to neither page nor text."""
    entries = [
        decision(tool=name, rule=name, codec=name, handle=HANDLES[0], tokens={name: [4, 2]}),
        decision(tool=name, rule=None, outcome="passed", reason=name),
        recovery(HANDLES[0], 300),
    ]
    plain = [
        decision(tool="n", rule="n", codec="n", handle=HANDLES[0], tokens={"n": [4, 2]}),
        decision(tool="n", rule=None, outcome="passed", reason="n"),
        recovery(HANDLES[0], 300),
    ]
    page = render_page(record_of(entries))
    assert [tag for tag, _ in read_page(page).seen] == [tag for tag, _ in read_page(render_page(record_of(plain))).seen]
    text = render_text(record_of(entries))
    for shown in (page, text):
        assert all(character.isprintable() or character == "\n" for character in shown)
        shown.encode("utf-8")
    assert len(text.split("\n")) == len(render_text(record_of(plain)).split("\n"))


def test_the_page_needs_nothing_else():
    """No script, no address but the name of nothing, and a policy that allows neither."""
    page = render_page(record_of(MIXED))
    tags = read_page(page)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in tags.seen}
    assert not re.search(r"https?:|url\(|@import|\b(?:src|href)=", page)
    assert any("default-src 'none'" in attributes.get("content", "") for _, attributes in tags.seen)
    assert "color-scheme: light dark" in page


def test_the_chart_can_be_read_without_seeing_it():
    """An image with a title and a description, bars of the right length, and a table that holds all figures."""
    page = render_page(record_of(MIXED))
    chart = ET.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    assert chart.get("role") == "img"
    names = chart.get("aria-labelledby").split()
    assert [chart.find(f"*[@id='{name}']").text is not None for name in names] == [True, True]
    widths = {
        style: [float(bar.get("width")) for bar in chart.findall(f"rect[@class='{style}']")][1:]
        for style in ("before", "after", "again")
    }
    # dq, bash.cargo_test, bash.git_log, and the diagnostic, largest first.
    assert widths["after"][0] == pytest.approx(widths["before"][0] / 3, abs=0.1)
    assert widths["before"] == sorted(widths["before"], reverse=True)
    assert len(widths["before"]) == 4
    tags = read_page(page)
    head = [attributes for tag, attributes in tags.seen if tag == "th"]
    assert all(attributes.get("scope") in ("col", "row") for attributes in head)
    assert "caption" in {tag for tag, _ in tags.seen}
    for figure in ("90,000", "30,000", "66.67", "-20", "no_rule 1", "o200k_base"):
        assert figure in tags.text


def test_a_long_chart_says_what_it_leaves_out():
    """Twenty bars; the table has all rows."""
    page = render_page(
        record_of([decision(rule=f"bash.rule_{number:02}", bytes=[number, 0]) for number in range(1, 31)])
    )
    assert "The 20 largest of 30; the others are in the table." in page
    assert page.count('class="before"') == 21
    assert page.count('<tr><th scope="row">') == 30


@given(st.lists(st.sampled_from(["a", "b"]), max_size=4))
def test_pages_and_texts_are_functions_of_the_record(tools):
    """Twice the same."""
    entries = [decision(tool=tool) for tool in tools]
    assert render_page(record_of(entries)) == render_page(record_of(entries[::-1]))
    assert render_text(record_of(entries)) == render_text(record_of(entries[::-1]))
