"""`cablese why`: each step of a decision, with its place in the rule file and the line of the output that decided."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..runtime.admission.choice import Choice, Refusal
from ..runtime.catalogue import Claim, PackUnusableError
from ..runtime.framing import Streams
from ..runtime.pack_errors import PackError
from ..runtime.records import Outcome, RecordError, View
from ..runtime.tokens import count_tokens
from .captured import CAPTURED, DECIDING, make_compressor, read_captured
from .options import Arguments, Command
from .output import InputError, complain, count_of
from .project import pack_notes

if TYPE_CHECKING:
    from ..runtime.codec_candidate import Encoding, Trial

COMMAND = Command(
    "why",
    "Show each step of the decision about a captured result. Nothing is kept.\n\n"
    "Exits with 0 if the result would be summarised, with 3 if it passes.",
    (*CAPTURED, *DECIDING),
)


def execute(arguments: Arguments) -> int:
    """Print the steps; 0 would compress, 3 passes, 2 for a malformed record or input."""
    steps: dict[str, Any] = {}
    try:
        arguments["count"] = True
        compressor = make_compressor(arguments, kept=False)
        result, _ = read_captured(arguments)
        view = compressor.view(result, steps.__setitem__, arguments["level"])
        with suppress(PackUnusableError):
            if "command" in steps and "rule" not in steps:
                steps["nearly"] = compressor.catalogue.obstacles(result.tool, steps["command"].words)
            steps["notes"] = pack_notes(compressor.catalogue, result.tool)
    except (InputError, RecordError) as error:
        complain(str(error))
        return 2
    for name, text in render_steps(steps, view):
        print(f"{name:9} {text}".rstrip())
    return 0 if view.decision.outcome is Outcome.COMPRESSED else 3


def render_steps(steps: dict[str, Any], view: View) -> list[tuple[str, str]]:
    """Return the steps that were taken, as lines of a name and what it gave."""
    lines: list[tuple[str, str]] = []
    if "command" in steps:
        command = steps["command"]
        joined = "; its streams are joined" if command.merges else ""
        lines.append(("command", f"{command.text}  ({count_of(len(command.words), 'word')}{joined})"))
    if "rule" in steps:
        lines += _rule(steps["rule"])
    lines += [("note", note) for note in steps.get("notes", ())]
    for claim, obstacle in steps.get("nearly", ()):
        lines.append(("nearly", f"{claim.rule.id}: {obstacle}  {_place(claim)}"))
    lines += _trials(steps.get("trials", ()), steps.get("encoding"))
    if "streams" in steps:
        lines.append(("streams", _streams(steps["streams"])))
    if "verdict" in steps:
        lines += _verdict(steps["rule"], steps["verdict"])
    if "kind" in steps:
        lines += _kind(steps["kind"])
    decision = view.decision
    summary = count_tokens(steps["shown"]) if "shown" in steps else {}
    for name, (original, _) in (decision.tokens or {}).items():
        compared = f", the summary would be {summary[name]}" if summary else ""
        lines.append(("tokens", f"{name}: {original} in the original{compared}"))
    lines.append(("decision", f"{decision.outcome}" + (f": {decision.reason}" if decision.reason else "")))
    if decision.detail:
        lines.append(("", decision.detail))
    return lines


def _trials(trials: Sequence[Trial], encoding: Encoding | None) -> list[tuple[str, str]]:
    """Say which admission entries were asked, where each stands, and what came of it."""
    lines: list[tuple[str, str]] = []
    for entry, level, refusal in trials:
        said = f"declines: {refusal}" if refusal is not None else f"takes it at level `{level}`"
        lines.append(("entry", f'admit "{entry.pattern}" with {entry.codec}: {said}'))
        lines.append(
            ("", f"{entry.place}, pack {entry.pack}" if entry.pack else "what holds where no pack says anything")
        )
    if encoding is not None:
        detail = f" ({encoding.detail})" if encoding.detail else ""
        lines.append(("codec", f"{encoding.entry.codec}: guarantee `{encoding.guarantee}`{detail}"))
    return lines


def _kind(told: Choice | Refusal) -> list[tuple[str, str]]:
    """Say what kind the text was told to be, and which form that has, or why none is used."""
    if isinstance(told, Refusal):
        return [("kind", f"{told.kind}: {told.detail}")]
    return [("kind", f"{told.kind}: form `{told.name}`, guarantee `{told.form.guarantee}`")]


def _source(claim: Claim) -> dict[str, Any]:
    """Return where the parts of a rule stand. Nothing but this page needs it, so a pack may be damaged just there."""
    try:
        return claim.pack.source_map(claim.number)
    except (PackError, OSError):
        return {"path": "(place damaged)", "line": 0, "streams": {}, "kinds": {}, "ensure": []}


def _place(claim: Claim) -> str:
    source = _source(claim)
    return f"{source['path']}:{source['line']}"


def _rule(claim: Claim) -> list[tuple[str, str]]:
    pack = f"pack {claim.pack.name} {claim.pack.version} {claim.pack.digest[:6]}"
    return [("rule", f"{claim.rule.id} “{claim.rule.title}”"), ("", f"{_place(claim)}, {pack}")]


def _streams(streams: Streams) -> str:
    if streams.merged:
        return f"one, joined: {_size(streams.stdout or streams.stderr)}"
    return f"stdout {_size(streams.stdout)}, stderr {_size(streams.stderr)}"


def _size(text: str) -> str:
    # Lines end at line feeds alone, as they do for rules.
    return count_of(text.count("\n") + (not text.endswith("\n")), "line") if text else "empty"


def _visible(text: str) -> str:
    """Return a line with what would not be seen, or would move the cursor, as escapes."""
    escaped = (each.encode("unicode_escape", "surrogatepass").decode("ascii") for each in text)
    return "".join(each if each.isprintable() else code for each, code in zip(text, escaped, strict=True))


def _kind_name(kind: str) -> str:
    """Return what a kind is called: a pattern within a record has no name of its own, but its place there."""
    owner, _, number = kind.partition("#")
    return f"line {number} of {owner}" if number else owner


def _verdict(claim: Claim, verdict: Any) -> list[tuple[str, str]]:
    """Say which kinds claimed the lines, or which line (or claim of the rule) decided against it."""
    from ..runtime import engine

    source = _source(claim)
    place = f"{source['path']}:{{}}".format
    if isinstance(verdict, engine.Body):
        counts: dict[tuple[str, str], int] = {}
        for stream, _, kind, _ in engine.explain(verdict):
            counts[stream, kind] = counts.get((stream, kind), 0) + 1
        return [("lines", f"{stream}: {count} {_kind_name(kind)}") for (stream, kind), count in counts.items()]
    cause = verdict.cause
    lines: list[tuple[str, str]] = []
    if cause.stream is not None and cause.line is not None:
        found = "its end" if cause.found is None else f"`{_visible(cause.found[:200])}`"
        lines.append(("output", f"{cause.stream} line {cause.line}: {found}"))
        if source["streams"].get(cause.stream) is not None:
            lines.append(("", f"{cause.stream} is described at {place(source['streams'][cause.stream])}"))
    for kind in cause.kinds:
        name = kind.partition("#")[0]
        at = f"  {place(source['kinds'][name])}" if name in source["kinds"] else ""
        lines.append(("possible" if kind == cause.kinds[0] else "", f"{_kind_name(kind)}{at}"))
    if cause.claim is not None and source["ensure"]:
        line, text = source["ensure"][cause.claim]
        lines.append(("claim", f"{text}  {place(line)}"))
    return lines
