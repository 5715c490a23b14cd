"""`git diff`: the forms of the command, accepted and refused, over one wide change."""

from __future__ import annotations

from . import git_trees as trees
from .catalogue import Catalogue, Entry, Facts
from .scratch import Captured, Workshop


def numbered(shop: Workshop, _entry: Entry, captured: Captured) -> Facts:
    """Return what `git apply --numstat` reads out of the same output; nothing where it cannot read it."""
    patch = captured.stdout if captured.merged is None else captured.merged
    shop.write("../tmp/recorded.patch", patch)
    facts = shop.capture("git apply --numstat -z recorded.patch", folder="../tmp")
    if facts.exit_code or not facts.stdout:
        return {}
    rows = [row.split("\t", 2) for row in facts.stdout.decode(errors="replace").split("\0")[:-1]]
    hunks = sum(line.startswith(b"@@ -") for line in patch.split(b"\n"))  # lines of content always have a mark before
    return {"files": [[plus, minus, name] for plus, minus, name in rows], "hunks": hunks}


diff = Catalogue("git_diff", numbered)


def changed(shop: Workshop, modules: tuple[str, ...]) -> None:
    """Four files a module with two or three hunks each, staged and not, after a first commit and a second."""
    trees.tracked(shop, depth=4)
    shop.write("docs/guide.md", "".join(f"Line {row} of the guide.\n" for row in range(1, 121)))
    shop.commit("Add a guide")
    shop.git("branch", "feature")
    shop.git("tag", "v1.0")
    for module in modules:
        trees.edit(shop, f"src/{module}/part_0.py", 2, 21, 38)
        trees.edit(shop, f"src/{module}/part_1.py", 5, 6, 7, 30)
    shop.commit("Edit two parts of each module")
    for module in modules:
        trees.edit(shop, f"src/{module}/part_0.py", 10, 11, 33, text="staged")
        trees.edit(shop, f"src/{module}/part_2.py", 1, 40, text="staged")
    shop.git("add", "--all")
    for module in modules:
        trees.edit(shop, f"src/{module}/part_1.py", 12, 22, text="unstaged")
        trees.edit(shop, f"src/{module}/part_3.py", 4, 20, 36, text="unstaged")
        shop.append(f"src/{module}/part_2.py", f"\ndef appended_to_{module}():\n    return {len(module)}\n")
    trees.edit(shop, "docs/guide.md", 3, 40, 41, 42, 100, text="unstaged")


def forms(shop: Workshop) -> None:
    """Change two modules: enough for a summary, small enough for many samples."""
    changed(shop, ("lexer", "view"))


def wide(shop: Workshop) -> None:
    """Change ten modules."""
    changed(shop, trees.MODULES)


