"""How the page looks: in both themes, wide and narrow, nothing runs out of its place and everything can be read.

Screenshots of each are left in the folder of temporary files, for a person to look at.
"""

from __future__ import annotations

from importlib.resources import files

import pytest

from .conftest import NARROW, WIDE

LOOKS = [(theme, size) for theme in ("light", "dark") for size in ("wide", "narrow")]
SIZES = {"wide": WIDE, "narrow": NARROW}
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const pixel = (...colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [.2126, .7152, .0722][at], 0);
  const found = {}, known = new Map();
  const ratioOf = (grounds, ink) => {
    const key = [...grounds, ink].join();
    if (!known.has(key)) {
      const pair = [pixel('#fff', ...grounds), pixel(ink)].map(light).sort((a, b) => b - a);
      known.set(key, (pair[0] + .05) / (pair[1] + .05));
    }
    return known.get(key);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const at = node.parentElement;
    if (!node.data.trim() || at.closest('script, option')) continue;
    if (!at.checkVisibility({ visibilityProperty: true })) continue;
    const grounds = [];
    for (let up = at; up; up = up.parentElement) grounds.unshift(getComputedStyle(up).backgroundColor);
    const name = at.tagName + '.' + at.className;
    found[name] = Math.min(found[name] ?? 99, ratioOf(grounds, getComputedStyle(at).color));
  }
  return found;
}"""
OUTSIDE = """() => [...document.querySelectorAll('body *')].filter((each) => {
  if (!each.checkVisibility()) return false;
  if (each.closest('.unseen, .skip, script, option, .list, .wide, .text, nav, dialog')) return false;
  const room = (each.closest('#detail') ?? document.documentElement).getBoundingClientRect();
  const own = each.getBoundingClientRect();
  return own.width && (own.right > room.right + 1 || own.left < room.left - 1);
}).map((each) => each.outerHTML.slice(0, 90))"""


@pytest.fixture(params=LOOKS, ids="-".join)
def looked_at(request, show, review):
    """Show the page in one of its looks."""
    theme, size = request.param
    with show(review, theme=theme, size=SIZES[size]) as page:
        yield page, theme, size


def steps(page, size):
    """Go through what there is to see; yield a word for each view."""
    yield "top"
    page.click("details[data-rule='bash.git_status'] summary")
    yield "rule"
    for change in ("result_changed", "result_lost", "result_gained", "reason_changed"):
        page.select_option("#by-change", change)
        page.keyboard.press("Escape")
        page.focus("#list")
        page.keyboard.press("j")
        if size == "narrow":
            yield f"{change}-list"
            page.keyboard.press("Enter")
        yield change
        if size == "narrow":
            page.keyboard.press("Escape")


def test_everything_has_its_place_and_can_be_read(looked_at, pages):
    """No view is wider than the window, no element runs out of it, and text has a contrast of 4.5 : 1 at least."""
    page, theme, size = looked_at
    for view in steps(page, size):
        page.screenshot(path=pages / f"{theme}-{size}-{view}.png")
        assert page.evaluate("document.documentElement.scrollWidth") == SIZES[size]["width"], view
        assert page.evaluate(
            "document.getElementById('detail').scrollWidth <= document.getElementById('detail').clientWidth"
        ), view
        assert page.evaluate(OUTSIDE) == [], view
        contrasts = page.evaluate(CONTRAST)
        assert len(contrasts) > 10
        assert {name: ratio for name, ratio in contrasts.items() if ratio < 4.5} == {}, view


def test_themes_are_those_that_they_are_called(show, review):
    """The page follows the system, and the switch overrides it."""
    dark = "getComputedStyle(document.body).backgroundColor === 'rgb(13, 17, 23)'"
    for theme in ("light", "dark"):
        with show(review, theme=theme) as page:
            assert page.evaluate(dark) == (theme == "dark")
            page.click("#theme")
            assert not page.evaluate(dark)
            page.click("#theme")
            assert page.evaluate(dark)


def test_sides_stand_side_by_side_where_there_is_room(show, review):
    """Wide, a line and what became of it are on one height; narrow, one is below the other, and same lines are one."""
    for size in ("wide", "narrow"):
        with show(review, size=SIZES[size]) as page:
            page.select_option("#by-change", "result_changed")
            page.keyboard.press("j")
            page.keyboard.press("Enter")
            row = page.locator("#detail .compared tbody tr:has(td.old:not(.same)):has(td.new:not(.same))").first
            old, new = (row.locator(f"td.{side}").bounding_box() for side in ("old", "new"))
            same = page.locator("#detail .compared td.same:visible").count()
            if size == "wide":
                assert old["y"] == new["y"]
                assert old["x"] + old["width"] <= new["x"]
            else:
                assert old["y"] + old["height"] <= new["y"]
                assert same == page.locator("#detail .compared td.same.old").count()


def test_the_focus_can_be_seen(show, review):
    """Each place that the tab key reaches has an outline, or in the list its chosen row."""
    with show(review) as page:
        reached = set()
        for _ in range(30):
            page.keyboard.press("Tab")
            name, outlined = page.evaluate("""() => {
              const at = document.activeElement, row = at.id === 'list' ? at.querySelector('[aria-selected=true]') : at;
              return [at.id || at.className || at.tagName, getComputedStyle(row).outlineStyle !== 'none'];
            }""")
            assert outlined or name == "BODY", name
            reached.add(name)
        assert reached >= {
            "skip",
            "theme",
            "keys",
            "search",
            "by-rule",
            "by-change",
            "by-effect",
            "by-size",
            "order",
            "clear",
            "list",
        }


@pytest.mark.parametrize("size", SIZES)
def test_an_audit_for_screen_readers_finds_nothing(show, review, size):
    """axe-core, all its rules for WCAG 2.2 AA and good practice, with a rule and a result open."""
    script = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
    with show(review, size=SIZES[size]) as page:
        page.evaluate(script)
        for view in steps(page, size):
            if view in ("result_changed", "result_lost"):
                found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then((done) => done.violations)")
                assert [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found] == []
