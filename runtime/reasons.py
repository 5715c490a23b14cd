"""Why a result was shown as it came: the closed list of reasons, and the way a step of the walk says so.

The value of a reason is its name in records, configuration and `passes` clauses of examples. The precise cause of one
decision stands beside it, as `detail`.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Every reason for which the original is shown. Closed: hosts may switch over it."""

    KILL_SWITCH = "kill_switch"
    DISABLED = "disabled"
    RETURN_DIRECT = "return_direct"
    ALREADY_COMPRESSED = "already_compressed"
    LEVEL_NONE = "level_none"
    NO_RULE = "no_rule"
    MISSING_STREAM = "missing_stream"
    STDERR_PRESENT = "stderr_present"
    INVALID_OUTPUT = "invalid_output"
    UNRECONCILED = "unreconciled"
    BELOW_THRESHOLD = "below_threshold"
    TOO_LARGE = "too_large"
    BREAKER_OPEN = "breaker_open"
    UNCLASSIFIED = "unclassified"
    NOT_APPLICABLE = "not_applicable"
    CODEC_ERROR = "codec_error"
    STORE_FAILED = "store_failed"
    UNRECOVERABLE = "unrecoverable"
    NO_GAIN = "no_gain"


class PassThrough(Exception):  # noqa: N818 - a decision, not an error
    """Raised by a step of the walk that decides for the original; caught by the walk alone."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
