"""The pack and the rules of the project that one stands in: where they are, and what is to be said of them."""

from __future__ import annotations

import os

from ..runtime.packs.catalogue import Catalogue, Remark
from ..runtime.packs.manifest import matches
from ..runtime.settings import find_project
from .options import Operands
from .output import InputError

PROJECT_PACK = os.path.join(".cablese", "pack.cablepack")
PROJECT_RULES = os.path.join(".cablese", "rules")
RULES = Operands("PATH", "rule files, or folders of them (default: `.cablese/rules`, or `rules`)", least=0)
PACK = Operands("PACK", "the file of a pack (default: `.cablese/pack.cablepack`)", least=0, most=1)


def rule_paths(given: list[str]) -> list[str]:
    """Return the paths that were given, or else where a project has its rules. Raises InputError."""
    if given:
        return given
    folder = next(filter(os.path.isdir, (PROJECT_RULES, "rules")), None)
    if folder is None:
        raise InputError("no PATH is given, and there is neither `.cablese/rules` nor `rules` here")
    return [folder]


def pack_path(given: list[str]) -> str:
    """Return the pack that was given, or else the project's."""
    return given[0] if given else PROJECT_PACK


def pack_notes(catalogue: Catalogue, tool: str) -> list[str]:
    """Return a line for each pack that was found and is not used, or is older than its rules, for each entry of ours
    for this tool that another one hides, and for each name in the configuration that is nothing here.

    Raises PackUnusableError.
    """
    shadows = [shadow.words for shadow in catalogue.manifest().shadows if matches(shadow.core.pattern, tool)]
    notes = [_shorten(remark) for remark in catalogue.remarks()] + shadows
    notes += [f"`{name}` is switched on or off, and is no rule and no pack here" for name in catalogue.unknown_names()]
    project = find_project(os.getcwd())
    newer = None if project is None else _find_newer(project)
    if project is not None and newer is not None:
        pack, rules = shorten_path(os.path.join(project, "pack.cablepack")), os.path.join(project, "rules")
        compiled = f"cablese compile -o {pack} {shorten_path(rules)}"
        notes.append(f"{pack} is older than {shorten_path(newer)}: {compiled}")
    return notes


def damage_notes(catalogue: Catalogue) -> list[str]:
    """Return a line for each pack that is damaged and so left out, and for each entry of ours that another one hides.

    Raises PackUnusableError.
    """
    shadows = [shadow.words for shadow in catalogue.manifest().shadows]
    return shadows + [_shorten(remark) for remark in catalogue.remarks() if remark.damaged]


def _shorten(remark: Remark) -> str:
    return remark.words.replace(remark.path, shorten_path(remark.path))


def shorten_path(path: str) -> str:
    """Return the path from here on where it lies below the current folder."""
    below = os.path.relpath(path)
    return path if below.startswith(os.pardir) else below


def _find_newer(project: str) -> str | None:
    """Return a rule file that was written after the project's pack."""
    try:
        made = os.stat(os.path.join(project, "pack.cablepack")).st_mtime_ns
        for folder, _, names in os.walk(os.path.join(project, "rules")):
            for path in (os.path.join(folder, name) for name in sorted(names) if name.endswith(".cable")):
                if os.stat(path).st_mtime_ns > made:
                    return path
    except OSError:
        return None
    return None
