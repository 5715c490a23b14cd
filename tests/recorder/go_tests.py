"""`go test`: modules of our own, with packages that pass, fail, panic, end themselves and do not compile."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

from .catalogue import Builder, Catalogue, Entry, Facts, no_truth
from .scratch import Captured, Workshop

GO = Path(shutil.which("go") or "/usr/local/go/bin/go").resolve().parent
PASS, FAIL, SKIP = "pass", "fail", "skip"


def reported(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Run once more with `-json`: the outcome of each package, and of each test in it."""
    if not entry.command.startswith("go test"):
        return {}
    said = shop.capture(
        entry.command.replace("go test", "go test -json", 1).replace("2>&1", ""),
        folder=entry.folder,
        environment=entry.environment,
    )
    packages: dict[str, str] = {}
    tests: dict[str, set[str]] = {PASS: set(), FAIL: set(), SKIP: set()}
    for line in said.stdout.decode().splitlines():
        event = json.loads(line)
        if event["Action"] not in tests:
            continue
        if "Test" in event:
            tests[event["Action"]].add(f"{event['Package']}.{event['Test']}")
        else:
            packages[event["Package"]] = event["Action"]
    return {
        "ok_packages": sorted(name for name, outcome in packages.items() if outcome == PASS),
        "failed_packages": sorted(name for name, outcome in packages.items() if outcome == FAIL),
        "passed": len(tests[PASS]),
        "failed": sorted(tests[FAIL]),
        "skipped": len(tests[SKIP]),
    }


run = Catalogue("go_test", reported)

NUMBERS = 'package PACKAGE\n\nimport "testing"\n\nfunc twice(n int) int { return n * 2 }\n' + "".join(
    f"""
func TestCase{row:02}(t *testing.T) {{
	if twice({row}) != {row * 2} {{
		t.Fatal("not twice")
	}}
}}
"""
    for row in range(25)
)
FAILING = """\
package PACKAGE

import (
	"errors"
	"fmt"
	"testing"
)

func TestPasses(t *testing.T) { t.Log("all is well") }

func TestOneLine(t *testing.T) { t.Errorf("got %d, want %d", 1, 2) }

func TestManyLines(t *testing.T) {
	t.Errorf("texts differ:\\n  got:  %q\\n  want: %q", "a\\nb", "a\\nc")
	t.Error("and then:", errors.New("disk full"))
}

func TestTable(t *testing.T) {
	for _, name := range []string{"empty", "two words", "slash/inside", "ünïcode"} {
		t.Run(name, func(t *testing.T) {
			if len(name) > 5 {
				t.Fatalf("%s is too long", name)
			}
		})
	}
}

func TestNested(t *testing.T) {
	t.Run("outer", func(t *testing.T) {
		t.Run("inner", func(t *testing.T) { t.Error("deep down") })
		t.Run("sound", func(t *testing.T) {})
	})
}

func TestPrints(t *testing.T) {
	fmt.Println("about to fail")
	t.Error("failed as announced")
}

func TestSkips(t *testing.T) { t.Skip("needs a network") }

func TestSilent(t *testing.T) { t.Fail() }
"""
MANY = 'package PACKAGE\n\nimport "testing"\n' + "".join(
    f"""
func TestNumber{row:02}(t *testing.T) {{
	for line := range {row % 4 * 4 + 1} {{
		t.Errorf("row {row}, finding %d: the value is not what it was", line)
	}}
}}
"""
    for row in range(30)
)
PANICS = """\
package PACKAGE

import "testing"

func TestBefore(t *testing.T) {}

func lookUp(m map[string]int) { m["key"] = 1 }

func TestPanics(t *testing.T) { lookUp(nil) }

func TestAfter(t *testing.T) {}
"""
DEADLOCK = """\
package PACKAGE

import "testing"

func TestWaits(t *testing.T) { select {} }
"""
SLOW = """\
package PACKAGE

import (
	"testing"
	"time"
)

func TestQuick(t *testing.T) {}

func TestSlow(t *testing.T) { time.Sleep(20 * time.Second) }
"""
EXITS = """\
package PACKAGE

import (
	"fmt"
	"os"
	"testing"
)

func TestBefore(t *testing.T) {}

func TestExits(t *testing.T) {
	fmt.Print(TEXT)
	os.Exit(CODE)
}

func TestAfter(t *testing.T) {}
"""
EXAMPLES = """\
package PACKAGE

import "fmt"

func Example_good() {
	fmt.Println("as documented")
	// Output: as documented
}

func Example_bad() {
	fmt.Println("one")
	fmt.Println("--- two")
	// Output:
	// one
	// three
}

func Example_unordered() {
	fmt.Println("b")
	fmt.Println("a")
	// Unordered output:
	// a
	// c
}
"""
SOURCE = "package PACKAGE\n\nfunc Good() {}\n\nfunc Bad() {}\n"
UNDEFINED = """\
package PACKAGE

import (
	"os"
	"testing"
)

func give(a int, b string) (int, error) { return a, nil }

func TestOne(t *testing.T) {
	missing()
	var s string = 3
	n := give(1)
	give("x", 2)
}
"""
VET = (
    'package PACKAGE\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestOne(t *testing.T) { fmt.Printf("%d\\n", "x") }\n'
)
NO_IMPORT = """\
package PACKAGE

import (
	"testing"

	"example.org/nowhere"
)

func TestOne(t *testing.T) { nowhere.Go() }
"""
SYNTAX = 'package PACKAGE\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {\n\tif {\n}\n'
PRINTS = """\
package PACKAGE

import (
	"fmt"
	"testing"
)

func TestPrints(t *testing.T) {
	fmt.Print(TEXT)
	t.Error("failed at last")
}
"""
PARALLEL = """\
package PACKAGE

import "testing"

func TestGroup(t *testing.T) {
	for _, name := range []string{"a", "b", "c", "d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Log("working on", name)
			if name > "b" {
				t.Errorf("%s does not pass", name)
			}
		})
	}
}
"""
GREETS = """\
package PACKAGE

import (
	"testing"

	"example.org/greet"
)

func TestGreets(t *testing.T) { t.Log(greet.Hello()) }
"""
LOGGING = """\
package PACKAGE

import "testing"

func TestLogs(t *testing.T) {
	for row := range 40 {
		t.Logf("step %d", row)
	}
	t.Error("the fortieth step was one too many")
}
"""


