"""Packs are exchanged in a running process: wholly or not at all, and under no decision that has begun."""

import asyncio
import logging
import os
import threading
from pathlib import Path

import pytest
from cablese import Compressor, ToolResult
from cablese.cli.main import main
from cablese.runtime import MemoryStore, ReloadError
from cablese.runtime.decision.walk import Context
from cablese.runtime.hosting import reloading
from cablese.runtime.packs.catalogue import Catalogue
from cablese.runtime.settings import Settings

from .workshop import OUTPUT, make_key, make_pack

RESULT = ToolResult("bash", OUTPUT, {"command": "demo list"}, {"stdout": OUTPUT, "stderr": "", "exit_code": 0})
LARGE = OUTPUT * 400
LARGE_RESULT = ToolResult("bash", LARGE, {"command": "demo list"}, {"stdout": LARGE, "stderr": "", "exit_code": 0})


def replace(path, data):
    """Write a file as `compile` does: under another name first."""
    beside = Path(f"{path}.new")
    beside.write_bytes(data)
    beside.replace(path)


@pytest.fixture
def pack(tmp_path):
    """Write a pack whose summary says `items`."""
    path = tmp_path / "team.cablepack"
    path.write_bytes(make_pack())
    return path


@pytest.fixture
def clock(monkeypatch):
    """Give a clock that stands still until it is told to go on."""

    class Clock:
        now = 1000.0

        def __call__(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(reloading, "monotonic", clock)
    return clock


def make(pack, **more):
    """Make a compressor with the pack."""
    return Compressor.default(enable="team", packs=[str(pack)], store=MemoryStore(), **more)


def says(compressor, result=RESULT):
    """Return which word the summary uses, None where the original is shown."""
    view = compressor.view(result)
    return None if view.content is result.content else next(w for w in ("items", "things") if f"{w}:" in view.content)


NEWER = {"version": "1.1.0", "word": "things"}


def test_a_reload_uses_the_file_as_it_is_now(pack):
    """True where something changed, False where nothing did; a pack that did not change is the same object."""
    compressor = make(pack)
    assert says(compressor) == "items"
    first = compressor.catalogue.packs()
    assert not compressor.reload()
    assert compressor.catalogue.packs() == first
    replace(pack, make_pack(**NEWER))
    assert says(compressor) == "items"
    assert compressor.reload()
    assert says(compressor) == "things"
    assert compressor.catalogue.packs()[1:] == first[1:]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (make_pack(**NEWER)[:-1], "the file ends"),
        (make_pack(**NEWER).replace(b"things: ", b"thongs: "), "its digest does not hold"),
        (make_pack(**NEWER).replace(b"cablepack 1", b"cablepack 2"), "made by a newer version"),
        (b"", "the file ends"),
        (None, "no such file"),
        (make_pack(version="0.9.0"), "an older version: team 0.9.0, and 1.0.0 is in use"),
        (make_pack(rule="bash.git_log", command="git log"), "two packs own one rule"),
    ],
)
def test_on_any_fault_the_packs_stay_as_they_are(pack, data, words):
    """The error says why; a later good file is taken."""
    compressor = make(pack)
    if data is None:
        pack.unlink()
    else:
        replace(pack, data)
    before = compressor.catalogue
    with pytest.raises(ReloadError, match=words):
        compressor.reload()
    assert compressor.catalogue is before
    assert says(compressor) == "items"
    replace(pack, make_pack(**NEWER))
    assert compressor.reload()
    assert says(compressor) == "things"


def test_a_pack_that_was_damaged_from_the_start_is_taken_once_it_is_whole(pack):
    """Until then nothing is summarised, and the compressor says why."""
    good = pack.read_bytes()
    replace(pack, good[:-1])
    compressor = make(pack, installed=False)
    assert says(compressor) is None
    assert "the file ends" in compressor.fault
    with pytest.raises(ReloadError, match="the file ends"):
        compressor.reload()
    replace(pack, good)
    assert compressor.reload()
    assert (says(compressor), compressor.fault) == ("items", None)


def test_an_older_version_is_taken_where_that_is_said(pack):
    """A rollback is a wish of its own."""
    compressor = make(pack)
    replace(pack, make_pack(version="0.9.0", word="things"))
    assert compressor.reload(allow_downgrade=True)
    assert says(compressor) == "things"
    assert not compressor.reload()


