"""Signatures of packs: Ed25519 (RFC 8032) over the digest, in the first line of the file.

Input: a pack and the public keys that count, as 64 hex digits. Output: the key whose signature holds, or a `PackError`
of its own kind.

What is signed is `signed_message`: a line that says what it is, and the beginning of the pack's first line with format
and digest. The digest is that of the header, which holds name, version and the digest of every section, so a signature
is for one pack alone. Signing changes the first line and no digest.

Only the arithmetic is `cryptography`'s (extra `sign`), and it is loaded only where a signature is checked. OpenSSL
calculates the same: `docs/deploying.md` has it check one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..digests import sha256
from .errors import (
    PackAltered,
    PackSignatureBroken,
    PackSignatureUnchecked,
    PackSignedByAnother,
    PackUnsigned,
)

if TYPE_CHECKING:
    from .pack import Pack

SCHEME: Final = "ed25519"
MOST_SIGNATURES: Final = 8
MISSING: Final = "the package `cryptography` is not installed: pip install 'cablese[sign]'"
_KEY_DIGITS, _SIGNATURE_DIGITS, _CHECK_DIGITS = 64, 128, 16
_HEX: Final = frozenset("0123456789abcdef")


class Signature(NamedTuple):
    """A signature as the first line holds it: public key and signature, both as hex."""

    key: str
    value: str


def signed_message(beginning: str) -> bytes:
    """Return what is signed, for the beginning of a first line: `cablepack FORMAT DIGEST`."""
    return f"cablese pack signature\n{beginning}\n".encode("ascii")


def parse_signatures(beginning: str, rest: str) -> tuple[Signature, ...]:
    """Read what stands behind the digest in a first line: signatures, and the check of the line. Raises PackAltered."""
    *words, check = rest.split(" ")
    if not 1 <= len(words) <= MOST_SIGNATURES or check != _check(beginning, words):
        raise PackAltered("the check of the first line does not hold")
    found = [_parse_signature(word) for word in words]
    if len({signature.key for signature in found}) != len(found):
        raise PackAltered("the first line holds two signatures of one key")
    return tuple(found)


def render_first_line(beginning: str, signatures: Sequence[Signature]) -> str:
    """Return a first line with these signatures, without its line end."""
    words = [f"{SCHEME}:{signature.key}:{signature.value}" for signature in signatures]
    return " ".join([beginning, *words, _check(beginning, words)]) if words else beginning


def check_signature(pack: Pack, keys: Collection[str]) -> str:
    """Return the key, of those that count, whose signature of the pack holds.

    Raises PackUnsigned, PackSignedByAnother, PackSignatureBroken, and PackSignatureUnchecked without `cryptography`.
    """
    if not pack.signatures:
        raise PackUnsigned("a signature is demanded, and it has none")
    counted = [signature for signature in pack.signatures if signature.key in keys]
    if not counted:
        signers = ", ".join(f"{SCHEME}:{signature.key}" for signature in pack.signatures)
        raise PackSignedByAnother(f"{signers} is none of the keys that count")
    for signature in counted:
        if holds(signature, signed_message(pack.beginning)):
            return signature.key
    raise PackSignatureBroken(f"it is not by {SCHEME}:{counted[0].key}, or not of this pack")


def holds(signature: Signature, message: bytes) -> bool:
    """Tell whether a signature of a message holds. Raises PackSignatureUnchecked without `cryptography`."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise PackSignatureUnchecked(MISSING) from None
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key)).verify(bytes.fromhex(signature.value), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _parse_signature(word: str) -> Signature:
    scheme, *parts = word.split(":")
    if scheme != SCHEME or [len(part) for part in parts] != [_KEY_DIGITS, _SIGNATURE_DIGITS]:
        raise PackAltered("the first line holds something else than signatures")
    if not all(_HEX.issuperset(part) for part in parts):
        raise PackAltered("the first line holds something else than signatures")
    return Signature(*parts)


def _check(beginning: str, words: Sequence[str]) -> str:
    """Return what tells that no character of a signed first line was changed, without any key."""
    return sha256(" ".join([beginning, *words]).encode("ascii")).hexdigest()[:_CHECK_DIGITS]
