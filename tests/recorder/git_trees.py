"""Work trees and histories that several git catalogues share."""

from __future__ import annotations

from .scratch import Workshop

MODULES = ("parser", "lexer", "codec", "store", "gate", "view", "framing", "header", "clip", "totals")
ODD_NAMES = (
    "two words.txt",
    "caf\u00e9.txt",
    "日本語/ノート.md",
    'quote".txt',
    "back\\slash.txt",
    "tab\there.txt",
    "line\nbreak.txt",
    "arrow -> here.txt",
    "-- dashes.txt",
    "## hash.txt",
    " leading.txt",
    "trailing .txt",
    "it's.txt",
    "emoji \U0001f680.txt",
)


def source(name: str, lines: int = 40) -> str:
    """Return a small module of `lines` numbered lines, different for each name."""
    return "".join(f"def {name}_{row}():  # step {row} of {name}\n" for row in range(1, lines + 1))


def tracked(shop: Workshop, *, depth: int = 7, init: tuple[str, ...] = ()) -> None:
    """Make a committed tree of 10 x `depth` modules."""
    shop.init(*init)
    for module in MODULES:
        for row in range(depth):
            shop.write(f"src/{module}/part_{row}.py", source(f"{module}_{row}"))
    shop.commit("Lay out the modules")


def edit(shop: Workshop, name: str, *rows: int, text: str = "edited") -> None:
    """Replace the given lines (from 1) of a file by `text` and the line's number."""
    path = shop.path / name
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for row in rows:
        lines[row - 1] = f"{text} {row}\n"
    path.write_text("".join(lines), encoding="utf-8")


def behind_and_ahead(shop: Workshop) -> None:
    """Give `main` an upstream from which it is two commits ahead and one behind."""
    shop.git("clone", "--quiet", "--bare", ".", "../origin.git")
    shop.git("remote", "add", "origin", "../origin.git")
    shop.git("fetch", "--quiet", "origin")
    shop.git("branch", "--quiet", "--set-upstream-to=origin/main")
    shop.git("clone", "--quiet", "../origin.git", "../other")
    shop.commit("Their work", where="../other")
    shop.git("push", "--quiet", "origin", "main", where="../other")
    shop.commit("First of ours")
    shop.commit("Second of ours")
    shop.git("fetch", "--quiet", "origin")


def stir(shop: Workshop) -> None:
    """Every ordinary state of a short status, over some sixty files."""
    for module in MODULES[:5]:
        edit(shop, f"src/{module}/part_0.py", 3, 30)  # changed in the work tree
        edit(shop, f"src/{module}/part_1.py", 4)  # changed in both places
        shop.git("add", f"src/{module}/part_1.py")
        edit(shop, f"src/{module}/part_1.py", 20)
        edit(shop, f"src/{module}/part_2.py", 5)  # staged
        shop.git("add", f"src/{module}/part_2.py")
        shop.git("mv", f"src/{module}/part_3.py", f"src/{module}/moved_3.py")
        shop.git("rm", "--quiet", f"src/{module}/part_4.py")
        (shop.path / f"src/{module}/part_5.py").unlink()
        shop.write(f"src/{module}/added.py", source(f"{module}_added", 12))
        shop.git("add", f"src/{module}/added.py")
        shop.write(f"notes_{module}.txt", "to do\n")
    edit(shop, "src/lexer/moved_3.py", 9)  # renamed, then changed
    edit(shop, "src/lexer/added.py", 2)  # added, then changed
    (shop.path / "src/parser/added.py").unlink()  # added, then deleted
    (shop.path / "src/view/part_0.py").unlink()
    (shop.path / "src/view/part_0.py").symlink_to("part_1.py")  # another type of file
    shop.write("drafts/one.txt", "folder of its own\n")


def crowded(shop: Workshop) -> None:
    """Make some sixty changes on a branch that has diverged from its upstream."""
    tracked(shop)
    behind_and_ahead(shop)
    stir(shop)


