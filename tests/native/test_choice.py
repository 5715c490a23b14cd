"""The one place that chooses: who is used when the codec is absent, of another version, switched off, or fails."""

import logging
import subprocess
import sys
import types

import pytest
from cablese import __version__
from cablese.runtime import native
from cablese.runtime.tokens import count_tokens, exact, strictly_fewer

TEXT = "".join(f"{n} of many lines, none like another: {n * n:x}\n" for n in range(200))


class Fake(types.ModuleType):
    """A codec as Python sees it, that counts everything as 7 tokens, or raises."""

    def __init__(self, version=__version__, error=None):
        super().__init__("cablese_codec")
        self.__version__ = version
        self.error = error
        self.asked = []

    def ready_to_count(self, wait):
        """Tell that the vocabularies have been read."""
        self.asked.append(wait)
        return True

    def count_until(self, *_):
        """Raise, or count."""
        if self.error is not None:
            raise self.error
        return 7


@pytest.fixture(autouse=True)
def _anew(monkeypatch):
    """Let each test choose in a process that has neither found nor counted anything."""
    monkeypatch.setattr(native, "_choice", type(native._choice)())
    monkeypatch.delenv("CABLESE_PURE", raising=False)


@pytest.fixture
def install(monkeypatch):
    """Give a function that puts a module, or None for no module, in the place of the codec."""

    def put(module):
        monkeypatch.setitem(sys.modules, "cablese_codec", module)
        return module

    return put


def test_a_codec_of_this_version_is_used(install):
    """It is found once, and what it counts is what is said."""
    fake = install(Fake())
    assert native.codec() is fake
    native.spend(native.PAYS)
    assert count_tokens("some text") == {"o200k_base": 7, "cl100k_base": 7}


def test_absence_is_one_debug_line(install, caplog):
    """However often somebody asks."""
    install(None)
    with caplog.at_level(logging.DEBUG, "cablese"):
        assert [native.codec() for _ in range(3)] == [None] * 3
    assert [record.levelname for record in caplog.records] == ["DEBUG"]


@pytest.mark.parametrize("version", ["0.0.9", __version__ + "1", "", None])
def test_another_version_is_ignored_with_one_warning(install, caplog, version):
    """The warning names both versions."""
    install(Fake(version))
    assert [native.codec() for _ in range(3)] == [None] * 3
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == f"the native codec {version} is not used: this is cablese {__version__}"


def test_a_codec_that_does_not_load_is_one_warning(tmp_path, monkeypatch, caplog):
    """As one for another system."""
    (tmp_path / "cablese_codec.py").write_text("raise OSError('wrong ELF class')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cablese_codec", raising=False)
    assert [native.codec() for _ in range(3)] == [None] * 3
    assert [record.getMessage() for record in caplog.records] == [
        "the native codec does not load and is not used: OSError: wrong ELF class"
    ]


def test_switched_off_it_is_neither_imported_nor_mentioned(tmp_path):
    """By a process that counts a lot, has logging on, and would find a codec of another version."""
    (tmp_path / "cablese_codec.py").write_text("__version__ = 'other'; print('imported')\n")
    script = "import logging, sys; logging.basicConfig(level=0); sys.path.insert(0, sys.argv[1]); "
    script += "from cablese.runtime.tokens import count_tokens; from cablese.runtime import native; "
    script += "native.spend(native.PAYS); count_tokens('x' * 1000); print('cablese_codec' in sys.modules)"
    words = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(words, env={"CABLESE_PURE": "1"}, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"False\n", b"")
    done = subprocess.run(words, env={}, capture_output=True, check=True)
    assert done.stdout == b"imported\nTrue\n"
    assert done.stderr.count(b"WARNING") == 1


def test_who_counts_little_never_asks(install):
    """The codec is asked for when Python has counted for as long as the vocabularies take."""
    fake = install(Fake())
    expected = exact.Ledger().count(TEXT)
    while native._choice.spent + len(TEXT) // 2 < native.PAYS:
        assert count_tokens(TEXT)["o200k_base"] == expected & exact.LOW
        assert not native._choice.asked
    assert count_tokens(TEXT)["o200k_base"] == 7
    assert fake.asked == [False]


def test_a_text_that_takes_longer_than_the_vocabularies_waits_for_them(install):
    """Only that, and only where its length is known."""
    fake = install(Fake())
    count_tokens(" " * (2 * native.PAYS))
    assert fake.asked == [True]


def test_the_gate_notes_its_work(install):
    """As it knows only afterwards how much of two texts it has counted."""
    fake = install(Fake())
    exact.forget()
    assert strictly_fewer(TEXT[:5000], TEXT[::-1], work=10**6).step == "exact"
    assert native._choice.spent > 1000
    assert not native._choice.asked
    native.spend(native.PAYS)
    strictly_fewer(TEXT[:5000], TEXT[::-1], work=10**6)
    assert fake.asked == [False]


@pytest.mark.parametrize("error", [RuntimeError("the native codec panicked: index"), MemoryError(), ValueError("x")])
def test_what_a_codec_raises_costs_nothing_but_time(install, caplog, error):
    """Python counts, the gate decides as it does, and the codec is left out with one warning."""
    install(None)
    expected = count_tokens(TEXT), strictly_fewer(TEXT[:5000], TEXT[::-1], work=10**6)
    for ask in (lambda: count_tokens(TEXT), lambda: strictly_fewer(TEXT[:5000], TEXT[::-1], work=10**6)):
        caplog.clear()
        native.forget()
        native.spend(native.PAYS)
        install(Fake(error=error))
        assert [ask(), ask()] == [expected[ask.__code__.co_names[0] != "count_tokens"]] * 2
        assert native.codec() is None
        (record,) = caplog.records
        assert record.getMessage().startswith("the native codec is left out from here on: ")
        assert record.levelname == "WARNING"


def test_a_vocabulary_that_cannot_be_read_leaves_python(install, caplog):
    """A panic while it is read is an ordinary error, too."""
    fake = install(Fake())
    fake.ready_to_count = lambda _: 1 // 0
    native.spend(native.PAYS)
    assert count_tokens("hello world") == {"o200k_base": 2, "cl100k_base": 2}
    assert len(caplog.records) == 1
