"""Wraps clauses of a rule, as the language page shows them, into a file that compiles.

What a fragment leaves out is filled in: `tool`, `command demo`, a `stdout` of text lines, and a summary that shows
every fact of the fragment.
"""

from __future__ import annotations

import re

_WHOLE = re.compile(r"^rule\s", re.MULTILINE)
_FILE_LEVEL = re.compile(r"(word|phrase|options|use|admit)\b|lines\s+(?!with\b)[A-Za-z_]\w*")
_CLAUSE = re.compile(r"(tool|command|exit|stdout|stderr|merged|lines|facts|ensure|summary|selects|leaves|example)\b")
_FACT = re.compile(r"^\s*(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<first>\w+)(?P<number>\s+\d+)?", re.MULTILINE)


def complete(text: str) -> str:
    """Return rule text as a whole file: as it is where it holds a rule or nothing but file-level definitions."""
    outside: list[str] = []
    clauses: list[tuple[str, str]] = []
    for statement in _statements(text):
        name = _CLAUSE.match(statement)
        if _FILE_LEVEL.match(statement) or not name:
            outside.append(statement)
        else:
            clauses.append((name[1], statement))
    if _WHOLE.search(text) or not clauses:
        return text
    present = {name for name, _ in clauses}
    inside = [statement for _, statement in clauses]
    if "tool" not in present:
        inside.insert(0, "tool bash\n")
    if "command" not in present:
        inside.insert(1, "command demo { }\n")
    if "stderr" not in present:
        inside.append("stderr empty\n")
    if not present & {"stdout", "stderr", "merged"}:
        inside.append("stdout row+\n")
        inside.append('lines { row = "{}" }\n')
    if "summary" not in present:
        facts = next((statement for name, statement in clauses if name == "facts"), "")
        inside.append(f'summary """\n{_show(facts)}"""\n')
    inside.sort(key=_rank)
    return "".join(outside) + 'rule bash.demo "a fragment of the documentation" {\n' + "".join(inside) + "}\n"


def _statements(text: str) -> list[str]:
    """Split at lines that begin, unindented and outside of blocks, with a word."""
    statements: list[str] = []
    inside_block = False
    for line in text.splitlines(keepends=True):
        if statements and (inside_block or not re.match(r"[A-Za-z]", line)):
            statements[-1] += line
        else:
            statements.append(line)
        inside_block ^= line.count('"""') % 2 == 1
    return statements


_ORDER = (
    *("tool", "command", "exit", "stdout", "stderr", "merged", "lines", "facts", "ensure", "summary"),
    *("selects", "leaves", "example"),
)


def _rank(statement: str) -> int:
    """Give the place of a clause in a rule; streams keep the order in which they were written."""
    name = re.match(r"\w+", statement)
    assert name is not None
    return _ORDER.index(name[0].replace("stderr", "stdout").replace("merged", "stdout"))


def _show(facts: str) -> str:
    """Return template lines that show each fact of a `facts` clause."""
    shown = ["exit_code: {{ exit_code }}"]
    for fact in _FACT.finditer(facts.partition("{")[2]):
        name, first = fact["name"], fact["first"]
        capped = first in {"first", "last"} and fact["number"]
        if first == "group":
            shown.append(f"{{% for item in {name} %}}\n{{{{ item.key }}}} {{{{ item.count }}}}\n{{% endfor %}}")
        elif first == "distinct":
            shown.append(f'{name}: {{{{ {name} | join(", ") }}}}')
        elif capped or first in {"each", "sorted", "trimmed"}:
            shown.append(f"{{% for item in {name} %}}\n{{{{ item.line | clip }}}}\n{{% endfor %}}")
            if capped:
                shown.append(f"{{{{ {name} | {'more' if first == 'first' else 'earlier'} }}}}")
        else:
            shown.append(f"{name}: {{{{ {name} }}}}")
    return "\n".join(shown) + "\n"
