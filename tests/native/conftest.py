"""In a run without the native codec, its own tests are left to the run with it."""

import os

collect_ignore = ["test_counts.py"] if os.environ.get("CABLESE_PURE") == "1" else []
