"""What kind of content a text is, told by reading all of it.

Input: any text. Output: its kind, and in one sentence how that was told. With confidence or not at all: a wrong kind is
worse than `UNKNOWN`, which is shown whole.

Order: what a text cannot be by chance comes first: JSON and JSON Lines (they parse), diffs, numbered reads, search
results, lists of paths, tables, logs, code, and prose last. A text that begins as JSON or as a diff does, and is none,
is `UNKNOWN`.

Invariants: no text makes this raise; text with control characters, escapes of terminals or bytes that are not UTF-8 is
`UNKNOWN`; the time is linear in the length of the text, which is read up to `MAX_CHARS`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .kinds import ContentKind, NotThisKindError
from .registry import FORMS, Form, load_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

MAX_CHARS = 8 * 1024 * 1024
"""No longer text is read, in characters."""

_CONTROLS = bytes([*range(9), 11, *range(14, 32), 127])
"""The bytes of control characters, but for tab, line feed, form feed and carriage return."""
_JSON = tuple(form for form in FORMS if form.kind in (ContentKind.JSON, ContentKind.JSONL))
_NOT_JSON = tuple(form for form in FORMS if form not in _JSON)
_LOG_FIRST = tuple(sorted(_NOT_JSON, key=lambda form: form.kind is not ContentKind.LOG))
_BRACKETED = tuple(form for form in FORMS if form.kind in (ContentKind.SEARCH, ContentKind.PATHS, ContentKind.LOG))
"""What may begin with `[` and a word: `[id]/page.tsx`, `[INFO] …`, `[2026-01-01 …] …`."""
_BRACKET = re.compile(r"\[(?:[A-Za-z][A-Za-z0-9_. -]*\]|\.\.\.|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[/:. ])")

_STAMPED = re.compile(
    r"(?:\[?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ]|[A-Z][a-z]{2} [ 0-9][0-9] )[0-9]{2}:[0-9]{2}[^\t\n]*\n){3}"
)
"""Three lines that begin with a time, and have no tab: rather a log than a table."""


class Recognised(NamedTuple):
    """What a form's module read of a text."""

    form: Form
    module: ModuleType
    parsed: Any


class Identity(NamedTuple):
    """The kind of a text, how it was told, and what was read of it (None: it is of a kind without a form)."""

    kind: ContentKind
    detail: str
    recognised: Recognised | None = None


def classify(text: str) -> tuple[ContentKind, str]:
    """Return the kind of a text, and how it was told. Never raises."""
    identity = identify(text)
    return identity.kind, identity.detail


def identify(text: str) -> Identity:
    """Return the kind of a text with what was read of it. Never raises."""
    unread = _unreadable(text)
    if unread is not None:
        return Identity(ContentKind.UNKNOWN, unread)
    stripped = text.lstrip()
    opens = stripped[:1]
    if opens == "{" or opens == "[":  # noqa: PLR1714 - a set would be built for each text
        found = _ask(text, _JSON)
        if found is not None:
            return found
        if opens == "{" or not _BRACKET.match(stripped):
            return Identity(ContentKind.UNKNOWN, "it begins as JSON does, and does not parse")
        found = _ask(text, _LOG_FIRST if _STAMPED.match(stripped) else _BRACKETED)
    else:
        diff = _read_diff(text)
        if diff is not None:
            return diff
        found = _ask(text, _LOG_FIRST if _STAMPED.match(stripped) else _NOT_JSON)
    return found or Identity(ContentKind.UNKNOWN, "its kind cannot be told with confidence")


def recognise(form: Form, text: str) -> Recognised | None:
    """Let the module of one form read a text; None where it does not take it. Never raises."""
    module = load_form(form)
    if module is None:
        return None
    found, parsed = _guarded(module.recognise, text)
    return Recognised(form, module, parsed) if found else None


def _ask(text: str, forms: Iterable[Form]) -> Identity | None:
    refused = None
    for form in forms:
        # What the first form of a kind does not take is not of that kind.
        if form.kind is refused or load_form(form) is None:
            continue
        recognised = recognise(form, text)
        if recognised is not None:
            return Identity(form.kind, f"all of it was read as `{form.kind}`", recognised)
        refused = form.kind
    return None


def _read_diff(text: str) -> Identity | None:
    from . import diff

    if diff.may_be(text):
        if _guarded(diff.recognise, text)[0]:
            return Identity(ContentKind.DIFF, "every line is one of a diff")
        if diff.begins_section(text):
            return Identity(ContentKind.UNKNOWN, "it begins as a diff does, and is none throughout")
    return None


def _guarded(reader: Callable[[str], Any], text: str) -> tuple[bool, Any]:
    """Let a module read a text. A parser may give up in more ways than one; none of them is this text's kind."""
    try:
        return True, reader(text)
    except NotThisKindError:
        return False, None
    except Exception:  # noqa: BLE001 - RecursionError and MemoryError of parsers among them
        return False, None


def _unreadable(text: str) -> str | None:
    if len(text) > MAX_CHARS:
        return f"more than {MAX_CHARS:,} characters"
    if not text or text.isspace():
        return "it is empty"
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return "it is not Unicode"
    return "it has control characters" if len(encoded.translate(None, _CONTROLS)) < len(encoded) else None
