"""The curated pack: every `*.cable` file of `rules/`, compiled as one pack with the package's own name.

Used by the build step and by `make pack`; the result is the same on every machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ..dsl.render import render_human
from . import compile_sources

CURATED_NAME = "curated"
CURATED_VERSION = "1.0.0"


class CuratedRulesError(Exception):
    """The curated rules have findings; the text holds them as an author would see them."""


def compile_curated(folder: Path) -> bytes:
    """Return the pack of all rule files in `folder`; raise `CuratedRulesError` with the findings."""
    sources = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.cable"))}

    def read(path: str) -> bytes:
        return (folder / path).read_bytes()

    done = compile_sources(sources, name=CURATED_NAME, version=CURATED_VERSION, read=read)
    if done.pack is None:
        raise CuratedRulesError(render_human(done.diagnostics))
    return done.pack


def build_curated_pack(folder: Path, target: Path) -> None:
    """Compile the rules in `folder` and write the pack to `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(compile_curated(folder))


if __name__ == "__main__":
    HOUSE = Path(__file__).resolve().parent.parent
    try:
        build_curated_pack(HOUSE / "rules", HOUSE / "runtime" / "curated.cablepack")
    except CuratedRulesError as findings:
        sys.exit(str(findings))
