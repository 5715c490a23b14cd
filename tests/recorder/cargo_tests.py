"""`cargo test`: forms of the command, and what runs of tests print."""

from __future__ import annotations

from . import rust_sources as rust
from .cargo_check import ERRORS, WARNINGS
from .cargo_check_oddities import FAILING_SCRIPT
from .catalogue import Builder, Catalogue, no_truth
from .crates import crate, tested, workspace

test = Catalogue("cargo_test", tested)


def library(source: str, more: str = "") -> Builder:
    """Return a builder of a crate with one library and no doc tests of its own."""
    return crate({"src/lib.rs": source}, more)


passing = library(rust.PASSING)
failing = library(rust.FAILING)
targets = crate(
    {
        "src/lib.rs": rust.LIBRARY + rust.module(rust.passing(25)),
        "src/main.rs": rust.MAIN,
        "src/bin/extra.rs": rust.MAIN,
        "tests/first.rs": rust.INTEGRATION,
        "tests/second.rs": rust.INTEGRATION,
        "examples/show.rs": "fn main() {}\n",
    }
)
targets_fail = crate(
    {
        "src/lib.rs": rust.DOCTESTS_FAIL + rust.PLAIN + rust.module(rust.passing(15)),
        "tests/first.rs": rust.INTEGRATION_FAILS.replace("NAME", "first"),
        "tests/second.rs": rust.INTEGRATION_FAILS.replace("NAME", "second"),
        "tests/third.rs": rust.INTEGRATION,
    }
)

test.table(
    passing,
    [
        ("form-plain", "cargo test", "Sixty tests pass."),
        ("form-filter", "cargo test case_0", "A filter that keeps most."),
        ("form-threads", "cargo test -- --test-threads=1", "One thread: the order of the source."),
        ("form-filter-threads", "cargo test case -- --test-threads=1", "Filter and threads."),
        ("form-lib", "cargo test --lib", "The library alone."),
        ("form-package", "cargo test -p demo", "A package by name."),
        ("form-toolchain", "cargo +stable test", "A toolchain by name."),
        ("form-color-never", "cargo test --color never", "Colour never, in two words."),
        ("form-color-auto", "cargo test --color=auto -- --color=never", "Colour for terminals only."),
        ("form-skip", "cargo test -- --skip case_00", "Tests left out by name."),
        ("form-release", "cargo test --release --lib", "The release profile."),
        ("form-merged", "cargo test 2>&1", "Standard error joins standard output."),
        ("form-merged-backwards", "cargo test 1>&2", "Standard output joins standard error."),
        ("form-no-fail-fast", "cargo test --no-fail-fast", "All targets, come what may."),
        ("form-jobs", "cargo test --jobs 1 --all-features --locked", "Options of the build."),
    ],
)
test.add(
    passing,
    "form-exact",
    "cargo test -- --exact tests::case_000 --include-ignored",
    "One test by its whole name.",
    passes="no_gain",
)
test.add(passing, "replayed", "cargo test", "The second run: nothing to build.", fresh=False)
test.add(passing, "one-stream", "cargo test", "The host captured both streams as one.", merged=True)
test.add(passing, "no-run", "cargo test --no-run", "Built, not run.", passes="no_gain")
test.add(
    passing,
    "cut-by-the-host",
    "cargo test",
    "The host kept only the first bytes.",
    limit=1200,
    passes="invalid_output",
)
test.refuse(
    passing,
    [
        ("refused-list", "cargo test -- --list"),
        ("refused-nocapture", "cargo test -- --nocapture"),
        ("refused-no-capture", "cargo test -- --no-capture"),
        ("refused-show-output", "cargo test -- --show-output"),
        ("refused-format", "cargo test -- --format=terse"),
        ("refused-format-apart", "cargo test -- --format pretty"),
        ("refused-json", "cargo test --message-format=json"),
        ("refused-color", "cargo test --color=always"),
        ("refused-color-after-dashes", "cargo test -- --color always"),
        ("refused-help", "cargo test -- --help"),
        ("refused-timings", "cargo test --timings"),
        ("refused-alias", "cargo t"),
        ("refused-bench", "cargo bench --no-run"),
        ("refused-early-option", "cargo --offline test"),
        ("refused-pipe", "cargo test 2>&1 | tail -15"),
        ("refused-grep", "cargo test 2>&1 | grep 'test result'"),
        ("refused-assignment", "RUST_BACKTRACE=1 cargo test"),
        ("refused-then", "cargo test && echo passed"),
        ("refused-or", "cargo test || true"),
        ("refused-file", "cargo test >../log.txt 2>&1"),
        ("refused-quoted", "cargo test 'case_00'"),
        ("refused-unknown-option", "cargo test --no-such-option"),
    ],
)

