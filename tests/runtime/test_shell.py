"""Preflight: which command texts are plain lists of words, and which pass before any rule is asked."""

import subprocess

import pytest
from cablese.runtime.reasons import PassThrough, Reason
from cablese.runtime.shell import parse_command, reads_recovered_output
from hypothesis import given, settings
from hypothesis import strategies as st

PLAIN = [
    ("git status --short 2>&1", ("git", "status", "--short"), True),
    ("cargo check 1>&2", ("cargo", "check"), True),
    ("git 2>&1 log --oneline", ("git", "log", "--oneline"), True),
    ("git diff HEAD~1", ("git", "diff", "HEAD~1"), False),
    ("git diff HEAD^", ("git", "diff", "HEAD^"), False),
    ("git diff HEAD^^~2 -- a~b", ("git", "diff", "HEAD^^~2", "--", "a~b"), False),
    ("  git\tlog \t --oneline\n", ("git", "log", "--oneline"), False),
    ("FOO=1 cargo test", ("FOO=1", "cargo", "test"), False),
    ("git log --oneline main..HEAD", ("git", "log", "--oneline", "main..HEAD"), False),
    (
        "cargo +nightly-2025-01-01 test -- --no-capture",
        ("cargo", "+nightly-2025-01-01", "test", "--", "--no-capture"),
        False,
    ),
    ("git diff -- größe.txt a#b", ("git", "diff", "--", "größe.txt", "a#b"), False),
]


@pytest.mark.parametrize(("text", "words", "merges"), PLAIN)
def test_plain_commands_give_their_words(text, words, merges):
    """Words are split at blanks; whole-word redirections between the two streams are taken out and remembered."""
    command = parse_command(text)
    assert (command.words, command.merges) == (words, merges)
    assert command.text == text.strip()


REFUSED = [
    "git status --short 2>&1 | head", "git diff | cat", "cargo test |& tee x",
    "git diff>out", "cargo check 2>/dev/null", "cargo check &>x", "cargo check 2> &1", "cargo check>&2", "git diff < x",
    "cargo check 2>&1x", "cargo check x2>&1", "cargo check >out 2>&1",
    "a && b", "a; b", "a || b", "cargo test &",
    'git diff -- "a b"', "git diff -- 'a'", r"git diff -- a\ b", "git diff -- *.rs", "git diff -- ?.rs",
    "git diff -- [ab]",
    "git diff -- src/{a,b}.rs", "git diff $X", "git diff HEAD@{1}", "git diff `x`", "git diff $(x)", "(git diff)",
    "git diff ~/x", "git diff --x=~/y", "git diff a:~", "git diff ~user",
    "git diff # note", "git diff !x", "git diff :!x",
    "git diff\ngit status", "git diff\rx", "git diff x\r", "git diff\x00", "git diff \x1b[0m", "git diff\x0b",
    "git diff\x0c",
    "git diff\x85x", "git diff\u2028x", "git\u00a0diff", "git\u3000diff", "git diff \x7f", "git diff \x9b",
    "git diff \udc80",
    "", "   ", "2>&1",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_uncertain_commands_pass(text):
    """Whatever a shell would read as more than a list of words is refused before any rule sees it."""
    with pytest.raises(PassThrough) as refused:
        parse_command(text)
    assert refused.value.reason is Reason.NO_RULE
    assert refused.value.detail


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), max_size=6).map(" ".join))
@settings(max_examples=300)
def test_what_is_taken_has_no_special_character(text):
    """Taken words are never empty and hold nothing that a shell reads as syntax; joining them loses only blanks."""
    try:
        command = parse_command(text)
    except PassThrough:
        return
    for word in command.words:
        assert word
        assert not set(word) & set("|&;<>`$()'\"\\*?[]{}!\n\r\0 \t")
        assert not word.startswith(("~", "#"))


@given(st.lists(st.text(st.sampled_from("ab=:~^#-+./%@,é"), min_size=1, max_size=5), min_size=1, max_size=4))
@settings(max_examples=25, deadline=None)
def test_a_shell_sees_the_same_words(words):
    """For every text that is taken, bash splits it into exactly these words."""
    text = " ".join(words)
    try:
        command = parse_command(text)
    except PassThrough:
        return
    shown = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {text}"], capture_output=True, check=True, env={"HOME": "/home/x"}
    )
    assert shown.stdout.decode().splitlines() == [*command.words]


def test_own_recovery_is_recognised():
    """`cablese show` is recognised also where the rest of the command would be refused."""
    assert reads_recovered_output("cablese show 482910557213004 | head")
    assert reads_recovered_output(" cablese  show 1 --grep 'x'")
    assert not reads_recovered_output("cablese view")
    assert not reads_recovered_output("echo cablese show")
