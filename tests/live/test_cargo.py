"""What the cargo rules say equals what cargo's own JSON messages say of the same crate."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..curated import Said, evaluate

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(shutil.which("cargo") is None, reason="no cargo on this machine"),
]

ITEMS = (
    "pub fn fine{n}() {{}}",
    "pub fn unused_variable{n}() {{ let x = {n}; }}",
    "fn never_called{n}() {{}}",
    "use std::collections::HashMap as Map{n};",
    "pub fn unknown{n}() -> u8 {{ missing{n} }}",
    'pub fn mismatched{n}() -> u8 {{ "text" }}',
    "pub fn moved{n}(v: Vec<u8>) {{ drop(v); drop(v); }}",
    'compile_error!("first line {n}\\nsecond line");',
    "#[deny(unused_variables)] pub fn denied{n}() {{ let y = {n}; }}",
    "pub fn deprecated{n}() {{ old{n}() }} #[deprecated] fn old{n}() {{}}",
)
crates = st.lists(st.sampled_from(ITEMS), min_size=1, max_size=7)


def cargo(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run cargo in a folder, without colour and network."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("CARGO_TERM")}
    return subprocess.run(
        ["cargo", *words, "--offline"], cwd=folder, env=plain, capture_output=True, text=True, check=False
    )


def diagnostics(folder: Path, *words: str) -> list[dict]:
    """Return the compiler's messages of a run, equal rendered ones once, without its closing words."""
    found = {}
    for row in cargo(folder, *words, "--message-format=json").stdout.splitlines():
        record = json.loads(row)
        message = record.get("message") or {}
        if record["reason"] == "compiler-message" and not message["message"].startswith(
            ("aborting due to", "Some errors have", "For more information")
        ):
            found.setdefault(message["rendered"], message)
    return [message for message in found.values() if message["level"] in ("error", "warning") and message["spans"]]


@settings(max_examples=8)
@given(library=crates, program=crates, everything=st.booleans())
def test_diagnostics_equal_the_json_messages(library, program, everything):
    """Codes, errors and warnings are those of `--message-format=json`, each distinct message once."""
    with tempfile.TemporaryDirectory(prefix="cablese-live-") as name:
        folder = Path(name)
        (folder / "src").mkdir()
        (folder / "Cargo.toml").write_text('[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n')
        (folder / "src/lib.rs").write_text("\n".join(item.format(n=n) for n, item in enumerate(library)))
        main = "\n".join(item.format(n=n) for n, item in enumerate(program))
        (folder / "src/main.rs").write_text(main + "\nfn main() {}\n")
        words = ["check", "--all-targets"] if everything else ["check"]
        ran = cargo(folder, *words)
        command = f"cargo {' '.join(words)} --offline"
        said = evaluate("bash.cargo_check", command, ran.stdout, ran.stderr, ran.returncode)
        if not isinstance(said, Said):
            return
        truth = diagnostics(folder, *words)
        errors = [message for message in truth if message["level"] == "error"]
        codes = {message["code"]["code"] for message in errors if message["code"] and message["code"]["code"][0] == "E"}
        assert said.number("warnings") == len(truth) - len(errors)
        assert said.number("errors") == len(errors) + ran.stderr.count("\nerror: could not compile")
        shown = said.field("compiler_error_codes")
        assert set(shown.split(", ") if shown else []) == codes
