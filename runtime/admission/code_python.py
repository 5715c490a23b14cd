"""Python: which lines of a module are bodies, and what in them must not be lost.

Input: the text of a module. Output: whether it is one, its tree, the cuts. The text is parsed, and never executed.

Left out: bodies of functions and methods behind the first line of their docstring, and of docstrings all but the first
line. Of a body stay its `raise` statements, each in one line with the conditions around it (`for name in names: if not
name: raise …`), and the headers of functions and classes within. Everything else stays as it is: imports, statements of
the module, classes with their attributes, decorators, signatures, annotations, and comments outside of bodies; comments
within bodies go with them.

Invariants: before a parser sees a text, its length, that of its lines and the share of its punctuation are bounded, and
so is the time that it takes; whatever it raises means that the text is not Python.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .code_outline import Cut, Note
from .kinds import NotThisKindError
from .pieces import count_signs

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator

MAX_CHARS = 400_000
"""No longer text is parsed, in characters."""
_LONGEST_LINE = 4_000
_IMPORTS_ALONE = 50_000
"""A text that defines nothing is parsed twice, so it may only be so long."""
_PUNCTUATION = b"()[]{}=<>+-*/.,:;%&|^~!@'\"\\"
_FILE = "<admitted content>"
_KEYWORD = re.compile(r"^[ \t]*(?:async[ \t]+def|def|class|import|from)[ \t]+\w", re.MULTILINE)
_DEFINING = frozenset({"function", "class", "type parameters"})
"""What the table calls the blocks of definitions; annotations and aliases have blocks, too."""
_UNNAMED = frozenset({"lambda", "listcomp", "setcomp", "dictcomp", "genexpr"})
"""What the table calls functions without a name. Source: Lib/symtable.py and Python/symtable.c of CPython."""
_silenced: list[bool] = []


def check_module(text: str) -> None:
    """Return where a text is a module with a function, a class or an import. Raises NotThisKindError.

    The tables of names tell as surely as the tree, which takes twice the time to build, and is needed only to be shown.
    """
    _check_shape(text)
    import symtable

    table = _parse(symtable.symtable, text, _FILE, "exec")
    if any(each.get_type() in _DEFINING and each.get_name() not in _UNNAMED for each in table.get_children()):
        return
    if len(text) > _IMPORTS_ALONE:
        raise NotThisKindError("it is long, and defines nothing")
    import ast

    body = parse_module(text).body
    words = sum(isinstance(each, ast.Expr) and isinstance(each.value, ast.Name | ast.Constant) for each in body)
    if words * 2 > len(body) + 1 or not any(each.is_imported() for each in table.get_symbols()):
        raise NotThisKindError("nothing in it is surely Python")


def parse_module(text: str) -> ast.Module:
    """Return the tree of a module. Raises NotThisKindError."""
    import ast

    return _parse(ast.parse, text, _FILE)


def _parse(parser: Callable[..., Any], *given: str) -> Any:
    _silence_warnings()
    try:
        return parser(*given)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotThisKindError(f"it does not parse as Python: {type(error).__name__}") from None


def find_cuts(tree: ast.Module, lines: list[str]) -> list[Cut]:
    """Return what to leave out of a module with these lines."""
    import ast

    reader = _Reader(lines)
    cuts = reader.cut_docstring(tree)
    for statement in _statements(tree):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            cuts += reader.cut_body(statement)
        elif isinstance(statement, ast.ClassDef):
            cuts += reader.cut_docstring(statement)
    return cuts


def _check_shape(text: str) -> None:
    """Refuse cheaply what is no module, or would keep a parser busy. Raises NotThisKindError."""
    if len(text) > MAX_CHARS:
        raise NotThisKindError(f"more than {MAX_CHARS:,} characters")
    if _KEYWORD.search(text) is None:
        raise NotThisKindError("no line defines or imports anything")
    if text.count("\r") != text.count("\r\n"):
        raise NotThisKindError("a line ends with `\\r` alone")
    if count_signs(text, _PUNCTUATION) * 3 > len(text) or max(map(len, text.split("\n"))) > _LONGEST_LINE:
        raise NotThisKindError("its lines are not those of a module")


def _silence_warnings() -> None:
    """Keep what the parser says of escapes in a text that is not ours from the host."""
    if not _silenced:
        import warnings

        warnings.filterwarnings("ignore", module=re.escape(_FILE))
        _silenced.append(True)


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Give the statements of a module and those within them, but none of a function."""
    import ast

    waiting: list[ast.AST] = [tree]
    while waiting:
        for block in _blocks_of(waiting.pop()):
            yield from block
            waiting += [each for each in block if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]


