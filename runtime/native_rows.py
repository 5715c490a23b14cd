"""The codecs of rows on text, by the native codec where it is there: `columnar` and `json_compact`.

Input: the name of a codec, a payload, a `Request`. Output: what the Python codec would return, byte for byte, or its
NotApplicableError with its words; None where Python has to do it, which is always right.

By this payload: text and bytes go there, values in memory stay here, and so do short texts in a process
that has not loaded the codec, which takes longer to load than they take. What Python alone does: level `aggressive`
with the original kept, text that is no JSON (the words are those of `json`), is nested deeper than 100, longer than
64 MiB, or has surrogates.

Invariants: a claim of `value` counts as proved only where the codec's own reader, which shares nothing with its writer,
read the text back as the very value of the payload; else the claim is proved in Python. Whatever else goes wrong there
is left to Python.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from .codecs.codec import Encoded, NotApplicableError, Request

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

WORTH = 16 * 1024
"""So short a text, in characters or bytes, takes Python less than loading the codec does."""

_STRINGS = (str, bytes)
_DEDUP = ("on", "auto", "off")


class NativeEncoded(NamedTuple):
    """What was encoded, and whether it was read back as the value of the payload."""

    encoded: Encoded
    proved: bool


def is_for_native(name: str, payload: Any, request: Request) -> bool:
    """Tell whether a payload is of the kind that the native codec takes, whether it is there or not."""
    if type(payload) not in _STRINGS or request.level == "none" or name not in _SETTINGS:
        return False
    return request.level != "aggressive" or not request.recoverable


def encode_natively(name: str, payload: Any, request: Request) -> NativeEncoded | None:
    """Encode a payload, or return None where Python has to. Raises NotApplicableError."""
    if not is_for_native(name, payload, request):
        return None
    module, settings = _module(len(payload)), _SETTINGS[name](request)
    if module is None or settings is None:
        return None
    made = _call(module, f"compress_{name}", payload, settings)
    return None if made is None else NativeEncoded(Encoded(*made[:3]), made[3])


def object_keys(text: str) -> tuple[list[str] | None] | None:
    """Return, alone in a tuple, the keys of the JSON object in a text, None for a list; or None where Python has to."""
    module = _module(len(text))
    if module is None:
        return None
    found = _call(module, "object_keys", text, {})
    return None if found is None else (found[0],)


def _module(length: int) -> ModuleType | None:
    if length < WORTH and "cablese_codec" not in sys.modules:
        return None
    from .native import codec

    return codec()


def _call(module: ModuleType, name: str, payload: Any, settings: dict[str, Any]) -> tuple[Any, ...] | None:
    """Call a function of the codec; None where it gave the work back, or failed. Raises NotApplicableError."""
    try:
        try:
            made = getattr(module, name)(payload, **settings)
        except module.NotApplicable as refusal:
            raise NotApplicableError(str(refusal)) from None
        except (module.NotMine, MemoryError):
            return None
    except NotApplicableError:
        raise
    except BaseException as error:
        # A panic of pyo3 itself is no `Exception`.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        from .native import leave_out

        leave_out(error)
        return None
    return made if isinstance(made, tuple) else (made,)


def _columnar(request: Request) -> dict[str, Any] | None:
    settings: dict[str, Any] = {"strict": request.level == "minimal" or not request.recoverable}
    for name in ("min_rows", "heterogeneity_percent", "clip"):
        value = request.params.get(name)
        if value is None and name not in request.params:
            continue
        if type(value) is not int or not 0 <= value < 1 << 31:
            return None
        settings[name] = value
    return settings


def _json_compact(request: Request) -> dict[str, Any] | None:
    nulls, dedup = request.params.get("nulls", "keep"), request.params.get("dedup", "on")
    if dedup not in _DEDUP:
        return None
    return {"recoverable": request.recoverable, "drop_nulls": nulls == "drop", "dedup": dedup}


_SETTINGS: dict[str, Callable[[Request], dict[str, Any] | None]] = {
    "columnar": _columnar,
    "json_compact": _json_compact,
}
