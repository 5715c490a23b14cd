"""`git log --oneline`: forms, histories, settings."""

from __future__ import annotations

import shlex

from .catalogue import Builder, Catalogue, Entry, Facts
from .git_status import GERMAN
from .scratch import Captured, Workshop

VERBS = ("Add", "Fix", "Rename", "Document", "Speed up", "Simplify", "Test", "Remove")
THINGS = ("the parser", "line framing", "the token gate", "handles in the store", "the header", "codec limits")


def counted(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """`rev-list --count` over the same revisions, as `entry.facts` spells them."""
    if not entry.facts:
        return {}
    words = shlex.split(entry.facts)
    return {"commits": int(shop.git("rev-list", "--count", *words, where=entry.folder))}


log = Catalogue("git_log", counted)


def subject(row: int) -> str:
    """Return a subject of ordinary length, different for each number."""
    return f"{VERBS[row % len(VERBS)]} {THINGS[row % len(THINGS)]}, step {row}"


def line_of(shop: Workshop, commits: int) -> None:
    """Add that many commits in a row."""
    for row in range(commits):
        shop.write(f"part_{row % 5}.txt", f"{row}\n")
        shop.commit(subject(row))


def history(shop: Workshop) -> None:
    """Make some two hundred commits: a main line, merged branches, tags, two authors."""
    shop.init()
    for branch in range(12):
        line_of(shop, 10)
        shop.git("checkout", "--quiet", "-b", f"topic-{branch}")
        shop.write(f"topic/{branch}.txt", "begun\n")
        shop.commit(f"Begin topic {branch}", "--author", "Ben Example <ben@example.org>")
        for step in range(4):
            shop.append(f"topic/{branch}.txt", f"{step}\n")
            shop.commit(f"Topic {branch}, step {step} (#{branch * 10 + step})")
        shop.git("checkout", "--quiet", "main")
        shop.git("merge", "--quiet", "--no-ff", "-m", f"Merge branch 'topic-{branch}'", f"topic-{branch}")
        shop.commits += 1
        shop.git("tag", f"v0.{branch}")
    shop.git("checkout", "--quiet", "-b", "feature", "v0.9")
    line_of(shop, 30)
    shop.git("checkout", "--quiet", "main")


log.table(
    history,
    [
        ("form-all-commits", "git log --oneline", "Everything that HEAD reaches."),
        ("form-no-pager", "git --no-pager log --oneline", "The one global option that is accepted."),
        ("form-merged", "git log --oneline 2>&1", "Standard error joins standard output."),
    ],
    facts="HEAD",
)
for name, options in (
    ("form-dash-count", "-60"),
    ("form-n-apart", "-n 40"),
    ("form-n-joined", "-n50"),
    ("form-max-count", "--max-count=45"),
    ("form-skip", "--skip=100"),
    ("form-all", "--all"),
    ("form-branches", "--branches"),
    ("form-tags", "--tags"),
    ("form-reverse", "--reverse"),
    ("form-no-merges", "--no-merges"),
    ("form-merges-all", "--merges --all --skip=0"),
    ("form-first-parent", "--first-parent"),
    ("form-since", "--since=2025-01-17T00:00:00Z"),
    ("form-until-before", "--until=2025-01-20T00:00:00Z --after=2025-01-16T00:00:00Z"),
    ("form-author", "--author=Ada --no-merges"),
    ("form-grep", "--grep=step"),
    ("form-topo-order", "--topo-order"),
    ("form-date-order", "--date-order"),
):
    log.add(
        history,
        name,
        f"git log --oneline {options}",
        f"Which commits, or in which order: {options}",
        facts=f"HEAD {options}",
        passes="no_gain" if name == "form-merges-all" else None,
    )
for name, revisions in (
    ("form-range", "v0.2..main"),
    ("form-symmetric", "feature...main"),
    ("form-two-revisions", "feature main"),
    ("form-excluded", "main ^v0.1"),
    ("form-tilde", "HEAD~3"),
    ("form-path", "HEAD -- part_0.txt part_1.txt"),
    ("form-path-only", "-- topic part_2.txt"),
):
    log.add(
        history,
        name,
        f"git log --oneline {revisions}",
        f"Revisions and paths: {revisions}",
        facts=revisions if not revisions.startswith("--") else f"HEAD {revisions}",
    )
log.table(
    history,
    [
        ("form-option-last", "git log -80 main --oneline", "The needed option stands last."),
        ("form-abbrev-4", "git log --oneline --abbrev=4 -80", "Short names; git lengthens ambiguous ones."),
        ("form-no-decorate", "git log --oneline --no-decorate -80", "Decoration switched off by option."),
        ("form-no-color", "git log --oneline --no-color --color=never -80", "Colour switched off by option."),
    ],
    facts="HEAD -80",
)
log.add(history, "form-follow", "git log --oneline --follow part_3.txt", "One file through its renames.")
log.add(history, "form-pickaxe", "git log --oneline -Sbegun -i --all", "Commits that add a text.", passes="no_gain")
log.add(history, "subfolder", "git log --oneline -40", "In a subfolder.", folder="topic", facts="HEAD -40")
log.add(history, "one-stream", "git log --oneline", "Both streams captured as one.", merged=True, facts="HEAD")
log.add(
    history,
    "cut-by-the-host",
    "git log --oneline",
    "The host kept only the first bytes: the last line is incomplete.",
    limit=3000,
    passes="invalid_output",
)
log.table(
    history,
    [
        ("ten", "git log --oneline -10", "Shorter than header and subjects."),
        ("fifteen", "git log --oneline -n 15", "As many as the summary would show."),
    ],
    passes="no_gain",
)
log.add(
    history,
    "form-merged-backwards",
    "git log --oneline 1>&2",
    "Standard output sent to standard error, where the git rules allow nothing.",
    passes="stderr_present",
)
log.refuse(
    history,
    [
        ("refused-long", "git log -5"),
        ("refused-pretty-oneline", "git log --pretty=oneline -40"),
        ("refused-needed-after-dashes", "git log -5 -- --oneline"),
        ("refused-graph", "git log --oneline --graph -40"),
        ("refused-decorate", "git log --oneline --decorate -40"),
        ("refused-decorate-full", "git log --oneline --decorate=full -40"),
        ("refused-source", "git log --oneline --source --all -40"),
        ("refused-patch", "git log --oneline -p -2"),
        ("refused-stat", "git log --oneline --stat -5"),
        ("refused-numstat", "git log --oneline --numstat -5"),
        ("refused-name-only", "git log --oneline --name-only -20"),
        ("refused-name-status", "git log --oneline --name-status -20"),
        ("refused-raw", "git log --oneline --raw -10"),
        ("refused-line-range", "git log --oneline -L1,2:part_0.txt -3"),
        ("refused-format", "git log --oneline --format=%h -40"),
        ("refused-z", "git log --oneline -z -40"),
        ("refused-parents", "git log --oneline --parents -40"),
        ("refused-children", "git log --oneline --children -40"),
        ("refused-boundary", "git log --oneline --boundary v0.2..main"),
        ("refused-left-right", "git log --oneline --left-right feature...main"),
        ("refused-cherry-mark", "git log --oneline --cherry-mark feature...main"),
        ("refused-walk-reflogs", "git log --oneline -g -40"),
        ("refused-log-size", "git log --oneline --log-size -40"),
        ("refused-color", "git log --oneline --color=always -40"),
        ("refused-notes", "git log --oneline --notes -40"),
        ("refused-abbreviated", "git log --onelin -40"),
        ("refused-folder", "git -C topic log --oneline -40"),
        ("refused-setting", "git -c log.decorate=short log --oneline -40"),
        ("refused-pipe", "git log --oneline | head -40"),
        ("refused-quoted-author", 'git log --oneline --author="Ada Example" -40'),
        ("refused-substitution", "git log --oneline $(git describe --tags)"),
        ("refused-then", "git log --oneline -40 && git status -s"),
        ("refused-shortlog", "git shortlog -s HEAD"),
        ("refused-reflog", "git reflog -40"),
    ],
)


def decorated(shop: Workshop) -> None:
    """Have branches and tags named by setting."""
    history(shop)
    shop.git("config", "log.decorate", "short")


def coloured(shop: Workshop) -> None:
    """Have colour forced by setting."""
    history(shop)
    shop.git("config", "color.ui", "always")


def pretty_setting(shop: Workshop) -> None:
    """Make settings that the option overrides or that change nothing here."""
    history(shop)
    shop.git("config", "format.pretty", "fuller")
    shop.git("config", "log.date", "iso")
    shop.git("config", "core.abbrev", "12")


def hashed_with_sha256(shop: Workshop) -> None:
    """Make fifty commits with SHA-256 names."""
    shop.init("--object-format=sha256")
    line_of(shop, 50)


def odd_subjects(shop: Workshop) -> None:
    """Empty, long, foreign and misleading subjects."""
    shop.init()
    subjects = [
        "",
        "stderr:",
        "[tool_output_compression]",
        "original: cablese show 482910557213004",
        "- (+9 more)",
        "a" * 300,
        "Überraschung: größere Tokenmengen",
        "日本語の件名をそのまま残す",
        "\U0001f680 ship it",
        "0123456 looks like a commit",
        "(HEAD -> main) looks decorated",
        "tab\tand  two blanks",
        "a \u2028 separator",
        "trailing colon:",
    ]
    for row in range(40):
        shop.write("part.txt", f"{row}\n")
        shop.commit(subjects[row] if row < len(subjects) else subject(row), "--allow-empty-message")


def empty_subjects(shop: Workshop) -> None:
    """Leave two of three subjects empty."""
    shop.init()
    for row in range(40):
        shop.write("part.txt", f"{row}\n")
        shop.commit("" if row % 3 else subject(row), "--allow-empty-message")


def escaped_subjects(shop: Workshop) -> None:
    """Put an escape sequence into a subject."""
    shop.init()
    for row in range(40):
        shop.commit("colour \x1b[31mred\x1b[0m" if row == 20 else subject(row))


def control_subjects(shop: Workshop) -> None:
    """Put a control character into a subject."""
    shop.init()
    for row in range(40):
        shop.commit("control \x01 character" if row == 20 else subject(row))


def other_encoding(shop: Workshop) -> None:
    """`i18n.logOutputEncoding`: subjects leave git in Latin-1."""
    shop.init()
    for row in range(40):
        shop.commit(f"Größe {row} geändert")
    shop.git("config", "i18n.logOutputEncoding", "ISO-8859-1")


def shallow(shop: Workshop) -> None:
    """Make a clone with 40 commits of depth."""
    origin = Workshop(shop.home.parent / f"{shop.home.name}-origin", "origin")
    origin.init()
    line_of(origin, 80)
    shop.git("clone", "--quiet", "--depth=40", f"file://{origin.path}", ".")


def ambiguous(shop: Workshop) -> None:
    """Give a branch the name of a tag."""
    history(shop)
    shop.git("branch", "v0.5")


def unborn(shop: Workshop) -> None:
    """Stage files, or nothing, before the first commit."""
    shop.init()


def detached(shop: Workshop) -> None:
    """Detach HEAD."""
    history(shop)
    shop.git("checkout", "--quiet", "v0.8")


def settings(base: Builder, name: str, about: str, facts: str = "HEAD", passes: str | None = None) -> None:
    """Add one entry for the plain command."""
    log.add(base, name, "git log --oneline", about, facts=facts, passes=passes)


settings(decorated, "decorated", "log.decorate=short names branches and tags.")
settings(coloured, "colour-forced", "color.ui=always colours even a pipe.", passes="invalid_output")
settings(pretty_setting, "settings-overridden", "Another format and date by setting; object names of twelve digits.")
settings(hashed_with_sha256, "sha256", "A SHA-256 repository, abbreviated.")
settings(odd_subjects, "odd-subjects", "Empty, long, foreign and misleading subjects.")
settings(control_subjects, "control-characters", "A control character in a subject.", passes="invalid_output")
settings(empty_subjects, "empty-subjects", "Two of three subjects are empty: a blank stays behind the name.")
settings(escaped_subjects, "escapes", "Escape sequences in a subject.", passes="invalid_output")
settings(other_encoding, "latin-1", "Subjects that are not UTF-8: replacement characters as text.")
settings(shallow, "shallow", "A shallow clone ends where its depth ends.")
settings(detached, "detached", "HEAD points at a tag.")
log.add(
    hashed_with_sha256,
    "sha256-full",
    "git log --oneline --no-abbrev-commit",
    "An option the rule does not list, with names of 64 digits.",
    passes="no_rule",
)
log.add(
    decorated, "decorated-off", "git log --oneline --no-decorate", "The option wins over the setting.", facts="HEAD"
)
log.add(history, "german", "git log --oneline", "German: nothing here is translated.", environment=GERMAN, facts="HEAD")
log.add(ambiguous, "ambiguous", "git log --oneline v0.5", "A warning beside the answer.", passes="stderr_present")
log.add(
    ambiguous,
    "ambiguous-merged",
    "git log --oneline v0.5 2>&1",
    "A warning before the answer.",
    passes="invalid_output",
)
log.add(unborn, "unborn", "git log --oneline", "No commit yet: an error.", passes="stderr_present")
log.add(
    unborn,
    "unborn-merged",
    "git log --oneline 2>&1",
    "No commit yet: an error instead of an answer.",
    passes="invalid_output",
)
log.add(history, "empty-range", "git log --oneline main..main", "Nothing in the range.", passes="invalid_output")
log.add(
    history, "unknown-revision", "git log --oneline nowhere", "A revision that is not there.", passes="stderr_present"
)