def _blocks_of(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Give the lists of statements that stand directly in a statement."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block
    for field in ("handlers", "cases"):
        for part in getattr(node, field, ()):
            yield part.body


class _Reader:
    """Finds cuts in a text of these lines."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def cut_docstring(self, node: ast.AST) -> list[Cut]:
        """Return the cut of a docstring's lines behind its first."""
        behind, end = self._docstring(node)
        return [Cut(behind, end)] if behind <= end else []

    def cut_body(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[Cut]:
        """Return the cut of a body, none where it has nothing that could be left out."""
        first = function.body[0]
        if self.lines[first.lineno - 1].encode("utf-8")[: first.col_offset].strip():
            return []
        behind, end = self._docstring(function)
        start = behind if end else _first_line(first)
        last = function.end_lineno or first.lineno
        return [Cut(start, last, tuple(self._notes(function.body)))] if start <= last else []

    def _docstring(self, node: Any) -> tuple[int, int]:
        """Return the line behind the first of a docstring, and its last one; (1, 0) where there is none."""
        import ast

        first = node.body[0] if node.body else None
        if not (
            isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
        ):
            return 1, 0
        start, end = first.lineno, first.end_lineno or first.lineno
        while start < end and not self.lines[start - 1].strip().strip("\"'rRuUbB\\"):
            start += 1
        return start + 1, end

    def _notes(self, body: list[ast.stmt]) -> list[Note]:
        """Return a note for each `raise`, function and class within a body, in order."""
        import ast

        notes: list[Note] = []
        waiting = [(each, "") for each in reversed(body)]
        while waiting:
            node, around = waiting.pop()
            if isinstance(node, ast.Raise):
                notes.append(Note(node.lineno, around + self._between(node, _end(node))))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                notes.append(Note(node.lineno, around + self._header(node)))
            for block, head in reversed(self._branches(node)):
                waiting += [(each, f"{around}{head} ") for each in reversed(block)]
        return notes

    def _branches(self, node: Any) -> list[tuple[list[ast.stmt], str]]:
        """Return the blocks of a statement, each with what leads to it."""
        import ast

        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return [(node.body, f"in {node.name}:")]
        if isinstance(node, ast.If):
            return self._ladder(node)
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            head = self._header(node)
            return [(node.body, head), (node.orelse, f"{head[:-1]} … else:")]
        if isinstance(node, ast.With | ast.AsyncWith):
            return [(node.body, self._header(node))]
        if isinstance(node, ast.Try | ast.TryStar):
            handlers = [(each.body, self._header(each)) for each in node.handlers]
            return [(node.body, "try:"), *handlers, (node.orelse, "try … else:"), (node.finalbody, "finally:")]
        if isinstance(node, ast.Match):
            subject = self._between(node, _end(node.subject))
            return [(each.body, f"{subject}: case {self._header(each, each.pattern)}") for each in node.cases]
        return []

    def _ladder(self, node: ast.If) -> list[tuple[list[ast.stmt], str]]:
        """Return the blocks of an `if` and its `elif`s. Each says how the ladder begins."""
        import ast

        first = self._header(node)
        branches = [(node.body, first)]
        while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            header = self._header(node.orelse[0])
            if not header.startswith("elif"):
                break
            node = node.orelse[0]
            branches.append((node.body, f"{first[:-1]} … {header}"))
        return [*branches, (node.orelse, f"{first[:-1]} … else:")]

    def _header(self, node: Any, start: Any = None) -> str:
        """Return what is written of a statement up to its body, in one line."""
        first = node.body[0]
        line = _first_line(first)
        end = (line, 0) if line != first.lineno else (line, first.col_offset)
        return self._between(start or node, end).rstrip()

    def _between(self, start: Any, end: tuple[int, int]) -> str:
        """Return what is written from the start of a node to a line and column, its lines joined by a space."""
        parts = [line.encode("utf-8") for line in self.lines[start.lineno - 1 : end[0]]]
        parts[-1] = parts[-1][: end[1]]
        parts[0] = parts[0][start.col_offset :]
        if len(parts) == 1:
            return parts[0].decode("utf-8")
        return " ".join(filter(None, (_strip_line(part.decode("utf-8")) for part in parts)))


def _strip_line(line: str) -> str:
    """Return a line that is joined with others: without a comment behind it, where that is plain to see."""
    code, mark, comment = line.strip().removesuffix("\\").partition("#")
    quoted = "'" in code or '"' in code or "'" in comment or '"' in comment
    return (code + mark + comment if quoted and code else code).strip()


def _end(node: Any) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset


def _first_line(statement: Any) -> int:
    """Return the line at which a statement begins, with its decorators."""
    return min([statement.lineno, *[each.lineno for each in getattr(statement, "decorator_list", [])]])
