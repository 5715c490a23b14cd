"""The pages of the documentation and the fenced blocks in them.

A fence's first word is its language, the rest are `name=value` attributes:

- `cable`: rule text. Whole files stand alone; clauses of a rule are wrapped by `fragments`. `error=E0301` says that
  the text must raise exactly that code. `shown`: it is of the registry of codes, whose own tests compile it, and what
  cannot be seen is spelt out. `file=NAME` puts the text into the scratch folder of the page's commands,
  `into=NAME` into the rule that this file ends with.
- `console`: commands after `$ `, each with what it prints; a line `…` stands for any number of lines, with `elided`
  a `…` in a line for any text. `exit=1` is the exit code of the block's last command.
- `sh`: commands for a reader's machine; only `make` targets and files of the repository are checked.
- `python`: a script that runs. `json`, `yaml`: a value. `text`: a drawing, or with `file=NAME` a file, or with
  `sample=RULE/NAME` a part of that sample's output, `…` standing for lines that are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = frozenset({"cable", "console", "sh", "python", "json", "text", "ebnf", "yaml"})
PAGES = tuple(sorted(path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")] if path.name != "NOTICE.md"))

_FENCE = re.compile(r"^(?P<ticks>```+)(?P<info>[^`]*)$")


class Block(NamedTuple):
    """A fenced block. `start` is the index of its first body line in the page, counted from 0."""

    page: Path
    start: int
    language: str
    attributes: dict[str, str]
    body: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.start}"


def parse_blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page in order. Raises ValueError for a fence that is not closed."""
    lines = page.read_text("utf-8").split("\n")
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        fence = _FENCE.match(lines[at])
        at += 1
        if not fence:
            continue
        start = at
        while at < len(lines) and lines[at].strip() != fence["ticks"]:
            at += 1
        if at == len(lines):
            raise ValueError(f"{page}:{start}: a fence is not closed")
        language, *words = fence["info"].split() or [""]
        attributes = {word.partition("=")[0]: word.partition("=")[2] for word in words}
        blocks.append(Block(page, start, language, attributes, "".join(f"{line}\n" for line in lines[start:at])))
        at += 1
    return blocks


def all_blocks(language: str) -> list[Block]:
    """Return every block of a language in all pages."""
    return [block for page in PAGES for block in parse_blocks(page) if block.language == language]


def prose(page: Path) -> str:
    """Return a page without its fenced blocks, as many lines as before."""
    kept: list[str] = []
    ticks = ""
    for line in page.read_text("utf-8").split("\n"):
        fence = _FENCE.match(line)
        if ticks:
            kept.append("")
            ticks = "" if line.strip() == ticks else ticks
        elif fence:
            kept.append("")
            ticks = fence["ticks"]
        else:
            kept.append(line)
    return "\n".join(kept)
