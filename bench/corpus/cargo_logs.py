"""Cargo outputs of any size, in the shapes cargo 1.95 prints.

See the samples `cargo_test/failing` and `cargo_check/chain`.
INVARIANT: totals agree. Every roll-up counts the warnings of its crate, `due to N previous errors` its errors, and the
result line the tests that ran.
"""

from __future__ import annotations

from .words import AREAS, NOUNS, VERBS, case_name, hexadecimal, pick

RERUN = "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"


def cargo_test(tests: int, failing_every: int = 500) -> tuple[str, str]:
    """Return stdout and stderr of `tests` tests in one target, of which one in so many fails and one in 90 is ignored.

    A last group of fewer tests has a failure too if it is longer than half of the others.
    """
    names = sorted(case_name(row) for row in range(tests))
    failed = names[failing_every // 2 :: failing_every]
    ignored = set(names[40::90]) - set(failed)
    lines = [f"\nrunning {tests} tests\n"]
    for name in names:
        verdict = "ignored, needs a network" if name in ignored else "FAILED" if name in failed else "ok"
        lines.append(f"test {name} ... {verdict}\n")
    if failed:
        lines.append("\nfailures:\n\n")
        lines.extend(failure(name, row) for row, name in enumerate(failed))
        lines.append("\nfailures:\n")
        lines.extend(f"    {name}\n" for name in failed)
    verdict = "FAILED" if failed else "ok"
    passed = tests - len(failed) - len(ignored)
    lines.append(
        f"\ntest result: {verdict}. {passed} passed; {len(failed)} failed; {len(ignored)} ignored; 0 measured; "
        "0 filtered out; finished in 4.21s\n\n"
    )
    stderr = (
        "   Compiling demo v0.1.0 (/home/dev/demo)\n"
        "    Finished `test` profile [unoptimized + debuginfo] target(s) in 21.40s\n"
        f"     Running unittests src/lib.rs (target/debug/deps/demo-{hexadecimal(1, 16)})\n"
    )
    return "".join(lines), stderr + ("error: test failed, to rerun pass `--lib`\n" if failed else "")


def failure(name: str, row: int) -> str:
    """Return the block of one failing test; the first one carries the hint about backtraces."""
    area = name.split("::", 1)[0]
    return (
        f"---- {name} stdout ----\n"
        f"opened {pick(NOUNS, row)} {row}\n\n"
        f"thread '{name}' ({20_000 + row}) panicked at src/{area}.rs:{100 + row * 7}:9:\n"
        f"assertion `left == right` failed: the {pick(NOUNS, row, 4)} {pick(VERBS, row, 5)} nothing\n"
        f"  left: {row * 3}\n right: {row * 3 + 1}\n{'' if row else RERUN}\n"
    )


def cargo_check(diagnostics: int) -> str:
    """Return stderr of a workspace of twelve crates; the last two have errors, one for every eight warnings."""
    lines: list[str] = []
    share = diagnostics // len(AREAS)
    for number, area in enumerate(AREAS):
        lines.append(f"    Checking {area} v0.1.0 (/home/dev/demo/{area})\n")
        fails = number >= len(AREAS) - 2
        errors = share // 9 if fails else 0
        lines.extend(error(area, row) for row in range(errors))
        lines.extend(warning(area, row + number * share) for row in range(share - errors))
        warnings = share - errors
        if errors:
            lines.append("Some errors have detailed explanations: E0308, E0425.\n")
            lines.append("For more information about an error, try `rustc --explain E0308`.\n")
        fix = "" if errors else f" (run `cargo fix --lib -p {area}` to apply {warnings} suggestions)"
        lines.append(f"warning: `{area}` (lib) generated {warnings} warnings{fix}\n")
        if errors:
            due = f"due to {errors} previous errors; {warnings} warnings emitted"
            lines.append(f"error: could not compile `{area}` (lib) {due}\n")
            if number < len(AREAS) - 1:
                lines.append("warning: build failed, waiting for other jobs to finish...\n")
    return "".join(lines)


def picture(area: str, number: int, column: int, source: str, mark: str) -> str:
    """Return the place and picture of a diagnostic at line `number`."""
    gutter = " " * len(str(number))
    return (
        f"{gutter}--> {area}/src/{pick(NOUNS, number)}.rs:{number}:{column}\n{gutter} |\n"
        f"{number} | {source}\n{gutter} | {' ' * (column - 1)}{mark}\n"
    )


def warning(area: str, row: int) -> str:
    """Return a warning with its place, picture and blank line; no two rows are alike."""
    name = f"{pick(NOUNS, row)}_{pick(VERBS, row, 1)}_{row}"
    help_text = f"{'^' * len(name)} help: if this is intentional, prefix it with an underscore: `_{name}`"
    source = f"    let {name} = {pick(NOUNS, row, 2)}.{pick(VERBS, row, 3)}({row});"
    return f"warning: unused variable: `{name}`\n{picture(area, 10 + row, 9, source, help_text)}\n"


def error(area: str, row: int) -> str:
    """Return an error of one of two codes, with its place, picture and blank line."""
    name = f"{pick(NOUNS, row)}_{row}"
    if row % 2:
        source = f"    {name}.{pick(VERBS, row, 3)}(1);"
        head = f"error[E0425]: cannot find value `{name}` in this scope\n"
        return head + picture(area, 2000 + row, 5, source, f"{'^' * len(name)} not found in this scope") + "\n"
    shown = picture(
        area, 2000 + row, 18, f'    let n: i32 = "{name}";', f"{'^' * (len(name) + 2)} expected `i32`, found `&str`"
    )
    return f"error[E0308]: mismatched types\n{shown}\n"
