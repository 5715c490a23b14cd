"""Sides made of rule texts."""

from __future__ import annotations

from cablese.compiler import compile_sources
from cablese.compiler.diff.compare import Difference, compare
from cablese.compiler.diff.results import Item, examples_of
from cablese.compiler.diff.side import Side, side_of_pack, side_of_rules
from cablese.compiler.trials import Trial
from cablese.dsl.render import render_human


def side(text: str, label: str = "side") -> Side:
    """Compile rule text as a draft; examples need not hold."""
    done = compile_sources({"a.cable": text}, name="rules", version="0", draft=True)
    findings = [each for each in done.diagnostics if not each.code.startswith("E08")]
    assert not findings, render_human(findings)
    return side_of_rules(label, done, done.tried, None)


def packed(text: str, version: str, label: str = "pack") -> Side:
    """Compile rule text to a pack that declares a version."""
    done = compile_sources({"a.cable": text}, name="jobs", version=version, draft=True)
    return side_of_pack(label, done.tried)


def difference(old: str, new: str, *outputs: str) -> Difference:
    """Compare two texts over their examples and, besides, over outputs of `jobs`."""
    sides = side(old, "old"), side(new, "new")
    items = [Item(f"output {number}", Trial("bash", "jobs", text).result()) for number, text in enumerate(outputs)]
    return compare(*sides, [*examples_of(*sides), *items])


def names(old: str, new: str, *outputs: str) -> set[str]:
    """Return the names of the findings."""
    return {finding.name for finding in difference(old, new, *outputs).findings}
