"""What goes between this process and its helpers: plain values, one pickle after another.

Input: any value made of None, bool, int, float, str, bytes, list, tuple, dict, set. Output: the same value, types
included, in the other process. What a value holds twice is two equal values there.

Pickle holds the interpreter lock only as long as it makes or reads one frame of 64 KiB, if what takes the frames is
written in Python; that is what keeps the event loop of the sender going. Without its memo (`fast`) there is no table
that is made anew ever larger either, which took 50 ms at a time for 5 MB of rows.

Invariants: nothing but these types, exactly, is sent or read: no class is looked up by name, so nothing that a payload
holds is run here or there. A value that cannot be sent is found out before its first byte is.
"""

from __future__ import annotations

import pickle
from typing import IO, Any, NoReturn

_LARGEST = 512 * 1024**2


class NotPlainError(Exception):
    """A value that stays in its process: it holds an object of a class, or itself, or it is too deep or too large."""


class _Frames:
    """Takes the frames of a pickle, up to a bound: a list that holds another many times can be any length."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self._size = 0

    def write(self, frame: Any) -> None:
        self._size += len(frame)
        if self._size > _LARGEST:
            raise NotPlainError(f"more than {_LARGEST} bytes")
        self.taken.append(bytes(frame))


class _Plain(pickle.Pickler):
    """Asked only about what is none of the plain types."""

    def reducer_override(self, obj: Any) -> NoReturn:
        raise NotPlainError(f"an object of class `{type(obj).__name__}`")


class _PlainReader(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> NoReturn:
        raise pickle.UnpicklingError(f"`{module_name}.{global_name}` is not plain")


def pack_value(value: Any) -> list[bytes]:
    """Return a value as frames. Raises NotPlainError."""
    frames = _Frames()
    pickler = _Plain(frames, protocol=5)
    pickler.fast = True
    try:
        pickler.dump(value)
    except (RecursionError, MemoryError, ValueError, RuntimeError, pickle.PicklingError) as error:
        # Too deep, too large, holds itself, was changed meanwhile.
        raise NotPlainError(f"{type(error).__name__}: {error}") from None
    return frames.taken


def send_frames(frames: list[bytes], stream: IO[bytes]) -> None:
    """Write the frames of a value. Raises OSError, where nobody reads any more."""
    for frame in frames:
        stream.write(frame)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read the next value. Raises EOFError at the end, UnpicklingError for what nobody of ours sends."""
    return _PlainReader(stream).load()
