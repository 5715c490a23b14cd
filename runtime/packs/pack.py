"""Packs: files of checked rules, as `docs/pack-format.md` describes them.

Input: the bytes of a pack, or the path of one. Output: a `Pack`, which gives the rules that may be for a command, and
reads, verifies, checks and lowers each rule when it is first asked for.

INVARIANT: nothing of a section is used before its digest holds and every index, width and bound in it was checked.
Whatever the bytes are, the outcome is a `PackError` or a pack that works.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, Any, Final

from ... import __version__
from ..digests import sha256
from .errors import (
    NotAPackError,
    PackAltered,
    PackDuplicate,
    PackError,
    PackNewer,
    PackOutOfBounds,
    PackTooLarge,
    PackTruncated,
)
from .strict_json import (
    fail,
    parse_section,
    take_int,
    take_label,
    take_list,
    take_object,
    take_row,
    take_text,
    take_texts,
)

if TYPE_CHECKING:
    from ..engine.tables import StreamProgram
    from .signature import Signature

__all__ = [
    "FORMAT_VERSION",
    "LANGUAGE_VERSION",
    "LARGEST_HEADER",
    "LARGEST_PACK",
    "NotAPackError",
    "Pack",
    "PackAltered",
    "PackError",
    "PackNewer",
    "PackOutOfBounds",
    "PackTooLarge",
    "PackTruncated",
    "RuleProgram",
    "load_pack",
    "open_pack",
]

FORMAT_VERSION: Final = 1
LANGUAGE_VERSION: Final = 1
LARGEST_PACK: Final = 64 * 1024 * 1024
LARGEST_HEADER: Final = 16 * 1024 * 1024
"""Bytes."""

_MAGIC: Final = b"cablepack "
_LONGEST_FIRST_LINE: Final = 2048
_HEADER_CHUNK: Final = 64 * 1024
_HEADER_KEYS: Final = frozenset(
    {
        "language",
        "runtime",
        "features",
        "name",
        "version",
        "requires",
        "roots",
        "index",
        "rules",
        "admits",
        "tool",
        "sections",
    }
)
_SOURCE_KEYS: Final = frozenset(
    {"path", "line", "kinds", "taken", "facts", "ensure", "commands", "exit", "streams", "summary", "tags"}
)


class RuleProgram:
    """A rule, checked. Attributes are those of `docs/pack-format.md`; `facts` and `fields[kind]` by name."""

    def __init__(self, checked: dict[str, Any]) -> None:
        self.id: str = checked["id"]
        self.title: str = checked["title"]
        self.tools: tuple[str, ...] = tuple(checked["tools"])
        self.commands: list[dict[str, Any]] = checked["commands"]
        self.exit: list[int | None] | None = checked["exit"]
        self.kinds: dict[str, dict[str, dict[str, list[int]]]] = checked["kinds"]
        self.facts: dict[str, list[Any]] = dict(checked["facts"])
        self.fields: dict[str, dict[str, list[Any]]] = {kind: dict(named) for kind, named in checked["fields"].items()}
        self.ensure: list[list[Any]] = checked["ensure"]
        self.summary: list[list[Any]] = checked["summary"]
        self.tables: dict[str, Any] = checked["streams"]
        """The streams as the pack holds them, `"empty"` or a STREAM by name."""

    def accepts(self, words: tuple[str, ...] | list[str]) -> bool:
        """Say whether one of the rule's commands admits the words."""
        from ..engine.command import accepts

        return any(accepts(command, words) for command in self.commands)

    @cached_property
    def streams(self) -> dict[str, StreamProgram | None]:
        """The streams that the rule names; None: the stream must be empty."""
        from ..engine.tables import StreamProgram

        return {name: None if stream == "empty" else StreamProgram(stream) for name, stream in self.tables.items()}


