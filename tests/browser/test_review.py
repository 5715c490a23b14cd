"""The page of a difference in a browser: it shows what was found, finds what is asked for, and obeys keys."""

from __future__ import annotations

import pytest
from cablese.compiler.diff.page import render_page
from cablese.compiler.diff.page_record import CHANGES, page_record

from . import sample
from .conftest import NARROW

NAMES = "[...document.querySelectorAll('#list .row')].map((row) => row.querySelector('.name').textContent)"
CHOSEN = "document.querySelector('#list [aria-selected=true] .name')?.textContent"
REFUSED = "() => { try { document.body.innerHTML = '<b></b>' } catch (error) { return error instanceof TypeError } }"
FOCUS = "document.activeElement.id"


def chosen(page) -> str:
    """Return the name of the result that is chosen, which the list, its row and the other side agree on."""
    name = page.evaluate(CHOSEN)
    assert page.text_content("#detail h3") == name
    row = page.get_attribute("#list", "aria-activedescendant")
    assert page.text_content(f"#{row} .name") == name
    return name


def record(number: int) -> list[dict]:
    """Return the results of a page, in its order."""
    return page_record(sample.difference(number))["results"]


def counted(page) -> str:
    """Return what the page says of how many results pass."""
    return page.text_content("#count")


def test_the_overview_says_what_was_found(show, review):
    """Level and why, totals under both encodings, rules by what became of them, a witness of what changes hands."""
    found = sample.difference(40)
    with show(review) as page:
        assert page.title() == "Rules: main:rules → rules"
        assert "This deserves a major release: an exit code is no longer admitted" in page.inner_text(".verdict")
        rows = page.locator(".head tbody tr").all_inner_texts()
        assert [row.split("\t")[0] for row in rows] == ["originals", "seen before", "seen after", "difference"]
        before = sum(each.old.tokens["o200k_base"] for each in found.results)
        after = sum(each.new.tokens["o200k_base"] for each in found.results)
        assert rows[1].split("\t")[1] == f"{before:,}"
        assert rows[3].split("\t")[1] == f"{after - before:+,}".replace("-", "−")
        fates = page.locator("details.rule").evaluate_all(
            "all => all.map((each) => [each.dataset.rule, each.querySelector('.fate').textContent])"
        )
        assert fates == [
            ["bash.new", "added"], ["bash.gone", "removed"],
            ["bash.git_log", "changed"], ["bash.git_status", "changed"],
        ]  # fmt: skip
        hands = page.locator("#commands tbody tr").all_inner_texts()
        assert "git status --short --ahead-behind\tbash, shell\tno rule\tbash.git_status" in hands
        assert len(hands) == len(found.handovers)


def test_rule_texts_are_compared(show, review):
    """A changed rule shows its lines with the words that changed; one that is new shows its text."""
    with show(review) as page:
        page.click("details[data-rule='bash.git_status'] summary")
        marks = page.locator("details[data-rule='bash.git_status'] mark").all_inner_texts()
        assert ", --ahead-behind" in "".join(marks)
        # Stretches that are as before are folded, and there at a click.
        folded = page.locator("details[data-rule='bash.git_status'] .fold").first
        lines = page.locator("details[data-rule='bash.git_status'] tbody tr").count()
        folded.click()
        assert page.locator("details[data-rule='bash.git_status'] tbody tr").count() > lines
        text = page.locator("details[data-rule='bash.git_status'] td.old").all_inner_texts()
        assert any("changed_files: {{ changes }}" in line for line in text)
        page.click("details[data-rule='bash.new'] summary")
        assert page.inner_text("details[data-rule='bash.new'] .text").startswith('rule bash.new "running jobs" {')


