r"""The archives of sessions that are known: where each keeps its files, and which of them are sessions in use.

Output: `Archive` records by name. Whatever is not named like a session in use (archived copies, sidecars, temporary
files, other folders) is left alone and counted nowhere.

Sources of the formats: the readers' own modules.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Archive(NamedTuple):
    """How the sessions of one tool lie in their folder.

    `place` is where they are unless a folder is given. `folders` are the names of folders that are entered, one
    expression a level; `files` is what a session's file is called, and `levels` at which depths it may lie. `whole`:
    such a file can only be read whole. `log` is the ending of the name of a log that belongs to a file.
    """

    name: str
    place: str
    folders: tuple[str, ...]
    files: str
    levels: range
    whole: bool = False
    log: str | None = None

    def enters(self, name: str, level: int) -> bool:
        """Tell whether the folder `name` at `level` (1: in the root) is entered."""
        return level <= len(self.folders) and re.fullmatch(self.folders[level - 1], name) is not None

    def needs(self, name: str, level: int) -> bool:
        """Tell whether an entry of this name can only be a folder that is entered."""
        return level <= len(self.folders) and name == self.folders[level - 1]

    def takes(self, name: str, level: int) -> bool:
        """Tell whether a file at `level` (0: in the root) is a session in use by its name."""
        return level in self.levels and re.fullmatch(self.files, name) is not None


# One dot only, that of the ending: `x.archive.jsonl`, `x.jsonl.gz` and `.x.jsonl` are none in use.
_ACTIVE = r"[A-Za-z0-9][A-Za-z0-9_-]*\.jsonl"
_ANY_FOLDER = r"[^.].*"

ARCHIVES = {
    archive.name: archive
    for archive in (
        Archive("sessions", "sessions", ("subagents",), _ACTIVE, range(2)),
        Archive("claude", "~/.claude/projects", (_ANY_FOLDER,) * 4, _ACTIVE, range(1, 5)),
        Archive(
            "codex",
            "~/.codex/sessions",
            (r"\d{4}", r"\d{2}", r"\d{2}"),
            r"rollout-[A-Za-z0-9_-]+\.jsonl",
            range(4),
        ),
        Archive(
            "gemini",
            "~/.gemini/tmp",
            (_ANY_FOLDER, "chats", _ANY_FOLDER),
            r"(?:session-)?[A-Za-z0-9][A-Za-z0-9_-]*\.jsonl?",
            range(2, 4),
            whole=True,
        ),
        Archive(
            "opencode",
            "~/.local/share/opencode",
            (),
            r"opencode(?:-[A-Za-z0-9_-]+)?\.db",
            range(1),
            whole=True,
            log="-wal",
        ),
    )
}