class Pack:
    """A pack whose header is verified. Made by `load_pack` and `open_pack`.

    May be used from many threads: at worst a rule is read twice. `digest` is that of the whole pack, as its header
    holds the digest of every section. `runtime` is the least version of Cablese that can read it, `features` what it
    makes use of, by the version that brought it. `signatures` are as they stand there: nothing has checked them.
    """

    def __init__(
        self,
        digest: str,
        header: dict[str, Any],
        read: Callable[[int, int], bytes],
        signatures: tuple[Signature, ...] = (),
    ) -> None:
        self.digest = digest
        self.signatures = signatures
        self.language: int = header["language"]
        self.runtime: str = header["runtime"]
        self.features: dict[str, list[str]] = header["features"]
        self.name: str = header["name"]
        self.version: str = header["version"]
        self.tool: str = header["tool"]
        self.requires: tuple[str, ...] = tuple(header["requires"])
        self.rules: tuple[str, ...] = tuple(header["rules"])
        self.declared_roots: tuple[str, ...] = tuple(header["roots"])
        self.admits: int = header["admits"]
        self._index: dict[str, dict[str, list[int]]] = header["index"]
        self._sections: list[list[Any]] = header["sections"]
        self._read = read
        self._programs: dict[int, RuleProgram] = {}

    @property
    def beginning(self) -> str:
        """The first line without signatures: what they are for."""
        return f"{_MAGIC.decode()}{FORMAT_VERSION} {self.digest}"

    @property
    def roots(self) -> tuple[str, ...]:
        """Which rule ids the pack owns: those that it declares, or else the ids of its rules."""
        return self.declared_roots or self.rules

    def find(self, words: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of the rules that may be for a command, in the order of the pack."""
        if not words:
            return ()
        heads = self._index.get(words[0])
        if heads is None:
            return ()
        return tuple(sorted({number for word in set(words) for number in heads.get(word, ())}))

    def rule(self, number: int) -> RuleProgram:
        """Return a rule. Raises PackError."""
        program = self._programs.get(number)
        if program is None:
            from .rule import check_rule

            checked = check_rule(self._section(number, f"rule {number}"), f"rule {number}")
            if checked["id"] != self.rules[number]:
                raise fail(f"rule {number}", f"is `{checked['id']}`, the header says `{self.rules[number]}`")
            program = self._programs[number] = RuleProgram(checked)
        return program

    def admit(self, number: int) -> dict[str, Any]:
        """Return an admission entry. Raises PackError."""
        if not 0 <= number < self.admits:
            raise IndexError(number)
        from .admit import check_admit

        where = f"admission entry {number}"
        return check_admit(self._section(len(self.rules) + number, where), where)

    def source_map(self, number: int) -> dict[str, Any]:
        """Return where the parts of a rule stand in its source. Raises PackError."""
        where = f"source map {number}"
        source = take_object(self._section(len(self.rules) + self.admits + number, where), _SOURCE_KEYS, where)
        take_text(source["path"], where)
        tags = [line for tag in take_list(source["tags"], where) for line in _lines(tag, where)]
        for line in (source["line"], source["summary"], *_lines(source["commands"], where), *tags):
            take_int(line, where, 0)
        if source["exit"] is not None:
            take_int(source["exit"], where, 0)
        for named in (source["kinds"], source["streams"], source["facts"], source["taken"]):
            if not isinstance(named, dict):
                raise fail(where, "not lines by name")
        for line in (*source["kinds"].values(), *source["streams"].values(), *source["facts"].values()):
            take_int(line, where, 0)
        for place in source["taken"].values():
            path, line = take_row(place, 2, where)
            take_text(path, where)
            take_int(line, where, 0)
        for claim in take_list(source["ensure"], where):
            line, text = take_row(claim, 2, where)
            take_int(line, where, 0)
            take_text(text, where)
        return source

    @property
    def sizes(self) -> list[int]:
        """How many bytes each section has, in their order, without its line end."""
        return [length for _, length, _ in self._sections]

    def verify(self) -> None:
        """Read and check every section. Raises PackError.

        From then on the rules are in memory, so what becomes of the file no longer matters to them.
        """
        for number in range(len(self.rules)):
            self.rule(number)
            self.source_map(number)
        for number in range(self.admits):
            self.admit(number)

    def _section(self, number: int, where: str) -> Any:
        return parse_section(self._bytes(number, where), where)

    def _bytes(self, number: int, where: str) -> bytes:
        """Return a section whose digest holds. Raises PackTruncated, PackAltered."""
        offset, length, digest = self._sections[number]
        data = self._read(offset, length + 1)
        if len(data) <= length:
            raise PackTruncated(f"{where}: the file ends before it does")
        if sha256(data[:length]).hexdigest() != digest or data[length:] != b"\n":
            raise PackAltered(f"{where}: its digest does not hold")
        return data[:length]


def load_pack(data: bytes) -> Pack:
    """Return the pack that these bytes are. Raises PackError; of the sections only their places are checked."""
    _check_size(len(data))
    digest, end_of_first, signatures = _parse_first_line(data[:_LONGEST_FIRST_LINE])
    end = data.find(b"\n", end_of_first)
    if end < 0:
        raise PackTruncated("the file ends in its header")
    header = _parse_header(data[end_of_first:end], digest)
    base = end + 1
    _check_end(header, len(data) - base)
    return Pack(digest, header, lambda offset, length: data[base + offset : base + offset + length], signatures)


class _File:
    """A file that is read in parts and closed with the last pack that reads it."""

    __slots__ = ("_descriptor",)

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # O_NONBLOCK: opening a pipe must not wait for whoever writes into it.
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))

    def __del__(self) -> None:
        # Opening may have failed, or the interpreter may be shutting down.
        descriptor, close = getattr(self, "_descriptor", None), getattr(os, "close", None)
        if descriptor is not None and close is not None:
            close(descriptor)

    @property
    def size(self) -> int:
        """The size in bytes. Raises NotAPackError for what is no file, as a pipe."""
        status = os.fstat(self._descriptor)
        # A folder has an error of its own, of reading it.
        if not (S_ISREG(status.st_mode) or S_ISDIR(status.st_mode)):
            raise NotAPackError("it is a pipe or a device, not a file")
        return status.st_size

    def read(self, offset: int, length: int) -> bytes:
        """Return `length` bytes from `offset` on, fewer where the file ends. Threads do not disturb one another."""
        return os.pread(self._descriptor, length, offset)


def open_pack(path: str | os.PathLike[str]) -> Pack:
    """Return the pack of a file, of which only the header is read now. Raises PackError, OSError.

    The file stays open for the sections: what replaces it under its name is another pack.
    """
    if not hasattr(os, "pread"):
        with open(path, "rb") as whole:
            return load_pack(whole.read(LARGEST_PACK + 1))
    file = _File(path)
    _check_size(file.size)
    start = file.read(0, _HEADER_CHUNK)
    digest, end_of_first, signatures = _parse_first_line(start[:_LONGEST_FIRST_LINE])
    end = start.find(b"\n", end_of_first)
    while end < 0:
        if len(start) > LARGEST_HEADER + _LONGEST_FIRST_LINE:
            raise PackTooLarge(f"the header has no end within {LARGEST_HEADER} bytes")
        more = file.read(len(start), max(len(start), _HEADER_CHUNK))
        if not more:
            raise PackTruncated("the file ends in its header")
        end = more.find(b"\n")
        end = end if end < 0 else end + len(start)
        start += more
    header = _parse_header(start[end_of_first:end], digest)
    base = end + 1
    _check_end(header, file.size - base)
    return Pack(digest, header, lambda offset, length: file.read(base + offset, length), signatures)


def _check_size(size: int) -> None:
    if size > LARGEST_PACK:
        raise PackTooLarge(f"the file has {size} bytes, a pack at most {LARGEST_PACK}")


def _parse_first_line(start: bytes) -> tuple[str, int, tuple[Signature, ...]]:
    """Return the digest, where line 2 begins, and the signatures."""
    if not start.startswith(_MAGIC):
        if _MAGIC.startswith(start):
            raise PackTruncated("the file ends in its first line")
        raise NotAPackError("the file does not begin with `cablepack`")
    line, end, _ = start.partition(b"\n")
    version, _, rest = line[len(_MAGIC) :].partition(b" ")
    # The version stands first in every format there will be; what follows it need not be read.
    if version.isdigit() and not version.startswith(b"0") and version != str(FORMAT_VERSION).encode():
        shown = version.decode() if len(version) < 20 else "a very large number"
        raise PackNewer(f"format {shown}, this runtime reads {FORMAT_VERSION}")
    if not end:
        raise (
            PackTruncated("the file ends in its first line")
            if len(start) < _LONGEST_FIRST_LINE
            else PackAltered("the first line has no end")
        )
    digest, space, signed = rest.partition(b" ")
    if version != str(FORMAT_VERSION).encode() or len(digest) != 64 or digest.strip(b"0123456789abcdef"):
        raise PackAltered("the first line is no format version and digest")
    if not space:
        return digest.decode(), len(line) + 1, ()
    from .signature import parse_signatures

    if not signed.isascii():
        raise PackAltered("the first line holds something else than signatures")
    beginning = line[: -len(signed) - 1].decode()
    return digest.decode(), len(line) + 1, parse_signatures(beginning, signed.decode())


def _parse_header(data: bytes, digest: str) -> dict[str, Any]:
    """Verify and check the header."""
    if len(data) > LARGEST_HEADER:
        raise PackTooLarge(f"the header has {len(data)} bytes, a header at most {LARGEST_HEADER}")
    if sha256(data).hexdigest() != digest:
        raise PackAltered("the digest of the header does not hold")
    value = parse_section(data, "header")
    if isinstance(value, dict) and type(value.get("language")) is int and value["language"] > LANGUAGE_VERSION:
        raise PackNewer(f"language {value['language']}, this runtime reads {LANGUAGE_VERSION}")
    if isinstance(value, dict) and "features" in value:
        # Before anything else is looked at: what is missing here may be what a newer version knows.
        from .features import check_features

        check_features(value, __version__)
    header = take_object(value, _HEADER_KEYS, "header")
    take_int(header["language"], "header", 1, LANGUAGE_VERSION)
    for key in ("name", "version", "tool"):
        take_label(header[key], "header")
    rules = take_texts(header["rules"], "header")
    for text in (*rules, *take_texts(header["requires"], "header"), *take_texts(header["roots"], "header")):
        take_label(text, "header")
    if len(set(rules)) != len(rules):
        seen: set[str] = set()
        # `add` gives None, so the first id that is there already is what is found.
        twice = next(rule for rule in rules if rule in seen or seen.add(rule))
        raise PackDuplicate(f"the rule `{twice}` stands there twice")
    if header["roots"]:
        from .roots import find_strays

        strays = find_strays(rules, header["roots"])
        if strays:
            raise PackDuplicate(f"the rule `{strays[0]}` is below none of its roots, {', '.join(header['roots'])}")
    admits = take_int(header["admits"], "header", 0, 1_000_000)
    _check_index(header["index"], len(rules))
    _check_sections(header["sections"], 2 * len(rules) + admits)
    return header


def _check_index(value: Any, rules: int) -> None:
    if not isinstance(value, dict):
        raise fail("index", "not an object")
    for heads in value.values():
        if not isinstance(heads, dict):
            raise fail("index", "not objects by word")
        for numbers in heads.values():
            for number in take_list(numbers, "index"):
                take_int(number, "index", 0, rules - 1)


def _check_sections(value: Any, count: int) -> None:
    expected = 0
    for section in take_row(value, count, "sections"):
        offset, length, digest = take_row(section, 3, "sections")
        take_int(offset, "sections", expected, expected)
        expected += take_int(length, "sections", 1, LARGEST_PACK) + 1
        take_text(digest, "sections", empty=False)


def _check_end(header: dict[str, Any], size: int) -> None:
    """Compare the bytes behind the header with what its sections take."""
    sections = header["sections"]
    expected = sections[-1][0] + sections[-1][1] + 1 if sections else 0
    if size < expected:
        raise PackTruncated(f"the file ends {expected - size} bytes before its last section does")
    if size > expected:
        raise PackAltered("something stands behind the last section")


def _lines(value: Any, where: str) -> list[Any]:
    return take_list(value, where)
