"""The exact kinds: what they leave of the tokens, head line included, and their time against splitting lines.

Each function returns rows `(name, ratio, detail)`. For tokens, `ratio` is the larger, of both encodings, of the shares
of the recorded output (`corpus/recorded/`, by `corpus/exact_kinds.py`). For times, it is the median time of reading,
writing and proving a form over that of splitting the text at its lines and each line at its spaces, both taken
alternately in one run. Every form is decoded and compared. `FUNCTIONS` lists them in order.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter

from ..runtime.admission import numbered, paths, search
from ..runtime.tokens import count_tokens
from .corpus.exact_kinds import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

Row = tuple[str, float, str]

ROUNDS = 7
FIGURES: tuple[tuple[str, str, ModuleType], ...] = (
    ("`rg -n`, 500 matches in 60 files", "rg-n", search),
    ("`find`, 2,000 files", "find", paths),
    ("`cat -n`, 400 lines", "cat-n", numbered),
)
OTHERS: tuple[tuple[str, str, ModuleType], ...] = (
    ("`rg -n -C2`", "rg-n-context", search),
    ("`rg -n --column`", "rg-n-column", search),
    ("`grep -rn`", "grep-rn", search),
    ("`git grep -n`", "git-grep", search),
    ("`git ls-files`", "git-ls-files", paths),
    ("`ls -R`", "ls-R", paths),
    ("`ls -l`", "ls-l", paths),
    ("`nl`", "nl", numbered),
    ("`sed =`", "sed-equals", numbered),
)


def tokens() -> list[Row]:
    """Compare the tokens of what is shown with those of what was printed."""
    rows: list[Row] = []
    for title, name, module in FIGURES + OTHERS:
        text = recorded(name)
        shown = _prove(module, text)
        before, after = count_tokens(text), count_tokens(shown)
        ratio = max(after[encoding] / before[encoding] for encoding in before)
        counts = ", ".join(f"{after[encoding]:,} of {before[encoding]:,} ({encoding})" for encoding in before)
        rows.append((f"{title}, tokens / printed", ratio, counts))
    return rows


def times() -> list[Row]:
    """Compare the time of a form, its proof included, with splitting the text."""
    rows: list[Row] = []
    for title, name, module in FIGURES:
        text = recorded(name)
        ours: list[float] = []
        theirs: list[float] = []
        for _ in range(ROUNDS):
            ours.append(_timed(lambda text, module=module: _prove(module, text), text))
            theirs.append(_timed(_split, text))
        mine, base = median(ours), median(theirs)
        detail = f"{mine * 1e3:.1f} ms against {base * 1e3:.2f} ms, {len(text) / mine / 1e6:.1f} MB/s"
        rows.append((f"{title}, read, written, proved / split", mine / base, detail))
    return rows


def recorded(name: str) -> str:
    """Return a recorded output, its line endings as they are."""
    return (FOLDER / f"{name}.txt").read_bytes().decode()


def _prove(module: ModuleType, text: str) -> str:
    shown = module.encode(module.recognise(text))
    if module.decode(shown) != text:
        raise AssertionError(f"{module.NAME}: the form is of another text")
    return shown


def _split(text: str) -> object:
    return [line.split() for line in text.split("\n")]


def _timed(action: Callable[[str], object], text: str) -> float:
    started = perf_counter()
    action(text)
    return perf_counter() - started


FUNCTIONS = (tokens, times)


def main() -> None:
    """Print all rows."""
    for function in FUNCTIONS:
        for name, ratio, detail in function():
            print(f"{name:62} {ratio:8.3f}  {detail}")


if __name__ == "__main__":
    main()
