"""What is recorded: entries, and the catalogues they stand in.

Role: data only. An entry names the tree it runs in (a builder, built once for all its entries), the command, and what
an informed reader of the rules expects: a summary, or the untouched original and for which reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .scratch import Captured, Workshop

Builder = Callable[[Workshop], None]
Facts = dict[str, Any]
Truth = Callable[[Workshop, "Entry", Captured], Facts]


def no_truth(_shop: Workshop, _entry: Entry, _captured: Captured) -> Facts:
    """Return nothing: there is no other source of facts."""
    return {}


@dataclass(frozen=True, slots=True)
class Entry:
    """One sample to be recorded. `passes` is the expected reason for the original, or None for a summary.

    `limit` cuts each stream as a host with a small buffer would (in bytes); `seconds` is the host's patience; `facts`
    is what the truth function of the catalogue needs to know beyond the command.
    """

    rule: str
    name: str
    about: str
    command: str
    build: Builder
    truth: Truth = no_truth
    passes: str | None = None
    folder: str = "."
    environment: dict[str, str] = field(default_factory=dict)
    merged: bool = False
    fresh: bool = True
    limit: int | None = None
    seconds: float = 180.0
    facts: str = ""


class Catalogue(list[Entry]):
    """The entries of one rule."""

    def __init__(self, rule: str, truth: Truth = no_truth) -> None:
        super().__init__()
        self.rule = rule
        self.truth = truth

    def add(self, build: Builder, name: str, command: str, about: str, **options: Any) -> None:
        """Add one entry; `options` are the remaining fields of `Entry`."""
        self.append(Entry(self.rule, name, about, command, build, **{"truth": self.truth, **options}))

    def table(self, build: Builder, rows: Iterable[tuple[str, str, str]], **options: Any) -> None:
        """Add one entry a row of (name, command, about), all in the same tree with the same expectation."""
        for name, command, about in rows:
            self.add(build, name, command, about, **options)

    def refuse(self, build: Builder, rows: Iterable[tuple[str, str]], **options: Any) -> None:
        """Add one entry a row of (name, command): a form that no rule claims, on output that could be summarised."""
        for name, command in rows:
            about = f"Refused whatever it prints: {command.strip()}"
            self.add(build, name, command, about, **{"passes": "no_rule", "truth": no_truth, **options})