def module(packages: Mapping[str, str], *, go: str = "1.24") -> Builder:
    """Return a builder of the module `demo`; PACKAGE in a file stands for the name of its package."""

    def build(shop: Workshop) -> None:
        shop.environment |= {
            "PATH": f"{GO}:/usr/local/bin:/usr/bin:/bin",
            # One cache for all modules: the standard library is compiled once.
            "GOCACHE": str(shop.home.parent / "go-cache"),
            "GOFLAGS": "",
            "GOPROXY": "off",
            "GOTOOLCHAIN": "local",
            "GOTELEMETRY": "off",
        }
        shop.write("go.mod", f"module demo\n\ngo {go}\n")
        for name, text in packages.items():
            package = re.sub(r"\W", "", name.rpartition("/")[2]) or "demo"
            file = "lib.go" if "func Test" not in text and "func Example" not in text else "all_test.go"
            shop.write(f"{name}/{file}", text.replace("PACKAGE", package))

    return build


def printing(text: str, source: str = PRINTS, code: int = 0) -> str:
    """Return a test file that prints a text, and ends itself with a code where it does."""
    return source.replace("TEXT", json.dumps(text)).replace("CODE", str(code))


GOOD = {f"internal/part{row:02}": NUMBERS for row in range(12)}
passing = module({**GOOD, "internal/plain": SOURCE})
mixed = module({**GOOD, "internal/failing": FAILING, "internal/plain": SOURCE, "zeta": NUMBERS})
run.table(
    passing,
    [
        ("passing", "go test ./...", "Twelve packages pass, one has no tests."),
        ("passing-verbose", "go test -v ./...", "A line or two for each test."),
        ("passing-verbose-merged", "go test -v ./... 2>&1", "Standard error joins standard output."),
        ("passing-one-verbose", "go test -v ./internal/part03", "One package by name."),
        ("passing-short", "go test -short -count=1 ./...", "Options that change nothing here."),
        ("passing-selected", "go test -v -run TestCase0 ./...", "Selected by name."),
        ("none-selected", "go test -run NoSuch ./...", "Every package says that it ran nothing."),
    ],
)
run.table(
    mixed,
    [
        ("failing", "go test ./...", "One of fifteen packages fails in many ways."),
        ("failing-verbose", "go test -v ./...", "The same with a line or two for each test."),
        ("failing-merged", "go test ./... 2>&1", "Both streams as one, by the shell."),
        ("failing-one", "go test ./internal/failing", "The failing package alone."),
        ("failing-one-verbose", "go test -v ./internal/failing", "The same with what the tests logged."),
        ("failing-first", "go test -failfast -v ./internal/failing", "It stops after the first failure."),
        ("failing-timeout", "go test -timeout 30s -p 1 ./...", "Options with values."),
    ],
)
run.add(mixed, "failing-here", "go test", "In the package's folder: nothing is named.", folder="internal/failing")
run.add(mixed, "failing-here-verbose", "go test -v", "The same, verbose.", folder="internal/failing")
run.add(passing, "passing-here", "go test", "Two lines.", folder="internal/part01", passes="invalid_output")
run.add(passing, "passing-here-verbose", "go test -v", "In a folder, verbose.", folder="internal/part01")
run.add(passing, "no-tests-here", "go test", "A package without tests.", folder="internal/plain", passes="no_gain")
run.add(mixed, "one-stream", "go test ./...", "The host captured both streams as one.", merged=True)
run.add(module({"many": MANY}), "thirty-failures", "go test ./...", "More failures, and more lines each, than shown.")
run.add(module({"many": MANY}), "thirty-failures-verbose", "go test -v ./...", "The same, logged before each verdict.")
run.add(module({**GOOD, "crash": PANICS}), "panic", "go test ./...", "A test panics; those behind it never run.")
run.add(module({**GOOD, "crash": PANICS}), "panic-verbose", "go test -v ./...", "The same, verbose.")
run.add(module({"crash": PANICS}), "panic-here", "go test", "The same, in its folder.", folder="crash")
run.add(module({"stuck": DEADLOCK, **GOOD}), "deadlock", "go test -timeout 1s ./...", "It waits for ever.")
run.add(module({"slow": SLOW, **GOOD}), "timeout", "go test -timeout 1s ./...", "Too slow: goroutines are listed.")
run.add(
    module({"ends": printing("ending\n", EXITS, 0), **GOOD}),
    "exit-0",
    "go test -v ./...",
    "os.Exit(0) in a test: Go turns it into a panic.",
)
run.add(
    module({"ends": printing("ending\n", EXITS, 3), **GOOD}),
    "exit-3",
    "go test ./...",
    "os.Exit(3) in a test: no verdict of any test.",
)
run.add(module({"ends": printing("", EXITS, 3), **GOOD}), "exit-3-silent", "go test ./...", "The same without a word.")
run.add(
    module({"ends": printing("ending\n", EXITS, 3), **GOOD}),
    "exit-3-verbose",
    "go test -v ./...",
    "A test that began and has no verdict.",
    passes="unreconciled",
)
run.add(module({"doc": EXAMPLES, **GOOD}), "examples", "go test ./...", "Documented examples print something else.")
run.add(module({"group": PARALLEL, **GOOD}), "parallel-verbose", "go test -v ./group", "Parallel tests take turns.")
run.add(module({"group": PARALLEL}), "parallel", "go test ./...", "The same without -v.")
run.add(module({"logs": LOGGING, **GOOD}), "logging-verbose", "go test -v ./logs", "A failing test that logs a lot.")
broken = module({**GOOD, "bad/undefined": UNDEFINED, "bad/vet": VET, "bad/failing": FAILING})


