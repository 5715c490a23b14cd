"""`cargo check`: forms of the command, and what a build can end with."""

from __future__ import annotations

from .catalogue import Catalogue
from .crates import crate, diagnosed, manifest, workspace
from .scratch import Workshop

check = Catalogue("cargo_check", diagnosed)

CLEAN = "pub fn twice(n: i32) -> i32 {\n    n * 2\n}\n"
WARNINGS = """\
use std::collections::HashMap;
use std::fmt::Debug;

pub fn totals(values: &[i32]) -> i32 {
    let mut sum = 0;
    let unused = values.len();
    for value in values {
        let mut doubled = value * 2;
        sum += value;
    }
    (sum)
}

fn never_called() {}

struct NeverBuilt {
    field: u32,
}

#[deprecated(note = "use totals")]
pub fn old() -> i32 {
    1
}

pub fn caller() -> i32 {
    let result: Result<i32, String> = Ok(old());
    result.map(|value| value + 1);
    while true {
        break;
    }
    return 3;
    4
}

#[allow(non_existing_lint)]
pub fn badName() {}
"""
ERRORS = """\
use std::colections::HashMap;

pub struct Point {
    x: i32,
}

pub fn undefined() -> i32 {
    missing + 1
}

pub fn mismatched() -> i32 {
    "text"
}

pub fn moved() -> String {
    let text = String::from("a");
    let other = text;
    text
}

pub fn no_method(point: Point) -> i32 {
    point.length()
}

pub fn wrong_count() -> i32 {
    mismatched(1, 2)
}

pub fn not_send(value: std::rc::Rc<i32>) {
    std::thread::spawn(move || drop(value));
}

pub fn bound<T>(value: T) -> String {
    value.to_string()
}

pub fn lifetime(a: &str, b: &str) -> &str {
    a
}
"""
BORROWS = """\
pub fn first(values: &mut Vec<String>) -> &String {
    let held = &values[0];
    values.push(String::new());
    values.clear();
    held
}

pub fn moved() -> String {
    let text = String::from("a");
    let other = text;
    println!("{other}");
    text
}

pub fn twice() {
    let number = 1;
    number = 2;
    let mut list = vec![1];
    let one = &mut list;
    let two = &mut list;
    one.push(1);
    two.push(2);
}

pub fn dangling() -> &'static str {
    let owned = String::from("b");
    &owned
}

pub fn matched(value: Option<i32>) -> i32 {
    match value {
        Some(n) => n,
    }
}
"""
WITHOUT_CODES = """\
pub fn macros() {
    no_such_macro!(1);
    another_missing!();
    println!("{} {}", 1);
    println!("{name}");
}

compile_error!("this crate needs a feature");
compile_error!("a message\\nof two lines\\nerror: and a third that looks like another");

#[no_such_attribute]
pub fn attributed() {}

#[derive(NoSuchDerive)]
pub struct Derived;
"""
SYNTAX = "".join(
    f"pub fn broken_{row}() -> i32 {{\n    let x = {row}\n    let y = 2;\n    x y\n}}\n\n" for row in range(6)
)
UNCLOSED = "pub fn open() {\n    if true {\n        let x = (1;\n    }\n"
MACROS = """\
macro_rules! add {
    ($left:expr, $right:expr) => {
        $left + $right + undefined_in_macro
    };
}

macro_rules! make {
    ($name:ident) => {
        pub fn $name() -> i32 {
            let unused = 1;
            "not a number"
        }
    };
}

make!(first);
make!(second);

pub fn nested() -> i32 {
    add!(1, add!(2, 3))
}

pub fn asserted() {
    assert_eq!(1, "one");
    let values: Vec<i32> = vec![1, "two"];
}
"""
BAD = "use std::gone::Path;\n\n" + "".join(
    f"pub fn bad_{row}() -> i32 {{\n    let unused = 1;\n    missing_{row}_in_NAME.with(a_long, line, of, names)\n}}\n"
    for row in range(3)
)
DENIED = "#![deny(warnings)]\n" + WARNINGS
TESTS = """
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        let unused_in_test = 1;
        assert_eq!(totals(&[1, 2]), 3);
    }
}
"""

