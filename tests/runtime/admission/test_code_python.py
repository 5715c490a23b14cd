"""CODE of Python: what stays, what is said of what does not, and texts that are no Python or would be a burden."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from pathlib import Path

import pytest
from cablese.runtime.admission import code, code_python
from cablese.runtime.admission.classify import classify
from cablese.runtime.admission.kinds import ContentKind, NotThisKindError
from cablese.runtime.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[3]
FIXTURE = ROOT / "bench" / "corpus" / "module.txt"
# One is a table of expressions, and passes: more signs than words.
OURS = sorted(path for path in (ROOT / "compiler").rglob("*.py") if path.name != "tokens.py")
WORK = "".join(f"    total = total + step * {n}\n" for n in range(6))
RANGE = re.compile(r"\s*… lines? (\d+)(?:-(\d+))?\r?$")
NOTE = re.compile(r"\s*(\d+): ")


def outline(text):
    """Show a text."""
    return code.encode(code.recognise(text))


def check_partition(text, shown):
    """Every line is shown as it was, in order, or lies in exactly one range that is named."""
    lines, at = text.split("\n"), 0
    rows = shown.split("\n")[1:]
    end = 0
    for row in rows:
        found = RANGE.match(row)
        if found and int(found[1]) == at + 1 and row != lines[at]:
            end = int(found[2] or found[1])
            assert end > at
            at = end
        elif at < len(lines) and row == lines[at]:
            at += 1
        else:
            note = NOTE.match(row)
            assert note, row
            assert int(note[1]) <= end == at
    assert at == len(lines)


def squeeze(text):
    """Return a text without white space."""
    return "".join(text.split())


def check_kept(text, shown):
    """Signatures, decorators, class attributes and every raise are in the shown text."""
    lean = squeeze(shown)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise):
            segment = ast.get_source_segment(text, node)
            assert "#" in segment or squeeze(segment) in lean, segment
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            assert f"def {node.name}(" in shown or f"class {node.name}" in shown, node.name


MODULE = f'''"""What the module is for.

More about it.
"""

import os
from typing import Any

LIMIT = 10
# a comment of the module
if os.name == "nt":
    LIMIT = 20


@decorate(1)
class Ledger(Base):
    """Sums of things.

    In detail, and at such a length that leaving it out pays.
    """

    rate: float = 0.5  # of ten
    names = ("a", "b")

    @property
    def total(self) -> float:
        """Return the sum.

        At length.
        """
        total = 0  # a comment of the body
{WORK.replace("    ", "        ")}        return total

    async def load(
        self,
        name: str,
        *,
        strict: bool = True,
    ) -> dict[str, Any]:
{WORK.replace("    ", "        ")}        if not name:
            raise ValueError("a name is needed")
        for part in name.split("."):
            try:
                self.open(part)
            except KeyError as error:
                raise LookupError(
                    f"no {{part}}",
                ) from error
            else:
                raise StopIteration
        with self.lock:
            if strict:
                return {{}}
            elif part:
                raise RuntimeError("part")
            else:
                raise
        def inner(value: int) -> int:
            while value:
                raise OSError(value)
            return value
        match part:
            case [one, *rest] if rest:
                raise IndexError(one)
        return inner
'''


def test_what_stays_is_as_it_was():
    """Imports, statements, comments outside of bodies, classes with attributes, decorators, signatures, first lines."""
    shown = outline(MODULE)
    for line in (
        '"""What the module is for.',
        "from typing import Any",
        "# a comment of the module",
        "    LIMIT = 20",
        "@decorate(1)",
        '    """Sums of things.',
        "    rate: float = 0.5  # of ten",
        "    @property",
        "    def total(self) -> float:",
        '        """Return the sum.',
        "        strict: bool = True,",
        "    ) -> dict[str, Any]:",
    ):
        assert f"\n{line}\n" in shown
    for gone in ("More about it", "In detail", "At length", "a comment of the body", "step * 3"):
        assert gone not in shown
    check_partition(MODULE, shown)
    check_kept(MODULE, shown)