test.add(
    library(rust.FEW), "passing-few", "cargo test --lib", "Two tests pass: shorter than the header.", passes="no_gain"
)
test.add(library(rust.PLAIN), "no-tests", "cargo test", "No test at all.", passes="no_gain")
test.add(targets, "nothing-run", "cargo test nosuch", "A filter that keeps nothing, over six targets.")
test.table(
    failing,
    [
        ("failing", "cargo test", "Nine ways to fail."),
        ("failing-merged", "cargo test 2>&1", "Failing, both streams in one."),
        ("failing-quiet", "cargo test -q", "Failing, quiet."),
        ("failing-quiet-tests", "cargo test -- --quiet", "Failing, the tests quiet."),
        ("failing-one-thread", "cargo test -- --test-threads=1", "Failing, one thread."),
        ("failing-filtered", "cargo test equal", "Failing, filtered."),
    ],
)
test.add(failing, "failing-one-stream", "cargo test", "Failing, both streams captured as one.", merged=True)
test.add(failing, "backtrace", "cargo test", "Short backtraces.", environment={"RUST_BACKTRACE": "1"})
test.add(failing, "backtrace-full", "cargo test equal", "Full backtraces.", environment={"RUST_BACKTRACE": "full"})
for name, source, about in (
    ("multi-line-panics", rust.LINES, "Messages of many lines, blank lines, no message."),
    ("results", rust.RESULTS, "Tests that return a Result."),
    ("threads", rust.THREADS, "Panics in other threads, caught panics, odd payloads."),
    ("should-panic", rust.SHOULD_PANIC, "Tests that should panic, and do."),
    ("should-panic-fails", rust.SHOULD_PANIC_FAILS, "Tests that should panic, and do not, or otherwise."),
    ("ignored", rust.IGNORED, "Tests ignored, with reasons and without."),
    ("names", rust.NAMES, "Names that contain FAILED, ok and other words; other scripts."),
):
    test.add(library(source), name, "cargo test", about)
for kind, statement in rust.IMITATIONS.items():
    # A printed list or block cannot be told from libtest's own, so that the original is the only safe answer.
    ambiguous = {"failures": "invalid_output", "block": "unreconciled"}.get(kind)
    imitating = library(rust.imitation(statement))
    for suffix, words in (("", ""), ("-merged", " 2>&1")):
        about = f"Tests that print what looks like libtest's or cargo's own {kind}{', merged' * bool(suffix)}."
        test.add(imitating, f"imitates-{kind}{suffix}", f"cargo test{words}", about, passes=ambiguous)
for suffix, words in (("", ""), ("-merged", " 2>&1")):
    test.add(
        library(rust.PRINTING),
        f"imitations{suffix}",
        f"cargo test{words}",
        "Tests that print all of it, and a message that does.",
        passes="invalid_output",
    )
