"""`--rules`: what the packs in use would do with stored results, once and over the turns that carried them."""

import json
import os

import pytest
from cablese.runtime import Compressor, ToolResult
from cablese.runtime.measuring import repeats, run
from cablese.runtime.measuring.aggregate import MergeError
from cablese.runtime.measuring.basis import _compressors, compressor_for, plan_rules
from cablese.runtime.measuring.limits import RULES_LIMITS
from cablese.runtime.measuring.repeats import RUN, Repeats
from cablese.runtime.measuring.replay import is_ours
from cablese.runtime.measuring.rules_report import rules_record
from cablese.runtime.measuring.run import LostProcessError, find_sessions, make_pool, measure_sample
from cablese.runtime.measuring.shapes import WITH_SUBCOMMANDS, shape_of
from hypothesis import given
from hypothesis import strategies as st

from .archive import result, write
from .test_readers import LOG, RECORDED

STREAMS = {"stdout": LOG * 3, "stderr": "", "exit_code": 0}
TURN, ASKED, COMPACTED = {"type": "assistant"}, {"type": "user"}, {"type": "compaction"}


def logged(call):
    """Return a call of `git log` and its result."""
    return (
        {"type": "tool_call", "call_id": call, "tool_name": "bash", "arguments": {"command": "git log --oneline"}},
        result(call, LOG * 3, metadata=STREAMS),
    )


def measure(folder, archive="sessions", jobs=1, **more):
    """Return the report of a folder, with its equations held."""
    work = plan_rules(archive, "o200k_base", RULES_LIMITS, **more)
    sample = find_sessions(str(folder), work)
    pool = make_pool(jobs, sample) if jobs > 1 else None
    try:
        found = measure_sample(sample, work, pool)
    finally:
        sample.close()
        if pool is not None:
            pool.shutdown()
    record = rules_record(found, "gpt-5", RULES_LIMITS)
    counts = record["results"]
    assert counts["found"] == sum(
        counts[name] for name in ("decided", "already_compressed", "invalid", "skipped_limit")
    )
    assert record["total"]["results"] == counts["decided"]
    for row in (*record["rows"], record["total"]):
        assert row["tokens_saved"] == row["tokens_before"] - row["tokens_after"]
    return record


def test_a_row_is_what_the_compressor_decides(tmp_path):
    """Tokens are those of its own counts with a store; once, and for each of the two later requests."""
    write(tmp_path / "a.jsonl", ASKED, TURN, *logged("1"), TURN, ASKED, TURN)
    record = measure(tmp_path)
    (row,) = record["rows"]
    decision = (
        Compressor.default(enable="curated", count=True)
        .view(ToolResult("bash", LOG * 3, {"command": "git log --oneline"}, STREAMS, success=True))
        .decision
    )
    before, after = decision.tokens["o200k_base"]
    assert (row["rule"], row["tokens_before"], row["tokens_after"]) == ("bash.git_log", before, after)
    assert (row["bytes_before"], row["bytes_after"]) == decision.bytes
    assert before > after
    assert row["tokens_saved_over_turns"] == 2 * (before - after)
    assert row["tokens_before_over_turns"] == 2 * before
    assert record["turns"] == 3
    assert record["packs"][0] == decision.pack


@pytest.mark.parametrize(
    ("events", "carried"),
    [
        ([], 0),
        ([TURN, TURN], 1),
        ([TURN, ASKED, TURN], 2),
        ([COMPACTED, TURN, ASKED, TURN], 0),
        ([TURN, COMPACTED, TURN], 1),
        ([ASKED, TURN, result("2", ""), TURN], 2),
    ],
)
def test_a_result_is_carried_until_the_session_is_compacted(tmp_path, events, carried):
    """Two parts of one answer are one request."""
    write(tmp_path / "a.jsonl", TURN, *logged("1"), *events)
    row = next(row for row in measure(tmp_path)["rows"] if row["rule"])
    assert row["tokens_saved_over_turns"] == carried * row["tokens_saved"] > -1


def test_requests_of_a_name_are_counted_once():
    """Parts of one answer with results between them, as Claude Code writes them, are one request."""
    from cablese.runtime.measuring.replay import _Lane

    lane = _Lane()
    for request in ("a", "a", None, "b"):
        lane.answer(request)
        lane.answering = False
    assert lane.turns == 3


