"""A table as a database tool gives it: rows of stores, the same on every machine.

`python -m cablese.bench.corpus.stores` writes the fixture of 500 rows by 12 fields where tests read it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FIXTURE = Path(__file__).resolve().parents[2] / "tests" / "runtime" / "codecs" / "fixtures" / "stores_500x12.json"
ROWS = 500

_CITIES = ("Porto", "Lisboa", "Faro", "Braga", "Coimbra", "Aveiro", "Setúbal", "Évora", "Funchal", "Viseu")
_MANAGERS = ("Ana Silva", "Bruno Costa", "Carla Dias", "Duarte Reis", "Eva Lopes", "Filipe Moura", "Graça Pinto")
_FORMATS = ("city", "mall", "outlet")


def scatter(row: int, salt: int) -> int:
    """Return a number of 32 bits that looks random."""
    value = (row + 1) * 0x9E37_79B9_7F4A_7C15 + salt * 0xBF58_476D_1CE4_E5B9 & 0xFFFF_FFFF_FFFF_FFFF
    value = (value ^ value >> 30) * 0xBF58_476D_1CE4_E5B9 & 0xFFFF_FFFF_FFFF_FFFF
    return (value ^ value >> 27) * 0x94D0_49BB_1331_11EB >> 16 & 0xFFFF_FFFF


def store(row: int) -> dict[str, Any]:
    """Return a row: two constants, one that is always null, nine that vary."""
    return {
        "store_id": f"S{row + 1:04}",
        "revenue": (scatter(row, 1) % 9_000_000 + 100_000) / 100,
        "region": "south",
        "city": _CITIES[scatter(row, 2) % len(_CITIES)],
        "format": _FORMATS[scatter(row, 3) % len(_FORMATS)],
        "manager": _MANAGERS[scatter(row, 4) % len(_MANAGERS)],
        "orders": scatter(row, 5) % 4_000 + 40,
        "margin": scatter(row, 6) % 4_500 / 10_000,
        "opened": f"{2004 + scatter(row, 7) % 20}-{1 + scatter(row, 8) % 12:02}-{1 + scatter(row, 9) % 28:02}",
        "rating": 2.5 + scatter(row, 10) % 26 / 10,
        "active": True,
        "notes": None,
    }


def stores_json(rows: int = ROWS) -> str:
    """Return so many rows as minified JSON text."""
    return json.dumps([store(row) for row in range(rows)], separators=(",", ":"), ensure_ascii=False)


if __name__ == "__main__":
    FIXTURE.parent.mkdir(parents=True, exist_ok=True)
    FIXTURE.write_text(stores_json() + "\n", "utf-8")
