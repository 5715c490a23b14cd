# ruff: noqa: PYI021, N818 - the one place where an editor finds what these do
"""The native codec of cablese: what `runtime/native.py` chooses. Text is str, JSON is str or bytes."""

from typing import Literal

__version__: str

class NotApplicable(Exception):
    """A payload that a codec does not take; its one argument is the detail that cablese records."""

class NotMine(Exception):
    """Python has to do it: the text is no JSON, nested too deeply, too large, or of surrogates."""

class Panicked(RuntimeError):
    """A defect of this library, as an ordinary exception."""

def count_until(text: str, encoding: Literal["o200k_base", "cl100k_base"], limit: int | None = None) -> int | None:
    """Return the exact number of tokens, None if there are more than `limit`. Raises ValueError, Panicked."""

def ready_to_count(wait: bool) -> bool:
    """Have both vocabularies read, once per process, and tell whether they have been. Raises Panicked."""

def compress_columnar(
    payload: str | bytes,
    *,
    strict: bool,
    min_rows: int = 20,
    heterogeneity_percent: int = 150,
    clip: int | None = None,
) -> tuple[str, str, str | None, bool]:
    """Return text, guarantee, detail, and whether it is proved. Raises NotApplicable, NotMine, Panicked."""

def compress_json_compact(
    payload: str | bytes, *, recoverable: bool, drop_nulls: bool = False, dedup: str = "on"
) -> tuple[str, str, str | None, bool]:
    """Return text, guarantee, detail, and whether it is proved. Raises NotApplicable, NotMine, Panicked."""

def decode_columnar(shown: str) -> str | None:
    """Return the text of the rows behind a table of guarantee `value`, None for another. Raises NotMine, Panicked."""

def decode_json_compact(shown: str) -> str | None:
    """Return the text behind markers, None where a marker is none. Raises NotMine, Panicked."""

def object_keys(text: str) -> list[str] | None:
    """Return the keys of a JSON object, None for a list. Raises NotMine, Panicked."""