warned = crate({"src/lib.rs": WARNINGS})
failing = crate({"src/lib.rs": ERRORS})

check.table(
    warned,
    [
        ("form-plain", "cargo check", "One crate with a dozen warnings."),
        ("form-all-targets", "cargo check --all-targets", "Library and its tests: warnings shown once."),
        ("form-package", "cargo check -p demo", "A package by name."),
        ("form-toolchain", "cargo +stable check", "A toolchain by name."),
        ("form-release", "cargo check --release", "The release profile."),
        ("form-lib", "cargo check --lib --locked --offline", "The library alone, with the lock file as it is."),
        ("form-features", "cargo check --all-features -j 1", "All features, one job."),
        ("form-color-never", "cargo check --color never", "Colour never, in two words."),
        ("form-color-auto", "cargo check --color=auto", "Colour for terminals only."),
        ("form-target-folder", "cargo check --target-dir target/elsewhere", "Another target folder."),
        ("form-manifest-path", "cargo check --manifest-path ./Cargo.toml", "A manifest by path."),
        ("form-merged", "cargo check 2>&1", "Standard error joins standard output."),
        ("form-merged-backwards", "cargo check 1>&2", "Standard output joins standard error."),
        ("form-keep-going", "cargo check --keep-going", "As many crates as possible."),
        ("quiet-warnings", "cargo check -q", "Quiet: warnings without progress or roll-up."),
        ("verbose", "cargo check -v", "Verbose: the commands of the compiler as well."),
    ],
)
check.add(warned, "form-merged-failing", "cargo check 2>&1 --quiet", "Both quiet and merged.")
check.add(warned, "replayed", "cargo check", "The second run: warnings from the cache.", fresh=False)
check.add(warned, "one-stream", "cargo check", "The host captured both streams as one.", merged=True)
check.refuse(
    warned,
    [
        ("refused-json", "cargo check --message-format=json"),
        ("refused-json-apart", "cargo check --message-format json"),
        ("refused-short", "cargo check --message-format=short"),
        ("refused-color", "cargo check --color=always"),
        ("refused-color-apart", "cargo check --color always"),
        ("refused-timings", "cargo check --timings"),
        ("refused-help", "cargo check -h"),
        ("refused-future", "cargo check --future-incompat-report"),
        ("refused-alias", "cargo c"),
        ("refused-build", "cargo build"),
        ("refused-early-option", "cargo --offline check"),
        ("refused-plus", "cargo + check"),
        ("refused-config", "cargo check --config build.jobs=1"),
        ("refused-pipe", "cargo check 2>&1 | tail -30"),
        ("refused-grep", "cargo check 2>&1 | grep -E warning"),
        ("refused-file", "cargo check 2>../errors.txt"),
        ("refused-both-to-file", "cargo check &>../log.txt"),
        ("refused-assignment", "RUSTFLAGS=-Awarnings cargo check"),
        ("refused-cd", "cd . && cargo check"),
        ("refused-then", "cargo check; echo $?"),
        ("refused-quoted", 'cargo check --features ""'),
        ("refused-unknown-option", "cargo check --no-such-option"),
        ("refused-abbreviated", "cargo check --all-target"),
    ],
)

