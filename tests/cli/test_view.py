"""`cablese view`, `show` and `why`: captured results in every form."""

import gc
import json
import re
import subprocess
import sys

import pytest
from cablese.cli.schema import ViewRecord

COMMAND = ("--command", "git log --oneline -60", "--exit-code", "0")


def test_a_captured_result_is_summarised_and_can_be_shown_again(cablese, log):
    """The last line of a view is the command that prints the original, byte for byte."""
    done = cablese("view", *COMMAND, "--stdout", log)
    assert (done.code, done.err) == (0, b"")
    assert done.out.startswith(
        b"[tool_output_compression]\ntool: bash\nrule: bash.git_log\ncommand: git log --oneline -60\n"
    )
    last = done.out.split(b"\n")[-1].decode()
    assert last.startswith("original: cablese show ")
    assert cablese(*last.split()[2:]).out == log.read_bytes()


def test_what_passes_is_printed_as_it_came(cablese, tmp_path):
    """Bytes that are no UTF-8, no last line end, line ends of another system: all as they were, both streams."""
    out, err = tmp_path / "out", tmp_path / "err"
    out.write_bytes(b"\xff\xfe\r\n\x00no end")
    err.write_bytes(b"\x80\x1b[31m")
    assert (
        cablese("view", "--command", "x", "--stdout", out, "--stderr", err).out == b"\xff\xfe\r\n\x00no end\x80\x1b[31m"
    )
    assert cablese("view", "--command", "git log --oneline", "--stdout", out).out == b"\xff\xfe\r\n\x00no end"
    assert cablese("view", "--command", "x", "--merged", "-", stdin=b"\xffa").out == b"\xffa"
    assert cablese("view", "--command", "x", "--stderr", err).out == b"\x80\x1b[31m"


def test_the_record_has_the_published_shape(cablese, log):
    """`--json` prints the view record, `--count` adds exact counts."""
    done = cablese("view", *COMMAND, "--stdout", log, "--json", "--count")
    record = json.loads(done.out)
    ViewRecord.model_validate_json(done.out)
    assert record["outcome"] == "compressed"
    assert all(shown < original for original, shown in record["tokens"].values())
    assert record["bytes"][0] == len(log.read_bytes())


def result(stdout, **fields):
    """Make a result record as JSON."""
    record = {
        "tool": "shell",
        "arguments": {"cmd": "git log --oneline"},
        "content": f"stdout:\n{stdout}\nstderr:\n",
        "metadata": {"exit_code": 0},
        "id": 7,
    }
    return json.dumps({**record, **fields}).encode()


def test_a_record_on_standard_input_is_viewed(cablese, log):
    """Without `--command`, a result record is read; its tool stands in the header."""
    done = cablese("view", stdin=result(log.read_text()))
    assert done.out.startswith(b"[tool_output_compression]\ntool: shell\n")
    payload = cablese("view", stdin=b'{"tool": "read", "content": {"a": [1, "\xc3\xa9"]}}')
    assert json.loads(payload.out) == {"a": [1, "é"]}


@pytest.mark.parametrize(
    "data", [b"", b"x", b"[1]", b'{"tool": "x"}', b"\xff", b"[" * 10**6, b'{"tool": "x", "content": NaN}', b"{}{}"]
)
def test_malformed_records_are_exit_2(cablese, data):
    """A record that cannot be read is named on standard error, and nothing is printed."""
    done = cablese("view", stdin=data)
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith(b"cablese: ")


def test_many_records_give_a_line_each(cablese, log, tmp_path):
    """With `--jsonl` a malformed line becomes an error record with its number, and the exit code is 1."""
    path = tmp_path / "results.jsonl"
    good = result(log.read_text())
    path.write_bytes(good + b"\n\n{broken\n" + result("x\ud800") + b"\n")
    done = cablese("view", "--jsonl", path)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 1
    assert [line.get("outcome") for line in lines] == ["compressed", None, "passed"]
    assert lines[1]["line"] == 3
    path.write_bytes(good)
    assert cablese("view", "--jsonl", path).code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("--command", "x"),
        ("--stdout", "f"),
        ("--command", "x", "--stdout", "/none/there"),
        ("--command", "x", "--stdout", "-", "--merged", "-"),
        ("--command", "x", "--stdout", "-", "--stderr", "-"),
        ("--command", "x", "--stdout", "-", "--exit-code", "x"),
        ("--command", "x", "--stdout", "-", "--admit", "all"),
        ("--unknown",),
        ("operand",),
        ("--comman", "x", "--stdout", "-"),
    ],
)
def test_wrong_options_are_exit_2(cablese, words):
    """Options that do not fit together, files that are not there, unknown or shortened names."""
    done = cablese("view", *words)
    assert (done.code, done.out) == (2, b"")
    assert done.err


def test_without_a_store_a_summary_needs_leave(cablese, log):
    """`--no-store` passes the original; `--unrecoverable-ok` allows a summary without the last line."""
    assert cablese("view", *COMMAND, "--stdout", log, "--no-store").out == log.read_bytes()
    done = cablese("view", *COMMAND, "--stdout", log, "--no-store", "--unrecoverable-ok")
    assert done.out.startswith(b"[tool_output_compression]\n")
    assert b"original:" not in done.out


