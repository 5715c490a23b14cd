"""Makes small distributions with entry points, as an installer would leave them, and runs scripts that see them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

CODEC = """
from cablese.runtime import Encoded, NotApplicableError, Request, register_codec

{decorator}
class {cls}:
    codec_name = "{name}"

    def compress(self, payload, request):
        if not isinstance(payload, str):
            raise NotApplicableError("not text")
        return Encoded(payload.replace("the quick brown fox", "§"), "exact")

    def decode(self, shown):
        return shown.replace("§", "the quick brown fox")
"""


def install(site: Path, distribution: str, modules: dict[str, str], codecs: dict[str, str]) -> None:
    """Put a distribution into a folder: its modules, and a dist-info with its entry points."""
    site.mkdir(exist_ok=True)
    for name, text in modules.items():
        (site / f"{name}.py").write_text(textwrap.dedent(text), "utf-8")
    info = site / f"{distribution}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n", "utf-8")
    lines = "".join(f"{name} = {target}\n" for name, target in codecs.items())
    (info / "entry_points.txt").write_text(f"[cablese.codecs]\n{lines}", "utf-8")


def codec_source(name: str, cls: str = "Fox", *, decorated: bool = True) -> str:
    """Return a module with a codec that is exact."""
    return CODEC.format(name=name, cls=cls, decorator="@register_codec" if decorated else "")


def run_beside(site: Path, script: str, **environ: str) -> Any:
    """Run a script in a process of its own that sees the folder; it prints JSON, which is returned with its errors."""
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env=os.environ | {"PYTHONPATH": path} | environ,
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr
