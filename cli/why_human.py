"""The record of a decision as text for a terminal of eighty columns.

Input: a record of `why_record`. Output: lines. The first column names the step, what belongs to it stands beside it and
below; places in rule files stand at the right edge.

Texts of an output are clipped around the place that matters, and what would not be seen, or would move the cursor, is
shown as an escape.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .output import count_of, printable

WIDTH = 80
_NAME = 10
_ROOM = WIDTH - _NAME
_MOST_RUNS = 12
_SHOWN = 40
"""So many columns of a value are shown in a list of values."""

_GLUE = "\N{NO-BREAK SPACE}"
"""Stands for a blank at which no line is broken. One of an output is shown as an escape, so there is no other."""

Row = tuple[str, str]


def render_record(record: dict[str, Any]) -> str:
    """Return the steps that were taken, a line end behind each line."""
    lines: list[str] = []
    for name, text in _rows(record):
        lines.append(f"{name:{_NAME}}{text}".replace(_GLUE, " ").rstrip())
    return "".join(f"{line}\n" for line in lines)


def _rows(record: dict[str, Any]) -> Iterator[Row]:
    yield from _command(record)
    # In one piece, however long: it may hold a command or a path to be copied.
    yield from (("note", note) for note in record["notes"])
    for near in record["near"]:
        yield from _placed("nearly", f"{near['rule']}: {printable(near['obstacle'])}", near["place"])
    yield from _entries(record)
    yield from _captured(record)
    yield from _exit(record["exit"])
    for stream in record["streams"]:
        yield from _stream(stream)
    yield from _values("captures", record["captures"])
    yield from _values("facts", record["facts"])
    yield from _claims(record["claims"])
    yield from _tags(record["tags"])
    yield from _kind(record["kind"])
    for gate in record["gate"]:
        compared = "" if gate["summary"] is None else f", the summary would be {gate['summary']}"
        yield "tokens", f"{gate['encoding']}: {gate['original']} in the original{compared}"
    decision = record["decision"]
    yield "decision", decision["outcome"] + (f": {decision['reason']}" if decision["reason"] else "")
    if decision["detail"]:
        yield "", printable(decision["detail"])


def _command(record: dict[str, Any]) -> Iterator[Row]:
    command, rule = record["command"], record["rule"]
    if command is not None and command["words"] is None:
        yield from _wrapped("command", printable(command["text"]))
    elif command is not None:
        joined = "; its streams are joined" if command["joined"] else ""
        words = f"({count_of(len(command['words']), 'word')}{joined})"
        yield from _wrapped("command", f"{printable(command['text'])}  {words.replace(' ', _GLUE)}")
    if rule is None:
        return
    yield from _wrapped("rule", f"{rule['id']} “{printable(rule['title'])}”")
    yield "", f"{_place(rule['place'])}, pack {rule['pack']}"
    if rule["form"] is not None:
        yield from _placed("form", rule["form"]["words"], rule["form"]["place"])


def _captured(record: dict[str, Any]) -> Iterator[Row]:
    captured = record["captured"]
    if captured is None:
        return
    size = {name: count_of(captured[name], "line") if captured[name] else "empty" for name in ("stdout", "stderr")}
    if captured["merged"]:
        yield "streams", f"one, joined: {size['stdout'] if captured['stdout'] else size['stderr']}"
    else:
        yield "streams", f"stdout {size['stdout']}, stderr {size['stderr']}"


def _exit(told: dict[str, Any] | None) -> Iterator[Row]:
    if told is None:
        return
    listed = ", ".join(_code(code) for code in told["listed"])
    held = "is" if told["holds"] else "is not"
    yield from _placed("exit", f"{_code(told['code'])} {held} among {listed}", told["place"])


def _code(code: int | None) -> str:
    return "unknown" if code is None else str(code)


# --- streams ---------------------------------------------------------------------------------------------------------


def _stream(told: dict[str, Any]) -> Iterator[Row]:
    runs, stop = told["runs"], told["stop"]
    head = "lines"
    shown = runs if len(runs) <= _MOST_RUNS else [*runs[: _MOST_RUNS // 2], None, *runs[-_MOST_RUNS // 2 :]]
    for run in shown:
        if run is None:
            left = runs[_MOST_RUNS // 2 : -_MOST_RUNS // 2]
            lines = sum(each["lines"] for each in left)
            yield "", f"… {count_of(lines, 'line')} in {count_of(len(left), 'run')} …"
            continue
        last = run["first"] + run["lines"] - 1
        where = f"{run['first']}" if run["lines"] == 1 else f"{run['first']}-{last}"
        yield from _placed(head, f"{told['name']} {where}: {run['lines']} {_kind_name(run)}", run["place"])
        head = ""
    if stop is not None:
        yield from _stop(told, stop)


def _stop(told: dict[str, Any], stop: dict[str, Any]) -> Iterator[Row]:
    nearest = stop["nearest"]
    column = nearest["column"] if nearest is not None else stop["column"]
    head = f"{told['name']} line {stop['line']}: "
    if stop["text"] is None and stop["line"] == 1:
        yield "output", f"{told['name']} is empty"
    else:
        yield from _quoted("output", head, "its end" if stop["text"] is None else "", stop["text"], column)
    if told["place"] is not None:
        yield from _placed("", f"{told['name']} is described", told["place"])
    if nearest is not None:
        yield from _placed("nearest", _kind_name(nearest), nearest["place"])
        expected = " or ".join(printable(words) for words in nearest["expected"])
        yield from _wrapped("", f"stops at column {column}, expects {expected}")
    elif stop["control"] is not None:
        yield "", f"{stop['control']} at column {column}; no line may hold it"
    if not stop["possible"] and stop["control"] is None and stop["line"] > 1:
        yield "possible", "no line: here the output may only end"
    for name, kinds in (("possible", stop["possible"]), ("elsewhere", stop["elsewhere"])):
        for kind in kinds:
            yield from _placed(name if kind is kinds[0] else "", _kind_name(kind), kind["place"])
    if stop["elsewhere"]:
        yield from _wrapped("", "matches the line, and may not stand there")


def _quoted(name: str, head: str, instead: str, text: str | None, column: int | None) -> Iterator[Row]:
    """Yield a line of the output in backquotes, below it a mark at the column."""
    if text is None:
        yield name, head + instead
        return
    shown, at = clip_around(text, (column or 1) - 1, _ROOM - len(head) - 2)
    yield name, f"{head}`{shown}`"
    if column is not None:
        yield "", " " * (len(head) + 1 + at) + "^"


# --- what the lines say ----------------------------------------------------------------------------------------------


def _values(name: str, told: Sequence[dict[str, Any]]) -> Iterator[Row]:
    for each in told:
        yield from _placed(name if each is told[0] else "", f"{each['name']} = {_value(each)}", each["place"])


def _value(told: dict[str, Any]) -> str:
    values = told["values"]
    if told["size"] is None:
        return _spot(values[0], _SHOWN)
    more = told["size"] - len(values)
    left = f", {told['total'] - told['size']} left out" if told["total"] != told["size"] else ""
    parts = [_spot(value, _SHOWN // 2 if told["size"] > 1 else _SHOWN) for value in values[:2]]
    more += len(values) - len(parts)
    listed = ", ".join(parts) + (f" and {more} more" if more else "")
    return f"{told['size']}{left}: {listed}" if listed else "none"


def _spot(value: dict[str, Any], room: int) -> str:
    text = clip_around(value["text"], 0, room)[0]
    shown = text if value["text"].isdigit() or value["text"] == "(missing)" else f"`{text}`".replace(" ", _GLUE)
    return shown if value["line"] is None else f"{shown} ({value['stream']}{_GLUE}{value['line']})"


def _claims(claims: Sequence[dict[str, Any]]) -> Iterator[Row]:
    for claim in claims:
        yield from _placed("claims" if claim is claims[0] else "", printable(claim["text"]), claim["place"])
        yield from _wrapped("", f"  {_held(claim)}")


def _held(claim: dict[str, Any]) -> str:
    if not claim["applies"]:
        return "not asked: its condition is not met"
    if claim["at"] is None and not claim["records"]:
        return "holds: there is no such record"
    compared = "" if claim["left"] is None else f": {claim['left']}"
    compared += "" if claim["right"] is None else f" and {claim['right']}"
    words = ("holds" if claim["holds"] else "does not hold") + compared
    if claim["strange"]:
        words += "; not there: " + ", ".join(f"`{clip_around(text, 0, _SHOWN)[0]}`" for text in claim["strange"])
    at = claim["at"]
    if at is None:
        return words
    if claim["holds"]:
        others = claim["records"] - 1
        return f"{words}, at {at['stream']} {at['line']}" + (f" and {others} more" if others else "")
    return f"{words}, at {at['stream']} {at['line']}: {_spot({**at, 'line': None}, _SHOWN)}"


def _tags(tags: Sequence[dict[str, Any]]) -> Iterator[Row]:
    head = "summary"
    for tag in tags:
        for part in tag["parts"]:
            asked = part["name"] if part["asked"] is None else f"{part['name']} {part['asked']}"
            yield from _placed(head, f"{asked}: {_taken(part['taken'])}", part["place"])
            head = ""


def _taken(times: int) -> str:
    return {0: "not taken", 1: "taken"}.get(times, f"{times} times")


# --- codecs and content kinds ----------------------------------------------------------------------------------------


def _entries(record: dict[str, Any]) -> Iterator[Row]:
    """Say which admission entries were asked, where each stands, and what came of it."""
    for entry in record["entries"]:
        said = f"takes it at level `{entry['level']}`" if entry["refusal"] is None else f"declines: {entry['refusal']}"
        yield from _wrapped("entry", f'admit "{entry["pattern"]}" with {entry["codec"]}: {printable(said)}')
        where = f"{entry['place']}, pack {entry['pack']}" if entry["pack"] else "what holds where no pack says anything"
        yield "", where
    codec = record["codec"]
    if codec is not None:
        detail = f" ({codec['detail']})" if codec["detail"] else ""
        yield from _wrapped("codec", f"{codec['codec']}: guarantee `{codec['guarantee']}`{printable(detail)}")


def _kind(kind: dict[str, Any] | None) -> Iterator[Row]:
    if kind is None:
        return
    if kind["form"] is None:
        yield from _wrapped("kind", f"{kind['kind']}: {printable(kind['detail'])}")
    else:
        yield from _wrapped("kind", f"{kind['kind']}: form `{kind['form']}`, guarantee `{kind['guarantee']}`")


# --- the whole output ------------------------------------------------------------------------------------------------


def render_lines(lines: Iterable[dict[str, Any]]) -> str:
    """Return every line of an output beside the kind that claimed it, and where that kind stands."""
    rows = [(f"{each['stream']} {each['line']}", each["kind"], each["text"]) for each in lines]
    beside = [(_kind_name(kind), _line(kind["place"])) if kind else ("-", "") for _, kind, _ in rows]
    widths = [
        max((width(cell) for cell in column), default=0)
        for column in ([row[0] for row in rows], [name for name, _ in beside], [place for _, place in beside])
    ]
    room = max(WIDTH - sum(widths) - 6, 20)
    shown = []
    for (place, _, text), (name, line) in zip(rows, beside, strict=True):
        cells = f"{place:{widths[0]}}  {_pad(name, widths[1])}  {line:>{widths[2]}}"
        shown.append(f"{cells}  {clip_around(text, 0, room)[0]}".rstrip() + "\n")
    return "".join(shown)


def _line(place: dict[str, Any] | None) -> str:
    return "" if place is None else f":{place['line']}"


# --- texts -----------------------------------------------------------------------------------------------------------


def _kind_name(kind: dict[str, Any]) -> str:
    return kind["kind"] if kind["pattern"] is None else f"line {kind['pattern']} of {kind['kind']}"


def _place(place: dict[str, Any]) -> str:
    return f"{place['path']}:{place['line']}"


def _placed(name: str, text: str, place: dict[str, Any] | None) -> Iterator[Row]:
    """Yield a text and a place in a rule file, in one line where there is room."""
    if place is None:
        yield from _wrapped(name, text)
    else:
        yield from _ended(name, text, _place(place))


def _ended(name: str, text: str, end: str) -> Iterator[Row]:
    """Yield a text with something at its end, which is never broken."""
    *before, last = list(_wrapped(name, text))
    yield from before
    free = _ROOM - width(last[1]) - width(end)
    if free >= 2:
        yield last[0], f"{last[1]}{' ' * free}{end}"
    else:
        yield last
        yield "", f"{end:>{_ROOM}}"


def _wrapped(name: str, text: str) -> Iterator[Row]:
    """Yield a text in as many lines as it needs, broken at blanks; a word that is too long is broken where it must."""
    line = ""
    for word in text.split(" "):
        rest = word
        if line and width(line) + 1 + width(rest) > _ROOM:
            yield name, line
            name, line = "", "  "
        elif line:
            line += " "
        while width(line) + width(rest) > _ROOM:
            at = _fitting(rest, _ROOM - width(line))
            yield name, line + rest[:at]
            name, line, rest = "", "  ", rest[at:]
        line += rest
    yield name, line


def _fitting(text: str, room: int) -> int:
    """Return how many characters of a text fit, at least one."""
    used = 0
    for at, char in enumerate(text):
        used += width(char)
        if used > room:
            return max(at, 1)
    return len(text)


def width(text: str) -> int:
    """Return how many columns a text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _pad(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def clip_around(text: str, at: int, room: int) -> tuple[str, int]:
    """Return a stretch of a text around character `at`, visible and of at most `room` columns, and the column of `at`.

    What is cut off at an end is shown as `…`.
    """
    at = min(at, len(text))
    # The stretch ends some characters behind the place that matters, or with the text.
    before, columns = at, 0
    behind = room // 3 if at < len(text) else 0
    while before and columns + width(printable(text[before - 1])) <= room - 2 - behind:
        before -= 1
        columns += width(printable(text[before]))
    if before == 1 and columns + width(printable(text[0])) <= room - 1 - behind:
        before, columns = 0, columns + width(printable(text[0]))
    head = "…" if before else ""
    column = len(head) + columns
    after, used = at, column
    while after < len(text):
        cell = width(printable(text[after]))
        last = after + 1 == len(text)
        if used + cell > room - (not last):
            break
        used += cell
        after += 1
    return head + printable(text[before:after]) + ("…" if after < len(text) else ""), column
