"""How rule files look: each `.cable` of `layouts/` beside its layout. `make goldens` writes the layouts anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from cablese.dsl.format import FormatError, format_source
from cablese.dsl.format import render as rendering
from cablese.dsl.source import Source

from .texts import formatted

LAYOUTS = Path(__file__).with_name("layouts")


@pytest.mark.parametrize("path", sorted(LAYOUTS.glob("*.cable")), ids=lambda path: path.stem)
def test_layout(path, snapshot):
    """The layout of a file, which is its own layout."""
    out = formatted(path.read_text(encoding="utf-8"))
    snapshot.snapshot_dir = LAYOUTS
    snapshot.assert_match(out, f"{path.stem}.layout.txt")
    assert formatted(out) == out


@pytest.mark.parametrize(
    "broken",
    [
        'word a = [a]\nword b = "x"\n',
        'lines a { b = "\\x" }\n',
        "# \u202e\n",
        "options a { option -x, # here\n -y }\n",
        "}\n",
    ],
    ids=["syntax", "escape", "limit", "comment", "brace"],
)
def test_broken_files_have_no_layout(broken):
    """What is wrong with a file is said, and nothing is returned in its place."""
    result = format_source(Source("test.cable", broken))
    assert result.text is None
    assert result.diagnostics


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text.replace("word", "wort"), "does not parse"),
        (lambda text: text.replace("[a]", "[b]"), "says something else"),
        (lambda text: text.replace("[a]", "[\\u{61}]"), "in other words"),
        (lambda text: text.replace("  # one", ""), "other comments"),
        (lambda text: text.replace("# two", "# one"), "other comments"),
        (lambda text: text.replace("one", "three").replace("two", "one").replace("three", "two"), "another order"),
        (lambda text: text.replace("word a", "word  a"), "another layout"),
        (lambda text: f"{text}\n", "another layout"),
    ],
)
def test_output_is_proved(damage, said, monkeypatch):
    """A layout that is anything but the same text in other blanks is never returned."""
    right = rendering.render_file
    original = "word a=[a] # one\n# two\n"
    calls = []

    def wrong(lines, comments):
        calls.append(1)
        return damage(right(lines, comments)) if len(calls) == 1 else right(lines, comments)

    monkeypatch.setattr("cablese.dsl.format.render_file", wrong)
    with pytest.raises(FormatError, match=said):
        format_source(Source("test.cable", original))


def test_an_unchanged_text_is_its_own_proof(monkeypatch):
    """What is in its layout is parsed once."""
    text = formatted("word a=[a] # one\n")
    monkeypatch.setattr("cablese.dsl.format._prove", None)
    assert format_source(Source("test.cable", text)).text == text
