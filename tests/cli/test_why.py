"""`cablese why` as a microscope: it tells what was decided, with both places, in eighty columns and as JSON."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from cablese.cli.output import printable
from cablese.cli.schema import SCHEMA_FOLDER
from cablese.cli.why_human import clip_around, render_record, width
from cablese.cli.why_schema import WhyRecord
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "tests" / "samples"
SCHEMA = json.loads((Path(SCHEMA_FOLDER) / "why.schema.json").read_text("utf-8"))


def some_samples():
    """Return a summary, a refusal and one more of every rule."""
    folders = sorted(path for path in SAMPLES.iterdir() if path.is_dir())
    names = [sorted(folder.glob("*.json")) for folder in folders]
    refused = [next((path for path in paths if path.stem.startswith("refused")), paths[0]) for paths in names]
    return sorted({*refused, *(path for paths in names for path in (paths[1], paths[len(paths) // 2]))})


@cache
def line_of(path: str, number: int) -> str:
    """Return a line of a shipped rule file."""
    return (ROOT / "rules" / path).read_text("utf-8").splitlines()[number - 1]


def places(value):
    """Yield every place with the name of what stands there, from anywhere in a record."""
    if isinstance(value, dict):
        if isinstance(value.get("place"), dict):
            yield value, value["place"]
        for each in value.values():
            yield from places(each)
    elif isinstance(value, list):
        for each in value:
            yield from places(each)


@pytest.mark.parametrize("path", some_samples(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_is_told_as_it_was_decided(cablese, path):
    """The record has the published shape, agrees with `view`, and every place names the line it speaks of."""
    done = cablese("why", "--format", "json", path)
    record = json.loads(done.out)
    WhyRecord.model_validate(record)
    Draft202012Validator(SCHEMA).validate(record)
    seen = json.loads(cablese("view", "--json", stdin=path.read_bytes()).out)
    assert record["decision"] == {name: seen[name] for name in ("outcome", "reason", "detail")}
    for owner, place in places({name: record[name] for name in ("streams", "facts", "claims", "tags")}):
        text = line_of(place["path"], place["line"])
        name = owner.get("kind") or owner.get("name", "").rpartition(".")[2] or owner.get("text", "").split()[0]
        assert name in text, (owner, text)
    text = render_record(record)
    assert max(width(line) for line in text.splitlines()) <= 80
    assert all(line == line.rstrip() and line.isprintable() for line in text.splitlines())


def test_the_whole_output_stands_beside_its_kinds(cablese):
    """`--lines` prints every line once, in order, with the kind that claimed it; in JSON as they are."""
    path = SAMPLES / "cargo_test" / "targets-fail.json"
    metadata = json.loads(path.read_text("utf-8"))["metadata"]
    output = json.loads(cablese("why", "--lines", "--format", "json", path).out)["output"]
    for stream in ("stdout", "stderr"):
        lines = [each for each in output if each["stream"] == stream]
        assert "".join(f"{each['text']}\n" for each in lines) == metadata[stream]
        assert [each["line"] for each in lines] == list(range(1, len(lines) + 1))
        assert all(each["kind"] for each in lines)
    text = cablese("why", "--lines", path).out.decode()
    assert re.search(r"^stdout 36 +listed +:\d+ +fails_outside$", text, re.MULTILINE)
    assert max(map(width, text.splitlines())) <= 80


def test_a_line_in_the_wrong_place_is_said_to_be_there(cablese, tmp_path):
    """A line that some kind would take, only not here, is another fault than one that nothing takes."""
    path = tmp_path / "out"
    path.write_text("@@ -1 +1 @@\n")
    record = json.loads(cablese("why", "--command", "git diff", "--stdout", path, "--format", "json").out)
    (stream,) = record["streams"]
    assert (stream["runs"], stream["stop"]["line"], stream["stop"]["text"]) == ([], 1, "@@ -1 +1 @@")
    assert [kind["kind"] for kind in stream["stop"]["elsewhere"]] == ["hunk"]
    text = cablese("why", "--command", "git diff", "--stdout", path).out.decode()
    assert "matches the line, and may not stand there" in text


def test_a_control_character_is_shown_and_marked(cablese, tmp_path):
    """It cannot move the cursor, and the mark stands below it."""
    path = tmp_path / "out"
    path.write_bytes(b"abcdef0 one\nabcdef1 t\x1b[1mwo\n")
    text = cablese("why", "--command", "git log --oneline", "--stdout", path).out.decode()
    line, mark = re.findall(r"^output    (.*)\n {10}(.*)$", text, re.MULTILINE)[0]
    assert line == "stdout line 2: `abcdef1 t\\x1b[1mwo`"
    assert line[mark.index("^") :].startswith("\\x1b")
    assert "ESC at column 10; no line may hold it" in text


def test_an_output_that_ends_too_early_names_what_is_missing(cablese, tmp_path):
    """There is no line to point at, and the possible kinds are those that could follow."""
    path = tmp_path / "out"
    path.write_text("\nrunning 1 test\n")
    record = json.loads(cablese("why", "--command", "cargo test", "--stdout", path, "--format", "json").out)
    stop = record["streams"][0]["stop"]
    assert (stop["line"], stop["text"], stop["nearest"]) == (3, None, None)
    assert "case" in {kind["kind"] for kind in stop["possible"]}
    assert "output    stdout line 3: its end\n" in render_record(record)


def test_where_the_output_may_only_end_it_is_said(cablese, tmp_path):
    """No kind is possible there, which is an answer as well; an output without a line is called empty."""
    record = json.loads(cablese("why", ROOT / "tests/samples/pytest/imitations.json", "--format", "json").out)
    stop = record["streams"][0]["stop"]
    assert (stop["possible"], [kind["kind"] for kind in stop["elsewhere"]]) == ([], ["block"])
    assert "possible  no line: here the output may only end\nelsewhere line 1 of block" in render_record(record)
    path = tmp_path / "out"
    path.write_text("")
    assert b"output    stdout is empty\n" in cablese("why", "--command", "git diff", "--stdout", path).out


def test_a_command_that_is_no_list_of_words_is_shown(cablese, tmp_path):
    """As it was given, and harmless, with what makes it one that no rule can read."""
    path = tmp_path / "out"
    path.write_text("x\n")
    words = ("--command", "git log | tail\x1b[2J", "--stdout", path)
    record = json.loads(cablese("why", *words, "--format", "json").out)
    assert record["command"] == {"text": "git log | tail\x1b[2J", "words": None, "joined": False}
    WhyRecord.model_validate(record)
    text = cablese("why", *words).out.decode()
    assert text.startswith("command   git log | tail\\x1b[2J\n")
    assert "the command holds the character U+001B" in text


@pytest.mark.parametrize(
    ("command", "rule", "word", "obstacle"),
    [
        ("git status -s -z", "bash.git_status", 4, "`-z` is not among what the rule allows"),
        ("git statsu -s", "bash.git_status", 2, "`statsu` is not `status`"),
        ("gti diff", "bash.git_diff", 1, "`gti` is not `git`"),
        ("git -C sub status -s", "bash.git_status", 2, "`-C` may not stand before `status`"),
        ("git --bare status -s", "bash.git_status", 2, "`--bare` may not stand before `status`"),
        ("git status -b", "bash.git_status", None, "it needs --short | -s"),
        ("git", "bash.git_diff", None, "it needs `diff`"),
    ],
)
def test_an_unrecognised_command_is_told_its_nearest_rule(cablese, tmp_path, command, rule, word, obstacle):
    """Which word differs, or what is missing, with the line of the command form."""
    path = tmp_path / "out"
    path.write_text("x\n")
    record = json.loads(cablese("why", "--command", command, "--stdout", path, "--format", "json").out)
    near = next(each for each in record["near"] if each["rule"] == rule)
    assert near["word"] == word
    assert near["obstacle"].startswith(obstacle)
    assert line_of(near["place"]["path"], near["place"]["line"]).split()[0] == "command"


def test_what_resembles_no_rule_has_no_nearest(cablese, tmp_path):
    """Nothing is made up."""
    path = tmp_path / "out"
    path.write_text("x\n")
    for command in ("make all", "zz", "git ls-tree HEAD", "echo 'a b' | cat"):
        assert json.loads(cablese("why", "--command", command, "--stdout", path, "--format", "json").out)["near"] == []


def test_a_stream_that_must_be_empty_is_shown_with_its_place(cablese, tmp_path):
    """The first line of it, and the line of the rule that wants it empty."""
    out, err = tmp_path / "out", tmp_path / "err"
    out.write_text("abcdef0 one\n")
    err.write_text("warning: x\n")
    words = ("--command", "git log --oneline", "--stdout", out, "--stderr", err)
    record = json.loads(cablese("why", *words, "--format", "json").out)
    (stream,) = record["streams"]
    assert (stream["name"], stream["stop"]["text"]) == ("stderr", "warning: x")
    assert line_of(stream["place"]["path"], stream["place"]["line"]).split() == ["stderr", "empty"]


def test_an_exit_code_decides_before_any_line(cablese, tmp_path):
    """Then no line is blamed."""
    path = tmp_path / "out"
    path.write_text("nonsense\n")
    words = ("--command", "git log --oneline", "--stdout", path, "--exit-code", "7", "--format", "json")
    record = json.loads(cablese("why", *words).out)
    assert (record["exit"]["code"], record["exit"]["holds"], record["streams"]) == (7, False, [])


def test_codecs_and_content_kinds_are_told_in_the_same_record(cablese):
    """Which entries were asked and what came of them; what kind a text is, and its form."""
    rows = [{"id": number, "name": f"name {number}", "state": "open"} for number in range(40)]
    result = json.dumps({"tool": "db_query", "content": json.dumps(rows)}).encode()
    record = json.loads(cablese("why", "--format", "json", stdin=result).out)
    WhyRecord.model_validate(record)
    assert record["codec"]["codec"] == record["entries"][-1]["codec"]
    assert record["entries"][-1]["refusal"] is None
    listing = (ROOT / "bench" / "corpus" / "recorded" / "git-ls-files.txt").read_text("utf-8")
    result = json.dumps({"tool": "glob", "content": listing}).encode()
    record = json.loads(cablese("why", "--admit", "exact", "--format", "json", stdin=result).out)
    WhyRecord.model_validate(record)
    assert (record["kind"]["kind"], record["kind"]["guarantee"]) == ("paths", "exact")
    assert max(map(width, render_record(record).splitlines())) <= 80


def test_a_record_is_read_from_a_file_or_from_standard_input(cablese, tmp_path):
    """Both say the same; beside `--command` a file is a mistake."""
    path = SAMPLES / "git_status" / min(SAMPLES.joinpath("git_status").iterdir()).name
    assert cablese("why", path) == cablese("why", stdin=path.read_bytes())
    done = cablese("why", "--command", "git status", "--stdout", path, path)
    assert (done.code, done.err) == (2, b"cablese: --command stands in place of a result record\n")
    assert cablese("why", tmp_path / "none.json").code == 2


@given(st.text(), st.integers(0, 200), st.integers(12, 80))
def test_a_clipped_text_keeps_the_place_that_matters(text, at, room):
    """It is visible, takes no more than its columns, and has the character in question at the column it says."""
    at = min(at, len(text))
    shown, column = clip_around(text, at, room)
    assert shown.isprintable()
    assert width(shown) <= room
    if at < len(text):
        cell = printable(text[at])
        if width(cell) <= room - 2:
            assert any(
                width(shown[:start]) == column and shown.startswith(cell, start) for start in range(len(shown) + 1)
            )
    else:
        assert column == width(shown)
