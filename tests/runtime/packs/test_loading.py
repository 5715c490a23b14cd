"""What `bench/loading.py` times is what a process does with the pack that ships."""

import subprocess
import sys

from cablese.bench.loading import SCRIPT


def test_the_measured_process_opens_claims_and_checks():
    """It names modules of ours, so it is run; of the times that come the first is within the next two."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True)
    opened, claimed, digests, checked = map(float, done.stdout.split())
    assert 0 < opened < min(claimed, digests)
    assert checked > 0
