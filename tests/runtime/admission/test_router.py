"""The content router: its record in every branch, and what may come out of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cablese.runtime import ContentKind, ContentRouter
from cablese.runtime.admission import choice
from cablese.runtime.admission.choice import estimate_tokens
from cablese.runtime.admission.registry import decode_form
from hypothesis import given
from hypothesis import strategies as st

from .texts import CODE, DIFF, JSON_ROWS, NOTHING, PATHS, PROSE, SEARCH

PASSED = "pass-through"


def test_an_estimate_is_a_fourth_of_the_characters_rounded_up():
    """Nothing is no token, and a single character is one."""
    assert [estimate_tokens(text) for text in ("", "a", "abcd", "abcde", "ж" * 8)] == [0, 1, 1, 2, 2]


def test_what_is_at_the_threshold_is_not_even_classified():
    """Up to 256 tokens of four characters, text passes as it is, and its kind is not known."""
    router = ContentRouter()
    small = ("{" + '"a":1,' * 300)[:1024]
    admitted = router.admit(small)
    assert admitted.content is small
    assert admitted == (
        small, ContentKind.UNKNOWN, PASSED, 256, 256, "below the compression threshold", False, None,
    )  # fmt: skip
    assert router.admit(small + "x").reason == "no compressor for unknown"


@pytest.mark.parametrize("text", [PATHS, SEARCH, JSON_ROWS])
def test_what_is_shortened_says_by_how_much(text):
    """Sizes are before and after; the ratio is their quotient; nothing is said against it."""
    admitted = ContentRouter().admit(text)
    assert not admitted.passed
    assert admitted.reason == ""
    assert (admitted.original_tokens, admitted.compressed_tokens) == (
        estimate_tokens(text), estimate_tokens(admitted.content),
    )  # fmt: skip
    assert admitted.ratio == admitted.compressed_tokens / admitted.original_tokens < 1
    assert admitted.saved_tokens == admitted.original_tokens - admitted.compressed_tokens > 0


def test_exact_forms_are_the_text_again():
    """At level `exact`, whatever is shown is decoded to the very text."""
    for text, kind in ((PATHS, ContentKind.PATHS), (SEARCH, ContentKind.SEARCH)):
        admitted = ContentRouter(level="exact").admit(text)
        assert admitted.kind is kind
        assert decode_form(kind, "exact", admitted.content) == text


def test_a_level_admits_its_guarantees():
    """JSON is shown in another form from `value` on; code only at `normal`, and not without a word on its loss."""
    assert ContentRouter(level="exact").admit(JSON_ROWS).reason == "no compressor for json"
    assert not ContentRouter(level="value").admit(JSON_ROWS).passed
    for router in (ContentRouter(level="value"), ContentRouter(level="normal")):
        admitted = router.admit(CODE)
        assert (admitted.kind, admitted.reason) == (ContentKind.CODE, "no compressor for code")
    lossy = ContentRouter(level="normal", unrecoverable_ok=True).admit(CODE)
    assert not lossy.passed
    assert lossy.handle is None


@pytest.mark.parametrize("text", ["short", NOTHING, DIFF, PATHS, JSON_ROWS, PROSE, CODE, "\x00" * 5000])
@pytest.mark.parametrize("untrusted", [False, True])
def test_trust_is_what_came_in_and_what_passes_is_the_same_object(text, untrusted):
    """In every branch `untrusted` is copied; the content of what passes is the original object."""
    admitted = ContentRouter().admit(text, untrusted=untrusted)
    assert admitted.untrusted is untrusted
    assert (admitted.content is text) == admitted.passed == bool(admitted.reason)


def test_a_diff_is_recognised_and_shown_whole():
    """There is no form for diffs."""
    admitted = ContentRouter().admit(DIFF)
    assert (admitted.kind, admitted.reason) == (ContentKind.DIFF, "no compressor for diff")


def test_a_form_that_fails_or_lies_costs_nothing(monkeypatch):
    """An encoder that raises, and one whose decoder gives another text, pass the original and are named."""
    from cablese.runtime.admission import paths

    def fail(_parsed: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(paths, "encode", fail)
    assert ContentRouter().admit(PATHS).reason == f"{paths.NAME} failed: ZeroDivisionError"
    monkeypatch.setattr(paths, "encode", lambda _parsed: "[other]")
    monkeypatch.setattr(paths, "decode", lambda _shown: "another text")
    admitted = ContentRouter().admit(PATHS)
    assert admitted.reason == f"{paths.NAME} failed: UnfaithfulFormError"
    assert admitted.content is PATHS


def test_a_form_of_as_many_tokens_counts_as_expanded():
    """Ties go to the original."""
    from cablese.runtime.admission import paths

    admitted = ContentRouter(count=lambda _text: 500).admit(PATHS)
    assert admitted.reason == f"{paths.NAME} expanded its input"
    assert admitted.kind is ContentKind.PATHS
    assert admitted.ratio == 1.0


def test_a_counter_that_fails_passes_the_text():
    """What the caller's counter raises does not come out."""
    admitted = ContentRouter(count=lambda text: len(text) // 0).admit(PATHS)
    assert admitted.reason == "pass-through failed: ZeroDivisionError"
    assert (admitted.content is PATHS, admitted.ratio) == (True, 1.0)


def test_a_parser_that_runs_out_of_stack_does_not_get_out(monkeypatch):
    """Whatever a kind's parser raises, the text is only not of that kind."""

    def overflow(_text: str) -> None:
        raise RecursionError

    from cablese.runtime.admission import classify

    for form in classify.FORMS:
        module = classify.load_form(form)
        if module is not None:
            monkeypatch.setattr(module, "recognise", overflow)
    assert ContentRouter().admit(PATHS).reason == "no compressor for unknown"


def test_a_weaker_form_has_to_save_a_quarter_more(monkeypatch):
    """Of two forms of a kind the exact one is shown, unless the other needs at most three quarters of its tokens."""
    from types import SimpleNamespace

    from cablese.runtime.admission.registry import Form

    strong, weak = Form("strong", ContentKind.LOG, "exact"), Form("weak", ContentKind.LOG, "summary")
    modules = {
        strong: SimpleNamespace(recognise=str, encode=lambda text: text[1:93], NAME="s"),
        weak: SimpleNamespace(recognise=str, encode=lambda text: text[:76], NAME="w"),
    }
    text = "x" * 100
    modules[strong].decode = lambda _shown: text
    monkeypatch.setattr(choice, "forms_of", lambda _kind: (strong, weak))
    monkeypatch.setattr(choice, "identify", lambda _text: choice.Identity(ContentKind.LOG, "all of it"))
    monkeypatch.setattr(choice, "recognise", lambda form, given: choice.Recognised(form, modules[form], given))
    chosen = choice.choose_form(text, "normal", recoverable=True)
    assert chosen.name == "s"
    modules[weak].encode = lambda given: given[:68]
    assert choice.choose_form(text, "normal", recoverable=True).name == "w"
    assert choice.choose_form(text, "normal", recoverable=False).name == "s"
    modules[strong].encode = lambda given: given + "x"
    modules[weak].encode = lambda given: given[:90]
    assert choice.choose_form(text, "normal", recoverable=True).name == "w"


def test_bad_settings_are_refused_at_once():
    """A level that is none, and a threshold below 0, are errors of the caller."""
    with pytest.raises(ValueError, match="level"):
        ContentRouter(level="all")
    with pytest.raises(ValueError, match="threshold"):
        ContentRouter(-1)


@given(st.text(max_size=400), st.integers(1, 30))
def test_any_text_is_admitted_the_same_twice(text, times):
    """The record depends on the text alone, and is never larger than it."""
    router = ContentRouter(16)
    admitted = router.admit(text * times)
    assert admitted == router.admit(text * times)
    assert admitted.compressed_tokens <= admitted.original_tokens


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.text(max_size=9) | st.integers() | st.none()), max_size=40))
def test_json_keeps_its_value(rows):
    """Of JSON, what is shown at level `value` decodes to the same value."""
    text = json.dumps(rows, indent=1)
    admitted = ContentRouter(8).admit(text)
    if not admitted.passed:
        assert json.loads(decode_form(ContentKind.JSON, "value", admitted.content)) == rows


