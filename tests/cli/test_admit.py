"""`--admit`: what `run`, `view` and `why` make of output that no rule claims."""

import json
import os
import pty
import sys

import pytest

LISTING = "".join(f"./src/parts/shelf{number % 9}/part{number}.txt\n" for number in sorted(range(200), key=str))


@pytest.fixture
def listing(tmp_path):
    """Write a listing."""
    path = tmp_path / "listing.txt"
    path.write_text(LISTING)
    return path


def test_a_view_of_a_listing_is_its_exact_form(cablese, listing):
    """`view --admit exact` shows the form; the record names kind and guarantee; without the option all passes."""
    plain = cablese("view", "--command", "./list", "--stdout", listing)
    assert plain.out == LISTING.encode()
    shown = cablese("view", "--admit", "exact", "--command", "./list", "--stdout", listing)
    assert len(shown.out) < len(LISTING)
    record = json.loads(cablese("view", "--json", "--admit", "exact", "--command", "./list", "--stdout", listing).out)
    assert (record["kind"], record["guarantee"], record["level"], record["handle"]) == (
        "paths",
        "exact",
        "minimal",
        None,
    )
    assert record["content"] == shown.out.decode()


def test_why_names_the_kind_or_what_speaks_against_it(cablese, listing, tmp_path):
    """`why` says which kind a text is, and which form it has, or why it passes."""
    said = cablese("why", "--admit", "exact", "--command", "./list", "--stdout", listing)
    assert said.code == 0
    assert b"kind      paths: form `paths_by_folder`, guarantee `exact`\n" in said.out
    strange = tmp_path / "strange.txt"
    strange.write_text("<<<<>>>> ||| ??? ###\n" * 80)
    said = cablese("why", "--admit", "exact", "--command", "./list", "--stdout", strange)
    assert said.code == 3
    assert b"kind      unknown: its kind cannot be told with confidence\n" in said.out
    assert b"decision  passed: unclassified\n" in said.out


def test_a_command_that_no_rule_claims_is_captured_and_keeps_its_exit_code(process, listing):
    """`run --admit` shows the form of a success, and of a failure too, since it is exact; the exit code is its own."""
    shown = process("run", "--admit", "exact", "--", "cat", listing)
    assert (shown.code, shown.out[:1]) == (0, b"[")
    failed = process("run", "--admit", "exact", "-c", f"cat {listing}; exit 3")
    assert (failed.code, failed.out) == (3, shown.out)
    assert process("run", "--", "cat", listing).out == LISTING.encode()


def test_at_a_terminal_a_command_that_no_rule_claims_keeps_it(tmp_path):
    """With content kinds on, a program that asks for its terminal still has it."""
    script = f"{sys.executable} -m cablese.cli.main run --admit exact -c 'test -t 1 && echo terminal'"
    pid, master = pty.fork()
    if pid == 0:
        os.execve("/bin/sh", ["sh", "-c", script], {**os.environ, "HOME": str(tmp_path)})
    said = b""
    try:
        while chunk := os.read(master, 1024):
            said += chunk
    except OSError:
        pass
    os.waitpid(pid, 0)
    assert said.strip() == b"terminal"


@pytest.mark.parametrize("level", ["all", ""])
def test_an_unknown_level_is_an_error_of_usage(cablese, listing, level):
    """The levels are `exact`, `value` and `normal`."""
    done = cablese("view", "--admit", level, "--command", "./list", "--stdout", listing)
    assert done.code == 2
    assert b"exact" in done.err
