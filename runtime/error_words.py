"""An error of foreign code in words, for records and messages. Input: any error. Output: text; nothing is raised."""

from __future__ import annotations


def name_error(error: BaseException) -> str:
    """Name an error by its class and its own text, which may fail, too."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - an error that cannot even be printed
        return type(error).__name__
