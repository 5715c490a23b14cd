"""Why a pack is refused. Every error of reading a pack is a `PackError`."""

from __future__ import annotations


class PackError(Exception):
    """A pack that cannot be used. The message says what is wrong with which part, `words` what kind of fault it is."""

    words = "the pack is damaged"


class NotAPackError(PackError):
    """The file does not begin as a pack does."""

    words = "not a pack"


class PackTruncated(PackError):  # noqa: N818 - named after what happened to the file
    """The file ends before its last section does."""


class PackAltered(PackError):  # noqa: N818
    """A digest does not hold, or something stands behind the last section."""


class PackNewer(PackError):  # noqa: N818
    """The pack is of a later format or language than this runtime reads."""

    words = "made by a newer version"


class PackTooLarge(PackError):  # noqa: N818
    """The file is larger than any pack may be."""

    words = "not a pack"


class PackOutOfBounds(PackError):  # noqa: N818
    """The file is what its maker wrote, but an index, a width, a type or a bound in it does not hold."""


def describe_fault(path: str, error: PackError | OSError) -> str:
    """Say for a person why a pack or another file cannot be used, with its path first."""
    if isinstance(error, PackError):
        return f"{path}: {error.words}: {error}"
    if isinstance(error, FileNotFoundError):
        return f"{path}: no such file"
    return f"{path}: {error.strerror or error}"
