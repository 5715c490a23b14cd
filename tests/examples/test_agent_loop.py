"""The example of an agent loop runs, and its model reaches the right answer from what it is shown."""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "agent_loop.py"


def test_the_loop_ends_with_the_right_answer(tmp_path):
    """An error as it was, a table in fewer tokens, a recovery by handle, and the truth about the database."""
    done = subprocess.run(
        [sys.executable, EXAMPLE], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    total = sum(number * 1.25 for number in range(1, 241))
    assert done.stdout.splitlines()[-1] == f"240 orders, {total:.2f} EUR in all; no order had a coupon."
    assert "passed: level_none" in done.stdout
    found = re.search(r"compressed: columnar, guarantee shape; (\d+) tokens, shown (\d+)", done.stdout)
    assert int(found[2]) < int(found[1]) / 2
    assert done.stdout.count("passed: already_compressed") == 2