check.add(crate({"src/lib.rs": CLEAN}), "clean", "cargo check", "Nothing to say.", passes="no_gain")
check.add(crate({"src/lib.rs": CLEAN}), "clean-quiet", "cargo check -q", "Nothing said.", passes="invalid_output")
check.add(
    workspace({f"part-{row:02}": CLEAN for row in range(24)}),
    "clean-workspace",
    "cargo check --workspace",
    "Two dozen crates, all clean.",
)
check.add(
    crate({"src/lib.rs": "pub fn one() {\n    let unused = 1;\n}\n"}),
    "one-warning",
    "cargo check",
    "One warning: just worth a summary.",
)
check.add(crate({"src/lib.rs": ERRORS}), "errors", "cargo check", "Errors of name resolution with codes.")
check.add(crate({"src/lib.rs": BORROWS}), "borrow-errors", "cargo check", "Errors of the borrow checker.")
check.add(crate({"src/lib.rs": WITHOUT_CODES}), "errors-without-codes", "cargo check", "Errors that have no code.")
check.add(crate({"src/lib.rs": SYNTAX}), "syntax-errors", "cargo check", "The parser finds something missing.")
check.add(crate({"src/lib.rs": UNCLOSED}), "unclosed", "cargo check", "The parser gives up at once.", passes="no_gain")
check.add(
    crate({"src/lib.rs": MACROS}), "macros", "cargo check", "Errors and warnings inside macros, with their notes."
)
check.add(crate({"src/lib.rs": DENIED}), "denied-warnings", "cargo check", "Warnings made errors in the source.")
check.add(
    warned,
    "denied-by-flags",
    "cargo check",
    "Warnings made errors by RUSTFLAGS.",
    environment={"RUSTFLAGS": "-Dwarnings"},
)
check.add(
    crate({"src/lib.rs": WARNINGS + "\npub fn bad() -> i32 {\n    missing\n}\n"}),
    "warnings-and-an-error",
    "cargo check",
    "One error behind several warnings.",
)
check.table(
    failing,
    [
        ("errors-all-targets", "cargo check --all-targets", "The same errors for the library and its tests."),
        ("errors-quiet", "cargo check -q", "Quiet: errors alone."),
        ("errors-merged", "cargo check 2>&1", "Errors, both streams in one."),
    ],
)
check.add(
    crate(
        {
            "src/lib.rs": WARNINGS + TESTS,
            "src/main.rs": "fn main() {\n    let x = 1;\n}\n",
            "tests/it.rs": "fn a() {}\n",
        }
    ),
    "duplicates-over-targets",
    "cargo check --all-targets",
    "Library, tests, binary: roll-ups that count duplicates.",
)
check.add(
    crate({"src/lib.rs": CLEAN, "src/bin/a.rs": BAD + "fn main() { x }\n", "src/bin/b.rs": BAD + "fn main() { y }\n"}),
    "two-binaries-fail",
    "cargo check --keep-going",
    "Two targets of one crate fail.",
)
check.add(
    crate({"src/lib.rs": "pub fn many() {\n" + "".join(f"    let v{row} = {row};\n" for row in range(60)) + "}\n"}),
    "sixty-warnings",
    "cargo check",
    "More warnings than a list shows.",
)
check.add(
    crate({"src/lib.rs": "pub fn many() {\n" + "".join(f"    m{row};\n" for row in range(45)) + "}\n" + WARNINGS}),
    "forty-five-errors",
    "cargo check",
    "More errors than a list shows, and warnings.",
)
check.add(
    workspace({name: BAD.replace("NAME", name) for name in ("alpha", "beta", "gamma")} | {"fine": CLEAN}),
    "several-crates-fail",
    "cargo check --workspace --keep-going",
    "Three crates fail, one does not.",
)
check.add(
    workspace({name: BAD.replace("NAME", name) for name in ("alpha", "beta", "gamma")}),
    "waiting-for-others",
    "cargo check --workspace -j 2",
    "A crate fails while another is still built.",
)


def chain(shop: Workshop) -> None:
    """Three crates that depend on each other by path, each with warnings."""
    workspace(dict.fromkeys(("base", "middle", "top"), WARNINGS))(shop)
    for name, below in (("middle", "base"), ("top", "middle")):
        shop.write(f"{name}/Cargo.toml", manifest(name, f'[dependencies]\n{below} = {{ path = "../{below}" }}\n'))


check.add(chain, "chain", "cargo check", "Crates that depend on each other, each with warnings.")
check.add(chain, "chain-one", "cargo check -p base -p middle", "Two of three packages.")
