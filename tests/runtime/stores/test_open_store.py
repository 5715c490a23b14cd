"""The store that a path or a URL names, and errors that say what is known."""

import os
import sys
from importlib.metadata import EntryPoint
from typing import NamedTuple

import pytest
from cablese import Compressor, ToolResult
from cablese.cli.main import main
from cablese.runtime import MemoryStore, SqliteStore, StoreError
from cablese.runtime.settings import Settings, SettingsError, read_settings
from cablese.runtime.stores.file_store import FileStore
from cablese.runtime.stores.open_store import ConfiguredStore, open_store, scheme_of
from cablese.runtime.stores.redis_store import RedisStore


class Done(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("/x/store", SqliteStore), ("relative", SqliteStore), ("sqlite:///x/store", SqliteStore),
        ("SQLite:///x/a%20b", SqliteStore), ("files:///x", FileStore), ("redis://h:1/0", RedisStore),
        ("rediss://h", RedisStore), ("unix:///s?db=1", RedisStore),
    ],
)  # fmt: skip
def test_forms_and_their_stores(url, kind):
    """Each form has its store, and opening connects to nothing."""
    assert isinstance(open_store(url), kind)


@pytest.mark.parametrize("url", ["sqlite://relative", "files://host/x", "files://", "sqlite:///x%00"])
def test_paths_in_urls_are_absolute(url):
    """A URL of a file has no host, and begins at the root."""
    with pytest.raises(StoreError):
        open_store(url)


def test_an_unknown_scheme_names_the_known_ones():
    """Without what stands behind it, which may be a password."""
    for plugins in (False, True):
        with pytest.raises(StoreError) as refusal:
            open_store("reddis://user:swordfish@host", plugins=plugins)
        assert str(refusal.value) == ("no store is known for `reddis://`; known are sqlite, files, redis, rediss, unix")


@pytest.mark.parametrize("text", ["/a://b", "c:\\x", "://x", "a b://x", "1x://y", "é://x", ""])
def test_what_is_no_url_is_a_path(text):
    """Only a scheme of letters makes a URL."""
    assert scheme_of(text) is None


def make_plugin(url, retention):
    """Make the store of a test's entry point."""
    if "broken" in url:
        raise RuntimeError("out of order")
    return MemoryStore(bytes(32), retention)


def test_entry_points_are_for_hosts_alone(monkeypatch):
    """A scheme of an installed package works where plugins are asked for; what it raises is a StoreError."""
    entry = EntryPoint("mine", f"{__name__}:make_plugin", "cablese.stores")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [entry] if group == "cablese.stores" else [])
    monkeypatch.setattr(EntryPoint, "load", lambda _: make_plugin)
    assert isinstance(open_store("mine://x", plugins=True), MemoryStore)
    with pytest.raises(StoreError, match="cannot be opened: RuntimeError: out of order"):
        open_store("mine://broken", plugins=True)
    with pytest.raises(StoreError, match="known are sqlite, files, redis, rediss, unix, mine"):
        open_store("other://x", plugins=True)
    with pytest.raises(StoreError, match="no store is known for `mine://`"):
        open_store("mine://x")
    store = ConfiguredStore(Settings(store="mine://x"), plugins=True)
    store.log(b"{}")
    assert list(store.entries()) == [b"{}"]


def test_the_configuration_names_a_store(tmp_path):
    """By path or URL in the user's file, by either in the environment; both at once, or neither form, is an error."""

    def read(text, **environ):
        (tmp_path / "config.toml").write_text(text)
        return read_settings({"CABLESE_CONFIG": str(tmp_path / "config.toml"), "HOME": "/h", **environ}, "/").store

    assert read('[store]\nurl = "redis://localhost/1"') == "redis://localhost/1"
    assert read('[store]\nurl = "files:///x"', CABLESE_STORE="sqlite:///y") == "sqlite:///y"
    for wrong in ('url = "x"', "url = 1", 'url = "files:///x"\npath = "/y"', 'path = "/y"\nurl = "files:///x"'):
        with pytest.raises(SettingsError, match="store"):
            read(f"[store]\n{wrong}")


def test_a_configured_store_is_used_by_views_and_the_command_line(kind, url, monkeypatch, tmp_path, capfd):
    """A summary of the command line is kept there, shown from there, forgotten there; the ledger goes along."""
    if kind == "memory":
        return
    monkeypatch.setenv("CABLESE_STORE", url)
    log = "".join(f"{number:07x} step {number} of a longer plan\n" for number in range(200))
    file = tmp_path / "log"
    file.write_text(log)

    def cablese(*words):
        code = main(list(words))
        sys.stdout.flush()
        return Done(code, *capfd.readouterr())

    shown = cablese("view", "--command", "git log --oneline", "--stdout", str(file))
    handle = shown.out.split()[-1]
    assert cablese("show", handle).out == log
    part = cablese("show", handle, "--lines", "2:3")
    assert part.out == "".join(log.splitlines(keepends=True)[1:3])
    assert part.err == "cablese: lines 2-3 of 200\n"
    compressor = Compressor.default(enable="curated")
    assert compressor.recover(handle) == log
    streams = {"stdout": log, "stderr": "", "exit_code": 0}
    view = compressor.view(ToolResult("bash", log, {"command": "git log --oneline"}, metadata=streams))
    assert view.decision.handle == handle
    assert len(list(ConfiguredStore(Settings(store=url)).entries())) >= 3
    assert cablese("forget", handle).out == "1 original dropped\n"
    gone = cablese("show", handle)
    assert (gone.code, gone.err) == (1, "cablese: no original is kept under this handle\n")
    assert cablese("forget", handle).code == 1
    assert cablese("forget", "--all").out == "0 originals dropped\n"
    assert cablese("forget", "--expired").out == "0 originals dropped\n"
    for wrong in ((), ("--all", "--expired"), (handle, "--all")):
        assert cablese("forget", *wrong).code == 2


@pytest.mark.parametrize("place", ["sqlite:///proc/none/store", "files:///proc/none", "redis://127.0.0.1:1/0"])
def test_where_nothing_can_be_kept_the_original_passes(place, monkeypatch):
    """A store that fails costs the summary, never the output; its ledger costs nothing."""
    monkeypatch.setenv("CABLESE_STORE", place)
    log = "".join(f"{number:07x} step {number} of a longer plan\n" for number in range(200))
    streams = {"stdout": log, "stderr": "", "exit_code": 0}
    view = Compressor.default(enable="curated", ledger=True).view(
        ToolResult("bash", log, {"command": "git log --oneline"}, metadata=streams)
    )
    assert view.content is log
    assert view.decision.reason == "store_failed"
    assert os.environ["CABLESE_STORE"].partition("://")[2].split("/")[0] in view.decision.detail
