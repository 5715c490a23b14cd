"""Rust, TypeScript and JavaScript, Go, Java, C and C++: which lines are bodies, and what in them must not be lost.

Input: a text. Output: its language and tree, then the cuts. Parsed by tree-sitter, from the wheels of the extra `code`;
nothing is executed.

A text is of a language where words of that language stand at the beginning of lines, its grammar reads the whole text
without an error, and there is a declaration in it. Left out are the lines within the braces of functions and methods.
Of them stay what is thrown (`throw`; `panic!`, `bail!` and the like and `Err(…)` in Rust; `panic` and returned new
errors in Go), each in one line with the headers around it, and the headers of named functions within.

Invariant: before a parser sees a text, its length, that of its lines and the share of its punctuation are bounded, and
so is the time that it takes.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from .code_languages import LANGUAGES, Language
from .code_outline import Cut, Note
from .kinds import NotThisKindError
from .pieces import count_signs

MAX_CHARS = 150_000
"""No longer text is parsed, in characters."""
_LONGEST_LINE = 4_000
_PUNCTUATION = b"()[]{}=<>+-*/.,:;%&|^~!@'\"\\"
_ATTEMPTS = 4
"""So many grammars are tried: what none of the likely ones reads is of no language."""
_EVIDENCE_CHARS = 16 * 1024
"""Evidence of a language stands in so much of the beginning."""
_SAMPLE = 4_000
"""Of a longer text, so many bytes are parsed first: of a text of another kind, looking for a way on takes most time."""
_SAMPLE_ERRORS = 30
"""A beginning that is cut anywhere has a few errors (at most 15 of the headers and sources tried), others hundreds."""
_SHOWN_HEADERS = 6
"""So many headers around a note are shown; of more, the first and the last ones."""
_OTHERS = re.compile(r"\s*(?:<|#!.{0,80}(?:sh|perl|ruby|php|awk)\b)")
"""How HTML, XML, PHP and scripts of other languages begin, in which a parser would look for sense to the end."""
_PERL = re.compile(r"^(?:use (?:strict|warnings)\b|package \w+(?:::\w+)+;)", re.MULTILINE)


class Parsed(NamedTuple):
    """A text that a grammar read without an error."""

    language: Language
    source: bytes
    root: Any


_BODIES = frozenset({"block", "statement_block", "compound_statement", "constructor_body"})
_HEADED = frozenset(
    {
        "if_statement", "if_expression", "else_clause", "for_statement", "for_in_statement", "for_expression",
        "for_range_loop", "enhanced_for_statement", "while_statement", "while_expression", "do_statement",
        "loop_expression", "switch_statement", "switch_expression", "expression_switch_statement",
        "type_switch_statement", "select_statement", "match_expression", "try_statement",
        "try_with_resources_statement", "catch_clause", "finally_clause", "synchronized_statement",
    }
)  # fmt: skip
_CASES = frozenset(
    {
        "match_arm", "expression_case", "default_case", "type_case", "communication_case", "switch_case",
        "switch_default", "case_statement", "switch_block_statement_group", "switch_rule",
    }
)  # fmt: skip
_CLAUSES = frozenset({"catch_clause", "finally_clause"})
_INSIDE = _BODIES | _CASES | {"switch_body", "switch_block", "match_block"}
_CASE = re.compile(r".*?(?:=>|->|:(?=\s|$))")
_RUST_MACROS = frozenset({"panic", "bail", "ensure", "unreachable", "todo", "unimplemented"})
_GO_ERROR = re.compile(rb"return\b.*(?:\bErrorf\(|\berrors\.New\(|\bErr[A-Z]\w*)", re.DOTALL)


def parse_any(text: str) -> Parsed:
    """Return a text as read by the first language that takes it. Raises NotThisKindError."""
    _check_shape(text)
    candidates = [each for each in LANGUAGES if each.evidence.search(text, 0, _EVIDENCE_CHARS)][:_ATTEMPTS]
    if not candidates:
        raise NotThisKindError("no line begins as one of a known language does")
    try:
        source = text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotThisKindError("it is not Unicode") from None
    for language in candidates:
        root = _parse(language, source)
        if root is not None:
            return Parsed(language, source, root)
    raise NotThisKindError("no grammar reads it without an error")


def find_cuts(parsed: Parsed) -> list[Cut]:
    """Return what to leave out of the lines of a text."""
    cuts = []
    functions = parsed.language.functions
    waiting = [parsed.root]
    while waiting:
        node = waiting.pop()
        body = _body_of(node) if node.type in functions and _stands_alone(node) else None
        if body is None:
            waiting += node.named_children
            continue
        first, last = body.start_point[0] + 2, body.end_point[0]
        if first <= last:
            cuts.append(Cut(first, last, tuple(_notes(parsed, body))))
    return cuts


def _check_shape(text: str) -> None:
    """Refuse cheaply what is no source file, or would keep a parser busy. Raises NotThisKindError."""
    if len(text) > MAX_CHARS:
        raise NotThisKindError(f"more than {MAX_CHARS:,} characters")
    if "{" not in text:
        raise NotThisKindError("it has no block")
    if _OTHERS.match(text) is not None or _PERL.search(text, 0, _EVIDENCE_CHARS) is not None:
        raise NotThisKindError("it is of a language without a grammar here")
    if count_signs(text, _PUNCTUATION) * 5 > len(text) * 2 or max(map(len, text.split("\n"))) > _LONGEST_LINE:
        raise NotThisKindError("its lines are not those of a source file")


@cache
def _grammar(module: str, maker: str) -> Any:
    """Return the grammar of a language, None where its wheel is not installed, or is of another age."""
    try:
        return import_module("tree_sitter").Language(getattr(import_module(module), maker)())
    except (ImportError, AttributeError, TypeError, ValueError):
        return None


def _parse(language: Language, source: bytes) -> Any:
    """Return the root of a text without errors that declares something, else None."""
    grammar = _grammar(language.module, language.maker)
    if grammar is None:
        return None
    # A parser is of one thread, a grammar of all.
    parser = import_module("tree_sitter").Parser(grammar)
    if len(source) > 2 * _SAMPLE and is_strange(parser.parse(source[: source.rfind(b"\n", 0, _SAMPLE) + 1]).root_node):
        return None
    root = parser.parse(source).root_node
    if root.has_error:
        return None
    children = root.named_children
    words = sum(child.type == "expression_statement" for child in children)
    if words * 2 > len(children) + 1 or not any(child.type in language.declarations for child in children):
        return None
    return root


def is_strange(root: Any) -> bool:
    """Tell whether a beginning has so many errors that it is not one of a text without any."""
    errors = 0
    waiting = [root]
    while waiting and errors <= _SAMPLE_ERRORS:
        node = waiting.pop()
        errors += node.is_error or node.is_missing
        if node.has_error:
            waiting += node.children
    return errors > _SAMPLE_ERRORS


def _body_of(function: Any) -> Any:
    body = function.child_by_field_name("body")
    return body if body is not None and body.type in _BODIES else None


def _stands_alone(function: Any) -> bool:
    """Tell whether a function is one of its own, and not an argument, which may be most of a file."""
    return function.parent is None or function.parent.type not in {"arguments", "argument_list"}


def _notes(parsed: Parsed, body: Any) -> list[Note]:
    """Return a note for whatever is thrown in a body, and for each named function, in order."""
    notes: list[Note] = []
    waiting: list[tuple[Any, tuple[str, ...]]] = [(child, ()) for child in reversed(body.named_children)]
    while waiting:
        node, around = waiting.pop()
        text = _thrown(parsed, node)
        if text is not None:
            notes.append(Note(node.start_point[0] + 1, " ".join([*_few(around), text])))
            continue
        inner = _body_of(node) if node.type in parsed.language.functions else None
        name = None if inner is None else node.child_by_field_name("name")
        if inner is not None and name is not None:
            header = _squeeze(parsed.source[node.start_byte : inner.start_byte])
            notes.append(Note(node.start_point[0] + 1, " ".join([*_few(around), header])))
            around = (f"in {_squeeze(parsed.source[name.start_byte : name.end_byte])}:",)
        headed = node.type in _HEADED or node.type in _CASES
        for child in reversed(node.named_children):
            header = _header(parsed, node, child) if headed else ""
            waiting.append((child, (*around, header) if header else around))
    return notes


def _thrown(parsed: Parsed, node: Any) -> str | None:
    """Return what a node throws, as it is written, where it throws something."""
    kind, name = node.type, parsed.language.name
    source = parsed.source[node.start_byte : node.end_byte]
    throws = kind == "throw_statement" or (kind == "throw_expression" and name == "cpp")
    if name == "rust":
        target = node
        if kind == "return_expression" and node.named_child_count:
            target = node.named_children[0]
        if target.type == "call_expression":
            throws = parsed.source[target.start_byte : target.end_byte].startswith(b"Err(")
        elif kind == "macro_invocation":
            macro = node.child_by_field_name("macro")
            throws = macro is not None and _squeeze(macro.text).rpartition("::")[2] in _RUST_MACROS
    elif name == "go":
        throws = (kind == "call_expression" and source.startswith(b"panic(")) or (
            kind == "return_statement" and _GO_ERROR.match(source) is not None
        )
    return _squeeze(source) if throws else None


def _header(parsed: Parsed, node: Any, child: Any) -> str:
    """Return what is written of a statement in front of its parts; of an `if`, also in front of the other branch."""
    if node.type.startswith("try") and child.type in _CLAUSES:
        return ""
    end = next((each.start_byte for each in node.named_children if each.type in _INSIDE), child.start_byte)
    header = _squeeze(parsed.source[node.start_byte : min(end, child.start_byte)])
    if node.type in _CASES:
        found = _CASE.match(header)
        return header if found is None else found[0]
    alternative = node.child_by_field_name("alternative")
    consequence = node.child_by_field_name("consequence")
    if alternative is not None and consequence is not None and child.start_byte >= alternative.start_byte:
        header = _squeeze(parsed.source[node.start_byte : consequence.start_byte])
        return f"{header} …" if alternative.type == "else_clause" else f"{header} … else"
    return header


def _few(headers: tuple[str, ...]) -> tuple[str, ...]:
    if len(headers) <= _SHOWN_HEADERS:
        return headers
    half = _SHOWN_HEADERS // 2
    return (*headers[:half], "…", *headers[-half:])


def _squeeze(source: bytes) -> str:
    return " ".join(source.decode("utf-8", "replace").split()).removesuffix("{").rstrip()
