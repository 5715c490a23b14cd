"""`cablese run`: run a command, and show its summary or its output as it is.

A command that no rule claims replaces this process: it keeps the terminal, the streams, the signals and its own exit,
and nothing stands between. Only the output of a claimed command is captured. When it passes, each stream is
forwarded byte for byte to its own place (the order between the two cannot be known); when it is summarised, the view
goes to standard output. At a terminal a claimed command is captured all the same: one sees what a model would. Where
content kinds are on, which may claim any command, all are captured, but for those that no rule claims at a terminal.

Invariant: the exit code is the command's own, as a shell would report it; 127 and 126 if it cannot be run.
"""

from __future__ import annotations

import os

from ..runtime.compressor import Compressor
from ..runtime.reasons import PassThrough
from ..runtime.records import Outcome
from ..runtime.shell import parse_command
from .captured import capture, own_fault
from .options import Arguments, Command, Operands, Option
from .output import STDERR, STDOUT, OutputError, complain, to_text, write_bytes, write_content
from .process import Captured, capture_output, replace_process

COMMAND = Command(
    "run",
    "Run a command and show its summary, or its output as it is.\n\n"
    "  cablese run -- git log --oneline -50     the words, without a shell\n"
    "  cablese run -c 'cargo test 2>&1'         shell text, through `bash -c`",
    (
        Option("--shell-text", "the text of a shell command", "TEXT", short="-c"),
        Option("--admit", "let content kinds apply up to this level", "LEVEL", choices=("exact", "value", "normal")),
    ),
    Operands("COMMAND", "the command and its words", least=0),
    verbatim=True,
)


def execute(arguments: Arguments) -> int:
    """Run the command; its own exit code, 127 if it is not found, 126 if it cannot be run, 2 for no command."""
    words, text = arguments["command"], arguments["shell_text"]
    if (text is None) == (not words):
        complain("run: give either the words of a command, or -c with shell text")
        return 2
    if text is None:
        text = _plain_text(words)
    else:
        words = ["bash", "-c", text]
    try:
        compressor = Compressor.default(enable="curated", admit=arguments["admit"], ledger=True, installed=False)
        # Any command may print a list, also one that needs the terminal it has.
        if text is None or not compressor.may_compress("bash", text, kinds=not os.isatty(STDOUT)):
            if compressor.fault is not None:
                complain(f"nothing is summarised: {compressor.fault}")
            replace_process(words)
        captured = capture_output(words)
    except BrokenPipeError:
        # Our reader left while a very large output went by; the command learns of it from its own pipes.
        return 128 + 13
    except OutputError as error:
        complain(str(error))
        return 1
    except FileNotFoundError:
        complain(f"{words[0]}: command not found")
        return 127
    except OSError as error:
        complain(f"{words[0]}: {error.strerror}")
        return 126
    assert text is not None
    return _show(captured, text, compressor)


def _plain_text(words: list[str]) -> str | None:
    """Return the command as shell text, if a shell would read exactly these words from it; else None."""
    text = " ".join(words)
    try:
        command = parse_command(text)
    except PassThrough:
        return None
    # A word `2>&1` is an argument here, no redirection, and an empty word would be lost.
    return text if command.words == tuple(words) else None


def _show(captured: Captured, text: str, compressor: Compressor) -> int:
    fault: str | None = None
    try:
        if captured.complete:
            result = capture(text, "bash", to_text(captured.stdout), to_text(captured.stderr), captured.exit_code)
            view = compressor.view(result)
            if view.decision.outcome is Outcome.COMPRESSED:
                write_content(view.content)
                return captured.exit_code
            fault = own_fault(view, compressor)
        write_bytes(STDOUT, captured.stdout)
        write_bytes(STDERR, captured.stderr)
    except BrokenPipeError:
        # The reader has gone, as with any command in front of `head`; the command itself is done.
        pass
    except OutputError as error:
        complain(str(error))
        return captured.exit_code or 1
    if fault is not None:
        complain(fault)
    return captured.exit_code
