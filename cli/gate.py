"""`cablese gate`: what the forms of contents save, and whether questions about them are still answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .options import Arguments, Command, Operands, Option
from .output import STDOUT, InputError, complain, read_bytes, to_bytes, to_json, write_bytes

if TYPE_CHECKING:
    from ..runtime.admission.gate_axes import Floor, Judged, Measured, Report
    from ..runtime.admission.kinds import ContentKind

COMMAND = Command(
    "gate",
    "Measure content kinds on two axes: how many tokens their forms save, and whether a question about\n"
    "each content is still answered from what is shown. Answers are found by rules, without a model.\n\n"
    "Exits with 0 if every kind reaches its floors, 1 if one does not, or could not be measured,\n"
    "2 if the cases or floors are malformed, or a floor is for a kind without cases.",
    (
        Option(
            "--level",
            "up to which level forms are admitted",
            "LEVEL",
            choices=("exact", "value", "normal", "aggressive"),
            default="normal",
        ),
        Option(
            "--floors", 'a JSON file in place of the floors: {"json": {"accuracy": 1.0, "savings": 0.2}, …}', "FILE"
        ),
        Option("--format", "how to print the report", "FORMAT", choices=("markdown", "json"), default="markdown"),
    ),
    Operands("CASES", "a file of cases, one JSON object a line; `-` for standard input", most=1),
)


def execute(arguments: Arguments) -> int:
    """Print the report; 0, 1 if a kind fails, 2 if the cases or floors are malformed."""
    from ..runtime.admission.gate_axes import judge
    from ..runtime.admission.gate_cases import CaseError, read_cases
    from ..runtime.admission.gate_solver import solve

    path = arguments["cases"][0]
    try:
        cases = read_cases(_read(path).split("\n"))
        floors = None if arguments["floors"] is None else _read_floors(arguments["floors"])
        report = judge(cases, solve, level=arguments["level"], floors=floors)
    except CaseError as error:
        complain(f"{path}: {error}")
        return 2
    except (InputError, ValueError) as error:
        complain(str(error))
        return 2
    record = report_record(report, arguments["level"])
    text = to_json(record) + "\n" if arguments["format"] == "json" else render_report(record)
    write_bytes(STDOUT, to_bytes(text))
    return 0 if report.holds else 1


def _read(path: str) -> str:
    """Return the text of a file. Raises InputError, ValueError for bytes that are no UTF-8."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None


def _read_floors(path: str) -> dict[ContentKind, Floor]:
    """Return the floors of a file. Raises ValueError, InputError."""
    import json

    from ..runtime.admission.gate_axes import Floor
    from ..runtime.admission.kinds import ContentKind

    try:
        record = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError(f"{path}: no JSON object")  # noqa: TRY004 - one error for what is no list of floors
    floors = {}
    for name, floor in record.items():
        if name not in list(ContentKind):
            raise ValueError(f"{path}: there is no kind `{name}`")
        if not (isinstance(floor, dict) and floor.keys() == set(Floor._fields) and all(map(_is_share, floor.values()))):
            raise ValueError(f"{path}: the floor for `{name}` is to have `accuracy` and `savings`, from 0 to 1")
        floors[ContentKind(name)] = Floor(**floor)
    return floors


def _is_share(value: Any) -> bool:
    return type(value) in {int, float} and 0 <= value <= 1


def report_record(report: Report, level: str) -> dict[str, Any]:
    """Return the report as one object, as published in `runtime/schemas/gate.schema.json`."""
    return {"holds": report.holds, "level": level, "kinds": [_kind_record(judged) for judged in report.kinds]}


def _kind_record(judged: Judged) -> dict[str, Any]:
    return {
        "kind": str(judged.kind),
        "verdict": str(judged.verdict),
        "accuracy": round(judged.accuracy, 4),
        "savings": round(judged.savings, 4),
        "floor": None if judged.floor is None else judged.floor._asdict(),
        "cases": [_case_record(measured) for measured in judged.measured],
    }


def _case_record(measured: Measured) -> dict[str, Any]:
    return {
        "id": measured.case.id,
        "outcome": str(measured.outcome),
        "savings": round(measured.savings, 4),
        "seen": str(measured.seen),
        "form": measured.form,
        "detail": measured.detail,
    }


def render_report(record: dict[str, Any]) -> str:
    """Return the report as Markdown: a table of kinds, then the cases that were lost or not measured."""
    lines = [
        "| kind | cases | kept | recovered | lost | unmeasured | accuracy | savings | verdict |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    faults = []
    for kind in record["kinds"]:
        cases, floor = kind["cases"], kind["floor"]
        counts = [
            str(sum(case["outcome"] == outcome for case in cases))
            for outcome in ("kept", "recovered", "lost", "unmeasured")
        ]
        shares = [
            _percent(kind[name]) + ("" if floor is None else f" (floor {_percent(floor[name])})")
            for name in ("accuracy", "savings")
        ]
        lines.append(f"| {' | '.join([kind['kind'], str(len(cases)), *counts, *shares, kind['verdict']])} |")
        faults += [
            f"* `{case['id']}`: {case['outcome']}: {case['detail']}"
            for case in cases
            if case["outcome"] in {"lost", "unmeasured"}
        ]
    verdict = "Every kind that has floors reaches them." if record["holds"] else "Not every kind reaches its floors."
    return "\n".join([*lines, "", verdict, *([""] if faults else []), *faults, ""])


def _percent(share: float) -> str:
    """Return a share in per cent, rounded down to a tenth, so that what is below a floor never looks like it."""
    return f"{int(share * 1000 + 1e-9) / 10:.1f} %"
