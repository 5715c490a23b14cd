"""Measurements and the demonstration: nothing here is imported by the package."""
