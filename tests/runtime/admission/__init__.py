"""Tests of admission by content."""
