"""Settings: environment over project over user; projects only narrow; whatever is not understood is an error."""

import os

import pytest
from cablese.runtime.settings import Settings, SettingsError, read_settings


@pytest.fixture
def home(tmp_path):
    """Make a home with a user's folder, and a project below it."""
    for folder in ("home/.config/cablese", "home/work/.cablese", "home/work/src/deep"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path / "home"


def read(home, user=None, project=None, trusted=None, folder="work/src/deep", **environ):
    """Write the files that are given and read the settings that hold in a folder."""
    for path, text in (
        (".config/cablese/config.toml", user),
        ("work/.cablese/config.toml", project),
        (".config/cablese/trusted", trusted),
    ):
        if text is not None:
            (home / path).write_text(text)
    return read_settings({"HOME": str(home), **environ}, str(home / folder))


def test_without_files_nothing_is_on(home):
    """The documents leave summaries off until they are enabled."""
    settings = read(home)
    assert settings.enabled == frozenset()
    assert settings.ceiling("bash.git_log", "bash") == "aggressive"
    assert settings.store == str(home / ".local/state/cablese/store.sqlite3")
    assert settings.hint == "cablese show {handle}"


def test_the_environment_comes_first(home):
    """Kill switch, store and configuration file by environment; relative XDG folders do not count."""
    other = home / "other.toml"
    other.write_text('enable = ["x"]')
    settings = read(
        home, user='enable = ["y"]', CABLESE_CONFIG=str(other), CABLESE_STORE="/s", XDG_STATE_HOME="relative"
    )
    assert (settings.enabled, settings.store) == ({"x"}, "/s")
    assert read(home, XDG_STATE_HOME="/var/state").store == "/var/state/cablese/store.sqlite3"
    assert read(home, user="broken [", CABLESE_DISABLED="1").killed
    assert not read(home, user="", CABLESE_DISABLED="0").killed


def test_a_file_that_the_environment_names_may_still_be_made(home):
    """A place for a configuration is chosen before there is one, and the list of trusted packs is kept beside it."""
    assert read(home, CABLESE_CONFIG=str(home / "no.toml")) == read(home, CABLESE_CONFIG="/dev/null")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (os.mkfifo, "it is not a file"),
        (lambda path: path.symlink_to("/dev/zero"), "it is not a file"),
        (lambda path: path.mkdir(), "it is not a file"),
        (lambda path: (path.touch(), os.truncate(path, 64 * 1024**3)), "a configuration at most 1048576"),
    ],
    ids=["pipe", "device", "folder", "large"],
)
def test_what_a_checkout_has_in_the_place_of_its_file_keeps_nobody_waiting(home, make, words):
    """A pipe without a writer, a device without an end, and gigabytes are refused after a look."""
    make(home / "work/.cablese/config.toml")
    with pytest.raises(SettingsError, match=words):
        read(home)


def test_a_project_narrows(home):
    """Disabling adds up, and the lowest ceiling holds."""
    settings = read(
        home,
        user='enable = ["curated"]\ndisable = ["a"]\nlevel = "normal"\n[levels]\n"bash.git_log" = "normal"',
        project='disable = ["b"]\n[levels]\n"bash.git_log" = "minimal"\n"bash" = "aggressive"',
    )
    assert settings.disabled == {"a", "b"}
    assert settings.ceiling("bash.git_log", "bash") == "minimal"
    assert settings.ceiling("bash.git_diff", "bash") == "normal"


@pytest.mark.parametrize(
    "text", ['enable = ["curated"]', '[store]\npath = "/x"', 'hint = "rm {handle}"', "trusted = []"]
)
def test_a_project_cannot_widen(home, text):
    """What would enable, move or trust something is refused in a project's file."""
    with pytest.raises(SettingsError, match=r"work/\.cablese/config\.toml: `\w+` is not known"):
        read(home, project=text)


def test_packs_count_once_they_are_trusted(home):
    """The trust list names digests, and the files of third parties; a project's pack is found by its place."""
    (home / "work/.cablese/pack.cablepack").write_text("x")
    settings = read(home, trusted="abc\ndef /opt/team.cablepack\n")
    assert settings.trusted == {"abc", "def"}
    assert settings.packs == ("/opt/team.cablepack",)
    assert settings.project_pack == str(home / "work/.cablese/pack.cablepack")
    assert read(home, folder=".").project_pack is None


WRONG = [
    "x = 1", 'enable = "curated"', "enable = [1]", 'level = "high"', "level = 3", "levels = 3", '[levels]\na = "x"',
    "store = 1", '[store]\npath = "relative"', "[store]\nttl = 0", "[store]\nttl = true", '[store]\nttl = "1"',
    "[store]\nx = 1", "hint = 1", 'hint = "show"', 'hint = "{handle} {handle}"', 'hint = "a\\n{handle}"', "a = [", "\\",
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_understood_is_an_error_with_its_file(home, text):
    """Unknown keys, wrong types and broken TOML are named, never skipped."""
    with pytest.raises(SettingsError, match=r"config\.toml"):
        read(home, user=text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('path = "relative"', "`path` is not an absolute path"),
        ('url = "/abs"', "`url` is not the URL of a store"),
        ('path = "/x"\nurl = "files:///x"', "`path` and `url` exclude each other"),
        ('ttl = "7d"', "`ttl` is not a whole number of seconds above 0"),
        ("newest = 0", "`newest` is not a whole number above 0"),
        ("x = 1", "`x` is not known; a store has `path` or `url`, and `ttl`, `newest`, `max_bytes`"),
    ],
)
def test_a_wrong_setting_of_the_store_is_told_from_others(home, text, words):
    """The message is about the setting that is wrong, and about it alone."""
    with pytest.raises(SettingsError) as raised:
        read(home, user=f"[store]\n{text}")
    assert f"`store`: {words}" in str(raised.value)


def test_a_file_that_cannot_be_read_is_an_error(home):
    """Neither a folder nor bytes that are not UTF-8 are taken for a missing file."""
    (home / ".config/cablese/config.toml").write_bytes(b"\xff")
    with pytest.raises(SettingsError):
        read(home)
    (home / ".config/cablese/config.toml").unlink()
    (home / ".config/cablese/config.toml").mkdir()
    with pytest.raises(SettingsError):
        read(home)


def test_user_settings_are_read(home):
    """Every key of the user's file has its effect."""
    settings = read(
        home, user='enable = ["curated"]\nhint = "fetch {handle}"\n[store]\npath = "/x"\nttl = 60\nnewest = 5'
    )
    assert isinstance(settings, Settings)
    assert (settings.store, settings.retention[:2], settings.hint) == ("/x", (60, 5), "fetch {handle}")