@pytest.mark.parametrize("text", ['{"fields":["a"],"rows":[[1],[2]]}', '[{"fields": [1], "rows": [[2]]}, 3]'])
def test_json_that_looks_like_our_table_passes_without_a_fault(text):
    """As databases answer: nothing is shortened, and nothing failed."""
    admitted = ContentRouter(threshold_tokens=0).admit(text)
    assert admitted.content is text
    assert (admitted.kind, admitted.reason) == ("json", "json expanded its input")


def test_no_form_is_read_as_what_a_tool_printed():
    """A form that comes in as raw text is of no kind and passes; that of JSON is JSON, and has no shorter form."""
    router, seen = ContentRouter(8, level="normal", unrecoverable_ok=True), 0
    for path in sorted((Path(__file__).parent / "corpus").rglob("*.txt")):
        admitted = router.admit(path.read_bytes().decode("utf-8", "surrogateescape"))
        if not admitted.passed:
            seen += 1
            again = router.admit(admitted.content)
            assert again.passed, path
            assert again.kind in (ContentKind.UNKNOWN, ContentKind.JSON), path
    assert seen > 80


def test_real_results_come_back():
    """Every exact form of a recorded text decodes to that text."""
    router, seen = ContentRouter(8, level="exact"), 0
    for path in sorted((Path(__file__).parent / "corpus").rglob("*.txt")):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        admitted = router.admit(text)
        if not admitted.passed:
            seen += 1
            assert decode_form(admitted.kind, "exact", admitted.content) == text
    assert seen > 30
