"""Tables, JSON and logs: their modules read a text or say that it is none of theirs, and prove what they read."""

from __future__ import annotations

import pytest
from cablese.runtime.admission import json_kind, jsonl, log, log_severity, tabular
from cablese.runtime.admission.kinds import DecodeError, NotThisKindError
from hypothesis import given
from hypothesis import strategies as st

MODULES = (json_kind, jsonl, tabular, log, log_severity)
SIZE = 1 << 14

PIECES = st.sampled_from(
    ["a", "B", "0", " ", "  ", "\t", "\n", "|", ",", "-", "---", "+", '"', "{", "}", "[", "]", ":", "=", "*", "…", "東",
     "\r\n", "NAME", "INFO ", "12:00:01 ", "\x00", "\ud800", "é", '{"a":1}\n', "| a | b |\n", "|---|---|\n",
     "a,b,c\n", "x  y  z\n"]
)  # fmt: skip
LONG = {
    "one line": "a" * SIZE,
    "spaces": " " * SIZE,
    "line feeds": "\n" * SIZE,
    "brackets": "[" * SIZE,
    "objects": '{"a":' * (SIZE // 5),
    "quotes": '"' * SIZE,
    "a quote of quotes": 'a,b,c\n"' + '""' * (SIZE // 2),
    "bars": "|" * SIZE,
    "tabs": "\t" * SIZE,
    "rules": "a b\n" + "- " * (SIZE // 2) + "\n",
    "crosses": "a|b\n" + "-+" * (SIZE // 2) + "-\n" + "1|2\n" * 9,
    "one long cell": "A  B  C\n" + "x  y  z\n" * 99 + "x  y  " + "z" * SIZE + "\n",
    "one long line": "A  B  C  D\n" + " " * SIZE + "x\n" + "a  b  c  d\n" * 99,
    "words": "USER PID A B C D\n" + "w " * SIZE,
    "times": "2026-01-02T15:04:05Z INFO x\n" * (SIZE // 28),
    "times and a long line": "2026-01-02T15:04:05Z INFO x\n" * 9 + "2026-01-02T15:04:05Z " + "x " * SIZE,
    "levels": "INFO " * (SIZE // 5),
}


def _prove(module, text):
    """Read a text, and prove its form, as the router does; return whether it was read."""
    try:
        parsed = module.recognise(text)
    except NotThisKindError:
        return False
    shown = module.encode(parsed)
    if module.GUARANTEE == "exact":
        assert module.decode(shown) == text
    elif module.GUARANTEE == "value" and shown != text:
        try:
            assert module.same(text, module.decode(shown))
        except DecodeError:
            # A style that cannot write such cells: the router then shows the text.
            assert module is tabular
    return True


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_text_is_read_and_proved_or_left(text):
    """Nothing but the one error leaves a module."""
    for module in MODULES:
        _prove(module, text)


@given(st.text(max_size=40), st.integers(1, 8))
def test_any_characters_again_and_again_are_read_and_proved_or_left(text, times):
    """Surrogates, controls, separators of lines that are none here."""
    for module in MODULES:
        _prove(module, f"{text}\n" * times)


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_what_is_long_and_of_one_sort_is_read_and_proved_or_left(text):
    """No depth, no length of a line, and no number of quotes stops a module."""
    for module in MODULES:
        _prove(module, text)


@given(st.lists(PIECES, max_size=60).map("".join), st.sampled_from([tabular, log, jsonl, json_kind]))
def test_decoders_take_any_text_or_refuse_it(text, module):
    """Nothing but a DecodeError leaves a decoder, also behind its head line."""
    heads = {tabular: "[csv table of 3 rows, cells split by commas]\n", log: log.HEAD, jsonl: jsonl.MIXED_HEAD}
    for shown in (text, heads.get(module, '{"fields":') + text):
        try:
            module.decode(shown)
        except DecodeError:
            continue
