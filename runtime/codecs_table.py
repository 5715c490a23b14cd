"""The codecs of the house that admission entries may name, with their settings: plain data, one place for compiler and
runtime.

`CODECS[name]` maps a setting to what it takes: `("int", low, high)`, `("words", w, …)` or `("flag",)`. Every entry
also takes the settings of `COMMON`. Ratios are given in percent, as the language has no fractions.

Invariant: these are the codecs of `codecs/registry.py`, no more and no fewer.
"""

from __future__ import annotations

from .settings import LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

COMMON: Mapping[str, tuple[object, ...]] = {
    "level": ("words", *LEVELS),
    "tee": ("flag",),
}

CODECS: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "json_compact": {
        "dedup": ("words", "on", "auto", "off"),
        "nulls": ("words", "keep", "drop"),
        "budget": ("int", 20, 1_000_000),
    },
    "columnar": {
        "min_rows": ("int", 1, 1_000_000),
        "heterogeneity_percent": ("int", 100, 1_000_000),
        "clip": ("int", 8, 1_000_000),
        "budget": ("int", 20, 1_000_000),
    },
    "json_minify": {},
    "line_rle": {},
    "template_fold": {},
}

DEFAULT_LEVEL = "minimal"