def test_each_raise_stands_with_its_condition():
    """The documented one showed a bare `raise`, as if it came every time; nested functions vanished."""
    notes = [row.strip() for row in outline(MODULE).split("\n") if NOTE.match(row)]
    first = int(notes[0].partition(":")[0])
    assert notes == [
        f"{first + at}: {text}"
        for at, text in (
            (0, 'if not name: raise ValueError("a name is needed")'),
            (
                5,
                'for part in name.split("."): except KeyError as error: raise LookupError( f"no {part}", ) from error',
            ),
            (9, 'for part in name.split("."): try … else: raise StopIteration'),
            (14, 'with self.lock: if strict … elif part: raise RuntimeError("part")'),
            (16, "with self.lock: if strict … else: raise"),
            (17, "def inner(value: int) -> int:"),
            (19, "in inner: while value: raise OSError(value)"),
            (23, "match part: case [one, *rest] if rest: raise IndexError(one)"),
        )
    ]
    for note in notes:
        line, _, text = note.partition(": ")
        assert text.split()[-1].rstrip(")") in MODULE.split("\n")[int(line) - 1] or "LookupError" in text


def test_stub_stays_a_stub():
    """The documented one gave it a second `...`; what is shorter than a range stays."""
    text = "def one() -> int: ...\n\n\ndef two() -> int:\n    ...\n\n\ndef three() -> int:\n    return 3\n"
    assert outline(text) == f"{code.HEAD}\n{text}"


@pytest.mark.parametrize("constant", ["12345", "b'bytes'", "...", "None", "f'text'"])
def test_only_text_is_a_docstring(constant):
    """Another constant is part of the body."""
    assert f"\n    {constant}\n" not in outline(f"def f(total, step):\n    {constant}\n{WORK}")


@pytest.mark.parametrize(
    ("docstring", "kept"),
    [
        ('"""One line."""', '    """One line."""\n    … lines 3-8'),
        ('"""First.\n\n    Rest.\n    """', '    """First.\n    … lines 3-11'),
        ('"""\n    First.\n\n    Rest.\n    """', '    """\n    First.\n    … lines 4-12'),
        ("r'''\n\n    First.\n    '''", "    r'''\n\n    First.\n    … lines 5-11"),
    ],
)
def test_first_line_of_a_docstring_stays(docstring, kept):
    """Wherever it begins."""
    shown = outline(f"def f(total, step):\n    {docstring}\n{WORK}")
    assert shown == f"{code.HEAD}\ndef f(total, step):\n{kept}\n"


def test_other_characters_and_line_ends():
    """Columns of the parser are bytes; a carriage return stays where it was."""
    text = f"def f(größe):\n{WORK}    if größe == 'ß…': raise ValueError('zu groß: ß')\n"
    assert "8: if größe == 'ß…': raise ValueError('zu groß: ß')" in outline(text)
    crlf = outline(text.replace("\n", "\r\n"))
    assert crlf == outline(text).replace("\n", "\r\n")


def test_comments_within_a_condition_hide_nothing():
    """A joined line does not end in a comment."""
    text = f"def f(a, b):\n{WORK}    if (\n        a  # the first\n        and b\n    ):\n        raise ValueError(\n            a,  # why\n            b,\n        )\n"  # noqa: E501
    assert "if ( a and b ): raise ValueError( a, b, )" in outline(text)


def test_decorated_first_statement_goes_with_its_decorator():
    """No line of a body stays behind."""
    text = f"def f(total, step):\n    @wraps(f)\n    @also\n    def g(x): return x\n{WORK}    return g\n"
    shown = outline(text)
    assert "@wraps" not in shown
    assert "    4: def g(x):" in shown
    check_partition(text, shown)