@pytest.mark.parametrize("change", CHANGES)
def test_each_kind_of_change_shows_what_a_model_sees(show, review, change):
    """Which side is passed or compressed, and the text on each, letter for letter."""
    with show(review) as page:
        page.select_option("#by-change", change)
        result = next(each for each in record(40) if each["name"] == chosen(page))
        assert page.locator(".detail .side-head .outcome").all_inner_texts() == [
            result["old"]["outcome"], result["new"]["outcome"],
        ]  # fmt: skip
        while page.locator("#detail .fold").count():
            page.locator("#detail .fold").first.click()
        figures = page.locator("#detail .figures tbody tr").all_inner_texts()
        assert figures[1] == "\t".join(["before", *(f"{count:,}" for count in result["old"]["tokens"])])
        for name in ("old", "new"):
            seen = result[name]["shown"] or result["original"]
            if result["old"]["shown"] and result["new"]["shown"]:
                column = page.locator(
                    f"#detail .compared tbody tr td:nth-child({1 if name == 'old' else 2}):not(.none)"
                )
                shown = "\n".join(column.evaluate_all("all => all.map((each) => each.textContent)"))
            else:
                panes = page.locator("#detail .pane .text")
                place = 0 if name == "old" or panes.count() == 1 else 1
                lines = panes.nth(place).locator(".line")
                shown = "\n".join(lines.evaluate_all("all => all.map((each) => each.textContent.replace(/^\\n$/, ''))"))
            assert shown == seen[0]


def test_a_long_original_says_what_is_left_out(show, pages):
    """The page holds its beginning and end, and counts the rest."""
    text = "".join(f" M src/file_{n:05}.rs\n" for n in range(3000))
    item = sample.Item("long", sample.Trial("bash", "git status -s", text, exit_code=1).result())
    path = pages / "long.html"
    path.write_text(render_page(sample.compare(*sample.sides(), [item])), "utf-8")
    with show(path) as page:
        note = page.inner_text("#detail .text .ours")
        assert note.endswith("characters are not in this page")
        held = page.locator("#detail .pane").last.locator(".line").count()
        assert f"{len(text.splitlines()) + 3 - held - 1:,} lines" in note or "lines" in note


def test_filters_leave_exactly_what_they_say(show, review):
    """By rule, by change, by tokens, by size and by text, alone and together; `Clear` brings all back."""
    results = record(40)
    with show(review) as page:
        assert counted(page) == "40 results"
        for change in CHANGES:
            page.select_option("#by-change", change)
            assert counted(page) == f"{sum(each['change'] == change for each in results)} of 40 results"
        page.select_option("#by-change", "")
        more = [each for each in results if each["new"]["tokens"][0] > each["old"]["tokens"][0]]
        page.select_option("#by-effect", "more")
        assert counted(page) == f"{len(more)} of 40 results"
        page.select_option("#by-size", "1")
        sized = [each for each in more if 100 <= each["tokens"][0] < 1000]
        assert counted(page) == f"{len(sized)} of 40 results"
        page.click("#clear")
        assert counted(page) == "40 results"
        page.fill("#search", "RESULT 0007")
        assert (counted(page), chosen(page)) == ("1 of 40 results", "result 0007")
        path = results[5]["old"]["shown"] or results[5]["original"]
        word = path[0].splitlines()[-3].split()[-1]
        page.fill("#search", word)
        assert page.evaluate(NAMES).count(results[5]["name"]) == 1
        page.fill("#search", "nothing holds this")
        assert counted(page) == "0 of 40 results"
        assert page.inner_text("#detail") == "No result passes these filters."
        page.keyboard.press("Enter")
        for key in "jk":
            page.keyboard.press(key)
        assert page.inner_text("#detail") == "No result passes these filters."


