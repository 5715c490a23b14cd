"""`cablese run`: the command's own streams, exit code and signals, with a summary where a rule claims the output."""

import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

RUN = [sys.executable, "-m", "cablese.cli.main", "run"]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Make a repository with a history that is worth a summary."""
    folder = tmp_path_factory.mktemp("repository")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run([*git, "init", "-q", "-b", "main"], cwd=folder, env=env, check=True)
    stream = "".join(
        f"commit refs/heads/main\ncommitter n <e@example.org> {1700000000 + n} +0000\n"
        f"data <<END\nChange number {n} of many\nEND\n"
        for n in range(60)
    )
    subprocess.run([*git, "fast-import", "--quiet"], cwd=folder, env=env, input=stream.encode(), check=True)
    return folder


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """Put a program in front of `git` that prints and does what a test wants."""

    def make(script):
        path = tmp_path / "bin" / "git"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!{sys.executable}\nimport os, sys, signal, time\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{path.parent}:{os.environ['PATH']}")

    return make


def test_a_claimed_command_is_summarised_and_kept(process, repository):
    """The view stands on standard output, and its last line brings the raw output back."""
    done = process("run", "--", "git", "log", "--oneline", cwd=repository)
    assert done.code == 0
    assert done.out.startswith(
        b"[tool_output_compression]\ntool: bash\nrule: bash.git_log\ncommand: git log --oneline\n"
    )
    raw = subprocess.run(["git", "log", "--oneline"], cwd=repository, capture_output=True, check=True).stdout
    assert process("show", done.out.split()[-1].decode()).out == raw
    assert process("run", "git", "log", "--oneline", cwd=repository).out == done.out
    text = process("run", "-c", " git log --oneline 2>&1 ", cwd=repository).out
    assert b"\ncommand: git log --oneline 2>&1\n" in text


@pytest.mark.parametrize("claimed", [True, False])
def test_streams_that_pass_keep_every_byte_and_their_place(process, tool, claimed):
    """Bytes that are no UTF-8 go through, each stream to its own, with the exit code, whether captured or replaced."""
    tool(r"os.write(1, b'\xff\x00a\r\n' * 3); os.write(2, b'\x80err'); sys.exit(7)")
    done = process("run", "--", "git", "log", "--oneline" if claimed else "--none")
    assert done == (7, b"\xff\x00a\r\n" * 3, b"\x80err")


@pytest.mark.parametrize("claimed", [True, False])
def test_standard_input_is_the_commands(process, tool, claimed):
    """What stands on standard input reaches the command untouched."""
    tool("sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])")
    words = ("git", "log", "--oneline") if claimed else ("git", "x")
    assert process("run", "--", *words, stdin=b"abc\xff").out == b"\xffcba"


def test_large_output_on_both_streams_does_not_block(process, tool):
    """Megabytes on both pipes at once come through whole."""
    tool(
        "import threading\n"
        "t = [threading.Thread(target=lambda f=f: os.fdopen(f, 'wb').write(bytes([f]) * 3_000_000)) for f in (1, 2)]\n"
        "[x.start() for x in t]; [x.join() for x in t]"
    )
    done = process("run", "--", "git", "log", "--oneline")
    assert (done.code, done.out, done.err) == (0, b"\x01" * 3_000_000, b"\x02" * 3_000_000)


def test_output_beyond_the_bound_goes_on_as_it_comes(tool, monkeypatch, capfdbinary):
    """What is too large to hold back is forwarded, and is never judged by half of it."""
    from cablese.cli import process

    monkeypatch.setattr(process, "MAX_CAPTURE", 1000)
    monkeypatch.setattr(process, "_pass_on_signals", lambda _: None)
    tool("os.write(1, b'abcdef0 subject\\n' * 1000)")
    captured = process.capture_output(["git", "log", "--oneline"])
    assert (captured.stdout, captured.complete, captured.exit_code) == (b"", False, 0)
    assert capfdbinary.readouterr().out == b"abcdef0 subject\n" * 1000


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--", "no-such-command-anywhere"), 127),
        (("--", "/etc/passwd"), 126),
        (("-c", "no-such-command-anywhere"), 127),
        (("-c", "exit 3"), 3),
        (("-c", "kill -9 $$"), -9),
        (("--", "false"), 1),
        ((), 2),
        (("-c", "true", "--", "true"), 2),
        (("--unknown", "--", "true"), 2),
    ],
)
def test_exit_codes_are_those_of_a_shell(process, words, code):
    """127 not found, 126 not executable, else the command's own, a signal included."""
    assert process("run", *words).code == code


def test_a_claimed_command_that_is_not_there_is_127(process, tmp_path):
    """Also where a rule claims the command, so that it would have been captured."""
    done = process("run", "--", "git", "log", "--oneline", env={"PATH": str(tmp_path)})
    assert (done.code, done.err) == (127, b"cablese: git: command not found\n")


