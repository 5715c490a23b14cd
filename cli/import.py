"""`cablese import`: a manifest in TOML, as rule text."""

# ruff: noqa: N999 - a command's module has its name
from __future__ import annotations

import sys

from .options import Arguments, Command, Operands, Option
from .output import InputError, complain, read_bytes

COMMAND = Command(
    "import",
    "Turn a manifest in TOML (`compressors.toml`) into the language: admission entries in their one\n"
    "layout, which compile as they are.\n\n"
    "A file that is there already is left as it is.\n\n"
    "Exits with 2 if the manifest cannot be read or has something in it that is not known, or the text cannot\n"
    "be written.",
    (Option("--output", "the rule file to write (default: standard output)", "FILE", short="-o"),),
    Operands("FILE", "the manifest (`-`: standard input)", most=1),
)


def execute(arguments: Arguments) -> int:
    """Print or write the rule text; 0, 2 if the manifest is malformed or something cannot be read or written."""
    from ..compiler.importing import ManifestError, import_manifest
    from .new_files import write_new

    (path,) = arguments["file"]
    try:
        text = import_manifest(read_bytes(path).decode("utf-8"))
    except ManifestError as error:
        complain(f"{path}{'' if error.line is None else f':{error.line}'}: {error}")
        return 2
    except UnicodeDecodeError:
        complain(f"{path}: not UTF-8")
        return 2
    except InputError as error:
        complain(str(error))
        return 2
    output = arguments["output"]
    if output is None:
        sys.stdout.write(text)
        return 0
    try:
        write_new({output: text})
    except InputError as error:
        complain(str(error))
        return 2
    print(f"{output}: written; `cablese compile` makes a pack of it")
    return 0
