"""`cablese docs`: what rules take, read, claim and save, as a Markdown page."""

from __future__ import annotations

from .compared import BrokenRulesError, read_side
from .findings import show_findings
from .options import Arguments, Command, Operands
from .output import STDOUT, InputError, complain, to_bytes, write_bytes

COMMAND = Command(
    "docs",
    "Describe rules in Markdown: commands, lines, exit codes, claims, what cannot be told of an\n"
    "output, and what the examples save.\n\n"
    "Exits with 0, with 2 if the rules do not compile or cannot be read.",
    (),
    Operands("RULES", "a pack, a rule file, a folder of them, or one at a git revision (`REV:PATH`)", most=1),
)


def execute(arguments: Arguments) -> int:
    """Print the page; 0, 2 broken."""
    from ..compiler.reference import render_rules

    try:
        side = read_side(arguments["rules"][0])
    except InputError as error:
        complain(str(error))
        return 2
    except BrokenRulesError as broken:
        show_findings(broken.diagnostics)
        complain(f"{broken.label} does not compile")
        return 2
    write_bytes(STDOUT, to_bytes(render_rules(side)))
    return 0