@pytest.mark.parametrize("archive", ["claude", "codex", "gemini"])
def test_recorded_sessions_are_decided_about(tmp_path, archive):
    """In each format the rule for `git log` claims what that tool stored of it."""
    name, place = {
        "claude": ("claude.jsonl", "-repo/a.jsonl"),
        "codex": ("codex.jsonl", "rollout-1.jsonl"),
        "gemini": ("gemini.json", "0a/chats/session-1.json"),
    }[archive]
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((RECORDED / name).read_bytes())
    record = measure(tmp_path, archive)
    assert record["results"]["decided"] > 3
    assert any(row["rule"] == "bash.git_log" for row in record["rows"])
    text = json.dumps(record)
    assert not [word for word in ("Change number", "/repo", "a.txt", "toolu", "call_", "a1b2c3") if word in text]


def test_what_was_compressed_already_is_set_apart(tmp_path):
    """Summaries, envelopes and texts with a pointer: counted, and in no row."""
    compressor = Compressor.default(enable="curated", store=False, unrecoverable_ok=True)
    view = compressor.view(ToolResult("bash", LOG * 3, {"command": "git log --oneline"}, STREAMS))
    assert str(view.content).startswith("[tool_output_compression]")
    ours = [view.content, "some\ntext\noriginal: cablese show 482910557213004", '{"codec":"line_rle.v0","how":"x"}']
    write(tmp_path / "a.jsonl", *(result(str(n), text) for n, text in enumerate(ours)), result("9", "original: x"))
    record = measure(tmp_path)
    assert record["results"]["already_compressed"] == 3
    assert not is_ours("original: cablese show it\nand more")


def test_the_costliest_commands_without_a_rule_are_told(tmp_path):
    """Twenty shapes at most, the costliest first, and nothing of their arguments."""
    events = []
    for number in range(30):
        command = f"tool{chr(97 + number % 26)}{'x' * (number // 26)} --secret={number} secret.txt"
        events.append(result(f"c{number}", "word " * (number + 1), arguments={"command": command}))
    write(tmp_path / "a.jsonl", *events, TURN)
    unclaimed = measure(tmp_path)["unclaimed"]
    assert (unclaimed["shapes"], len(unclaimed["costliest"])) == (30, 20)
    tokens = [shape["tokens_over_turns"] for shape in unclaimed["costliest"]]
    assert tokens == sorted(tokens, reverse=True)
    assert unclaimed["costliest"][0]["shape"] == "tooldx"
    assert "secret" not in json.dumps(unclaimed)


@pytest.mark.parametrize(
    ("command", "shape"),
    [
        ("git status", "git status"),
        ("git -C secret status", "git"),
        ("git secret.txt", "git"),
        ("cat secret", "cat"),
        ("make secret", "make"),
        ("yarn secret", "yarn"),
        ("npm run secret", "npm run"),
        ("cd secret && git log", "git log (compound)"),
        ("FOO=secret cargo build 2>&1", "cargo build"),
        ("grep secret x | head", "grep (compound)"),
        ("cat <<EOF\nsecret\nEOF", "cat (compound)"),
        ("./secret.sh", "(path)"),
        ("/usr/bin/secret | x", "(path) (compound)"),
        ("Secret", "(other)"),
        ("'secret'", "(other)"),
        ("python3.11 -c secret", "python3.11"),
        ("", "(no command)"),
        (None, "(no command)"),
    ],
)
def test_shapes(command, shape):
    """Program, and subcommand where the program is known to have some."""
    assert shape_of(command) == shape


WORDS = st.sampled_from(["git", "cd", "x", "SECRET", "se-cret/", "&&", "|", "$(", "=", "-v"])


@given(st.text(max_size=60) | st.lists(WORDS).map(" ".join))
def test_a_shape_is_a_plain_word_or_two(command):
    """Of letters, digits and few marks; what begins like a secret in capitals is nowhere in it."""
    shape = shape_of(command)
    program, *rest = shape.removesuffix(" (compound)").split(" ")
    assert len(shape) < 70
    assert "SECRET" not in shape
    assert not rest or program == "(no" or (program in WITH_SUBCOMMANDS and len(rest) == 1)


@pytest.mark.parametrize(
    ("command", "shape"),
    [
        ("MSG='deploy hunter2 now' ./run", "(other)"),
        ('A=1 MSG="deploy hunter2 now" ./run', "(other)"),
        ("MSG=deploy\\ hunter2 ./run", "(other)"),
        ("MSG=${X:-deploy hunter2 now} ./run", "(other)"),
        ('cd "x && hunter2 y"', "cd (compound)"),
        ("cd ${X:-a;hunter2 y} && make", "cd (compound)"),
        ("CI=1 N= make A=1", "make"),
        ("cd $HOME && make", "make (compound)"),
    ],
)
def test_a_part_of_a_quoted_value_is_no_program(command, shape):
    """White space and marks within quotes begin no new word and no new command."""
    assert shape_of(command) == shape


