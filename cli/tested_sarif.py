"""The report of `cablese test` as a SARIF log: findings as `check` gives them, and beside them what no code is for.

Input: what was tested, or the findings that kept it from being tested. Output: JSON text. What a rule must stand and
does not (checks, mutants, derived commands) is `rule-does-not-hold`, at the rule; where less is touched than was
demanded, each thing that nothing touches is `not-touched`, at its place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from ..dsl.display import visible
from ..dsl.render import render_sarif
from .findings import Repository
from .tested_human import describe_problems

if TYPE_CHECKING:
    from ..dsl.diagnostics import Diagnostic
    from .test import Tested

_RULES: Final = {
    "rule-does-not-hold": "something that every rule must stand does not hold",
    "not-touched": "no example and no listed command touches this, where more was demanded",
}


def render_report(tested: Sequence[Tested], findings: Sequence[Diagnostic], version: str, base: str) -> str:
    """Return the log of one run. `base` is the folder that the paths of rules are relative to."""
    locate = Repository(base).locate
    found = [*findings, *(each for one in tested for each in one.evidence.findings)]
    log = json.loads(render_sarif(found, version, locate))
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    problems = [problem for one in tested for problem in _problems(one)]
    numbers = {name: len(rules) + at for at, name in enumerate(dict.fromkeys(name for name, *_ in problems))}
    rules += [
        {
            "id": name,
            "shortDescription": {"text": _RULES[name]},
            "defaultConfiguration": {"level": "error"},
            "properties": {"tags": ["cablese"]},
        }
        for name in numbers
    ]
    seen: dict[str, int] = {}
    for name, rule, path, line, words in problems:
        text = f"{rule}: {visible(words)}"
        digest = hashlib.sha256(f"{name}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        seen[digest] = seen.get(digest, 0) + 1
        uri = quote(locate(path).encode("utf-8", "surrogateescape"), safe="/-._~")
        place = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": {"startLine": line}}
        result: dict[str, Any] = {
            "ruleId": name,
            "ruleIndex": numbers[name],
            "level": "error",
            "message": {"text": text},
            "locations": [{"physicalLocation": place}],
            "partialFingerprints": {"primaryLocationLineHash": f"{digest}:{seen[digest]}"},
        }
        run["results"].append(result)
    return json.dumps(log, indent=1) + "\n"


def _problems(tested: Tested) -> Iterator[tuple[str, str, str, int, str]]:
    """Yield name, rule, path, line and words of what does not hold and is no finding."""
    evidence = tested.evidence
    for words in describe_problems(tested):
        yield "rule-does-not-hold", evidence.rule, evidence.path, evidence.line, words
    if not tested.covered:
        for point in evidence.coverage.missing:
            yield "not-touched", evidence.rule, point.path, point.line, f"nothing touches {point.words}"
