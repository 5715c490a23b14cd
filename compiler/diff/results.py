"""What two packs make of the results of a corpus: outcome, reason and text, as a model would see them.

Input: results by name, two sides. Output: a `Compared` for each result, with exact token counts. Each result goes
through the runtime's own walk, gate and pointer included; the store is one that keeps nothing and gives a handle of
the usual length.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...runtime.decision.walk import Context, decide
from ...runtime.packs.catalogue import Catalogue, PackSource
from ...runtime.records import ToolResult
from ...runtime.settings import Settings
from ...runtime.stores.store import HANDLE_DIGITS
from ...runtime.tokens import count_tokens
from .levels import Finding
from .side import Side

Tokens = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Item:
    """A result of the corpus, and what it is called."""

    name: str
    result: ToolResult


@dataclass(frozen=True, slots=True)
class Seen:
    """What a pack makes of a result. `body`: what the rule says of it, also where the gate then lets the original pass.

    `shown` is the text that a model sees, None for the original; `tokens` are those of what it sees, by encoding.
    """

    outcome: str
    reason: str | None
    detail: str | None
    rule: str | None
    body: str | None
    shown: str | None
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Compared:
    """A result under both packs. `change` is the name of its finding, None where a model sees no difference."""

    item: Item
    original: Tokens
    old: Seen
    new: Seen
    change: str | None

    @property
    def finding(self) -> Finding | None:
        """What the difference counts as."""
        if self.change is None:
            return None
        rule = (self.old.rule or self.new.rule) or ""
        if self.change == "reason_changed":
            return Finding(rule, self.change, f"{self.item.name}: {self.old.reason}; now {self.new.reason}")
        return Finding(rule, self.change, self.item.name)


class _Shelf(Catalogue):
    """A catalogue of one pack and nothing else."""

    def __init__(self, side: Side, settings: Settings) -> None:
        super().__init__(settings)
        self._side = side

    @property
    def only_own(self) -> bool:
        """Say that entries have to be looked at: the pack is not ours."""
        return False

    def _open(self) -> tuple[PackSource, ...]:
        return (PackSource(self._side.bench.pack, self._side.label, needed=True),)


class _Store:
    """As much of a store as a decision needs. It keeps nothing: only the length of a handle matters here."""

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Return a handle of the usual length."""
        del content, tenant, run
        return "0" * HANDLE_DIGITS

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return nothing."""
        del handle, tenant, run


def examples_of(*sides: Side) -> Iterator[Item]:
    """Yield the examples of the sides that know theirs, each result once."""
    seen: set[str] = set()
    for side in sides:
        for rule, cases in sorted((side.examples or {}).items()):
            for case in cases:
                key = repr(case.trial)
                if key not in seen:
                    seen.add(key)
                    yield Item(f"example “{case.node.title.value}” of {rule}", case.trial.result())


def compare_results(items: Iterable[Item], old: Side, new: Side) -> Iterator[Compared]:
    """Yield what both packs make of each result."""
    contexts = [_context(side) for side in (old, new)]
    for item in items:
        original = count_tokens(text_of(item.result.content))
        one, other = (_look(item.result, context, original) for context in contexts)
        yield Compared(item, original, one, other, _change(one, other))


def look_at(items: Iterable[Item], side: Side) -> Iterator[tuple[Item, Tokens, Seen]]:
    """Yield what one pack makes of each result, with the tokens of the original."""
    context = _context(side)
    for item in items:
        original = count_tokens(text_of(item.result.content))
        yield item, original, _look(item.result, context, original)


def _context(side: Side) -> Context:
    settings = Settings(enabled=frozenset({side.name}))
    store: Any = _Store()
    return Context(settings, _Shelf(side, settings), store=store)


def _look(result: ToolResult, context: Context, original: Tokens) -> Seen:
    notes: dict[str, Any] = {}
    view = decide(result, context, notes.__setitem__)
    decided = view.decision
    shown = None if view.content is result.content else text_of(view.content)
    return Seen(
        outcome=str(decided.outcome),
        reason=None if decided.reason is None else str(decided.reason),
        detail=decided.detail,
        rule=decided.rule,
        body=notes["summary"].body if "summary" in notes else None,
        shown=shown,
        tokens=original if shown is None else count_tokens(shown),
    )


def text_of(content: Any) -> str:
    """Return a content as text: one that is none as its JSON."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _change(old: Seen, new: Seen) -> str | None:
    """Name the difference; what a rule says counts also where it is too short to be shown."""
    if old.body is not None and new.body is None:
        return "result_lost"
    if old.body is None and new.body is not None:
        return "result_gained"
    if old.body != new.body or (old.shown is not None and new.shown is not None and old.shown != new.shown):
        return "result_changed"
    if (old.shown is None) != (new.shown is None):
        return "result_lost" if new.shown is None else "result_gained"
    return "reason_changed" if old.reason != new.reason else None
