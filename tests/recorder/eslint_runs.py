"""`eslint`: scripts of our own with findings of every severity."""

from __future__ import annotations

import json

from .catalogue import Builder, Catalogue, Entry, Facts, no_truth
from .node_tools import equip
from .scratch import Captured, Workshop


def reported(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Run once more with `--format json`; a run that mends what it finds cannot be repeated."""
    if "eslint" not in entry.command.split()[:2] or {"--fix", "|"} & set(entry.command.split()):
        return {}
    words = [word for word in entry.command.split() if word not in ("2>&1", "stylish", "-f", "--format")]
    said = shop.capture(" ".join([*words, "--format=json"]), folder=entry.folder)
    files = json.loads(said.stdout or b"[]")
    rules: dict[str, int] = {}
    for message in (message for file in files for message in file["messages"]):
        rules[message["ruleId"] or ""] = rules.get(message["ruleId"] or "", 0) + 1
    return {
        "errors": sum(file["errorCount"] for file in files),
        "warnings": sum(file["warningCount"] for file in files),
        "files": sorted(file["filePath"].rpartition("/")[2] for file in files if file["messages"]),
        "rules": dict(sorted(rules.items())),
    }


run = Catalogue("eslint", reported)

CONFIG = """\
export default [
  {
    files: ["**/*.js"],
    rules: {
      "no-undef": "error", "no-unused-vars": "warn", "semi": "error", "eqeqeq": "error", "no-console": "warn",
      "prefer-const": "error", "no-var": "warn", "no-restricted-syntax": ["error", {
        selector: "DebuggerStatement", message: "Do not stop here.  It is  spaced out  no-undef"
      }],
    },
  },
];
"""
MILD = """\
var first = 1;
console.log(first);
console.log("second");
"""
WARNED = "var first = 1;\nvar second = first;\nvar third = 3;\n"
SEVERE = """\
var x = 1
let y = 2;
if (x == y) { console.log(z) }
function unused(a, b) { return undefinedName }
for (let i = 0; i < 3; i++) { report(i) }
debugger
"""
LONG = "".join(f"report{row % 3}({row})\n" for row in range(60))


def scripts(files: dict[str, str], config: str = CONFIG) -> Builder:
    """Return a builder of a folder with scripts and a configuration."""

    def build(shop: Workshop) -> None:
        equip(shop, "eslint")
        shop.write("package.json", '{"name": "demo", "private": true}\n')
        shop.write("eslint.config.mjs", config)
        shop.write_all(files)

    return build


mixed = scripts({f"src/severe{row}.js": SEVERE for row in range(6)} | {f"src/mild{row}.js": MILD for row in range(12)})
run.table(
    mixed,
    [
        ("form-plain", "eslint", "Everything below the folder."),
        ("form-npx", "npx eslint .", "By way of npx."),
        ("form-folder", "npx eslint src", "One folder."),
        ("form-files", "npx eslint src/severe0.js src/severe1.js src/severe2.js src/mild0.js", "Files by name."),
        ("form-quiet", "npx eslint --quiet .", "Errors only."),
        ("form-max-warnings", "npx eslint --max-warnings 50 .", "A limit that is kept."),
        ("form-merged", "npx eslint . 2>&1", "Standard error joins standard output."),
        ("form-no-color", "npx eslint --no-color src", "Colour switched off."),
        ("form-stylish", "npx eslint --format=stylish src", "The usual form by name."),
        ("form-config", "npx eslint -c eslint.config.mjs src", "The settings by name."),
        ("form-cache", "npx eslint --cache src", "It remembers."),
    ],
)
mild = scripts({f"src/mild{row}.js": WARNED for row in range(25)})
run.add(mild, "only-warnings", "npx eslint .", "Exit code 0: warnings only.")
run.add(mild, "too-many-warnings", "npx eslint --max-warnings 0 .", "Exit code 1, and a word on standard error.")
run.add(mild, "too-many-warnings-merged", "npx eslint --max-warnings=0 . 2>&1", "The same on one stream.")
run.add(mild, "too-many-one-stream", "npx eslint --max-warnings=0 .", "The same, captured as one.", merged=True)
run.add(mixed, "one-stream", "npx eslint .", "Both streams captured as one.", merged=True)
run.add(
    scripts({f"src/severe{row}.js": SEVERE for row in range(6)}), "fixed", "npx eslint --fix .", "Some of it is mended."
)
run.add(scripts({"fine.js": "export const x = 1;\n"}), "clean", "npx eslint .", "No word.", passes="invalid_output")
run.add(scripts({"one.js": "foo();\n"}), "one", "npx eslint .", "One finding.", passes="no_gain")
run.add(scripts({"long.js": LONG}), "sixty", "npx eslint .", "Over a hundred findings in one file.")
run.add(scripts({f"s{row:02}.js": SEVERE for row in range(30)}), "thirty-files", "npx eslint .", "Thirty files.")
run.add(
    scripts({"broken.js": "const = 3;\n", "broken2.js": "function (\n", **{f"s{row}.js": SEVERE for row in range(4)}}),
    "syntax",
    "npx eslint .",
    "Two files that do not parse.",
)
run.add(
    scripts({"two words.js": SEVERE, "(a) [b].js": SEVERE, "ünïcode.js": SEVERE, "✖ 3 problems.js": SEVERE}),
    "odd-names",
    "npx eslint .",
    "Names with blanks, brackets, foreign letters and marks.",
)
run.add(
    scripts({"off.js": "/* eslint-disable no-undef */\nconst a = 1;\n" + WARNED * 6}),
    "unused-directive",
    "npx eslint --report-unused-disable-directives .",
    "A directive that nothing needs: a finding of no rule.",
)
run.add(
    scripts({"spaced.js": "debugger;\n" * 30}),
    "spaced-messages",
    "npx eslint .",
    "Messages with runs of blanks in them.",
)
run.add(
    scripts(
        {"lines.js": "debugger;\n" * 30},
        CONFIG.replace(
            "Do not stop here.  It is  spaced out  no-undef", "first line\\n  1:1  error  second line  semi"
        ),
    ),
    "messages-of-two-lines",
    "npx eslint .",
    "Messages that go on in a second line, which looks like a finding.",
    passes="unreconciled",
)
run.add(
    mixed, "no-such-file", "npx eslint nowhere.js", "A file that is not there.", passes="invalid_output", truth=no_truth
)
run.add(
    scripts({"a.js": MILD}, "export default [{ rules: { 'no-such-rule': 'error' } }];\n"),
    "bad-setting",
    "npx eslint .",
    "A rule that is not there: exit code 2.",
    passes="invalid_output",
    truth=no_truth,
)
run.add(
    mixed,
    "colour-forced",
    "npx eslint .",
    "FORCE_COLOR.",
    environment={"FORCE_COLOR": "1"},
    passes="invalid_output",
    truth=no_truth,
)
run.add(mixed, "cut-by-the-host", "npx eslint .", "The host kept the first bytes.", limit=1500, passes="invalid_output")
run.refuse(
    mixed,
    [
        ("refused-json", "npx eslint -f json ."),
        ("refused-format", "npx eslint --format=html ."),
        ("refused-color", "npx eslint --color ."),
        ("refused-debug", "npx eslint --stats -f json src/mild0.js"),
        ("refused-stdin", "npx eslint --stdin"),
        ("refused-output", "npx eslint -o ../out.txt ."),
        ("refused-pipe", "npx eslint . | tail -5"),
        ("refused-quoted", 'npx eslint "src/*.js"'),
        ("refused-print-config", "npx eslint --print-config src/mild0.js"),
        ("refused-fix-dry-run", "npx eslint --fix-dry-run ."),
    ],
)
