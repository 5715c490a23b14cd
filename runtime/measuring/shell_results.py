r"""What hosts write around the output of a command, taken off again: for the readers of their sessions.

Input: texts that a model saw. Output: the command as one text, the printed output, the exit code.

Only forms that are known are taken; any other text is left as it is, without an exit code. Forms:

    Codex  {"output":"…","metadata":{"exit_code":0,"duration_seconds":0.1}}
    Codex  Exit code: 0\nWall time: 0.1 seconds\n[Total output lines: 9\n]Output:\n…
    Codex  Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n…
    Gemini [Command: …\nDirectory: …\n]Output: …[\nError: …][\nExit Code: 1][\nSignal: …]…

Sources: `codex-rs/core/src/tools/mod.rs` and unified_exec of github.com/openai/codex, the shell tool of
github.com/google-gemini/gemini-cli.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash", "/usr/bin/zsh"})
_CODEX = re.compile(
    r"(?:Exit code: (?P<exit>-?[0-9]{1,10})\nWall time: [\d.]+ seconds\n(?P<cut>Total output lines: \d+\n)?"
    r"|(?:Chunk ID: \w+\n)?Wall time: [\d.]+ seconds\n(?:Process exited with code (?P<code>-?[0-9]{1,10})\n)?"
    r"(?P<running>Process running with session ID \d+\n)?(?:Original token count: \d+\n)?)Output:\n"
)
_CODEX_CUT = re.compile(r"…\d+ (?:tokens|chars) truncated…|\A(?:Warning: truncated output|Total output lines: \d+\n)")
_CLAUDE_EXIT = re.compile(r"(?:Error: )?Exit code (?P<exit>[0-9]{1,10})(?:\n|\Z)")
_CLAUDE_CUT = re.compile(r"\A<persisted-output>|\[\d+ (?:lines|characters|bytes) truncated\]")
_GEMINI_HEAD = re.compile(r"(?:Command: [^\n]*\n(?:Directory: [^\n]*\n)?)?(?:Output|Stdout): ")
_GEMINI_LABEL = re.compile(r"(Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): (.*)")
_EXIT = re.compile(r"[0-9]{1,10}")
_NONE = ("(none)", "(empty)")


class Output(NamedTuple):
    """What a command printed, streams as one, with its exit code, None where it is not known."""

    text: str
    exit_code: int | None
    cut: bool = False

    def metadata(self) -> dict[str, Any]:
        """Return it as the metadata of a result."""
        found: dict[str, Any] = {"merged": self.text}
        if self.exit_code is not None:
            found["exit_code"] = self.exit_code
        if self.cut:
            found["merged_truncated"] = True
        return found


def command_text(command: object) -> str | None:
    """Return a command, given as text or as words, as the text of a shell. Words of `bash -lc TEXT` are TEXT."""
    if isinstance(command, str):
        return command
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        return None
    if len(command) == 3 and command[0] in _SHELLS and command[1] in ("-c", "-lc"):
        return command[2]
    from shlex import join

    return join(command)


def read_codex(text: str) -> Output | None:
    """Take off what Codex writes around output."""
    if text.startswith('{"output":'):
        return _read_codex_json(text)
    head = _CODEX.match(text)
    if head is None:
        return None
    code = head["exit"] or head["code"]
    body = text[head.end() :]
    cut = bool(head["cut"] or head["running"] or _CODEX_CUT.search(body))
    return Output(body, None if code is None else int(code), cut)


def _read_codex_json(text: str) -> Output | None:
    from json import loads

    try:
        found = loads(text)
        body, code = found["output"], found["metadata"]["exit_code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(body, str) or type(code) is not int:
        return None
    return Output(body, code, bool(_CODEX_CUT.search(body)))


def read_claude_failure(text: str) -> Output | None:
    """Take off the line in which Claude Code tells a failed command's exit code."""
    head = _CLAUDE_EXIT.match(text)
    return None if head is None else Output(text[head.end() :], int(head["exit"]), is_cut_by_claude(text))


def is_cut_by_claude(text: str) -> bool:
    """Tell whether Claude Code has shown a part of an output alone."""
    return _CLAUDE_CUT.search(text) is not None


def read_gemini(text: str) -> Output | None:
    """Take off the labels that Gemini CLI writes around output. Without the label of an exit code, it was 0."""
    head = _GEMINI_HEAD.match(text)
    if head is None:
        return None
    # Labels follow the output. What looks like one and says something may be output as well: then it is not whole.
    lines = text[head.end() :].split("\n")
    code, cut = 0, False
    while len(lines) > 1 and (label := _GEMINI_LABEL.fullmatch(lines[-1])) is not None:
        name, value = label.groups()
        if name == "Exit Code" and _EXIT.fullmatch(value):
            code = int(value)
        elif name != "Process Group PGID" and value not in _NONE:
            cut = True
        lines.pop()
    body = "\n".join(lines)
    return Output("" if body in _NONE else body, code, cut)
