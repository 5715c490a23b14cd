"""Why a pack is refused. Every error of reading a pack is a `PackError`."""

from __future__ import annotations


class PackError(Exception):
    """A pack that cannot be used. The message says what is wrong with which part."""


class NotAPackError(PackError):
    """The file does not begin as a pack does."""


class PackTruncated(PackError):  # noqa: N818 - named after what happened to the file
    """The file ends before its last section does."""


class PackAltered(PackError):  # noqa: N818
    """A digest does not hold, or something stands behind the last section."""


class PackNewer(PackError):  # noqa: N818
    """The pack is of a later format or language than this runtime reads."""


class PackTooLarge(PackError):  # noqa: N818
    """The file is larger than any pack may be."""


class PackOutOfBounds(PackError):  # noqa: N818
    """The file is what its maker wrote, but an index, a width, a type or a bound in it does not hold."""
