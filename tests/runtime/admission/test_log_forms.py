"""Logs: the exact form gives every character back; severity first never leaves out what may matter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cablese.runtime.admission import log, log_lines, log_severity
from cablese.runtime.admission.kinds import DecodeError, NotThisKindError
from cablese.runtime.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

from .texts import CODE, DIFF, NOTHING, PATHS, PROSE, SEARCH

RECORDED = sorted((Path(__file__).parent / "corpus" / "log").glob("*.txt"))
ENTRIES = st.sampled_from(
    [
        "2026-01-02T15:04:05.120Z web-1 INFO request 17 done",
        "2026-01-02T15:04:06.120Z web-1 INFO request 18 done",
        "2026-01-02T15:04:06.220Z web-2 WARN no route",
        "2026-01-02T15:04:06.320Z",
        "2026-01-02T15:04:06.420Z *",
        "2026-01-02T15:05:06.520Z web-1 | = *",
        "2026-01-02 15:04:05,123 - app.db - DEBUG - hit",
        "Jan  2 15:04:05 web-1 sshd[12]: Accepted publickey",
        "E0102 15:04:05.000000   123 server.go:12] boom",
        "[INFO] x", "INFO:root:y", "=2026", "|2026-01-02", "  at c.e.App.main(App.java:12)",
        "Traceback (most recent call):",
        "", "\t", "a\r", "*", "=", "|", "=a*b", "ValueError: 東京",
        '10.0.0.1 - - [02/Jan/2026:15:04:05 +0000] "GET / HTTP/1.1" 200 5',
    ]
)  # fmt: skip
LEVELS = {
    "python": "2026-01-02 15:04:05,123 - app.db - {} - text {}",
    "log4j": "2026-01-02 15:04:05,123 {} [main] c.e.App - text {}",
    "log4j, level behind the thread": "2026-01-02 15:04:05,123 [main] {} c.e.App - text {}",
    "spring": "2026-01-02T15:04:05.123+01:00  {} 812 --- [main] c.e.App : text {}",
    "bracketed": "[2026-01-02 15:04:05] [{}] text {}",
    "level first": "{}:app:text {}",
    "maven": "[{}] text {}",
    "logfmt": 'time="2026-01-02T15:04:05Z" level={} msg="text {}"',
    "syslog": "Jan  2 15:04:05 web-1 app[12]: {} text {}",
    "compose": "web-1  | 2026-01-02T15:04:05Z {} text {}",
    "short clock": "[15:04:05 {}] text {}",
}


def _log(form, levels):
    return "".join(form.format(level, number) + "\n" for number, level in enumerate(levels))


def _read(text, kind=log_severity):
    return kind.encode(kind.recognise(text))


@given(st.lists(ENTRIES, min_size=3, max_size=60), st.booleans())
def test_any_log_comes_back_to_the_character(lines, ended):
    """Continuation lines, lines that look like the form's own, carriage returns, and whether the last line ends."""
    text = "\n".join(lines) + "\n" * ended
    try:
        parsed = log.recognise(text)
    except NotThisKindError:
        return
    assert log.decode(log.encode(parsed)) == text


def test_a_last_line_that_is_all_beginning_and_does_not_end_comes_back():
    """Nothing would be left of it, and nothing behind it."""
    for text in ("2026-01-02T15:04:06.320Z\n" * 3, "2026-01-02T15:04:06.320Z\n" * 2 + "2026-01-02T15:04:06.320Z"):
        assert log.decode(_read(text, log)) == text


@given(st.sampled_from(RECORDED), st.data())
def test_a_damaged_log_comes_back_too(path, data):
    """Whatever is put into a recorded one."""
    text = path.read_text("utf-8")
    at = data.draw(st.integers(0, len(text)))
    text = (
        text[:at] + data.draw(st.sampled_from(["\n", "=", "|", "*", "\n=a*b\n", "\n|", "\r\n", " ", "é"])) + text[at:]
    )
    assert log.decode(log.encode(log.recognise(text))) == text


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_logs_are_logs_and_exact(path):
    """Those of the corpus, each by its real program."""
    text = path.read_bytes().decode()
    assert log.decode(_read(text, log)) == text


