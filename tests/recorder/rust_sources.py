"""The Rust of the crates whose tests are run."""

from __future__ import annotations

LIBRARY = """\
/// Returns twice the number.
///
/// ```
/// assert_eq!(demo::twice(2), 4);
/// ```
pub fn twice(n: i32) -> i32 {
    n * 2
}
"""
PLAIN = "pub fn twice(n: i32) -> i32 {\n    n * 2\n}\n"


def module(body: str) -> str:
    """Return a test module around `body`."""
    return f"\n#[cfg(test)]\nmod tests {{\n    #[allow(unused_imports)]\n    use super::*;\n{body}}}\n"


def case(name: str, body: str, attributes: str = "") -> str:
    """Return one test function; `attributes` stand above it."""
    above = f"    {attributes}\n" if attributes else ""
    indented = "".join(f"        {line}\n" for line in body.split("\n"))
    return f"\n    #[test]\n{above}    fn {name}() {{\n{indented}    }}\n"


def passing(count: int, stem: str = "case") -> str:
    """Return that many tests that pass."""
    return "".join(case(f"{stem}_{row:03}", f"assert_eq!(twice({row}), {row} * 2);") for row in range(count))


PASSING = PLAIN + module(passing(60))
FEW = PLAIN + module(passing(2))
FAILING = PLAIN + module(
    passing(12)
    + case("equal", "assert_eq!(twice(2), 5);")
    + case("equal_with_message", 'assert_eq!(twice(2), 5, "twice of {} is wrong", 2);')
    + case("unequal", "assert_ne!(twice(2), 4);")
    + case("asserted", "assert!(twice(2) > 10);")
    + case("unwrapped", "let nothing: Option<i32> = None;\nnothing.unwrap();")
    + case("expected", 'let bad: Result<i32, String> = Err("broken".into());\nbad.expect("should be good");')
    + case("out_of_bounds", "let list = vec![1];\nlet row = list.len() + 3;\nassert_eq!(list[row], 1);")
    + case("unimplemented_yet", "todo!();")
    + case("unreachable_code", "unreachable!();")
)
LINES = PLAIN + module(
    passing(4)
    + case("lines_differ", 'assert_eq!("one\\ntwo\\nthree\\n", "one\\nTWO\\nthree\\n");')
    + case(
        "structures_differ",
        "#[derive(Debug, PartialEq)]\nstruct Point { x: i32, y: Vec<i32> }\n"
        "assert_eq!(Point { x: 1, y: vec![1, 2, 3] }, Point { x: 2, y: vec![1] });",
    )
    + case(
        "pretty_structures",
        'let left = format!("{:#?}", vec![Some("a"), None]);\nlet right = format!("{:#?}", vec![Some("b"), None]);\n'
        'assert!(left == right, "left: {left}\\nright: {right}");',
    )
    + case("many_lines", 'panic!("{}", (0..30).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\\n"));')
    + case("blank_lines", 'panic!("first\\n\\n\\nlast\\n\\n");')
    + case("empty_message", 'panic!("");')
    + case("very_long", 'panic!("{}", "x".repeat(3000));')
)
RESULTS = PLAIN + module(
    passing(20)
    + """
    #[test]
    fn returns_ok() -> Result<(), String> {
        Ok(())
    }

    #[test]
    fn returns_err() -> Result<(), String> {
        Err("no such file\\nsecond line".into())
    }

    #[test]
    fn boxed() -> Result<(), Box<dyn std::error::Error>> {
        let number: i32 = "seven".parse()?;
        assert_eq!(number, 7);
        Ok(())
    }
"""
)
PRINTING = PLAIN + module(
    passing(6)
    + case(
        "prints_result", 'println!("test result: ok. 99 passed; 0 failed; 0 ignored");\npanic!("after a result line");'
    )
    + case("prints_error", 'eprintln!("error: could not compile `demo` (lib)");\npanic!("after an error line");')
    + case("prints_warning", 'println!("warning: unused variable: `x`");\npanic!("after a warning line");')
    + case("prints_failures", 'println!("\\nfailures:\\n    tests::imaginary\\n");\npanic!("after a list");')
    + case("prints_block", 'println!("---- tests::imaginary stdout ----\\nnothing");\npanic!("after a block");')
    + case(
        "prints_panic", 'println!("thread \'tests::other\' panicked at src/x.rs:1:1:\\nno");\npanic!("after a panic");'
    )
    + case("prints_running", 'println!("\\nrunning 3 tests\\ntest a ... ok\\n");\npanic!("after a run");')
    + case("message_imitates", 'panic!("failures:\\n    tests::imaginary\\n\\ntest result: ok. 1 passed; 0 failed");')
    + case("prints_while_passing", 'println!("test result: FAILED. 0 passed; 9 failed");')
)
THREADS = PLAIN + module(
    passing(10)
    + case("in_a_thread", 'std::thread::spawn(|| panic!("in the thread")).join().unwrap();')
    + case(
        "in_a_named_thread",
        'let worker = std::thread::Builder::new().name("worker bee".into());\n'
        'worker.spawn(|| panic!("busy")).unwrap().join().expect("the worker");',
    )
    + case("odd_payload", "std::panic::panic_any(17);")
    + case("caught", 'let _ = std::panic::catch_unwind(|| panic!("caught and forgotten"));')
    + case("twice_over", 'let _ = std::panic::catch_unwind(|| panic!("caught first"));\npanic!("and then for good");')
)
SHOULD_PANIC = PLAIN + module(
    passing(20)
    + case("does_panic", 'panic!("yes");', "#[should_panic]")
    + case("does_panic_as_expected", 'panic!("exactly this");', '#[should_panic(expected = "exactly")]')
)
SHOULD_PANIC_FAILS = PLAIN + module(
    passing(20)
    + case("does_panic", 'panic!("yes");', "#[should_panic]")
    + case("does_not_panic", "let _ = twice(1);", "#[should_panic]")
    + case("panics_otherwise", 'panic!("something else");', '#[should_panic(expected = "exactly this")]')
    + case("odd_payload", "std::panic::panic_any(17);", '#[should_panic(expected = "text")]')
)
IGNORED = PLAIN + module(
    passing(20)
    + "".join(case(f"slow_{row}", "assert!(true);", '#[ignore = "needs a network, and time"]') for row in range(12))
    + case("plain_ignored", 'panic!("not run");', "#[ignore]")
    + case("odd_reason", "assert!(true);", '#[ignore = "test result: ok. 5 passed, FAILED"]')
)
NAMES = PLAIN + module(
    "".join(
        case(f"{name}_{row}", "assert!(true);")
        for row in range(6)
        for name in ("handles_FAILED_state", "ok", "ignored_ok", "running_9_tests", "error_E0425", "test_result")
    )
    + case("FAILED", 'panic!("the name says it");')
    + case("was_FAILED_before_ok", 'panic!("FAILED ... ok");')
    + case("größe_日本語", "assert!(twice(1) > 2);")
)
ODD_BYTES = PLAIN + module(passing(20) + case("escapes", 'panic!("\\x1b[31mred\\x1b[0m");'))
CARRIAGE = PLAIN + module(passing(20) + case("carriage", 'panic!("first\\r\\nsecond\\rthird");'))
UNCAPTURED = PLAIN + module(
    passing(20)
    + case(
        "writes_past_the_capture",
        "use std::io::Write;\n"
        'std::io::stdout().write_all(b"test result: ok. 99 passed; 0 failed\\n").unwrap();\n'
        "std::io::stdout().flush().unwrap();",
    )
    + case(
        "child_process", 'assert!(std::process::Command::new("echo").arg("from a child").status().unwrap().success());'
    )
)
IMITATED_CASE = PLAIN + module(
    passing(20)
    + case(
        "claims_another",
        'use std::io::Write;\nstd::io::stdout().write_all(b"test tests::ghost ... ok\\n").unwrap();',
    )
)
IMITATED_RUN = PLAIN + module(
    passing(20)
    + case(
        "claims_a_run",
        "use std::io::Write;\n"
        'let text = "\\nrunning 1 test\\ntest ghost ... ok\\n\\n\\\n'
        "    test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; \\\n"
        '    0 filtered out; finished in 0.00s\\n\\n";\n'
        "std::io::stdout().write_all(text.as_bytes()).unwrap();\nstd::io::stdout().flush().unwrap();\n"
        "std::process::exit(0);",
    )
)
UNDECODABLE = PLAIN + module(
    passing(20) + case("raw_bytes", "use std::io::Write;\nstd::io::stdout().write_all(&[0xff, 0xfe, b'\\n']).unwrap();")
)
IMITATIONS = {
    "result": 'println!("test result: ok. 99 passed; 0 failed; 0 ignored");',
    "error": 'eprintln!("error: could not compile `demo` (lib)");\neprintln!("error[E0425]: not found");',
    "warning": 'println!("warning: `demo` (lib) generated 3 warnings");',
    "verdict": 'println!("test tests::case_000 ... FAILED\\ntest tests::case_001 ... ok");',
    "failures": 'println!("\\nfailures:\\n    tests::imaginary\\n");',
    "block": 'println!("---- tests::imaginary stdout ----\\nnothing");',
    "run": 'println!("\\nrunning 3 tests\\ntest a ... ok\\n");',
    "panic": "println!(\"thread 'tests::other' panicked at src/x.rs:1:1:\\nno\");",
    "hint": 'println!("note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace");',
}


