"""`git diff`: what a patch can contain, the settings that change its look, and patches in unusual states."""

from __future__ import annotations

from . import git_trees as trees
from .catalogue import Builder
from .git_diff import diff
from .git_status import GERMAN
from .scratch import Workshop


def small(shop: Workshop) -> None:
    """Change one line."""
    trees.tracked(shop, depth=1)
    trees.edit(shop, "src/view/part_0.py", 2)


def padded(shop: Workshop, files: dict[str, tuple[str | bytes, str | bytes]]) -> None:
    """Each file before and after, committed and not, and beside them a change long enough to be worth a summary."""
    shop.init()
    shop.write("padding.py", trees.source("padding", 120))
    for name, (before, _) in files.items():
        shop.write(name, before)
    shop.commit("Before")
    for name, (_, after) in files.items():
        shop.write(name, after)
    trees.edit(shop, "padding.py", *range(1, 121, 12))


def pairs(**files: tuple[str | bytes, str | bytes]) -> Builder:
    """Return a builder of `padded` files; a double underscore in a name stands for the dot."""

    def build(shop: Workshop) -> None:
        padded(shop, {name.replace("__", "."): pair for name, pair in files.items()})

    return build


LINES = [f"line {row} of a text\n" for row in range(1, 41)]
TEXT = "".join(LINES)
SQL = "".join(f"-- note {row}\nSELECT {row};\n++ counter {row}\n" for row in range(1, 21))
PATCH_IN_PATCH = (
    "diff --git a/inner.txt b/inner.txt\nindex 83db48f..bf269f4 100644\n--- a/inner.txt\n+++ b/inner.txt\n"
    "@@ -1,2 +1,2 @@\n-old\n+new\n same\n\\ No newline at end of file\n"
)

sql = pairs(query__sql=(SQL, SQL.replace("-- note 3\n", "").replace("++ counter 9\n", "++ counter 9\n++ again\n")))
no_newline = pairs(
    lost__txt=(TEXT, TEXT.removesuffix("\n")),
    gained__txt=(TEXT.removesuffix("\n"), TEXT),
    neither__txt=(TEXT.removesuffix("\n"), TEXT.replace("line 40", "LINE 40").removesuffix("\n")),
    new__txt=("", "only line"),
)
carriage = pairs(
    dos__txt=(TEXT.replace("\n", "\r\n"), TEXT.replace("line 7 ", "LINE 7 ").replace("\n", "\r\n")),
    changed__txt=(TEXT, TEXT.replace("\n", "\r\n")),
    bar__txt=(TEXT, TEXT.replace("line 9 ", "10%\r20%\r30% ")),
)
imitations = pairs(
    inner__patch=(PATCH_IN_PATCH, PATCH_IN_PATCH * 3),
    marks__txt=("@@ -1 +1 @@\n--- a/x\n+++ b/x\n", "diff --git a/x b/x\n@@ -1,9 +1,9 @@ def\n--- a/y\n+++ b/y\n"),
)
separators = pairs(
    controls__txt=(
        TEXT,
        TEXT.replace("line 5 ", "form\ffeed\vand\x1dgroup\x85next ").replace("line 20 ", "a\u2028b\u2029c "),
    ),
)
escapes = pairs(colours__txt=(TEXT, TEXT.replace("line 5 ", "\x1b[31mred\x1b[0m ")))
latin = pairs(latin__txt=(TEXT, TEXT.replace("line 5 ", "caf\u00e9 ").encode("latin-1")))
binary = pairs(
    picture__png=(bytes(range(256)) * 4, bytes(range(255, -1, -1)) * 4),
    added__bin=("", b"\x00\x01\x02" * 100),
    emptied__bin=(b"\x00\x01\x02" * 100, b""),
)
long_lines = pairs(bundle__js=("var a=1;" * 400 + "\n" + TEXT, "var a=2;" * 400 + "\n" + TEXT))
blank_context = pairs(sparse__txt=("a\n\n\nb\n\n\nc\n" * 6, "a\n\n\nB\n\n\nc\n" * 6))


def created_and_deleted(shop: Workshop) -> None:
    """Make new, deleted, emptied and empty files, staged."""
    trees.tracked(shop, depth=2)
    shop.write("empty.txt", "")
    shop.commit("An empty file")
    for module in trees.MODULES[:5]:
        shop.write(f"src/{module}/new.py", trees.source("new", 15))
        shop.git("rm", "--quiet", f"src/{module}/part_0.py")
        shop.write(f"src/{module}/part_1.py", "")
        shop.write(f"src/{module}/__init__.py", "")
    shop.git("rm", "--quiet", "empty.txt")
    shop.git("add", "--all")


def renamed(shop: Workshop) -> None:
    """Make renames with and without changes, and copies that show only where git is told to look for them."""
    trees.tracked(shop, depth=3)
    for module in trees.MODULES[:4]:
        shop.git("mv", f"src/{module}/part_0.py", f"src/{module}/exactly moved.py")
        shop.git("mv", f"src/{module}/part_1.py", f"src/{module}/nearly.py")
        trees.edit(shop, f"src/{module}/nearly.py", 3, 30)
        shop.write(f"src/{module}/copied.py", trees.source(f"{module}_2"))
        trees.edit(shop, f"src/{module}/part_2.py", 20)
    shop.git("add", "--all")


