"""`git status`: the short forms, the states of a repository, and what must stay untouched."""

from __future__ import annotations

from . import git_trees as trees
from .catalogue import Catalogue, Entry, Facts
from .scratch import Captured, Workshop

GERMAN = {"LC_ALL": "C.UTF-8", "LANGUAGE": "de"}


def counted(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Count the same tree as `--porcelain=v2 -z` shows it, in its own folder and with its own settings."""
    said = shop.capture(
        "git status --porcelain=v2 --branch -z", folder=entry.folder, environment=entry.environment
    ).stdout.decode(errors="replace")
    facts: Facts = {"changed": 0, "unmerged": 0, "untracked": 0}
    kinds = {"1": "changed", "2": "changed", "u": "unmerged", "?": "untracked"}
    fields = iter(said.split("\0"))
    for line in fields:
        if line.startswith("# branch.head "):
            facts["head"] = line.removeprefix("# branch.head ")
        elif line[:1] in kinds:
            facts[kinds[line[0]]] += 1
            if line[0] == "2":
                next(fields)  # the name before the rename
    return facts if "head" in facts else {}


status = Catalogue("git_status", counted)

status.table(
    trees.crowded,
    [
        ("form-short", "git status --short", "The long spelling of the short form."),
        ("form-s", "git status -s", "The commonest spelling of the short form."),
        ("form-porcelain", "git status --porcelain", "The stable spelling of the short form."),
        ("form-porcelain-v1", "git status --porcelain=v1", "Version 1 by name."),
        ("form-sb", "git status -sb", "Short with the branch line, options joined."),
        ("form-s-b", "git status -s -b", "Short with the branch line, options apart."),
        ("form-branch-s", "git status --branch -s", "The branch option before the short one."),
        ("form-branch-porcelain", "git status --branch --porcelain", "Porcelain with the branch line."),
        ("form-no-pager", "git --no-pager status --short --branch", "The one global option that is accepted."),
        ("form-blanks", "  git   status  --short ", "Blanks around and between the words."),
        ("form-merged", "git status --short 2>&1", "Standard error joins standard output."),
        ("form-merged-early", "git 2>&1 status -sb", "The redirection in the middle of the words."),
    ],
)
status.add(
    trees.crowded,
    "form-merged-backwards",
    "git status --short 1>&2",
    "Standard output sent to standard error, where the git rules allow nothing.",
    passes="stderr_present",
)
status.add(trees.crowded, "one-stream", "git status -sb", "The host captured both streams as one.", merged=True)
status.add(
    trees.crowded,
    "cut-by-the-host",
    "git status -s",
    "The host kept only the first bytes of the output.",
    limit=900,
    passes="invalid_output",
)
status.refuse(
    trees.crowded,
    [
        ("refused-long", "git status"),
        ("refused-b", "git status -b"),
        ("refused-branch", "git status --branch"),
        ("refused-long-option", "git status --short --long"),
        ("refused-porcelain-v2", "git status --porcelain=v2"),
        ("refused-z", "git status --short -z"),
        ("refused-ignored", "git status --short --ignored"),
        ("refused-uno", "git status -s -uno"),
        ("refused-verbose", "git status -s -v"),
        ("refused-path", "git status --short src"),
        ("refused-path-after-dashes", "git status --short -- src"),
        ("refused-abbreviated", "git status --shor"),
        ("refused-folder", "git -C src status --short"),
        ("refused-no-pager-folder", "git --no-pager -C src status -sb"),
        ("refused-setting", "git -c status.branch=true status --short"),
        ("refused-pipe", "git status --short 2>&1 | head -50"),
        ("refused-pipe-both", "git status --short |& cat"),
        ("refused-file", "git status --short >../out.txt"),
        ("refused-quiet-errors", "git status --short 2>/dev/null"),
        ("refused-and", "git status --short && echo done"),
        ("refused-or", "git status --short || true"),
        ("refused-semicolon", "git status --short; git log --oneline -3"),
        ("refused-background", "git status --short &"),
        ("refused-assignment", "GIT_OPTIONAL_LOCKS=0 git status --short"),
        ("refused-absolute", "/usr/bin/git status --short"),
        ("refused-cd", "cd src && git status --short"),
        ("refused-newline", "git status --short\ngit status --short"),
        ("refused-quotes", 'git status "--short"'),
        ("refused-comment", "git status --short # what changed"),
        ("refused-variable", "git status --short $EXTRA"),
        ("refused-substitution", "git status $(echo --short)"),
        ("refused-group", "{ git status --short; }"),
        ("refused-subshell", "(git status --short)"),
        ("refused-negation", "! git status --short"),
    ],
)
