"""Why a pack is refused. Every error of reading, checking or activating a pack is a `PackError`."""

from __future__ import annotations

# ruff: noqa: N818 - errors are named after what happened to the pack


class PackError(Exception):
    """A pack that cannot be used. The message says what is wrong with which part, `words` what kind of fault it is."""

    words = "the pack is damaged"


class NotAPackError(PackError):
    """The file does not begin as a pack does."""

    words = "not a pack"


class PackTruncated(PackError):
    """The file ends before its last section does."""


class PackAltered(PackError):
    """A digest or the check of the first line does not hold, or something stands behind the last section."""


class PackNewer(PackError):
    """The pack is of a later format or language than this runtime reads."""

    words = "made by a newer version"


class PackNeedsNewer(PackError):
    """The pack makes use of a feature that this runtime lacks. The message names it, and the version that has it."""

    words = "made for a newer version"


class PackTooLarge(PackError):
    """The file, or a part of it, is larger than any may be."""

    words = "not a pack"


class PackOutOfBounds(PackError):
    """The file is what its maker wrote, but an index, a width, a type or a bound in it does not hold."""


class PackDuplicate(PackOutOfBounds):
    """The pack holds a rule id twice, or a rule that is not below the pack's roots."""

    words = "the pack contradicts itself"


class PackClash(PackError):
    """Another pack owns a rule of this one. The message names both, and the rule."""

    words = "two packs own one rule"


class PackUnsigned(PackError):
    """A signature is demanded, and the pack has none."""

    words = "not signed"


class PackSignedByAnother(PackError):
    """A signature is demanded, and none of the pack's is by a key that counts."""

    words = "signed by another key"


class PackSignatureBroken(PackError):
    """A signature that bears a key which counts was not made with it, or for another pack."""

    words = "the signature does not hold"


class PackSignatureUnchecked(PackError):
    """A signature is demanded, and cannot be checked here: a part of ours or a file of keys is missing."""

    words = "the signature cannot be checked"


class PackDowngraded(PackError):
    """The pack is of a lower version than the one of its name that was trusted, or is active."""

    words = "an older version"


def describe_fault(path: str, error: PackError | OSError) -> str:
    """Say for a person why a pack or another file cannot be used, with its path first."""
    if isinstance(error, PackError):
        said = str(error)
        if not said.isprintable():
            # What it quotes of the file may be anything, and is written to terminals and logs.
            said = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in said)
        return f"{path}: {error.words}: {said}"
    if isinstance(error, FileNotFoundError):
        return f"{path}: no such file"
    return f"{path}: {error.strerror or error}"
