"""`python -m tests.recorder [PATTERN …]`: records the samples that are missing, or those that match.

A pattern is a shell pattern over `rule/name`, as in `git_diff/*` or `cargo_test/exit-*`; `--all` records everything
anew, `--list` names what there is. Times, thread numbers and the order of parallel tests change with every recording,
so that one records again only what one means to change.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

from . import CATALOGUES
from .record import SAMPLES, Recorder, check_unique


def main() -> int:
    """Parse the command line, record, and remove the scratch folder unless `--keep` names one."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorder", description=__doc__)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--all", action="store_true", help="record every sample anew")
    parser.add_argument("--list", action="store_true", help="name the entries, record nothing")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="work in FOLDER and leave it")
    options = parser.parse_args()

    entries = [entry for catalogue in CATALOGUES for entry in catalogue]
    check_unique(entries)
    chosen = []
    for entry in entries:
        name = f"{entry.rule}/{entry.name}"
        matches = any(fnmatchcase(name, pattern) for pattern in options.patterns)
        missing = not options.patterns and not (SAMPLES / f"{name}.json").exists()
        if options.all or matches or missing:
            chosen.append(entry)
    if options.list:
        sys.stdout.writelines(f"{entry.rule}/{entry.name}\n" for entry in entries)
        return 0
    scratch = options.keep or Path(tempfile.mkdtemp(prefix="recorder-"))
    recorder = Recorder(scratch)
    try:
        for entry in chosen:
            sys.stdout.write(f"{recorder.record(entry).relative_to(SAMPLES)}\n")
    finally:
        if not options.keep:
            shutil.rmtree(scratch, ignore_errors=True)
    sys.stderr.write(f"{len(chosen)} of {len(entries)} samples recorded\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
