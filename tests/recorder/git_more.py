"""`git diff --stat`, `git show`, `git log` in its long form: changes, commits and histories."""

from __future__ import annotations

import shlex

from . import git_trees as trees
from .catalogue import Catalogue, Entry, Facts, no_truth
from .git_diff import forms, wide
from .git_diff import numbered as numbered_patch
from .git_log import counted, detached, history, shallow, unborn
from .git_status import GERMAN
from .scratch import Captured, Workshop


def numbered(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Return files, insertions and deletions of the same change, from `--numstat -z`; names with it."""
    words = [word for word in shlex.split(entry.command) if not word.startswith("--stat") and word != "2>&1"]
    if words[0] != "git" or "diff" not in words:
        return {}
    at = words.index("diff") + 1
    # `--no-renames` would count other files; `-z` gives renamed files three fields.
    said = shop.git(*words[1:at], "--numstat", "-z", *words[at:], where=entry.folder, fails=True)
    fields, rows = said.split("\0")[:-1], []
    while fields:
        plus, minus, name = fields.pop(0).split("\t", 2)
        if not name:
            fields.pop(0)
            name = fields.pop(0)
        rows.append((plus, minus, name))
    return {
        "files": sorted({name for _, _, name in rows}),
        "insertions": sum(int(plus) for plus, _, _ in rows if plus != "-"),
        "deletions": sum(int(minus) for _, minus, _ in rows if minus != "-"),
    }


stat = Catalogue("git_diff_stat", numbered)
show = Catalogue("git_show")
long = Catalogue("git_log_long", counted)


def crowded(shop: Workshop) -> None:
    """Sixty files in every ordinary state, a tag, and a binary file."""
    trees.crowded(shop)
    shop.write("logo.png", bytes(range(256)))
    shop.git("add", "logo.png")
    shop.git("tag", "before")


def rewritten(shop: Workshop) -> None:
    """One commit that touches a hundred files in deep folders."""
    trees.tracked(shop, depth=10)
    for module in trees.MODULES:
        for row in range(10):
            trees.edit(shop, f"src/{module}/part_{row}.py", *range(1, row + 2))
    shop.write("a/very/deep/folder/structure/that/does/not/fit/into/the/width/of/a/terminal/at/all/file.txt", "one\n")
    shop.commit("Rewrite every part\n\nThe parts were\n\n  - too long,\n  - too old.\n\nReviewed-by: Ben Example")


def odd_names(shop: Workshop) -> None:
    """Names that git quotes, and names with blanks, bars and arrows."""
    trees.odd_names(shop)
    shop.write("a | 3 ++.txt", "one\n")
    shop.write("| bar.txt", "one\n")
    shop.git("add", "--all")


stat.table(
    wide,
    [
        ("form-plain", "git diff --stat", "The work tree against the index."),
        ("form-head", "git diff --stat HEAD", "The work tree against the last commit."),
        ("form-last", "git diff HEAD --stat", "The needed option stands last."),
        ("form-merged", "git diff --stat HEAD 2>&1", "Standard error joins standard output."),
        ("form-no-pager", "git --no-pager diff --stat HEAD", "The global option for pagers."),
        ("form-folder", "git -C src diff --stat HEAD", "In another folder."),
        ("form-width", "git diff --stat=60 HEAD", "Narrow: the graph shrinks."),
        ("form-range", "git diff --stat HEAD~2 HEAD", "Between two commits."),
        ("form-path", "git diff --stat HEAD -- src/lexer src/view src/codec src/gate docs", "Some folders."),
        ("form-no-color", "git diff --stat --no-color HEAD", "Colour switched off."),
    ],
)
stat.add(wide, "form-cached", "git diff --stat --cached", "The index against the last commit.")
stat.add(forms, "few", "git diff --stat HEAD", "Nine files: shorter than a summary.", passes="no_gain")
stat.add(wide, "one-stream", "git diff --stat HEAD", "Both streams captured as one.", merged=True)
stat.add(wide, "german", "git diff --stat HEAD", "German: nothing here is translated.", environment=GERMAN)
stat.add(crowded, "crowded", "git diff --stat before", "New, deleted, binary; renames as two files.")
stat.add(crowded, "renames", "git diff --stat -M HEAD", "Renamed files, with braces.")
stat.add(
    rewritten, "hundred", "git diff --stat HEAD~1 HEAD", "A hundred files, one of them too deep to be named whole."
)
stat.add(rewritten, "hundred-wide", "git diff --stat=200 HEAD~1 HEAD", "The same in 200 columns.")
stat.add(odd_names, "odd-names", "git diff --stat HEAD", "Quoted names, blanks, bars and arrows.")
stat.add(odd_names, "odd-names-no-renames", "git diff --stat --no-renames HEAD", "The same, without renames.")
stat.add(
    trees.merging,
    "conflicts",
    "git diff --stat",
    "Files in conflict: git ends no line behind them.",
    passes="invalid_output",
)
stat.add(trees.submodules, "submodules", "git diff --stat HEAD", "Submodules among files.")
stat.add(forms, "empty", "git diff --stat HEAD HEAD", "No change, no word.", passes="invalid_output")
stat.add(forms, "no-revision", "git diff --stat nowhere", "A revision that is not there.", passes="stderr_present")
stat.add(
    forms,
    "no-revision-merged",
    "git diff --stat nowhere 2>&1",
    "The same on one stream.",
    passes="invalid_output",
)
stat.add(
    rewritten,
    "cut-by-the-host",
    "git diff --stat HEAD~1 HEAD",
    "The host kept only the first bytes.",
    limit=1200,
    passes="invalid_output",
)
stat.add(
    wide,
    "after-dashes",
    "git diff -- --stat",
    "A path by that name: the rule for patches finds nothing.",
    passes="invalid_output",
    truth=no_truth,
)
stat.refuse(
    wide,
    [
        ("refused-patch", "git diff --stat -p HEAD"),
        ("refused-summary", "git diff --stat --summary HEAD"),
        ("refused-count", "git diff --stat --stat-count=3 HEAD"),
        ("refused-graph-width", "git diff --stat --stat-graph-width=3 HEAD"),
        ("refused-compact", "git diff --compact-summary HEAD"),
        ("refused-numstat", "git diff --stat --numstat HEAD"),
        ("refused-color", "git diff --stat --color=always HEAD"),
        ("refused-abbreviated", "git diff --sta HEAD"),
        ("refused-pipe", "git diff --stat HEAD | tail -1"),
    ],
)


def commits(shop: Workshop) -> None:
    """Make commits of every kind on one line, with a tag of its own and one that is only a name."""
    rewritten(shop)
    shop.git("tag", "-a", "-m", "Release one\n\ncommit messages may say anything\n    even indented", "v1.0")
    for module in trees.MODULES[:4]:
        shop.git("mv", f"src/{module}/part_0.py", f"src/{module}/first.py")
        shop.git("rm", "--quiet", f"src/{module}/part_9.py")
        shop.write(f"src/{module}/new.py", trees.source(module, 12))
    shop.write("logo.png", bytes(range(256)))
    shop.commit("Move, remove and add")
    shop.git("tag", "v1.1")
    shop.commit("Nothing changes")
    shop.write("notes.txt", "one\n")
    shop.commit("", "--allow-empty-message")
    shop.write("docs/patch.md", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ncommit 0123456789\n" * 20)
    shop.commit("diff --git a/x b/x\n\ncommit 0123456789abcdef0123456789abcdef01234567\n\n--- a/x\n+++ b/x")
    shop.git("checkout", "--quiet", "-b", "side", "v1.1")
    trees.edit(shop, "src/parser/first.py", 3, text="side")
    shop.commit("Edit on the side")
    shop.git("checkout", "--quiet", "main")
    trees.edit(shop, "src/parser/first.py", 3, text="main")
    shop.commit("Edit on main")
    shop.git("merge", "--quiet", "side", fails=True)
    trees.edit(shop, "src/parser/first.py", *range(1, 8), text="both")
    shop.commit("Merge branch 'side'")
    for module in trees.MODULES:
        trees.edit(shop, f"src/{module}/part_1.py", 2, 20, 30, text="last")
        trees.edit(shop, f"src/{module}/part_2.py", 5, text="last")
    shop.commit("Last edits", "--author", "Ben Example <ben@example.org>")
    shop.git("notes", "add", "-m", "seen by the team", "HEAD")


def shown(shop: Workshop, entry: Entry, captured: Captured) -> Facts:
    """Return what `git apply --numstat` reads out of the patch of the output."""
    raw = captured.stdout if captured.merged is None else captured.merged
    _, mark, patch = raw.partition(b"\n\ndiff --git ")
    if not mark:
        return {"files": [], "hunks": 0}
    return numbered_patch(shop, entry, Captured(b"diff --git " + patch, b"", 0, timed_out=False))


show.truth = shown
show.table(
    commits,
    [
        ("form-plain", "git show", "The last commit."),
        ("form-head", "git show HEAD", "The same, named."),
        ("form-tilde", "git show HEAD~1^2~0", "By way of a merge."),
        ("form-no-pager", "git --no-pager show HEAD", "The global option for pagers."),
        ("form-merged", "git show HEAD 2>&1", "Standard error joins standard output."),
        ("form-unified", "git show -U0 HEAD", "No context."),
        ("form-function", "git show -W HEAD", "Much context."),
        ("form-path", "git show HEAD -- src/parser src/view src/lexer src/gate src/codec", "Some folders of it."),
        ("form-decorate", "git show --decorate HEAD", "With the names of branches."),
        ("form-date", "git show --date=iso HEAD", "Another form of date."),
        ("form-no-notes", "git show --no-notes HEAD", "Without its note."),
        ("lightweight-tag", "git show v1.1", "Moved, removed, added and binary files."),
        ("annotated-tag", "git show v1.0", "A tag before its commit."),
        ("imitations", "git show main~2", "Message and content look like a patch and a commit."),
        ("hundred-files", "git show v1.0^0", "A hundred files."),
    ],
)
for name, revision, about in (
    ("no-change", "main~5", "A commit without a change."),
    ("no-message", "main~4", "A commit without a message."),
):
    show.add(commits, name, f"git show {revision}", about, passes="no_gain")
show.add(commits, "one-file", "git show main~1^2", "A small commit.")
show.add(
    commits, "merge-of-others", "git show HEAD~1 -- docs", "A merge, limited to what it left.", passes="invalid_output"
)
show.add(commits, "one-stream", "git show HEAD", "Both streams captured as one.", merged=True)
show.add(commits, "conflict-resolved", "git show HEAD~1", "A merge with a combined diff.", passes="invalid_output")
show.add(commits, "two-commits", "git show HEAD HEAD~2", "Two commits.", passes="invalid_output")
show.add(commits, "blob", "git show HEAD:docs/patch.md", "A file, not a commit.", passes="invalid_output")
show.add(commits, "tree", "git show HEAD:src", "A folder, not a commit.", passes="invalid_output")
show.add(commits, "unknown", "git show nowhere", "A revision that is not there.", passes="stderr_present")
show.add(
    commits,
    "cut-by-the-host",
    "git show",
    "The host kept the first bytes.",
    limit=2400,
    passes="invalid_output",
    truth=no_truth,
)
show.refuse(
    commits,
    [
        ("refused-stat", "git show --stat HEAD"),
        ("refused-name-only", "git show --name-only HEAD"),
        ("refused-format", "git show --format=%B HEAD"),
        ("refused-oneline", "git show --oneline HEAD"),
        ("refused-no-patch", "git show -s HEAD"),
        ("refused-combined", "git show -c HEAD~1"),
        ("refused-signature", "git show --show-signature HEAD"),
        ("refused-word-diff", "git show --word-diff HEAD"),
        ("refused-pipe", "git show HEAD | head -50"),
        ("refused-quoted", 'git show "HEAD"'),
    ],
)


def messages(shop: Workshop) -> None:
    """Long, empty, foreign and misleading messages; a note; names of authors that need care."""
    shop.init()
    texts = (
        "",
        "commit 0123456789abcdef0123456789abcdef01234567\nAuthor: Nobody <nobody@example.org>\nDate:   never",
        "Subject\n\n    indented\n\ttabbed\n\n\nthree lines later",
        "Überraschung\n\n日本語の本文",
        "Notes:\n    none",
        "a" * 300,
        "One line after another\n" + "".join(f"line {row}\n" for row in range(60)),
        "tab\tand  blanks   ",
    )
    for row in range(32):
        shop.write("part.txt", f"{row}\n")
        author = ("Ada Example <ada@example.org>", "B. <x> Odd <odd@example.org>", "Only <>")[row % 3]
        shop.commit(texts[row % 8], "--allow-empty-message", "--author", author)
        if row % 5 == 0:
            shop.git("notes", "add", "-m", f"Notes on {row}\n\ncommit to it")


def decorated(shop: Workshop) -> None:
    """Have branches and tags named by setting."""
    history(shop)
    shop.git("config", "log.decorate", "short")


def fuller(shop: Workshop) -> None:
    """Have another format by setting."""
    history(shop)
    shop.git("config", "format.pretty", "fuller")


def relative(shop: Workshop) -> None:
    """Have other dates by setting, and mail addresses left as they are."""
    history(shop)
    shop.git("config", "log.date", "iso")
    shop.git("config", "log.mailmap", "false")


def coloured(shop: Workshop) -> None:
    """Have colour forced by setting."""
    history(shop)
    shop.git("config", "color.ui", "always")


long.table(
    history,
    [
        ("form-no-pager", "git --no-pager log -40", "The global option for pagers."),
        ("form-folder", "git -C topic log -40", "In another folder."),
        ("form-merged", "git log -40 2>&1", "Standard error joins standard output."),
    ],
    facts="HEAD -40",
)
long.add(history, "form-plain", "git log", "Everything that HEAD reaches.", facts="HEAD")
for name, options in (
    ("form-dash-count", "-30"),
    ("form-n-apart", "-n 20"),
    ("form-all", "--all --max-count=50"),
    ("form-reverse", "--reverse --max-count=50"),
    ("form-no-merges", "--no-merges --max-count=50"),
    ("form-merges", "--merges"),
    ("form-since", "--since=2025-01-17T00:00:00Z --max-count=50"),
    ("form-author", "--author=Ben"),
    ("form-first-parent", "--first-parent --max-count=50"),
):
    long.add(history, name, f"git log {options}", f"Which commits: {options}", facts=f"HEAD {options}")
long.add(history, "form-range", "git log v0.9..main", "A range.", facts="v0.9..main")
long.add(history, "form-path", "git log -- part_0.txt part_1.txt", "Some files.", facts="HEAD -- part_0.txt part_1.txt")
long.add(history, "form-decorate", "git log --decorate --tags -50", "With branches and tags.", facts="--tags -50")
long.add(history, "form-date", "git log --date=short -50", "Short dates.", facts="HEAD -50")
long.add(history, "one-stream", "git log -50", "Both streams captured as one.", merged=True, facts="HEAD -50")
long.add(history, "german", "git log -50", "German: nothing here is translated.", environment=GERMAN, facts="HEAD -50")
long.add(messages, "odd-messages", "git log", "Long, empty, foreign and misleading messages; notes.", facts="HEAD")
long.add(messages, "odd-messages-no-notes", "git log --no-notes", "The same without notes.", facts="HEAD")
long.add(decorated, "decorated", "git log -50", "log.decorate=short.", facts="HEAD -50")
long.add(relative, "iso-dates", "git log -50", "log.date=iso.", facts="HEAD -50")
long.add(shallow, "shallow", "git log", "A shallow clone.", facts="HEAD")
long.add(detached, "detached", "git log -50", "HEAD points at a tag.", facts="HEAD -50")
long.add(
    trees.hashed_with_sha256, "sha256", "git log", "A SHA-256 repository: one commit.", facts="HEAD", passes="no_gain"
)
long.add(fuller, "fuller-setting", "git log", "format.pretty=fuller.", passes="invalid_output")
long.add(coloured, "colour-forced", "git log", "color.ui=always.", passes="invalid_output")
long.add(history, "three", "git log -3", "Three commits.", facts="HEAD -3")
long.add(history, "empty-range", "git log main..main", "Nothing in the range.", passes="invalid_output")
long.add(unborn, "unborn", "git log", "No commit yet.", passes="stderr_present")
long.add(unborn, "unborn-merged", "git log 2>&1", "No commit yet, on one stream.", passes="invalid_output")
long.add(history, "cut-by-the-host", "git log", "The host kept the first bytes.", limit=3000, passes="invalid_output")
long.add(
    history,
    "oneline-after-dashes",
    "git log -5 -- --oneline",
    "A path by the name of an option: no commit touches it.",
    passes="invalid_output",
)
long.refuse(
    history,
    [
        ("refused-graph", "git log --graph -40"),
        ("refused-stat", "git log --stat -5"),
        ("refused-patch", "git log -p -2"),
        ("refused-name-status", "git log --name-status -5"),
        ("refused-format", "git log --format=medium -20"),
        ("refused-pretty", "git log --pretty=fuller -20"),
        ("refused-abbrev-commit", "git log --abbrev-commit -20"),
        ("refused-signature", "git log --show-signature -20"),
        ("refused-parents", "git log --parents -20"),
        ("refused-walk", "git log -g -20"),
        ("refused-pipe", "git log | head -60"),
        ("refused-quoted", 'git log --since="2 days ago"'),
    ],
)
