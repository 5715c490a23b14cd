"""Tables: every cell stays in its column, whatever the style; what is no table is not taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from cablese.runtime.admission import tabular
from cablese.runtime.admission.kinds import DecodeError, NotThisKindError
from cablese.runtime.admission.tabular_grid import Grid
from cablese.runtime.admission.tabular_styles import write_table
from cablese.runtime.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

from .texts import CODE, DIFF, NOTHING, PATHS, PROSE, SEARCH

TABLES = Path(__file__).parent / "tables"
NO_TABLES = {"psql_unaligned.txt", "psql_wrapped.txt"}
"""One has a bar within a cell, the other cells of two lines: both cannot be told from other tables."""

CELLS = st.sampled_from(
    ["", "a", "b c", "0/1", "<none>", "12", "-1.5", "x7", "a=b", '"q"', '"', "…", "2 (3d ago)", "NAME=x"]
)
STYLES = ("aligned", "ruled", "psql", "markdown", "boxed", "csv", "tsv", "piped")


@st.composite
def grids(draw, cells=CELLS):
    """Give tables with columns that repeat values."""
    width = draw(st.integers(2, 5))
    names = draw(st.permutations(["NAME", "AGE", "PORT=S", "NODE IP", "USE%"]))[:width]
    columns = [draw(st.lists(cells, min_size=1, max_size=3)) for _ in names]
    rows = draw(
        st.lists(st.tuples(*[st.sampled_from(column) for column in columns]).map(list), min_size=3, max_size=12)
    )
    return names, rows


def _share(text):
    shown, original = count_tokens(tabular.encode(tabular.recognise(text))), count_tokens(text)
    return max(shown[encoding] / original[encoding] for encoding in shown)


@given(grids(), st.sampled_from(STYLES))
def test_the_form_of_any_grid_is_read_back_as_the_grid(table, style):
    """Whatever the cells hold: quotes, empty ones, equal signs, what looks like a line of the form."""
    grid = Grid(style, *table)
    shown = tabular.encode(grid)
    assert tabular.read_form(shown) == grid


@given(grids(), st.sampled_from(STYLES))
def test_a_table_that_was_read_comes_back_with_the_same_cells(table, style):
    """What is recognised of a written table is proved: the same header and cells, none moved."""
    names, rows = table
    text = write_table(Grid(style, names, rows))
    try:
        grid = tabular.recognise(text)
    except NotThisKindError:
        return
    assert tabular.same(text, tabular.decode(tabular.encode(grid)))
    if style in {"psql", "boxed", "tsv", "csv"} and grid.named:
        assert (grid.header, grid.rows) == (names, rows)


@given(grids(st.sampled_from(["a", "bc", "0/1", "<none>", "12"])))
def test_aligned_tables_without_empty_cells_are_read_as_they_were(table):
    """Four columns and more, or two spaces between them."""
    names, rows = table
    grid = tabular.recognise(write_table(Grid("aligned", names, rows)))
    assert (grid.header, grid.rows) == (names, rows)


@pytest.mark.parametrize("path", sorted(TABLES.iterdir()), ids=lambda path: path.name)
def test_what_tools_print_is_read_or_left(path):
    """Recorded by `tests/recorder/tables.py`; two are no tables that could be told."""
    text = path.read_text("utf-8")
    if path.name in NO_TABLES:
        with pytest.raises(NotThisKindError):
            tabular.recognise(text)
        return
    decoded = tabular.decode(tabular.encode(tabular.recognise(text)))
    assert tabular.same(text, decoded)
    if path.name.startswith(("kubectl", "docker")):
        assert decoded == text


@given(st.sampled_from(sorted(TABLES.iterdir())), st.data())
def test_a_damaged_table_is_left_or_comes_back(path, data):
    """A character put in or taken out anywhere: what is still read has the cells that a reader sees."""
    text = path.read_text("utf-8")
    at = data.draw(st.integers(0, len(text) - 1))
    text = text[:at] + data.draw(st.sampled_from(["", " ", "  ", "\n", "|", '"', "\t", "x", "東"])) + text[at + 1 :]
    try:
        grid = tabular.recognise(text)
    except NotThisKindError:
        return
    shown = tabular.encode(grid)
    assert tabular.read_form(shown) == grid
    for cell in {cell for row in grid.rows for cell in row}:
        assert cell.replace('"', "") in text.replace('"', "")


def test_pods_take_less_than_four_fifths():
    """`kubectl get pods -A -o wide`, 200 rows, under both encodings."""
    assert _share((TABLES / "kubectl_get_pods_wide.txt").read_text("utf-8")) <= 0.82


def test_the_form_reads_without_a_manual():
    """Padding and constants go; a value that neighbours share stands above them; cells with spaces are quoted."""
    rows = [f"kube-system   dns-64f4-{n}b   1/1     {n} (3d ago)   {n + 1}d    <none>" for n in range(7)]
    rows += [f"shop          web-5d9c-{n}x   1/1     0            {n + 1}d    <none>" for n in range(7)]
    text = "\n".join(["NAMESPACE     NAME          READY   RESTARTS     AGE   GATES", *rows]) + "\n"
    assert tabular.encode(tabular.recognise(text)).splitlines()[:5] == [
        "[aligned table of 14 rows, cells split by spaces; name=value holds for the rows below it]",
        "NAMESPACE=… NAME READY=1/1 RESTARTS AGE GATES=<none>",
        "NAMESPACE=kube-system",
        'dns-64f4-0b "0 (3d ago)" 1d',
        'dns-64f4-1b "1 (3d ago)" 2d',
    ]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("id | name\n1  | alice\n22 | bob\n3  | carol\n", ["22", "bob"]),
        (" id | name  \n----+-------\n  1 | alice\n 22 | \n  3 | carol\n(3 rows)\n", ["22", ""]),
        ("| id | name |\n|---:|:-----|\n| 1 | alice |\n| 22 | a \\| b |\n| 3 | |\n", ["22", "a \\| b"]),
        (
            "+----+------+\n| id | name |\n+----+------+\n|  1 | ann  |\n| 22 |      |\n|  3 | eve  |\n+----+------+\n",
            ["22", ""],
        ),
    ],
)
def test_weak_point_bars_with_padding_and_rules_are_tables(text, row):
    """Alignment padding around bars, psql's rule, Markdown's rule and boxes."""
    grid = tabular.recognise(text)
    assert grid.rows[1] == row
    assert tabular.same(text, tabular.decode(tabular.encode(grid)))


def test_weak_point_an_empty_cell_keeps_its_place():
    """`a⇥⇥c` stays three cells, also where cells are split by spaces."""
    text = "id\thost\tport\n1\t\t80\n2\tb\t81\n3\t\t\n4\td\t82\n"
    grid = tabular.recognise(text)
    assert [row[1] for row in grid.rows] == ["", "b", "", "d"]
    assert tabular.decode(tabular.encode(grid)) == text


def test_weak_point_a_row_that_looks_like_a_fold_stays():
    """`a b x7` followed by `a b` are two rows; ` xN` folds of the same row are not written at all, on purpose."""
    text = "NAME   KIND   TAG\na      b      x7\na      b\na      b\na b    c      x2\n"
    grid = tabular.recognise(text)
    assert grid.rows == [["a", "b", "x7"], ["a", "b", ""], ["a", "b", ""], ["a b", "c", "x2"]]
    assert tabular.same(text, tabular.decode(tabular.encode(grid)))


def test_spaces_within_cells_are_no_boundaries():
    """`NOMINATED NODE`, `Mounted on` and `2 days ago` stay whole; `Used Avail` are two."""
    text = (TABLES / "kubectl_get_pods_wide.txt").read_text("utf-8")
    assert tabular.recognise(text).header[-2:] == ["NOMINATED NODE", "READINESS GATES"]
    assert tabular.recognise((TABLES / "df.txt").read_text("utf-8")).header[2:] == [
        "Used",
        "Avail",
        "Use%",
        "Mounted on",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "IMAGE ID     NAME\n" + "2 days ago   part\n" * 4 + "2 days ago\n",
        "PORTS  RESTARTS         MOUNTED ON\n"
        + "yes    80/tcp, 443/tcp  -\n" * 3
        + "yes    80/tcp, 443/tcp  part-1 of-2\n",
        "LAST SEEN  KIND    OWNER\n" + "shelf 7    part-a  someone\n" * 4,
        "NOMINATED NODE      KIND\n" + "    2 (3d ago)   part-a\n" * 3 + "           1/1   part-b\n",
        "USED   AGE    KIND\n" + "shelf   a      part-a b\n" * 4,
        "IP   PORTS       A     RESTARTS READY\n"
        + "8.5G kube-system web-1       n2 shelf 7\n" * 5
        + "8.5G             web-1       n2 shelf 7\n",
    ],
)
def test_a_space_that_may_stand_within_a_cell_is_no_boundary(text):
    """Rather no table than a cell in another column, where names have spaces at the same places as cells."""
    try:
        grid = tabular.recognise(text)
    except NotThisKindError:
        return
    assert grid.header == [name.strip() for name in text.split("\n", 1)[0].split("  ") if name.strip()]


def test_wide_characters_are_counted_as_the_tool_counted_them():
    """A terminal's places are what psql counts, characters what Go's tabwriter does: both are read."""
    grid = tabular.recognise((TABLES / "psql.txt").read_text("utf-8"))
    assert {row[2] for row in grid.rows} == {"Lisboa", "Porto", "東京", "Zürich"}
    by_characters = "NAME    CITY   AGE\n東京      a      1\nbb      東京東京   2\nccccc   c      3\n"
    assert tabular.recognise(by_characters).rows == [["東京", "a", "1"], ["bb", "東京東京", "2"], ["ccccc", "c", "3"]]


def test_csv_cells_hold_commas_quotes_and_lines():
    """As RFC 4180 has it; a quote in the middle of a cell makes a text no CSV."""
    text = 'id,name,note\n1,"Pinto, Ana","two\nlines"\n2,Eva,"she said ""no"""\n3,Rui,\n'
    grid = tabular.recognise(text)
    assert grid.rows == [["1", "Pinto, Ana", "two\nlines"], ["2", "Eva", 'she said "no"'], ["3", "Rui", ""]]
    assert tabular.decode(tabular.encode(grid)) == text
    with pytest.raises(NotThisKindError):
        tabular.recognise('id,name,note\n1,a"b,c\n2,d,e\n3,f,g\n')


