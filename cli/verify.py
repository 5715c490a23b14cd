"""`cablese verify`: whether a pack is whole, unaltered, and within its bounds."""

from __future__ import annotations

from ..runtime.pack import PackError, open_pack
from ..runtime.pack_errors import describe_fault
from .options import Arguments, Command, Option
from .output import complain
from .project import PACK, pack_path

COMMAND = Command(
    "verify",
    "Check the digests of a pack and every index and bound in it.\n\n"
    "Exits with 0 if it holds, 1 if it does not, 2 if it cannot be read.",
    (Option("--digest", "the digest that the pack must have", "HEX"),),
    PACK,
)


def execute(arguments: Arguments) -> int:
    """Verify; 0 holds, 1 refused, 2 broken."""
    path = pack_path(arguments["pack"])
    try:
        pack = open_pack(path)
        pack.verify()
    except (PackError, OSError) as error:
        complain(describe_fault(path, error))
        return 1 if isinstance(error, PackError) else 2
    if arguments["digest"] not in (None, pack.digest):
        complain(f"{path}: another pack: its digest is {pack.digest}")
        return 1
    print(f"{path}: {pack.name} {pack.version} holds, digest {pack.digest}")
    return 0
