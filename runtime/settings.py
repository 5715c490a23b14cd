"""Settings: the environment over the project's file over the user's file.

Input: environment variables, `.cablese/config.toml` of the nearest folder above that has `.cablese`, and
`$XDG_CONFIG_HOME/cablese/config.toml`. Output: `Settings`, or SettingsError with file and key.

A strict reader: an unknown key or a wrong type is an error, and with an error nothing is summarised.

Invariant: a project's file can only narrow. It may disable and lower levels; what would widen (enabling, stores,
trust) is refused there. A project's pack is read only when the user trusts its digest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from stat import S_ISREG
from typing import Any, NamedTuple

from .stores.store import Retention

LEVELS = ("none", "minimal", "normal", "aggressive")
ADMIT_LEVELS = ("none", "exact", "value", "normal")
"""Up to which level content kinds apply, where no rule and no entry for the tool does."""
DEFAULT_HINT = "cablese show {handle}"

_LARGEST = 1 << 20
"""Bytes of a project's file."""

_Setter = Callable[["Settings", Any], "Settings"]


class SettingsError(Exception):
    """A configuration file that cannot be read as one. The message names file and key."""


class Settings(NamedTuple):
    """What is on, up to which level, and where originals are kept.

    `enabled` names packs (`curated`, …) and rules; `disabled` takes rules and packs out again. `levels` are ceilings:
    by rule, tool or `*`. `hint` says how to get an original, with `{handle}` in it. `project_pack` and `packs` are
    files; `trusted` holds the digests that may be read from them, `versions` the name, version and file of what was
    trusted last, `signed` the digests with a key that signed them. With `require_signature` a pack that does not ship
    with us counts only with a signature by one of `keys`, which are files. `modules` are importable modules beside
    which a `pack.cablepack` may stand; `codecs` are names and targets (`module:attribute`) of codecs of trusted packs.
    `debug`: what codecs claim is proved by their decoders. `admit` is one of `ADMIT_LEVELS`, and `admit_ceiling` what a
    project allows of it.
    """

    killed: bool = False
    enabled: frozenset[str] = frozenset()
    disabled: frozenset[str] = frozenset()
    levels: tuple[tuple[str, str], ...] = ()
    store: str = ""
    retention: Retention = Retention()
    hint: str = DEFAULT_HINT
    project_pack: str | None = None
    packs: tuple[str, ...] = ()
    trusted: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()
    codecs: tuple[tuple[str, str], ...] = ()
    debug: bool = False
    admit: str = "none"
    admit_ceiling: str = "normal"
    versions: tuple[tuple[str, str, str], ...] = ()
    signed: tuple[tuple[str, str], ...] = ()
    require_signature: bool = False
    keys: tuple[str, ...] = ()

    @property
    def admission(self) -> str:
        """The level up to which content kinds apply."""
        if self.admit == ADMIT_LEVELS[0]:
            return self.admit
        return min(self.admit, self.admit_ceiling, key=ADMIT_LEVELS.index)

    def ceiling(self, *names: str) -> str:
        """Return the lowest ceiling set for any of these names or for everything; `aggressive` where none is."""
        if not self.levels:
            return LEVELS[-1]
        set_for = [LEVELS.index(level) for name, level in self.levels if name == "*" or name in names]
        return LEVELS[min(set_for, default=-1)]


def read_settings(environ: Mapping[str, str], folder: str) -> Settings:
    """Read the settings that hold for a process in `folder`. Raises SettingsError."""
    settings = Settings(
        killed=environ.get("CABLESE_DISABLED") == "1",
        debug=environ.get("CABLESE_DEBUG") == "1",
        store=os.path.join(_home(environ, "XDG_STATE_HOME", ".local/state"), "store.sqlite3"),
    )
    if settings.killed:
        return settings
    path = trust_list(environ)
    if os.path.exists(path):
        from .packs.trusted import read_trusted

        trusted = read_trusted(path)
        settings = settings._replace(
            trusted=trusted.digests,
            packs=trusted.files,
            codecs=trusted.codecs if trusted.digests else (),
            versions=trusted.versions,
            signed=trusted.signed,
        )
    path = user_file(environ)
    settings = _apply(settings, path, _USER_KEYS, _SETTERS)
    project = find_project(folder)
    if project is not None:
        pack = os.path.join(project, "pack.cablepack")
        settings = settings._replace(project_pack=pack if os.path.isfile(pack) else None)
        path = os.path.join(project, "config.toml")
        _check_file(path)
        settings = _apply(settings, path, _PROJECT_KEYS, _PROJECT_SETTERS)
    if environ.get("CABLESE_STORE"):
        settings = settings._replace(store=environ["CABLESE_STORE"])
    return settings


def find_project(folder: str) -> str | None:
    """Return the `.cablese` folder of the nearest folder at or above this one."""
    while True:
        candidate = os.path.join(folder, ".cablese")
        if os.path.isdir(candidate):
            return candidate
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def trust_list(environ: Mapping[str, str]) -> str:
    """Return where the list of trusted packs is kept."""
    return os.path.join(_home(environ, "XDG_CONFIG_HOME", ".config"), "trusted")


def user_file(environ: Mapping[str, str]) -> str:
    """Return the user's configuration file, there or not."""
    return environ.get("CABLESE_CONFIG") or os.path.join(_home(environ, "XDG_CONFIG_HOME", ".config"), "config.toml")


def _home(environ: Mapping[str, str], variable: str, default: str) -> str:
    """Return our folder below an XDG base folder; a relative base does not count, as the XDG specification says."""
    base = environ.get(variable, "")
    if not os.path.isabs(base):
        base = os.path.join(environ.get("HOME") or os.path.expanduser("~"), default)
    return os.path.join(base, "cablese")


