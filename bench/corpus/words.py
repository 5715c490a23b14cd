"""Names and sentences by number: varied enough for a tokenizer, the same on every machine."""

from __future__ import annotations

AREAS = (
    "parser",
    "lexer",
    "codec",
    "store",
    "gate",
    "view",
    "framing",
    "header",
    "totals",
    "classify",
    "session",
    "replay",
)
NOUNS = (
    "token",
    "span",
    "handle",
    "stream",
    "record",
    "limit",
    "budget",
    "cursor",
    "window",
    "pattern",
    "digest",
    "frame",
)
VERBS = ("keeps", "rejects", "merges", "counts", "restores", "splits", "reads", "writes", "bounds", "orders", "skips")
SUBJECTS = ("Add", "Fix", "Rename", "Document", "Speed up", "Simplify", "Test", "Remove", "Split", "Revert")


def pick(choices: tuple[str, ...], row: int, salt: int = 0) -> str:
    """Return one of `choices`, scattered over rows; another `salt` scatters them otherwise."""
    return choices[((row + 1) * 2_654_435_761 + salt * 40_503 >> 7) % len(choices)]


def hexadecimal(row: int, digits: int) -> str:
    """Return `digits` hex digits that look random, different for each row while 32 bits suffice."""
    value = (row + 1) * 0x9E37_79B9_7F4A_7C15 & 0xFFFF_FFFF_FFFF_FFFF
    text = f"{value ^ value >> 29:016x}" * (digits // 16 + 1)
    return text[:digits]


def case_name(row: int) -> str:
    """Return the path of a test."""
    return f"{pick(AREAS, row)}::tests::{pick(NOUNS, row, 1)}_{pick(VERBS, row, 2)}_{pick(NOUNS, row, 3)}_{row:05}"


def subject(row: int) -> str:
    """Return the subject of a commit."""
    return f"{pick(SUBJECTS, row)} {pick(NOUNS, row, 1)} {pick(NOUNS, row, 2)}s in the {pick(AREAS, row, 3)} (#{row})"
