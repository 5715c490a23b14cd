"""Turns a manifest in TOML, as earlier pipelines have it (`compressors.toml`), into admission entries.

    [compressor."dq_*"]
    codec = "columnar"
    level = "normal"                 # default: minimal
    tee = true
    params = { min_rows = 20, heterogeneity_ratio = 1.5 }

Input: the text. Output: a rule file in its one layout, which has been compiled; or ManifestError with the line.

What the other form leaves unsaid is said: its `json_compact` leaves null keys out, unless told otherwise.
A ratio is given in percent, as the language has no fractions. A codec that is not ours is named first, `use codec "…"`,
with its settings as they are.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from ..dsl.format import format_source
from ..dsl.quoting import quote_character
from ..dsl.source import Source
from ..dsl.suggest import did_you_mean
from ..runtime.codecs_table import CODECS, DEFAULT_LEVEL, LEVELS
from .compilation import check_sources

_TABLE = "compressor"
_KEYS = ("codec", "level", "tee", "params")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ManifestError(Exception):
    """A manifest that cannot be turned into entries. `line` is counted from 1; None where it has no one place."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def import_manifest(text: str) -> str:
    """Return the rule file for a manifest. Raises ManifestError."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(f"not TOML: {error}") from None
    except RecursionError:
        raise ManifestError("not TOML: nested too deeply") from None
    places = _Places(text)
    for key in document:
        if key != _TABLE:
            raise ManifestError(f"`{key}` is not known; a manifest has tables `[{_TABLE}.…]`", places.find((key,)))
    tables = document.get(_TABLE)
    if not isinstance(tables, dict) or not tables:
        raise ManifestError(f"there is no table `[{_TABLE}.…]`", places.find((_TABLE,)))
    external: dict[str, None] = {}
    entries = [_import_entry(pattern, entry, places, external) for pattern, entry in tables.items()]
    uses = [f'use codec "{name}"\n' for name in external]
    return _finish("\n".join([*uses, *entries]))


def _import_entry(pattern: str, entry: Any, places: _Places, external: dict[str, None]) -> str:
    where = (_TABLE, pattern)
    if not isinstance(entry, dict):
        raise ManifestError(f"`{pattern}` is not a table", places.find(where))
    for key in entry:
        if key not in _KEYS:
            raise ManifestError(f"`{key}` is not known; an entry has {_listed(_KEYS)}", places.find((*where, key)))
    if not pattern or any(character.isspace() for character in pattern):
        raise ManifestError(f"`{pattern}` is the name of no tool", places.find(where))
    codec = entry.get("codec")
    if not isinstance(codec, str) or not _NAME.fullmatch(codec):
        line = places.find((*where, "codec")) or places.find(where)
        raise ManifestError(f"`{pattern}` names no codec: `codec` is a word of letters, digits and `_`", line)
    if codec not in CODECS:
        external[codec] = None
    level = entry.get("level", DEFAULT_LEVEL)
    if level not in LEVELS:
        raise ManifestError(f"`level` is one of {_listed(LEVELS)}", places.find((*where, "level")))
    tee = entry.get("tee", False)
    if not isinstance(tee, bool):
        raise ManifestError("`tee` is true or false", places.find((*where, "tee")))
    params = entry.get("params", {})
    if not isinstance(params, dict):
        raise ManifestError("`params` is not a table", places.find((*where, "params")))
    settings = [f"level {level}", *(["tee"] if tee else [])]
    for name, value in params.items():
        try:
            settings.append(_import_param(codec, name, value))
        except ValueError as error:
            raise ManifestError(str(error), places.find((*where, "params", name))) from None
    if codec == "json_compact":
        settings += [*([] if "dedup" in params else ["dedup auto"]), *([] if "nulls" in params else ["nulls drop"])]
    body = "\n".join(settings)
    return f"admit {_quoted(pattern)} with {codec} {{\n{body}\n}}\n"


def _import_param(codec: str, name: str, value: Any) -> str:
    """Return a parameter as a setting. Raises ValueError."""
    if codec == "columnar" and name == "heterogeneity_ratio":
        if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 10_000:
            raise ValueError("`heterogeneity_ratio` is a number from 1 to 10000")
        return f"heterogeneity_percent {round(value * 100)}"
    if codec == "json_compact" and name == "dedup":
        if not isinstance(value, bool):
            raise ValueError("`dedup` is true or false")
        return f"dedup {'on' if value else 'off'}"
    known = CODECS.get(codec)
    if known is None:
        return _import_foreign(codec, name, value)
    shape = known.get(name)
    if shape is None:
        listed = tuple(known)
        raise ValueError(f"`{codec}` has no parameter `{name}`" + (f"; it has {_listed(listed)}" if listed else ""))
    kind, *limits = shape
    if kind == "int":
        low, high = limits
        assert isinstance(low, int)
        assert isinstance(high, int)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"`{name}` is a number from {low} to {high}")
    elif value not in limits:
        raise ValueError(f"`{name}` is one of {_listed(tuple(map(str, limits)))}")
    return f"{name} {value}"


def _import_foreign(codec: str, name: str, value: Any) -> str:
    """Return a parameter of a codec that is not ours: a whole number or text. Raises ValueError."""
    if not _NAME.fullmatch(name) or name in ("level", "tee"):
        raise ValueError(f"`{name}` cannot be the name of a setting")
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**18:
        return f"{name} {value}"
    if isinstance(value, str):
        return f"{name} {_quoted(value)}"
    near = did_you_mean(codec, CODECS)
    meant = f"; did you mean `{near}`?" if near else ""
    raise ValueError(
        f"`{name}` has a value that a setting cannot have: of `{codec}`, which is none of our codecs, "
        f"it is a whole number or text{meant}"
    )


def _quoted(text: str) -> str:
    """Return a string of the language."""
    return '"' + "".join(map(quote_character, text)) + '"'


def _finish(text: str) -> str:
    """Return the text in its layout. Raises ManifestError where it does not compile."""
    formatted = format_source(Source("manifest.cable", text))
    found = formatted.diagnostics if formatted.text is None else check_sources({"manifest.cable": formatted.text})
    if found or formatted.text is None:
        raise ManifestError("; ".join(each.message for each in found))
    return formatted.text


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


class _Places:
    """The lines on which tables and keys of a TOML text stand, which its reader does not tell."""

    _KEY = re.compile(
        r"\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*="
    )

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("["):
                table = _path(line)
                self._add(table, number)
            elif (key := self._KEY.match(line)) is not None:
                self._add((*table, *_path(f"{key[1]} = 0")), number)

    def _add(self, path: tuple[str, ...], number: int) -> None:
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], number)

    def find(self, path: tuple[str, ...]) -> int | None:
        """Return the line of a path, or of the nearest part of it that has one."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return None


def _path(line: str) -> tuple[str, ...]:
    """Return the keys that one line names; nothing where it is no line of its own."""
    try:
        value: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    found: list[str] = []
    while isinstance(value, dict) and len(value) == 1:
        ((key, value),) = value.items()
        found.append(key)
    return tuple(found)