def test_a_row_wider_than_its_columns_is_read_by_its_words():
    """As `ps` prints large numbers; a row that has a cell less is not guessed at."""
    head = "USER       PID   VSZ  RSS TTY   TIME COMMAND\n"
    rows = [f"root       {100 + n}  8000  120 ?     0:0{n} sh -c x  y\n" for n in range(5)]
    wide = "root       200 742144 900 pts/0 0:03 node server.js\n"
    grid = tabular.recognise(head + "".join(rows) + wide)
    assert grid.rows[-1] == ["root", "200", "742144", "900", "pts/0", "0:03", "node server.js"]
    assert grid.rows[0][-1] == "sh -c x  y"
    with pytest.raises(NotThisKindError):
        tabular.recognise(head + "".join(rows) + "root       200 742144 900       0:03 node server.js\n")


COUNTRIES = (("Germany", "Berlin"), ("France", "Paris"), ("Spain", "Madrid"), ("Italy", "Rome"), ("Malta", "Valletta"))


@pytest.mark.parametrize(
    "text",
    [
        "M\tCHANGELOG.md\n" + "".join(f"{'MA'[n % 2]}\tsrc/part{n}.py\n" for n in range(9)),
        "A\tCHANGELOG.md\n" + "".join(f"M\tsrc/part{n}.py\n" for n in range(9)),
        "A\tMakefile\n" + "".join(f"M\tsrc/part{n}.py\n" for n in range(9)),
        "".join(f"{land},{town},Europe\n" for land, town in COUNTRIES),
        "".join(f"{land:<10}{town:<10}Admin\n" for land, town in COUNTRIES),
        "ada,berlin,admin\nbob,paris,user\ncarl,rome,guest\ndora,oslo,owner\n",
        "ALPHA  X1  ON\nBETA   X2  OFF\nGAMMA  X3  ON\nDELTA  X4  ON\n",
        "part-a,n/a,on hold\npart-b,12,on hold\npart-c,13,sold\npart-d,14,sold\n",
        "国名    首都    大陸\n日本    東京    亜州\n韓国    首爾    亜州\n仏国    巴里    欧州\n",
    ],
)
def test_a_first_line_that_may_be_a_row_names_no_columns(text):
    """As `git diff --name-status` and tables without names begin; a value is never shown as the name of a column."""
    with pytest.raises(NotThisKindError):
        tabular.recognise(text)


