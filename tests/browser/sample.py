"""Differences to look at, made by the comparison itself of rules that are shipped, over outputs of generated words."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import cycle, islice
from pathlib import Path

from cablese.compiler import compile_sources
from cablese.compiler.diff.compare import Difference, compare
from cablese.compiler.diff.page import render_page
from cablese.compiler.diff.results import Item
from cablese.compiler.diff.side import Side, side_of_rules
from cablese.compiler.trials import Trial
from cablese.dsl.codes.sketch import sketch

GIT = (Path(__file__).parents[2] / "rules" / "git.cable").read_text("utf-8")
HOSTILE = (
    '</script><script>window.broken = 1</script><!--<script><img src=x onerror="window.broken = 1">'
    "<style>*{display:none}</style>&lt;b&gt;&amp;<a href=javascript:window.broken=1>a</a>"
)
UNSEEN = "\x1b[31mred\u202eright\u2028\ud800\x00"
WORDS = ("cargo", "northern", "ledger", "import", "archive", "nightly", "window", "harbour", "copper", "meadow")


def side(label: str, *changes: tuple[str, str], more: str = "") -> Side:
    """Compile the rules for git with texts of theirs replaced, and more rules behind them."""
    text = GIT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    done = compile_sources({"git.cable": text + more}, name="rules", version="0", draft=True, read=lambda _: b"")
    return side_of_rules(label, done, done.tried, None)


@cache
def sides() -> tuple[Side, Side]:
    """Return two versions of the rules: one rule is gone, one new, one changed, and a command changes hands."""
    old = side(
        "main:rules",
        ("exit     0, unknown  # any other", "exit     0, 1, unknown  # any other"),
        more=sketch(id="bash.gone", command="gone { option -a }"),
    )
    new = side(
        "rules",
        ("option  -b, --branch", "option  -b, --branch, --ahead-behind"),
        ("changed_files: {{ changes }}", "files: {{ changes }}"),
        more=sketch(id="bash.new", command="gone { option -b }"),
    )
    return old, new


def status(chance: random.Random, lines: int) -> str:
    """Return what `git status --short` could print."""
    paths = ("/".join(chance.choices(WORDS, k=3)) for _ in range(lines))
    return "".join(f"{chance.choice((' M', 'A ', '??'))} {path}-{n}.rs\n" for n, path in enumerate(paths))


def items(number: int) -> list[Item]:
    """Return results that change, each in one of four ways, and one in ten that does not."""
    chance = random.Random(number)
    made = []
    for n in range(number):
        text = status(chance, chance.choice((30, 40, 90)))
        trial = (
            Trial("bash", "git status -s", text, exit_code=0),
            Trial("bash", "git status -s", text, exit_code=1),
            Trial("bash", "git status -s --ahead-behind", text, exit_code=0),
            Trial("bash", "git status -s --ahead-behind", text, exit_code=1),
        )[n % 4]
        made.append(Item(f"result {n:04}", trial.result()))
    same = [Item(f"same {n}", Trial("bash", "ls", "a\n").result()) for n in range(number // 10)]
    return [*made, *same]


@cache
def compared() -> Difference:
    """Compare the sides over 80 results that change, and some that do not."""
    return compare(*sides(), items(80))


@cache
def difference(number: int) -> Difference:
    """Return a difference of so many results that change: those of `compared`, again and again under other names."""
    once = compared()
    changed = [each for each in once.results if each.change is not None]
    again = (
        replace(each, item=Item(f"result {n:04}", each.item.result))
        for n, each in enumerate(islice(cycle(changed), number))
    )
    return replace(once, results=(*again, *(each for each in once.results if each.change is None)))


def hostile() -> Difference:
    """Compare over results that hold markup, script and characters that act on what is around them."""
    text = f" M {HOSTILE}\n" + status(random.Random(1), 40)
    named = f"{HOSTILE} {UNSEEN}"
    trials = (
        Trial("bash", "git status -s", text, exit_code=0),
        Trial("bash", "git status -s", text, exit_code=1),
        Trial("bash", "git status -s --ahead-behind", f"{text}{UNSEEN}\n{HOSTILE}\n", exit_code=1),
    )
    return compare(*sides(), [Item(f"{number} {named}", trial.result()) for number, trial in enumerate(trials)])


def write_page(folder: Path, number: int) -> Path:
    """Write the page of a difference over so many results."""
    path = folder / f"review-{number}.html"
    path.write_bytes(render_page(difference(number)).encode())
    return path
