"""The examples of a draft, and the files that they name.

Input: what was captured, and what the runtime makes of it. Output: `example` clauses, texts by path. A short text
that can stand in a block does; any other gets a file below `examples/`, where the rules that ship have theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from .writing import escape_text

_SHORT: Final = 12
SHORT_SUMMARY: Final = 40


@dataclass(slots=True)
class Texts:
    """The files that examples name, by their path from the rule file."""

    folder: str
    files: dict[str, str] = field(default_factory=dict)

    def write(self, keyword: str, text: str, name: str, most: int = _SHORT) -> str:
        """Return a clause that holds a text, or names the file that does."""
        ended = keyword == "shows" or text.endswith("\n")
        body = text.removesuffix("\n") if keyword != "shows" else text
        lines = body.split("\n")
        # A block has no last line end, so an empty line at its end would be none.
        if len(lines) <= most and ended and lines[-1] and _stands_in_block(lines):
            return "\n".join([f'{keyword} """', *lines, '"""'])
        path = f"{self.folder}/{name}"
        self.files[path] = f"{text}\n" if keyword == "shows" else text
        return f'{keyword} file "{escape_text(path)}"'


def _stands_in_block(lines: list[str]) -> bool:
    """Say whether lines keep their meaning in a block, and look there like what they are."""
    return all(
        line.replace("\t", "").isprintable() and not line.lstrip().startswith('"""') and line == line.rstrip()
        for line in lines
    ) and any(line[:1] not in {"", " ", "\t"} for line in lines)


def write_example(title: str, command: str, exit_code: int | None, parts: list[str], outcome: str) -> str:
    """Return an `example` clause."""
    exit_ = [] if exit_code is None else [f"exit {exit_code}"]
    return "\n".join([f'example "{title}" {{', f'command "{escape_text(command)}"', *exit_, *parts, outcome, "}"])