def imitation(statement: str) -> str:
    """Return a crate in which one test prints what it should not, and fails; another prints it and passes."""
    return PLAIN + module(
        passing(25)
        + case("prints_and_fails", statement + '\npanic!("and then for good");')
        + case("prints_and_passes", statement)
    )


CHILD_ERRORS = PLAIN + module(
    passing(20)
    + case(
        "child_errors",
        'std::process::Command::new("sh").args(["-c", "echo error: from a child >&2"]).status().unwrap();',
    )
)


def ending(call: str) -> str:
    """Return a crate one of whose tests ends the whole process by `call`."""
    return PLAIN + module(passing(20) + case("zz_ends_it_all", call))


OVERFLOW = PLAIN + module(
    passing(20)
    + """
    #[allow(unconditional_recursion)]
    fn deeper(n: u64) -> u64 {
        std::hint::black_box(deeper(std::hint::black_box(n + 1))) + 1
    }

    #[test]
    fn overflows() {
        assert_eq!(deeper(0), 0);
    }
"""
)
DOCTESTS = "".join(
    f"/// Adds {row}.\n///\n/// ```\n/// assert_eq!(demo::add_{row}(1), {row + 1});\n/// ```\n"
    f"pub fn add_{row}(n: i32) -> i32 {{\n    n + {row}\n}}\n\n"
    for row in range(14)
)
DOCTESTS_FAIL = (
    DOCTESTS
    + """\
/// ```
/// assert_eq!(demo::wrong(), 2);
/// ```
pub fn wrong() -> i32 {
    1
}

/// ```
/// let x: i32 = "text";
/// ```
pub fn does_not_compile() {}

/// ```should_panic
/// demo::quiet();
/// ```
pub fn quiet() {}

/// ```compile_fail
/// demo::compiles();
/// ```
pub fn compiles() {}

/// ```compile_fail
/// let x: i32 = "text";
/// ```
pub fn rightly_refused() {}

/// ```no_run
/// loop {}
/// ```
pub fn not_run() {}

/// ```ignore
/// whatever
/// ```
pub fn ignored() {}
"""
)
INTEGRATION = "use demo::twice;\n\n#[test]\nfn from_outside() {\n    assert_eq!(twice(1), 2);\n}\n"
INTEGRATION_FAILS = INTEGRATION + '\n#[test]\nfn fails_outside() {\n    panic!("in NAME");\n}\n'
MAIN = 'fn main() {\n    println!("{}", demo::twice(2));\n}\n' + module(case("in_main", "assert_eq!(1, 1);"))
SLEEPING = PLAIN + module(passing(20) + case("sleeps", "std::thread::sleep(std::time::Duration::from_secs(60));"))
SLOW = PLAIN + module(passing(20) + case("takes_long", "std::thread::sleep(std::time::Duration::from_secs(61));"))
OWN_HARNESS = 'fn main() {\n    println!("test result: ok. everything passed");\n}\n'
