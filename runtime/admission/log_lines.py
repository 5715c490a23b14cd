r"""What a line of a log looks like: its time, and its level.

Input: lines. Output: for each, whether an entry of the log begins with it, and the level of that entry.

An entry begins with a time, in the forms of RFC 3339, RFC 3164 and RFC 5424, of Python's and Java's loggers, Go, nginx,
Apache (also its access log), the Linux kernel, klog (`E0102 15:04:05.000000`) and Android; with `level=` or `time=`
(logfmt); or with a level. In front of it may stand the name of a container and a bar, as docker compose prints them,
or one word. Any other line belongs to the entry above it.

A level is read only where the entries of this log have it: in the same word behind the time, or as `level=`. Whatever
is not surely below WARN counts as above: unknown levels, and every line with a word that tells of a fault.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .kinds import NotThisKindError

_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK = "[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
_STAMP = (
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ](?:{_CLOCK}|[0-9]{{2}}:[0-9]{{2}})(?:Z| ?[+-][0-9]{{2}}:?[0-9]{{2}})?"
    rf"|[0-9]{{4}}[/.][0-9]{{2}}[/.][0-9]{{2}}[ -]{_CLOCK}"
    rf"|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?{_MONTH} [ 0-9][0-9] (?:[0-9]{{4}} )?{_CLOCK}(?: [0-9]{{4}})?"
    rf"|{_MONTH} [0-9]{{1,2}}, [0-9]{{4}} [0-9]{{1,2}}:[0-9]{{2}}:[0-9]{{2}} [AP]M"
    rf"|[0-9]{{1,2}}[/ -](?:{_MONTH}|[0-9]{{2}})[/ -](?:[0-9]{{4}}|[0-9]{{2}})[: ,]{{1,2}}{_CLOCK}(?: [+-][0-9]{{4}})?"
    rf"|[0-9]{{2}}-[0-9]{{2}} {_CLOCK}|[0-9]{{8}}[ T-][0-9]{{6}}|{_CLOCK}"
)
_LOW = "TRACE|TRC|DEBUG|DBG|DEBG|INFO|INF|INFORMATION|NOTICE|VERBOSE|VRB|FINE|FINER|FINEST|CONFIG|SILLY|DEBUG[1-5]|LOG"
_HIGH = (
    "WARN|WARNING|WRN|ERROR|ERR|ERRO|FATAL|FTL|CRITICAL|CRIT|SEVERE|ALERT|EMERG|EMERGENCY|PANIC|DPANIC|EXCEPTION|FAIL"
)
_BEGINNING = re.compile(
    r"(?:[\w.-]{1,64} {1,64}\| )?(?:[a-z][\w.-]{0,63} (?=[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]))?(?:<[0-9]{1,3}>(?:1 )?)?(?:"
    rf"[\[(]?(?P<stamp>{_STAMP})"
    r"|(?P<klog>[IWEFD][0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3,6})"
    r"|\[ {0,8}(?P<kernel>[0-9]{1,8}\.[0-9]{6})\]"
    rf"|\S{{1,100}} \S{{1,64}} \S{{1,64}} \[(?P<access>{_STAMP})\]"
    r"|(?P<logfmt>(?:time|ts|t|level|lvl|severity)=(?:\"[^\"\n]{1,40}\"|\S{1,40}) )"
    rf"|(?P<level>\[?(?:{_LOW}|{_HIGH})\]?)(?=[: \t|-]))"
)
_LEVEL = re.compile(
    rf"(?:^|[\s\[(<|:\"=])(?:(?P<low>{_LOW})|(?P<high>{_HIGH}))(?=[\s\])>|:\",/-]|$)"
    r"|\[(?:[\w.]{1,40}:)?(?:(?P<inner>trace[1-8]?|debug|info|notice|verbose)|warn(?:ing)?|error|crit|alert|emerg)\]"
)
_LEVEL_FIELD = re.compile(
    r"""(?:^|[\s{,])"?(?:level|lvl|severity|levelname|loglevel)"?[=:] ?"?(?P<name>[A-Za-z]{1,20})(?![A-Za-z])"""
)
_FAULT = re.compile(
    r"(?i)\b(?:warn(?:ing)?s?|err(?:or)?s?|fatal|crit(?:ical)?|severe|panic(?:ked|king)?|alert|emerg(?:ency)?"
    r"|exceptions?|traceback|fail(?:ed|ing|ure|ures|s)?|abort(?:ed|ing)?|(?:seg)?faults?|core dumped|killed"
    r"|denied|refused|timed out|deadlock(?:ed)?|unreachable|corrupt(?:ed|ion)?|oom|out of memory)\b"
    r"|(?-i:[A-Za-z](?:Error|Exception|Failure))\b"
)
_FAULT_PARTS = (
    "err", "warn", "fail", "except", "fatal", "crit", "severe", "panic", "alert", "emerg", "traceback", "abort",
    "fault", "dumped", "killed", "denied", "refused", "timed out", "deadlock", "unreachable", "corrupt", "oom",
    "out of mem",
)  # fmt: skip
"""One of these stands in every word of a fault; most lines have none, and are told so fast."""
_FIELD_PARTS = ("evel", "lvl", "everity")
_LOW_NAMES = frozenset(_LOW.replace("DEBUG[1-5]", "DEBUG").split("|"))
_KLOG_LOW = {"I": "INFO", "D": "DEBUG"}
_WORDS = 5
"""In how many words behind the time a level may stand."""
_REGION = 200
_MIN_ENTRIES = 3
_PROBE, _PROBE_SHARE = 256, 8
"""Of so many lines at the beginning, one in eight of those at the margin begins an entry, or the rest is not read."""