def conflicted(shop: Workshop, operation: str = "merge") -> None:
    """Make a merge, rebase, cherry-pick or revert stopped by conflicts, amid many clean changes."""
    tracked(shop)
    shop.git("checkout", "--quiet", "-b", "feature")
    for module in MODULES:
        edit(shop, f"src/{module}/part_0.py", 7, text="theirs")
    for module in MODULES[:8]:
        edit(shop, f"src/{module}/part_5.py", 11, text="clean")
        shop.write(f"src/{module}/feature.py", source("feature", 6))
    shop.write("both.txt", "theirs\n")
    shop.git("rm", "--quiet", "src/gate/part_1.py")
    edit(shop, "src/view/part_1.py", 2, text="theirs")
    shop.commit("Feature work")
    shop.git("checkout", "--quiet", "main")
    for module in MODULES[:4]:
        edit(shop, f"src/{module}/part_0.py", 7, text="ours")
    shop.write("both.txt", "ours\n")
    edit(shop, "src/gate/part_1.py", 2, text="ours")
    shop.git("rm", "--quiet", "src/view/part_1.py")
    shop.commit("Work on main")
    if operation == "rebase":
        shop.git("checkout", "--quiet", "feature")
        shop.git("rebase", "main", fails=True)
    else:
        shop.git(operation, "feature", fails=True)
    for row in range(12):
        shop.write(f"scratch_{row}.txt", "left over\n")


def merging(shop: Workshop) -> None:
    """Stop in the middle of a merge."""
    conflicted(shop, "merge")


def rebasing(shop: Workshop) -> None:
    """Stop in the middle of a rebase."""
    conflicted(shop, "rebase")


def cherry_picking(shop: Workshop) -> None:
    """Stop in the middle of a cherry-pick."""
    conflicted(shop, "cherry-pick")


def renamed_apart(shop: Workshop) -> None:
    """Both sides renamed the same files: DD, AU and UA beside each other."""
    tracked(shop)
    shop.git("checkout", "--quiet", "-b", "feature")
    for module in MODULES:
        for row in range(3):
            shop.git("mv", f"src/{module}/part_{row}.py", f"src/{module}/theirs_{row}.py")
    shop.commit("Rename on the feature branch")
    shop.git("checkout", "--quiet", "main")
    for module in MODULES:
        for row in range(3):
            shop.git("mv", f"src/{module}/part_{row}.py", f"src/{module}/ours_{row}.py")
    shop.commit("Rename on main")
    shop.git("merge", "feature", fails=True)


def odd_names(shop: Workshop, *, quote_path: bool = True) -> None:
    """Names that git quotes, and names it does not although one could wish it did; some renamed."""
    shop.init()
    if not quote_path:
        shop.git("config", "core.quotePath", "false")
    for name in ODD_NAMES:
        shop.write(name, source("odd", 20))
        shop.write(f"old/{name}", source(f"old_{ODD_NAMES.index(name)}", 20))
    for row in range(30):
        shop.write(f"plain/file number {row}.txt", "one\ntwo\n")
    shop.commit("Names")
    for name in ODD_NAMES:
        edit(shop, name, 2)
        shop.write(f"new/{name}", "untracked\n")
        shop.git("mv", f"old/{name}", f"old/{name}.bak")
    shop.git("add", "--intent-to-add", "new")
    for row in range(30):
        shop.append(f"plain/file number {row}.txt", "three\n")


def submodules(shop: Workshop) -> None:
    """Submodules in every state: new commit, modified content, untracked content, and all of it."""
    library = Workshop(shop.home.parent / f"{shop.home.name}-library", "library")
    library.init()
    library.write("lib.txt", "one\n")
    library.commit("Library")
    tracked(shop, depth=4)
    for name in ("moved", "dirty", "littered", "everything"):
        shop.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.path), f"deps/{name}")
    shop.git("config", "--file", ".gitmodules", "--replace-all", "submodule.deps/moved.url", "../library")
    shop.commit("Add the library four times")
    for name in ("moved", "everything"):
        shop.write(f"deps/{name}/lib.txt", "two\n")
        shop.commit("Newer library", where=f"deps/{name}")
    for name in ("dirty", "everything"):
        shop.write(f"deps/{name}/lib.txt", "three\n")
    for name in ("littered", "everything"):
        shop.write(f"deps/{name}/extra.txt", "extra\n")
    for module in MODULES:
        for row in range(4):
            edit(shop, f"src/{module}/part_{row}.py", 2)


def hashed_with_sha256(shop: Workshop) -> None:
    """Make a repository whose object names are SHA-256, with sixty changes."""
    tracked(shop, init=("--object-format=sha256",))
    stir(shop)
