"""What `cablese why` knows of one decision, as one record: of it, text for people is made, and JSON for programs.

Input: the steps that the walk told, the view, the catalogue. Output: a record of the shape of `why_schema`.

Lines and columns count from 1, columns in characters of the line as the rule sees it. Every step that has a place in a
rule file names it (`place`), every one that has a line of the output names that (`stream`, `line`).
"""

from __future__ import annotations

from typing import Any

from ..runtime.admission.choice import Refusal
from ..runtime.engine.command import accepts
from ..runtime.engine.inspection import ClaimTold, Inspection, Spot, Stop, StreamTold, TagTold, Told, inspect
from ..runtime.packs.catalogue import Claim
from ..runtime.packs.errors import PackError
from ..runtime.records import ToolResult, View
from ..runtime.shell import Command
from ..runtime.tokens import count_tokens

Record = dict[str, Any]


def make_record(result: ToolResult, steps: dict[str, Any], view: View) -> Record:
    """Return the record of a decision. Parts that were not reached are null, or empty."""
    command, claim = steps.get("command"), steps.get("rule")
    record: Record = {
        "tool": result.tool,
        "command": _command(command, result),
        "rule": None,
        "near": steps.get("near", []),
        "notes": list(steps.get("notes", ())),
        "exit": None,
        "captured": _captured(steps),
        "streams": [],
        "captures": [],
        "facts": [],
        "claims": [],
        "tags": [],
        "entries": [_entry(*trial) for trial in steps.get("trials", ())],
        "codec": _codec(steps.get("encoding")),
        "kind": _kind(steps.get("kind")),
        "gate": _gate(steps, view),
        "decision": {
            "outcome": str(view.decision.outcome),
            "reason": None if view.decision.reason is None else str(view.decision.reason),
            "detail": view.decision.detail,
        },
    }
    if claim is not None:
        _add_rule(record, Source(claim), result, steps)
    return record


