"""Small rules and what the engine says of them, for the tests of the compiler."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cablese.compiler import Compilation, CompiledRule, check_sources, compile_sources
from cablese.compiler.trials import Bench, Trial, Verdict
from cablese.dsl.codes.sketch import sketch
from cablese.dsl.diagnostics import Diagnostic
from cablese.dsl.render import render_human

RULES = Path(__file__).parents[2] / "rules"
__all__ = [
    "RULES",
    "codes",
    "compiled",
    "compiled_all",
    "curated",
    "curated_bench",
    "read_rule_file",
    "run",
    "sketch",
    "underlined",
]


def compiled(text: str) -> tuple[Bench, CompiledRule]:
    """Compile one rule as a draft; fail with the messages an author would see."""
    done = compile_sources({"rule.cable": text}, name="test", version="1", draft=True)
    assert done.pack is not None, render_human(done.diagnostics)
    return Bench(done.pack), done.rules[0]


def compiled_all(text: str) -> Compilation:
    """Compile rule text as a draft; findings about examples do not count."""
    done = compile_sources({"rule.cable": text}, name="test", version="1", draft=True)
    findings = [each for each in done.diagnostics if not each.code.startswith("E08")]
    assert not findings, render_human(findings)
    return done


def run(text: str, stdout: str, *, stderr: str = "", command: str = "jobs", exit_code: int | None = None) -> Verdict:
    """Compile a rule and let it decide about one output."""
    bench, _ = compiled(text)
    return bench.decide(Trial("bash", command, stdout, stderr, exit_code))


def codes(text: str) -> list[str]:
    """Return the codes of a text's findings, in order."""
    return [each.code for each in check_sources({"rule.cable": text}, draft=True)]


def underlined(diagnostic: Diagnostic) -> str:
    """Return the text that a finding points at."""
    span = diagnostic.primary.span
    return diagnostic.source.text[span.start : span.end]


def read_rule_file(path: str) -> bytes:
    """Read a file beside the shipped rules."""
    return (RULES / path).read_bytes()


@cache
def curated():
    """Compile the shipped rules, once."""
    sources = {path.name: path.read_text("utf-8") for path in RULES.glob("*.cable")}
    done = compile_sources(sources, name="curated", version="1", draft=True, read=read_rule_file)
    assert done.pack is not None, render_human(done.diagnostics)
    return done


@cache
def curated_bench() -> Bench:
    """Return the shipped rules, ready to decide."""
    return Bench(curated().pack)