def test_what_lines_begin_with_stands_once():
    """Date, hour, minute and host go in front; what begins otherwise stands as it is."""
    lines = [f"2026-01-02T15:04:{n:02}.120Z web-1 INFO request {n} done" for n in range(12)]
    lines[5] = "java.lang.IllegalStateException: no"
    text = "\n".join(lines) + "\n"
    shown = _read(text, log)
    assert shown.splitlines()[1:4] == [
        "=2026-01-02T15:04:* web-1 INFO request ",
        "00.120Z 0 done",
        "01.120Z 1 done",
    ]
    assert shown.splitlines()[7] == "|java.lang.IllegalStateException: no"
    ours, theirs = count_tokens(shown), count_tokens(text)
    assert all(ours[encoding] < 0.65 * theirs[encoding] for encoding in ours)


@pytest.mark.parametrize("form", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize("above", ["WARN", "ERROR", "FATAL", "CRITICAL", "P1"])
def test_every_entry_of_warn_and_above_stays(form, above):
    """In every form of a level, an unknown one included; what is left out is counted."""
    if above == "P1" and form in (LEVELS["level first"], LEVELS["maven"]):
        above = "WARNING"  # Where nothing but a level begins an entry, a line without one is none.
    low = ["INFO", "DEBUG"] * 6
    text = _log(form, [*low, above, *low, "INFO"])
    lines = text.splitlines()
    assert _read(text).splitlines() == [
        log_severity.HEAD.strip(),
        lines[0],
        "… 11 lines of DEBUG/INFO left out (lines 2-12)",
        lines[12],
        "… 12 lines of INFO/DEBUG left out (lines 14-25)",
        lines[25],
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Killed",
        "bash: part: command not found",
        "E: Unable to locate package part",
        "2026-01-02 15:04:05,123 - app.db - INFO - peer gone: connection refused",
        "2026-01-02 15:04:05,123 - app.db - DEBUG - worker 3: Segmentation fault",
        "2026-01-02 15:04:05,123 - app.db - Warn - disk",
        "2026-01-02 15:04:05,123 - app.db - 警告 - disk",
    ],
)
def test_other_spellings_of_trouble_stay(line):
    """Levels of other languages, lines of other programs, and faults that were logged as information."""
    form = LEVELS["python"]
    text = _log(form, ["INFO"] * 9) + line + "\n" + _log(form, ["INFO"] * 9)
    assert line in _read(text).splitlines()


def test_traces_stay_with_their_entry():
    """All of its lines, also those that begin with no space; and a fault within an entry below WARN."""
    form = LEVELS["python"]
    trace = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 7\n'
    text = _log(form, ["INFO"] * 9) + form.format("ERROR", "x") + "\n" + trace + _log(form, ["DEBUG"] * 9)
    assert form.format("ERROR", "x") + "\n" + trace in _read(text)
    text = _log(form, ["INFO"] * 9) + trace + _log(form, ["DEBUG"] * 9)
    assert trace in _read(text)
    quiet = "  more of it\n  and more\n"
    text = _log(form, ["INFO"] * 9) + quiet + _log(form, ["INFO"] * 9)
    assert "… 18 lines of INFO left out (lines 2-19)" in _read(text)


@pytest.mark.parametrize(
    "line",
    [
        "2026-01-02 15:04:05,123 - app - INFO - 3 errors",
        "2026-01-02 15:04:05,123 - app - INFO - build failed",
        "2026-01-02 15:04:05,123 - app - INFO - raised IOError",
        "2026-01-02 15:04:05,123 - app - AUDIT - text of level INFO",
        "2026-01-02 15:04:05,123 INFO at another place",
        "2026-01-02 15:04:05,123 - app - text",
    ],
)
def test_what_is_not_surely_below_warn_stays(line):
    """A word that tells of a fault, an unknown level, a level in another place than in this log."""
    log_text = _log(LEVELS["python"], ["INFO"] * 20)
    assert line in _read(log_text + line + "\n" + log_text).splitlines()


