"""The specification and the native codec answer every conformance case alike, refusals in their very words.

`CABLESE_UPDATE=1` writes what Python answers into `cases/`, one case a line, which `cargo test` reads, too. A case says
`python` where the native codec has to give the work back: what it makes of it is then not asked.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from cablese.runtime.codecs.codec import NotApplicableError, Request
from cablese.runtime.codecs.registry import find_codec
from cablese.runtime.native_rows import encode_natively

from .inputs import inputs

CASES = Path(__file__).parent / "cases"
ONLY_PYTHON = ("not JSON: ", "`NaN` is", "`Infinity` is", "`-Infinity` is", "nested deeper", "the text is not Unicode")
"""Refusals that are Python's words for what is no JSON, and those that depend on its stack."""


def answer(codec: str, payload: str | bytes, request: Request) -> dict[str, Any]:
    """Return what Python makes of a payload."""
    found = find_codec(codec)
    assert found is not None
    try:
        made = found.compress(payload, request)
    except NotApplicableError as refusal:
        return {"refused": str(refusal)}
    return {"payload": made.payload, "guarantee": made.guarantee, "detail": made.detail}


def case(codec: str, payload: str | bytes, level: str, recoverable: bool, params: dict[str, Any]) -> dict[str, Any]:  # noqa: FBT001 - one row of the table of inputs
    """Return a case with its answer."""
    said = answer(codec, payload, Request(level, params, recoverable))
    text = payload.decode("latin-1") if isinstance(payload, bytes) else payload
    python = (
        text.startswith("[" * 101)
        or said.get("refused", "").startswith(ONLY_PYTHON)
        or (level == "aggressive" and recoverable)
    )
    given = {"bytes": payload.hex()} if isinstance(payload, bytes) else {"text": payload}
    asked = {"codec": codec, "level": level, "recoverable": recoverable, "params": params}
    if python and "refused" in said:
        # Their words differ between versions of Python, and nobody else has to say them.
        said = {"refused": None}
    return asked | given | {"python": python} | said


def cases() -> dict[str, str]:
    """Return the text of each file."""
    files: dict[str, list[str]] = {}
    for each in inputs():
        files.setdefault(each[0], []).append(json.dumps(case(*each)))
    return {name: "[\n" + ",\n".join(lines) + "\n]\n" for name, lines in files.items()}


def test_python_answers_as_the_cases_say() -> None:
    """Whatever the version of Python, and whether or not the native codec is there."""
    for name, text in cases().items():
        path = CASES / f"{name}.json"
        if os.environ.get("CABLESE_UPDATE"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.read_text("utf-8").splitlines() == text.splitlines()


@pytest.mark.parametrize("name", ["columnar", "json_compact"])
def test_the_native_codec_answers_as_the_cases_say(name: str, codec: object) -> None:
    """Values are proved by its own reader, too; what is Python's it gives back."""
    assert codec is not None
    for each in json.loads((CASES / f"{name}.json").read_text("utf-8")):
        payload = bytes.fromhex(each["bytes"]) if "bytes" in each else each["text"]
        request = Request(each["level"], each["params"], each["recoverable"])
        if "refused" in each and not each["python"]:
            with pytest.raises(NotApplicableError) as refusal:
                encode_natively(name, payload, request)
            assert str(refusal.value) == each["refused"]
            continue
        made = encode_natively(name, payload, request)
        assert (made is None) == each["python"], each
        if made is not None:
            assert made.encoded == (each["payload"], each["guarantee"], each["detail"])
            assert made.proved == (each["guarantee"] == "value")