def test_files_are_looked_at_so_often_and_taken_when_they_change(pack, clock, caplog):
    """Between two looks nothing is asked of the disk; a fault is logged once, and a good file is taken after it."""
    compressor = make(pack, reload_s=30)
    replace(pack, make_pack(**NEWER))
    clock.now += 29
    assert says(compressor) == "items"
    clock.now += 2
    assert says(compressor) == "things"
    replace(pack, b"cablepack 1 ")
    for _ in range(3):
        clock.now += 31
        assert says(compressor) == "things"
    assert [record.getMessage() for record in caplog.records] == [
        f"the packs stay as they are: {pack}: the pack is damaged: the file ends in its first line"
    ]
    replace(pack, make_pack(version="1.2.0"))
    clock.now += 31
    assert says(compressor) == "items"


def test_looking_costs_nothing_between_two_looks(pack, clock, monkeypatch):
    """No file is asked for."""
    compressor = make(pack, reload_s=30)
    says(compressor)
    monkeypatch.setattr(reloading, "_print", pytest.fail)
    assert says(compressor) == "items"


def test_a_file_that_is_written_in_place_changes_nothing_but_the_next_reload(pack, clock):
    """With `reload_s` packs are in memory: a copy that is not finished, or never will be, is no part of a decision."""
    compressor = make(pack, reload_s=30)
    with pack.open("r+b") as file:
        file.write(b"\0" * 700)
    assert says(compressor) == "items"
    clock.now += 31
    assert says(compressor) == "items"


def test_threads_see_one_pack_or_the_other(pack):
    """While packs are exchanged all the time, each view is whole, and none is lost."""
    compressor = make(pack)
    ends = threading.Event()
    seen, errors = set(), []

    def view():
        try:
            while not ends.is_set():
                seen.add(says(compressor))
        except Exception as error:  # noqa: BLE001 - told by the assertion below
            errors.append(error)

    threads = [threading.Thread(target=view) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(12):
        replace(pack, make_pack(version=f"1.{number}.1", word=("things", "items")[number % 2]))
        assert compressor.reload()
    ends.set()
    for thread in threads:
        thread.join()
    assert (seen, errors) == ({"items", "things"}, [])


def test_a_decision_goes_on_with_the_packs_that_it_began_with(pack):
    """The exchange in the middle of a decision shows in the next one."""
    compressor = make(pack)

    def exchange(name, _):
        if name == "command":
            replace(pack, make_pack(**NEWER))
            assert compressor.reload()

    assert "items: 99" in compressor.view(RESULT, exchange).content
    assert "things: 99" in compressor.view(RESULT).content


def test_helper_processes_decide_with_the_new_packs(pack, clock, monkeypatch):
    """Large results of an event loop: the helper that has the old pack takes the new one, no thread in its place."""
    from cablese.runtime.hosting import offload

    fallen = []
    monkeypatch.setattr(offload.Offload, "_here", lambda _, job: fallen.append(job))

    async def run():
        async with make(pack, reload_s=30) as compressor:
            first = (await compressor.view_async(LARGE_RESULT)).content
            replace(pack, make_pack(**NEWER))
            clock.now += 31
            second = (await compressor.view_async(LARGE_RESULT)).content
        return first, second

    first, second = asyncio.run(run())
    assert "items: 39600" in first
    assert "things: 39600" in second
    assert fallen == []


def test_the_packs_of_a_project_follow_what_the_user_trusts(tmp_path, monkeypatch, clock, caplog, capsys):
    """A new digest waits for `cablese trust`, an older version for `--allow-downgrade`; what is removed is gone."""
    project = tmp_path / "work" / ".cablese"
    project.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "work")
    pack = project / "pack.cablepack"
    pack.write_bytes(make_pack())
    assert main(["trust", str(pack)]) == 0
    compressor = Compressor.default(enable="team", store=MemoryStore(), reload_s=1)
    monkeypatch.chdir(tmp_path)

    def later():
        clock.now += 2
        return says(compressor)

    assert later() == "items"
    replace(pack, make_pack(**NEWER))
    assert later() == "items"
    assert "not trusted: cablese trust" in caplog.records[-1].getMessage()
    assert main(["trust", str(pack)]) == 0
    assert later() == "things"
    replace(pack, make_pack())
    assert later() == "things"
    assert "an older version: team 1.0.0, and 1.1.0 was trusted before" in caplog.records[-1].getMessage()
    assert main(["trust", str(pack)]) == 1
    assert "an older version" in capsys.readouterr().err
    assert later() == "things"
    assert main(["trust", "--allow-downgrade", str(pack)]) == 0
    assert later() == "items"
    (project / "config.toml").write_text('disable = ["demo.list"]')
    assert later() is None
    (project / "config.toml").write_text("broken [")
    assert later() is None
    (project / "config.toml").unlink()
    assert later() == "items"
    pack.unlink()
    assert later() is None


