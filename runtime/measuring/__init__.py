"""Measuring past sessions: what compression would have saved, as sums that hold nothing of the sessions."""

from __future__ import annotations
