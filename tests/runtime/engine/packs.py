"""Packs for tests: hand-written rules in the file format, with digests that hold."""

import hashlib
import json


def canonical(value):
    """Return a value as canonical JSON."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def source_map(rule):
    """Return a source map for a rule."""
    return {
        "path": "rules/x.cable",
        "line": 1,
        "kinds": dict.fromkeys(rule["kinds"], 3),
        "taken": {},
        "facts": {name: 8 for name, _ in rule["facts"]},
        "ensure": [[9, "a = b"] for _ in rule["ensure"]],
        "commands": [2 for _ in rule["commands"]],
        "exit": 4,
        "streams": dict.fromkeys(rule["streams"], 5),
        "summary": 10,
        "tags": [],
    }


def header_of(rules, sections, **more):
    """Return the header for these sections."""
    index = {}
    for number, rule in enumerate(rules):
        for command in rule["commands"]:
            numbers = index.setdefault(command["head"][0], {}).setdefault(command["head"][-1], [])
            if number not in numbers:
                numbers.append(number)
    places, offset = [], 0
    for section in sections:
        places.append([offset, len(section), hashlib.sha256(section).hexdigest()])
        offset += len(section) + 1
    return {
        "language": 1,
        "runtime": "0.1.0",
        "features": {},
        "roots": [],
        "name": "tests",
        "version": "1.0.0",
        "requires": [],
        "index": index,
        "rules": [rule["id"] for rule in rules],
        "admits": len(sections) - 2 * len(rules),
        "tool": "0.1.0",
        "sections": places,
        **more,
    }


def assemble(header, sections, version=1):
    """Return the bytes of a pack with this header (a value, or its bytes); its digest holds."""
    line = header if isinstance(header, bytes) else canonical(header)
    first = f"cablepack {version} {hashlib.sha256(line).hexdigest()}".encode()
    return b"".join(part + b"\n" for part in (first, line, *sections))


def make_pack(rules, admits=()):
    """Return the bytes of a pack of these rules and admission entries."""
    sections = [canonical(part) for part in (*rules, *admits, *map(source_map, rules))]
    return assemble(header_of(rules, sections), sections)
