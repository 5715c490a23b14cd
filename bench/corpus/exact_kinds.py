"""`python -m cablese.bench.corpus.exact_kinds`: records searches, lists of paths and numbered reads of real tools.

Input: a project of some 2,000 files that is made here, the same each time; GNU grep, findutils, coreutils and sed, git,
and ripgrep (in the extra `dev`). Output: `recorded/*.txt` beside this file, the bytes that each command printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .words import AREAS, NOUNS, VERBS, pick

FOLDER = Path(__file__).parent / "recorded"
PACKAGES = ("api", "billing", "mobile", "scheduler", "shared", "storefront", "warehouse")
KINDS = (".ts", ".test.ts", ".types.ts", "Controller.ts", "Repository.ts", "View.tsx", "View.test.tsx")
MATCHED_FILES = 60
MATCHES = 500

COMMANDS = {
    # the figures
    "rg-n": "rg -n --no-heading --sort path 'logger\\.' packages",
    "find": "find . -type f -not -path './.git/*'",
    "cat-n": "cat -n packages/api/notes/walk.py | head -n 400",
    # other forms of the same
    "rg-n-context": "rg -n -C2 --no-heading --sort path 'logger\\.warn' packages/api packages/billing | head -n 120",
    "rg-n-column": "rg -n --column --no-heading --sort path 'logger\\.warn' packages | head -n 60",
    "rg-vimgrep": "rg --vimgrep --sort path 'Id, ' packages/api | head -n 60",
    "rg-column-context": "rg -n --column -B1 --no-heading --sort path 'logger\\.warn' packages | head -n 60",
    "rg-heading": "rg -n --heading --sort path 'logger\\.warn' packages/mobile",
    "rg-heading-context": "rg -n --heading -C1 --sort path 'logger\\.warn' packages/mobile",
    "rg-bare": "rg -N --no-heading --sort path 'logger\\.warn' packages/api packages/mobile",
    "rg-files": "rg --files --sort path packages/api",
    "rg-l": "rg -l --sort path 'logger\\.' packages",
    "grep-rn": "grep -rn 'logger.error' packages | LC_ALL=C sort | head -n 80",
    "grep-rn-dot": "grep -rn 'logger.error' . --include='*.ts' | LC_ALL=C sort -t: -k1,1 -k2,2n | head -n 80",
    "grep-after": "grep -rn -A2 'logger.error' packages/shared packages/mobile",
    "grep-no-separator": "grep -rn -B1 --no-group-separator 'logger.error' packages/shared packages/mobile",
    "grep-binary": "grep -rn 'a' odd 2>&1",
    "grep-odd-names": "grep -rn '=' odd | LC_ALL=C sort",
    "git-grep": "git grep -n 'logger.debug' -- packages/api packages/billing",
    "git-grep-revision": "git grep -n 'logger.debug' HEAD -- packages/api",
    "git-grep-context": "git grep -n -C1 'logger.debug' -- packages/api",
    "find-all": "find packages/api",
    "find-folders": "find . -type d -not -path './.git*'",
    "find-absolute": "find $PWD/packages/mobile -name '*.tsx' | LC_ALL=C sort",
    "git-ls-files": "git ls-files packages/api packages/mobile",
    "git-ls-files-quoted": "git ls-files odd packages/shared",
    "ls": "ls packages/api/src/lexer",
    "ls-R": "ls -R packages/mobile",
    "ls-R-two": "ls -R packages/mobile/src packages/shared/src",
    "ls-l": "ls -l packages/api/src/lexer",
    "ls-la": "ls -la",
    "ls-lh": "ls -lh --time-style=long-iso packages/api/src/store",
    "ls-lR": "ls -lR packages/shared",
    "ls-l-cut": "ls -l packages/api/notes packages/api/src/gate | head -n 24",
    "cat-n-window": "cat -n packages/api/notes/walk.py | sed -n '96,190p'",
    "cat-n-crlf": "cat -n odd/crlf.txt",
    "nl": "nl packages/api/src/store/handle.ts",
    "nl-ba": "nl -ba -w3 -s': ' packages/api/src/store/handle.ts",
    "sed-equals": "sed = packages/api/src/store/handle.ts",
    "awk-pipe": "awk '{print NR \"|\" $0}' packages/api/src/store/handle.ts",
    "grep-every-line": "grep -n '' packages/api/src/store/handle.ts",
}


def make_project(root: Path) -> None:
    """Write the project: packages of areas of sources, and names that are hard to read."""
    names = [
        (package, area, noun, kind)
        for at, package in enumerate(PACKAGES)
        for area in AREAS[at % 3 :]
        for noun in NOUNS[: 4 + at % 3]
        for kind in KINDS
    ][:1968]
    wanted = {at * len(names) // MATCHED_FILES for at in range(MATCHED_FILES)}
    ordinal = 0
    for at, (package, area, noun, kind) in enumerate(names):
        calls = 0
        if at in wanted:
            calls = MATCHES * (ordinal + 1) // MATCHED_FILES - MATCHES * ordinal // MATCHED_FILES
            calls += (3, -3)[ordinal % 2]
            ordinal += 1
        stem = noun if kind[0] == "." else noun.capitalize()
        _write(root / "packages" / package / "src" / area / f"{stem}{kind}", _source(at, area, noun, calls))
    walk = Path(__file__).parents[2] / "runtime" / "decision" / "walk.py"
    _write(root / "packages" / "api" / "notes" / "walk.py", walk.read_text("utf-8"))
    for name in ("tsconfig.json", "package.json", "README.md"):
        for package in PACKAGES:
            _write(root / "packages" / package / name, "{}\n")
    _write(root / "Makefile", "all:\n\techo done\n")
    for name in ("two words.txt", "2024-01-15.log", "a:12:b.txt", "a-12-b.txt", "café.txt", 'quote".txt', "plain"):
        _write(root / "odd" / name, "".join(f"key_{at} = {at:02}:{at}:x\n" for at in range(4)))
    (root / "odd" / "blob.bin").write_bytes(b"\x00\x01a = 1\n" * 4)
    _write(root / "odd" / "crlf.txt", "".join(f"line {at} = here\r\n" for at in range(30)))


def main() -> int:
    """Make the project, and record what is asked for, or everything."""
    scratch = tempfile.TemporaryDirectory(prefix="project-")
    root = Path(scratch.name) / "shop"
    make_project(root)
    path = os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ["PATH"]])
    environment = {
        "PATH": path,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "HOME": scratch.name,
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, env=environment, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, env=environment, check=True)
    who = ("-c", "user.name=Ada Example", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *who, "commit", "-q", "-m", "Begin"], cwd=root, env=environment, check=True)
    FOLDER.mkdir(exist_ok=True)
    for name, command in COMMANDS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        said = subprocess.run(["bash", "-c", command], cwd=root, env=environment, capture_output=True, check=False)
        text = said.stdout.replace(scratch.name.encode(), b"/home/dev")
        if not text:
            raise RuntimeError(f"{name} printed nothing: {said.stderr.decode(errors='replace')}")
        (FOLDER / f"{name}.txt").write_bytes(text)
    scratch.cleanup()
    return 0


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def _source(seed: int, area: str, noun: str, calls: int) -> str:
    """Return a small module, `calls` of whose lines write to a log."""
    lines = [f'import {{ logger as log }} from "../{area}/log";', ""]
    for row in range(max(calls, 2)):
        verb, other = pick(VERBS, seed + row), pick(NOUNS, seed + row, 3)
        level = pick(("debug", "info", "warn", "error"), seed + row, 5)
        name = f"{verb}{other.capitalize()}"
        lines += [
            f"export function {name}({noun}Id: string, {other}: number): boolean {{",
            f"  if ({other} > {(seed * 7 + row * 13) % 90}) {{",
        ]
        if row < calls:
            lines.append(f'    logger.{level}("{area} {verb} {other}", {{ {noun}Id, {other} }});')
        lines += ["    return false;", "  }", f"  return {noun}Id.length > {row + 1};", "}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
