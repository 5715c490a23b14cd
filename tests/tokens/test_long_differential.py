"""The long comparison itself runs, and can fail."""

import subprocess
import sys
from pathlib import Path

RUNNER = Path(__file__).with_name("long_differential.py")


def _run(*arguments):
    return subprocess.run([sys.executable, RUNNER, *arguments], capture_output=True, text=True, check=False)


def test_a_short_run_of_the_long_comparison():
    """Some hundred random texts, no difference."""
    done = _run("--texts", "300", "--no-code-points", "--seed", "7")
    assert (done.returncode, done.stdout) == (0, "0 code points in 5 contexts, 300 random texts: no difference\n")


def test_the_long_comparison_sees_a_difference():
    """With one class of characters taken for another it fails."""
    broken = (
        "import sys, runpy; from cablese.runtime.tokens.codepoints import CLASS_TEXT\n"
        "CLASS_TEXT[ord('漢')] = '.'\n"
        f"sys.argv[1:] = ['--texts', '3000', '--no-code-points']; runpy.run_path({str(RUNNER)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", broken], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "DifferenceError" in done.stderr
