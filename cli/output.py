"""Bytes in and out: files as they are, output without loss, faults on standard error.

Invariant: what goes through here keeps its bytes. Text that came from bytes which are not UTF-8 holds surrogates for
them, and gives the same bytes back.
"""

from __future__ import annotations

import os
import sys
from typing import Any

STDIN, STDOUT, STDERR = 0, 1, 2


class InputError(Exception):
    """An input of the command line that cannot be read. The message names it."""


class OutputError(Exception):
    """What we have to say cannot be written. The message says why."""


def read_bytes(path: str) -> bytes:
    """Read a file, or standard input for `-`. Raises InputError."""
    try:
        if path == "-":
            with open(STDIN, "rb", closefd=False) as file:
                return file.read()
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def to_text(data: bytes) -> str:
    """Decode captured bytes without losing any."""
    return data.decode("utf-8", "surrogateescape")


def to_bytes(text: str) -> bytes:
    """Encode text for output: the bytes that it came from. What never was bytes is written as an escape."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def to_json(record: object) -> str:
    """Return compact JSON with non-ASCII characters as they are; a lone surrogate becomes its escape."""
    import json

    text = json.dumps(record, ensure_ascii=False, separators=(", ", ": "))
    return text.encode("utf-8", "backslashreplace").decode()


def write_bytes(descriptor: int, data: bytes) -> None:
    """Write all bytes, also where the other side takes them slowly. Raises BrokenPipeError, OutputError."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest[: 1 << 20]) :]
        except BlockingIOError:
            import select

            select.select([], [descriptor], [])
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(f"cannot write the output: {error.strerror}") from None


def write_file(path: str, data: bytes) -> None:
    """Write a file beside where it belongs and move it there, so that one that was there is whole at every moment.

    Raises OSError; then nothing new is left.
    """
    draft = f"{path}.{os.getpid()}.new"
    try:
        with open(draft, "xb") as file:
            file.write(data)
        os.replace(draft, path)
    except OSError:
        if os.path.exists(draft):
            os.unlink(draft)
        raise


def write_content(content: Any) -> None:
    """Write what a model sees to standard output, exactly; only a person at a terminal gets a last line end."""
    text = content if isinstance(content, str) else to_json(content)
    data = to_bytes(text)
    if not data.endswith(b"\n") and os.isatty(STDOUT):
        data += b"\n"
    write_bytes(STDOUT, data)


def count_of(number: int, noun: str) -> str:
    """Return a number of things in words: `1 rule`, `2 rules`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def show_line(text: str) -> None:
    """Print a line that quotes what others wrote: what would act on the terminal is shown as an escape."""
    print(printable(text))


def printable(text: str) -> str:
    """Return a text with what would not be seen, or would act on a terminal, as escapes."""
    return text if text.isprintable() else "".join(each if each.isprintable() else _escape(each) for each in text)


def complain(message: str) -> None:
    """Say on standard error what is wrong, in one line; where nobody can hear it, nothing else fails for it.

    Names of files and the like are quoted in messages: what would act on the terminal is shown as an escape.
    """
    # Without a standard error, `print` would take standard output.
    if sys.stderr is None:
        return
    words = printable(" ".join(message.splitlines()))
    try:  # noqa: SIM105 - contextlib would cost every command its loading
        print(f"cablese: {words}", file=sys.stderr)
    except OSError:
        pass


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
