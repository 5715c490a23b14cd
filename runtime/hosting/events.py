"""Listeners: who is told of each decision, and what they are told.

Input: decisions, one `Event` each, complete (codec, level, guarantee, handle, sizes, time). Output: calls of listeners,
in the order in which they were added.

Invariants: what a listener does changes nothing for the call whose decision it is told of, whatever it raises
(KeyboardInterrupt and SystemExit alone go through); only its first error is logged, so that raising stays cheap. A
listener is not told of decisions that it causes itself, in its own call or in tasks started from it; all others are.
Adding and removing take effect at once, from any thread, also while events are told, and after fork.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..records import Decision


class Event(NamedTuple):
    """A decision that was made. `at` is when, in seconds since 1970 (UTC)."""

    decision: Decision
    tenant: str = ""
    run: str = ""
    at: float = 0.0


Listener = Callable[[Event], object]

_running: ContextVar[tuple[object, ...]] = ContextVar("cablese_running_listeners", default=())


class _Place:
    """A listener's place in the list: adding a listener twice gives two of them."""

    __slots__ = ("failed", "listener")

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.failed = False


class Listeners:
    """The listeners of one `Compressor`; false while there are none, so that telling nobody costs nothing."""

    __slots__ = ("_places",)

    def __init__(self) -> None:
        # Each operation on the dict is atomic, so no lock has to survive a fork.
        self._places: dict[_Place, None] = {}

    def __bool__(self) -> bool:
        return bool(self._places)

    def add(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every event from now on; the function that is returned ends that, once or more often."""
        place = _Place(listener)
        self._places[place] = None

        def remove() -> None:
            self._places.pop(place, None)

        return remove

    def tell(self, result: Any, decision: Decision) -> None:
        """Emit the event of a decision about a result. Never raises; see the module's invariants."""
        self.emit(Event(decision, _name(result, "tenant"), _name(result, "run"), time()))

    def emit(self, event: Event) -> None:
        """Tell every listener, in the order in which they were added. Never raises; see the module's invariants."""
        for place in tuple(self._places):
            if place in self._places:
                _call(place, event)


def _call(place: _Place, event: Event) -> None:
    try:
        running = _running.get()
        if place in running:
            return
        token = _running.set((*running, place))
        try:
            place.listener(event)
        finally:
            _running.reset(token)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - the promise of this module
        if not place.failed:
            place.failed = True
            _log(place.listener, error)


def _log(listener: Listener, error: BaseException) -> None:
    try:
        import logging

        logging.getLogger("cablese").warning(
            "a listener raised %s; its further errors are not logged", type(error).__name__, exc_info=error
        )
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 - not even saying so may cost the call
        del listener


def _name(result: Any, field: str) -> str:
    """Return a name on a result, which may be anything that a caller passed for one."""
    try:
        name = getattr(result, field, "")
    except Exception:  # noqa: BLE001 - then it has none
        return ""
    return name if isinstance(name, str) else ""
