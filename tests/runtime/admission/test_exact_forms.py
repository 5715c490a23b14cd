"""The three exact kinds: what is shown is decoded to the same bytes, or the text is not taken."""

from __future__ import annotations

import pytest
from cablese.runtime.admission import numbered, path_rows, paths, search
from cablese.runtime.admission.kinds import DecodeError, NotThisKindError
from cablese.runtime.tokens.exact import count_tokens
from hypothesis import given, settings
from hypothesis import strategies as st

from .exact_forms import EDITS, OTHERS, RECORDED, TEXTS, edit, recorded, shown_of, takes_only_its_own

MODULES = (numbered, search, paths)
NUMBERED = ("cat", "nl", "sed", "awk", "grep-every")
SEARCH = ("rg-n", "rg-vimgrep", "rg-column", "rg-heading", "rg-bare", "grep-", "git-grep")
REFUSED = {"grep-binary", "grep-odd-names"}
CHANGED = (
    *("rg-n-context", "grep-rn", "rg-heading-context", "rg-bare", "rg-column-context"),
    *("find-all", "find-folders", "ls-R", "ls-l-cut", "git-ls-files-quoted"),
    *("nl", "cat-n-crlf", "sed-equals", "awk-pipe"),
)
HEADS = (
    *("", "[lines 1-5, numbered on the first and every tenth]\n"),
    *("[matches by file: line text]\n", "[matches by folder and file: text]\n"),
    *("[paths by folder: folder/ names]\n", "[paths as a tree: folder/ names; `.` is the folder above]\n"),
    "[paths ls -l: size name; all of mode 644, links 1, owner a, group b, day Jan 5, time 10:00]\n",
)
NAMES = sorted(path.stem for path in RECORDED.glob("*.txt"))


def module_of(name: str):
    """Return the module whose kind a recorded output is."""
    return numbered if name.startswith(NUMBERED) else search if name.startswith(SEARCH) else paths


@pytest.mark.parametrize("name", sorted(set(NAMES) - REFUSED))
def test_a_recorded_output_is_taken_and_decoded(name):
    """Every form of the tools comes back byte for byte, by the module of its kind and no earlier one."""
    text, module = recorded(name), module_of(name)
    assert shown_of(module, text) is not None
    for earlier in MODULES[: MODULES.index(module)]:
        assert shown_of(earlier, text) is None


@pytest.mark.parametrize("name", sorted(set(NAMES) - REFUSED - {"rg-heading", "rg-heading-context"}))
def test_a_recorded_output_is_fewer_tokens(name):
    """Head line included, under both encodings."""
    text = recorded(name)
    before, after = count_tokens(text), count_tokens(shown_of(module_of(name), text))
    assert all(after[encoding] < before[encoding] * 0.9 for encoding in before)


@pytest.mark.parametrize(
    ("name", "share"), [("rg-n", 0.65), ("find", 0.50), ("cat-n", 0.80)], ids=["search", "paths", "numbered"]
)
def test_the_figures_hold(name, share):
    """500 matches in 60 files, 2,000 files, 400 numbered lines."""
    text = recorded(name)
    before, after = count_tokens(text), count_tokens(shown_of(module_of(name), text))
    assert all(after[encoding] <= before[encoding] * share for encoding in before)
    assert text.count("\n") == {"rg-n": 500, "find": 2000, "cat-n": 400}[name]


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_an_ambiguous_output_is_not_taken(name):
    """File names with `:12:` or `-12-` in them, beside others: not taken at all, rather than in two ways."""
    for module in MODULES:
        assert shown_of(module, recorded(name)) is None


@pytest.mark.parametrize("name", sorted(OTHERS))
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
def test_what_only_looks_alike_is_not_taken(module, name):
    """Logs, compilers, traces, tables, lists of other things."""
    assert shown_of(module, OTHERS[name]) is None
    assert shown_of(module, OTHERS[name].removesuffix("\n")) is None


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
@settings(max_examples=60)
@given(text=TEXTS)
def test_no_text_is_shown_wrongly(module, text):
    """Any text is taken and comes back, or it is not taken."""
    shown_of(module, text)


@pytest.mark.parametrize("name", CHANGED)
@settings(max_examples=15)
@given(data=st.data())
def test_a_changed_output_is_never_shown_wrongly(name, data):
    """Lines lost, doubled, cut, moved, of others: all modules, since a change may make it another kind."""
    rows = recorded(name).split("\n")
    start = data.draw(st.integers(0, max(0, len(rows) - 40)))
    text = edit("\n".join(rows[start : start + 40]), data.draw(EDITS))
    for module in MODULES:
        shown_of(module, text)


