"""The exact kinds on generated outputs, which have to be taken: walks of trees, a small grep, files with numbers."""

from __future__ import annotations

from cablese.runtime.admission import numbered, paths, search
from cablese.runtime.admission.path_rows import grow_tree, join_lone, read_flat, read_tree, write_flat, write_tree
from cablese.runtime.admission.paths import _read_entries, _write_entries
from hypothesis import given, settings
from hypothesis import strategies as st

from .exact_forms import shown_of

NAMES = st.sampled_from(["a", "b.py", "src", "x-1-y", "c d.txt", "..", ".git", "e.", "日本.md", "f+g", "it's", "h,i"])
FOLDERS = st.lists(NAMES, max_size=4).map(lambda parts: "".join(f"{part}/" for part in parts))
GROUPS = st.lists(st.tuples(FOLDERS, st.lists(NAMES, min_size=1, max_size=3)), min_size=1, max_size=12).map(
    lambda groups: [group for at, group in enumerate(groups) if at == 0 or groups[at - 1][0] != group[0]]
)
TREES = st.recursive(st.none(), lambda inner: st.dictionaries(NAMES, inner, max_size=4), max_leaves=20)


@given(groups=GROUPS)
def test_groups_are_read_as_they_were_written(groups):
    """Flat and as a tree, in any order, folders that come back included."""
    assert read_flat(write_flat(groups)) == groups
    tree = grow_tree(groups)
    join_lone(tree)
    found = read_tree(write_tree(tree))
    assert [(above if label == "." else above + label, names) for above, label, names in found if names] == groups


def walk(root: str, tree: dict | None) -> list[str]:
    """List a tree as `find` does: a folder, then what is in it."""
    found = [root]
    for name, inner in (tree or {}).items():
        found += walk(f"{root}/{name}", inner)
    return found


@given(tree=TREES, root=st.sampled_from([".", "src", "/usr/lib", "../x y"]))
def test_a_walk_is_a_tree_of_entries(tree, root):
    """What `find` prints of a folder can be written with each folder once."""
    listed = walk(root, tree)
    groups: list[tuple[str, list[str]]] = []
    for path in listed:
        folder, name = paths.split_path(path)
        if not groups or groups[-1][0] != folder:
            groups.append((folder, []))
        groups[-1][1].append(name)
    rows = _write_entries(groups)
    assert rows is not None or len(listed) < 2
    assert rows is None or _read_entries(rows) == listed


@given(
    parts=st.lists(st.sampled_from(["a", "b", "c", "dd"]), min_size=8, max_size=40),
    prefix=st.sampled_from(["./", "src/", "/home/dev/x/", ""]),
    data=st.data(),
)
def test_a_list_of_paths_is_taken(parts, prefix, data):
    """In any order, as long as all are names of files with folders or well-known extensions."""
    depths = data.draw(st.lists(st.integers(1, 4), min_size=len(parts), max_size=len(parts)))
    listed = [prefix + "/".join([part] * depth) + ".py" for part, depth in zip(parts, depths, strict=True)]
    assert shown_of(paths, "\n".join(listed)) is not None


def small_grep(files: dict[str, list[str]], hits: dict[str, set[int]], around: int, *, column: bool) -> list[str]:
    """Print matches with context, as GNU grep does; with columns, as ripgrep does."""
    printed: list[str] = []
    for path, lines in files.items():
        before = None
        for number in range(1, len(lines) + 1):
            if not any(abs(number - hit) <= around for hit in hits[path] if hit <= len(lines)):
                continue
            if around and printed and before != number - 1:
                printed.append("--")
            before = number
            mark = ":" if number in hits[path] else "-"
            at = "7:" * (column and mark == ":")
            printed.append(f"{path}{mark}{number}{mark}{at}{lines[number - 1]}")
    return printed


TEXT = st.sampled_from(["x = 1", "    return y", "", "a-3-b", "c:4:d", "  * e", "--", "\tif z:", "src/a.py:9:", "12"])


@settings(max_examples=60)
@given(
    files=st.dictionaries(
        st.sampled_from(["src/a.py", "src/b-2.py", "Makefile", "./x y/c.h", "C:\\d\\e.c", "lib/2024-01-15.log"]),
        st.lists(TEXT, min_size=4, max_size=20),
        min_size=1,
    ),
    around=st.integers(0, 3),
    column=st.booleans(),
    data=st.data(),
)
def test_what_grep_prints_comes_back(files, around, column, data):
    """Paths that are hard to read, texts that look like rows, context that meets."""
    hits = {path: data.draw(st.sets(st.integers(1, 20), min_size=1, max_size=8)) for path in files}
    shown_of(search, "\n".join(small_grep(files, hits, around, column=column)))


@settings(max_examples=60)
@given(
    around=st.integers(0, 2),
    column=st.booleans(),
    count=st.integers(1, 4),
    hits=st.sets(st.integers(1, 30), min_size=4),
)
def test_what_grep_prints_of_code_is_taken(around, column, count, hits):
    """Ordinary files and ordinary lines are surely a search result."""
    lines = [f"    total = add(total, {number})" for number in range(1, 31)]
    files = {f"src/part_{at}.py": lines for at in range(count)}
    printed = small_grep(files, dict.fromkeys(files, hits), around, column=column)
    assert shown_of(search, "\n".join(printed)) is not None


@given(
    lines=st.lists(TEXT, min_size=5, max_size=45).filter(lambda lines: any(line.strip() for line in lines)),
    first=st.integers(1, 10_020),
    width=st.sampled_from([0, 3, 6]),
    lead=st.sampled_from(["", "L"]),
    delimiter=st.sampled_from(["\t", "→", "|", "| ", " | ", ": ", "│"]),
    ending=st.sampled_from(["\n", "\r\n"]),
    closed=st.booleans(),
)
def test_numbered_lines_are_taken(lines, first, width, lead, delimiter, ending, closed):
    """Each way to write numbers, from any number on; the first line says which, so it is not one that could be two."""
    lines = ["import os", *lines]
    rows = [f"{lead}{number:{width or 1}}{delimiter}{line}" for number, line in enumerate(lines, first)]
    text = ending.join(rows) + ending * closed
    if closed or lines[-1]:
        assert shown_of(numbered, text) is not None
    else:
        shown_of(numbered, text)
