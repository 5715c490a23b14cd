"""`git status`: the states a repository can be in, and the settings that change what is printed."""

from __future__ import annotations

from . import git_trees as trees
from .catalogue import Builder
from .git_status import GERMAN, status
from .scratch import Workshop


def clean(shop: Workshop) -> None:
    """Change nothing."""
    trees.tracked(shop, depth=1)


def three_changes(shop: Workshop) -> None:
    """Change three files."""
    trees.tracked(shop, depth=1)
    trees.edit(shop, "src/gate/part_0.py", 2)
    trees.edit(shop, "src/view/part_0.py", 2)
    shop.write("notes.txt", "to do\n")


def unborn(shop: Workshop) -> None:
    """Sixty files, half of them staged, before the first commit."""
    shop.init()
    for row in range(40):
        shop.write(f"src/first_{row}.py", trees.source("first", 3))
    shop.git("add", "src")
    for row in range(20):
        shop.write(f"later_{row}.py", trees.source("later", 3))


def detached(shop: Workshop) -> None:
    """Detach HEAD."""
    trees.crowded(shop)
    shop.git("checkout", "--quiet", "--detach")


def gone_upstream(shop: Workshop) -> None:
    """Delete the upstream branch."""
    trees.crowded(shop)
    shop.git("update-ref", "-d", "refs/remotes/origin/main")


def bisecting(shop: Workshop) -> None:
    """Begin a bisection and restore the changes."""
    trees.crowded(shop)
    shop.git("stash", "--quiet")
    shop.git("bisect", "start", "HEAD", "HEAD~2")
    shop.git("stash", "pop", "--quiet", fails=True)


def intent_to_add(shop: Workshop) -> None:
    """Promise fifty files to the index."""
    trees.tracked(shop, depth=1)
    for row in range(50):
        shop.write(f"planned/part_{row}.py", trees.source("planned", 3))
    shop.git("add", "--intent-to-add", "planned")


def plain_quotes(shop: Workshop) -> None:
    """Make odd names that are not quoted."""
    trees.odd_names(shop, quote_path=False)


def modes(shop: Workshop) -> None:
    """Fifty files made executable: changes without changed lines."""
    trees.tracked(shop)
    for module in trees.MODULES[:7]:
        for row in range(7):
            (shop.path / f"src/{module}/part_{row}.py").chmod(0o755)


def three_hundred(shop: Workshop) -> None:
    """Change, add and litter three hundred files, and copy some."""
    trees.tracked(shop, depth=20)
    for module in trees.MODULES:
        for row in range(20):
            trees.edit(shop, f"src/{module}/part_{row}.py", 2)
        for row in range(5):
            shop.write(f"src/{module}/copy_{row}.py", trees.source(f"{module}_{row}"))
        shop.git("add", f"src/{module}")
        for row in range(5):
            shop.write(f"logs/{module}_{row}.txt", "left over\n")
            trees.edit(shop, f"src/{module}/part_{row}.py", 30)
    shop.git("config", "status.showUntrackedFiles", "all")


def copied(shop: Workshop) -> None:
    """Have copies found by setting."""
    three_hundred(shop)
    shop.git("config", "status.renames", "copies")


def crowded_with(*settings: str) -> Builder:
    """Return a builder of the crowded tree with settings of its own, as `key=value`."""

    def build(shop: Workshop) -> None:
        trees.crowded(shop)
        for setting in settings:
            key, _, value = setting.partition("=")
            shop.git("config", key, value)

    return build


def bare(shop: Workshop) -> None:
    """Make a repository without a work tree."""
    shop.init("--bare")


def no_repository(shop: Workshop) -> None:
    """Make a folder without a repository."""
    shop.write("lonely.txt", "no repository here\n")


def bad_attributes(shop: Workshop) -> None:
    """Write a `.gitattributes` line that git warns about on standard error, beside a long status."""
    trees.crowded(shop)
    shop.write(".gitattributes", "*.py -!text\n*.py text=auto\n")


