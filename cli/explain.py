"""`cablese explain`: a diagnostic code in words, with a rule file that raises it and one that does not."""

from __future__ import annotations

import textwrap

from .options import Arguments, Command, Operands
from .output import complain

COMMAND = Command(
    "explain",
    "Explain a diagnostic code, with an example that raises it and one that does not.",
    (),
    Operands("CODE", "a code as it stands in a finding, such as E0101", most=1),
)


def execute(arguments: Arguments) -> int:
    """Print the explanation; 0, 1 if there is no such code."""
    from ..dsl.codes import CODES
    from ..dsl.suggest import did_you_mean

    (name,) = arguments["code"]
    code = CODES.get(name.upper())
    if code is None:
        near = did_you_mean(name.upper(), CODES)
        complain(f"there is no diagnostic code `{name}`" + (f"; did you mean `{near}`?" if near else ""))
        return 1
    paragraphs = [textwrap.fill(paragraph, 100) for paragraph in code.explanation.strip().split("\n\n")]
    print("\n\n".join([f"{code.code}: {code.title}", *paragraphs]), end="\n\n")
    print(f"This raises it:\n\n{_indent(code.bad)}\n\nThis does not:\n\n{_indent(code.good)}")
    return 0


def _indent(text: str) -> str:
    from ..dsl.display import visible

    text = visible(text)
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").split("\n"))
