"""A session finds what a check from scratch finds, whatever was changed before, and only does again what changed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cablese.compiler import check_sources
from cablese.compiler.incremental import Incremental

RULES = Path(__file__).resolve().parent.parent.parent / "rules"
LIBRARY = (
    'word code = [A-Z]+ [0-9]{3}\n\nlines findings {\n  finding = "{file:word}:{row:int}: {code:code} {message}"\n}\n'
)
RULE = """use "shared.cable"

rule bash.NAME "findings of a linter" {
  tool     bash
  command  NAME {
    operand  any
  }

  stdout   finding+ total
  stderr   empty
  lines    with findings {
    total = "found {n:int} problem{?s}"
  }

  facts {
    codes = distinct finding.code
  }

  ensure {
    count finding = total.n
  }

  summary \"\"\"
  codes: {{ codes | join(", ") }}
  \"\"\"

  selects  "NAME a"
  leaves   "NAME --x"

  example "two" {
    command "NAME"
    stdout  "a:1: E100 bad\\nb:2: E200 bad\\nfound 2 problems\\n"
    shows   "codes: E100, E200"
  }
  example "cut" {
    command "NAME"
    stdout  "a:1: E100 bad\\n"
    passes  invalid_output
  }
}
"""


def finish(session, sources):
    """Run all phases."""
    for _ in session.check(sources):
        pass
    return session.diagnostics


def shown(diagnostics):
    """Return all that can be seen of diagnostics, texts of files apart."""
    return [
        (
            each.source.path,
            each.code,
            each.message,
            each.primary.span,
            each.primary.text,
            tuple((label.span, label.text, label.source and label.source.path) for label in each.secondary),
            each.notes,
            each.help,
            each.edits,
        )
        for each in diagnostics
    ]


def edit(text, chance):
    """Change a text as one who writes would: a word, a line, a piece of it, another of its own lines."""
    at = chance.randrange(len(text) + 1)
    kind = chance.randrange(6)
    lines = text.split("\n")
    if kind == 0:
        return text[:at] + chance.choice(["x", "\n", '"', "{", "}", "#", " ", "é", "🙂", "}\n}\n", "rule "]) + text[at:]
    if kind == 1:
        return text[:at] + text[at + chance.randrange(1, 12) :]
    line = chance.randrange(len(lines))
    if kind == 2:
        del lines[line]
    elif kind == 3:
        lines.insert(line, chance.choice(lines))
    elif kind == 4:
        lines.insert(0, "")
    else:
        words = lines[line].split(" ")
        words[chance.randrange(len(words))] = chance.choice(["count", "total", "finding", "codes", "n", '"a"'])
        lines[line] = " ".join(words)
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(4))
def test_a_session_finds_what_a_check_finds(seed):
    """After each of many changes to several files, some of them mended again, both say the same, word for word."""
    chance = random.Random(seed)
    library = {"shared.cable": LIBRARY.encode()}
    good = {f"{name}.cable": RULE.replace("NAME", name) for name in ("lint", "vet")}
    session = Incremental(library.__getitem__, draft=True)
    sources = dict(good)
    assert finish(session, sources) == ()
    for _ in range(25):
        path = chance.choice(list(good))
        if chance.random() < 0.4:
            sources[path] = good[path]
        elif chance.random() < 0.2:
            library["shared.cable"] = edit(LIBRARY, chance).encode()
        else:
            sources[path] = edit(sources[path], chance)
        assert shown(finish(session, sources)) == shown(check_sources(sources, draft=True, read=library.__getitem__))
    library["shared.cable"] = LIBRARY.encode()
    assert finish(session, good) == ()


@pytest.mark.parametrize("name", ["git.cable", "go.cable"])
def test_a_session_agrees_on_rules_that_ship(name):
    """The same holds of rules as they are written, with their files."""
    chance = random.Random(name)
    text = (RULES / name).read_text("utf-8")

    def read(path):
        return (RULES / path).read_bytes()

    session = Incremental(read)
    assert finish(session, {name: text}) == ()
    for _ in range(3):
        text = edit(text, chance)
        assert shown(finish(session, {name: text})) == shown(check_sources({name: text}, read=read))


def test_a_session_makes_the_pack_that_a_new_one_makes():
    """Also where only places move: below a line that is new, in the file itself or in one that it takes in."""
    chance = random.Random(7)
    library = {"shared.cable": LIBRARY.encode()}
    sources = {f"{name}.cable": RULE.replace("NAME", name) for name in ("lint", "vet")}
    session = Incremental(library.__getitem__, draft=True)
    made = set()
    for _ in range(25):
        path = chance.choice([*sources, "shared.cable"])
        text = LIBRARY if path == "shared.cable" else sources[path]
        at = chance.choice([0, text.index("\n\n") + 1, text.rindex("\n}") + 1])
        text = text[:at] + chance.choice(["", "\n", "\n# a note\n\n"]) + text[at:]
        if path == "shared.cable":
            library[path] = text.encode()
        else:
            sources[path] = text
        fresh = Incremental(library.__getitem__, draft=True)
        finish(fresh, sources)
        finish(session, sources)
        assert session.pack == fresh.pack
        made.add(session.pack)
    assert len(made) > 10


@pytest.mark.parametrize("seed", range(3))
def test_what_is_known_in_full_after_a_phase_is_so_until_the_end(seed):
    """An editor takes a finding away as soon as that is sure, so what follows must not bring it back."""
    chance = random.Random(seed)
    sources = {f"{name}.cable": RULE.replace("NAME", name) for name in ("lint", "vet")}
    session = Incremental({"shared.cable": LIBRARY.encode()}.__getitem__, draft=True)
    good = dict(sources)
    found = 0
    for _ in range(30):
        path = chance.choice(list(sources))
        sources[path] = good[path] if chance.random() < 0.3 else edit(sources[path], chance)
        known = {}
        for phase in session.check(sources):
            if phase != "step":
                known[phase] = session.known_after(phase)
        for phase, before in known.items():
            assert shown(session.known_after(phase)) == shown(before)
            found += len(before)
    assert found > 30


def test_a_session_can_be_left_between_any_two_steps():
    """Work that is dropped leaves nothing behind that is wrong."""
    library = {"shared.cable": LIBRARY.encode()}
    session = Incremental(library.__getitem__, draft=True)
    good = {"lint.cable": RULE.replace("NAME", "lint")}
    bad = {"lint.cable": RULE.replace("NAME", "lint").replace("count finding = total.n", "count finding = total.m")}
    wanted = shown(check_sources(bad, draft=True, read=library.__getitem__))
    assert wanted
    for stop in range(40):
        for number, _ in enumerate(session.check(bad if stop % 2 else good)):
            if number == stop:
                break
        assert shown(finish(session, bad)) == wanted
        assert finish(session, good) == ()


def test_what_did_not_change_is_not_done_again():
    """A change in one rule leaves the units of the others, and their examples, as they were."""
    library = {"shared.cable": LIBRARY.encode()}
    session = Incremental(library.__getitem__, draft=True)
    sources = {f"{name}.cable": RULE.replace("NAME", name) for name in ("lint", "vet")}
    finish(session, sources)
    before = [session.unit(rule.node) for rule in session.rules]
    sources["lint.cable"] = "# moved\n\n" + sources["lint.cable"].replace("found {n:int}", "Found {n:int}")
    finish(session, sources)
    after = [session.unit(rule.node) for rule in session.rules]
    assert after[0] is not before[0]
    assert after[1] is before[1]
    sources["lint.cable"] = "\n" + sources["lint.cable"]
    finish(session, sources)
    assert [session.unit(rule.node) for rule in session.rules] == after


def test_findings_move_with_their_entry():
    """A finding of an entry that was not touched points at its words, wherever they are."""
    library = {"shared.cable": LIBRARY.encode()}
    session = Incremental(library.__getitem__, draft=True)
    text = RULE.replace("NAME", "lint").replace("count finding = total.n", "count finding = total.m")
    for above in ("", "# a\n", "\n\n\nword a = [a-z]\n\n"):
        found = [each for each in finish(session, {"lint.cable": above + text}) if each.code == "E0501"]
        assert [each.source.text[each.primary.span.start : each.primary.span.end] for each in found] == ["m"]


def test_texts_that_no_file_may_hold_are_said_so():
    """Size, line ends and lone surrogates are found as a check finds them; a change mends them."""
    session = Incremental()
    for text in ("\ud800", "a\r\nb", "x" * (1 << 20) + "é", "\ufeffword a = [a-z]\n", ""):
        sources = {"a.cable": text}
        assert shown(finish(session, sources)) == shown(check_sources(sources))
