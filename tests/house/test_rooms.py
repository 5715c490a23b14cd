"""The rooms of the house import each other only as `docs/architecture.md` says."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MAY_IMPORT = {
    "dsl": {"dsl"},
    "runtime": {"runtime"},
    "compiler": {"compiler", "dsl", "runtime"},
    "cli": {"adapters", "cli", "compiler", "dsl", "runtime"},
    "rules": {"rules"},
    "adapters": {"adapters", "runtime"},
    "adapters/language_server": {"adapters", "compiler", "dsl", "runtime"},
}
LIBRARIES = {
    "dsl": {"lark"},
    "runtime": {"tiktoken", "redis", "tree_sitter", "fsspec", "cryptography", "cablese_codec"},
    "compiler": {"jinja2", "pydantic", "orjson", "cryptography"},
    "cli": {"pydantic", "orjson", "distributed"},
    "rules": set(),
    "adapters": {"opentelemetry", "pygments"},
    "adapters/language_server": {"lsprotocol", "pygls"},
}
THIRD_PARTY = {
    "lark",
    "jinja2",
    "pydantic",
    "orjson",
    "tiktoken",
    "regex",
    "rich",
    "click",
    "requests",
    "lsprotocol",
    "opentelemetry",
    "pygls",
    "pygments",
    "redis",
    "tree_sitter",
    "distributed",
    "fsspec",
    "cryptography",
    "cablese_codec",
}


def modules(room: str) -> list[Path]:
    """Return the Python files of a room, without those of a room within it."""
    inner = [ROOT / other for other in MAY_IMPORT if other.startswith(f"{room}/")]
    return [path for path in sorted((ROOT / room).rglob("*.py")) if not any(map(path.is_relative_to, inner))]


def imported(path: Path) -> set[str]:
    """Return what a file imports: rooms of the house by name, other packages by their top name."""
    found = set()
    depth = len(path.relative_to(ROOT).parts) - 1
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level == 0:
                found.add((node.module or "").split(".")[0])
            elif node.level > depth:
                found.update((node.module or alias.name).split(".")[0] for alias in node.names)
    return found


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_rooms_import_only_what_they_may(room):
    """No file reaches into a room that its own room may not use."""
    for path in modules(room):
        reached = imported(path) & set(MAY_IMPORT)
        assert reached <= MAY_IMPORT[room], f"{path.relative_to(ROOT)} imports {reached - MAY_IMPORT[room]}"


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_rooms_use_only_their_libraries(room):
    """Heavy libraries stay in the rooms that need them."""
    for path in modules(room):
        used = imported(path) & THIRD_PARTY
        assert used <= LIBRARIES[room], f"{path.relative_to(ROOT)} imports {used - LIBRARIES[room]}"


def test_every_package_is_packed():
    """The list of packages in pyproject.toml is that of the folders which hold modules."""
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"])
    found = {"cablese"}
    for room in MAY_IMPORT:
        for path in (ROOT / room).rglob("__init__.py"):
            found.add(".".join(["cablese", *path.parent.relative_to(ROOT).parts]))
    assert listed == found


def test_files_keep_to_a_size():
    """No file of the house is longer than 500 lines, but for the syntax tree, which is one list of records."""
    long = {str(path.relative_to(ROOT)): count for room in MAY_IMPORT for path in modules(room)
            if (count := len(path.read_text("utf-8").splitlines())) > 500 and path.name != "ast.py"}  # fmt: skip
    assert not long
