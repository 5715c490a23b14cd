"""`cargo check`: build scripts, manifests, settings, and text that looks like something else."""

from __future__ import annotations

import subprocess

from .cargo_check import CLEAN, ERRORS, WARNINGS, check, warned
from .catalogue import Builder
from .crates import crate, workspace
from .scratch import Workshop

QUIET_SCRIPT = 'fn main() {\n    println!("cargo:rerun-if-changed=build.rs");\n    println!("plain text");\n}\n'
LOUD_SCRIPT = """\
fn main() {
    println!("cargo:warning=the library was not found, using the bundled one");
    println!("cargo:warning=error[E0999]: this is not an error");
    println!("cargo:warning=`demo` (lib) generated 7 warnings");
    eprintln!("written to standard error");
}
"""
FAILING_SCRIPT = """\
fn main() {
    println!("cargo:warning=about to fail");
    println!("checking for a library");
    eprintln!("warning: not a compiler's warning");
    eprintln!("error: library not found");
    panic!("no library");
}
"""
ODD_TEXT = """\
#[deprecated(note = "first line\\nsecond line\\n\\nerror: could not compile `demo` (lib) due to 3 previous errors")]
pub fn old() {}

pub fn caller() {
    old();
    let größe = "日本語";
    let emoji = "\U0001f680";
}

#[must_use = "warning: `demo` (lib) generated 99 warnings"]
pub fn needed() -> i32 {
    1
}

pub fn forgets() {
    needed();
}
"""
WIDE = "pub fn wide() {\n    let unused = (" + ", ".join(f"{row}_i32" for row in range(80)) + ");\n}\n"
LINTED = '[lints.rust]\nunused_variables = "deny"\ndead_code = "forbid"\nno_such_lint = "warn"\n'
UNUSED_KEYS = 'colour = "blue"\n[profile.slow]\ninherits = "dev"\nodd-key = 1\n[metadata]\nx = 1\n'


def with_settings(text: str) -> Builder:
    """Return a builder of the crate with warnings and a `.cargo/config.toml`."""

    def build(shop: Workshop) -> None:
        warned(shop)
        shop.write(".cargo/config.toml", text)

    return build


def no_manifest(shop: Workshop) -> None:
    """Write a library alone."""
    shop.write("src/lib.rs", CLEAN)


def locked_by_another(shop: Workshop) -> None:
    """Let another process hold the lock of the build folder for three seconds."""
    warned(shop)
    shop.capture("cargo check")
    subprocess.Popen(["flock", "target/debug/.cargo-lock", "sleep", "3"], cwd=shop.path)


def raw_manifest(text: str, lib: str = "") -> Builder:
    """Return a builder of a crate with this manifest and, where it is given, this library."""

    def build(shop: Workshop) -> None:
        shop.write("Cargo.toml", text)
        if lib:
            shop.write("src/lib.rs", lib)

    return build


def windows_lines(shop: Workshop) -> None:
    """Make the crate with warnings, its lines ended by CRLF."""
    crate({"src/lib.rs": WARNINGS.replace("\n", "\r\n")})(shop)


def two_manifests(shop: Workshop) -> None:
    """Give a member of a workspace a profile of its own."""
    workspace({"alpha": CLEAN, "beta": CLEAN})(shop)
    shop.append("alpha/Cargo.toml", "[profile.release]\nlto = true\n")