test.add(library(rust.ODD_BYTES), "escapes", "cargo test", "Escape sequences in a message.", passes="invalid_output")
test.add(library(rust.CARRIAGE), "carriage-returns", "cargo test", "Carriage returns in a message.")
test.add(library(rust.IGNORED), "only-ignored", "cargo test -- --ignored", "Only the ignored ones, one of which fails.")
test.add(library(rust.IGNORED), "include-ignored", "cargo test -- --include-ignored", "The ignored ones as well.")
many = library(rust.PLAIN + rust.module(rust.passing(200)))
test.add(many, "two-hundred", "cargo test", "Two hundred tests pass.")
test.table(
    many,
    [
        ("quiet", "cargo test -q", "Quiet: dots in lines of 88."),
        ("quiet-tests", "cargo test -- -q", "The tests quiet, the build not."),
    ],
    passes="no_gain",
)
thirty = "".join(rust.case(f"fails_{row:02}", f'assert_eq!(twice({row}), 1, "row {row}");') for row in range(30))
test.add(
    library(rust.PLAIN + rust.module(thirty + rust.passing(5))),
    "thirty-fail",
    "cargo test",
    "More failures than a list shows.",
)

test.table(
    targets,
    [
        ("targets", "cargo test", "Library, binaries, integration tests, doc tests."),
        ("targets-merged", "cargo test 2>&1", "The same, both streams in one."),
        ("targets-all", "cargo test --all-targets", "All targets, examples too, no doc tests."),
        ("one-target", "cargo test --test first --test second --lib", "Three targets by name."),
    ],
)
test.add(targets, "targets-quiet", "cargo test -q", "All of them, quiet.", passes="no_gain")
test.add(targets, "one-small-target", "cargo test --test first", "One small target.", passes="no_gain")
test.table(
    targets_fail,
    [
        ("targets-fail", "cargo test", "The first failing target ends the run."),
        ("targets-fail-all", "cargo test --no-fail-fast", "Several targets and doc tests fail."),
        ("targets-fail-all-merged", "cargo test --no-fail-fast 2>&1", "The same, both streams in one."),
        ("targets-fail-quiet", "cargo test --no-fail-fast -q", "The same, quiet."),
        ("doctests-fail", "cargo test --doc", "Doc tests that fail, do not compile, do not panic."),
        ("doctests-fail-merged", "cargo test --doc 2>&1", "The same, both streams in one."),
    ],
)
doctests = library(rust.DOCTESTS)
test.add(doctests, "doctests", "cargo test --doc", "Doc tests pass.")
test.add(doctests, "doctests-quiet", "cargo test --doc -q", "Doc tests pass, quiet.", passes="no_gain")
test.add(
    crate({"src/lib.rs": rust.DOCTESTS}, edition="2024"),
    "doctests-2024",
    "cargo test --doc",
    "Doc tests compiled as one.",
)
test.add(
    workspace({name: rust.PLAIN + rust.module(rust.passing(8)) for name in ("alpha", "beta", "gamma")}),
    "workspace",
    "cargo test --workspace",
    "Three crates, each with tests and doc tests.",
)
test.add(
    workspace(dict.fromkeys(("alpha", "beta"), rust.FAILING)),
    "workspace-fails",
    "cargo test --workspace --no-fail-fast",
    "The same names fail in two crates.",
)