@pytest.mark.parametrize("variable", [{"CABLESE_DISABLED": "1"}, {"CABLESE_STORE": "/dev/null/store"}])
def test_switches_of_the_environment(cablese, log, monkeypatch, variable):
    """The kill switch, and a store that cannot be made: the original, and the reason on the record."""
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    done = cablese("view", *COMMAND, "--stdout", log)
    failed = b"cablese: not summarised: /dev/null/store: Not a directory\n"
    assert (done.out, done.err) == (log.read_bytes(), b"" if "CABLESE_DISABLED" in variable else failed)
    assert cablese("why", *COMMAND, "--stdout", log).code == 3
    record = json.loads(cablese("view", *COMMAND, "--stdout", log, "--json").out)
    assert record["reason"] == ("kill_switch" if "CABLESE_DISABLED" in variable else "store_failed")


def test_a_project_can_switch_a_rule_off(cablese, log, monkeypatch, tmp_path):
    """`.cablese/config.toml` above the current folder narrows; a broken one turns everything off and says why."""
    (tmp_path / ".cablese").mkdir()
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    config = tmp_path / ".cablese" / "config.toml"
    config.write_text('disable = ["bash.git_log"]')
    record = json.loads(cablese("view", *COMMAND, "--stdout", log, "--json").out)
    assert record["detail"] == "the rule `bash.git_log` is not enabled"
    config.write_text("disable = 1")
    record = json.loads(cablese("view", *COMMAND, "--stdout", log, "--json").out)
    assert record["reason"] == "disabled"
    assert "config.toml: `disable`" in record["detail"]
    done = cablese("view", *COMMAND, "--stdout", log)
    assert done.out == log.read_bytes()
    assert done.err == f"cablese: nothing is summarised: {record['detail']}\n".encode()


def test_show_selects_lines(cablese, log):
    """Windows count from 1, expressions are searched in lines, both together in this order."""
    handle = cablese("view", *COMMAND, "--stdout", log).out.split()[-1].decode()
    lines = log.read_bytes().splitlines(keepends=True)
    assert cablese("show", handle, "--lines", "2:3").out == b"".join(lines[1:3])
    assert cablese("show", handle, "--lines", ":1").out == lines[0]
    assert cablese("show", handle, "--lines", "60:").out == lines[59]
    assert cablese("show", handle, "--lines", "90:99").out == b""
    assert cablese("show", handle, "--grep", "number [12] ").out == b"".join(lines[1:3])
    assert cablese("show", handle, "--lines", "3:", "--grep=number [12] ").out == lines[2]
    part = cablese("show", handle, "--bytes", "3:9")
    assert part == (0, log.read_bytes()[2:9], b"cablese: bytes 3-9 of 2,450\n")
    assert (
        cablese("show", handle, "--lines", "2:3", "--grep", "number 1").err == b"cablese: 1 found in lines 2-3 of 60\n"
    )
    assert cablese("show", handle, "--lines", "1:60").err == b""
    for wrong in (
        ("--lines", "0:1"),
        ("--lines", "x"),
        ("--grep", "("),
        ("--bytes", "0:"),
        ("--lines", ":", "--bytes", ":"),
    ):
        assert cablese("show", handle, *wrong).code == 2


def test_show_knows_its_own_handles_only(cablese, log):
    """Unknown handles are exit 1; an original of another tenant is unknown."""
    assert cablese("show", "123456789012345").code == 1
    record = result(log.read_text(), tenant="t", run="r")
    handle = cablese("view", stdin=record).out.split()[-1].decode()
    assert cablese("show", handle).code == 1
    assert cablese("show", handle, "--tenant", "t", "--run", "r").out == json.loads(record)["content"].encode()


def test_show_of_a_broken_store_is_exit_2(cablese, monkeypatch, tmp_path):
    """A store that cannot be read is another thing than an unknown handle."""
    path = tmp_path / "store"
    path.write_bytes(b"no store" * 100)
    for store, fault in ((path, "file is not a database"), ("/dev/null/store", "Not a directory")):
        monkeypatch.setenv("CABLESE_STORE", str(store))
        done = cablese("show", "123456789012345")
        assert done == (2, b"", f"cablese: {store}: {fault}\n".encode())


def test_why_names_both_places(cablese, tmp_path, log):
    """For what passes, the line of the output and the lines of the rule file; exit 3. Nothing is kept."""
    path = tmp_path / "out"
    path.write_bytes(b"abcdef0 first\nnot a commit\n")
    done = cablese("why", "--command", "git log --oneline 2>&1", "--stdout", path)
    text = done.out.decode()
    assert done.code == 3
    assert "its streams are joined" in text
    assert "output    stdout line 2: `not a commit`" in text
    assert re.search(r"^nearest   commit +git\.cable:\d+$", text, re.MULTILINE)
    assert "          stops at column 1, expects a hexadecimal digit\n" in text
    assert re.search(r"^possible  commit +git\.cable:\d+$", text, re.MULTILINE)
    assert "decision  passed: invalid_output" in text
    done = cablese("why", *COMMAND, "--stdout", log)
    assert done.code == 0
    assert re.search(rb"^lines     stdout 1-60: 60 commit +git\.cable:\d+$", done.out, re.MULTILINE)
    assert b"decision  compressed\n" in done.out


