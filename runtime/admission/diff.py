"""DIFF: unified diffs, as git, diff, svn and hg print them. They are recognised so that nothing else takes them.

Input: text. Output: nothing, or NotThisKindError. There is no form for diffs: every line of one counts.

What is read: sections that begin with `diff --git`, `Index:` or `--- ` and `+++ `, hunks whose counts of lines hold,
and in front of sections the head of a commit or a mail (`git show`, `git log -p`, `git format-patch`). The last hunk
may be cut. Source: the description of the format in the manual of GNU diffutils ("Detailed Description of Unified
Format") and in git-diff(1) ("Generating patch text with -p").
"""

from __future__ import annotations

import re

from .kinds import NotThisKindError

_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@(?: .*)?\r?")
_COMBINED = re.compile(r"(@{3,17}) (?:-[0-9]{1,9}(?:,[0-9]{1,9})? ){2,16}\+[0-9]{1,9}(?:,[0-9]{1,9})? \1(?: .*)?\r?")
_SECTION = re.compile(r"diff --(?:git|cc|combined) .|diff -[^ ]|Index: .")
_LISTED = re.compile(r"Only in [^\n]+: .|Binary files .* differ\n")
_WITHIN = re.compile(
    r"index [0-9a-f,]{4,}\.\.[0-9a-f]{4,}|(?:old|new|deleted file|new file) mode [0-7,.]{6,}|mode [0-7,.]{6,}"
    r"|(?:similarity|dissimilarity) index [0-9]{1,3}%|(?:rename|copy) (?:from|to) .|Binary files .* differ$"
    r"|Only in .|={67}$"
)
_HEAD = re.compile(r"commit [0-9a-f]{7,64}(?:\s|$)|From [0-9a-f]{40} ")
_HEAD_FIELD = re.compile(r"[A-Z][A-Za-z-]{2,30}: ")
_SIGNATURE = re.compile(r"-- ?$|[0-9]+\.[0-9]+[^ ]*$")


def recognise(text: str) -> None:
    """Return where the whole text is a diff. Raises NotThisKindError."""
    if not may_be(text):
        raise NotThisKindError("it does not begin as a diff does")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    hunks = sections = at = 0
    in_head = False
    while at < len(lines):
        line = lines[at]
        at += 1
        if hunk := _HUNK.fullmatch(line):
            at, in_head, hunks = _skip_hunk(lines, at, hunk), False, hunks + 1
        elif combined := _COMBINED.fullmatch(line):
            at, in_head, hunks = _skip_combined(lines, at, len(combined[1]) - 1), False, hunks + 1
        elif _HEAD.match(line):
            in_head = True
        elif _SECTION.match(line):
            in_head, sections = False, sections + 1
        elif line.startswith("--- ") and lines[at : at + 1] and lines[at].startswith("+++ "):
            in_head, sections, at = False, sections + 1, at + 1
        elif line == "GIT binary patch":
            at, hunks = _skip_binary(lines, at), hunks + 1
        elif not (in_head or line.strip() == "" or _WITHIN.match(line) or _is_cut(line, at, len(lines))):
            raise NotThisKindError(f"line {at} is of no diff")
        elif _WITHIN.match(line):
            hunks += line.startswith(("Binary", "Only", "rename", "copy", "old", "new", "deleted"))
    if not sections or not hunks:
        raise NotThisKindError("it has no section with a change")


def may_be(text: str) -> bool:
    """Tell by its beginning whether a text may be a diff."""
    head = text[:4096].lstrip("\n")
    begins = _SECTION.match(head) or _HEAD.match(head) or _LISTED.match(head)
    return bool(begins) or (head.startswith("--- ") and "\n+++ " in head)


def begins_section(text: str) -> bool:
    """Tell whether a text begins with a changed file, and not with the head of a commit, which may have none."""
    head = text[:4096].lstrip("\n")
    return not (_HEAD.match(head) or _LISTED.match(head))


def _skip_hunk(lines: list[str], at: int, hunk: re.Match[str]) -> int:
    """Return where a hunk ends. Its lines may end early only where the text does."""
    old, new = (1 if count is None else int(count) for count in hunk.groups())
    while (old > 0 or new > 0) and at < len(lines):
        mark = lines[at][:1]
        if mark == "+":
            new -= 1
        elif mark == "-":
            old -= 1
        elif mark in {" ", ""} or lines[at] == "\r":
            old, new = old - 1, new - 1
        elif mark != "\\":
            raise NotThisKindError(f"line {at + 1} is of no hunk")
        at += 1
    if old < 0 or new < 0:
        raise NotThisKindError(f"the hunk that ends with line {at} has other counts")
    return at + 1 if at < len(lines) and lines[at].startswith("\\ ") else at


def _skip_combined(lines: list[str], at: int, parents: int) -> int:
    while at < len(lines) and (lines[at].startswith("\\ ") or not lines[at][:parents].strip(" +-")):
        if lines[at] == "" and at + 1 < len(lines) and _HEAD.match(lines[at + 1]):
            break
        at += 1
    return at


def _skip_binary(lines: list[str], at: int) -> int:
    """Return where the lines of a binary patch end: `literal N` or `delta N`, base85, an empty line, twice."""
    while at < len(lines) and (lines[at] == "" or " " not in lines[at] or lines[at].startswith(("literal ", "delta "))):
        at += 1
    return at


def _is_cut(line: str, at: int, count: int) -> bool:
    """Tell whether a line is one of the mail's signature, which ends a patch, or the start of a section that is cut."""
    return bool(_SIGNATURE.match(line) or _HEAD_FIELD.match(line)) or (
        at == count and line.startswith(("--- ", "+++ "))
    )