# Builds that fail, warn or end the run early.
with_warnings = WARNINGS + rust.PLAIN + rust.module(rust.passing(20))
test.add(library(with_warnings), "warnings", "cargo test", "Warnings of the build, then tests.")
test.add(library(with_warnings), "warnings-merged", "cargo test 2>&1", "The same, both streams in one.")
test.add(library(with_warnings), "warnings-quiet", "cargo test -q", "The same, quiet.")
test.add(library(with_warnings), "warnings-no-run", "cargo test --no-run", "Warnings, nothing run.")
broken = rust.PLAIN + rust.module(
    "".join(rust.case(f"broken_{row}", f"assert_eq!(thrice({row}), nothing);") for row in range(5))
)
test.add(library(broken), "compile-error", "cargo test", "The tests do not compile.")
test.add(library(broken), "compile-error-merged", "cargo test 2>&1", "The same, both streams in one.")
test.add(
    library(ERRORS), "library-compile-error", "cargo test", "The library does not compile, for itself and its tests."
)
linked = 'extern "C" {\n    fn nowhere();\n}\n' + rust.PLAIN + rust.module(rust.case("links", "unsafe { nowhere() }"))
test.add(library(linked), "linker-error", "cargo test", "The tests cannot be linked.")
test.add(
    crate(
        {
            "src/lib.rs": with_warnings,
            "src/main.rs": "fn main() {\n    let in_main = 1;\n}\n",
            "tests/it.rs": "#[test]\nfn outside() {\n    let in_test = demo::twice(1);\n}\n",
        }
    ),
    "warnings-over-targets",
    "cargo test",
    "Warnings of several targets: roll-ups that count duplicates.",
)
test.add(
    workspace({"alpha": broken, "beta": rust.PASSING, "gamma": ERRORS}),
    "workspace-compile-errors",
    "cargo test --workspace --no-fail-fast",
    "Two of three crates do not compile: nothing is run.",
)
test.add(
    crate({"src/lib.rs": rust.PASSING, "build.rs": FAILING_SCRIPT}),
    "build-script-fails",
    "cargo test",
    "The build script panics after printing.",
    passes="invalid_output",
)
test.add(
    library(rust.SLOW),
    "slow",
    "cargo test",
    "A test runs for over a minute, and is said to.",
    truth=no_truth,
)
for name, call, about in (
    ("abort", "std::process::abort();", "A test aborts the process."),
    ("exit-0", "std::process::exit(0);", "A test ends the process with success: nothing else says so."),
    ("exit-1", "std::process::exit(1);", "A test ends the process with failure."),
    ("exit-101", "std::process::exit(101);", "A test ends the process with cargo's own code."),
):
    for suffix, words in (("", ""), ("-merged", " 2>&1")):
        test.add(library(rust.ending(call)), name + suffix, f"cargo test{words}", about, passes="invalid_output")
test.add(
    library(rust.ending("std::process::exit(0);")),
    "exit-0-quiet",
    "cargo test -q",
    "Quiet, and then gone.",
    passes="invalid_output",
)
test.add(library(rust.OVERFLOW), "stack-overflow", "cargo test", "A stack overflow.", passes="invalid_output")
test.add(
    library(rust.SLEEPING),
    "timed-out",
    "cargo test",
    "The host lost patience.",
    seconds=6.0,
    passes="invalid_output",
    truth=no_truth,
)
test.add(library(rust.UNCAPTURED), "uncaptured", "cargo test", "Writes past the capture.", passes="invalid_output")
test.add(
    library(rust.IMITATED_CASE),
    "uncaptured-imitation",
    "cargo test",
    "A line past the capture that looks like a test: the totals do not agree.",
    passes="unreconciled",
)
test.add(
    library(rust.IMITATED_RUN),
    "exit-0-imitation",
    "cargo test",
    "A test prints a whole run past the capture and ends the process with success.",
    passes="invalid_output",
)
test.add(library(rust.UNDECODABLE), "undecodable", "cargo test", "Bytes that are not UTF-8.", passes="invalid_output")
test.add(
    library(rust.CHILD_ERRORS),
    "child-errors",
    "cargo test",
    "A child writes to standard error.",
    passes="unreconciled",
)
own_harness = crate(
    {"src/lib.rs": rust.PASSING, "tests/own.rs": rust.OWN_HARNESS}, '[[test]]\nname = "own"\nharness = false\n'
)
test.add(
    own_harness, "own-harness", "cargo test", "A harness of its own prints what it likes.", passes="invalid_output"
)
test.add(
    passing,
    "colour-forced",
    "cargo test",
    "CARGO_TERM_COLOR colours the build.",
    environment={"CARGO_TERM_COLOR": "always"},
    passes="invalid_output",
)
test.add(passing, "unknown-test", "cargo test --test nosuch", "A target that is not there.", passes="unreconciled")
test.add(
    crate({"src/lib.rs": rust.PASSING, "build.rs": 'fn main() {\n    println!("cargo:warning=from the script");\n}\n'}),
    "build-script-warns",
    "cargo test",
    "A build script warns, then tests.",
)
