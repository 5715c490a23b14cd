"""Files as they are at a revision of a git repository, for commands that compare.

Input: `REV:PATH` as git reads it (from the top of the repository on, with `./` from here on). Output: the names and
bytes of the files below it. Read by `git ls-tree` and `git cat-file`, so that they are the bytes that were committed,
whatever attributes say of checkouts and archives.
"""

from __future__ import annotations

import os
import posixpath
import subprocess
from typing import NamedTuple

from .output import InputError


class Revision(NamedTuple):
    """A path at a revision. `tree`: the path is a folder; else `files` holds the one file, by its base name."""

    commit: str
    path: str
    tree: bool
    files: dict[str, bytes]

    def read(self, name: str) -> bytes:
        """Return a file by its path from the folder on; also one outside of it. Raises KeyError."""
        if name in self.files:
            return self.files[name]
        folder = self.path if self.tree else posixpath.dirname(self.path)
        path = posixpath.normpath(posixpath.join(folder, name))
        done = _git("cat-file", "blob", f"{self.commit}:{path}")
        if done.returncode:
            raise KeyError(name)
        return done.stdout


def read_revision(given: str) -> Revision:
    """Read `REV:PATH`. Raises InputError, which says what git has to say."""
    name, _, path = given.partition(":")
    done = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if done.returncode:
        inside = _git("rev-parse", "--git-dir")
        if inside.returncode:
            raise InputError(f"{given}: no such file or folder, and no git repository here to look for a revision in")
        raise InputError(f"{given}: no such file or folder, and git knows no revision `{name}`; is it fetched?")
    commit = done.stdout.decode().strip()
    if path.startswith(("./", "../")) or path in (".", ".."):
        prefix = _git("rev-parse", "--show-prefix").stdout.decode("utf-8", "surrogateescape").rstrip("\n")
        path = posixpath.join(prefix, path)
    path = posixpath.normpath(path) if path else ""
    path = "" if path == "." else path.rstrip("/")
    kind = _git("cat-file", "-t", f"{commit}:{path}")
    word = kind.stdout.decode().strip()
    if kind.returncode or word not in ("tree", "blob"):
        raise InputError(f"{given}: `{name}` has no file or folder `{path}`")
    if word == "blob":
        base = posixpath.basename(path)
        return Revision(commit, path, tree=False, files={base: _git("cat-file", "blob", f"{commit}:{path}").stdout})
    return Revision(commit, path, tree=True, files=_read_tree(commit, path))


def _read_tree(commit: str, path: str) -> dict[str, bytes]:
    """Return all regular files below a folder, in two calls of git however many they are."""
    listed = _git("ls-tree", "-r", "-z", "--full-tree", f"{commit}:{path}").stdout
    names: list[str] = []
    ids: list[bytes] = []
    for entry in listed.split(b"\0"):
        about, _, name = entry.partition(b"\t")
        mode, _, rest = about.partition(b" ")
        if mode.startswith(b"100"):
            names.append(os.fsdecode(name))
            ids.append(rest.partition(b" ")[2])
    done = _git("cat-file", "--batch", given=b"".join(each + b"\n" for each in ids))
    files: dict[str, bytes] = {}
    at = 0
    for name in names:
        end = done.stdout.index(b"\n", at)
        size = int(done.stdout[at:end].split(b" ")[2])
        files[name] = done.stdout[end + 1 : end + 1 + size]
        at = end + size + 2
    return files


def _git(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run git; nothing of ours is taken for one of its options, and it writes nothing. Raises InputError."""
    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        return subprocess.run(["git", *words], input=given, capture_output=True, check=False, env=environment)  # noqa: S603, S607
    except OSError as error:
        raise InputError(f"git cannot be run: {error.strerror or error}") from None
