"""`cablese test`: everything that is asked of a rule, and its examples brought up to date."""

from __future__ import annotations

import os
import sys
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from .findings import render_findings, render_untested
from .options import Arguments, Command, Option
from .output import STDOUT, InputError, complain, write_bytes
from .project import RULES, rule_paths
from .rule_files import RuleFiles, read_rule_files

if TYPE_CHECKING:
    from ..compiler import Compilation
    from ..compiler.evidence import Evidence
    from ..dsl.diagnostics import Diagnostic

COMMAND = Command(
    "test",
    "Run the examples of rules, the commands that they select and leave, near misses of these, the checks\n"
    "that every rule must stand, and mutations of every example that is shown.\n\n"
    "Exits with 0 if all hold, 1 if something does not, 2 if a file cannot be read or written.",
    (
        Option(
            "--format",
            "`human` (default), `plain` (findings as sentences), `json` (one document), `junit` (XML), "
            "`github` annotations, a `sarif` log",
            "FORMAT",
            choices=("human", "plain", "json", "junit", "github", "sarif"),
            default="human",
        ),
        Option("--draft", "do not ask for the examples that a finished rule needs"),
        Option("--rule", "test this rule only", "ID"),
        Option("--coverage", "name what no example and no listed command touches"),
        Option("--min-coverage", "fail where less of a rule is touched, in percent", "N", number=True),
        Option("--update", "write the text that is shown now into examples that show another; print what changed"),
    ),
    RULES,
)


class Tested(NamedTuple):
    """The evidence about one rule, and how long it took in seconds."""

    evidence: Evidence
    seconds: float
    least: int
    """How much of it must be touched, in percent."""

    @property
    def covered(self) -> bool:
        """Say whether enough of it is touched."""
        return self.evidence.coverage.percent >= self.least

    @property
    def holds(self) -> bool:
        """Say whether nothing is wrong with the rule."""
        return self.evidence.holds and self.covered


def execute(arguments: Arguments) -> int:
    """Test; 0 all holds, 1 something does not, 2 broken."""
    begin = perf_counter()
    try:
        if not 0 <= (arguments["min_coverage"] or 0) <= 100:
            raise InputError(f"--min-coverage: {arguments['min_coverage']} is no percentage")
        files = read_rule_files(rule_paths(arguments["path"]), os.getcwd())
        if arguments["update"]:
            files = _update(files, arguments)
        done = _compile(files, arguments)
        blocking = _blocking(files, done)
        if blocking:
            _say_findings(blocking, arguments, begin)
            return 1
        tested = _test(files, done, arguments)
    except InputError as error:
        complain(str(error))
        return 2
    _say(tested, arguments, begin)
    return 0 if all(each.holds for each in tested) else 1


def _compile(files: RuleFiles, arguments: Arguments) -> Compilation:
    from ..compiler import compile_sources

    return compile_sources(files.sources, name="test", version="0", draft=arguments["draft"], read=files.read)


def _blocking(files: RuleFiles, done: Compilation) -> tuple[Diagnostic, ...]:
    """Return everything that is wrong, where more is wrong than what tests say of a rule."""
    from ..compiler.evidence import TESTED

    found = (*files.diagnostics, *done.diagnostics)
    return found if any(each.code not in TESTED for each in found) else ()


def _test(files: RuleFiles, done: Compilation, arguments: Arguments) -> list[Tested]:
    from ..compiler.evidence import Gatherer

    gatherer = Gatherer(done, files.read)
    tested = []
    for rule in done.rules:
        if arguments["rule"] in (None, rule.id):
            start = perf_counter()
            evidence = gatherer.gather(rule)
            tested.append(Tested(evidence, perf_counter() - start, arguments["min_coverage"] or 0))
    if arguments["rule"] is not None and not tested:
        raise InputError(_unknown_rule(arguments["rule"], [rule.id for rule in done.rules]))
    return tested


def _unknown_rule(given: str, known: list[str]) -> str:
    from ..dsl.suggest import did_you_mean

    near = did_you_mean(given, known)
    return f"no rule is called `{given}`" + (f"; did you mean `{near}`?" if near else "")


def _update(files: RuleFiles, arguments: Arguments) -> RuleFiles:
    """Write the examples that show another text, print what was changed, and return the files as they are now."""
    from ..compiler.update import update_examples
    from ..dsl.display import visible_but_tabs
    from .fmt import render_diff

    changes = update_examples(files.sources, draft=arguments["draft"], read=files.read, only=arguments["rule"])
    out = sys.stdout if arguments["format"] in {"human", "plain"} else sys.stderr
    for path, (old, new) in changes.items():
        try:
            _write(os.path.join(files.base, path), new.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        print(visible_but_tabs(render_diff(path, old, new)), end="", file=out)
    return read_rule_files(rule_paths(arguments["path"]), os.getcwd()) if changes else files


def _write(path: str, data: bytes) -> None:
    """Replace a file at once, or make it, with the folders above it. Raises OSError."""
    from .fmt import replace_file

    if os.path.exists(path):
        replace_file(path, data)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb") as file:
        file.write(data)


def _say_findings(found: tuple[Diagnostic, ...], arguments: Arguments, begin: float) -> None:
    form = arguments["format"]
    if form == "json":
        from .tested_json import render_report

        sys.stdout.write(render_report([], found, perf_counter() - begin))
    elif form == "junit":
        from .tested_junit import render_junit

        write_bytes(STDOUT, render_junit([], found, perf_counter() - begin).encode())
    else:
        sys.stdout.write(render_findings(found, form, os.getcwd()))
        if form == "human":
            print(render_untested(found))


def _say(tested: list[Tested], arguments: Arguments, begin: float) -> None:
    form = arguments["format"]
    if form == "json":
        from .tested_json import render_report

        sys.stdout.write(render_report(tested, (), perf_counter() - begin))
    elif form == "junit":
        from .tested_junit import render_junit

        write_bytes(STDOUT, render_junit(tested, (), perf_counter() - begin).encode())
    elif form == "sarif":
        from .. import __version__
        from .tested_sarif import render_report as render_log

        sys.stdout.write(render_log(tested, (), __version__, os.getcwd()))
    elif form == "github":
        from .tested_github import render_annotations

        sys.stdout.write(render_annotations(tested, os.getcwd()))
    else:
        from .tested_human import render_tested

        text = render_tested(tested, form, perf_counter() - begin, coverage=arguments["coverage"])
        sys.stdout.write(text)
