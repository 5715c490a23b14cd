"""`cablese fmt`: what it writes, prints and leaves alone."""

from __future__ import annotations

import os

import pytest

ODD = "word a=[a]   # first\nword  long =[b]\n"
LAID = "word a    = [a]  # first\nword long = [b]\n"
BROKEN = "word a = a\n"
MISPLACED = "options o {\n  option -a, # why\n    -b\n}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make a folder with a file in another layout and one in its own, and go there."""
    (tmp_path / "odd.cable").write_text(ODD)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "laid.cable").write_text(LAID)
    (tmp_path / "notes.txt").write_text(ODD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_path_the_rules_of_the_project_are_formatted(cablese, folder):
    """As they are checked and tested; where there are none, nothing is searched for."""
    done = cablese("fmt")
    assert (done.code, done.out) == (2, b"")
    assert b"no PATH is given" in done.err
    (folder / "sub").rename(folder / "rules")
    (folder / "odd.cable").rename(folder / "rules/odd.cable")
    assert cablese("fmt") == (0, b"formatted rules/odd.cable\n", b"")


def test_files_and_folders_are_formatted(cablese, folder):
    """Every rule file below the paths is given its layout, others are not touched; exit 0, and again: nothing to do."""
    before = (folder / "sub" / "laid.cable").stat()
    done = cablese("fmt", ".")
    assert (done.code, done.out, done.err) == (0, b"formatted odd.cable\n", b"")
    assert (folder / "odd.cable").read_text() == LAID
    assert (folder / "notes.txt").read_text() == ODD
    assert (folder / "sub" / "laid.cable").stat() == before
    assert cablese("fmt", "odd.cable", "sub") == (0, b"", b"")


def test_check_names_files_and_writes_nothing(cablese, folder):
    """`--check` exits with 1 when something would change, with 0 when not."""
    done = cablese("fmt", "--check", ".")
    assert (done.code, done.out, done.err) == (1, b"odd.cable has another layout\n", b"")
    assert (folder / "odd.cable").read_text() == ODD
    assert cablese("fmt", "--check", "sub") == (0, b"", b"")


def test_diff_prints_a_patch_and_writes_nothing(cablese, folder):
    """`--diff` prints what would change, also where the last line has no end."""
    (folder / "odd.cable").write_text(ODD.rstrip("\n"))
    done = cablese("fmt", "--diff", ".")
    assert done.code == 1
    assert done.out.decode().split("\n") == [
        "--- odd.cable",
        "+++ odd.cable",
        "@@ -1,2 +1,2 @@",
        "-word a=[a]   # first",
        "-word  long =[b]",
        "\\ No newline at end of file",
        "+word a    = [a]  # first",
        "+word long = [b]",
        "",
    ]
    assert (folder / "odd.cable").read_text() == ODD.rstrip("\n")
    assert cablese("fmt", "--diff", "sub") == (0, b"", b"")


@pytest.mark.parametrize("option", [(), ("--check",), ("--diff",)])
@pytest.mark.parametrize(
    ("text", "said"),
    [(BROKEN, b"error[E0101]"), (MISPLACED, b"error[E0109]"), ("word a = [a]\r\n", b"error[E0107]")],
)
def test_broken_files_are_left_alone(cablese, folder, option, text, said):
    """What is wrong is said on standard error, the file stands, the others are done, and the exit code is 2."""
    (folder / "broken.cable").write_bytes(text.encode())
    done = cablese("fmt", *option, ".")
    assert done.code == 2
    assert said in done.err
    assert (folder / "broken.cable").read_bytes() == text.encode()
    assert (folder / "odd.cable").read_text() == (ODD if option else LAID)


def test_bytes_that_are_no_text(cablese, folder):
    """A file that is not UTF-8 is broken, too."""
    (folder / "latin.cable").write_bytes(b"# caf\xe9\n")
    done = cablese("fmt", ".")
    assert done.code == 2
    assert b"E0107" in done.err
    assert (folder / "latin.cable").read_bytes() == b"# caf\xe9\n"
    assert (folder / "odd.cable").read_text() == LAID


@pytest.mark.parametrize("path", ["nowhere", "empty"])
def test_no_files(cablese, folder, path):
    """A path that does not exist, or a folder without rule files, is a mistake."""
    (folder / "empty").mkdir()
    done = cablese("fmt", path)
    assert done.code == 2
    assert path.encode() in done.err


def test_the_mode_of_a_file_is_kept(cablese, folder):
    """Permissions stay as they are."""
    (folder / "odd.cable").chmod(0o640)
    assert cablese("fmt", "odd.cable").code == 0
    assert (folder / "odd.cable").stat().st_mode & 0o7777 == 0o640


def test_a_link_stays_a_link(cablese, folder):
    """What a link leads to is formatted."""
    (folder / "link.cable").symlink_to("odd.cable")
    assert cablese("fmt", "link.cable").code == 0
    assert (folder / "link.cable").is_symlink()
    assert (folder / "odd.cable").read_text() == LAID


def test_a_file_that_cannot_be_replaced_stands(cablese, folder, monkeypatch):
    """When writing fails, the file is as it was, nothing else is left behind, and the exit code is 2."""

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    done = cablese("fmt", "odd.cable")
    assert (done.code, done.err) == (2, b"cablese: odd.cable: No space left on device\n")
    assert (folder / "odd.cable").read_text() == ODD
    assert sorted(path.name for path in folder.iterdir()) == ["notes.txt", "odd.cable", "sub"]


def test_a_fault_of_the_formatter_is_said(cablese, folder, monkeypatch):
    """When its own output is not proved, the formatter says so, leaves the file alone, and exits with 2."""
    monkeypatch.setattr("cablese.dsl.format.render_file", lambda *_: "word a = [a]\n")
    done = cablese("fmt", "odd.cable")
    assert done.code == 2
    assert done.err.startswith(b"cablese: internal error: odd.cable is left as it is: ")
    assert (folder / "odd.cable").read_text() == ODD


@pytest.mark.parametrize(
    ("options", "text", "code", "out", "said"),
    [
        ((), ODD, 0, LAID, b""),
        ((), LAID, 0, LAID, b""),
        (("--check",), ODD, 1, "standard input has another layout\n", b""),
        (("--check",), LAID, 0, "", b""),
        (("--diff",), ODD, 1, "--- standard input\n+++ standard input\n@@ -1,2 +1,2 @@\n", b""),
        ((), BROKEN, 2, "", b"--> standard input:1:10"),
        ((), "\ufeff", 2, "", b"byte order mark"),
    ],
)
def test_standard_input_goes_to_standard_output(cablese, folder, options, text, code, out, said):
    """For editors: what is sound is printed whole, also where nothing changes; of what is broken, nothing."""
    done = cablese("fmt", *options, "-", stdin=text.encode())
    assert done.code == code
    assert done.out.startswith(out.encode())
    assert len(done.out) == len(out.encode()) or "--diff" in options
    assert said in done.err
    assert bool(done.err) == bool(said)
    assert (folder / "odd.cable").read_text() == ODD


def test_standard_input_stands_alone(cablese, folder):
    """Its text and the names of files would be mixed up."""
    assert cablese("fmt", "odd.cable", "-") == (2, b"", b"cablese: `-` is standard input, and stands alone\n")
    assert (folder / "odd.cable").read_text() == ODD


@pytest.mark.parametrize("path", [".", "pipe.cable"])
def test_what_is_no_file_is_not_read(cablese, folder, path):
    """A pipe with the name of a rule file is a mistake; reading it might never end."""
    os.mkfifo(folder / "pipe.cable")
    done = cablese("fmt", path)
    assert (done.code, done.out) == (2, b"")
    assert done.err.endswith(b"pipe.cable: neither a file nor a folder\n")


def test_a_folder_that_cannot_be_read_is_not_passed_over(cablese, folder, monkeypatch):
    """Otherwise its rules would be missing, and nobody would know."""
    known = os.scandir

    def scan(path):
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied", str(path))
        return known(path)

    monkeypatch.setattr("os.scandir", scan)
    done = cablese("fmt", ".")
    assert (done.code, done.out) == (2, b"")
    assert done.err.endswith(b"sub: Permission denied\n")
    assert (folder / "odd.cable").read_text() == ODD
