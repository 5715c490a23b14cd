"""A compiled section as text whose lines can be compared: JSON, a value on one line where it fits.

Input: plain data. Output: lines of at most `WIDTH` characters, but for single values that are longer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

WIDTH: Final = 100
_STEP: Final = "  "


def spell_section(section: dict[str, Any]) -> str:
    """Return a section as text. Equal sections give equal text, and other ones other text."""
    return "\n".join(_spell(section, "", "", ""))


def _spell(value: Any, indent: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of a value; `before` stands in front of the first, `after` behind the last."""
    line = f"{indent}{before}{_flat(value)}{after}"
    if not value or not isinstance(value, (dict, list)) or len(line) <= WIDTH:
        yield line
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield f"{indent}{before}{opening}"
    entries = value.items() if isinstance(value, dict) else ((None, each) for each in value)
    last = len(value) - 1
    for number, (key, each) in enumerate(entries):
        name = "" if key is None else f"{_flat(key)}: "
        yield from _spell(each, indent + _STEP, name, "," if number < last else "")
    yield f"{indent}{closing}{after}"


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