class Source:
    """Where the parts of a rule stand. Nothing but this page needs it, so a pack may be damaged just there."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        try:
            self._map = claim.pack.source_map(claim.number)
        except (PackError, OSError):
            self._map = None

    def place(self, *keys: str | int) -> Record | None:
        """Return the place of a part: `place("kinds", name)` is that of a kind."""
        found: Any = self._map
        for key in keys:
            if isinstance(found, dict):
                found = found.get(key)
            elif isinstance(found, list) and isinstance(key, int) and key < len(found):
                found = found[key]
            else:
                return None
        line = found[0] if isinstance(found, list) and found else found
        # Line 0 stands for a part that is not there, such as an `else`.
        return {"path": self.path, "line": line} if isinstance(line, int) and line else None

    @property
    def path(self) -> str:
        """The file of the rule."""
        return "(place damaged)" if self._map is None else self._map["path"]

    @property
    def rule(self) -> Record:
        """The place of the rule itself, also where the pack is damaged."""
        return {"path": self.path, "line": 0 if self._map is None else self._map["line"]}

    def kind(self, kind: str) -> Record:
        """Return a kind by name and place: a pattern within a record is called by its place there."""
        owner, _, number = kind.partition("#")
        place = self.place("kinds", owner)
        taken = {} if self._map is None else self._map["taken"]
        if place is None and owner in taken:
            path, line = taken[owner]
            place = {"path": path, "line": line}
        return {"kind": owner, "pattern": int(number) if number else None, "place": place}

    def claim_text(self, number: int) -> str:
        """Return a claim as it is written."""
        ensure = [] if self._map is None else self._map["ensure"]
        return ensure[number][1] if number < len(ensure) else f"claim {number + 1}"


def _command(command: Command | None, result: ToolResult) -> Record | None:
    if command is not None:
        return {"text": command.text, "words": list(command.words), "joined": command.merges}
    text = result.command
    return None if text is None else {"text": text, "words": None, "joined": False}


def _add_rule(record: Record, source: Source, result: ToolResult, steps: dict[str, Any]) -> None:
    """Add what the rule that claimed the command made of the output."""
    claim, command = source.claim, steps["command"]
    rule, pack = claim.rule, claim.pack
    form = next((at for at, form in enumerate(rule.commands) if accepts(form, command.words)), None)
    record["rule"] = {
        "id": rule.id,
        "title": rule.title,
        "pack": f"{pack.name} {pack.version} {pack.digest[:6]}",
        "place": source.rule,
        "form": None
        if form is None
        else {"words": " ".join(rule.commands[form]["head"]), "place": source.place("commands", form)},
    }
    streams = steps.get("streams")
    if streams is None or "verdict" not in steps:
        return
    if rule.exit is not None:
        holds = result.exit_code in rule.exit
        record["exit"] = {
            "code": result.exit_code,
            "listed": rule.exit,
            "holds": holds,
            "place": source.place("exit"),
        }
    if command.merges:
        streams = streams._replace(merged=True)
    done = inspect(rule, streams, result.exit_code)
    record["streams"] = _streams(source, steps, done)
    record["captures"] = [_told(told, source.kind(told.name.partition(".")[0])["place"]) for told in done.captures]
    record["facts"] = [_told(told, source.place("facts", told.name)) for told in done.facts]
    record["claims"] = [_claim(told, source) for told in done.claims]
    record["tags"] = [_tag(told, source) for told in done.tags]


def _captured(steps: dict[str, Any]) -> Record | None:
    streams = steps.get("streams")
    if streams is None:
        return None
    lines = {name: _count(getattr(streams, name)) for name in ("stdout", "stderr")}
    return {"merged": streams.merged, **lines}


def _count(text: str) -> int:
    # Lines end at line feeds alone, as they do for rules.
    return text.count("\n") + (not text.endswith("\n")) if text else 0


# --- streams ---------------------------------------------------------------------------------------------------------


def _streams(source: Source, steps: dict[str, Any], done: Inspection) -> list[Record]:
    """Return the streams that were read, and one that must be empty and is not."""
    told = [_stream(each, source) for each in done.streams]
    cause = getattr(steps["verdict"], "cause", None)
    known = {each["name"] for each in told}
    if cause is not None and cause.claim is None and cause.stream is not None and cause.stream not in known:
        stop = Stop(cause.line, cause.found, (), None, (), None, None)
        lines = _count(getattr(steps["streams"], cause.stream))
        told = [_stream(StreamTold(cause.stream, lines, (), stop), source)]
    elif done.streams and done.streams[-1].stop is not None and cause is not None and cause.stream is None:
        # The exit code, or the streams as a whole, decided before a line was looked at.
        told = []
    return told


def _stream(told: StreamTold, source: Source) -> Record:
    return {
        "name": told.name,
        "lines": told.lines,
        "place": source.place("streams", told.name),
        "runs": [{**source.kind(run.kind), "first": run.first, "lines": run.lines} for run in told.runs],
        "stop": None if told.stop is None else _stop(told.stop, source),
    }


def _stop(stop: Stop, source: Source) -> Record:
    near = stop.near
    return {
        "line": stop.line,
        "text": stop.text,
        "control": stop.control,
        "column": None if stop.column is None else stop.column + 1,
        "possible": [source.kind(kind) for kind in stop.kinds],
        "nearest": None
        if near is None
        else {
            **source.kind(near.kind),
            "column": near.reach.column + 1,
            "expected": list(near.reach.expected),
        },
        "elsewhere": [source.kind(kind) for kind in stop.elsewhere],
    }


# --- what the lines say ----------------------------------------------------------------------------------------------


def _spot(spot: Spot | None) -> Record | None:
    return None if spot is None else {"text": spot.text, "stream": spot.stream, "line": spot.line}


def _told(told: Told, place: Record | None) -> Record:
    return {
        "name": told.name,
        "place": place,
        "values": [_spot(spot) for spot in told.spots],
        "size": told.size,
        "total": told.total,
    }


def _claim(told: ClaimTold, source: Source) -> Record:
    return {
        "text": source.claim_text(told.number),
        "place": source.place("ensure", told.number),
        "applies": told.applies,
        "holds": told.holds,
        "records": told.scopes,
        "left": told.left,
        "right": told.right,
        "at": _spot(told.at),
        "strange": list(told.strange),
    }


def _tag(told: TagTold, source: Source) -> Record:
    names = ["for", "else"] if told.name == "for" else ["if", *["elif"] * (len(told.taken) - 2), "else"]
    parts = [
        {
            "name": name,
            "asked": told.asked[at] if at < len(told.asked) else None,
            "place": source.place("tags", told.number, at),
            "taken": taken,
        }
        for at, (name, taken) in enumerate(zip(names, told.taken, strict=True))
    ]
    return {"parts": [part for part in parts if part["name"] != "else" or part["place"] is not None]}


# --- codecs, content kinds, the gate ---------------------------------------------------------------------------------


def _entry(entry: Any, level: str, refusal: str | None) -> Record:
    return {
        "pattern": entry.pattern,
        "codec": entry.codec,
        "level": level,
        "place": entry.place or None,
        "pack": entry.pack,
        "refusal": refusal,
    }


def _codec(encoding: Any) -> Record | None:
    if encoding is None:
        return None
    return {"codec": encoding.entry.codec, "guarantee": encoding.guarantee, "detail": encoding.detail}


def _kind(told: Any) -> Record | None:
    """Return what kind the text was told to be, and which form that has, or why none is used."""
    if told is None:
        return None
    if isinstance(told, Refusal):
        return {"kind": str(told.kind), "form": None, "guarantee": None, "detail": told.detail}
    return {"kind": str(told.kind), "form": told.name, "guarantee": told.form.guarantee, "detail": None}


def _gate(steps: dict[str, Any], view: View) -> list[Record]:
    shown = count_tokens(steps["shown"]) if "shown" in steps else {}
    return [
        {"encoding": name, "original": original, "summary": shown.get(name)}
        for name, (original, _) in (view.decision.tokens or {}).items()
    ]
