"""The reference of all diagnostic codes in Markdown, made from the registry: an index, and a page for each code.

Input: the registry; for a page also what the bad example raises. Output: texts of pages, links relative to `docs/`.
"""

from __future__ import annotations

from collections.abc import Sequence

from .codes import Code
from .diagnostics import Diagnostic
from .display import visible
from .render import render_human

_HEAD = """# Diagnostic codes

What each finding of `cablese check` means, with a rule file that raises it, what is then said, and one that raises
nothing; `cablese explain CODE` shows most of it. These pages are made from the registry in
[`dsl/codes/`](../dsl/codes), and `make goldens` renews them.
"""

_AS_IN_THE_GOOD_ONE = "Write it as in the example that raises nothing."


def render_index(families: Sequence[tuple[str, Sequence[Code]]]) -> str:
    """Return the index: a table for each family, which is a title and its codes."""
    parts = [_HEAD]
    for title, codes in families:
        rows = "\n".join(f"| [{code.code}](codes/{code.code}.md) | {code.title} |" for code in codes)
        parts.append(f"## {title}\n\n| code | finding |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


def render_page(code: Code, raised: Sequence[Diagnostic]) -> str:
    """Return the page of a code; `raised` is what its bad example raises."""
    fixes = dict.fromkeys(each.help for each in raised if each.help is not None)
    fix = "\n".join(f"* {visible(help_)}" for help_ in fixes) if fixes else _AS_IN_THE_GOOD_ONE
    return f"""# {code.code}: {code.title}

{code.explanation.strip()}

## What raises it

{_block("cable shown", code.bad)}

The compiler says:

{_block("text", render_human(raised))}

## The fix

{fix}

This raises nothing:

{_block("cable shown", code.good)}

[All codes](../diagnostics.md)
"""


def _block(language: str, text: str) -> str:
    ticks = "```" if "```" not in text else "````"
    return f"{ticks}{language}\n{visible(text).strip(chr(10))}\n{ticks}"