@pytest.mark.parametrize("name", sorted(set(CHANGED) - {"rg-heading-context"}))
@settings(max_examples=15)
@given(edits=EDITS)
def test_a_decoder_takes_only_what_its_encoder_writes(name, edits):
    """A changed form is refused, or it is the form of another text."""
    module = module_of(name)
    takes_only_its_own(module, edit(shown_of(module, recorded(name)), edits))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
@settings(max_examples=30)
@given(text=TEXTS)
def test_a_decoder_refuses_strangers(module, text):
    """With and without head lines of ours in front, nothing but DecodeError leaves it."""
    for head in HEADS:
        takes_only_its_own(module, head + text)


@pytest.mark.parametrize("name", ["rg-n", "find", "cat-n", "ls-R", "ls-l"])
def test_a_form_is_of_no_kind(name):
    """What is shown is not taken once more, by any of the modules."""
    shown = shown_of(module_of(name), recorded(name))
    for module in MODULES:
        with pytest.raises(NotThisKindError):
            module.recognise(shown)


@pytest.mark.parametrize("name", ["rg-n", "find", "cat-n", "rg-bare", "find-folders", "ls-R", "ls-lR"])
def test_endings_are_kept(name):
    r"""With `\r\n`, and without a final line feed."""
    text, module = recorded(name), module_of(name)
    crlf = text.replace("\n", "\r\n")
    shown = shown_of(module, crlf)
    assert shown is not None
    assert ", CRLF]" in shown.partition("\n")[0]
    assert "\r" not in shown
    unclosed = shown_of(module, text.removesuffix("\n"))
    assert unclosed is not None
    assert not unclosed.endswith("\n")


@pytest.mark.parametrize(
    "text",
    [
        ":" * 200_000,
        "x:1:" * 50_000,
        "a-1-" * 50_000 + "\n" + ("a-1-" * 10 + "\n") * 2_000,
        "\n".join("a/" * depth + "f.py" for depth in range(1, 600)),
        "a\n" + "".join("a" + "/b" * depth + "\n" for depth in range(1, 500)),
        "".join(f"src/a.py-{n}-x\nsrc/a.py:{n + 1}:y\n--\n" for n in range(1, 4_000)),
        "".join(f"{'ab'[n % 2]}/x/f{n}.py\n" for n in range(8_000)),
        "".join(f"{n // 5 * 100 + n % 5 + 1}: x\n" for n in range(20_000)),
        "a/" * 100_000 + "\n" + "a/b.py\n" * 20,
        " " * 200_000 + "1\n" * 10,
    ],
    ids=["colons", "ends", "dashes", "deeper", "chain", "pairs", "turns", "jumps", "one path", "spaces"],
)
def test_odd_texts_come_to_an_end(text):
    """What makes a reader try again at each character, or walk a tree by recursion."""
    for module in MODULES:
        shown_of(module, text)


def test_a_hostile_form_does_not_grow():
    """A long folder above many names is refused before it is written out."""
    head = "[paths as a tree: folder/ names; `.` is the folder above]\n"
    with pytest.raises(DecodeError):
        paths.decode(head + "x" * 50_000 + "/\n" + " a/ b\n" * 20_000)
    with pytest.raises(DecodeError):
        numbered.decode(f"[lines 1-{'9' * 5000}, numbered on the first and every tenth]\n1: a\nb\n")
    with pytest.raises(DecodeError):
        numbered.decode("[lines 1-999999999, numbered on the first and every tenth]\n1: a\nb\n")


def test_the_delimiter_is_that_of_the_first_line():
    """A later run whose first line is indented does not have a longer one."""
    rows = [f"{number}|def x" for number in range(1, 8)] + [f"{number}| y" for number in range(23, 30)]
    assert shown_of(numbered, "\n".join(rows)) is not None


BODY = "".join(f"{number:6}\tx = {number}\n" for number in range(1, 40))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Here's the result of running `cat -n` on /src/a.py:\n", ""),
        ("", "\n<system-reminder>\nbe careful\n</system-reminder>\n"),
        ("<file>\n", "\n(End of file - total 39 lines)\n</file>"),
        ("", "\n"),
        ("a\n" * 4, "b\n" * 4),
    ],
)
def test_what_a_tool_says_around_a_read_stays(before, after):
    """A few lines before and after the numbered ones, as the tools of agents print them."""
    shown = shown_of(numbered, before + BODY + after)
    assert shown is not None
    assert shown.partition("\n")[2].startswith(before)
    assert shown.endswith(after)


