"""Which encoding counts for a model: the families whose text is known to be read as `o200k_base` or `cl100k_base`.

Input: the name of a model. Output: the name of its encoding, or UnsupportedModelError, before anything is read.

A family is meant by its very name, or by its name, `-` and a suffix; `gpt-5` also by `.` and a version. Whatever names
a modality other than text is refused first, wherever the word stands.
"""

from __future__ import annotations

import re

O200K_BASE = "o200k_base"
CL100K_BASE = "cl100k_base"

_O200K_FAMILIES = ("gpt-5", "gpt-4.1", "gpt-4o", "gpt-4.5", "o1", "o3", "o4")
_CL100K_FAMILIES = ("gpt-4", "gpt-3.5-turbo")
_NOT_TEXT = ("embedding", "audio", "realtime", "transcribe", "tts", "image")
_LONGEST = 128

# Letters and digits, with single marks only between them and never at an end.
_SUFFIX = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_FAMILY = "(?:{})(?:-{})?"
_O200K = re.compile(
    rf"{_FAMILY.format('|'.join(map(re.escape, _O200K_FAMILIES)), _SUFFIX)}"
    rf"|gpt-5\.(?=[0-9]){_SUFFIX}|codex-{_SUFFIX}"
)
_CL100K = re.compile(_FAMILY.format("|".join(map(re.escape, _CL100K_FAMILIES)), _SUFFIX))


class UnsupportedModelError(ValueError):
    """A model whose tokens are not known. The message names it."""


def encoding_of(model: str) -> str:
    """Return the encoding of a model. Raises UnsupportedModelError."""
    shown = ascii(model[:_LONGEST])[1:-1]
    for word in _NOT_TEXT:
        if word in model.lower():
            raise UnsupportedModelError(f"`{shown}` is no model of text: its name holds `{word}`")
    if len(model) <= _LONGEST:
        if _O200K.fullmatch(model):
            return O200K_BASE
        if _CL100K.fullmatch(model):
            return CL100K_BASE
    raise UnsupportedModelError(
        f"the tokens of `{shown}` are not known; a model of the families gpt-5, gpt-4 or o3, say"
    )