def test_a_filter_leaves_alone_what_is_read(show, review):
    """The result that is looked at stays as it was unfolded and scrolled, at its new place among those that pass."""
    with show(review, size={"width": 1360, "height": 480}) as page:
        page.select_option("#by-change", "result_changed")
        name, folds = chosen(page), page.locator("#detail .fold").count()
        page.locator("#detail .fold").first.click()
        page.evaluate("document.getElementById('detail').scrollTop = 40")
        page.select_option("#by-change", "")
        page.select_option("#order", "name")
        assert chosen(page) == name
        assert page.locator("#detail .fold").count() == folds - 1
        assert page.evaluate("document.getElementById('detail').scrollTop") == 40
        place = sorted(each["name"] for each in record(40)).index(name) + 1
        assert page.inner_text("#detail .place") == f"{place} of 40"
        page.keyboard.press("j")
        page.focus("#list")
        page.keyboard.press("j")
        assert page.evaluate("document.getElementById('detail').scrollTop") == 0


def test_a_rule_leads_to_its_results(show, review):
    """The button of a rule filters by it."""
    with show(review) as page:
        page.click("details[data-rule='bash.git_status'] summary")
        page.fill("#search", "0001")
        page.click("details[data-rule='bash.git_status'] button.only")
        assert page.input_value("#search") == ""
        assert page.input_value("#by-rule") == "bash.git_status"
        assert counted(page) == "40 results"
        assert page.evaluate(FOCUS) == "list"


@pytest.mark.parametrize(
    ("order", "key"),
    [
        ("more", lambda each: each["old"]["tokens"][0] - each["new"]["tokens"][0]),
        ("fewer", lambda each: each["new"]["tokens"][0] - each["old"]["tokens"][0]),
        ("size", lambda each: -each["tokens"][0]),
        ("name", lambda each: each["name"]),
    ],
)
def test_orders_are_kept(show, review, order, key):
    """Each order is that of its figure, equal ones as they were."""
    with show(review, size={"width": 1360, "height": 3600}) as page:
        page.select_option("#order", order)
        assert page.evaluate(NAMES) == [each["name"] for each in sorted(record(40), key=key)]


def test_keys(show, review):
    """The keys j and k from anywhere, arrows in the list, / ? t Enter and Esc; each leaves the focus where it says."""
    names = [each["name"] for each in record(40)]
    with show(review) as page:
        page.keyboard.press("j")
        assert (chosen(page), page.evaluate(FOCUS)) == (names[1], "list")
        page.keyboard.press("k")
        page.keyboard.press("k")
        assert chosen(page) == names[0]
        for key, place in (("ArrowDown", 1), ("ArrowUp", 0), ("End", 39), ("PageUp", None), ("Home", 0), ("j", 1)):
            page.keyboard.press(key)
            assert place is None or chosen(page) == names[place]
        page.keyboard.press("Enter")
        assert page.evaluate(FOCUS) == "detail"
        page.keyboard.press("j")
        assert chosen(page) == names[2]
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        assert page.evaluate(FOCUS) == "list"
        page.keyboard.press("/")
        assert page.evaluate(FOCUS) == "search"
        page.keyboard.type("j/?tk")
        assert page.input_value("#search") == "j/?tk"
        page.keyboard.press("Escape")
        page.click("#clear")
        page.keyboard.press("?")
        assert page.is_visible("#help")
        page.keyboard.press("j")
        page.keyboard.press("Escape")
        assert not page.is_visible("#help")
        before = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.keyboard.press("t")
        page.keyboard.press("t")
        assert page.inner_text("#theme") == "Theme: dark"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
        page.keyboard.press("t")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == before


def test_one_result_is_opened_over_the_list_where_there_is_little_room(show, review):
    """Enter or a touch shows it on the whole screen, Esc or the button leads back."""
    with show(review, size=NARROW, has_touch=True) as page:
        page.keyboard.press("j")
        assert not page.is_visible("#detail")
        page.keyboard.press("Enter")
        assert page.locator("#detail").bounding_box() == {"x": 0, "y": 0, **NARROW}
        page.keyboard.press("Escape")
        assert not page.is_visible("#detail")
        page.locator("#list .row").nth(3).tap()
        assert page.is_visible("#detail h3")
        page.locator(".back").tap()
        assert not page.is_visible("#detail")
        assert page.evaluate(FOCUS) == "list"