def copied(shop: Workshop) -> None:
    """Make the renames and have copies found as well."""
    renamed(shop)
    shop.git("config", "diff.renames", "copies")


def modes(shop: Workshop) -> None:
    """Modes alone, modes with changes, and files that become symbolic links."""
    trees.tracked(shop, depth=3)
    for module in trees.MODULES[:5]:
        (shop.path / f"src/{module}/part_0.py").chmod(0o755)
        trees.edit(shop, f"src/{module}/part_1.py", 3, 30)
        (shop.path / f"src/{module}/part_1.py").chmod(0o755)
    for module in trees.MODULES[:3]:
        (shop.path / f"src/{module}/part_2.py").unlink()
        (shop.path / f"src/{module}/part_2.py").symlink_to("part_1.py")


def only_modes(shop: Workshop) -> None:
    """Make seventy files executable."""
    trees.tracked(shop)
    for module in trees.MODULES:
        for row in range(7):
            (shop.path / f"src/{module}/part_{row}.py").chmod(0o755)


def intent(shop: Workshop) -> None:
    """Promise ten files to the index."""
    trees.tracked(shop, depth=1)
    for module in trees.MODULES:
        shop.write(f"src/{module}/planned.py", trees.source("planned", 10))
    shop.git("add", "--intent-to-add", ".")


def unborn(shop: Workshop) -> None:
    """Stage files, or nothing, before the first commit."""
    shop.init()
    for row in range(12):
        shop.write(f"src/first_{row}.py", trees.source("first", 10))
    shop.git("add", "--all")


def line_ends(shop: Workshop) -> None:
    """`core.autocrlf` warns about line ends on standard error."""
    trees.tracked(shop, depth=2)
    shop.git("config", "core.autocrlf", "true")
    for module in trees.MODULES:
        trees.edit(shop, f"src/{module}/part_0.py", 3, 30)


def external(shop: Workshop) -> None:
    """Let a program of our own show differences."""
    trees.tracked(shop, depth=1)
    shop.write("show.sh", '#!/bin/sh\necho "compared $1"\n', mode=0o755)
    shop.git("config", "diff.external", "./show.sh")
    for module in trees.MODULES:
        trees.edit(shop, f"src/{module}/part_0.py", 3, 30)


def text_converted(shop: Workshop) -> None:
    """Set a text conversion: the patch shows what a helper made of the files, and cannot be applied."""
    shop.init()
    shop.write(".gitattributes", "*.upper diff=upper\n")
    shop.write("words.upper", TEXT * 3)
    shop.commit("Words")
    shop.git("config", "diff.upper.textconv", "tr a-z A-Z <")
    shop.write("words.upper", TEXT.replace("line 7 ", "seven ") * 3)


def with_settings(base: Builder, *settings: str) -> Builder:
    """Return a builder of `base` with settings, as `key=value`."""

    def build(shop: Workshop) -> None:
        base(shop)
        for setting in settings:
            key, _, value = setting.partition("=")
            shop.git("config", key, value)

    return build


def changes(shop: Workshop) -> None:
    """Change ten files and promise one in a folder whose name looks like a prefix."""
    trees.tracked(shop, depth=2)
    for module in trees.MODULES:
        trees.edit(shop, f"src/{module}/part_0.py", 3, 30)
    shop.write("folder b/name b.txt", TEXT)
    shop.git("add", "--intent-to-add", "folder b")


def two_names(shop: Workshop) -> None:
    """Rewrite one file."""
    trees.tracked(shop, depth=1)
    shop.write("src/view/part_0.py", trees.source("another", 40))


