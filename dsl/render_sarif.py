"""Diagnostics as one SARIF 2.1.0 log (OASIS), for code scanning and for viewers.

Input: diagnostics, and how a path reads from the repository on. Output: JSON text, the same for the same findings:
no clock, no path of the machine. Limits are those at which GitHub stops taking a log in (its documentation, “SARIF
support for code scanning”): 25,000 results a run, 20 tags a rule. What is left out is said in a notification.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final
from urllib.parse import quote

from .codes import CODES
from .diagnostics import Diagnostic, Label
from .display import visible, visible_words
from .source import Source, Span

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_RESULTS: Final = 25_000
_ROOT: Final = "%SRCROOT%"

Locate = Callable[[str], str]


def render_sarif(diagnostics: Iterable[Diagnostic], version: str, locate: Locate = str) -> str:
    """Return the log of one run, also where there are no findings. `version` is that of the tool."""
    found = list(diagnostics)
    kept = found[:MOST_RESULTS]
    codes = sorted({each.code for each in kept})
    seen: dict[tuple[str, str], int] = {}
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if len(found) > len(kept):
        words = f"{len(found) - len(kept)} more findings are left out"
        invocation["toolExecutionNotifications"] = [{"level": "warning", "message": {"text": words}}]
    run = {
        "tool": {"driver": {"name": "cablese", "semanticVersion": version, "rules": [_rule(code) for code in codes]}},
        "invocations": [invocation],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "the top folder of the repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(visible_words(each), codes.index(each.code), seen, locate) for each in kept],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(name: str) -> dict[str, Any]:
    """Return a code as SARIF's reporting descriptor: what `cablese explain` says of it."""
    code = CODES[name]
    explanation = " ".join(code.explanation.split())
    shown = [f"{words}\n\n{{}}" for words in ("This raises it:", "This does not:")]
    bad, good = (visible(text).strip("\n") for text in (code.bad, code.good))
    plain = "\n\n".join([explanation, shown[0].format(bad), shown[1].format(good)])
    fenced = "\n\n".join(
        [explanation, *(words.format(_fence(text)) for words, text in zip(shown, (bad, good), strict=True))]
    )
    return {
        "id": name,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": explanation},
        "help": {"text": plain, "markdown": fenced},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["cablese"]},
    }


def _fence(text: str) -> str:
    return f"~~~~\n{text}\n~~~~"


def _result(diagnostic: Diagnostic, index: int, seen: dict[tuple[str, str], int], locate: Locate) -> dict[str, Any]:
    source = diagnostic.source
    parts = [diagnostic.message, *diagnostic.notes, *([f"help: {diagnostic.help}"] if diagnostic.help else [])]
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": "error",
        "message": {"text": "\n".join(parts)},
        "locations": [_location(source, diagnostic.primary, locate)],
        "partialFingerprints": {"primaryLocationLineHash": _fingerprint(diagnostic, seen)},
    }
    related = [
        {"id": number, **_location(label.source or source, label, locate)}
        for number, label in enumerate(islice(diagnostic.secondary, 100), 1)
    ]
    if related:
        result["relatedLocations"] = related
    if diagnostic.edits:
        replacements = [
            {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.text}}
            for edit in diagnostic.edits
        ]
        change = {"artifactLocation": _artifact(source, locate), "replacements": replacements}
        result["fixes"] = [{"description": {"text": diagnostic.help or "apply the edit"}, "artifactChanges": [change]}]
    return result


def _location(source: Source, label: Label, locate: Locate) -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(source, locate), "region": _region(source, label.span)}
    }
    if label.text:
        location["message"] = {"text": label.text}
    return location


def _artifact(source: Source, locate: Locate) -> dict[str, str]:
    """Return the place of a file. A name that is not UTF-8 keeps its bytes."""
    path = quote(locate(source.path).encode("utf-8", "surrogateescape"), safe="/-._~")
    return {"uri": path, "uriBaseId": _ROOT}


def _region(source: Source, span: Span) -> dict[str, int]:
    """Return a region: lines and columns from 1, the end behind the last character."""
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fingerprint(diagnostic: Diagnostic, seen: dict[tuple[str, str], int]) -> str:
    """Return what stays while lines move: a digest of code and line, and its number among its like in the file."""
    source = diagnostic.source
    line = source.line(source.position(diagnostic.primary.span.start)[0]).strip()
    text = f"{diagnostic.code}\0{line}".encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(text).hexdigest()[:16]
    key = (source.path, digest)
    seen[key] = seen.get(key, 0) + 1
    return f"{digest}:{seen[key]}"
