"""What the run path may load: the exact modules of ours, and nothing heavy of anybody."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
before = set(sys.modules)
from cablese.cli.main import main
code = main(sys.argv[1:])
sys.stdout.flush()
print(*sorted(set(sys.modules) - before), file=sys.stderr)
sys.exit(code)
"""

START = {
    "cablese",
    "cablese.cli",
    "cablese.cli.main",
    "cablese.cli.options",
    "cablese.cli.output",
    "cablese.runtime",
    "cablese.runtime.settings",
    "cablese.runtime.stores",
    "cablese.runtime.stores.store",
}
RECORD = {"cablese.runtime.hosting", "cablese.runtime.hosting.ledger", "cablese.runtime.stores.ledger_file"}
DECIDE = (START | RECORD) | {
    "cablese.runtime.decision",
    "cablese.runtime.packs",
    "cablese.cli.captured",
    "cablese.runtime.packs.catalogue",
    "cablese.runtime.compressor",
    "cablese.runtime.making",
    "cablese.runtime.decision.header",
    "cablese.runtime.stores.open_store",
    "cablese.runtime.decision.policy",
    "cablese.runtime.reasons",
    "cablese.runtime.records",
    "cablese.runtime.shell",
    "cablese.runtime.decision.walk",
}
FIND = DECIDE | {
    "cablese.runtime.digests",
    "cablese.runtime.packs.features",
    "cablese.runtime.packs.pack",
    "cablese.runtime.packs.errors",
    "cablese.runtime.packs.strict_json",
}
CLAIM = FIND | {
    "cablese.runtime.engine",
    "cablese.runtime.engine.command",
    "cablese.runtime.packs.rule",
    "cablese.runtime.packs.streams",
}
EVALUATE = CLAIM | {
    "cablese.runtime.engine.charsets",
    "cablese.runtime.engine.claims",
    "cablese.runtime.engine.evaluation",
    "cablese.runtime.engine.facts",
    "cablese.runtime.engine.patterns",
    "cablese.runtime.engine.scan",
    "cablese.runtime.engine.summary",
    "cablese.runtime.engine.tables",
    "cablese.runtime.engine.values",
    "cablese.runtime.framing",
    "cablese.runtime.decision.retention",
    "cablese.runtime.decision.rule_candidate",
}
BOUNDS = EVALUATE | {"cablese.runtime.tokens", "cablese.runtime.tokens.bounds", "cablese.runtime.tokens.gate"}
COUNT = (
    {"cablese.runtime.native"}
    | BOUNDS
    | {f"cablese.runtime.tokens.{name}" for name in ("codepoints", "exact", "merge", "ranks", "split", "table")}
)
VIEW = {"cablese.cli.view"}
RUN = {"cablese.cli.run", "cablese.cli.process"}
SHOW = {
    "cablese.cli.show",
    "cablese.runtime.recovery",
    "cablese.runtime.recovery.originals",
    "cablese.runtime.stores.open_store",
    *(f"cablese.runtime.{name}" for name in ("digests", "reasons", "shell")),
}
KEEP = {f"cablese.runtime.stores.{name}" for name in ("sqlite_connection", "sqlite_store", "store_layout")}

STANDARD = {
    "__future__",
    "_bisect",
    "_blake2",
    "_collections",
    "_datetime",
    "_functools",
    "_hashlib",
    "_json",
    "_operator",
    "_sha2",
    "_sha256",
    "_sqlite3",
    "_sre",
    "_typing",
    "bisect",
    "collections",
    "collections.abc",
    "contextlib",
    "copyreg",
    "datetime",
    "enum",
    "functools",
    "importlib",
    "importlib._bootstrap",
    "importlib._bootstrap_external",
    "itertools",
    "json",
    "json.decoder",
    "json.encoder",
    "json.scanner",
    "keyword",
    "math",
    "mmap",
    "operator",
    "re",
    "re._casefix",
    "re._compiler",
    "re._constants",
    "re._parser",
    "reprlib",
    "select",
    "signal",
    "sqlite3",
    "sqlite3.dbapi2",
    "time",
    "types",
    "typing",
    "typing.io",
    "typing.re",
    "warnings",
    "zlib",
}
HEAVY = {"lark", "jinja2", "pydantic", "rich", "orjson", "dataclasses", "tiktoken", "argparse", "pathlib", "subprocess"}


def loaded(*words, **env):
    """Run a command in a fresh interpreter and return the modules that it loaded."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, *map(str, words)], capture_output=True, check=True)
    return set(done.stderr.decode().split())


def check(modules, ours):
    """Compare with the exact list of ours and the closed list of the standard library."""
    assert {name for name in modules if name.startswith("cablese")} == ours
    assert modules - ours <= STANDARD
    assert not modules & HEAVY


@pytest.mark.parametrize(
    ("command", "lines", "ours"),
    [
        ("git log --oneline | head", 3, VIEW | DECIDE),
        ("ls -l", 3, VIEW | FIND),
        ("git log --graph", 3, VIEW | CLAIM),
        ("git log --oneline", 0, VIEW | EVALUATE),
        ("git log --oneline", 1, VIEW | BOUNDS),
        ("git log --oneline", 20, VIEW | COUNT),
        ("git log --oneline", 60, VIEW | COUNT | KEEP),
    ],
)
def test_view_loads_what_its_decision_needs(tmp_path, command, lines, ours):
    """Each way of deciding has its exact list; only a summary that is shown loads the store."""
    path = tmp_path / "out"
    path.write_text("".join(f"abc{n:04} Change number {n} of many\n" for n in range(lines)))
    check(loaded("view", "--command", command, "--stdout", path), ours)


def test_bounds_alone_decide_about_a_large_output(tmp_path):
    """A summary of a large output is weighed without a rank table."""
    path = tmp_path / "out"
    path.write_text("".join(f"abc{n:04} Change number {n} of many\n" for n in range(2000)))
    check(loaded("view", "--command", "git log --oneline", "--stdout", path), VIEW | BOUNDS | KEEP)


def test_run_loads_no_more_than_view(tmp_path, monkeypatch):
    """The command line for running loads a loop over pipes in place of files."""
    tool = tmp_path / "git"
    tool.write_text('#!/bin/sh\nfor n in 1 2 3; do echo "abcdef$n subject"; done\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    check(loaded("run", "--", "git", "log", "--oneline"), RUN | BOUNDS)


def test_show_loads_the_store_and_little_else(process, log):
    """Recovery opens no pack and decides nothing."""
    handle = process("view", "--command", "git log --oneline", "--stdout", log).out.split()[-1].decode()
    check(loaded("show", handle), START | RECORD | KEEP | SHOW)


def test_importing_the_package_loads_nothing():
    """Public names load on first use, and what they load is the runtime alone."""
    script = (
        "import sys; import cablese; print([m for m in sys.modules if m.startswith('cablese.')]); cablese.Compressor"
    )
    script += "; print([m for m in sys.modules if m.startswith(('cablese.dsl', 'cablese.compiler'))])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.split() == [b"[]", b"[]"]
