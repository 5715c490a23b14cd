"""Signatures: made with keys of openssl, checked by us and by openssl, and refused for each fault in its own words."""

import subprocess

import pytest
from cablese.compiler.signing import SigningError, load_private_key, sign_pack
from cablese.runtime.packs import signature as pack_signature
from cablese.runtime.packs.errors import (
    PackSignatureBroken,
    PackSignatureUnchecked,
    PackSignedByAnother,
    PackUnsigned,
)
from cablese.runtime.packs.keys import read_public_keys
from cablese.runtime.packs.pack import (
    NotAPackError,
    PackAltered,
    PackError,
    PackNewer,
    PackTruncated,
    load_pack,
    open_pack,
)
from cablese.runtime.packs.signature import (
    MOST_SIGNATURES,
    Signature,
    check_signature,
    render_first_line,
    signed_message,
)
from hypothesis import given
from hypothesis import strategies as st

from .workshop import make_key, make_pack


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """Make two pairs of keys."""
    folder = tmp_path_factory.mktemp("keys")
    return make_key(folder, "ours"), make_key(folder, "theirs")


@pytest.fixture(scope="module")
def signed(keys):
    """Sign a pack with the first key."""
    return make_pack(keys=keys[:1])


def use(data, key):
    """Do what a process does that demands a signature: check the file, its signature, and every section."""
    pack = load_pack(data)
    check_signature(pack, {key.hex})
    pack.verify()
    return pack


def test_signing_changes_the_first_line_and_no_digest(keys, signed):
    """What is signed is the digest, so signed and unsigned packs are one pack; the same key gives the same bytes."""
    plain = make_pack()
    assert signed.partition(b"\n")[2] == plain.partition(b"\n")[2]
    assert load_pack(signed).digest == load_pack(plain).digest
    assert signed.startswith(plain.partition(b"\n")[0] + b" ed25519:")
    assert use(signed, keys[0]).signatures[0].key == keys[0].hex
    assert make_pack(keys=keys[:1]) == signed
    assert make_pack(keys=keys) == sign_pack(signed, [load_private_key(key.private.read_bytes()) for key in keys])


def test_openssl_finds_the_signature_good(keys, signed, tmp_path):
    """The message is what the documents say, and the signature plain Ed25519."""
    first = signed.partition(b"\n")[0].decode()
    (tmp_path / "message").write_text("cablese pack signature\n" + " ".join(first.split(" ")[:3]) + "\n")
    (tmp_path / "signature").write_bytes(bytes.fromhex(first.split(":")[2].split(" ")[0]))
    words = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", keys[0].public]
    words += ["-in", tmp_path / "message", "-sigfile", tmp_path / "signature"]
    assert subprocess.run(words, check=False, capture_output=True).returncode == 0


def test_each_fault_of_a_signature_has_its_error(keys, signed):
    """None, by another key, of another pack: three kinds; one good signature among several is enough."""
    ours, theirs = keys
    with pytest.raises(PackUnsigned, match="has none"):
        use(make_pack(), ours)
    with pytest.raises(PackSignedByAnother, match=f"ed25519:{ours.hex} is none of the keys"):
        use(signed, theirs)
    other = load_pack(make_pack(version="9.9.9"))
    swapped = f"{render_first_line(other.beginning, load_pack(signed).signatures)}\n".encode()
    with pytest.raises(PackSignatureBroken, match="not of this pack"):
        use(swapped + make_pack(version="9.9.9").partition(b"\n")[2], ours)
    both = make_pack(keys=keys)
    assert check_signature(load_pack(both), {theirs.hex}) == theirs.hex
    false = [Signature(ours.hex, "0" * 128), load_pack(both).signatures[1]]
    line = render_first_line(load_pack(both).beginning, false).encode()
    assert check_signature(load_pack(line + b"\n" + both.partition(b"\n")[2]), {ours.hex, theirs.hex}) == theirs.hex


