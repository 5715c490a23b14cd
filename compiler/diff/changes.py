"""What differs between two versions of a rule, in plain words.

Input: a rule's sections and source maps on both sides, its examples where they are known. Output: findings. Commands
are compared as what they take in `hands.py`; here they are compared as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..commands import BUILT_IN
from .levels import Finding
from .reading import kinds_of, reads_the_same, without_captures
from .side import Side
from .values import Strangers, reduce_claims, reduce_value

Section = dict[str, Any]
_TYPES = {repr(runs): f"<{name}>" for name, runs in BUILT_IN.items()}


def compare_rule(rule: str, old: Side, new: Side) -> Iterator[Finding]:
    """Yield what differs in a rule that both sides have, but for its commands."""
    one, other = old.rules[rule], new.rules[rule]
    if one["title"] != other["title"]:
        yield Finding(rule, "title_changed", f"“{one['title']}” is now “{other['title']}”")
    yield from _exits(rule, one["exit"], other["exit"])
    reading = list(_streams(rule, one["streams"], other["streams"]))
    yield from reading
    strangers = kinds_of(other["streams"]) - kinds_of(one["streams"])
    yield from _facts(rule, one, other, strangers)
    yield from _claims(rule, (one, old.maps[rule]), (other, new.maps[rule]), strangers)
    if one["summary"] != other["summary"]:
        yield Finding(rule, "summary_changed", "its template is another")
    yield from _examples(rule, old, new)


def _exits(rule: str, old: list[int | None] | None, new: list[int | None] | None) -> Iterator[Finding]:
    if old == new:
        return
    words = f"{_codes(old)}; now {_codes(new)}"
    lost = new is not None and (old is None or not set(old) <= set(new))
    gained = old is not None and (new is None or not set(new) <= set(old))
    if lost:
        yield Finding(rule, "exit_lost", words)
    if gained:
        yield Finding(rule, "exit_gained", words)


def _codes(codes: list[int | None] | None) -> str:
    if codes is None:
        return "any exit code"
    return "exit " + ", ".join("unknown" if code is None else str(code) for code in codes)


def _streams(rule: str, old: Section, new: Section) -> Iterator[Finding]:
    if old.keys() != new.keys():
        yield Finding(rule, "streams_changed", f"{', '.join(sorted(old))}; now {', '.join(sorted(new))}")
        return
    for name in sorted(old):
        if old[name] == new[name]:
            continue
        forth, back = reads_the_same(old[name], new[name]), reads_the_same(new[name], old[name])
        if without_captures(old[name]) == without_captures(new[name]):
            # What is captured besides is a matter of the facts that ask for it.
            if not forth:
                yield Finding(rule, "reading_changed", f"{name}: the same lines, a name is captured otherwise")
        elif forth:
            yield Finding(
                rule, "reading_rewritten" if back else "reading_widened", _reading(name, old[name], new[name])
            )
        else:
            narrower = ", some that were read are not any more" if back else ""
            yield Finding(rule, "reading_changed", _reading(name, old[name], new[name]) + narrower)


def _reading(name: str, old: Any, new: Any) -> str:
    """Name the stream and the kinds that came, went or have other patterns."""
    if isinstance(old, str) or isinstance(new, str):
        return f"{name} {'was' if isinstance(old, str) else 'is now'} empty"
    one, other = _patterns(old), _patterns(new)
    parts = [
        (words, sorted(kinds))
        for words, kinds in (
            ("new", other.keys() - one.keys()),
            ("gone", one.keys() - other.keys()),
            ("with other patterns", {kind for kind in one.keys() & other.keys() if one[kind] != other[kind]}),
        )
        if kinds
    ]
    if old["uncoloured"] != new["uncoloured"]:
        parts.append(("", ["colours are taken out" if new["uncoloured"] else "colours are no longer taken out"]))
    said = "; ".join(f"{words}: {', '.join(kinds)}" if words else kinds[0] for words, kinds in parts)
    return f"{name}: {said or 'the same lines in another order'}"


def _patterns(stream: Section) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for position in without_captures(stream)["positions"]:
        found.setdefault(position["kind"], set()).update(map(repr, position["patterns"]))
    return found


def _facts(rule: str, old: Section, new: Section, strangers: Strangers) -> Iterator[Finding]:
    one, other = _named(old), _named(new)
    gone = sorted(one.keys() - other.keys())
    changed = sorted(name for name in one.keys() & other.keys() if one[name] != reduce_value(other[name], strangers))
    if gone or changed:
        parts = [f"gone: {', '.join(gone)}"] * bool(gone) + [f"computed otherwise: {', '.join(changed)}"] * bool(
            changed
        )
        yield Finding(rule, "facts_changed", "; ".join(parts))
    added = sorted(other.keys() - one.keys())
    if added:
        yield Finding(rule, "facts_added", ", ".join(added))


def _named(section: Section) -> dict[str, Any]:
    """Return facts by name, those of records as `record.name`."""
    found = dict(section["facts"])
    for kind, facts in section["fields"].items():
        found |= {f"{kind}.{name}": value for name, value in facts}
    return found


def _claims(
    rule: str, old: tuple[Section, Section], new: tuple[Section, Section], strangers: Strangers
) -> Iterator[Finding]:
    before, after = old[0]["ensure"], reduce_claims(new[0]["ensure"], strangers)
    if sorted(map(repr, before)) == sorted(map(repr, after)):
        return
    texts = [dict.fromkeys(text for _, text in maps["ensure"]) for maps in (old[1], new[1])]
    gone = [f"no longer: {text}" for text in texts[0] if text not in texts[1]]
    come = [f"new: {text}" for text in texts[1] if text not in texts[0]]
    yield Finding(rule, "claims_changed", "; ".join([*gone, *come]) or "the same words about other kinds")


def _examples(rule: str, old: Side, new: Side) -> Iterator[Finding]:
    if old.examples is None or new.examples is None:
        return
    one, other = (
        {(case.node.title.value, repr(case.trial), case.shows, repr(case.node.passes)) for case in side.examples[rule]}
        for side in (old, new)
        if side.examples is not None
    )
    if one != other:
        yield Finding(
            rule, "examples_changed", f"{len(other - one)} new or changed, {len(one - other)} gone or changed"
        )


# --- commands -------------------------------------------------------------------------------------------------------


def describe_commands(old: Section, new: Section) -> list[str]:
    """Return in words what is written otherwise in the commands of a rule."""
    said = []
    if old["tools"] != new["tools"]:
        said.append(f"tools {', '.join(old['tools'])}; now {', '.join(new['tools'])}")
    one, other = map(_forms, (old, new))
    said += [f"`{head}` is new" for head in other if head not in one]
    said += [f"`{head}` is gone" for head in one if head not in other]
    for head in [head for head in one if head in other]:
        # Of several forms of one command, those that stay as they are have nothing to say.
        gone, come = (
            [form for form in side[head] if form not in rest[head]] for side, rest in ((one, other), (other, one))
        )
        if len(gone) == len(come):
            said += [f"`{head}` {words}" for pair in zip(gone, come, strict=True) for words in _command(*pair)]
        elif gone or come:
            said.append(f"`{head}` has {'more' if len(come) > len(gone) else 'fewer'} forms")
    return list(dict.fromkeys(said))


def _forms(rule: Section) -> dict[str, list[Section]]:
    """Return the commands of a rule by their head: one may be told in several forms."""
    forms: dict[str, list[Section]] = {}
    for command in rule["commands"]:
        forms.setdefault(" ".join(command["head"]), []).append(command)
    return forms


def _command(old: Section, new: Section) -> Iterator[str]:
    for key, gained, lost in (
        ("globals", "takes before its last word", "no longer takes before its last word"),
        ("options", "takes", "no longer takes"),
        ("refuse", "refuses", "no longer refuses"),
    ):
        one, other = (list(dict.fromkeys(map(spell_option, each[key]))) for each in (old, new))
        for words, options in (
            (gained, [each for each in other if each not in one]),
            (lost, [each for each in one if each not in other]),
        ):
            if options:
                yield f"{words} {', '.join(f'`{each}`' for each in options)}"
    one, other = ([" | ".join(map(spell_option, need)) for need in each["needs"]] for each in (old, new))
    for words, needs in (
        ("needs", [each for each in other if each not in one]),
        ("no longer needs", [each for each in one if each not in other]),
    ):
        if needs:
            yield f"{words} {', '.join(f'`{each}`' for each in needs)}"
    for key, what in (("operand", "operands"), ("after", "words behind `--`")):
        if old[key] != new[key]:
            yield f"{'takes' if new[key] else 'no longer takes'} {what}"


def spell_option(option: list[list[list[Any]]]) -> str:
    """Return an option as a rule file has it, `<…>` standing for a type that has no name of ours."""
    first, *others = option
    if others and len(first) == 2:
        return f"{first[0][0]} {_type(first[1][1])}"
    return " ".join(prefix + (_type(runs) if runs else "") for prefix, runs in first)


def _type(runs: list[Any]) -> str:
    return _TYPES.get(repr(runs), "<…>") if runs else ""
