"""Reading originals again: all of one, a window of it, the lines in which an expression is found.

Input: a store, a handle and its namespace, what to choose. Output: an `Excerpt`, which says which part of how much it
is; or UnknownHandleError, one and the same for handles that never were, are another namespace's, or have expired.

Windows count from 1 and hold both ends, as in `A:B`. One of lines ends at line ends. One of bytes ends where characters
do: a character belongs to the window in which its first byte is, so windows side by side give the original, whole.

Invariant: an expression can take no more than `GREP_PATIENCE_S`, whatever it is (`grep_worker` runs those that might).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..shell import RECOVERY_TOOL
from ..stores.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..stores.store import Store

GREP_PATIENCE_S = 5.0
TOOL_BYTES = 32 * 1024
"""How many bytes the ready-made tool shows at once, unless it is made otherwise."""

_PLACE_DIGITS = 18

Window = tuple[int | None, int | None]
"""First and last, counted from 1; None is an open end."""

_HANDLE_HINT = "The digits behind `original:` in a summary, or in the `key` of `_tee`."


class UnknownHandleError(LookupError):
    """No original is kept under a handle in this namespace."""

    def __init__(self) -> None:
        super().__init__("no original is kept under this handle")


class Excerpt(NamedTuple):
    """A part of an original: `first` to `last` of `total` `unit`s (`lines`, `bytes`), all from 1.

    `found` counts the lines in which the expression was found, None without one. An empty window has `last` before
    `first`.
    """

    content: bytes
    unit: str
    first: int
    last: int
    total: int
    found: int | None = None

    @property
    def is_whole(self) -> bool:
        """Tell whether nothing is left out."""
        return self.found is None and self.first == 1 and self.last == self.total

    @property
    def words(self) -> str:
        """Say which part of how much this is."""
        part = f"{self.unit} {self.first:,}-{self.last:,} of {self.total:,}"
        if self.last < self.first:
            part = f"no {self.unit}: there are {self.total:,}"
        return part if self.found is None else f"{self.found:,} found in {part}"


class RecoveryTool(NamedTuple):
    """A tool for models that reads originals: what a client is told of it, and the function behind it.

    `handler` takes the arguments of a call, by name or as one mapping, and returns text; it never raises.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    handler: Callable[..., str]

    def anthropic(self) -> dict[str, Any]:
        """Return the definition as Anthropic's messages API takes it."""
        return {"name": self.name, "description": self.description, "input_schema": dict(self.input_schema)}

    def openai(self) -> dict[str, Any]:
        """Return the definition as OpenAI's chat completions take it."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.input_schema)}
        return {"type": "function", "function": function}


def fetch_original(store: Store, handle: str, *, tenant: str = "", run: str = "") -> bytes:
    """Return an original. Raises UnknownHandleError, for what is no text, too; StoreError."""
    if not isinstance(handle, str):
        raise UnknownHandleError
    try:
        content = store.fetch(handle, tenant=tenant, run=run)
    except StoreError:
        raise
    except Exception as error:
        # A host's store need not know our errors.
        from ..error_words import name_error

        raise StoreError(name_error(error)) from error
    if content is None:
        raise UnknownHandleError
    return content


def choose(
    content: bytes,
    *,
    lines: Window | None = None,
    bytes: Window | None = None,  # noqa: A002 - as in `show --bytes`
    grep: str | None = None,
) -> Excerpt:
    """Choose a part of an original: a window, and of that the lines in which `grep` is found.

    `grep` is a regular expression of Python's, over bytes, found within a line. Raises ValueError for two windows, a
    malformed window or expression, and an expression that takes too long.
    """
    if bytes is not None:
        if lines is not None:
            raise ValueError("a window is one of lines or one of bytes")
        excerpt = _choose_bytes(content, *_check(bytes, "bytes"))
    elif lines is not None or grep is not None:
        excerpt = _choose_lines(content, *_check(lines or (None, None), "lines"))
    else:
        excerpt = Excerpt(content, "bytes", 1, len(content), len(content))
    return excerpt if grep is None else _search(excerpt, grep)


def parse_window(text: str, name: str) -> Window:
    """Read `A:B`, `A:` or `:B`. Raises ValueError, naming what was read."""
    first, colon, last = text.partition(":")
    if not colon or not all(end == "" or _is_place(end) for end in (first, last)):
        raise ValueError(f"{name}: `{text}` is not A:B with numbers from 1")
    return int(first) if first else None, int(last) if last else None


def _is_place(text: str) -> bool:
    # No original has a place of more digits, and Python reads no number of thousands of them.
    return text.isascii() and text.isdigit() and len(text) <= _PLACE_DIGITS and int(text) > 0


def make_tool(
    recover: Callable[..., Excerpt],
    *,
    name: str = RECOVERY_TOOL,
    max_bytes: int = TOOL_BYTES,
    told: Callable[[str, int], object] | None = None,
) -> RecoveryTool:
    """Make the tool of a function that takes a handle, `lines`, `bytes` and `grep`, and raises as ours do.

    `told` is told of the handle and of how many bytes behind it an answer shows.
    """
    window = {"type": "string", "pattern": "^[0-9]*:[0-9]*$"}
    schema = {
        "type": "object",
        "properties": {
            "handle": {"type": "string", "description": _HANDLE_HINT},
            "lines": {**window, "description": "Only the lines A to B, counted from 1, as `A:B`; `A:` is from A on."},
            "bytes": {**window, "description": "Only the bytes A to B, counted from 1, in place of `lines`."},
            "grep": {"type": "string", "description": "Only the lines in which this regular expression is found."},
        },
        "required": ["handle"],
        "additionalProperties": False,
    }
    description = (
        "Read the original output that a summary stands for. A summary names its original in its last line "
        "(`original: …`), structured data in the field `_tee`. Without a window it is read from the beginning; an "
        f"answer holds at most {max_bytes:,} bytes, and says which part of how much it is."
    )

    def handle_call(arguments: Mapping[str, Any] | None = None, /, **named: Any) -> str:
        try:
            return _answer(recover, {**(arguments or {}), **named}, max_bytes, told)
        except (UnknownHandleError, StoreError, ValueError, TypeError) as error:
            return f"error: {error}"

    return RecoveryTool(name, description, schema, handle_call)


def _answer(
    recover: Callable[..., Excerpt],
    given: Mapping[str, Any],
    max_bytes: int,
    told: Callable[[str, int], object] | None,
) -> str:
    for key, value in given.items():
        if key not in ("handle", "lines", "bytes", "grep"):
            raise ValueError(f"`{key}` is not an argument of this tool")
        if value is not None and not isinstance(value, str):
            raise ValueError(f"`{key}` is not text")
    handle = given.get("handle") or ""
    windows = {name: parse_window(given[name], name) for name in ("lines", "bytes") if given.get(name)}
    excerpt = recover(handle.strip(), **windows, grep=given.get("grep") or None)
    shown, more = _shorten(excerpt, max_bytes)
    if told is not None:
        told(handle.strip(), len(shown.content))
    # What is not UTF-8 is shown as escapes: a client can send nothing else.
    text = shown.content.decode("utf-8", "backslashreplace")
    return text if shown.is_whole and not more else f"[{shown.words}{more}]\n{text}"


def _shorten(excerpt: Excerpt, max_bytes: int) -> tuple[Excerpt, str]:
    """Return the beginning of an excerpt, and how to go on."""
    content = excerpt.content
    if len(content) <= max_bytes:
        return excerpt, ""
    if excerpt.found is not None:
        end = content.rfind(b"\n", 0, max_bytes) + 1
        if not end:
            cut = excerpt._replace(content=content[: _boundary(content, max_bytes)])
            return cut, "; the first of these is cut, read it with `bytes`"
        shown = content.count(b"\n", 0, end)
        return excerpt._replace(content=content[:end]), f"; the first {shown:,} of these follow"
    end = content.rfind(b"\n", 0, max_bytes) + 1
    if excerpt.unit == "lines" and end:
        last = excerpt.first + content.count(b"\n", 0, end) - 1
        return excerpt._replace(content=content[:end], last=last), f"; go on with lines {last + 1}:"
    end = end or _boundary(content, max_bytes)
    if excerpt.unit == "lines":
        return excerpt._replace(content=content[:end]), "; the first line is cut, read it with `bytes`"
    last = excerpt.first + end - 1
    return excerpt._replace(content=content[:end], last=last), f"; go on with bytes {last + 1}:"


def _check(window: Window, name: str) -> Window:
    for end in window:
        if end is not None and (not isinstance(end, int) or isinstance(end, bool) or end < 1):
            raise ValueError(f"{name}: a window is two numbers from 1, or None for an open end")
    return window


def _choose_lines(content: bytes, first: int | None, last: int | None) -> Excerpt:
    lines = content.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    start, end = _bounds(first, last, len(lines))
    return Excerpt(b"".join(lines[start:end]), "lines", start + 1, end, len(lines))


def _choose_bytes(content: bytes, first: int | None, last: int | None) -> Excerpt:
    start, end = (_boundary(content, at) for at in _bounds(first, last, len(content)))
    return Excerpt(content[start:end], "bytes", start + 1, end, len(content))


def _bounds(first: int | None, last: int | None, total: int) -> tuple[int, int]:
    """Return a window as a slice within the total."""
    start = min((first or 1) - 1, total)
    return start, max(start, total if last is None else min(last, total))


def _boundary(content: bytes, at: int) -> int:
    """Return the first place from `at` on that is not inside a character of UTF-8."""
    for back in range(1, min(4, at + 1)):
        byte = content[at - back]
        if byte & 0xC0 == 0x80:
            continue
        length = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
        end = at - back + length
        character = content[at - back : end]
        whole = len(character) == length and all(byte & 0xC0 == 0x80 for byte in character[1:])
        return end if whole and end > at else at
    return at


def _search(excerpt: Excerpt, grep: str) -> Excerpt:
    from .grep_worker import find_lines

    lines = excerpt.content.split(b"\n")
    ended = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    numbers = find_lines(lines[: len(ended)], grep, GREP_PATIENCE_S)
    return excerpt._replace(content=b"".join(ended[number] for number in numbers), found=len(numbers))
