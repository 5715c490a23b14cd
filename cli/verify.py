"""`cablese verify`: whether a pack is whole, unaltered, within its bounds, and signed by whom it should be."""

from __future__ import annotations

from ..runtime.packs.errors import describe_fault
from ..runtime.packs.keys import read_public_keys
from ..runtime.packs.pack import PackError, open_pack
from ..runtime.packs.signature import SCHEME, check_signature
from .options import Arguments, Command, Option
from .output import complain
from .project import PACK, pack_path

COMMAND = Command(
    "verify",
    "Check the digests of a pack, every index and bound in it, and with --key that it is signed.\n\n"
    "Exits with 0 if it holds, 1 if it does not, 2 if it cannot be read.",
    (
        Option("--digest", "the digest that the pack must have", "HEX"),
        Option(
            "--key",
            "a file of Ed25519 public keys (PEM), one of which must have signed it; may be repeated",
            "PUB",
            many=True,
        ),
    ),
    PACK,
)


def execute(arguments: Arguments) -> int:
    """Verify; 0 holds, 1 refused, 2 broken."""
    path = pack_path(arguments["pack"])
    signer = ""
    try:
        pack = open_pack(path)
        pack.verify()
        if arguments["key"]:
            keys = {key for file in arguments["key"] for key in read_public_keys(file)}
            signer = f", signed by {SCHEME}:{check_signature(pack, keys)}"
    except (PackError, OSError) as error:
        complain(describe_fault(path, error))
        return 1 if isinstance(error, PackError) else 2
    if arguments["digest"] not in (None, pack.digest):
        complain(f"{path}: another pack: its digest is {pack.digest}")
        return 1
    print(f"{path}: {pack.name} {pack.version} holds, digest {pack.digest}{signer}")
    return 0
