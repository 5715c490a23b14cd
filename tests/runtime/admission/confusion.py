"""`python -m tests.runtime.admission.confusion`: the confusion matrix of classification over the corpus.

The corpus: recordings in `corpus/KIND/NAME.txt`, outputs of others in `corpus/others/KIND/` (see `SOURCES.md`), the
Python files of `cli/` and `dsl/`, and the recorded diffs of `tests/samples`. The kind of a file is that of its folder.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cablese.runtime.admission.classify import classify

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CORPUS = HERE / "corpus"
KINDS = ("json", "jsonl", "diff", "numbered", "search", "paths", "tabular", "log", "code", "prose", "unknown")
NEVER_WRONG = frozenset({"json", "tabular", "search", "paths", "code", "diff"})
"""No text may be told to be one of these that is not, and none of these to be another kind; `unknown` is no kind."""
_ROOMS = ("cli", "dsl")


class Case(NamedTuple):
    """A text, where it is from, and its kind as a reader sees it."""

    name: str
    text: str
    expected: str


class Told(NamedTuple):
    """What a case was told to be."""

    case: Case
    kind: str

    @property
    def right(self) -> bool:
        """Whether it is the kind that a reader sees."""
        return self.kind == self.case.expected

    @property
    def wrong(self) -> bool:
        """Whether it is taken for another kind, which is worse than for none."""
        return not self.right and self.kind != "unknown"


def cases() -> Iterator[Case]:
    """Give every case."""
    for path in sorted(CORPUS.rglob("*.txt")):
        yield Case(str(path.relative_to(CORPUS)), _read(path), path.parent.name)
    for room in _ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            text = _read(path)
            if "\ndef " in text or "\nclass " in text:
                yield Case(str(path.relative_to(ROOT)), text, "code")
    for path in sorted((ROOT / "tests" / "samples" / "git_diff").glob("*.json")):
        sample = json.loads(_read(path))
        stdout = sample["metadata"].get("stdout") or sample["metadata"].get("merged", "")
        if sample["sample"]["truth"].get("files") and sample["sample"]["expect"] == "summary" and len(stdout) < 40_000:
            # Text with control characters passes, whatever it is.
            strange = any(mark < " " and mark not in "\t\n\r\f" for mark in set(stdout))
            yield Case(f"samples/git_diff/{path.stem}", stdout, "unknown" if strange else "diff")


def tell() -> list[Told]:
    """Classify every case."""
    return [Told(case, str(classify(case.text)[0])) for case in cases()]


def matrix(told: list[Told]) -> str:
    """Return the matrix: a line for each expected kind, a column for each kind that was told."""
    counts = Counter((each.case.expected, each.kind) for each in told)
    lines = [f"{'expected':9}" + "".join(f"{kind:>9}" for kind in KINDS)]
    lines += [f"{expected:9}" + "".join(f"{counts[expected, kind] or '.':>9}" for kind in KINDS) for expected in KINDS]
    right = sum(each.right for each in told)
    wrong = sum(each.wrong for each in told)
    unknown = len(told) - right - wrong
    lines.append(f"{right} of {len(told)} right ({right / len(told):.1%}), {unknown} taken for none, {wrong} wrong")
    return "\n".join(lines)


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def main() -> int:
    """Print the matrix and the cases that are not right."""
    told = tell()
    sys.stdout.write(matrix(told) + "\n")
    sys.stdout.writelines(
        f"{'WRONG' if each.wrong else 'none '}  {each.case.name}: {each.case.expected} told as {each.kind}\n"
        for each in told
        if not each.right
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
