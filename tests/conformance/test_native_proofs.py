"""What the native codec claims is proved, too: by its own reader, or else in Python; a fault costs the view alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from cablese.runtime import Compressor, MemoryStore, Reason, ToolResult, decode, native
from cablese.runtime.codecs.codec import Request
from cablese.runtime.native_rows import encode_natively

if TYPE_CHECKING:
    from types import ModuleType

    from cablese.runtime import View

ROWS = json.dumps([{"id": number, "region": "south", "at": {"x": number}} for number in range(1000)])
LOG = json.dumps({"log": [{"code": 500, "path": "/orders"}] * 900})
PAYLOADS = {"columnar": ("dq_execute_database_query", ROWS), "json_compact": ("get_log", LOG)}
FAULTS = {
    "columnar": {
        "a row is lost": ("[7,{", None),
        "a number is another": ("[7,{", "[8,{"),
        "a number is spelled otherwise": ("[7,{", "[7.0,{"),
        "a type is another": ("[7,{", '["7",{'),
        "a column is renamed": ('["id"', '["no"'),
        "columns change places": ('["id","at"]', '["at","id"]'),
        "a constant is another": ('"region":"south"', '"region":"north"'),
        "a constant stands elsewhere": ('"constants_at":[1]', '"constants_at":[0]'),
        "it is no table": ('"rows":', '"rose":'),
    },
    "json_compact": {
        "a marker counts wrong": ('"_repeat":900', '"_repeat":901'),
        "a value is another": ("500", "501"),
        "a key is lost": (',"path":"/orders"', ""),
        "it is no marker": ('"_value"', '"_values"'),
    },
}
EVERY_FAULT = [(name, fault) for name, faults in FAULTS.items() for fault in faults]


class Faulty:
    """The native codec with a fault in its encoder: what it gives is changed, and not proved by its reader."""

    def __init__(self, codec: ModuleType, before: str, after: str | None) -> None:
        self._codec = codec
        self._change = before, after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._codec, name)
        return (lambda *given, **settings: self._break(found(*given, **settings))) if "compress" in name else found

    def _break(self, made: tuple[Any, ...]) -> tuple[Any, ...]:
        shown = change(made[0], *self._change)
        return shown, *made[1:3], False


def change(shown: str, before: str, after: str | None) -> str:
    """Put one text for another, where it stands once, or leave its line out."""
    assert shown.count(before) == 1
    if after is not None:
        return shown.replace(before, after)
    return "\n".join(line for line in shown.split("\n") if before not in line)


def view(name: str, *, debug: bool = False) -> View:
    """Return the view of the payload for a codec at level `minimal`."""
    tool, payload = PAYLOADS[name]
    compressor = Compressor.default(store=MemoryStore(bytes(32)), debug=debug)
    return compressor.view(ToolResult(tool, payload), level="minimal")


@pytest.mark.parametrize(("name", "fault"), EVERY_FAULT)
def test_the_native_reader_proves_nothing_that_is_wrong(codec: ModuleType, name: str, fault: str) -> None:
    """It reads a form that was changed as another value, or not at all."""
    payload = PAYLOADS[name][1]
    made = encode_natively(name, payload, Request("minimal"))
    assert made is not None
    assert made.proved
    read = getattr(codec, f"decode_{name}")
    assert read(made.encoded.payload) == json.dumps(json.loads(payload), separators=(",", ":"))
    assert read(change(made.encoded.payload, *FAULTS[name][fault])) != read(made.encoded.payload)


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(("name", "fault"), EVERY_FAULT)
def test_what_the_native_codec_would_get_wrong_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, codec: ModuleType, name: str, fault: str, *, debug: bool
) -> None:
    """What its reader has not proved Python refuses: the original comes back, the same object."""
    assert view(name, debug=debug).decision.guarantee == "value"
    faulty = Faulty(codec, *FAULTS[name][fault])
    monkeypatch.setattr(native, "codec", lambda: faulty)
    shown = view(name, debug=debug)
    assert shown.content is PAYLOADS[name][1]
    assert (shown.decision.reason, shown.decision.codec) == (Reason.CODEC_ERROR, name)
    assert "claims `value`, and its decoder" in str(shown.decision.detail)


def test_what_is_right_and_not_proved_natively_is_proved_in_python(
    monkeypatch: pytest.MonkeyPatch, codec: ModuleType
) -> None:
    """It is shown all the same."""
    faulty = Faulty(codec, "[7,{", "[7,{")
    monkeypatch.setattr(faulty, "_break", lambda made: (*made[:3], False))
    monkeypatch.setattr(native, "codec", lambda: faulty)
    shown = view("columnar")
    assert shown.decision.guarantee == "value"
    assert json.loads(decode(shown)) == json.loads(ROWS)
