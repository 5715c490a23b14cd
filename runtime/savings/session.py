"""The savings of one session: a listener that sums up decisions as they are made, without a store.

Input: events of a `Compressor`. Output: the same report as the ledger of a store gives.

Invariants: `handle` never raises; memory does not grow with the number of events; what `summary` returns is the
caller's own.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ..hosting.ledger import decision_entry
from .record import report_record
from .report import Report
from .text import render_text

if TYPE_CHECKING:
    from ..hosting.events import Event


class SessionReport:
    """Sums up what it hears: `report = SessionReport(); compressor.subscribe(report.handle)`. For many threads."""

    def __init__(self) -> None:
        self._report = Report()
        self._lock = threading.Lock()

    def handle(self, event: Event | None) -> None:
        """Take in an event. None, and what has no decision about a named tool, is ignored."""
        try:
            if event is None or not event.decision.tool:
                return
            entry = decision_entry(event.decision, event.at)
        except Exception as error:  # noqa: BLE001 - a report that knows less, not a call that fails
            _warn(error)
            return
        with self._lock:
            self._report.add(entry)

    def summary(self) -> dict[str, Any]:
        """Return the report as an object, as published in `schemas/report.schema.json`; changing it changes nothing."""
        with self._lock:
            return report_record(self._report)

    def render(self) -> str:
        """Return the report as text."""
        return render_text(self.summary())


def _warn(error: Exception) -> None:
    import logging

    logging.getLogger("cablese").warning("the report leaves out what is no event: %s", type(error).__name__)
