"""Files that are not there yet: all of them are written, or none.

Input: texts by path. Invariant: a file that is there keeps its bytes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from .output import InputError


def write_new(files: Mapping[str, str], advice: str = "") -> None:
    """Write files, with the folders above them. Raises InputError, and then has written none.

    `advice`: what to do where a file is there already.
    """
    for name in files:
        if os.path.lexists(name):
            raise InputError(f"{name}: is there already, and is left as it is{advice and f'; {advice}'}")
    written: list[str] = []
    folders: list[str] = []
    try:
        for name, text in files.items():
            folders += _make_folders(os.path.dirname(name))
            with open(name, "xb") as file:
                written.append(name)
                file.write(text.encode("utf-8"))
    except OSError as error:
        for name in written:
            os.unlink(name)
        for folder in reversed(folders):
            os.rmdir(folder)
        raise InputError(f"{error.filename or next(iter(files))}: {error.strerror or error}") from None


def _make_folders(folder: str) -> list[str]:
    """Make a folder and those above it; return those that are new, the outermost first. Raises OSError."""
    missing: list[str] = []
    while folder and not os.path.lexists(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    for each in missing:
        os.mkdir(each)
    return missing
