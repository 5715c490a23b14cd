r"""A text as its lines, and back, with how its lines end set aside.

Input: a text. Output: its lines without line feeds; whether the last one had a line feed (`closed`), and whether all of
them end with `\r\n` (`crlf`); where only some do, the `\r` stays in the lines. Nothing but `\n` ends a line.

Invariant: `join_lines(split_lines(text)) == text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .kinds import DecodeError, NotThisKindError

if TYPE_CHECKING:
    from collections.abc import Callable


class Lines(NamedTuple):
    """The lines of a text, and how they end."""

    rows: list[str]
    crlf: bool
    closed: bool


def split_lines(text: str) -> Lines:
    """Split a text into its lines."""
    rows = text.split("\n")
    closed = rows[-1] == ""
    if closed:
        rows.pop()
    crlf = closed and "\r\n" in text and all(row.endswith("\r") for row in rows)
    return Lines([row[:-1] for row in rows] if crlf else rows, crlf, closed)


def join_lines(lines: Lines) -> str:
    """Return the text of these lines."""
    rows, crlf, closed = lines
    ending = "\r\n" if crlf else "\n"
    return ending.join(rows) + (ending if closed else "")


def write_shown(head: str, rows: list[str], *, closed: bool) -> str:
    """Return a head line and the rows of a form; the last row has a line feed where that of the text had one."""
    return "\n".join([head, *rows]) + ("\n" if closed else "")


def read_shown(shown: str) -> tuple[str, list[str], bool]:
    """Return the head line of a form, its rows, and whether the last one had a line feed."""
    rows = shown.split("\n")
    closed = rows[-1] == ""
    if closed:
        rows.pop()
    return rows[0] if rows else "", rows[1:], closed


def check_written(shown: str, again: Callable[[], str], what: str) -> None:
    """Refuse a form that is not the one that is written `again` of the text that it holds. Raises DecodeError."""
    try:
        same = again() == shown
    except NotThisKindError as error:
        raise DecodeError(f"no {what}: {error}") from None
    if not same:
        raise DecodeError("not what is written of the text that it holds")