def read_text(path: str) -> str | None:
    """Return the text of a file, None where there is none. Raises SettingsError."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"{path}: {error}") from None


def _check_file(path: str) -> None:
    """Look at a project's file before it is read: it comes with a checkout, and reading a pipe or a device may have no
    end. Raises SettingsError.
    """
    try:
        status = os.stat(path)
    except OSError:
        return
    if not S_ISREG(status.st_mode):
        raise SettingsError(f"{path}: it is not a file")
    if status.st_size > _LARGEST:
        raise SettingsError(f"{path}: it has {status.st_size} bytes, a configuration at most {_LARGEST}")


def _apply(settings: Settings, path: str, allowed: frozenset[str], setters: Mapping[str, _Setter]) -> Settings:
    """Lay one file over the settings."""
    text = read_text(path)
    if text is None:
        return settings
    import tomllib

    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}") from None
    for key, value in table.items():
        if key not in allowed:
            known = "here; only the user's file may set it" if key in _USER_KEYS else "as a setting"
            raise SettingsError(f"{path}: `{key}` is not known {known}")
        try:
            settings = setters[key](settings, value)
        except (ValueError, TypeError) as error:
            raise SettingsError(f"{path}: `{key}`: {error}") from None
    return settings


def _names(value: Any) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError("a list of names is expected")
    return frozenset(value)


def _level(value: Any) -> str:
    if value not in LEVELS:
        raise ValueError(f"one of {', '.join(LEVELS)} is expected")
    return value


def _set_enabled(settings: Settings, value: Any) -> Settings:
    return settings._replace(enabled=settings.enabled | _names(value))


def _set_disabled(settings: Settings, value: Any) -> Settings:
    return settings._replace(disabled=settings.disabled | _names(value))


def _set_modules(settings: Settings, value: Any) -> Settings:
    names = _names(value)
    if not all(part.isidentifier() for name in names for part in name.split(".")):
        raise ValueError("a list of names of Python modules is expected")
    return settings._replace(modules=tuple(dict.fromkeys(value)))


def _set_level(settings: Settings, value: Any) -> Settings:
    return settings._replace(levels=(*settings.levels, ("*", _level(value))))


def _set_levels(settings: Settings, value: Any) -> Settings:
    if not isinstance(value, dict):
        raise TypeError("a table of names and levels is expected")
    return settings._replace(levels=settings.levels + tuple((name, _level(level)) for name, level in value.items()))


def _set_store(settings: Settings, value: Any) -> Settings:
    if not isinstance(value, dict):
        raise TypeError("a table is expected")
    retention = settings.retention
    if "path" in value and "url" in value:
        raise ValueError("`path` and `url` exclude each other")
    for key, entry in value.items():
        if key == "path":
            if not isinstance(entry, str) or not os.path.isabs(entry):
                raise ValueError("`path` is not an absolute path")
            settings = settings._replace(store=entry)
        elif key == "url":
            if not isinstance(entry, str) or not _is_url(entry):
                raise ValueError("`url` is not the URL of a store, as in `files:///abs/folder`")
            settings = settings._replace(store=entry)
        elif key in Retention._fields:
            if not isinstance(entry, int) or isinstance(entry, bool) or entry <= 0:
                raise ValueError(f"`{key}` is not a whole number{' of seconds' * (key == 'ttl')} above 0")
            retention = retention._replace(**{key: entry})
        else:
            raise ValueError(f"`{key}` is not known; a store has `path` or `url`, and `ttl`, `newest`, `max_bytes`")
    return settings._replace(retention=retention)


def _set_packs(settings: Settings, value: Any) -> Settings:
    if not isinstance(value, dict):
        raise TypeError("a table is expected")
    for key, entry in value.items():
        if key == "keys":
            if not isinstance(entry, list) or not all(isinstance(path, str) and os.path.isabs(path) for path in entry):
                raise ValueError("`keys` is not a list of absolute paths")
            settings = settings._replace(keys=tuple(dict.fromkeys(entry)))
        elif key == "require_signature":
            if not isinstance(entry, bool):
                raise ValueError("`require_signature` is not true or false")
            settings = settings._replace(require_signature=entry)
        else:
            raise ValueError(f"`{key}` is not known; it has `require_signature` and `keys`")
    if settings.require_signature and not settings.keys:
        raise ValueError("`require_signature` wants `keys`, the files of the public keys that count")
    return settings


def _is_url(text: str) -> bool:
    from .stores.open_store import scheme_of

    return scheme_of(text) is not None


def set_hint(settings: Settings, value: Any) -> Settings:
    """Return the settings with another last line. Raises ValueError."""
    if not isinstance(value, str) or value.count("{handle}") != 1 or not value.isprintable():
        raise ValueError("one line of text with `{handle}` in it is expected")
    return settings._replace(hint=value)


def _admit_level(value: Any) -> str:
    if value not in ADMIT_LEVELS:
        raise ValueError(f"one of {', '.join(ADMIT_LEVELS)} is expected")
    return value


def _set_admit(settings: Settings, value: Any) -> Settings:
    return settings._replace(admit=_admit_level(value))


def _cap_admit(settings: Settings, value: Any) -> Settings:
    return settings._replace(admit_ceiling=_admit_level(value))


_SETTERS: Mapping[str, _Setter] = {
    "admit": _set_admit,
    "enable": _set_enabled,
    "disable": _set_disabled,
    "level": _set_level,
    "levels": _set_levels,
    "store": _set_store,
    "hint": set_hint,
    "modules": _set_modules,
    "packs": _set_packs,
}
_PROJECT_SETTERS: Mapping[str, _Setter] = {**_SETTERS, "admit": _cap_admit}
_USER_KEYS = frozenset(_SETTERS)
_PROJECT_KEYS = frozenset({"admit", "disable", "level", "levels"})
