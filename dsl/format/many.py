"""The layout of many rule files, worked out on all processors where there is enough of them.

Input: texts by path. Output: for each, in order, what `format_source` returns, or the FormatError that it raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..processes import LEAST, map_on_all_processors
from ..source import Source
from . import FormatError, Formatted, format_source


def format_many(sources: Mapping[str, str]) -> Iterator[tuple[str, Formatted | FormatError]]:
    """Yield each path with its layout, or with what kept it from one."""
    items = list(sources.items())
    many = sum(map(len, sources.values())) >= LEAST
    results = map_on_all_processors(_format, items) if many else map(_format, items)
    yield from zip(sources, results, strict=True)


def _format(item: tuple[str, str]) -> Formatted | FormatError:
    try:
        return format_source(Source(*item))
    except FormatError as error:
        return error
