"""The packs that installed packages bring: entry points of the group `cablese.rules`.

Output: the name and the file of each, and what is to be said of those that have none. An entry point names an object
that is the path of a `.cablepack` (text, or a path such as `importlib.resources` gives), or a module with a
`pack.cablepack` in its folder.

Looking for entry points reads the metadata of every installed package, and resolving one imports it. So this is for
hosts in Python, and for `compile` and `trust`; `run` and `view` read the list that `trust` keeps.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from .module_packs import PACK_NAME

GROUP = "cablese.rules"


class Installed(NamedTuple):
    """What was found: files by the name of their entry point, and faults by name."""

    packs: Mapping[str, str]
    faults: Mapping[str, str]


def find_installed() -> Installed:
    """Look for the packs of installed packages, in the order of their names. Never raises."""
    from importlib.metadata import entry_points

    packs: dict[str, str] = {}
    faults: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        if entry.name in packs or entry.name in faults:
            continue
        try:
            packs[entry.name] = _locate(entry.load())
        except Exception as error:  # noqa: BLE001 - code of others, which may fail in any way
            faults[entry.name] = f"the entry point `{entry.name}` of `{GROUP}` gives no pack: {error}"
    return Installed(packs, faults)


def _locate(found: Any) -> str:
    """Return the file that an entry point names. Raises TypeError."""
    if isinstance(found, str | os.PathLike):
        return os.path.abspath(os.fsdecode(os.fspath(found)))
    origin = getattr(found, "__file__", None)
    if isinstance(origin, str):
        return os.path.join(os.path.dirname(os.path.abspath(origin)), PACK_NAME)
    raise TypeError(f"`{type(found).__name__}` is neither a path nor a module with a file")