def tested_before(shop: Workshop) -> None:
    """Run the tests once, so that Go remembers them."""
    passing(shop)
    shop.capture("go test -v ./...")


def downloading(shop: Workshop) -> None:
    """Have a module that is not there yet, and a folder that serves it as a proxy would."""
    module({"hello": GREETS, "failing": FAILING})(shop)
    name = "example.org/greet@v1.0.0"
    served = Path("../served/example.org/greet/@v")
    shop.write(str(served / "v1.0.0.info"), '{"Version": "v1.0.0"}')
    shop.write(str(served / "v1.0.0.mod"), "module example.org/greet\n")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr(f"{name}/go.mod", "module example.org/greet\n")
        files.writestr(f"{name}/greet.go", 'package greet\n\nfunc Hello() string { return "hello" }\n')
    shop.write(str(served / "v1.0.0.zip"), archive.getvalue())
    shop.append("go.mod", "\nrequire example.org/greet v1.0.0\n")
    shop.environment |= {
        "GOPROXY": f"file://{shop.home / 'served'}",
        "GOMODCACHE": str(shop.home / "modules"),
        "GOSUMDB": "off",
        "GOFLAGS": "-mod=mod -modcacherw",
    }


run.add(tested_before, "cached", "go test -v ./...", "The second run is a memory of the first.")
run.add(downloading, "downloading", "go test ./...", "A module is fetched first.", truth=no_truth)
run.add(downloading, "downloaded-merged", "go test -v ./... 2>&1", "It is there already.", truth=no_truth)
run.add(broken, "build-errors", "go test ./...", "Two packages do not compile, one fails.")
run.add(broken, "build-errors-merged", "go test ./... 2>&1", "The same, one stream by the shell.")
run.add(broken, "build-errors-one-stream", "go test -v ./...", "The same, one stream by the host.", merged=True)
run.add(broken, "build-errors-here", "go test", "In the folder.", folder="bad/undefined", passes="no_gain")
run.add(
    module({"bad": NO_IMPORT, **GOOD}),
    "missing-module",
    "go test ./...",
    "A package imports what go.mod does not name.",
)
run.add(module({"bad": SYNTAX, **GOOD}), "syntax-error", "go test ./...", "A file that does not parse.")
for name, text, about, passes in (
    (
        "imitates-detail",
        "    all_test.go:7: a fake\n\tx.go:1 +0x1\npanic: fake\n",
        "Prints what looks like details.",
        None,
    ),
    ("imitates-end", "PASS\nmore\n", "Prints PASS before it fails.", None),
    (
        "imitates-package",
        "hello\nok  \tdemo/fake\t0.1s\n?   \tdemo/x\t[no test files]\n",
        "Prints lines of packages.",
        None,
    ),
    ("imitates-build", "hello\n# demo/fake\nfake.go:1:2: fake\n", "Prints what looks like a compile error.", None),
    ("no-line-end", "no line end", "Its verdict stands behind printed text.", "unreconciled"),
    ("escapes", "\x1b[31mred\x1b[0m\n", "Prints colour.", "invalid_output"),
    ("carriage-returns", "10%\r20%\rdone\n", "Prints a progress bar.", None),
):
    run.add(module({"prints": printing(text), **GOOD}), name, "go test ./...", about, passes=passes)
