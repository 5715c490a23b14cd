"""`ruff check`: files of our own with findings of every shape."""

from __future__ import annotations

import json

from . import git_trees as trees
from .catalogue import Builder, Catalogue, Entry, Facts, no_truth
from .scratch import Captured, Workshop


def reported(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Run once more with `--output-format=json`, without mending anything, and count by code."""
    words = [word for word in entry.command.split() if not word.startswith("--output-format") and word != "2>&1"]
    if "check" not in words or "--fix" in words or not set(words).isdisjoint({"|", "concise", "full"}):
        return {}
    said = shop.capture(" ".join([*words, "--output-format=json"]), folder=entry.folder, environment=entry.environment)
    codes: dict[str, int] = {}
    for finding in json.loads(said.stdout or b"[]"):
        code = finding["code"] or "invalid-syntax"
        codes[code] = codes.get(code, 0) + 1
    return {"findings": sum(codes.values()), "codes": dict(sorted(codes.items()))}


run = Catalogue("ruff_check", reported)

UNTIDY = """\
import os, sys
import json
from typing import List, Optional


def collect(values = [], *rest):
    total = 1
    print(f"hello")
    if values == None: return
    try:
        pass
    except:
        pass
    l = 1
    assert (1, "a")
    return "%s %s" % (1,)
class Holder:
  def get(self): return undefined_name
"""
IMITATION = '''\
"""F401 [*] `os` imported but unused
 --> fake.py:1:1

Found 99 errors.
"""
import os

TEXT = """
fake.py:1:1: E501 Line too long
Found 3 errors.
""" ; import sys
'''
LONG = "".join(f"value_{row} = undefined_{row % 3}\n" for row in range(60))
DOCUMENTED = "def one(x):\n    return x\n\n\ndef two(y):\n    return y\n"


def folder(files: dict[str, str], settings: str = "") -> Builder:
    """Return a builder of a folder with Python files and a `ruff.toml`."""

    def build(shop: Workshop) -> None:
        shop.write("ruff.toml", settings)
        shop.write_all(files)

    return build


untidy = folder({f"src/{module}.py": UNTIDY for module in trees.MODULES[:5]})
single = folder({"one.py": UNTIDY})
run.table(
    untidy,
    [
        ("form-plain", "ruff check", "Everything below the folder."),
        ("form-dot", "ruff check .", "The same, named."),
        ("form-module", "python -m ruff check src", "Through the interpreter."),
        ("form-concise", "ruff check --output-format=concise .", "One line for each finding."),
        ("form-concise-split", "ruff check --output-format concise .", "The same in two words."),
        ("form-full", "ruff check --output-format=full src", "The long form, named."),
        ("form-select", "ruff check --select F,E7,B .", "Chosen rules."),
        ("form-ignore", "ruff check --ignore F401 --no-cache .", "All but one."),
        ("form-merged", "ruff check . 2>&1", "Standard error joins standard output."),
        ("form-target", "ruff check --target-version py312 --line-length 100 .", "Other settings."),
        ("form-unsafe", "ruff check --unsafe-fixes .", "More is fixable."),
        ("everything", "ruff check --select ALL .", "All rules: with warnings on standard error."),
        ("everything-merged", "ruff check --select ALL . 2>&1", "The same on one stream."),
        ("everything-concise", "ruff check --select ALL --output-format=concise .", "The same in short."),
        ("one-rule", "ruff check --select F401 .", "One rule, many findings."),
        ("two-files", "ruff check src/parser.py src/lexer.py", "Files by name."),
        ("isolated", "ruff check --isolated .", "Without settings."),
    ],
)
run.add(untidy, "one-stream", "ruff check .", "Both streams captured as one.", merged=True)
run.add(untidy, "one-stream-everything", "ruff check --select ALL .", "The same, with warnings.", merged=True)
run.add(single, "one-file", "ruff check one.py", "A file's worth of findings.")
run.add(single, "one-file-concise", "ruff check --output-format=concise one.py", "The same in short.", passes="no_gain")
run.add(folder({"one.py": UNTIDY}), "fixed", "ruff check --fix .", "Half of it is mended.")
run.add(folder({"two.py": UNTIDY}), "fixed-concise", "ruff check --fix --output-format=concise .", "In short.")
run.add(
    folder({"three.py": "import os\n"}),
    "all-fixed",
    "ruff check --fix .",
    "All of it is mended.",
    passes="invalid_output",
)
run.add(folder({"clean.py": "VALUE = 1\n"}), "clean", "ruff check .", "Nothing found.", passes="invalid_output")
run.add(folder({}), "no-files", "ruff check .", "No files: a warning and a clean verdict.", passes="invalid_output")
run.add(folder({"bad.py": "def broken(:\n", "good.py": UNTIDY}), "syntax-errors", "ruff check .", "No Python in it.")
run.add(
    folder({"bad.py": "def broken(:\n    x = (\n"}),
    "syntax-errors-only",
    "ruff check --output-format=concise .",
    "No Python in it, in short.",
    passes="no_gain",
)
run.add(folder({"imitation.py": IMITATION}), "imitations", "ruff check .", "Source that looks like ruff's words.")
run.add(folder({"long.py": LONG}), "sixty", "ruff check .", "Sixty findings of one kind.")
run.add(folder({"long.py": LONG}), "sixty-concise", "ruff check --output-format=concise .", "The same in short.")
run.add(folder({"docs.py": DOCUMENTED}), "no-fix-known", "ruff check --select D,ANN .", "Nothing is fixable.")
run.add(
    folder({"two words.py": UNTIDY, "ünïcode/(a) [b].py": UNTIDY, "F821 x.py": UNTIDY}),
    "odd-names",
    "ruff check .",
    "Names with blanks, brackets and foreign letters.",
)
run.add(
    folder({"two words.py": UNTIDY, "ünïcode/(a) [b].py": UNTIDY, "F821 x.py": UNTIDY}),
    "odd-names-concise",
    "ruff check --output-format=concise .",
    "The same in short: one name begins like a finding.",
    passes="invalid_output",
)
run.add(
    folder({"one.py": UNTIDY}, 'output-format = "grouped"\n'),
    "grouped-setting",
    "ruff check .",
    "Another format by setting.",
    passes="invalid_output",
)
run.add(
    folder({"one.py": UNTIDY}, "no-such-setting = 1\n"),
    "bad-setting",
    "ruff check .",
    "Settings it does not know: exit code 2.",
    passes="invalid_output",
    truth=no_truth,
)
run.add(single, "missing-file", "ruff check nowhere.py", "A file that is not there.", passes="no_gain")
run.add(
    untidy,
    "colour-forced",
    "ruff check .",
    "FORCE_COLOR.",
    environment={"FORCE_COLOR": "1"},
    passes="invalid_output",
    truth=no_truth,
)
run.add(
    folder({"crlf.py": UNTIDY.replace("\n", "\r\n"), "tabs.py": UNTIDY.replace("    ", "\t")}),
    "crlf-and-tabs",
    "ruff check .",
    "Source with CRLF and with tabs.",
)
run.add(
    folder({"control.py": "x = undefined  # bell \x07, page \x0c\n"}),
    "control-characters",
    "ruff check .",
    "Control characters in the source.",
    passes="no_gain",
)
run.add(
    untidy, "cut-by-the-host", "ruff check .", "The host kept the first bytes.", limit=1500, passes="invalid_output"
)
run.refuse(
    untidy,
    [
        ("refused-preview", "ruff check --preview ."),
        ("refused-json", "ruff check --output-format=json ."),
        ("refused-github", "ruff check --output-format=github ."),
        ("refused-statistics", "ruff check --statistics ."),
        ("refused-quiet", "ruff check -q ."),
        ("refused-diff", "ruff check --diff ."),
        ("refused-exit-zero", "ruff check --exit-zero ."),
        ("refused-show-fixes", "ruff check --show-fixes ."),
        ("refused-pipe", "ruff check . | head -20"),
        ("refused-quoted", 'ruff check "src"'),
        ("refused-format", "ruff format --check ."),
    ],
)