status.add(clean, "clean", "git status --short", "Nothing changed: the answer is empty.", passes="invalid_output")
status.add(clean, "clean-branch", "git status -sb", "Nothing changed: the branch line alone.", passes="no_gain")
status.add(three_changes, "three-changes", "git status -s", "Shorter than any header.", passes="no_gain")
status.add(three_hundred, "three-hundred", "git status -sb", "Three hundred files.")
status.add(copied, "copied", "git status --short", "status.renames=copies finds copies.")
status.table(
    unborn,
    [
        ("unborn", "git status --short --branch", "No commit yet on the branch."),
        ("unborn-porcelain", "git status --porcelain", "No commit yet, no branch line."),
    ],
)
status.add(detached, "detached", "git status -sb", "HEAD points at a commit, not at a branch.")
status.add(gone_upstream, "upstream-gone", "git status -sb", "The upstream branch was deleted.")
status.add(bisecting, "bisecting", "git status -sb", "Amid a bisection.")
status.table(
    trees.merging,
    [
        ("merge-in-progress", "git status --short", "A merge stopped by conflicts of several kinds."),
        ("merge-in-progress-branch", "git status -sb", "The same with the branch line."),
    ],
)
status.add(trees.merging, "refused-merge-long", "git status", "Refused: the long form of a merge.", passes="no_rule")
status.add(trees.rebasing, "rebase-in-progress", "git status -sb", "A rebase stopped by conflicts; HEAD is detached.")
status.add(trees.cherry_picking, "cherry-pick-in-progress", "git status -sb", "A cherry-pick stopped by conflicts.")
status.add(trees.renamed_apart, "both-renamed", "git status --short", "Renamed apart on both sides: DD, AU, UA.")
status.add(intent_to_add, "intent-to-add", "git status --short", "Files that are promised to the index, not added.")
status.table(
    trees.odd_names,
    [
        ("odd-names", "git status --short", "Blanks, quotes, arrows, tabs, newlines and other scripts in names."),
        ("odd-names-porcelain", "git status --porcelain", "The same names in the stable form."),
    ],
)
status.add(
    plain_quotes, "odd-names-unquoted", "git status -s", "core.quotePath=false leaves other scripts as they are."
)
status.add(modes, "mode-changes", "git status --short", "Only permissions changed.")
status.add(trees.submodules, "submodules", "git status --short", "Submodules changed, dirty and littered.")
status.add(trees.hashed_with_sha256, "sha256", "git status -sb", "A SHA-256 repository looks the same here.")
status.table(
    trees.crowded,
    [
        ("subfolder-short", "git status --short", "Names are relative to the folder: some climb."),
        ("subfolder-porcelain", "git status --porcelain", "Names are relative to the top, wherever one stands."),
    ],
    folder="src/lexer",
)

# Settings that change what is printed.
status.add(
    crowded_with("color.status=always"),
    "colour-forced",
    "git status --short",
    "color.status=always colours even a pipe.",
    passes="invalid_output",
)
status.add(
    crowded_with("color.ui=always"),
    "colour-forced-branch",
    "git status -sb",
    "color.ui=always with the branch line.",
    passes="invalid_output",
)
status.add(
    crowded_with("color.ui=always"), "colour-porcelain", "git status --porcelain", "Porcelain is never coloured."
)
status.add(crowded_with("status.branch=true"), "setting-branch", "git status -s", "status.branch adds the branch line.")
status.add(
    crowded_with("status.short=true"),
    "setting-short",
    "git status",
    "status.short makes the long form short; the command does not say so.",
    passes="no_rule",
)
status.add(
    crowded_with("status.showUntrackedFiles=no"), "setting-no-untracked", "git status -s", "Untracked files not shown."
)
status.add(
    crowded_with("status.showUntrackedFiles=all"), "setting-all-untracked", "git status -s", "Untracked folders opened."
)
status.add(
    crowded_with("status.aheadBehind=false"), "setting-different", "git status -sb", "Ahead and behind not counted."
)
status.add(
    crowded_with("status.renames=false"), "setting-no-renames", "git status -s", "Renames shown as deleted and added."
)
status.add(
    crowded_with("status.relativePaths=false"),
    "setting-top-names",
    "git status -s",
    "Names from the top, in a subfolder.",
    folder="src/lexer",
)

# Other languages, errors, warnings.
status.add(trees.crowded, "german", "git status -sb", "German: the branch line is translated.", environment=GERMAN)
status.add(detached, "german-detached", "git status -sb", "German, HEAD detached.", environment=GERMAN)
status.add(unborn, "german-unborn", "git status -sb", "German, no commit yet.", environment=GERMAN)
status.add(trees.crowded, "german-porcelain", "git status --porcelain -b", "Never translated.", environment=GERMAN)
status.add(no_repository, "no-repository", "git status --short", "Not a repository.", passes="stderr_present")
status.add(bare, "bare", "git status --short", "A bare repository has no work tree.", passes="stderr_present")
status.add(
    trees.crowded,
    "traced",
    "git status --short",
    "GIT_TRACE writes to standard error beside the answer.",
    environment={"GIT_TRACE": "1"},
    passes="stderr_present",
)
status.add(
    trees.crowded,
    "traced-merged",
    "git status --short 2>&1",
    "GIT_TRACE among the lines of the answer.",
    environment={"GIT_TRACE": "1"},
    passes="invalid_output",
)
status.add(
    bad_attributes,
    "warning",
    "git status --short",
    "A warning on standard error beside the answer.",
    passes="stderr_present",
)
status.add(
    bad_attributes,
    "warning-merged",
    "git status --short 2>&1",
    "A warning among the lines of the answer.",
    passes="invalid_output",
)
