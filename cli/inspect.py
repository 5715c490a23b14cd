"""`cablese inspect`: what a pack holds, for people and as JSON."""

from __future__ import annotations

from typing import Any

from ..runtime.pack import Pack, PackError, open_pack
from ..runtime.pack_errors import describe_fault
from .options import Arguments, Command, Option
from .output import complain, to_json
from .project import PACK, pack_path

COMMAND = Command(
    "inspect",
    "Show what a pack holds: its name, version and digest, its rules and admission entries, and where\nthey come from.",
    (Option("--json", "print one JSON object"),),
    PACK,
)


def execute(arguments: Arguments) -> int:
    """Print the pack; 0, 1 if it is refused, 2 if it cannot be read."""
    path = pack_path(arguments["pack"])
    try:
        record = describe(open_pack(path))
    except (PackError, OSError) as error:
        complain(describe_fault(path, error))
        return 1 if isinstance(error, PackError) else 2
    if arguments["json"]:
        print(to_json(record))
        return 0
    print(f"{record['name']} {record['version']}, language {record['language']}, made by cablese {record['tool']}")
    print(f"digest {record['digest']}")
    for rule in record["rules"]:
        print(f"\n{rule['id']} “{rule['title']}”  {rule['path']}:{rule['line']}")
        print(f"  tools     {', '.join(rule['tools'])}")
        print(f"  commands  {', '.join(rule['commands'])}")
        print(f"  streams   {', '.join(rule['streams'])}")
        exits = (
            "any"
            if rule["exit"] is None
            else ", ".join("unknown" if code is None else str(code) for code in rule["exit"])
        )
        print(f"  exit      {exits}")
        for note in rule["notes"]:
            print(f"  note      {note['name']}: {note['text']}")
    for entry in record["admits"]:
        print(f'\nadmit "{entry["pattern"]}" with {entry["codec"]}  {entry["path"]}:{entry["line"]}')
        print(f"  level     {entry['level']}{', tee' if entry['tee'] else ''}")
        if entry["settings"]:
            print(f"  settings  {', '.join(f'{name} {value}' for name, value in sorted(entry['settings'].items()))}")
    return 0


def describe(pack: Pack) -> dict[str, Any]:
    """Return what a pack holds as one JSON object. Raises PackError."""
    from ..compiler.notes import describe_openness

    rules = []
    for number, rule_id in enumerate(pack.rules):
        rule, source = pack.rule(number), pack.source_map(number)
        rules.append(
            {
                "id": rule_id,
                "title": rule.title,
                "path": source["path"],
                "line": source["line"],
                "tools": list(rule.tools),
                "commands": [" ".join(command["head"]) for command in rule.commands],
                "exit": rule.exit,
                "streams": [
                    name if program is not None else f"{name} empty"
                    for name, program in sorted(rule.streams.items(), reverse=True)
                ],
                "notes": [{"name": name, "text": text} for name, text in describe_openness(rule.tables)],
            }
        )
    return {
        "name": pack.name,
        "version": pack.version,
        "language": pack.language,
        "tool": pack.tool,
        "digest": pack.digest,
        "requires": list(pack.requires),
        "admits": [pack.admit(number) for number in range(pack.admits)],
        "rules": rules,
    }