@given(st.lists(ENTRIES, min_size=3, max_size=60))
def test_nothing_is_changed_and_every_count_is_true(lines):
    """What stays, with as many lines in the place of each count as it says, is the log."""
    text = "\n".join(lines)
    try:
        shown = _read(text)
    except NotThisKindError:
        return
    restored = []
    for line in shown.removeprefix(log_severity.HEAD).split("\n"):
        found = re.fullmatch(r"… (\d+) lines of [A-Z/]+ left out \(lines (\d+)-(\d+)\)", line)
        if found is None:
            restored.append(line)
            continue
        count, first, last = map(int, found.groups())
        assert (first, last) == (len(restored) + 1, len(restored) + count)
        left_out = lines[first - 1 : last]
        assert not any(re.search("(?i)warn|error|boom", each) for each in left_out)
        restored += left_out
    assert restored == lines


@pytest.mark.parametrize(
    "text",
    [
        CODE, DIFF, PATHS, PROSE, SEARCH, NOTHING,
        "src/a.c:3:5: error: expected ';'\nsrc/a.c:9:1: warning: unused\n" * 20,
        "NAME   READY   AGE\nweb    1/1     2d\napi    1/1     3d\ndb     1/1     4d\n",
        "error: could not compile\nwarning: unused\n" * 20,
        "".join(f"step {n} of 40 at 15:04:{n:02}\n" for n in range(40)),
    ],
)  # fmt: skip
def test_other_text_is_no_log(text):
    """Code, diffs, paths, matches, prose, tables, messages of compilers."""
    for kind in (log, log_severity):
        with pytest.raises(NotThisKindError):
            kind.recognise(text)


def test_forms_and_marks_of_ours_within_a_text_are_no_log():
    """A text that begins as a form does is of no kind, nor does one with such a count have one with counts."""
    text = _log(LEVELS["python"], ["INFO"] * 20)
    for shown in (_read(text), _read(text, log)):
        for kind in (log, log_severity):
            with pytest.raises(NotThisKindError):
                kind.recognise(shown)
    with pytest.raises(NotThisKindError):
        log_severity.recognise(text + "… 4 lines of INFO left out (lines 2-5)\n" + text)
    assert log.decode(_read(text + "=2026\n|2026\n", log)) == text + "=2026\n|2026\n"


def test_what_no_encoder_wrote_is_refused():
    """A beginning that is chosen otherwise, a line without one, a star without an end."""
    shown = _read(_log(LEVELS["python"], ["INFO"] * 9), log)
    for other in (
        shown[len(log.HEAD) :], log.HEAD, log.HEAD + "a\n", log.HEAD + "=a*\nb\n",
        shown.replace("\n=2026-01", "\n=2026"),
        shown + "|x\n" * 40, shown.replace("\n=", "\n=x\n=", 1),
    ):  # fmt: skip
        with pytest.raises(DecodeError):
            log.decode(other)


def test_what_does_not_begin_as_a_log_is_not_read_to_its_end(monkeypatch):
    """A long text is refused by its beginning, a log with a banner before it is not."""
    read = []
    entry = log_lines._entry
    monkeypatch.setattr(log_lines, "_entry", lambda line: (read.append(line), entry(line))[1])
    with pytest.raises(NotThisKindError):
        log_lines.entries(["nothing of a log"] * 5_000)
    assert len(read) < 1_000
    banner = ["a banner"] * 100
    assert log_lines.entries([*banner, *("2026-03-01 10:00:00 INFO ready",) * 900]).count(None) == len(banner)
