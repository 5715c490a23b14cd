"""Policy: whether a result may be touched at all, which rule is asked, and up to which level.

Input: a result, the settings, the level that the caller gave for this call. Output: what the next step needs, or
PassThrough with a reason.

INVARIANT: the checks come in the order of the documented table: kill switch, direct return, already compressed; only
then rules and codecs, with their levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..reasons import PassThrough, Reason
from ..records import ToolResult
from ..settings import LEVELS, Settings
from ..shell import RECOVERY_TOOL, Command, parse_command, reads_recovered_output
from .header import begins_like_ours

if TYPE_CHECKING:
    from ..packs.catalogue import Catalogue, Claim

SHELL_TOOLS = frozenset({"bash", "shell"})
SEARCH_TOOLS = frozenset({"grep", "ffgrep"})
RULE_LEVEL = "normal"


def check_switches(result: ToolResult, settings: Settings) -> None:
    """Stop where nothing may be touched at all: the kill switch, and results that no model reads."""
    if settings.killed:
        raise PassThrough(Reason.KILL_SWITCH, "CABLESE_DISABLED=1")
    if result.metadata.get("return_direct") not in (None, False):
        raise PassThrough(Reason.RETURN_DIRECT, "the result goes to the user directly")


def check_marks(result: ToolResult) -> None:
    """Stop where the result is a view already, or an original that was asked for."""
    if result.metadata.get("_compressed"):
        raise PassThrough(Reason.ALREADY_COMPRESSED, "the metadata is marked `_compressed`")
    content = result.content
    if isinstance(content, str) and begins_like_ours(content):
        raise PassThrough(Reason.ALREADY_COMPRESSED, "the content begins with the header of a summary")
    text = result.command
    if result.tool == RECOVERY_TOOL or (text is not None and reads_recovered_output(text)):
        raise PassThrough(Reason.ALREADY_COMPRESSED, "it shows an original that was kept")


def check_policy(result: ToolResult, settings: Settings) -> Command:
    """Decide whether rules are asked at all, and give the words they are asked about. Raises PassThrough: `disabled`,
    `no_rule`.
    """
    if not settings.enabled:
        raise PassThrough(Reason.DISABLED, "no rules are enabled")
    if result.tool not in SHELL_TOOLS:
        raise PassThrough(Reason.NO_RULE, f"no rule is for the tool `{result.tool}`")
    text = result.command
    if text is None:
        raise PassThrough(Reason.NO_RULE, "the result has no command")
    return parse_command(text)


def find_claim(result: ToolResult, command: Command, catalogue: Catalogue) -> Claim:
    """Find the rule that claims the command. Raises PassThrough: `no_rule`, `disabled`; PackUnusableError."""
    return catalogue.claim(result.tool, command.words)


def check_rule_level(claim: Claim, result: ToolResult, settings: Settings, level: str | None) -> None:
    """Refuse a rule whose level is above the ceiling, or above the level that was given for this call."""
    rule = claim.rule.id
    ceiling = settings.ceiling(rule, result.tool)
    if LEVELS.index(ceiling) < LEVELS.index(RULE_LEVEL):
        raise PassThrough(Reason.LEVEL_NONE, f"the ceiling for `{rule}` is `{ceiling}`, its level `{RULE_LEVEL}`")
    if level is not None and LEVELS.index(level) < LEVELS.index(RULE_LEVEL):
        raise PassThrough(Reason.LEVEL_NONE, f"this call is at level `{level}`, `{rule}` at `{RULE_LEVEL}`")


def failure_of(result: ToolResult) -> str | None:
    """Say what makes a result none of a success, or None: codecs leave anything but a success alone."""
    status = result.status
    if status is not None and status != "success":
        return f"the status is `{status}`"
    if result.stated_success not in (None, True):
        return "the tool failed"
    return None