def test_without_the_library_the_extra_is_named(keys, signed, monkeypatch):
    """A demanded signature that cannot be calculated is a refusal, which says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "cryptography.exceptions", None)
    with pytest.raises(PackSignatureUnchecked, match=r"cablese\[sign\]"):
        use(signed, keys[0])
    assert load_pack(signed).signatures


def test_every_changed_byte_and_every_truncation_is_refused(keys, signed):
    """Each by a `PackError`, whatever stands there then, where a signature is demanded and where none is."""
    for at in range(len(signed)):
        for changed in (signed[at] ^ 1, signed[at] ^ 0x80, 0x0A, 0x30):
            if changed == signed[at]:
                continue
            data = signed[:at] + bytes([changed]) + signed[at + 1 :]
            with pytest.raises(PackError):
                load_pack(data).verify()
        with pytest.raises((PackTruncated, NotAPackError, PackAltered)):
            load_pack(signed[:at]).verify()


@given(st.data())
def test_a_signature_is_for_one_key_and_one_message(signed, data):
    """No other bytes in the place of key, signature or digest hold."""
    first = load_pack(signed)
    (signature,) = first.signatures
    message = signed_message(first.beginning)
    assert pack_signature.holds(signature, message)
    digits = st.text("0123456789abcdef", min_size=64, max_size=64)
    key, value = data.draw(digits), data.draw(digits) + data.draw(digits)
    assert not pack_signature.holds(signature._replace(value=value), message)
    assert key == signature.key or not pack_signature.holds(Signature(key, signature.value), message)
    assert not pack_signature.holds(signature, message + b"x")


HEX = "ab" * 32
LINE = f"cablepack 1 {HEX}"


@pytest.mark.parametrize(
    ("rest", "error"),
    [
        ("", PackAltered),
        ("0" * 16, PackAltered),
        (" x", PackAltered),
        (render_first_line("", [Signature(HEX, HEX * 2)] * 2)[1:], PackAltered),
        (f"rsa:{HEX}:{HEX * 2} 0123456789abcdef", PackAltered),
        (render_first_line(LINE, [Signature(HEX.upper(), HEX * 2)])[len(LINE) + 1 :], PackAltered),
        (render_first_line(LINE, [Signature(HEX, HEX * 2)] * 2)[len(LINE) + 1 :], PackAltered),
        (render_first_line(LINE, [Signature(f"{n:064x}", HEX * 2) for n in range(9)])[len(LINE) + 1 :], PackAltered),
        ("x" * 4000, PackAltered),
        ("\u00e9", PackAltered),
    ],
)
def test_a_first_line_holds_signatures_and_their_check_alone(rest, error, tmp_path):
    """Anything else there is refused; a file and bytes say the same."""
    data = f"{LINE} {rest}\n{{}}\n".encode()
    (tmp_path / "x").write_bytes(data)
    for read in (lambda: load_pack(data), lambda: open_pack(tmp_path / "x")):
        with pytest.raises(error):
            read()


def test_a_newer_format_is_told_whatever_its_first_line_holds():
    """The version comes first in every format; a number that is no sensible one is not printed whole."""
    with pytest.raises(PackNewer, match="format 2, this runtime reads 1"):
        load_pack(b"cablepack 2 \xff\xff")
    with pytest.raises(PackNewer, match="a very large number"):
        load_pack(b"cablepack " + b"9" * 1000 + b" x\n")


def test_a_pack_has_so_many_signatures_and_no_more(keys, signed, tmp_path):
    """Eight are written and read; the ninth is refused when signing."""
    made = [load_private_key(make_key(tmp_path, str(number)).private.read_bytes()) for number in range(9)]
    assert len(load_pack(sign_pack(signed, made[:MOST_SIGNATURES])).signatures) == MOST_SIGNATURES == 8
    with pytest.raises(SigningError, match="at most 8"):
        sign_pack(signed, made)


def openssl(*words):
    """Run openssl and return what it prints."""
    return subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True).stdout


def test_files_of_keys_hold_several_and_nothing_but_public_ed25519_keys(keys, tmp_path):
    """Each wrong file has words for what is wrong with it."""
    ours, theirs = keys
    bundle = tmp_path / "bundle.pem"
    bundle.write_bytes(b"# ours\n" + ours.public.read_bytes() + theirs.public.read_bytes() + ours.public.read_bytes())
    assert read_public_keys(str(bundle)) == (ours.hex, theirs.hex)
    rsa, ec = tmp_path / "rsa.pem", tmp_path / "x25519.pem"
    openssl("genpkey", "-algorithm", "rsa", "-pkeyopt", "rsa_keygen_bits:2048", "-out", rsa)
    openssl("genpkey", "-algorithm", "x25519", "-out", ec)
    begin, end = "-----BEGIN PUBLIC KEY-----\n", "\n-----END PUBLIC KEY-----\n"
    for content, words in {
        ours.private.read_bytes(): "expected, not a `PRIVATE KEY`: `openssl pkey -pubout`",
        openssl("pkey", "-in", rsa, "-pubout"): "not an Ed25519 key",
        openssl("pkey", "-in", ec, "-pubout"): "not an Ed25519 key",
        b"": "there is no public key in it",
        b"\xff\x00": "there is no public key in it",
        f"{begin}!!{end}".encode(): "no base64",
        f"{begin}MCow".encode(): "has no end",
        ours.public.read_bytes().replace(b"MCow", b"MCox"): "not an Ed25519 key",
    }.items():
        bundle.write_bytes(content)
        with pytest.raises(PackSignatureUnchecked, match=words) as found:
            read_public_keys(str(bundle))
        assert str(bundle) in str(found.value)
    with pytest.raises(PackSignatureUnchecked, match="No such file"):
        read_public_keys(str(tmp_path / "none"))


def test_private_keys_that_cannot_sign_are_named(keys, tmp_path):
    """Another kind of key, an encrypted one, a public one, and what is no key."""
    rsa, locked = tmp_path / "rsa.pem", tmp_path / "locked.pem"
    openssl("genpkey", "-algorithm", "rsa", "-pkeyopt", "rsa_keygen_bits:2048", "-out", rsa)
    openssl("pkcs8", "-topk8", "-in", keys[0].private, "-passout", "pass:x", "-out", locked)
    for data, words in {
        rsa.read_bytes(): "not an Ed25519 key",
        locked.read_bytes(): "is encrypted",
        keys[0].public.read_bytes(): "no private key",
        b"": "no private key",
    }.items():
        with pytest.raises(SigningError, match=words):
            load_private_key(data)