check.add(
    crate({"src/lib.rs": WARNINGS, "build.rs": QUIET_SCRIPT}),
    "build-script",
    "cargo check",
    "A build script whose output cargo keeps to itself.",
)
check.add(
    crate({"src/lib.rs": WARNINGS, "build.rs": LOUD_SCRIPT}),
    "build-script-warns",
    "cargo check",
    "A build script warns through cargo, in misleading words.",
)
check.add(
    crate({"src/lib.rs": CLEAN, "build.rs": FAILING_SCRIPT}),
    "build-script-fails",
    "cargo check",
    "A build script panics after printing.",
    passes="invalid_output",
)
check.add(
    crate({"src/lib.rs": CLEAN, "build.rs": FAILING_SCRIPT}),
    "build-script-fails-merged",
    "cargo check 2>&1",
    "The same, both streams in one.",
    passes="invalid_output",
)
check.add(
    crate({"src/lib.rs": CLEAN, "build.rs": WARNINGS + "fn main() { missing(); }\n"}),
    "build-script-does-not-compile",
    "cargo check",
    "The build script itself has an error.",
)
check.add(
    crate({"src/lib.rs": CLEAN, "build.rs": 'extern "C" { fn nowhere(); }\nfn main() { unsafe { nowhere() } }\n'}),
    "linker-error",
    "cargo check",
    "The build script cannot be linked.",
)
check.add(crate({"src/lib.rs": ODD_TEXT}), "odd-text", "cargo check", "Messages of several lines, in misleading words.")
check.add(crate({"src/lib.rs": WIDE + WARNINGS}), "wide-source", "cargo check", "A line too wide for its picture.")
check.add(windows_lines, "carriage-returns", "cargo check", "The source has CRLF line ends.")
check.add(crate({"src/lib.rs": WARNINGS}, LINTED), "lints-table", "cargo check", "Levels set in the manifest.")
check.add(
    crate({"src/lib.rs": WARNINGS}, UNUSED_KEYS),
    "unused-manifest-keys",
    "cargo check",
    "Cargo's own warnings about the manifest.",
)
check.add(
    workspace({"alpha": WARNINGS, "beta": WARNINGS}, head=""),
    "no-resolver",
    "cargo check",
    "A workspace without a resolver.",
)
check.add(two_manifests, "ignored-profile", "cargo check", "A profile that is ignored.", passes="no_gain")
check.add(crate({"src/lib.rs": WARNINGS}, edition="2015"), "edition-2015", "cargo check", "An old edition.")
check.add(
    crate({"src/lib.rs": "#![feature(let_chains)]\n" + WARNINGS}),
    "unstable-feature",
    "cargo check",
    "A feature that the stable compiler refuses.",
)
check.add(
    crate({"src/lib.rs": "mod gone;\nmod also_gone;\n" + CLEAN}),
    "missing-module",
    "cargo check",
    "Files that are not there.",
)
check.add(
    crate({"src/lib.rs": ERRORS, "src/main.rs": "fn main() { demo::undefined() }\n"}),
    "error-hides-binary",
    "cargo check",
    "The library fails, so that the binary is not looked at.",
)

check.add(
    locked_by_another,
    "waits-for-lock",
    "cargo check",
    "Another cargo holds the build folder.",
    fresh=False,
)
check.add(
    warned,
    "cut-by-the-host",
    "cargo check",
    "The host kept only the first bytes.",
    limit=2000,
    passes="invalid_output",
)

# Manifests and arguments that end the run before a compiler is started. A lone
# error is recognised, but does not say that nothing could be compiled.
LONE_ERRORS = {"no-manifest", "broken-manifest", "unknown-package", "unknown-binary", "unknown-feature", "locked"}
for name, builder, command, about in (
    ("no-manifest", no_manifest, "cargo check", "No manifest."),
    ("broken-manifest", raw_manifest("[package\nname = 1\n", lib=CLEAN), "cargo check", "A manifest that is not TOML."),
    ("no-target", raw_manifest('[package]\nname = "demo"\nversion = "0.1.0"\n'), "cargo check", "Nothing to build."),
    (
        "bad-edition",
        raw_manifest('[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2077"\n', lib=CLEAN),
        "cargo check",
        "An edition that is not there yet.",
    ),
    (
        "missing-dependency",
        crate({"src/lib.rs": CLEAN}, '[dependencies]\nother = { path = "../other" }\n'),
        "cargo check",
        "A path that is not there.",
    ),
    ("unknown-package", warned, "cargo check -p nosuch", "A package that is not there."),
    ("unknown-binary", warned, "cargo check --bin nosuch", "A binary that is not there."),
    ("unknown-feature", warned, "cargo check --features nosuch", "A feature that is not there."),
    ("unknown-toolchain", warned, "cargo +nosuch check", "A toolchain that is not installed."),
    ("locked", warned, "cargo check --locked --manifest-path nosuch/Cargo.toml", "A manifest path that is not there."),
):
    check.add(builder, name, command, about, passes="unreconciled" if name in LONE_ERRORS else "invalid_output")

# Settings that change what is printed.
COLOUR = {"CARGO_TERM_COLOR": "always"}
check.add(warned, "colour-forced", "cargo check", "CARGO_TERM_COLOR.", environment=COLOUR, passes="invalid_output")
check.add(warned, "colour-forced-off", "cargo check --color=never", "The option wins.", environment=COLOUR)
check.add(
    with_settings('[term]\ncolor = "always"\n'),
    "colour-setting",
    "cargo check",
    "Colour by a configuration file.",
    passes="invalid_output",
)
check.add(
    with_settings('[term]\nprogress.when = "always"\nprogress.width = 80\n'),
    "progress-bars",
    "cargo check",
    "Progress bars redraw their line.",
    passes="invalid_output",
)
check.add(with_settings("[term]\nquiet = true\n"), "quiet-setting", "cargo check", "Quiet by a configuration file.")
check.add(
    with_settings("[build]\nodd-key = 1\n[unused]\nkey = 1\n"),
    "odd-setting",
    "cargo check",
    "A configuration with unknown keys.",
)
