"""Texts of each kind, for tests of what is done with them."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

PATHS = "".join(
    f"./src/{area}/{part}/{name}.py\n"
    for area in ("orders", "shelves", "reports")
    for part in ("models", "views", "tests")
    for name in ("start", "middle", "finish", "errors", "helpers")
)
SEARCH = "".join(
    f"src/orders/{name}.py:{line}:    raise OrderError({line}, reason)\n"
    for name in ("accept", "refuse", "settle", "cancel")
    for line in range(20, 200, 12)
)
JSON_ROWS = json.dumps(
    [
        {"id": number, "region": "apac", "status": "active", "name": f"host-{number:03}", "tags": ["a", "b"]}
        for number in range(120)
    ],
    indent=2,
)
CODE = (ROOT / "runtime" / "recovery" / "originals.py").read_text("utf-8")
DIFF = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,400 +1,400 @@\n" + "-old line of text\n+new line of text\n" * 400
PROSE = " ".join(
    f"The {what} of the depot was counted {when}, and nobody who was asked about it could say why it was less."
    for what in ("stock", "fuel", "timber", "paper", "copper", "salt", "grain", "rope", "glass", "coal")
    for when in ("on Monday", "before noon", "after the storm", "in spring")
)
NOTHING = "<<<<>>>> ||| ??? ###\n" * 80