run.add(
    module({"prints": printing("--- FAIL: TestFake (0.00s)\n--- PASS: TestFake (0.00s)\n")}),
    "imitates-verdicts",
    "go test -v ./...",
    "Prints verdicts of tests that never began.",
    passes="unreconciled",
)
run.add(
    passing,
    "cut-by-the-host",
    "go test -v ./...",
    "The host kept only the first bytes.",
    limit=900,
    passes="invalid_output",
)
run.add(
    module({"slow": SLOW, **GOOD}),
    "timed-out",
    "go test -v ./...",
    "The host lost patience.",
    seconds=4,
    truth=no_truth,
    passes="invalid_output",
)
run.add(passing, "no-such-package", "go test ./nowhere", "A package that is not there.", passes="invalid_output")
run.add(module({}), "nothing-matched", "go test ./...", "A module without packages.", passes="invalid_output")
run.refuse(
    mixed,
    [
        ("refused-json", "go test -json ./..."),
        ("refused-cover", "go test -cover ./..."),
        ("refused-bench", "go test -bench=. ./..."),
        ("refused-list", "go test -list=. ./..."),
        ("refused-args", "go test ./... -args -v"),
        ("refused-double-dash", "go test --v ./..."),
        ("refused-pipe", "go test ./... | tail -20"),
        ("refused-quoted", 'go test -run "TestOne|TestTable" ./...'),
        ("refused-assignment", "CGO_ENABLED=0 go test ./..."),
        ("refused-vet", "go vet ./..."),
    ],
)
