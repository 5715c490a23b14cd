"""Git outputs of any size, in the shapes git 2.39 prints.

INVARIANT: the counts of every hunk head are those of its body.
"""

from __future__ import annotations

from .words import AREAS, NOUNS, VERBS, hexadecimal, pick, subject


def oneline(commits: int) -> str:
    """Return `git log --oneline` of that many commits."""
    return "".join(f"{hexadecimal(row, 9)} {subject(row)}\n" for row in range(commits))


def short_status(files: int) -> str:
    """Return `git status --short --branch` of that many files."""
    codes = (" M", "M ", "MM", "A ", "D ", "??", " D", " M")
    rows = [f"{pick(codes, row, 1)} src/{pick(AREAS, row)}/{pick(NOUNS, row, 2)}_{row:05}.rs\n" for row in range(files)]
    rows.sort(key=lambda line: (line.startswith("??"), line[3:]))  # by name, untracked files last
    return "".join(["## main...origin/main [ahead 3, behind 1]\n", *rows])


def diff(files: int, hunks: int) -> str:
    """Return `git diff` of that many files with that many hunks each, every hunk of 20 lines with its head."""
    return "".join(patch(file, hunks) for file in range(files))


def patch(file: int, hunks: int) -> str:
    """Return the patch of one file."""
    name = f"src/{pick(AREAS, file)}/{pick(NOUNS, file, 1)}_{file:04}.rs"
    head = f"diff --git a/{name} b/{name}\nindex {hexadecimal(file, 7)}..{hexadecimal(file + 1, 7)} 100644\n"
    lines = [head, f"--- a/{name}\n", f"+++ b/{name}\n"]
    shift = 0
    for row in range(hunks):
        number = file * hunks + row
        removed, added = 3 + number % 4, 10 - number % 4  # with six lines of context: 19 in every hunk
        start = 1 + row * 40
        function = f"pub fn {pick(VERBS, number)}_{pick(NOUNS, number, 2)}()"
        lines.append(f"@@ -{start},{removed + 6} +{start + shift},{added + 6} @@ {function}\n")
        body = [f" {statement(number, line)}" for line in range(3)]
        body += [f"-{statement(number, line)}" for line in range(3, 3 + removed)]
        body += [f"+{statement(number + 7, line)}" for line in range(3, 3 + added)]
        body += [f" {statement(number, line)}" for line in range(20, 23)]
        lines.extend(body)
        shift += added - removed
    return "".join(lines)


def statement(row: int, line: int) -> str:
    """Return a line of source."""
    seed = row * 31 + line
    call = f"{pick(AREAS, seed, 1)}.{pick(VERBS, seed, 2)}({seed % 997}, &{pick(NOUNS, seed, 3)}s)"
    return f"    let {pick(NOUNS, seed)}_{line} = {call};\n"