def test_tabs_without_names_have_numbers():
    """The first line is a row as well."""
    grid = tabular.recognise("".join(f"{land}\t{town}\tEurope\n" for land, town in COUNTRIES))
    assert not grid.named
    assert [tuple(row[:2]) for row in grid.rows] == list(COUNTRIES)


FOREST = """\
  PID TTY      STAT   TIME COMMAND
   20 ?        Ss     0:00 sshd
   21 ?        Ss     0:00  \\_ sshd: dev
   22 pts/0    Ss     0:00      \\_ bash
   30 ?        Ss     0:00 cron
"""
DISKS = """\
NAME        MAJ:MIN RM   SIZE RO TYPE
sda           8:0    0   100G  0 disk
├─sda1        8:1    0   512M  0 part
└─sda2        8:2    0  99.5G  0 part
  ├─vg-root 253:0    0    50G  0 lvm
"""
WIDE_FOREST = """\
USER       PID   VSZ  RSS TTY   TIME COMMAND
root       101  8000  120 ?     0:01 init
root       102  8000  120 ?     0:02 sshd
root       103  8000  120 ?     0:03   sshd: dev
root       104  8000  120 ?     0:04 cron
root       200 742144 900 pts/0 0:05 node
"""


PSQL_TREE = """\
   part    | stock
-----------+-------
 shelf     |     4
   drawer  |     2
     box   |     1
(3 rows)
"""
BOXED_TREE = """\
+-----------+-------+
| part      | stock |
+-----------+-------+
| shelf     |     4 |
|   drawer  |     2 |
|     box   |     1 |
+-----------+-------+
"""


