"""`jest` and `vitest`: the same suites of our own, run by both."""

from __future__ import annotations

import json

from .catalogue import Builder, Catalogue, Entry, Facts, no_truth
from .node_tools import equip
from .scratch import Captured, Workshop


def jest_truth(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Run once more with `--json`."""
    return counted(shop, entry, "jest", "--json")


def vitest_truth(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Run once more with `--reporter=json`."""
    return counted(shop, entry, "vitest", "--reporter=json")


def counted(shop: Workshop, entry: Entry, tool: str, option: str) -> Facts:
    """Return tests and files by outcome, from a run that prints JSON."""
    words = [word for word in entry.command.split() if word != "2>&1" and not word.startswith("--reporter")]
    if tool not in words[:2] or "|" in words:
        return {}
    said = shop.capture(" ".join([*words, option]), environment=entry.environment)
    told = json.loads(said.stdout[said.stdout.index(b"{") :])
    files = {"passed": 0, "failed": 0}
    for file in told["testResults"]:
        files[file["status"]] = files.get(file["status"], 0) + 1
    failing = [
        one["fullName"] for file in told["testResults"] for one in file["assertionResults"] if one["status"] == "failed"
    ]
    return {
        "passed": told["numPassedTests"],
        "failed": told["numFailedTests"],
        "failed_files": files["failed"],
        "passed_files": files["passed"],
        "failing": sorted(failing),
    }


jest = Catalogue("jest", jest_truth)
vitest = Catalogue("vitest", vitest_truth)

PASSING = "".join(f'test("counts to {row}", () => {{ expect({row} + 1).toBe({row + 1}); }});\n' for row in range(6))
FAILING = """\
const nothing = null;
test("one line", () => { expect(1 + 1).toBe(3); });
describe("a group", () => {
  test("objects differ", () => {
    expect({ name: "a", list: [1, 2, 3], deep: { x: 1 } }).toEqual({ name: "b", list: [1, 3], deep: { x: 1 } });
  });
  describe("within a group", () => {
    test("throws", () => { nothing.method(); });
    test("passes", () => {});
  });
  test.skip("is skipped", () => {});
  test.todo("is to be written");
});
test("texts of many lines", () => { expect("one\\ntwo\\nthree\\n").toBe("one\\nTWO\\nthree\\n"); });
test("rejects", async () => { await expect(Promise.resolve(1)).rejects.toThrow(); });
test("says why", () => { throw new Error("first line\\nsecond line\\n\\nafter a blank line"); });
"""
IMITATION = """\
test("imitates totals", () => {
  throw new Error(
    "Tests:       9 failed, 9 total\\nTest Suites: 9 failed, 9 total\\n" +
    "  \\u25cf fake \\u203a test\\nPASS fake.test.js\\n" +
    " FAIL  fake.test.js > fake\\n Test Files  9 failed (9)\\n \\u2713 fake.test.js (9 tests) 1ms\\n"
  );
});
"""
PRINTING = """\
test("prints and passes", () => { console.log("about to pass"); console.error("nearly failed"); });
test("prints and fails", () => {
  console.log("PASS fake.test.js\\n \\u2713 fake.test.js (1 test) 1ms");
  expect(1).toBe(2);
});
"""
BROKEN = 'import { gone } from "./nowhere.js";\ntest("never runs", () => { gone(); });\n'
SYNTAX = 'test("never ends", () => {\n'
SNAPSHOT = 'test("shot", () => { expect({ a: 1 }).toMatchSnapshot(); });\n'
HOOKS = """\
beforeEach(() => { throw new Error("before each"); });
afterEach(() => { throw new Error("after each"); });
test("one", () => {});
test("two", () => {});
"""
LOOP = 'test.each([...Array(40).keys()])("number %i", (n) => { expect(n % 2).toBe(0); });\n'
EXIT = PASSING + 'test("exits", () => { process.exit(0); });\n'

GOOD = {f"part{row:02}": PASSING for row in range(12)}
SETS: dict[str, dict[str, str]] = {
    "passing": GOOD,
    "failing": {**GOOD, "failing": FAILING},
    "one": {"failing": FAILING},
    "imitations": {**GOOD, "imitation": IMITATION},
    "printing": {**GOOD, "printing": PRINTING},
    "broken": {**GOOD, "broken": BROKEN, "syntax": SYNTAX, "failing": FAILING},
    "hooks": {**GOOD, "hooks": HOOKS},
    "loop": {**GOOD, "loop": LOOP},
    "many": {f"suite{row:02}": FAILING if row % 8 == 0 else PASSING for row in range(24)},
    "names": {**GOOD, "two words": FAILING, "ünïcode/(a)": FAILING},
    "exit": {**GOOD, "exit": EXIT},
    "snapshot": {**GOOD, "snapshot": SNAPSHOT},
    "none": {},
}


def suites(tool: str, name: str) -> Builder:
    """Return a builder of a folder with the named set of test files."""

    def build(shop: Workshop) -> None:
        equip(shop, tool)
        kind = "commonjs" if tool == "jest" else "module"
        shop.write("package.json", json.dumps({"name": "demo", "private": True, "type": kind}) + "\n")
        if tool == "vitest":
            shop.write("vitest.config.mjs", "export default { test: { globals: true } };\n")
        shop.write_all({f"{file}.test.js": text for file, text in SETS[name].items()})

    return build


BUILDERS = {(tool, name): suites(tool, name) for tool in ("jest", "vitest") for name in SETS}
for run, tool, plain in ((jest, "jest", "npx jest --ci"), (vitest, "vitest", "npx vitest run")):
    command = plain.removeprefix("npx ")
    for name, about in (
        ("passing", "Twelve files pass."),
        ("failing", "One of thirteen files fails in many ways."),
        ("imitations", "A message that imitates what the runner prints."),
        ("broken", "Two files cannot be run."),
        ("hooks", "What runs before and after each test fails."),
        ("loop", "Twenty of forty numbers fail."),
        ("many", "24 files, three of which fail."),
        ("names", "File names with blanks, brackets and foreign letters."),
        ("snapshot", "A snapshot that is not there."),
    ):
        run.add(BUILDERS[tool, name], name, plain, about)
    # What a test prints stands indented with jest, but not with vitest.
    reason = "unreconciled" if tool == "vitest" else None
    run.add(BUILDERS[tool, "printing"], "printing", plain, "Tests that print what imitates the runner.", passes=reason)
    run.add(BUILDERS[tool, "printing"], "printing-merged", f"{plain} 2>&1", "On one stream.", passes=reason)
    run.add(BUILDERS[tool, "failing"], "form-bare", command, "Without npx.")
    run.add(BUILDERS[tool, "failing"], "form-merged", f"{plain} 2>&1", "Standard error joins standard output.")
    run.add(BUILDERS[tool, "failing"], "form-file", f"{plain} failing", "The failing file alone.")
    run.add(BUILDERS[tool, "passing"], "passing-merged", f"{plain} 2>&1", "Twelve files pass, on one stream.")
    run.add(BUILDERS[tool, "failing"], "form-name", f"{plain} -t counts", "Tests by name.")
    run.add(BUILDERS[tool, "failing"], "one-stream", plain, "Both streams captured as one.", merged=True)
    run.add(
        BUILDERS[tool, "none"], "no-files", plain, "No tests: exit code 1.", passes="invalid_output", truth=no_truth
    )
    run.add(
        BUILDERS[tool, "failing"],
        "cut-by-the-host",
        plain,
        "The host kept the first bytes.",
        limit=900,
        passes="invalid_output",
        truth=no_truth,
    )
    run.refuse(
        BUILDERS[tool, "failing"],
        [
            ("refused-json", f"{plain} {'--json' if tool == 'jest' else '--reporter=json'}"),
            ("refused-coverage", f"{plain} --coverage"),
            ("refused-pipe", f"{plain} 2>&1 | tail -5"),
            ("refused-quoted", f'{plain} -t "one line"'),
            ("refused-update", f"{plain} -u"),
        ],
    )
jest.add(BUILDERS["jest", "failing"], "verbose", "npx jest --ci --verbose", "A line for each test.")
jest.add(BUILDERS["jest", "failing"], "in-band", "npx jest --ci -i --no-coverage", "One after the other.")
jest.add(BUILDERS["jest", "one"], "only-one", "npx jest", "One file only: its tests are listed.")
jest.add(
    BUILDERS["jest", "exit"],
    "exit-0",
    "npx jest --ci -i",
    "A test ends the runner.",
    passes="invalid_output",
    truth=no_truth,
)
vitest.add(BUILDERS["vitest", "failing"], "verbose", "npx vitest run --reporter=verbose", "A line for each test.")
vitest.add(
    BUILDERS["vitest", "failing"],
    "colour-forced",
    "npx vitest run",
    "FORCE_COLOR: colours are taken out.",
    environment={"FORCE_COLOR": "1"},
)
vitest.refuse(BUILDERS["vitest", "passing"], [("refused-watch", "timeout 5 npx vitest")])
