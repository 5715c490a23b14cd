"""Finds the packs of modules that the user's file names: `pack.cablepack` in the folder of each.

Input: dotted names of modules. Output: paths of files that are there, in the order of the names.

No module is imported, nor is a package above it: where a module is, its finders say. A module that is not installed, or
has no pack, is left out in silence: the same configuration serves several environments.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

PACK_NAME = "pack.cablepack"


def find_module_packs(names: Iterable[str]) -> list[str]:
    """Return the packs that stand beside these modules."""
    return [
        path for name in names for folder in _folders(name) if os.path.isfile(path := os.path.join(folder, PACK_NAME))
    ]


def _folders(name: str) -> list[str]:
    """Return the folders of a package, or the one that a plain module stands in."""
    spec = _find(name)
    if spec is None:
        return []
    if spec.submodule_search_locations is not None:
        return list(spec.submodule_search_locations)
    return [os.path.dirname(spec.origin)] if spec.has_location and spec.origin else []


def _find(name: str) -> Any:
    top, *parts = name.split(".")
    try:
        spec = find_spec(top)
        way = top
        for part in parts:
            if spec is None or spec.submodule_search_locations is None:
                return None
            way = f"{way}.{part}"
            # `find_spec` of a dotted name would import the package above it.
            spec = _ask_finders(way, list(spec.submodule_search_locations))
    except (ImportError, ValueError, AttributeError):
        return None
    return spec


def _ask_finders(name: str, folders: Sequence[str]) -> Any:
    for finder in sys.meta_path:
        spec = finder.find_spec(name, folders) if hasattr(finder, "find_spec") else None
        if spec is not None:
            return spec
    return None
