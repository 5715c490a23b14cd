"""`cablese measure`: one JSON object with sums, and nothing written, whatever it is asked."""

import json
import os
import sys
from pathlib import Path

import pytest
from cablese.cli.measure_schema import MeasuredRulesRecord, MeasureRecord
from cablese.cli.schema import SCHEMA_FOLDER
from jsonschema import Draft202012Validator

SCHEMA, RULES_SCHEMA = (
    json.loads((Path(SCHEMA_FOLDER) / f"{name}.schema.json").read_text("utf-8"))
    for name in ("measure", "measure-rules")
)


def session(*contents):
    """Return the lines of a session with these results."""
    events = (
        {"type": "tool_result", "call_id": f"c{n}", "tool_name": "bash", "success": True, "content": content}
        for n, content in enumerate(contents)
    )
    return "".join(json.dumps(event) + "\n" for event in events)


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Write some sessions where they are looked for, and give their folder."""
    folder = tmp_path / "private-place" / "sessions"
    (folder / "subagents").mkdir(parents=True)
    for number in range(4):
        name = ("subagents/" if number % 2 else "") + f"private-{number}.jsonl"
        (folder / name).write_text(session("private words\n" * 20, f"{number} private line\nand another one\n" * 9))
    monkeypatch.chdir(folder.parent)
    return folder


def tree(*folders):
    """Return every file below folders with its content and times."""
    found = {}
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            status = path.lstat()
            found[path] = (status.st_mtime_ns, status.st_ino, path.read_bytes() if path.is_file() else None)
    return found


def test_the_report_is_what_is_published(cablese, archive):
    """The shipped schema takes it, and refuses it with a field more."""
    done = cablese("measure", "--model", "gpt-5")
    assert (done.code, done.err) == (0, b"")
    record = json.loads(done.out)
    MeasureRecord.model_validate_json(done.out)
    Draft202012Validator(SCHEMA).validate(record)
    assert not Draft202012Validator(SCHEMA).is_valid({**record, "paths": []})
    assert record["files"]["scanned"] == 4
    assert record["portfolio"]["saved_tokens"] > 0
    assert cablese("measure", "--model", "gpt-5", archive).out == done.out


@pytest.mark.parametrize("words", [(), ("--admit", "normal")])
def test_the_report_of_rules_is_what_is_published(cablese, archive, words):
    """Its own shape, with the packs that were asked and up to which level content kinds applied."""
    done = cablese("measure", "--model", "gpt-5", "--rules", *words)
    assert (done.code, done.err) == (0, b"")
    record = json.loads(done.out)
    MeasuredRulesRecord.model_validate_json(done.out)
    Draft202012Validator(RULES_SCHEMA).validate(record)
    assert not Draft202012Validator(RULES_SCHEMA).is_valid({**record, "paths": []})
    assert record["admission"] == (words[1] if words else "none")
    assert record["packs"][0].startswith("curated 1.")
    assert record["repeats"]["repeated_percent"] == 0.0
    assert b"private" not in done.out


def test_a_table_has_the_sums_of_the_report(cablese, archive):
    """In eighty columns: a line for each row and each unclaimed command, with the figures of the record."""
    words = ("measure", "--model", "gpt-5", "--rules")
    record = json.loads(cablese(*words, "--json").out)
    lines = cablese(*words, "--table").out.decode().splitlines()
    assert max(map(len, lines)) <= 80
    for row in record["rows"]:
        figures = [row["results"], row["tokens_before"], row["tokens_saved"], row["tokens_saved_over_turns"]]
        name = row["rule"] or row["codec"] or row["reason"]
        shown = [line.replace(",", "").split()[-4:] for line in lines if name in line]
        assert [str(figure) for figure in figures] in shown
    assert f"{record['total']['tokens_saved']:,} of {record['total']['tokens_before']:,}" in lines[2]


def test_processes_do_not_change_the_report(cablese, archive, monkeypatch):
    """One process or several: the same bytes."""
    monkeypatch.setattr("cablese.runtime.measuring.run._SMALL", 0)
    for words in ((), ("--rules",)):
        one = cablese("measure", "--model", "gpt-5", *words, "--jobs", "1")
        assert cablese("measure", "--model", "gpt-5", *words, "--jobs", "3") == one


def test_nothing_is_told_and_nothing_is_written(cablese, archive, tmp_path):
    """No content, path or name; not in the state folder and not beside the sessions."""
    state = Path(os.environ["CABLESE_STORE"]).parent
    before = tree(tmp_path, state)
    for words in ((), ("--rules",), ("--rules", "--admit", "normal")):
        done = cablese("measure", "--model", "gpt-5", *words)
        assert b"private" not in done.out + done.err
    assert tree(tmp_path, state) == before


def test_limits_are_those_that_are_asked_for(cablese, archive):
    """The newest files first, whole."""
    record = json.loads(cablese("measure", "--model", "gpt-4", "--max-files", "3", "--max-bytes", 1 << 20).out)
    assert record["encoding_family"] == "cl100k_base"
    assert (record["sampling"]["max_files"], record["sampling"]["max_bytes"]) == (3, 1 << 20)
    assert (record["files"]["scanned"], record["files"]["sampled_out"]) == (3, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), b"--model"),
        (("--model", "claude-x"), b"`claude-x`"),
        (("--model", "gpt-4o-audio-preview"), b"`audio`"),
        (("--model", "gpt-5", "--admit", "exact"), b"--rules"),
        (("--model", "gpt-5", "--pack", "x"), b"--rules"),
        (("--model", "gpt-5", "--rules", "--pack", "none.cablepack"), b"none.cablepack"),
        (("--model", "gpt-5", "--rules", "--max-bytes", str((64 << 30) + 1)), b"--max-bytes"),
        (("--model", "gpt-5", "--checkpoint", "x"), b"--dask"),
        (("--model", "gpt-5", "--table"), b"--rules"),
        (("--model", "gpt-5", "--rules", "--table", "--json"), b"--json"),
        (("--model", "gpt-5", "--jobs", "0"), b"--jobs: 0 is no number of processes"),
        (("--model", "gpt-5", "--jobs=-3"), b"--jobs: -3 is no number of processes"),
        (("--model", "gpt-5", "--max-files", "0"), b"--max-files"),
        (("--model", "gpt-5", "--max-files", "10001"), b"--max-files"),
        (("--model", "gpt-5", "--max-bytes", "1048575"), b"--max-bytes"),
        (("--model", "gpt-5", "--max-bytes", "1073741825"), b"--max-bytes"),
    ],
)
def test_what_cannot_be_counted_is_refused_before_anything_is_read(cablese, archive, monkeypatch, words, said):
    """A model, a limit: no folder is opened for it."""
    monkeypatch.setattr("cablese.runtime.measuring.run.open_root", None)
    done = cablese("measure", *words)
    assert (done.code, done.out) == (2, b"")
    assert said in done.err


def test_a_folder_behind_a_link_is_refused(cablese, archive, tmp_path):
    """And one that is not there."""
    (tmp_path / "link").symlink_to(archive)
    for folder in (tmp_path / "link", tmp_path / "none"):
        done = cablese("measure", "--model", "gpt-5", folder)
        assert (done.code, done.out) == (2, b"")
        assert folder.name.encode() in done.err


def test_a_name_cannot_act_on_the_terminal(cablese, tmp_path):
    """What is said of a folder shows what would move the cursor, or colour what follows, as escapes."""
    done = cablese("measure", "--model", "gpt-5", tmp_path / "a\x1b[31m\u202eb")
    assert done.code == 2
    assert done.err.startswith(b"cablese: ")
    assert b"a\\x1b[31m\\u202eb: " in done.err


def test_a_broken_configuration_is_refused(cablese, archive, tmp_path, monkeypatch):
    """With --rules: what would be measured is not what is in use."""
    config = tmp_path / "config.toml"
    config.write_text("x = 1\n")
    monkeypatch.setenv("CABLESE_CONFIG", str(config))
    done = cablese("measure", "--model", "gpt-5", "--rules")
    assert (done.code, done.out) == (2, b"")
    assert b"`x`" in done.err
    assert cablese("measure", "--model", "gpt-5").code == 0


class Terminal:
    """What looks like a terminal, and keeps what is written to it."""

    def __init__(self):
        self.written = ""

    def isatty(self):
        """Be a terminal."""
        return True

    def write(self, text):
        """Keep what is drawn."""
        self.written += text

    def flush(self):
        """Have nothing to write out."""


def test_a_terminal_sees_how_far_it_is(cablese, archive, monkeypatch):
    """On standard error, and gone at the end; what is printed is the same, and nothing of a session is drawn."""
    whole = cablese("measure", "--model", "gpt-5")
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert cablese("measure", "--model", "gpt-5").out == whole.out
    assert "1 of 4 files" in terminal.written
    assert terminal.written.endswith("\r\x1b[K")
    assert "private" not in terminal.written


def test_a_cluster_does_not_change_the_report(cablese, archive, tmp_path):
    """With a checkpoint that holds sums alone."""
    whole = cablese("measure", "--model", "gpt-5")
    checkpoint = tmp_path / "checkpoint"
    words = ("measure", "--model", "gpt-5", "--dask", "local", "--jobs", "2", "--checkpoint", checkpoint)
    done = cablese(*words, f"file://{archive}")
    assert (done.code, done.out) == (0, whole.out)
    assert b"the network is used" in done.err
    assert b"private" not in checkpoint.read_bytes() + done.err


def test_a_cluster_that_is_not_there_is_an_error(cablese, archive, monkeypatch):
    """And so is a package that is not."""
    from distributed import Client

    def refuse(*_, **__):
        raise OSError("Timed out trying to connect")

    monkeypatch.setattr(Client, "__init__", refuse)
    monkeypatch.setattr(Client, "__del__", lambda _: None)
    done = cablese("measure", "--model", "gpt-5", "--dask", "tcp://127.0.0.1:1", archive)
    assert (done.code, done.out) == (1, b"")
    assert b"Timed out" in done.err
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = cablese("measure", "--model", "gpt-5", "--dask", "local", archive)
    assert (done.code, done.out) == (2, b"")
    assert b"cablese[dask]" in done.err
