"""Files that take in others: what they see, and what findings say about it."""

from __future__ import annotations

from cablese.compiler import check_sources, compile_sources

from .rules import sketch, underlined

LIBRARY = (
    'word title = [A-Za-z]+\n\nlines jobs {\n  job  = "[{n:int}] Running {name:title}"\n  done = "{n:int} jobs"\n}\n'
)
USER = sketch(before='use "../shared/jobs.cable"\n\n', uses=" with jobs").replace(
    '    job  = "[{n:int}] Running {name}"\n    done = "{n:int} jobs"', "    "
)


def reader(files):
    """Return a way to read files that are held in memory."""
    return lambda path: files[path].encode()


def test_shared_definitions_are_taken_in_by_relative_path():
    """The path is relative to the file; the file is read when it was not given."""
    done = compile_sources(
        {"team/jobs.cable": USER}, name="t", version="1", draft=True, read=reader({"shared/jobs.cable": LIBRARY})
    )
    assert done.diagnostics == ()
    given = compile_sources({"team/jobs.cable": USER, "shared/jobs.cable": LIBRARY}, name="t", version="1", draft=True)
    assert given.pack == done.pack


def test_findings_stand_in_the_file_they_are_about():
    """A wrong pattern of a shared block is shown there, once, however many rules take it in."""
    bad = LIBRARY.replace(":title}", ":titel}")
    files = {
        "team/a.cable": USER,
        "team/b.cable": USER.replace("bash.jobs", "bash.jobs_too").replace("command  jobs", "command  work"),
    }
    (found,) = check_sources(files, draft=True, read=reader({"shared/jobs.cable": bad}))
    assert (found.code, found.source.path, underlined(found)) == ("E0301", "shared/jobs.cable", "titel")


def test_a_broken_file_does_not_make_its_users_look_wrong():
    """Names that a file with a syntax error should have defined are not reported missing."""
    broken = LIBRARY.replace("word title =", "word title")
    found = check_sources({"team/jobs.cable": USER}, draft=True, read=reader({"shared/jobs.cable": broken}))
    assert {each.source.path for each in found} == {"shared/jobs.cable"}
    assert {each.code[:3] for each in found} == {"E01"}


def test_circles_are_errors():
    """Files, blocks and definitions may not take in themselves; the message shows the way round."""
    files = {"a.cable": 'use "b.cable"\n' + sketch(), "b.cable": 'use "a.cable"\n'}
    assert [each.code for each in check_sources(files, draft=True)] == ["E0201"]
    blocks = 'lines one with two {\n  a = "a"\n}\n\nlines two with one {\n  b = "b"\n}\n\n'
    found = check_sources({"a.cable": blocks + sketch(uses=" with one", stdout="job* done a* b*")}, draft=True)
    assert "E0204" in [each.code for each in found]


def test_files_of_a_circle_still_compile_alone_by_name():
    """Two files with the same shared name cannot be taken in together."""
    files = {
        "a.cable": 'use "b.cable"\nuse "c.cable"\n' + sketch(),
        "b.cable": "word w = [a]\n",
        "c.cable": "word w = [b]\n",
    }
    assert "E0203" in [each.code for each in check_sources(files, draft=True)]


def test_a_library_may_hold_more_than_is_used():
    """Unused definitions are reported where there are rules beside them, not in a library."""
    assert not check_sources({"lib.cable": LIBRARY})
    found = check_sources({"a.cable": LIBRARY + sketch()}, draft=True)
    assert [each.code for each in found] == ["E0205"]


def test_blocks_may_lean_on_each_other():
    """A block may name what another one defines, as long as a rule takes in both."""
    shared = 'lines outer {\n  list = job+\n}\n\nlines inner {\n  job  = "[{n:int}] Running {name}"\n}\n\n'
    both = sketch(before=shared, uses=" with outer, inner", stdout="list done", lines='done = "{n:int} jobs"')
    assert not check_sources({"a.cable": both}, draft=True)
    one = both.replace(" with outer, inner", " with outer").replace("count job", "count list")
    assert [each.code for each in check_sources({"a.cable": one}, draft=True)] == ["E0202", "E0205"]


def test_two_rules_of_one_name_are_a_finding():
    """Within a file and over files, also where both compile and have examples."""
    example = 'example "a" {\n    command "work"\n    stdout "2 jobs\\n"\n    shows "running: 0"\n  }'
    one, other = sketch(), sketch(command="work { }", examples=example)
    for files in ({"a.cable": one + "\n" + other}, {"a.cable": one, "b.cable": other}):
        (found,) = check_sources(files, draft=True)
        assert (found.code, underlined(found)) == ("E0203", "bash.jobs")
