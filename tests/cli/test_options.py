"""The options of every command: the fast reader agrees with argparse, the help texts are what they were."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cablese import __version__
from cablese.cli import options
from cablese.cli.main import COMMANDS
from cablese.cli.options import read_arguments
from cablese.runtime import native
from hypothesis import given
from hypothesis import strategies as st

DECLARED = {name: importlib.import_module(f"cablese.cli.{name}").COMMAND for name in COMMANDS}
HELP = Path(__file__).parent / "help"


def words_for(command):
    """Give words of which many are options of the command, some in order and some not."""
    names = [name for option in command.options for name in (option.name, option.short, f"{option.name}=x") if name]
    return st.lists(st.sampled_from([*names, "x", "7", "-", "--", "exact", "", "-x", "--none", "json"]), max_size=6)


@given(st.sampled_from(sorted(DECLARED)).flatmap(lambda name: st.tuples(st.just(name), words_for(DECLARED[name]))))
def test_the_fast_reader_agrees_with_argparse(case):
    """Where the fast reader answers, argparse answers the same."""
    name, words = case
    command = DECLARED[name]
    fast = options._read_plain(command, words)
    if fast is None:
        return
    # A second `--` in words of another command: argparse drops one more of them than it should in some versions.
    if not command.verbatim or words.count("--") < 2:
        assert options._read_slowly(command, words) == fast


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_texts_are_locked(cablese, name):
    """`--help` prints the text in `help/`, exit 0. Write it anew with `CABLESE_UPDATE=1`."""
    done = cablese(name, "--help")
    assert (done.code, done.err) == (0, b"")
    check_golden(f"{name}.txt", done.out)


def check_golden(name, text):
    """Compare with a locked text, or lock it anew. Later versions of argparse spell short options differently."""
    import os

    path = HELP / name
    if os.environ.get("CABLESE_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text)
    if sys.version_info < (3, 13):
        assert path.read_bytes() == text


def test_the_list_of_commands_is_locked(cablese):
    """`--help` prints it with exit 0, no word at all with exit 2."""
    done = cablese("--help")
    check_golden("cablese.txt", done.out)
    assert done.code == 0
    assert cablese() == (2, done.out, b"")


def test_unknown_commands_are_exit_2(cablese):
    """And the message names the command."""
    done = cablese("viw")
    assert (done.code, done.out) == (2, b"")
    assert b"`viw`" in done.err
    assert b"did you mean `view`?" in done.err


def test_versions_are_printed(cablese):
    """Tool, language, the curated pack with its digest, and the native codec where it is used."""
    tool, language, pack, *codec = cablese("--version").out.decode().splitlines()
    assert codec == ([] if native.codec() is None else [f"native codec {__version__}"])
    assert tool.startswith("cablese 0.")
    assert language == "language 1"
    assert pack.startswith("pack curated 1.")


def test_a_codec_that_is_switched_off_is_not_mentioned(process, monkeypatch):
    """`CABLESE_PURE=1` and its absence look the same."""
    monkeypatch.setenv("CABLESE_PURE", "1")
    assert process("--version").out.count(b"\n") == 3


def test_every_command_declares_itself_under_its_name():
    """The table of the entry point and the modules agree; every option has words of its own."""
    for name, command in DECLARED.items():
        assert command.name == name
        keys = [option.key for option in command.options]
        assert len(set(keys)) == len(keys)


def test_wrong_numbers_of_operands_are_exit_2():
    """Too many and too few are told by argparse."""
    for name, words in (("show", []), ("show", ["1", "2"]), ("view", ["x"]), ("explain", []), ("trust", ["a", "b"])):
        with pytest.raises(SystemExit) as ended:
            read_arguments(DECLARED[name], words)
        assert ended.value.code == 2


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["explain", "E0401"]])
def test_a_reader_that_leaves_early_is_no_error(words):
    """Whatever prints may be put in front of `head`."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-u", "-m", "cablese.cli.main", *words], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
