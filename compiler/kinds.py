"""The types of facts and of paths.

INVARIANT: types are values; two are equal when nothing can tell their members apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Plain:
    """`int` or `text`: what can be shown."""

    name: str

    def __str__(self) -> str:
        return "a number" if self.name == "int" else "text"


@dataclass(frozen=True, slots=True)
class Node:
    """A record or a line of one of these kinds."""

    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return "a record"


@dataclass(frozen=True, slots=True)
class Grouped:
    """An element of `group … by …`."""

    kinds: tuple[str, ...]
    key: Plain

    def __str__(self) -> str:
        return "a group"


@dataclass(frozen=True, slots=True)
class Listed:
    """A list; a capped one may have left elements out and must say so where it is shown."""

    element: Plain | Node | Grouped
    capped: bool = False

    def __str__(self) -> str:
        return "a list"


Type = Plain | Node | Grouped | Listed
INT: Final = Plain("int")
TEXT: Final = Plain("text")