def test_hostile_texts_are_shown_and_do_nothing(show, pages):
    """Markup, script and characters that act on the text around them stand there as text, in every place."""
    found = sample.hostile()
    path = pages / "hostile.html"
    path.write_bytes(render_page(found).encode())
    with show(path) as page:
        assert counted(page) == "3 results"
        seen = ""
        for _ in range(3):
            for key in ("Enter", "Escape"):
                page.keyboard.press(key)
            assert sample.HOSTILE in page.text_content("#detail h3")
            seen += page.text_content("#detail")
            page.keyboard.press("j")
        assert seen.count(f" M {sample.HOSTILE[:80]}") >= 5
        assert "<U+001B>[31mred<U+202E>right<U+2028><U+D800><U+0000>" in seen
        page.fill("#search", "onerror")
        assert counted(page) == "3 results"
        page.evaluate("toPaper()")
        assert page.evaluate("window.broken") is None
        assert page.locator("img, iframe, object, embed, link, base").count() == 0
        assert page.locator("script").count() == 2
        assert page.locator("style").count() == 1
        assert page.locator("a[href^='javascript']").count() == 0
        assert not set(page.evaluate("document.documentElement.textContent")) & set("\x1b\u202e\u2028")


def test_no_text_can_become_markup(show, review):
    """Should a script of ours ever hand a text to a parser, the policy of the page refuses."""
    said = "This document requires 'TrustedHTML' assignment. The action has been blocked."
    with show(review, refused=(said,)) as page:
        assert page.evaluate(REFUSED)
        assert page.locator("body > b").count() == 0


def test_a_thousand_results_make_few_elements(show, thousand):
    """What is out of sight is not there: the list makes the rows in sight, for every place that it is scrolled to."""
    names = [each["name"] for each in record(1000)]
    with show(thousand) as page:
        assert counted(page) == "1,000 results"
        for key, place in (("j", 1), ("End", 999), ("k", 998), ("Home", 0)):
            page.keyboard.press(key)
            assert chosen(page) == names[place]
            assert page.locator("#list .row").count() < 40
        page.evaluate("document.getElementById('list').scrollTop = 500 * 54")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert names[500] in page.evaluate(NAMES)
        assert page.locator("#list .row").count() < 40
        assert page.get_attribute("#list .row[aria-selected=true]", "aria-setsize") == "1000"
        assert page.evaluate("document.querySelectorAll('*').length") < 2000


def test_paper_holds_the_results(show, review):
    """Before it is printed, the page opens all rules and shows results in full; afterwards it is as it was."""
    with show(review) as page:
        page.select_option("#by-change", "result_changed")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("#printed article").count() == 10
        assert page.locator("details:not([open])").count() == 0
        page.emulate_media(media="print")
        assert not page.is_visible(".bench")
        assert page.is_visible("#printed article .compared")
        page.emulate_media(media="screen")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("#printed article").count() == 0
        assert page.locator("details.rule[open]").count() == 0


def test_without_scripts_the_overview_is_whole(show, review):
    """And the page says what is missing."""
    with show(review, java_script_enabled=False) as page:
        assert page.is_visible("noscript p")
        assert page.is_visible("#commands tbody tr")
        assert not page.is_visible(".bench")
        assert not page.is_visible("#theme")


def test_nothing_to_show(show, pages):
    """Without results, and where nothing differs, the page says so and has no list."""
    old, new = sample.sides()
    for name, found, words in (
        ("none", sample.compare(old, new, []), "No results were compared"),
        ("same", sample.compare(old, old, sample.items(2)), "All 2 results that were compared are seen as before."),
    ):
        path = pages / f"{name}.html"
        path.write_text(render_page(found), "utf-8")
        with show(path) as page:
            assert words in page.inner_text("#results")
            assert page.locator(".bench").count() == 0
            for key in ("j", "/", "t", "?", "Escape"):
                page.keyboard.press(key)
            assert ("Nothing that is compared differs." in page.inner_text(".verdict")) == (name == "same")
