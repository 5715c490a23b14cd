"""The codecs that installed packages bring: entry points of the group `cablese.codecs`, named like their codec.

    [project.entry-points."cablese.codecs"]
    my_codec = "my_package.codecs:MyCodec"

An entry point names the class of a codec, or a module that registers it when it is imported.

Looking for entry points reads the metadata of every installed package, and `load_codec_plugins` imports what it finds.
So it is for hosts in Python, and for `compile` and `trust`; `run` and `view` read the list that `trust` keeps, and give
each line to `register_plugin`, which imports nothing until the codec is first used.

Invariants: nothing raises out of `load_codec_plugins`, whatever a package does when it is imported; of two packages
that bring different codecs of one name, neither is used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from ..error_words import name_error
from .registry import known_codecs, register_codec, registered_codec, unregister_codecs

GROUP = "cablese.codecs"


class UnknownCodecError(LookupError):
    """A pack names a codec that nobody has brought. The message names the pack, the codec and those that are known."""


class PluginError(ImportError):
    """A codec that a package should bring cannot be had. The message names it, where it should be, and the cause."""


_faults: dict[str, str] = {}
_scanned: list[tuple[str, ...]] = []


def load_codec_plugins() -> Mapping[str, str]:
    """Import the codecs of all installed packages. Returns what is wrong with those that cannot be used, by name.

    Each fault is logged once as a warning of the logger `cablese.codecs`. Packages are looked for again only after
    `sys.path` has changed.
    """
    path = tuple(sys.path)
    if path not in _scanned:
        faults = _scan()
        _scanned[:] = [path]
        _log(faults)
        _faults.update(faults)
    return MappingProxyType(_faults)


def check_codecs(requires: Iterable[str], pack: str = "") -> None:
    """Hold the names that a pack requires (`use codec "x"`) against the codecs that are known.

    `pack` is the file or name of the pack, for the message. Nothing is imported. Raises UnknownCodecError for the first
    name that is not known.
    """
    known = known_codecs()
    for name in requires:
        if name not in known:
            where = f"{pack}: " if pack else ""
            cause = f" ({_faults[name]})" if name in _faults else ""
            listed = ", ".join(f"`{each}`" for each in known)
            raise UnknownCodecError(f"{where}there is no codec `{name}` here{cause}; known are {listed}")


def find_plugin(name: str, target: str) -> type[Any]:
    """Import `module:attribute` or `module` and return the class of the codec of this name. Raises PluginError."""
    from importlib import import_module

    module, _, attribute = target.partition(":")
    before = set(known_codecs())
    try:
        found: Any = import_module(module)
        for part in filter(None, attribute.split(".")):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:
        unregister_codecs(set(known_codecs()) - before)
        raise PluginError(f"the codec `{name}` of `{target}` cannot be imported: {name_error(error)}") from error
    return _take(name, target, found)


def find_targets() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the entry points of all installed packages, as name and target, and what is wrong with others, by name.

    Nothing is imported. For `trust`, which writes name and target into its list. Never raises.
    """
    from importlib.metadata import entry_points

    found: dict[str, set[str]] = {}
    try:
        for entry in entry_points(group=GROUP):
            found.setdefault(entry.name, set()).add(entry.value)
    except Exception as error:  # noqa: BLE001 - metadata of others, which may be damaged in any way
        return {}, {GROUP: f"entry points cannot be read: {name_error(error)}"}
    targets = {name: min(values) for name, values in sorted(found.items()) if len(values) == 1}
    faults: dict[str, str] = {}
    for name in sorted(found.keys() - targets.keys()):
        listed = " and ".join(f"`{value}`" for value in sorted(found[name]))
        faults[name] = f"several packages bring a codec `{name}`, so none is used: {listed}"
    return targets, faults


def _scan() -> dict[str, str]:
    targets, found = find_targets()
    faults = dict(found)
    for name, target in targets.items():
        try:
            find_plugin(name, target)
        except PluginError as error:
            faults[name] = str(error)
    return faults


def _take(name: str, target: str, found: Any) -> type[Any]:
    """Return the class that an entry point names, and register it where that has not happened yet."""
    if not isinstance(found, type):
        # A module, which may register what it likes; it has to have registered this one.
        cls = registered_codec(name)
        if cls is None:
            raise PluginError(f"`{target}` registers no codec `{name}`")
        return cls
    own = getattr(found, "codec_name", None)
    if own != name:
        raise PluginError(f"the codec of `{target}` calls itself `{own}`, not `{name}`")
    try:
        return register_codec(found)
    except ValueError as error:
        raise PluginError(f"the codec `{name}` of `{target}` cannot be used: {error}") from None


def _log(faults: Mapping[str, str]) -> None:
    if faults:
        import logging

        logger = logging.getLogger("cablese.codecs")
        for name, fault in faults.items():
            logger.warning("the codec plugin `%s` is left out: %s", name, fault)
