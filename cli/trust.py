"""`cablese trust`: allow the pack of a project or of a third party to be used, as it is now.

The list is kept beside the user's configuration: a line per pack, its digest, and behind it the file of a pack that is
to be asked everywhere; a project's own pack (`.cablese/pack.cablepack`) counts in that project alone.
"""

from __future__ import annotations

import os

from ..runtime.pack import PackError, open_pack
from ..runtime.pack_errors import describe_fault
from ..runtime.settings import SettingsError, read_trust, trust_list
from .compile import write_whole
from .options import Arguments, Command
from .output import complain
from .project import PACK, pack_path

COMMAND = Command(
    "trust",
    "Allow a project's or a third party's pack to be used, as it is now: another digest is another pack.",
    (),
    PACK,
)


def execute(arguments: Arguments) -> int:
    """Verify the pack and add it to the list; 0, 1 if it is refused, 2 if something cannot be read or written."""
    path = pack_path(arguments["pack"])
    try:
        pack = open_pack(path)
        pack.verify()
        where = trust_list(os.environ)
        digests, files = read_trust(where)
        if pack.digest not in digests:
            _add(where, pack.digest, path, files)
    except SettingsError as error:
        complain(str(error))
        return 2
    except (PackError, OSError) as error:
        named = error.filename if isinstance(error, OSError) and isinstance(error.filename, str) else path
        complain(describe_fault(named, error))
        return 1 if isinstance(error, PackError) else 2
    print(f"{path}: {pack.name} {pack.version} is trusted, digest {pack.digest}")
    return 0


def _add(where: str, digest: str, path: str, files: tuple[str, ...]) -> None:
    """Add a line. A pack of a project has no file in the list: it is found where the project is."""
    path = os.path.abspath(path)
    own = os.path.basename(os.path.dirname(path)) == ".cablese"
    line = digest if own or path in files else f"{digest} {path}"
    os.makedirs(os.path.dirname(where), mode=0o700, exist_ok=True)
    try:
        with open(where, "rb") as file:
            before = file.read()
    except FileNotFoundError:
        before = b""
    if before and not before.endswith(b"\n"):
        before += b"\n"
    write_whole(where, before + os.fsencode(line) + b"\n")