def slow_repeats(texts):
    """Return lines and repeated lines of each text, by comparing every run with every earlier text."""
    found = []
    earlier = []
    for text in texts:
        lines = text.split("\n")
        lines = lines[:-1] if not lines[-1] else lines
        marked = set()
        for at in range(len(lines) - RUN + 1):
            run_ = lines[at : at + RUN]
            if any(run_ == old[start : start + RUN] for old in earlier for start in range(len(old) - RUN + 1)):
                marked.update(range(at, at + RUN))
        found.append((len(lines), len(marked)))
        earlier.append(lines)
    return found


@given(st.lists(st.lists(st.sampled_from("ab"), max_size=24).map("\n".join), max_size=5))
def test_repeated_lines_are_those_of_runs_that_were_shown_before(texts):
    """Against comparing everything with everything; a result is not compared with itself."""
    session = Repeats()
    assert [session.take(text) for text in texts] == slow_repeats(texts)


def test_what_is_remembered_of_a_session_is_bounded(tmp_path, monkeypatch):
    """Beyond it nothing is learned, and the report says so."""
    monkeypatch.setattr(repeats, "MOST", 3)
    text = "\n".join(str(number) for number in range(20))
    write(tmp_path / "a.jsonl", result("1", text), result("2", text))
    record = measure(tmp_path)
    assert (record["repeats"]["lines"], record["repeats"]["repeated_lines"]) == (40, RUN + 2)
    assert "not seen" in " ".join(record["warnings"])


def test_processes_give_the_same_figures(tmp_path, monkeypatch):
    """One, several, and files in another order."""
    monkeypatch.setattr(run, "_SMALL", 0)
    for number in range(5):
        write(tmp_path / f"s{number}.jsonl", TURN, *logged("1"), TURN, result("2", f"{number} words " * number), TURN)
    one = measure(tmp_path)
    assert measure(tmp_path, jobs=3) == one
    work = plan_rules("sessions", "o200k_base", RULES_LIMITS)
    sample = find_sessions(str(tmp_path), work)
    shuffled = measure_sample(sample._replace(selected=sample.selected[::-1]), work)
    assert shuffled.to_bytes() == measure_sample(sample, work).to_bytes()
    sample.close()


def test_another_configuration_is_another_measurement(tmp_path, monkeypatch):
    """A process that would decide otherwise refuses the work."""
    work = plan_rules("sessions", "o200k_base", RULES_LIMITS)
    _compressors.clear()
    assert compressor_for(work) is compressor_for(work)
    _compressors.clear()
    config = tmp_path / "config.toml"
    config.write_text('disable = ["bash.git_log"]\n')
    monkeypatch.setenv("CABLESE_CONFIG", str(config))
    with pytest.raises(MergeError, match="settings"):
        compressor_for(work)
    assert plan_rules("sessions", "o200k_base", RULES_LIMITS, admit="exact").basis != work.basis


class _Lethal(dict):
    """Work that ends the process which receives it."""

    def __reduce__(self):
        return os._exit, (3,)


def test_a_process_that_is_lost_is_an_error(tmp_path, monkeypatch):
    """No figures come of a part of the files."""
    monkeypatch.setattr(run, "_SMALL", 0)
    for number in range(2):
        write(tmp_path / f"s{number}.jsonl", TURN)
    work = plan_rules("sessions", "o200k_base", RULES_LIMITS)
    sample = find_sessions(str(tmp_path), work)
    with make_pool(2, sample) as pool, pytest.raises(LostProcessError, match="--jobs 1"):
        measure_sample(sample, work._replace(packs=_Lethal()), pool)
    sample.close()


_JOINTS = st.sampled_from(
    [" ", " --token=", " '", ' "', "; ", " && ", " | ", " > ", "=", "\n", " $(", " `", "\t", "/", " \\"]
)


@given(
    st.sampled_from(["", "A=1 ", "MSG='", "cd x && ", "cd 'x' && ", "X=${Y} ", "(", "! "]),
    st.sampled_from(["git", "make", "docker", "python3", "./run", "npm", "sudo", "env"]),
    st.lists(st.tuples(_JOINTS, st.sampled_from(["s3cret", "S3CRET", "a", "-x", "'", '"', "s3cret/path"])), max_size=6),
)
def test_nothing_but_program_and_subcommand_is_told(before, program, parts):
    """Whatever quotes, settings and joints stand around it, an argument is in no shape."""
    shape = shape_of(before + program + "".join(joint + word for joint, word in parts))
    assert "s3cret" not in shape.lower()