def test_long_ladders_are_read():
    """A thousand branches are a loop, not a stack."""
    ladder = "".join(f"    elif a == {n}:\n        b = {n}\n" for n in range(900))
    text = f"def f(a):\n    if a == -1:\n        raise ValueError(a)\n{ladder}    else:\n        raise KeyError(a)\n"
    try:
        shown = outline(text)
    except NotThisKindError:
        pytest.skip("this Python's parser gives up before")
    assert "if a == -1: raise ValueError(a)" in shown
    assert "if a == -1 … else: raise KeyError(a)" in shown


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_modules_of_this_house(path):
    """Each line is accounted for; nothing that has to stay is gone."""
    text = path.read_text("utf-8")
    if not re.search("^(def|class|import|from)", text, re.MULTILINE):
        return
    shown = outline(text)
    check_partition(text, shown)
    check_kept(text, shown)


def test_module_of_a_thousand_lines_needs_a_third():
    """At most 35 % of its tokens, with all signatures and raises."""
    text = FIXTURE.read_text("utf-8")
    assert len(text.splitlines()) >= 1000
    shown = outline(text)
    check_partition(text, shown)
    check_kept(text, shown)
    before, after = count_tokens(text), count_tokens(shown)
    assert all(after[encoding] <= 0.35 * before[encoding] for encoding in before)


NOT_PYTHON = {
    "json": '{"import": ["def f(): pass"]}',
    "json lines": '{"def": 1}\n{"class": 2}\n',
    "yaml": "import: x\nclass: y\nkey: value\n",
    "log": "2026-01-01 12:00:00 INFO import started\n2026-01-01 12:00:01 INFO class loaded\n",
    "prose": "import this, and then\nclass dismissed, said the teacher.\n",
    "words": "import words\n" + "alpha\nbeta\ngamma\n" * 30,
    "diff": "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n import os\n+def f(): pass\n",
    "traceback": 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    import b\nImportError: no\n',
    "python 2": "import os\ndef f():\n    print 'old'\n",
    "part of a module": "    return total\n\ndef f(a):\n    return a\n",
    "cut module": "import os\n\ndef f(a):\n    return (a,\n",
    "session": ">>> import os\n>>> def f(): pass\n",
    "markdown": "# Title\n\n```python\nimport os\ndef f(): pass\n```\n",
    "nul": "import os\0\n",
    "return alone": "import os\rdef f(): pass\r",
    "form": f"{code.HEAD}\nimport os\n",
    "numbers": "1\n2\n3\n",
    "assignments": "a = 1\nb = 2\n",
    "empty": "",
}


@pytest.mark.parametrize("text", NOT_PYTHON.values(), ids=NOT_PYTHON)
def test_other_texts_are_no_python(text):
    """They are refused, and said to be no code."""
    with pytest.raises(NotThisKindError):
        code_python.check_module(text)
    assert classify(text)[0] is not ContentKind.CODE


@pytest.mark.parametrize("path", [path for path in OURS if path.name != "__init__.py"][:8], ids=lambda path: path.name)
def test_modules_are_classified_as_code(path):
    """By the order in which kinds are asked."""
    assert classify(path.read_text("utf-8"))[0] is ContentKind.CODE