class Entry(NamedTuple):
    """The beginning of an entry. `start` and `end`: where its time stands (equal: it has none), in characters."""

    start: int
    end: int
    kind: str


def entries(lines: list[str]) -> list[Entry | None]:
    """Return the entry that begins with each line, None for the others. Raises NotThisKindError where it is no log."""
    found = [_entry(line) for line in lines[:_PROBE]]
    if len(lines) > _PROBE:
        if (_PROBE - found.count(None)) * _PROBE_SHARE < _flush(lines[:_PROBE]):
            raise NotThisKindError("hardly a line of its beginning begins with a time or a level")
        found += [_entry(line) for line in lines[_PROBE:]]
    count = len(lines) - found.count(None)
    if count < _MIN_ENTRIES:
        raise NotThisKindError("fewer than three entries with a time or a level")
    flush = _flush(lines)
    if count * 2 < flush:
        raise NotThisKindError("most lines begin with neither a time nor a level")
    first = next((entry for line, entry in zip(lines, found, strict=True) if line.strip()), None)
    if first is None and count * 5 < flush * 4:
        raise NotThisKindError("it does not begin with an entry")
    if count * 5 < flush * 4 and all(entry is None or entry.kind == "level" for entry in found):
        raise NotThisKindError("some lines begin with a level, and none with a time")
    return found


def _flush(lines: list[str]) -> int:
    """Return how many lines begin at the margin: the others go on with an entry, if any begins one."""
    return sum(1 for line in lines if line[:1] not in {"", " ", "\t", "\r"})


def _entry(line: str) -> Entry | None:
    found = _BEGINNING.match(line)
    if found is None:
        return None
    kind = found.lastgroup or ""
    start, end = found.span(kind)
    return Entry(start, start, kind) if kind == "level" else Entry(start, end, kind)


def low_levels(lines: list[str], found: list[Entry | None]) -> list[str | None]:
    """Return the level of each entry that is surely below WARN; None for other entries, and for lines that are none."""
    levels: list[tuple[int, str | None]] = []
    counts: dict[int, int] = {}
    for line, entry in zip(lines, found, strict=True):
        place, name = (0, None) if entry is None else _level(line, entry)
        levels.append((place, name))
        if name is not None:
            counts[place] = counts.get(place, 0) + 1
    total = sum(counts.values())
    usual = {place for place, count in counts.items() if count * 5 >= total}
    return [
        name if name in _LOW_NAMES and place in usual and not tells_of_fault(line) else None
        for (place, name), line in zip(levels, lines, strict=True)
    ]


def tells_of_fault(line: str) -> bool:
    """Tell whether a line has a word that tells of a fault."""
    lower = line.lower()
    return any(part in lower for part in _FAULT_PARTS) and _FAULT.search(line) is not None


def _level(line: str, entry: Entry) -> tuple[int, str | None]:
    """Return in which word behind the time an entry has its level, and which it is in capitals; None: unknown."""
    if entry.kind == "klog":
        return 0, _KLOG_LOW.get(line[entry.start], "WARN")
    region = line[entry.end : entry.end + _REGION]
    if entry.kind == "logfmt":
        region = line[entry.start : entry.start + _REGION]
    if any(part in region for part in _FIELD_PARTS) and (field := _LEVEL_FIELD.search(region)) is not None:
        return -1, field["name"].upper()
    region = " ".join(region.split(None, _WORDS)[:_WORDS])
    level = _LEVEL.search(region)
    if level is None:
        return 0, None
    name = level["low"] or level["high"] or (level["inner"] or "warn").upper()
    place = len(region[: level.start()].split())
    name = "DEBUG" if name[:-1] == "DEBUG" else "TRACE" if name[:-1] == "TRACE" else name
    return (place, name) if place < _WORDS else (0, None)