def test_why_shows_lines_as_rules_see_them(cablese, tmp_path):
    """They end at line feeds alone, and what would move the cursor is visible."""
    path = tmp_path / "out"
    path.write_bytes("abcdef0 first\n\rwait\f\u2028é\t\nend".encode())
    text = cablese("why", "--command", "git log --oneline", "--stdout", path).out.decode()
    assert "streams   stdout 3 lines, stderr empty\n" in text
    assert "output    stdout line 2: `\\rwait\\x0c\\u2028é\\t`\n" in text


def test_why_calls_a_pattern_within_a_record_by_its_place(cablese):
    """As coverage does."""
    head = "\nrunning 1 test\ntest a ... ok\n\n"
    total = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    record = {
        "tool": "bash",
        "arguments": {"command": "cargo test"},
        "content": "",
        "metadata": {"stdout": head + total, "stderr": "", "exit_code": 0},
    }
    text = cablese("why", stdin=json.dumps(record).encode()).out.decode()
    assert re.search(r"^          stdout 2: 1 line 1 of run +cargo\.cable:\d+$", text, re.MULTILINE)


def test_why_says_what_a_summary_would_cost(cablese, tmp_path):
    """A short output passes for want of gain, with the counts that decided."""
    path = tmp_path / "out"
    path.write_bytes(b"abcdef0 first\n")
    done = cablese("why", "--command", "git log --oneline", "--stdout", path)
    assert done.code == 3
    assert b"in the original, the summary would be " in done.out
    assert b"decision  passed: no_gain" in done.out
    assert cablese("why", "--command", "ls", "--stdout", path).code == 3
    assert cablese("why").code == 2


@pytest.mark.parametrize("command", ["view", "why"])
def test_a_pack_that_cannot_be_used_is_said(cablese, log, tmp_path, command):
    """A pack that was asked for is used, or it is exit 2 with its fault; nothing passes in silence."""
    broken = tmp_path / "broken.cablepack"
    broken.write_bytes(b"cablepack 1 ")
    for pack, fault in ((broken, b"the pack is damaged"), (tmp_path / "none.cablepack", b"no such file")):
        done = cablese(command, "--command", "git log --oneline", "--stdout", log, "--pack", pack)
        assert (done.code, done.out) == (2, b"")
        assert fault in done.err


def test_what_is_no_number_of_json_is_malformed(cablese):
    """Nothing is given back that is no JSON."""
    for number in ("NaN", "Infinity", "-Infinity", "01", "1."):
        done = cablese("view", "--json", stdin=b'{"tool": "bash", "content": ' + number.encode() + b"}")
        assert (done.code, done.out) == (2, b"")


def test_what_is_nested_too_deeply_is_said_to_be(cablese):
    """A hundred thousand lists within each other are JSON, which cannot be read here, and the message says so."""
    done = cablese("view", stdin=b'{"tool": "db", "content": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    assert (done.code, done.out, done.err) == (2, b"", b"cablese: nested too deeply to be read\n")


def test_a_full_disk_is_one_line_of_complaint():
    """Whatever prints: no traceback, and no success."""
    for words in ("--help", "explain E0401", "why --command x --stdout /dev/null"):
        script = f"'{sys.executable}' -m cablese.cli.main {words} > /dev/full"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (1, "cablese: cannot write the output: No space left on device\n")


def test_why_agrees_with_view_about_the_store(cablese, log, monkeypatch, tmp_path):
    """A store that cannot be used is `store_failed` in both, with its path; what `why` tries is not kept."""
    store = tmp_path / "store"
    monkeypatch.setenv("CABLESE_STORE", str(store))
    assert cablese("why", *COMMAND, "--stdout", log).code == 0
    handle = cablese("view", *COMMAND, "--stdout", log).out.split()[-1].decode()
    store.unlink()
    cablese("why", *COMMAND, "--stdout", log)
    assert cablese("show", handle).code == 1
    # A connection of an earlier command, which ran in this process, would write its pages back when it is collected.
    gc.collect()
    store.write_bytes(b"no store" * 100)
    for wal in tmp_path.glob("store-*"):
        wal.unlink()
    done = cablese("why", *COMMAND, "--stdout", log)
    assert done.code == 3
    said = " ".join(done.out.decode().split())
    assert said.endswith(f"decision passed: store_failed {store}: file is not a database")


def test_faults_of_a_jsonl_are_said_once(cablese, log, monkeypatch, tmp_path):
    """However many records there are: one line, on standard error."""
    monkeypatch.setenv("CABLESE_STORE", "/dev/null/store")
    path = tmp_path / "results.jsonl"
    path.write_bytes((result(log.read_text()) + b"\n") * 3)
    done = cablese("view", "--jsonl", path)
    assert (done.code, done.out.count(b"\n")) == (0, 3)
    assert done.err == b"cablese: not summarised: /dev/null/store: Not a directory\n"
