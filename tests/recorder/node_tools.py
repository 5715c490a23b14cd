"""Node packages for recordings: each tool is installed once for a run, and then linked into the trees that need it.

INVARIANT: versions are pinned, so that a sample names the tool that spoke.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from .scratch import Workshop

NODE = Path(shutil.which("node") or "/usr/bin/node").parent
PINNED = {"typescript": "5.9.3", "eslint": "10.15.0", "jest": "30.5.2", "vitest": "4.1.12"}


def equip(shop: Workshop, tool: str) -> None:
    """Give a tree the packages of one tool, and the environment to run it in."""
    box = shop.home.parent / f"{tool}-{PINNED[tool]}"
    if not box.exists():
        box.mkdir()
        (box / "package.json").write_text('{"name": "box", "private": true}\n', encoding="utf-8")
        subprocess.run(
            [str(NODE / "npm"), "install", "--no-audit", "--no-fund", "--silent", f"{tool}@{PINNED[tool]}"],
            cwd=box,
            check=True,
        )
    # Hard links: a symbolic link would show in the places that stack traces name.
    shutil.copytree(box / "node_modules", shop.path / "node_modules", symlinks=True, copy_function=os.link)
    shop.environment |= {
        "PATH": f"{shop.path}/node_modules/.bin:{NODE}:/usr/local/bin:/usr/bin:/bin",
        "NPM_CONFIG_UPDATE_NOTIFIER": "false",
        "NPM_CONFIG_OFFLINE": "true",
    }
