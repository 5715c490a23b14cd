"""E09xx: admission entries."""

from __future__ import annotations

from .code import Code


def _admit(settings: str, codec: str = "columnar", more: str = "") -> str:
    return f'admit "orders_*" with {codec} {{\n  {settings}\n}}\n{more}'


CODES: tuple[Code, ...] = (
    Code(
        "E0901",
        "unknown codec or setting",
        "The codecs of the language and their settings are fixed. Every entry takes `level` and `tee`. A codec of "
        'another package is named first: `use codec "…"`; its settings are its own.',
        _admit("level normal\n  min_row 20"),
        _admit("level normal\n  min_rows 20"),
    ),
    Code(
        "E0902",
        "a value that does not fit",
        "The value is of the wrong type or out of bounds, a setting is given twice, or a tool name is empty or holds "
        "white space.",
        _admit("level higher"),
        _admit("level normal"),
    ),
    Code(
        "E0903",
        "a tool is admitted twice",
        "Two entries have the same name or glob; which of them holds would be a matter of order.",
        _admit("level normal", more='admit "orders_*" with json_compact {\n  level minimal\n}\n'),
        _admit("level normal", more='admit "*" with json_compact {\n  level minimal\n}\n'),
    ),
)
