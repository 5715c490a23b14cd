"""The entry point: finds the command, loads its module and nothing else.

Input: the words of the command line. Output: the exit code of the process.

A command's module holds `COMMAND`, its declaration, and `execute(arguments) -> int`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .output import OutputError, complain

# INVARIANT: what a model waits for (`run`, `view`, `show`) loads neither the language nor the compiler.
COMMANDS = {
    "run": "run a command and show its summary, or its output as it is",
    "view": "show what a model sees of a captured result",
    "show": "print the original behind a handle",
    "forget": "drop originals from the store",
    "report": "show what summaries saved, by tool and rule",
    "measure": "measure what compression would have saved in past sessions",
    "why": "show each step of the decision about a captured result",
    "new": "make a draft of a rule from a captured output",
    "check": "look for faults in rule files, without writing anything",
    "fmt": "give rule files their one layout",
    "lsp": "serve editors: findings, completion, hover and more while one writes",
    "explain": "explain a diagnostic code",
    "test": "run the examples and checks of rules",
    "diff": "show what a change of rules changes",
    "docs": "describe rules in Markdown",
    "gate": "measure what content kinds save, and whether questions are still answered",
    "compile": "compile rule files to a pack",
    "import": "turn a manifest in TOML into rule text",
    "inspect": "show what a pack holds",
    "verify": "check the digest and bounds of a pack, and who signed it",
    "trust": "allow a project's or a third party's pack to be used",
}

_COMPILING = frozenset({"check", "compile", "test", "fmt", "new"})


def main(words: Sequence[str] | None = None) -> int:
    """Run one command of the tool and return its exit code."""
    given = sys.argv[1:] if words is None else list(words)
    try:
        return _flush_after(_run(given))
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python must not try to write the rest at exit.
        sys.stdout = None
        return 0
    except OutputError as error:
        complain(str(error))
        return 1
    except OSError as error:
        if not _says_output_is_full(error):
            raise
        sys.stdout = None
        complain(f"cannot write the output: {error.strerror}")
        return 1
    except KeyboardInterrupt:
        return 130


def _says_output_is_full(error: OSError) -> bool:
    """Tell whether standard output, which has no name in such an error, takes no more."""
    import errno

    return error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def _flush_after(code: int) -> int:
    """Write what is printed now, so that a failure is ours to report, and not Python's at exit."""
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def _run(given: list[str]) -> int:
    name = given[0] if given else "--help"
    if name in ("--help", "-h"):
        print(render_help())
        return 0 if given else 2
    if name == "--version":
        from .version import render_versions

        print(render_versions())
        return 0
    if name not in COMMANDS:
        from ..dsl.suggest import did_you_mean

        near = did_you_mean(name, COMMANDS)
        meant = f"did you mean `{near}`?" if near else "`cablese --help` lists them"
        print(f"cablese: there is no command `{name}`; {meant}", file=sys.stderr)
        return 2
    from importlib import import_module

    from .options import read_arguments

    module = import_module(f".{name}", __package__)
    arguments = read_arguments(module.COMMAND, given[1:])
    if name not in _COMPILING:
        return module.execute(arguments)
    import gc

    # Trees live to the end of such a command: looking for those that do not took a quarter of its time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return module.execute(arguments)
    finally:
        if collecting:
            gc.enable()


def render_help() -> str:
    """Return the list of commands."""
    lines = [f"  {name:10}{summary}" for name, summary in COMMANDS.items()]
    return "\n".join(
        [
            "usage: cablese COMMAND …",
            "",
            "Show a language model less tool output, with nothing important lost.",
            "",
            "commands:",
            *lines,
            "",
            "`cablese COMMAND --help` describes a command, `cablese --version` prints the versions.",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
