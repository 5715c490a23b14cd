"""Public keys in PEM files, as `openssl pkey -pubout` writes them.

Input: the path of a file. Output: its Ed25519 keys as 64 hex digits each, in their order.

A file may hold several keys one after the other; text between them is left aside, as in a file of certificates. An
Ed25519 key in a SubjectPublicKeyInfo is 32 bytes behind 12 that never differ (RFC 8410), so nothing heavier is loaded.
"""

from __future__ import annotations

from binascii import Error, a2b_base64

from .errors import PackSignatureUnchecked

_BEGIN, _END = "-----BEGIN ", "-----END "
_SPKI = bytes.fromhex("302a300506032b6570032100")
_LARGEST = 1 << 20


def read_public_keys(path: str) -> tuple[str, ...]:
    """Return the keys of a file. Raises PackSignatureUnchecked, with the path."""
    try:
        with open(path, "rb") as file:
            text = file.read(_LARGEST).decode("ascii", "replace")
    except OSError as error:
        raise PackSignatureUnchecked(f"{path}: {error.strerror or error}") from None
    keys = [_parse(label, body, path) for label, body in _blocks(text, path)]
    if not keys:
        raise PackSignatureUnchecked(f"{path}: there is no public key in it; `openssl pkey -pubout` writes one")
    return tuple(dict.fromkeys(keys))


def _blocks(text: str, path: str) -> list[tuple[str, str]]:
    """Return the label and the lines of each block."""
    found: list[tuple[str, str]] = []
    label: str | None = None
    body: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if line.startswith(_BEGIN):
            label, body = line.removeprefix(_BEGIN).removesuffix("-----"), []
        elif label is not None and line == f"{_END}{label}-----":
            found.append((label, "".join(body)))
            label = None
        elif label is not None:
            body.append(line)
    if label is not None:
        raise PackSignatureUnchecked(f"{path}: `{_BEGIN}{label}-----` has no end")
    return found


def _parse(label: str, body: str, path: str) -> str:
    if label != "PUBLIC KEY":
        more = ": `openssl pkey -pubout` gives the public one" if label.endswith("PRIVATE KEY") else ""
        raise PackSignatureUnchecked(f"{path}: a `PUBLIC KEY` is expected, not a `{label[:40]}`{more}")
    try:
        data = a2b_base64(body, strict_mode=True)
    except (Error, ValueError):
        raise PackSignatureUnchecked(f"{path}: a key in it is no base64") from None
    if len(data) != len(_SPKI) + 32 or not data.startswith(_SPKI):
        raise PackSignatureUnchecked(f"{path}: a key in it is not an Ed25519 key")
    return data[len(_SPKI) :].hex()