@pytest.mark.parametrize(
    "text",
    [
        "id\tname\n" + "".join(f"{number}\tname {number}\n" for number in range(1, 40)),
        " id | name\n----+------\n" + "".join(f" {number:2} | n\n" for number in range(1, 40)) + "(39 rows)\n",
        "stack backtrace:\n" + "".join(f"{number:4}: std::rt::lang_start\n" for number in range(40)),
        "a\n" * 9 + BODY,
        BODY[:100] + "a\n" * 5,
    ],
    ids=["TSV", "psql", "a trace", "too far down", "too many others"],
)
def test_what_only_holds_numbered_lines_is_no_read(text):
    """A heading above counted rows, a frame 0, more around than within."""
    assert shown_of(numbered, text) is None


@pytest.mark.parametrize("text", ["12:x\n13:12:", "12:x\n13:y\n14:z\n15:\n16:", "12:x\n13:y\n14:z\n15:\n16:16:\n"])
def test_an_empty_last_line_keeps_its_number(text):
    """Where it has no line feed, nothing else would be left of it."""
    shown_of(numbered, "8:a\n9:b\n10:c\n11:d\n" + text)


ROWS = "".join(f"src/part_{at % 3}.py:{at + 1}:    x = {at}\n" for at in range(9))
HEADED = "src/a.py\n1:x\n2:y\n\nsrc/b.py\n7:z\n9-w\n"


@pytest.mark.parametrize(
    "text",
    [
        "Binary file src/blob.bin matches\n" + ROWS,
        ROWS + "grep: src/private: Permission denied\ngrep: src/blob.bin: binary file matches\n",
        ROWS.replace("src/", "C:\\src\\"),
        ROWS.replace("src/", "HEAD:src/"),
        ROWS.replace("src/part_0.py", "Makefile"),
        ROWS.replace("src/", "src/two words/"),
        ROWS + ROWS,
        ROWS.replace("    x", "x"),
        ROWS.replace("    x", "key: http://example.org:80:/a"),
        HEADED,
        HEADED.replace("src/b.py", "Makefile"),
    ],
    ids=["binary", "notes", "drive", "revision", "bare name", "spaces", "interleaved", "no indent", "URLs", "headings",
         "bare heading"],
)  # fmt: skip
def test_a_search_result_of_many_sorts_is_taken(text):
    """Notes of the tool, paths of all sorts, order as it was."""
    shown = shown_of(search, text)
    assert shown is not None
    assert shown.startswith("[matches ")


@pytest.mark.parametrize(
    "text",
    [
        ROWS + "and some words behind it\n",
        ROWS.replace(":1:", ":01:"),
        HEADED.replace("\n\n", "\n\n\n"),
        HEADED + "\nsrc/b.py\n3:again\n",
        "[matches by file: line text]\n" + ROWS,
        "src/a.py-1-x\nsrc/a.py-2-y\nsrc/a.py-3-y\nsrc/a.py-4-y\n",
    ],
    ids=["words", "zeros", "two empty lines", "a heading again", "our head", "no match"],
)
def test_what_is_almost_a_search_result_is_not_taken(text):
    """One line that is not accounted for is enough."""
    assert shown_of(search, text) is None


def test_a_tree_is_written_only_where_it_saves_much():
    """Flat rows are easier to read, so that a tree has to be a tenth shorter."""
    near = "".join(f"{area}/{name}.py\n" for area in ("orders", "shelves") for name in ("a", "b", "c", "d", "e"))
    deep = "".join(f"home/dev/shop/src/main/{area}/{name}.py\n" for area in "abcde" for name in "xy")
    assert shown_of(paths, near).startswith("[paths by folder: ")
    assert shown_of(paths, deep).startswith("[paths as a tree: ")


@pytest.mark.parametrize(
    "name", ["find", "rg-l", "find-absolute", "find-all", "git-ls-files", "find-folders", "rg-files"]
)
def test_the_choice_of_a_tree_is_that_of_the_tokens(name):
    """Pieces are counted in place of tokens; where a tree is chosen, it is fewer of both encodings."""
    parsed = paths.recognise(recorded(name))
    shown = paths.encode(parsed)
    flat = "\n".join(path_rows.write_flat(parsed.groups))
    if shown.startswith("[paths as a tree"):
        chosen, other = count_tokens(shown), count_tokens(flat)
        assert all(chosen[encoding] < other[encoding] for encoding in chosen)


def test_a_first_folder_may_be_followed_by_what_is_deeper():
    """A list that begins with a folder, and goes on with paths further within."""
    listed = "/usr\n" + "".join(
        f"/usr/bin/{name}\n" for name in ("[", "arch", "base32", "cut", "du", "env", "fmt", "ls")
    )
    assert shown_of(paths, listed) is not None
