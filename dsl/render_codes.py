"""The reference of all diagnostic codes as one Markdown page, made from the registry."""

from __future__ import annotations

from collections.abc import Mapping

from .codes import Code
from .display import visible

_HEAD = """# Diagnostic codes

What each finding of `cablese check` means, with a rule file that raises it and one that does not; `cablese explain
CODE` shows the same. This page is made from the registry in [`dsl/codes/`](../dsl/codes), and `make goldens` renews it.
"""


def render_reference(codes: Mapping[str, Code]) -> str:
    """Return the page: an index, then a section a code, in order of the codes."""
    ordered = [codes[name] for name in sorted(codes)]
    index = "\n".join(f"| [{code.code}](#{code.code.lower()}) | {code.title} |" for code in ordered)
    sections = "\n".join(_section(code) for code in ordered)
    return f"{_HEAD}\n| code | finding |\n|---|---|\n{index}\n\n{sections}"


def _section(code: Code) -> str:
    examples = (("This raises it:", code.bad), ("This does not:", code.good))
    shown = "\n\n".join(f"{words}\n\n```text\n{visible(text).strip(chr(10))}\n```" for words, text in examples)
    return f"## {code.code}\n\n**{code.title}**\n\n{code.explanation.strip()}\n\n{shown}\n"
