"""The page of a difference as text: the same bytes for the same inputs, needing nothing else, with nothing let out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html import unescape

from cablese.compiler.diff.compare import compare
from cablese.compiler.diff.page import embed_json, quote_code, render_page
from cablese.compiler.diff.page_record import MOST_ORIGINAL, page_record
from cablese.compiler.diff.results import Item
from cablese.compiler.diff.spelled import WIDTH, spell_section
from cablese.compiler.trials import Trial
from hypothesis import given, settings
from hypothesis import strategies as st

from ..rules import sketch
from .sides import difference, packed, side

MANY = "".join(f"[{n}] Running the nightly import of archive {n} from the northern warehouse\n" for n in range(1, 30))
FEW = "[1] Running a\n1 jobs\n"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@cache
def changed():
    """Return a difference of a summary, over an output that is shown and one that is too short for it."""
    return difference(sketch(), sketch(summary="jobs: {{ running }}"), f"{MANY}29 jobs\n", FEW)


def data(page: str) -> dict:
    """Return the data of a page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_the_page_is_a_function_of_the_difference():
    """Byte for byte, also from another process with another seed for hashes, and without a path of this machine."""
    page = render_page(changed())
    assert page == render_page(changed())
    code = (
        "from cablese.tests.compiler.diff.test_page import changed; from cablese.compiler.diff.page import render_page;"
        "import sys; sys.stdout.write(render_page(changed()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": "7"})
    assert done.stdout.decode() == page
    assert not re.search(r"/(?:home|tmp|root|work|usr)/", page)
    assert data(page) == json.loads(json.dumps(page_record(changed())))


def test_numbers_in_names_are_read_as_numbers():
    """Of results that changed alike, `run 9` stands before `run 10`, and so do their places by name."""
    names = ["run 10", "run 9", "a", "run 09", "run", "run 10 b", "9", "10"]
    once = changed()
    result = next(each for each in once.results if each.change == "result_changed")
    again = tuple(replace(result, item=Item(name, result.item.result)) for name in names)
    found = page_record(replace(once, results=again))["results"]
    assert [each["name"] for each in found] == ["9", "10", "a", "run", "run 09", "run 9", "run 10", "run 10 b"]
    assert [each["place"] for each in found] == [*range(len(names))]


def test_the_page_needs_nothing_else():
    """No address, no attribute that loads, and a policy that names the one style and script by their digests."""
    page = render_page(changed())
    assert not re.search(r"https?:|url\(|@import|\b(?:src|srcset|action)=|<link|<base|<iframe|\bon\w+=", page)
    assert re.findall(r'href="([^#][^"]*)"', page) == []
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for name, tag in (("style", "style"), ("script", "script")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy


@given(JSON)
def test_embedded_json_holds_no_markup_and_is_the_value(value):
    """Nothing in it can end an element or begin one, and it reads back as what it was."""
    text = embed_json(value)
    assert not set(text) & set("<>&")
    assert json.loads(text) == value


@given(st.text())
def test_quoted_code_is_escaped_text(text):
    """Whatever words hold, the only tags are those of code."""
    shown = quote_code(text)
    assert set(re.findall(r"<[^>]*>", shown)) <= {"<code>", "</code>"}
    assert shown.count("<code>") == shown.count("</code>")


@settings(max_examples=20)
@given(st.text(alphabet="<>&\"'`\\/! -abc\x00\x1b\u202e\u2028\ud800\n", max_size=60))
def test_no_text_of_others_becomes_markup(hostile):
    """As the name of a result, its command and its output, it changes no tag of the page, and nothing of it acts."""
    old, new = changed().old, changed().new
    result = Trial("bash", "jobs", f"{MANY}29 jobs\n{hostile}").result()
    plain, odd = (
        render_page(
            replace(
                changed(),
                old=replace(old, label=label),
                new=replace(new, label=label),
                results=tuple(
                    replace(each, item=Item(label, result._replace(arguments={"command": label})))
                    for each in changed().results
                ),
            )
        )
        for label in ("label", hostile)
    )
    tags = re.compile(r"<[a-zA-Z/!][^>]*>")
    assert tags.findall(odd) == tags.findall(plain)
    assert not set(odd) & set("\x00\x1b\u202e\u2028\ud800")
    odd.encode()


def test_rules_are_told_as_they_are_written_or_where_there_is_a_pack_as_they_are_compiled():
    """Both texts of a changed rule, one of a new one and of one that is gone; a pack makes both sides compiled ones."""
    other = sketch(id="bash.other", command="other { option -a }")
    found = page_record(compare(side(sketch()), side(sketch(summary="jobs: {{ running }}") + other), []))["rules"]
    assert found["bash.other"] == (None, [other.strip()])
    assert "running: {{ running }}" in found["bash.jobs"][0][0]
    assert "  jobs: {{ running }}" in found["bash.jobs"][1][0]
    page = render_page(compare(packed(sketch(), "1.0.0"), side(other), []))
    assert data(page)["rules"]["bash.jobs"][0][0].startswith('{\n  "commands": [')
    assert "rules are compared as they were compiled" in page


def test_versions_that_do_not_hold_are_said():
    """What the newer pack declares, and what it deserves."""
    page = render_page(compare(packed(sketch(), "1.0.0"), packed(sketch(stdout="job+ done"), "1.0.1"), []))
    assert "declares <code>1.0.1</code>, too small a version; it deserves <code>2.0.0</code>" in page
    assert "jobs 1.0.0 → jobs 1.0.1" in page


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_a_spelled_section_reads_back(section):
    """It is the JSON of the section, in lines of bounded length but for single values and their names."""
    text = spell_section(section)
    assert json.loads(text) == section
    for line in text.split("\n"):
        assert len(line) <= WIDTH or not re.search(r"[\[{]\S.*, .*[\]}],?$", line) or '"' in line


@given(st.text(alphabet="abc \n", min_size=1, max_size=40), st.integers(1, 2000), st.text(alphabet="ab\n", max_size=9))
def test_a_long_text_keeps_its_ends_and_counts_what_is_left_out(part, times, end):
    """The pieces that are held and the characters and lines between them make the whole."""
    text = part * times + end
    item = Item("long", Trial("bash", "jobs", text, metadata={"merged": text}).result())
    shown = changed().results[0]
    record = page_record(replace(changed(), results=(replace(shown, item=item, new=replace(shown.new, shown=None)),)))
    held = record["results"][0]["original"]
    if len(text) <= MOST_ORIGINAL:
        assert held == [text]
        return
    head, characters, lines, tail = held
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + characters + len(tail) == len(text)
    assert text[len(head) : len(text) - len(tail)].count("\n") == lines
    assert len(head) + len(tail) <= MOST_ORIGINAL
