"""Tests of the language: parsing, texts, patterns, diagnostics."""