diff.table(
    forms,
    [
        ("form-plain", "git diff", "The work tree against the index."),
        ("form-head", "git diff HEAD", "The work tree against the last commit."),
        ("form-cached", "git diff --cached", "The index against the last commit."),
        ("form-staged", "git diff --staged", "The same by its other name."),
        ("form-parent", "git diff HEAD~1", "A tilde inside a word is no expansion."),
        ("form-caret", "git diff HEAD^", "Nor is a caret."),
        ("form-range", "git diff feature..main", "Two ends joined by two dots."),
        ("form-merge-base", "git diff feature...main", "Two ends joined by three dots."),
        ("form-merge-base-option", "git diff --merge-base feature", "The same by an option."),
        ("form-two-commits", "git diff v1.0 HEAD", "A tag and a commit."),
        ("form-path", "git diff HEAD~1 -- src/lexer src/view", "Paths after the dashes."),
        ("form-path-option-name", "git diff -- --name-only src", "After the dashes nothing is an option."),
        ("form-path-no-pager", "git diff -- --no-pager -C src", "Nor is any of these."),
        ("form-bare-path", "git diff src/", "A path without dashes before it."),
        ("form-p", "git diff -p", "A patch is what one gets anyway."),
        ("form-u", "git diff -u HEAD", "The same by its other name."),
        ("form-unified", "git diff --unified=1", "One line of context: more hunks."),
        ("form-u0", "git diff -U0", "No context: counts of 0 and bare line numbers."),
        ("form-u20", "git diff -U20", "Much context: hunks run together."),
        ("form-function", "git diff -W", "Whole functions as context."),
        ("form-w", "git diff -w HEAD", "White space ignored."),
        ("form-ignore-blank", "git diff --ignore-blank-lines", "Blank lines ignored."),
        ("form-histogram", "git diff --histogram", "Another algorithm."),
        ("form-algorithm", "git diff --diff-algorithm=patience HEAD", "An algorithm by name."),
        ("form-full-index", "git diff --full-index", "Whole object names on the index lines."),
        ("form-abbrev", "git diff --abbrev=4 HEAD", "Object names of four digits."),
        ("form-exit-code", "git diff --exit-code", "Exit code 1 says that there are differences."),
        ("form-reverse", "git diff -R", "Turned around: the prefixes change places."),
        ("form-filter", "git diff --diff-filter=M HEAD", "Only modified files."),
        ("form-no-color", "git diff --no-color", "Colour switched off by option."),
        ("form-color-never", "git diff --color=never HEAD", "Colour never."),
        ("form-color-auto", "git diff --color=auto HEAD", "Colour for terminals only."),
        ("form-no-ext-diff", "git diff --no-ext-diff --no-textconv", "Foreign helpers switched off."),
        ("form-no-pager", "git --no-pager diff", "The global option for pagers."),
        ("form-folder", "git -C src diff", "In another folder; names stay those of the top."),
        ("form-folder-no-pager", "git -C ./src --no-pager diff -- lexer view", "Folder, then pager."),
        ("form-no-pager-folder", "git --no-pager -C ./src diff HEAD", "Pager, then folder."),
        ("form-merged", "git diff 2>&1", "Standard error joins standard output."),
    ],
)
diff.table(
    wide,
    [
        ("wide", "git diff HEAD", "Forty files: more than a list shows."),
        ("wide-unstaged", "git diff", "Thirty files, seventy hunks."),
    ],
)
diff.table(
    forms,
    [
        ("form-relative", "git diff --relative", "Names relative to the folder, other folders left out."),
        ("subfolder", "git diff HEAD", "In a subfolder: names stay those of the top."),
    ],
    folder="src",
)
diff.add(forms, "one-stream", "git diff HEAD", "The host captured both streams as one.", merged=True)
diff.add(
    forms,
    "cut-by-the-host",
    "git diff HEAD",
    "The host kept only the first bytes: the last hunk is incomplete.",
    limit=3500,
    passes="invalid_output",
)
diff.add(
    forms,
    "form-merged-backwards",
    "git diff 1>&2",
    "Standard output sent to standard error, where the git rules allow nothing.",
    passes="stderr_present",
)
diff.refuse(
    forms,
    [
        ("refused-name-only", "git diff --name-only HEAD"),
        ("refused-name-status", "git diff --name-status HEAD"),
        ("refused-stat", "git diff --stat HEAD"),
        ("refused-stat-patch", "git diff --stat -p"),
        ("refused-numstat", "git diff --numstat HEAD"),
        ("refused-shortstat", "git diff --shortstat"),
        ("refused-dirstat", "git diff --dirstat"),
        ("refused-summary", "git diff --summary"),
        ("refused-compact-summary", "git diff --compact-summary"),
        ("refused-raw", "git diff --raw"),
        ("refused-patch-with-stat", "git diff --patch-with-stat"),
        ("refused-z", "git diff -z"),
        ("refused-check", "git diff --check"),
        ("refused-no-patch", "git diff -s"),
        ("refused-quiet", "git diff --quiet"),
        ("refused-word-diff", "git diff --word-diff"),
        ("refused-color", "git diff --color=always"),
        ("refused-color-moved", "git diff --color-moved"),
        ("refused-indicator", "git diff --output-indicator-new=x"),
        ("refused-no-prefix", "git diff --no-prefix"),
        ("refused-src-prefix", "git diff --src-prefix=old/"),
        ("refused-line-prefix", "git diff --line-prefix=x"),
        ("refused-output", "git diff --output=../out.patch"),
        ("refused-ext-diff", "git diff --ext-diff"),
        ("refused-binary", "git diff --binary"),
        ("refused-combined", "git diff --cc"),
        ("refused-copies", "git diff -C HEAD~1"),
        ("refused-late-pager", "git diff --no-pager"),
        ("refused-abbreviated", "git diff --name-o"),
        ("refused-attached-folder", "git -C./src diff"),
        ("refused-two-folders", "git -C . -C src diff"),
        ("refused-pager-twice", "git --no-pager --no-pager diff"),
        ("refused-setting", "git -c diff.context=1 diff"),
        ("refused-git-dir", "git --git-dir=.git diff"),
        ("refused-capital-p", "git -P diff"),
        ("refused-pipe", "git diff | cat"),
        ("refused-head", "git diff HEAD | head -100"),
        ("refused-file", "git diff>../out.patch"),
        ("refused-quoted-path", 'git diff -- "src/lexer"'),
        ("refused-escaped-path", "git diff -- src/lexer\\ "),
        ("refused-star", "git diff -- src/*"),
        ("refused-braces", "git diff -- src/{lexer,view}"),
        ("refused-variable", "git diff $REVISION"),
        ("refused-reflog", "git diff HEAD@{1}"),
        ("refused-question", "git diff -- src/vie?"),
        ("refused-home", "git diff -- ~/demo/src"),
        ("refused-bang", "git diff -- :!docs"),
        ("refused-then", "git diff && git status -s"),
        ("refused-sudo", "env git diff"),
        ("refused-show", "git show HEAD"),
        ("refused-tree", "git diff-tree -p HEAD"),
    ],
)