def test_a_signature_that_is_demanded_is_demanded_of_the_next_pack(tmp_path, pack, monkeypatch):
    """An unsigned pack does not take the place of a signed one."""
    ours, theirs = make_key(tmp_path, "ours"), make_key(tmp_path, "theirs")
    config = tmp_path / "config.toml"
    config.write_text(f'[packs]\nrequire_signature = true\nkeys = ["{ours.public}"]\n')
    monkeypatch.setenv("CABLESE_CONFIG", str(config))
    replace(pack, make_pack(keys=[ours]))
    compressor = make(pack)
    for data, words in ((make_pack(**NEWER), "not signed"), (make_pack(**NEWER, keys=[theirs]), "signed by another")):
        replace(pack, data)
        with pytest.raises(ReloadError, match=words):
            compressor.reload()
        assert says(compressor) == "items"
    replace(pack, make_pack(**NEWER, keys=[ours]))
    assert compressor.reload()
    assert says(compressor) == "things"


def test_where_originals_are_kept_stays_as_it_is(pack, tmp_path, monkeypatch):
    """Handles that were shown go on working, whatever the configuration says now; the last line is the new one."""
    config = tmp_path / "config.toml"
    config.touch()
    monkeypatch.setenv("CABLESE_CONFIG", str(config))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    compressor = Compressor.default(enable="team", packs=[str(pack)])
    handle = compressor.view(RESULT).decision.handle
    config.write_text(f'hint = "ask for {{handle}}"\n[store]\npath = "{tmp_path}/other.sqlite3"\n')
    assert compressor.reload()
    assert "ask for" in compressor.view(RESULT).content
    assert compressor.recover(handle) == OUTPUT
    assert not (tmp_path / "other.sqlite3").exists()


def test_what_cannot_be_reloaded_says_so(pack, tmp_path, monkeypatch):
    """A context of the host's, a configuration that was broken from the start, a span of time that is none."""
    with pytest.raises(ReloadError, match="a context of its host"):
        Compressor(Context(Settings(), Catalogue(Settings()), None)).reload()
    with pytest.raises(ValueError, match="`reload_s` is -1"):
        make(pack, reload_s=-1)
    (tmp_path / "config.toml").write_text("x = 1")
    monkeypatch.setenv("CABLESE_CONFIG", str(tmp_path / "config.toml"))
    compressor = make(pack, reload_s=1)
    with pytest.raises(ReloadError, match="`x` is not known"):
        compressor.reload()


def test_a_new_pack_that_is_damaged_is_left_out_and_told(pack, tmp_path, monkeypatch, caplog):
    """It replaces nothing, so it keeps nothing else from being taken."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    compressor = make(pack)
    (tmp_path / "bad.cablepack").write_bytes(b"x")
    (tmp_path / "home/cablese").mkdir(parents=True)
    (tmp_path / "home/cablese/trusted").write_text(f"{'0' * 64} {tmp_path}/bad.cablepack\n")
    replace(pack, make_pack(**NEWER))
    with caplog.at_level(logging.WARNING):
        assert compressor.reload()
    assert says(compressor) == "things"
    assert f"{tmp_path}/bad.cablepack: not a pack" in caplog.text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_reloads_on_its_own(pack):
    """Also when a thread of the parent was at it."""
    compressor = make(pack)
    replace(pack, make_pack(**NEWER))
    assert compressor.reload()
    with compressor._reloads._lock:
        child = os.fork()
        if child == 0:
            replace(pack, make_pack(version="1.2.0"))
            os._exit(0 if compressor.reload() and says(compressor) == "items" else 1)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert says(compressor) == "things"
