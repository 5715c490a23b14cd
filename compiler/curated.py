"""The packs that ship: `curated` from `rules/*.cable`, `extra` from `rules/extra/*.cable`.

`extra` holds rules for outputs that a reader of the curated ones may rely on seeing whole; it is on only where it is
named. Used by the build step and by `make pack`; the results are the same on every machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ..dsl.render import render_human
from . import compile_sources

VERSION = "1.0.0"
PACKS = {"curated": "*.cable", "extra": "extra/*.cable"}
"""Name of each pack and its rule files, below the folder of rules."""


class CuratedRulesError(Exception):
    """The rules that ship have findings; the text holds them as an author would see them."""


def compile_shipped(name: str, folder: Path) -> bytes:
    """Return the bytes of a shipped pack, made of the rule files below `folder`.

    Raises `CuratedRulesError` with the findings.
    """
    paths = sorted(folder.glob(PACKS[name]))
    sources = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}

    def read(path: str) -> bytes:
        return (folder / path).read_bytes()

    done = compile_sources(sources, name=name, version=VERSION, read=read)
    if done.pack is None:
        raise CuratedRulesError(render_human(done.diagnostics))
    return done.pack


def build_packs(folder: Path, target: Path) -> None:
    """Compile the rules below `folder` and write each pack into the folder `target`."""
    target.mkdir(parents=True, exist_ok=True)
    for name in PACKS:
        (target / f"{name}.cablepack").write_bytes(compile_shipped(name, folder))


if __name__ == "__main__":
    HOUSE = Path(__file__).resolve().parent.parent
    try:
        build_packs(HOUSE / "rules", HOUSE / "runtime")
    except CuratedRulesError as findings:
        sys.exit(str(findings))
