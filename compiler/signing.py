"""Signs packs.

Input: the bytes of a pack, and private keys in PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` writes them.
Output: the pack with these signatures in its first line, in the order of the keys; its digest is what it was.

Ed25519 has no chance in it: the same pack and the same keys give the same bytes. This module needs the extra `sign`;
importing it raises ImportError without.
"""

from __future__ import annotations

from collections.abc import Sequence

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from ..runtime.packs.pack import load_pack
from ..runtime.packs.signature import MOST_SIGNATURES, Signature, render_first_line, signed_message


class SigningError(Exception):
    """A pack that cannot be signed. The message says why."""


def load_private_key(data: bytes) -> Ed25519PrivateKey:
    """Return the key of a PEM file. Raises SigningError."""
    try:
        found = load_pem_private_key(data, password=None)
    except TypeError:
        raise SigningError("the key is encrypted; `openssl pkey` decrypts it") from None
    except (ValueError, UnsupportedAlgorithm):
        raise SigningError("no private key in PEM; `openssl genpkey -algorithm ed25519` makes one") from None
    if not isinstance(found, Ed25519PrivateKey):
        raise SigningError("not an Ed25519 key; `openssl genpkey -algorithm ed25519` makes one")
    return found


def sign_pack(data: bytes, keys: Sequence[Ed25519PrivateKey]) -> bytes:
    """Return the pack with a signature by each key; those that it has are left out.

    Raises SigningError for more keys than a pack has signatures, PackError for what is no pack.
    """
    beginning = load_pack(data).beginning
    message = signed_message(beginning)
    signatures: dict[str, Signature] = {}
    for key in keys:
        public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        signatures[public] = Signature(public, key.sign(message).hex())
    if len(signatures) > MOST_SIGNATURES:
        raise SigningError(f"a pack has at most {MOST_SIGNATURES} signatures, not {len(signatures)}")
    rest = data[data.index(b"\n") :]
    return render_first_line(beginning, tuple(signatures.values())).encode("ascii") + rest