diff.add(small, "small", "git diff", "One changed line in its context: just worth a summary.")
diff.add(small, "tiny", "git diff -U0", "One changed line without context: shorter than any header.", passes="no_gain")
diff.add(small, "empty", "git diff --cached", "No difference: the answer is empty.", passes="invalid_output")
diff.add(sql, "dashes-and-pluses", "git diff", 'Removed lines that begin "-- " and added ones that begin "++ ".')
diff.add(no_newline, "no-newline", "git diff", "Files without a newline at the end, before, after and both.")
diff.add(carriage, "carriage-returns", "git diff", "CRLF files, a change of line ends, bare carriage returns.")
diff.add(imitations, "imitations", "git diff", "Content that looks like a patch.")
diff.add(separators, "separators", "git diff", "Form feeds, U+0085 and U+2028 inside lines: LF alone ends a line.")
diff.add(escapes, "escapes", "git diff", "Escape sequences in the content.", passes="invalid_output")
diff.add(latin, "latin-1", "git diff", "Content that is not UTF-8: as text a replacement character, as bytes invalid.")
diff.add(binary, "binary", "git diff", "Binary files changed, filled and emptied.")
diff.add(long_lines, "long-lines", "git diff", "A line of several thousand characters.")
diff.add(blank_context, "blank-context", "git diff", "Blank lines of context: one space each.")
diff.add(
    with_settings(blank_context, "diff.suppressBlankEmpty=true"),
    "blank-context-suppressed",
    "git diff",
    "diff.suppressBlankEmpty leaves blank lines of context without their space.",
)
diff.add(created_and_deleted, "created-and-deleted", "git diff --cached", "New, deleted, emptied and empty files.")
diff.add(renamed, "renamed", "git diff --cached", "Renames, exact and with changes; names with blanks.")
diff.add(renamed, "renames-off", "git diff --cached --no-renames", "The same without looking for renames.")
diff.add(renamed, "renames-strict", "git diff --cached -M95%", "Only near-identical renames.")
diff.add(copied, "copied", "git diff --cached", "diff.renames=copies finds copies.")
diff.add(modes, "modes", "git diff", "Modes alone, modes with changes, files that become links.")
diff.add(only_modes, "only-modes", "git diff", "Nothing but modes: no hunk at all.")
diff.add(intent, "intent-to-add", "git diff", "Files that are promised to the index.")
diff.add(unborn, "unborn", "git diff --cached", "Before the first commit.")
diff.add(trees.odd_names, "odd-names", "git diff HEAD", "Blanks, quotes, tabs, newlines and other scripts in names.")
diff.add(
    with_settings(trees.odd_names, "core.quotePath=false"),
    "odd-names-unquoted",
    "git diff HEAD",
    "core.quotePath=false leaves other scripts as they are.",
)
diff.add(two_names, "two-blobs", "git diff HEAD:src/view/part_0.py src/view/part_0.py", "A blob and a file.")
diff.add(changes, "names-with-b", "git diff", 'A folder called "folder b" makes the head line ambiguous.')
diff.table(
    trees.hashed_with_sha256,
    [
        ("sha256", "git diff HEAD", "A SHA-256 repository, abbreviated."),
        ("sha256-full", "git diff --full-index HEAD", "A SHA-256 repository, 64 digits."),
    ],
)
diff.add(trees.crowded, "everything", "git diff HEAD", "Every ordinary kind of change at once.")
diff.add(trees.crowded, "german", "git diff HEAD", "German: a patch is never translated.", environment=GERMAN)
diff.add(
    with_settings(changes, "diff.algorithm=patience", "diff.context=1", "diff.interHunkContext=4"),
    "settings-harmless",
    "git diff",
    "Settings that change hunks but not their shape.",
)

# Conflicts and submodules.
diff.add(trees.merging, "conflict", "git diff", "Combined diffs of unmerged files.", passes="invalid_output")
diff.add(trees.merging, "conflict-cached", "git diff --cached", "Unmerged paths in the index.", passes="invalid_output")
diff.add(trees.merging, "conflict-head", "git diff HEAD", "Against HEAD the conflict markers are content.")
diff.add(trees.rebasing, "rebase-conflict", "git diff", "Combined diffs amid a rebase.", passes="invalid_output")
diff.add(trees.submodules, "submodules", "git diff", "Submodules as short texts of their commits.")
diff.add(
    with_settings(trees.submodules, "diff.submodule=log"),
    "submodules-log",
    "git diff",
    "diff.submodule=log lists commits instead.",
    passes="invalid_output",
)

# Settings that change the shape.
diff.add(
    with_settings(changes, "color.ui=always"),
    "colour-forced",
    "git diff",
    "color.ui=always colours even a pipe.",
    passes="invalid_output",
)
diff.add(
    with_settings(changes, "color.diff=always"),
    "colour-forced-off",
    "git diff --no-color",
    "The option wins over the setting.",
)
diff.add(
    with_settings(changes, "diff.mnemonicPrefix=true"),
    "mnemonic-prefix",
    "git diff",
    "diff.mnemonicPrefix: index and work tree.",
)
diff.table(
    with_settings(trees.crowded, "diff.mnemonicPrefix=true"),
    [
        ("mnemonic-prefix-cached", "git diff --cached", "diff.mnemonicPrefix: commit and index."),
        ("mnemonic-prefix-head", "git diff HEAD", "diff.mnemonicPrefix: commit and work tree."),
        ("mnemonic-prefix-reverse", "git diff -R HEAD", "diff.mnemonicPrefix, turned around."),
    ],
)
diff.add(
    with_settings(changes, "diff.noprefix=true"),
    "no-prefix",
    "git diff",
    "diff.noprefix: names without any prefix.",
    passes="invalid_output",
)
diff.add(external, "external", "git diff", "diff.external prints what it likes.", passes="invalid_output")
diff.add(text_converted, "text-converted", "git diff", "A text conversion stands in for the content.")
diff.add(line_ends, "line-end-warnings", "git diff", "Warnings on standard error.", passes="stderr_present")
diff.add(line_ends, "line-end-warnings-merged", "git diff 2>&1", "Warnings before the patch.", passes="invalid_output")
diff.add(
    changes, "unknown-revision", "git diff no-such-branch", "A revision that is not there.", passes="stderr_present"
)
