"""What a reviewer waits for: `diff` with its page as a process, and the page of 1,000 results in a browser.

Each function returns rows `(name, ratio, detail)`; `ratio` is the time over its reach: 30 s for the comparison of the
curated pack, with one rule changed, over the large inputs of `bench/corpus`; 1 s until the page shows its first result;
100 ms for the slowest of its keys. `FUNCTIONS` lists them in order. Without a Chromium, the rows of the page are left
out.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from ..compiler import compile_sources
from ..compiler.curated import compile_shipped
from ..compiler.diff.compare import compare
from ..compiler.diff.page import render_page
from ..compiler.diff.results import Item
from ..compiler.diff.side import side_of_pack
from ..runtime.records import parse_result
from .corpus.generate import CORPUS, LARGE, record
from .corpus.git_outputs import short_status
from .process import ROOT, cablese, wall

Row = tuple[str, float, str]

DIFF_REACH = 30.0
OPEN_REACH = 1.0
KEY_REACH = 0.1
RESULTS = 1_000
ROUNDS = 5
KEYS = (
    "j",
    "k",
    "ArrowDown",
    "End",
    "Home",
    "PageDown",
    "Enter",
    "Escape",
    "t",
    "?",
    "Escape",
    "/",
    "a",
    "m",
    "Escape",
)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
DRAWN = "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"
LISTEN = """() => {
  window.times = [];
  document.addEventListener('keydown', () => {
    const start = performance.now();
    requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - start)));
  }, { capture: true });
}"""
CHANGE = ("changed_files: {{ changes }}", "files: {{ changes }}")


def changed_pack() -> bytes:
    """Compile the shipped rules with one of them changed, whatever its examples, which are those of the old one."""
    sources = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "rules").glob("*.cable"))}
    sources["git.cable"] = sources["git.cable"].replace(*CHANGE)
    read = {path.relative_to(ROOT / "rules").as_posix(): path.read_bytes for path in (ROOT / "rules").rglob("*.*")}
    return compile_sources(sources, name="curated", version="2.0.0", draft=True, read=lambda path: read[path]()).tried


def comparing() -> list[Row]:
    """Time `diff` of the curated pack and the changed one over the large inputs, the page and the report written."""
    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as name:
        folder = Path(name)
        (folder / "old.cablepack").write_bytes(compile_shipped("curated", ROOT / "rules"))
        (folder / "new.cablepack").write_bytes(changed_pack())
        with (folder / "corpus.jsonl").open("w", encoding="utf-8") as file:
            for title, make in CORPUS.items():
                if title != LARGE:
                    file.write(json.dumps({**make(), "id": title}) + "\n")
        size = (folder / "corpus.jsonl").stat().st_size
        words = ("diff", "old.cablepack", "new.cablepack", "--corpus", "corpus.jsonl")
        seconds, with_page = (
            median(wall(cablese(*words, *more), name) for _ in range(3)) for more in ((), ("--html", "page.html"))
        )
        page = (folder / "page.html").stat().st_size
    detail = f"{with_page:.1f} s with the page of {page / 1e3:.0f} KB, {seconds:.1f} s without, {size / 1e6:.0f} MB"
    return [("process: diff of the curated pack over the corpus, with its page", with_page / DIFF_REACH, detail)]


def thousand_results() -> str:
    """Return the page of 1,000 results that change, each another output."""
    old, new = side_of_pack("old", compile_shipped("curated", ROOT / "rules")), side_of_pack("new", changed_pack())
    items = []
    for number in range(RESULTS):
        text = short_status(24 + number % 40).replace("src/", f"src{number}/")
        items.append(Item(f"result {number}", parse_result(record("git status --short --branch", text))))
    difference = compare(old, new, items)
    if sum(each.change is not None for each in difference.results) != RESULTS:
        raise ValueError("not every result changes")
    return render_page(difference)


def showing() -> list[Row]:
    """Time the page in headless Chromium: from its address to the first result on the screen, and key by key."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        return []
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser for it

    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as name, sync_playwright() as playwright:
        place = Path(name, "page.html")
        place.write_text(thousand_results(), "utf-8")
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        opened, keys = [], []
        for _ in range(ROUNDS):
            page = browser.new_page(viewport={"width": 1360, "height": 860})
            page.goto(place.as_uri())
            opened.append(page.evaluate(DRAWN) / 1e3)
            keys.append(_time_keys(page))
            page.close()
        browser.close()
        size = place.stat().st_size
    slowest, key = max((median(times), key) for key, times in zip(KEYS, zip(*keys, strict=True), strict=True))
    words = f"page of {RESULTS:,} results"
    return [
        (f"{words}: open", median(opened) / OPEN_REACH, f"{median(opened) * 1e3:.0f} ms, {size / 1e6:.2f} MB"),
        (f"{words}: slowest key", slowest / KEY_REACH, f"{slowest * 1e3:.0f} ms for `{key}`, until it is drawn"),
    ]


def _time_keys(page: Any) -> list[float]:
    """Press each key; return the seconds until what it did is drawn."""
    page.evaluate(LISTEN)
    for key in KEYS:
        page.keyboard.press(key)
        page.evaluate(DRAWN)
    return [time / 1e3 for time in page.evaluate("window.times")]


FUNCTIONS = (comparing, showing)