def hostile(size):
    """Give texts of about so many characters that are hard on a parser."""
    start = "import os\n"
    yield from (
        start + "x+" * (size // 2) + "x",
        start + "x" + ".b" * (size // 2),
        start + "(" + "x +\n" * (size // 4) + "x)",
        start + "not " * (size // 4) + "x",
        start + "-" * size + "x",
        start + "(" * size,
        start + "f" + "()" * (size // 2),
        start + ("[" * 99 + "]" * 99 + "\n") * (size // 199),
        start + "x = " * (size // 4) + "1",
        start + "(x or\n" + "yes or\n" * (size // 8) + "x)",
        start + "if a:\n pass\n" + "elif a:\n pass\n" * (size // 14),
        start + "a if b else\\\n" * (size // 12) + "a",
        start + ("".join(" " * depth + "if x:\n" for depth in range(90)) + " " * 90 + "pass\n") * (size // 4500),
        start + "lambda: " * (size // 8) + "x",
        "import a\n" * (size // 9),
        "import " * (size // 7),
        "def f(" * (size // 6),
        "class A:\n" * (size // 9),
    )


@pytest.mark.parametrize("text", list(hostile(1_000_000)), ids=lambda text: f"{text[10:24]!r}")
def test_a_megabyte_of_anything_is_refused_unparsed(text):
    """Its length alone says so."""
    with pytest.raises(NotThisKindError, match="more than 400,000 characters"):
        code_python.check_module(text)


@pytest.mark.parametrize("text", list(hostile(20_000)), ids=lambda text: f"{text[10:24]!r}")
def test_hostile_text_is_read_or_refused(text):
    """No error of the parser leaves; the documented one let RecursionError out."""
    try:
        shown = outline(text)
    except NotThisKindError:
        return
    check_partition(text, shown)


def test_little_stack_is_no_error():
    """Near the end of the stack a text is no Python, and nothing else happens."""

    def descend(depth):
        if depth:
            return descend(depth - 1)
        try:
            code_python.check_module(MODULE)
        except NotThisKindError:
            return True
        return False

    limit = sys.getrecursionlimit()
    outcomes = set()
    for spare in range(20, 400, 20):
        try:
            outcomes.add(descend(limit - spare))
        except RecursionError:
            continue
    assert outcomes


def test_warnings_about_a_text_are_not_the_hosts():
    """An escape that Python does not know is the business of who wrote it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        code_python._silenced.clear()
        code_python.check_module(f"def f():\n    return '\\d {id(caught)}'\n")
    code_python._silenced.clear()
    assert not caught


SNIPPETS = st.sampled_from(
    [
        "if a:\n    raise A\nelif b:\n    pass\nelse:\n    raise B",
        "for x in y:\n    raise C\nelse:\n    raise D",
        "try:\n    raise E\nexcept (A, B) as c:\n    raise\nfinally:\n    raise F",
        "def inner(a, *, b=(1, 2)):\n    '''Text.\n\n    More.'''\n    raise G",
        "class Inner(A):\n    x: int = 1\n    def m(self):\n        raise H\n    y = 2",
        "with a as b, c:\n    raise I from None",
        "x = [\n    1,\n    2,\n]",
        "# a comment\nx = '''a\nb'''; y = 2",
        "match a:\n    case 1 | 2:\n        raise J\n    case _:\n        pass",
        "@deco\nasync def co(): raise K",
        "raise L(\n    '#', 1,  # why\n)",
        "if a: raise M",
    ]
)


def indented(text, depth):
    """Move a snippet to the right."""
    return "".join(f"{'    ' * depth}{line}\n" for line in text.split("\n"))


@given(st.lists(st.tuples(SNIPPETS, st.integers(0, 2)), min_size=1, max_size=12), st.booleans())
def test_any_module_is_accounted_for(pieces, crlf):
    """Statements of all sorts, at three depths."""
    text = "import os\n"
    for snippet, depth in pieces:
        if depth:
            text += "".join(f"{'    ' * at}def level{at}(value):\n" for at in range(depth))
        text += indented(snippet, depth) + indented("end = 1", depth)
    if crlf:
        text = text.replace("\n", "\r\n")
    shown = outline(text)
    check_partition(text, shown)
    check_kept(text.replace("\r\n", "\n"), shown)


@given(st.integers(0, 2000), st.integers(0, 60), st.text(max_size=3))
def test_damaged_modules_raise_nothing_else(at, length, put):
    """A module with a hole is Python or it is not."""
    text = MODULE[:at] + put + MODULE[at + length :]
    try:
        shown = outline(text)
    except NotThisKindError:
        return
    check_partition(text, shown)
