"""Which codec is for the results of a tool: the admission entries of all packs, in the order in which they claim.

Input: the packs of a catalogue. Output: a `Manifest`, which gives the entries for a tool, and the level above which a
project's pack that is not trusted lets nothing go.

Order: packs first (given by hand, project, third-party, ours), within a pack the exact name, then globs, the longest
first, then `*`. Globs are those of `fnmatch`, with case told apart on every platform.

Invariants: an entry is checked when the manifest is loaded, never at its first call; of a pack with a fault in one
entry no entry is used; whatever is left out has a remark in the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from .catalogue import Catalogue, PackSource, PackUnusableError

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERY_TOOL = "*"
_MOST_TOOLS = 4096
"""Tools whose entries are remembered: names may come from anywhere."""


class Entry(NamedTuple):
    """An admission entry. `source` is the file of its pack, `place` that of the entry in its rule file (`x.cable:3`).

    `narrows_only`: it is of a project's pack that is not trusted, and lowers the level of what applies, no more.
    """

    pattern: str
    codec: str
    level: str = "minimal"
    tee: bool = False
    params: Mapping[str, Any] = MappingProxyType({})
    source: str = ""
    narrows_only: bool = False
    pack: str | None = None
    place: str = ""


WITHOUT_ENTRY = Entry(EVERY_TOOL, "json_compact", params=MappingProxyType({"dedup": "auto", "nulls": "drop"}))
"""What holds for a tool that no pack says anything of."""


class Shadow(NamedTuple):
    """An entry of ours that is never reached, and the one that stands in front of it."""

    core: Entry
    by: Entry

    @property
    def words(self) -> str:
        """What is to be said of it, with both files."""
        by, core = self.by, self.core
        return f'`admit "{by.pattern}"` of {by.source} stands in front of `admit "{core.pattern}"` of {core.source}'


class Manifest:
    """The entries by pack. May be used from many threads: what is built twice at worst is built the same."""

    def __init__(self, sources: Iterable[Sequence[Entry]] = (), shadows: tuple[Shadow, ...] = ()) -> None:
        ordered = [_in_order_of_claim(source) for source in sources]
        self._entries = tuple(entry for source in ordered for entry in source if not entry.narrows_only)
        self._narrowing = tuple(entry for source in ordered for entry in source if entry.narrows_only)
        self._found: dict[str, tuple[Entry, ...]] = {}
        self.shadows = shadows

    def candidates(self, tool: str) -> tuple[Entry, ...]:
        """Return the entries for a tool, in the order of claim."""
        found = self._found.get(tool)
        if found is None:
            found = tuple(entry for entry in self._entries if matches(entry.pattern, tool))
            if len(self._found) >= _MOST_TOOLS:
                self._found.clear()
            self._found[tool] = found
        return found

    def narrowing(self, tool: str) -> Entry | None:
        """Return the entry of a pack that is not trusted whose level is a ceiling for this tool, or None."""
        if not self._narrowing:
            return None
        return next((entry for entry in self._narrowing if matches(entry.pattern, tool)), None)


def matches(pattern: str, tool: str) -> bool:
    """Tell whether the pattern of an entry is for a tool."""
    if pattern in (tool, EVERY_TOOL):
        return True
    if not _is_glob(pattern):
        return False
    from fnmatch import fnmatchcase

    return fnmatchcase(tool, pattern)


def load_manifest(catalogue: Catalogue) -> Manifest:
    """Read the entries of all packs. Raises PackUnusableError where a pack that has to be whole is not."""
    loaded: list[tuple[PackSource, tuple[Entry, ...]]] = []
    catalogue.register_codecs()
    for source in catalogue.sources():
        try:
            loaded.append((source, tuple(_read_entries(source))))
        except PackUnusableError as error:
            if source.needed:
                catalogue.fault = str(error)
                raise
            catalogue.remark(source.path, str(error), damaged=True)
    return Manifest((entries for _, entries in loaded), tuple(_find_shadows(loaded)))


def _read_entries(source: PackSource) -> Iterable[Entry]:
    """Read the entries of a pack. Raises PackUnusableError."""
    from .errors import PackError, describe_fault

    pack = source.pack
    for number in range(pack.admits):
        try:
            entry = pack.admit(number)
        except (PackError, OSError) as error:
            raise PackUnusableError(describe_fault(source.path, error)) from error
        place = f"{entry['path']}:{entry['line']}"
        _check_codec(entry["codec"], f'{source.path}: `admit "{entry["pattern"]}"` at {place}')
        yield Entry(
            pattern=entry["pattern"],
            codec=entry["codec"],
            level=entry["level"],
            tee=entry["tee"],
            params=MappingProxyType(entry["settings"]),
            source=source.path,
            narrows_only=source.narrows,
            pack=source.title,
            place=place,
        )


def _check_codec(name: str, where: str) -> None:
    from ..codecs.registry import is_built_in

    if is_built_in(name):
        return
    from ..codecs.plugins import UnknownCodecError, check_codecs

    try:
        check_codecs((name,), where)
    except UnknownCodecError as error:
        raise PackUnusableError(str(error)) from None


def _in_order_of_claim(entries: Sequence[Entry]) -> list[Entry]:
    """Sort the entries of a pack: exact names, globs by length, `*`. Those of one length stay as they were written."""
    return sorted(entries, key=lambda entry: (_rank(entry.pattern), -len(entry.pattern)))


def _rank(pattern: str) -> int:
    return 2 if pattern == EVERY_TOOL else 1 if _is_glob(pattern) else 0


def _is_glob(pattern: str) -> bool:
    return "*" in pattern or "?" in pattern or "[" in pattern


def _find_shadows(loaded: list[tuple[PackSource, tuple[Entry, ...]]]) -> Iterable[Shadow]:
    """Find the entries of ours that the entry of another pack stands in front of, each once, with the first such."""
    others = [entry for source, entries in loaded if not (source.own or source.narrows) for entry in entries]
    for source, entries in loaded:
        for core in entries if source.own else ():
            # A name that a glob covers, or the same glob; no glob is taken for another's part.
            covering = [
                entry
                for entry in others
                if entry.pattern == core.pattern or (_rank(core.pattern) == 0 and matches(entry.pattern, core.pattern))
            ]
            if covering:
                yield Shadow(core, covering[0])
