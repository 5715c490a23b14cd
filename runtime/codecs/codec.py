"""What a codec is: one transform of a payload, with the guarantee that it declares for what it made.

Input: a payload (text, bytes, or any JSON value) and a `Request`. Output: `Encoded`, or NotApplicableError with the
cause. Guarantees, strongest first: `exact` (a decoder returns the same bytes), `value` (the same JSON value: types, key
order, duplicate keys and number spelling included), `shape` (null and absent, white space or key order may differ),
`summary` (something is left out).

Invariants of every codec: pure, deterministic, synchronous; a payload is never changed, and what is returned shares no
container with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol

GUARANTEES = ("exact", "value", "shape", "summary")


class Encoded(NamedTuple):
    """What a codec made of a payload.

    `payload` is what a model is to see: text where text (or bytes) came in, else a JSON value. `guarantee` is one of
    `GUARANTEES`; `detail` says what a reader of the record should know about it.
    """

    payload: Any
    guarantee: str
    detail: str | None = None


class Request(NamedTuple):
    """How a payload is to be encoded.

    `level` is `none`, `minimal`, `normal` or `aggressive`; `params` are the settings of the entry, as listed in
    `runtime/codecs_table.py`. `recoverable`: the original will be kept, or the caller does without, so a guarantee
    below `value` is allowed where the level admits it. `budget_tokens` is read only at `aggressive`.
    """

    level: str
    params: Mapping[str, Any] = {}
    recoverable: bool = False
    budget_tokens: int | None = None


class NotApplicableError(Exception):
    """The codec does not take this payload. The message is the cause, as it stands in a record."""


class DecodeError(ValueError):
    """A payload is not of the form that a codec makes. The message says where it differs."""


class Codec(Protocol):
    """A codec. It may also have `decode(shown) -> payload`, the inverse of its forms of guarantee exact and value."""

    codec_name: ClassVar[str]

    def compress(self, payload: Any, request: Request) -> Encoded:
        """Encode a payload. Raises NotApplicableError."""
        ...