def test_words_reach_the_command_unchanged(process):
    """No shell stands between: blanks, quotes, empty words and even `2>&1` are arguments."""
    words = ("a b", "", "$HOME", "*", "2>&1", "--", "-c", "'")
    script = "import sys; print(sys.argv[1:])"
    assert process("run", "--", sys.executable, "-c", script, *words).out.decode().strip() == str(list(words))
    assert process("run", sys.executable, "-c", script, *words).out.decode().strip() == str(list(words))


def test_a_killed_command_passes(process, tool):
    """What was cut off by a signal is shown as it came, and reported as a shell does."""
    tool("os.write(1, b'abcdef0 subject of this change\\n' * 200); os.kill(os.getpid(), signal.SIGTERM)")
    done = process("run", "--", "git", "log", "--oneline")
    assert (done.code, done.out) == (143, b"abcdef0 subject of this change\n" * 200)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_reach_a_captured_command(tool, number, tmp_path):
    """A signal to the wrapper alone is passed on; the command decides what becomes of it."""
    ready = tmp_path / "ready"
    tool(
        "def got(n, _):\n    print('got', n, flush=True)\n    sys.exit(5)\n"
        f"signal.signal({int(number)}, got)\nopen({str(ready)!r}, 'w').close()\ntime.sleep(30)"
    )
    child = subprocess.Popen(
        [*RUN, "--", "git", "log", "--oneline"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = time.monotonic() + 20
    while not ready.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(number)
    out, err = child.communicate(timeout=20)
    assert (child.returncode, out, err) == (5, b"got %d\n" % number, b"")


def test_a_reader_that_leaves_is_no_error(process, repository):
    """`cablese run … | head` ends quietly."""
    script = f"'{sys.executable}' -m cablese.cli.main run -- git log --oneline -1 | true"
    done = subprocess.run(["bash", "-c", script], cwd=repository, capture_output=True, check=False)
    assert done.stderr == b""


def test_what_a_command_leaves_running_holds_nobody_back(tool):
    """The command's end is ours; what it printed passes at once, what comes later comes later."""
    tool("""
print("abcdef0 first", flush=True)
if not os.fork():
    time.sleep(3)
    os.write(1, b"abcdef1 late")
    os._exit(0)
sys.exit(4)
""")
    start = time.monotonic()
    child = subprocess.Popen([*RUN, "--", "git", "log", "--oneline"], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert os.read(child.stdout.fileno(), 100) == b"abcdef0 first\n"
    assert child.wait(timeout=20) == 4
    assert time.monotonic() - start < 3
    with child.stdout as rest:
        assert rest.read() == b"abcdef1 late"


@pytest.mark.parametrize("words", [("git", "log", "--oneline"), ("git", "log", "--oneline", "-1")])
def test_output_that_cannot_be_written_is_one_line_of_complaint(repository, words):
    """A full disk or a closed stream is no success, and no traceback."""
    for to in ("/dev/full", "&-"):
        script = f"'{sys.executable}' -m cablese.cli.main run -- {' '.join(words)} >{to}"
        done = subprocess.run(["bash", "-c", script], cwd=repository, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith("cablese: cannot write the output: ")
        assert done.stderr.count("\n") == 1


def test_an_empty_name_is_no_command(process):
    """As in a shell: 127."""
    assert process("run", "--", "").code == 127
    assert process("run", "--", "", "x").code == 127


def test_an_unclaimed_command_keeps_the_terminal(tmp_path):
    """An interactive program finds a terminal on all three streams, as if nothing stood before it."""
    leader, follower = pty.openpty()
    script = "import os; print([os.isatty(n) for n in (0, 1, 2)])"
    child = subprocess.Popen(
        [*RUN, "--", sys.executable, "-c", script], stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    shown = b""
    while b"]" not in shown and select.select([leader], [], [], 20)[0]:
        shown += os.read(leader, 1000)
    child.wait(timeout=20)
    os.close(leader)
    assert b"[True, True, True]" in shown


def test_the_kill_switch_runs_the_command_itself(process, repository):
    """With `CABLESE_DISABLED=1` nothing is captured."""
    raw = subprocess.run(["git", "log", "--oneline"], cwd=repository, capture_output=True, check=True).stdout
    assert process("run", "--", "git", "log", "--oneline", cwd=repository, env={"CABLESE_DISABLED": "1"}).out == raw


def test_faults_of_ours_are_said_on_standard_error_alone(process, repository, tmp_path):
    """A store or a configuration that cannot be used: one line beside the untouched output."""
    raw = subprocess.run(["git", "log", "--oneline"], cwd=repository, capture_output=True, check=True).stdout
    words = ("run", "--", "git", "log", "--oneline")
    done = process(*words, cwd=repository, env={"CABLESE_STORE": "/dev/null/store"})
    assert done == (0, raw, b"cablese: not summarised: /dev/null/store: Not a directory\n")
    config = tmp_path / "config.toml"
    config.write_text("x = 1")
    done = process(*words, cwd=repository, env={"CABLESE_CONFIG": str(config)})
    assert done == (0, raw, f"cablese: nothing is summarised: {config}: `x` is not known as a setting\n".encode())
