"""`ReversibleRouter`: a content router that keeps the original of whatever it shortens, and gives it back.

Input: text of a tenant's run, and a store of the pipeline. Output: `Compressed` with a handle, whose content ends with
a note about it; for a handle, an `Expansion` within a budget, or UnknownHandleError.

Invariants: the note is weighed with the form, so what is shown is fewer tokens than the original, note and all; nothing
is kept of what passes; a handle that never was, is another tenant's or run's, or has expired is refused in the same
words; what a text says of handles is never read. An audit record holds no content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..recovery.originals import (
    TOOL_BYTES,
    Excerpt,
    RecoveryTool,
    UnknownHandleError,
    choose,
    fetch_original,
    make_tool,
)
from ..stores.store import HANDLE_DIGITS, StoreError
from .router import Compressed, ContentRouter

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..stores.store import Store
    from .choice import Choice

_STAND_IN = "0" * HANDLE_DIGITS
_DISTANCE = "\n\n"


class Expansion(NamedTuple):
    """A part of an original. `chars` is the length of all of it in characters; `truncated`: this is not all.

    `next_line` is where to go on, counted from 1: the line that follows, or this one where it is cut itself; None where
    nothing follows.
    """

    handle: str
    content: str
    chars: int
    truncated: bool
    next_line: int | None = None


class Access(NamedTuple):
    """An audit record: who was given how many bytes of which original, or was refused (`size` 0)."""

    handle: str
    size: int
    user: str | None
    granted: bool
    tenant: str
    run: str


class ReversibleRouter:
    """Admits as its router does, and keeps originals. How long is a matter of the store.

    `audit` is told of each access, and of each refusal; an original whose access cannot be recorded is not given.
    `expand_tool` is what the note calls the tool that a model has.
    """

    def __init__(
        self,
        router: ContentRouter,
        store: Store,
        *,
        audit: Callable[[Access], object] | None = None,
        expand_tool: str = "expand_content",
    ) -> None:
        self.router = router
        self._store = store
        self._audit = audit
        self._expand_tool = expand_tool

    def admit(
        self,
        content: str,
        *,
        tenant: str = "",
        run_id: str = "",
        budget_tokens: int | None = None,
        untrusted: bool = False,
    ) -> Compressed:
        """Return what to admit of a text. Raises nothing: where the store fails, the text passes."""
        forms: list[str] = []

        def finish(shown: str, choice: Choice) -> str:
            del choice
            forms.append(shown)
            return self._annotate(shown, content, _STAND_IN)

        admitted = self.router.admit_within(
            content, budget_tokens, untrusted=untrusted, recoverable=True, finish=finish
        )
        if admitted.passed:
            return admitted
        before, after = admitted.original_tokens, admitted.compressed_tokens
        try:
            handle = self._store.keep(content.encode("utf-8", "surrogateescape"), tenant=tenant, run=run_id)
            shown = self._annotate(forms[0], content, handle)
            if len(handle) != HANDLE_DIGITS:
                after = self.router.count(shown)
        except Exception as error:  # noqa: BLE001 - a host's store need not know our errors
            reason = f"store failed: {type(error).__name__}"
            return self.router.passing(content, admitted.kind, before, reason, untrusted=untrusted)
        if after >= before:
            reason = f"{admitted.compressor} expanded its input"
            return self.router.passing(content, admitted.kind, before, reason, untrusted=untrusted)
        return admitted._replace(content=shown, compressed_tokens=after, handle=handle)

    def expand(
        self,
        handle: str,
        *,
        tenant: str = "",
        run_id: str = "",
        budget_tokens: int | None = None,
        user: str | None = None,
        first_line: int = 1,
    ) -> Expansion:
        """Return an original from a line on: all that follows, or as many whole lines as the budget holds.

        The budget is in the tokens of the router's `count`. A single line beyond it is cut. Raises UnknownHandleError,
        StoreError; ValueError for a line below 1.
        """
        excerpt = self._fetch(handle, tenant, run_id, user, lines=(first_line, None))
        text = excerpt.content.decode("utf-8", "surrogateescape")
        chars = self._chars(handle, tenant, run_id) if excerpt.first > 1 else len(text)
        shown = text if budget_tokens is None else self._fit(text, budget_tokens)
        self._record(
            Access(handle, len(shown.encode("utf-8", "surrogateescape")), user, granted=True, tenant=tenant, run=run_id)
        )
        following = excerpt.first + shown.count("\n") if len(shown) < len(text) else None
        return Expansion(handle, shown, chars, len(shown) < chars, following)

    def tool(
        self, *, tenant: str = "", run_id: str = "", user: str | None = None, max_bytes: int = TOOL_BYTES
    ) -> RecoveryTool:
        """Return the tool that the note names, for one tenant's run; its answers refuse in words, and never raise."""

        def recover(handle: str, **choice: Any) -> Excerpt:
            return self._fetch(handle, tenant, run_id, user, **choice)

        def told(handle: str, size: int) -> None:
            self._record(Access(handle, size, user, granted=True, tenant=tenant, run=run_id))

        return make_tool(recover, name=self._expand_tool, max_bytes=max_bytes, told=told)

    def _annotate(self, shown: str, content: str, handle: str) -> str:
        note = f"[compressed from {len(content)} characters. Call {self._expand_tool} with handle='{handle}' for the"
        return f"{shown.removesuffix(chr(10))}{_DISTANCE}{note} original.]"

    def _fetch(self, handle: str, tenant: str, run: str, user: str | None, **choice: Any) -> Excerpt:
        try:
            if not isinstance(handle, str):
                raise UnknownHandleError
            return choose(fetch_original(self._store, handle, tenant=tenant, run=run), **choice)
        except UnknownHandleError:
            self._record(Access(handle, 0, user, granted=False, tenant=tenant, run=run))
            raise

    def _chars(self, handle: str, tenant: str, run: str) -> int:
        return len(fetch_original(self._store, handle, tenant=tenant, run=run).decode("utf-8", "surrogateescape"))

    def _record(self, access: Access) -> None:
        if self._audit is None:
            return
        try:
            self._audit(access)
        except Exception as error:
            raise StoreError(f"the access could not be recorded: {type(error).__name__}") from error

    def _fit(self, text: str, budget: int) -> str:
        """Return the longest beginning of whole lines within a budget, or of the first line where that is too long."""
        count = self.router.count
        if count(text) <= budget:
            return text
        lines = text.split("\n")
        ends = [0]
        for line in lines[:-1]:
            ends.append(ends[-1] + len(line) + 1)
        end = _longest(text, ends, budget, count)
        return text[: end or _longest(text, range(len(lines[0]) + 1), budget, count)]


def _longest(text: str, ends: Any, budget: int, count: Callable[[str], int]) -> int:
    """Return the last of these ends up to which the text is within the budget, 0 where none is."""
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[: ends[middle]]) <= budget:
            low = middle
        else:
            high = middle - 1
    # Counters are not all monotonous: merges across an end can make a longer text the shorter one.
    while low > 0 and count(text[: ends[low]]) > budget:
        low -= 1
    return ends[low]