LISTED_TREE = "part|kind|stock\nshelf|a|4\n  drawer|b|2\n    box|c|1\n"
RULED_TREE = """\
part      stock
--------  -----
shelf     4
  drawer  2
    box   1
"""


@pytest.mark.parametrize("text", [FOREST, WIDE_FOREST, DISKS, PSQL_TREE, BOXED_TREE, LISTED_TREE, RULED_TREE])
def test_columns_that_are_indented_as_trees_stay_as_they_are(text):
    """As `ps axf` and `lsblk` print them: the depth of a row is told by spaces, which a cell has not."""
    with pytest.raises(NotThisKindError):
        tabular.recognise(text)


@pytest.mark.parametrize(
    "text",
    [
        CODE, DIFF, PATHS, PROSE, SEARCH, NOTHING,
        "src/a.c:3:5: error: expected ';' before 'return'\n    3 |     return 0;\n      |     ^\n",
        "usage: tool [-h] [--all]\n\noptions:\n  -h, --help  show this help\n  --all       take all\n",
        "total 12\n-rw-r--r-- 1 root root  120 Jan  1 00:00 a\n-rw-r--r-- 1 root root 1200 Jan  1 00:00 b\n" * 4,
        "".join(f"2026-01-02 15:04:0{n},120 INFO  [main] c.e.App - step {n}\n" for n in range(9)),
        "1  a = f(x)\n2  b = g(y)\n3  c = h(z)\n4  d = k(w)\n",
        "int  main(void)\n{\n    int   a = 1;\n    char  b = 2;\n    long  c = 3;\n}\n",
        "* main    a1b2c3d Fix it\n  other   d4e5f6a Do not\n  third   0a1b2c3 Again\n",
        "#   GSSAPIAuthentication no\n#   GSSAPIDelegate no\n#   Batch no\n#   Check yes\n",
        "".join(f"    '{c}'       #  0x6{n} -> LATIN SMALL LETTER {c.upper()}\n" for n, c in enumerate("abcdefgh")),
        "".join(f"#define VKI_E{n}\tE{n}\n" for n in "ABCDEFGH"),
        "".join(f"00000{n}0   r   o   o   t   :   x   :   0  \\n   b   i   n\n" for n in range(8)),
        "TODO  first thing\nand a second line  of it\nthen  a third\nand  a fourth\n",
    ],
)  # fmt: skip
def test_other_text_is_no_table(text):
    """Code, diffs, paths, matches, prose, messages of compilers, help, logs: rather nothing than a wrong table."""
    with pytest.raises(NotThisKindError):
        tabular.recognise(text)


def test_a_form_of_ours_is_no_table_and_others_are_refused():
    """What begins as the form is never read as raw text; what is not its very text is never read as the form."""
    text = "NAME   AGE\na      1\nb      2\nc      3\n"
    shown = tabular.encode(tabular.recognise(text))
    with pytest.raises(NotThisKindError):
        tabular.recognise(shown)
    for other in (
        text, shown[:-1], shown + "d 4", shown.replace("3 rows", "4 rows"), shown.replace("a 1", 'a "1"'),
        shown.replace("a 1", "a"), shown.replace("aligned", "round"), shown.replace("AGE", "NAME"), shown + "\n",
    ):  # fmt: skip
        with pytest.raises(DecodeError):
            tabular.decode(other)
