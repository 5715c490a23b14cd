"""What was saved: the ledger summed up by tool and rule, as an object, as text and as a page."""

from __future__ import annotations

from .record import report_record
from .report import Report, aggregate
from .session import SessionReport
from .text import render_text

__all__ = ["Report", "SessionReport", "aggregate", "render_text", "report_record"]
