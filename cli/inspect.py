"""`cablese inspect`: what a pack holds, for people and as JSON: what it is, what it needs, who signed it, what of it
takes how much.
"""

from __future__ import annotations

import os
from typing import Any

from ..runtime.packs.errors import PackSignatureUnchecked, describe_fault
from ..runtime.packs.pack import Pack, PackError, open_pack
from ..runtime.packs.signature import SCHEME, Signature, holds, render_first_line, signed_message
from .options import Arguments, Command, Option
from .output import complain, count_of, show_line, to_json
from .project import PACK, pack_path

COMMAND = Command(
    "inspect",
    "Show what a pack holds: its name, version and digest, what it needs and makes use of, who signed it,\n"
    "its rules and admission entries, where they come from, and what each takes.",
    (
        Option("--format", "how it is printed (default: human)", "FORMAT", choices=("human", "json"), default="human"),
        Option("--json", "the same as --format json"),
    ),
    PACK,
)


def execute(arguments: Arguments) -> int:
    """Print the pack; 0, 1 if it is refused, 2 if it cannot be read."""
    path = pack_path(arguments["pack"])
    try:
        record = describe(open_pack(path), os.stat(path).st_size)
    except (PackError, OSError) as error:
        complain(describe_fault(path, error))
        return 1 if isinstance(error, PackError) else 2
    if arguments["json"] or arguments["format"] == "json":
        print(to_json(record))
        return 0
    _print_pack(record)
    for rule in record["rules"]:
        print()
        show_line(f"{rule['id']} “{rule['title']}”  {rule['path']}:{rule['line']}")
        show_line(f"  tools     {', '.join(rule['tools'])}")
        show_line(f"  commands  {', '.join(rule['commands'])}")
        show_line(f"  streams   {', '.join(rule['streams'])}")
        exits = (
            "any"
            if rule["exit"] is None
            else ", ".join("unknown" if code is None else str(code) for code in rule["exit"])
        )
        show_line(f"  exit      {exits}")
        show_line(f"  size      {count_of(rule['bytes'], 'byte')}, source map {rule['source_map_bytes']}")
        for note in rule["notes"]:
            show_line(f"  note      {note['name']}: {note['text']}")
    for entry in record["admits"]:
        print()
        show_line(f'admit "{entry["pattern"]}" with {entry["codec"]}  {entry["path"]}:{entry["line"]}')
        show_line(f"  level     {entry['level']}{', tee' if entry['tee'] else ''}")
        if entry["settings"]:
            show_line(
                f"  settings  {', '.join(f'{name} {value}' for name, value in sorted(entry['settings'].items()))}"
            )
    return 0


def _print_pack(record: dict[str, Any]) -> None:
    show_line(f"{record['name']} {record['version']}, language {record['language']}, made by cablese {record['tool']}")
    show_line(f"digest    {record['digest']}")
    show_line(f"runtime   cablese {record['runtime']} or newer")
    for signer in record["signers"]:
        state = {True: "holds", False: "DOES NOT HOLD", None: "not checked, `cryptography` is missing"}[signer["holds"]]
        show_line(f"signed    {signer['scheme']}:{signer['key']}, {state}")
    if not record["signers"]:
        show_line("signed    by nobody")
    show_line(f"owns      {', '.join(record['roots']) or 'no rules'}")
    show_line(f"requires  {', '.join(record['requires']) or 'nothing'}")
    features = [name for names in record["features"].values() for name in names]
    show_line(f"features  {', '.join(features) or 'none'}")
    size = record["bytes"]
    parts = ", ".join(f"{name.replace('_', ' ')} {size[name]}" for name in size if name != "file")
    show_line(f"size      {count_of(size['file'], 'byte')}: {parts}")


def describe(pack: Pack, size: int) -> dict[str, Any]:
    """Return what a pack holds as one JSON object; `size` is that of its file in bytes. Raises PackError."""
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
                "bytes": pack.sizes[number],
                "source_map_bytes": pack.sizes[len(pack.rules) + pack.admits + number],
            }
        )
    return {
        "name": pack.name,
        "version": pack.version,
        "language": pack.language,
        "tool": pack.tool,
        "runtime": pack.runtime,
        "digest": pack.digest,
        "signers": [_describe_signer(pack, signature) for signature in pack.signatures],
        "roots": list(pack.roots),
        "requires": list(pack.requires),
        "features": pack.features,
        "bytes": _describe_sizes(pack, size),
        "admits": [pack.admit(number) for number in range(pack.admits)],
        "rules": rules,
    }


def _describe_signer(pack: Pack, signature: Signature) -> dict[str, Any]:
    try:
        found = holds(signature, signed_message(pack.beginning))
    except PackSignatureUnchecked:
        found = None
    return {"scheme": SCHEME, "key": signature.key, "holds": found}


def _describe_sizes(pack: Pack, size: int) -> dict[str, int]:
    lengths = [length + 1 for length in pack.sizes]
    rules = len(pack.rules)
    behind = rules + pack.admits
    first = len(render_first_line(pack.beginning, pack.signatures)) + 1
    return {
        "file": size,
        "first_line": first,
        "header": size - first - sum(lengths),
        "rules": sum(lengths[:rules]),
        "admits": sum(lengths[rules:behind]),
        "source_maps": sum(lengths[behind:]),
    }
