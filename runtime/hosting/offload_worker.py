"""The helper process: decides about large results for the process that started it.

Input: on standard input jobs, each a recipe for a context and a result; output: on standard output questions to that
process (keep this original, may this codec work) and, at last, the view.

Invariants: the decision is the one that the other process would make; where the packs of both are not the same, or a
part of ours is missing here, the answer is that it cannot tell. It writes no store, looks for no configuration, and
ends when its input does.
"""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING, Any, NoReturn

from ..reasons import PassThrough, Reason
from ..stores.store import StoreError
from .offload_wire import NotPlainError, pack_value, receive, send_frames
from .routing import Estimate, Guard

if TYPE_CHECKING:
    from ..decision.walk import Context
    from .breaker import Ticket

READY = "ready"


class Line:
    """The line to the process that asks: one value each way at a time."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def say(self, *words: Any) -> None:
        """Send a message. Raises NotPlainError before anything is sent."""
        send_frames(pack_value(words), self._outgoing)

    def hear(self) -> Any:
        """Return the next message. Raises EOFError."""
        return receive(self._incoming)

    def ask(self, *words: Any) -> Any:
        """Ask a question and return the answer, which is never a refusal: those raise StoreError or PassThrough."""
        self.say(*words)
        kind, *answer = self.hear()
        if kind == "store":
            raise StoreError(answer[0])
        if kind == "pass":
            raise PassThrough(Reason(answer[0]), answer[1])
        return answer[0]


class AskedStore:
    """The store of the other process: whatever is announced is written there."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Keep an original and return its handle. Raises StoreError."""
        return self._line.ask("keep", content, tenant, run)

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return the original behind a handle of this namespace, or None. Raises StoreError."""
        return self._line.ask("fetch", handle, tenant, run)

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse whatever no decision needs."""
        raise AttributeError(name)


class AskedGuard(Guard):
    """The router and breaker of the other process; the time is taken here, where the work is done."""

    def __init__(self, line: Line) -> None:
        from .breaker import CircuitBreaker
        from .routing import BudgetRouter

        # Router and breaker of its own are for the clock: they are never asked and never told.
        super().__init__(BudgetRouter(), CircuitBreaker())
        self._line = line

    def admit(self, codec: str, estimate: Estimate, level: str) -> tuple[Ticket | None, float]:
        """Let a call in. Raises PassThrough."""
        from .breaker import Ticket

        ticket, budget_ms = self._line.ask("admit", codec, tuple(estimate), level)
        return None if ticket is None else Ticket(*ticket), budget_ms

    def settle(self, ticket: Ticket, ms: float, budget_ms: float, *, declined: bool) -> None:
        """Report a call."""
        self._line.ask("settle", tuple(ticket), ms, budget_ms, declined)


def serve() -> None:
    """Answer until the input ends."""
    import signal

    # Control-C is for the process that started this one, which then closes the input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    # Whatever prints in here must not get between the messages.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    line = Line(incoming, outgoing)
    contexts: dict[tuple[Any, ...], Context] = {}
    try:
        line.say(READY)
        while True:
            recipe, digests, record, level = line.hear()
            _answer(line, contexts, recipe, digests, record, level)
    except (EOFError, OSError):
        # The other side is gone, and nobody is left to tell.
        sys.stderr = None


def _answer(line: Line, contexts: dict[Any, Context], recipe: Any, digests: Any, record: Any, level: Any) -> None:
    from ..decision.walk import decide
    from .offload import cook_context, unpack_result

    context = contexts.get(recipe)
    if context is None or _find_digests(context) != digests:
        # The other process may have packs by now that were exchanged for those of the last job.
        context = contexts[recipe] = cook_context(recipe, line)
        if _find_digests(context) != digests:
            line.say("cannot", "the packs are not the same")
            contexts.clear()
            return
    result = unpack_result(record)
    view = decide(result, context, level=level)
    decision = (str(view.decision.outcome), view.decision.reason and str(view.decision.reason), *view.decision[2:])
    passed = view.content is result.content
    try:
        line.say("view", passed, None if passed else view.content, decision, context.catalogue.fault)
    except NotPlainError as error:
        line.say("cannot", str(error))


def _find_digests(context: Context) -> Any:
    """Return what tells the packs here from others; None where one cannot be used, which is for the other process."""
    from .offload import digests_of

    try:
        return digests_of(context.catalogue)
    except Exception:  # noqa: BLE001 - the other process loaded them, so it is for it to decide
        return None
