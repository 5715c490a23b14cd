"""What the tests of the language share: a file with every construct, a small rule, and short ways to parse."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from cablese.dsl import ast
from cablese.dsl.diagnostics import Diagnostic, Report
from cablese.dsl.parser import parse_file
from cablese.dsl.source import Source

WHOLE = Path(__file__).with_name("whole.cable").read_text(encoding="utf-8")

SMALL = '''word mark = [a-c]+
rule bash.jobs "jobs" {
  tool bash
  command jobs { option -l, --max=<int> }
  stdout (job | other)+ # all
  lines {
    job = "[{n:int}] {m:mark}{? {x}}" spends n
    other = otherwise
  }
  facts {
    all = first 3 of each job where m = "a"
  }
  ensure { when exit 0: count job = sum job.n + 1 }
  summary """
  {{ all | more }}
  """
  example "e" { command "jobs" stdout "[1] a\\n" passes no_rule }
}
'''


def parse(text: str) -> tuple[ast.File, list[Diagnostic]]:
    """Parse a text as the file `test.cable`."""
    report = Report()
    return parse_file(Source("test.cable", text), report), list(report)


def sound(text: str) -> ast.File:
    """Parse a text that must be free of errors."""
    file, found = parse(text)
    assert not found, found
    return file


def in_rule(lines: str = 'job = "x"', *, facts: str = "", ensure: str = "", stdout: str = "job") -> str:
    """Return a rule around the given bodies."""
    return (
        f'rule bash.x "x" {{ tool bash command x {{ }} stdout {stdout}\nlines {{ {lines} }}\n'
        f'facts {{ {facts} }}\nensure {{ {ensure} }}\nsummary """\nx\n"""\n}}\n'
    )


def nodes(value: object) -> Iterator[ast.Node]:
    """Yield every node of a tree, parents first."""
    if isinstance(value, ast.Node):
        yield value
        for field in dataclasses.fields(value):
            yield from nodes(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from nodes(item)
