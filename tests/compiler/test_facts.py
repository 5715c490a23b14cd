"""Facts and claims: what they give, and what is refused about them."""

from __future__ import annotations

import pytest
from cablese.compiler import check_sources

from .rules import run, sketch, underlined

LINES = (
    'group = "group {title}" (item | note)*\n    item  = "item {name:word} {size:int}{? of {owner:word}}"\n'
    '    note  = "note {text}"\n    total = "total {n:int}{? in {time:word}}"'
)
OUTPUT = "group one\nitem a 3 of x\nitem b 5\ngroup two\nitem a 2 of y\nnote odd\ntotal 10\n"


def facts_rule(facts: str, summary: str, ensure: str = "") -> str:
    """Return a rule over groups of items."""
    return sketch(stdout="group+ total?", lines=LINES, facts=facts, summary=summary, ensure=ensure)


@pytest.mark.parametrize(
    ("facts", "summary", "body"),
    [
        ("f = count item, note", "{{ f }}", "4"),
        ("f = count item where size > 2", "{{ f }}", "2"),
        ('f = count item where name = "a"', "{{ f }}", "2"),
        ('f = count item where owner != "x"', "{{ f }}", "1"),
        ("f = sum item.size", "{{ f }}", "10"),
        ("f = sum group.item.size", "{{ f }}", "10"),
        ("f = distinct item.name, note.text", "{{ f | join(' ') }}", "a b odd"),
        ("f = distinct group.item.owner", "{{ f | join(' ') }}", "x y"),
        ("f = last of note, item", "{{ f or '-' }}", "note odd"),
        ('f = first of item.owner or total.time or "nobody"', "{{ f }}", "x"),
        ("f = last of total.time or total.n or 0", "{{ f }}", "10"),
        (
            "f = first 2 of each note, item",
            "{% for i in f %}\n  {{ i.line }}\n  {% endfor %}\n  {{ f | more }}",
            "note odd\nitem a 3 of x\n- (+2 more)",
        ),
        (
            "f = first 2 of each note, item in order",
            "{% for i in f %}\n  {{ i.line }}\n  {% endfor %}\n  {{ f | more }}",
            "item a 3 of x\nnote odd\n- (+2 more)",
        ),
        (
            "f = last 1 of each item",
            "{{ f | earlier }}\n  {% for i in f %}\n  {{ i.size }}\n  {% endfor %}",
            "- (+2 earlier)\n2",
        ),
        (
            "f = group item by name",
            "{% for g in f %}\n  {{ g.key }}{% for r in g.rows %} {{ r.size }}{% endfor %}\n  {% endfor %}",
            "a 3 2\nb 5",
        ),
        (
            "group.n = sum item.size\n    f = each group where n > 4",
            "{% for g in f %}\n  {{ g.title }} {{ g.n }}\n  {% endfor %}",
            "one 8",
        ),
        (
            "f = sorted each note, group by line",
            "{% for i in f %}\n  {{ i.line }}\n  {% endfor %}",
            "group one\ngroup two\nnote odd",
        ),
        ("a = b\n    b = c\n    c = count item", "{{ a }}", "3"),
        ("f = count group", "{{ f }}{% for g in group %} {{ g.title }}{% endfor %}", "2 one two"),
    ],
)
def test_facts_give_what_the_language_says(facts, summary, body):
    """Each form of a fact, on one output."""
    assert run(facts_rule(facts, summary), OUTPUT).body == body


@pytest.mark.parametrize(
    ("facts", "summary", "ensure", "code", "place"),
    [
        ("f = count itme", "{{ f }}", "", "E0501", "itme"),
        ("f = sum item.sizes", "{{ f }}", "", "E0501", "sizes"),
        ("f = count item where sise > 2", "{{ f }}", "", "E0501", "sise"),
        ("f = distinct item.owner.name", "{{ f | join(' ') }}", "", "E0503", "name"),
        ("f = item.size", "{{ f }}", "", "E0503", "size"),
        ("f = sum item.name", "{{ f }}", "", "E0503", "item.name"),
        ("f = count item where name > 2", "{{ f }}", "", "E0503", "where name > 2"),
        ("f = group item by owner", "{% for g in f %}{{ g.key }}{% endfor %}", "", "E0502", "owner"),
        ("f = sorted each item by size", "{% for i in f %}{{ i.size }}{% endfor %}", "", "E0503", "size"),
        ("f = first 3 of count item", "{{ f }}", "", "E0503", "count item"),
        ("f = count item", "{{ f }}", "f = total.n", "E0502", "total.n"),
        ("f = count item", "{{ f }}", "f = item", "E0503", "item"),
        ("f = count item", "{{ f }}", "each note: count item = 0", "E0507", "item"),
        ("f = count item", "{{ f }}", "1 = 1", "E0507", "1 = 1"),
        ("f = count item", "{{ f }}", "f within distinct item.name", "E0503", "f"),
        ("f = first 2 of each item", "{% for i in f %}{{ i.line }}{% endfor %}{{ f | more }}", "f <= 2", "E0503", "f"),
        ("group.title = count item\n    f = count group", "{{ f }}", "", "E0506", "title"),
        ("group.n = count item\n    f = count group", "{{ f }}", "", "E0505", "group.n"),
    ],
)
def test_mistakes_are_refused_where_they_are(facts, summary, ensure, code, place):
    """One mistake gives one finding, which underlines it."""
    found = check_sources({"a": facts_rule(facts, summary, ensure)}, draft=True)
    assert [(each.code, underlined(each)) for each in found] == [(code, place)]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("sum item.size = sum total.n", True),
        ("count item + 1 <= count group", False),
        ("each group: count item >= 1", True),
        ("each group: count note = 1", False),
        ("each group: distinct item.owner within distinct item.name", False),
        ('no item where owner = "z"', True),
        ('some note where text = "odd"', True),
        ("when no total: some note", True),
        ("when some total: no note", False),
        ("when exit 0: no note", True),
        ("when exit not 0: no note", False),
    ],
)
def test_claims_decide(claim, holds):
    """An output whose claims do not hold passes as unreconciled."""
    rule = facts_rule("f = count item", "{{ f }}", claim)
    verdict = run(rule, OUTPUT, exit_code=1)
    assert verdict.reason == (None if holds else "unreconciled")


def test_groups_of_names_stand_for_their_kinds():
    """A definition that is a choice of names may be counted, listed and looped over like the kinds it lists."""
    rule = sketch(
        stdout="entry+",
        lines='entry = job | done\n    job = "[{n:int}] {name}"\n    done = "{n:int} jobs"',
        facts="all = count entry\n    numbers = distinct entry.n\n    last_one = last of entry",
        summary="{{ all }} {{ numbers | join(',') }} {{ last_one }}",
    )
    assert run(rule, "[1] a\n[2] b\n2 jobs\n").body == "3 1,2 2 jobs"


@pytest.mark.parametrize("depth", [50, 51, 3000])
def test_facts_wait_for_one_another_as_deep_as_the_runtime_goes(depth):
    """What compiles gives a value; what would be given up on is one error, and no crash."""
    chain = "\n    ".join(f"f{n} = f{n + 1}" for n in range(depth - 1)) + f"\n    f{depth - 1} = count item"
    source = facts_rule(chain, "{{ f0 }}")
    if depth == 50:
        assert run(source, OUTPUT).body == "3"
        return
    findings = check_sources({"rules/demo.cable": source}, draft=True)
    assert [finding.code for finding in findings] == ["E0408"]
