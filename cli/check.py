"""`cablese check`: compile rule files without writing anything, and print what is wrong with them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from ..runtime.packs.catalogue import Catalogue, PackUnusableError
from ..runtime.settings import SettingsError, read_settings
from .findings import CI_FORMAT, render_count, render_findings
from .options import Arguments, Command, Option
from .output import InputError, complain
from .project import RULES, damage_notes, rule_paths
from .rule_files import read_rule_files

COMMAND = Command(
    "check",
    "Look for faults in rule files, without writing anything.\n\n"
    "Exits with 0 if there are none, 1 if there are, 2 if a file cannot be read, or the\n"
    "configuration that holds here is broken.",
    (CI_FORMAT, Option("--draft", "do not ask for the examples that a finished rule needs")),
    RULES,
)


def execute(arguments: Arguments) -> int:
    """Print the findings; 0 none, 1 some, 2 broken."""
    from ..compiler.parallel import check_many

    try:
        settings = read_settings(os.environ, os.getcwd())
        files = read_rule_files(rule_paths(arguments["path"]), os.getcwd())
    except (InputError, SettingsError) as error:
        complain(str(error))
        return 2
    with suppress(PackUnusableError):
        for note in damage_notes(Catalogue(settings)):
            complain(f"note: {note}")
    found = check_many(files.sources, draft=arguments["draft"], read=files.read)
    diagnostics = (*files.diagnostics, *found)
    sys.stdout.write(render_findings(diagnostics, arguments["format"], files.base))
    if arguments["format"] == "human":
        print(render_count(diagnostics, files.total))
    return 1 if diagnostics else 0
