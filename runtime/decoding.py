"""The way back: from what a model sees to what it was made of, for forms of guarantee `exact` and `value`.

Input: a `View`, or what stands in one. Output: the text or value that the codec was given; text as the same JSON value
where the guarantee is `value`, byte for byte where it is `exact`.
"""

from __future__ import annotations

from typing import Any

from .codecs.codec import DecodeError
from .codecs.envelope import check_text
from .codecs.registry import find_codec, is_built_in
from .records import Outcome, View

_INVERTIBLE = frozenset({"exact", "value"})


def decode(shown: Any, codec: str | None = None) -> Any:
    """Return the payload behind a view.

    `shown` is a `View`, whose decision names the codec, or its content, of which `codec` made it; without a name the
    codec is told by the form. A view that passed is its own original. Raises DecodeError where the codec is unknown or
    has no way back, where something was left out, and where the content is not of the codec's form.
    """
    if isinstance(shown, View):
        decision = shown.decision
        if decision.outcome is Outcome.PASSED:
            return shown.content
        if decision.guarantee not in _INVERTIBLE:
            raise DecodeError(f"a view of guarantee `{decision.guarantee}` has no way back but its original")
        if codec is None and decision.codec is None and decision.kind is not None:
            return _decode_kind(decision.kind, decision.guarantee, shown.content)
        shown, codec = shown.content, codec or decision.codec
        if codec is None:
            raise DecodeError("no codec made this view")
    name = codec or recognise(shown)
    if name is None:
        raise DecodeError("this is of no codec's form")
    try:
        found = find_codec(name)
    except ImportError as error:
        raise DecodeError(str(error)) from error
    inverse = getattr(found, "decode", None)
    if inverse is None:
        raise DecodeError(f"`{name}` {'is no codec of ours' if found is None else 'has no way back'}")
    try:
        return inverse(shown)
    except RecursionError:
        raise DecodeError("nested too deeply") from None
    except DecodeError:
        raise
    except Exception as error:
        # What others wrote may fail in any way.
        raise DecodeError(f"the decoder of `{name}` raised `{type(error).__name__}`") from error


def _decode_kind(kind: str, guarantee: str, content: Any) -> str:
    """Decode the form of a content kind; of framed text, that of its stdout. Raises DecodeError."""
    from .admission.registry import decode_form
    from .framing import parse_framing
    from .reasons import PassThrough

    text = check_text("content", content)
    if not text.startswith("stdout:\n"):
        return decode_form(kind, guarantee, text)
    # No form begins like that, so the framing is the result's own.
    try:
        stdout, stderr, _ = parse_framing(text)
    except PassThrough as error:
        raise DecodeError(error.detail) from None
    return f"stdout:\n{decode_form(kind, guarantee, stdout)}\nstderr:\n{stderr}"


def recognise(shown: Any) -> str | None:
    """Return the name of the codec whose form this has, None where it has none.

    The forms are those of the house: an envelope that names its codec, a table, an object with a table as `rows`, a
    value with a marker of `json_compact` in one of its lists.
    """
    from .codecs.json_compact import holds_marker
    from .codecs.payloads import NotApplicableError, open_payload
    from .codecs.table_decoder import looks_like_table

    try:
        value = open_payload(shown, _SHOWN_DEPTH).value
    except NotApplicableError:
        return None
    if type(value) is dict:
        if type(value.get("codec")) is str and isinstance(shown, str | bytes):
            name = value["codec"].partition(".")[0]
            return name if is_built_in(name) else None
        if looks_like_table(value) or looks_like_table(value.get("rows")):
            return "columnar"
    return "json_compact" if holds_marker(value, _SHOWN_DEPTH) else None


_SHOWN_DEPTH = 202
"""How deeply the codecs of the house nest what they show, at most."""
