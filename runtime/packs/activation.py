"""Whether packs that can be read may be used: signatures that are demanded, versions, and rules that two packs own.

Input: packs, the settings. Output: nothing, or a `PackError` of its own kind; of several packs, those that may be used
together. Loaded only where there are packs that do not ship with us.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import PackClash, PackDowngraded, describe_fault

if TYPE_CHECKING:
    from ..settings import Settings
    from .catalogue import PackSource
    from .pack import Pack


def check_signed(pack: Pack, settings: Settings) -> None:
    """Hold a pack against the demand for a signature, where there is one.

    Raises PackUnsigned, PackSignedByAnother, PackSignatureBroken, PackSignatureUnchecked.
    """
    if not settings.require_signature:
        return
    from .keys import read_public_keys
    from .signature import check_signature

    keys = {key for path in settings.keys for key in read_public_keys(path)}
    # What was checked when the pack was trusted need not be calculated for each command: its digest is the same.
    checked = {key for digest, key in settings.signed if digest == pack.digest}
    if not any(signature.key in keys and signature.key in checked for signature in pack.signatures):
        check_signature(pack, keys)


def place_of(path: str) -> str:
    """Return where a version is noted: for each project of its own, and once for a third party's pack, wherever it is.

    Projects call their packs alike, and third parties put versions into the names of files.
    """
    folder = os.path.dirname(os.path.abspath(path))
    return os.path.realpath(path) if os.path.basename(folder) == ".cablese" else ""


def check_version(pack: Pack, path: str, versions: Sequence[tuple[str, str, str]]) -> None:
    """Hold a pack against the version of its name that was trusted last. Raises PackDowngraded."""
    if not versions:
        return
    from .versions import is_lower

    place = place_of(path)
    for name, version, file in versions:
        if name == pack.name and file == place and is_lower(pack.version, version):
            raise PackDowngraded(f"{name} {pack.version}, and {version} was trusted before")


def settle_clashes(sources: Sequence[PackSource]) -> tuple[tuple[PackSource, ...], list[tuple[PackSource, str]]]:
    """Return the packs that own their rules alone, in their order, and those that are left out, with the reason.

    Packs that have to be whole come first, then those that are asked first. A pack that is given by hand takes the
    place of one of ours that has its name. Raises PackUnusableError where two have to be whole.
    """
    from .catalogue import PackUnusableError

    kept: list[PackSource] = []
    left: list[tuple[PackSource, str]] = []
    for source in sorted(sources, key=lambda source: not source.needed):
        clash = next(((other, owned) for other in kept if (owned := _clash(source, other))), None)
        if clash is None:
            kept.append(source)
            continue
        other, owned = clash
        error = PackClash(f"`{owned}` is owned by {_named(source)} and by {_named(other)}")
        if source.needed and not (source.own and source.pack.name == other.pack.name):
            raise PackUnusableError(describe_fault(other.path if source.own else source.path, error)) from error
        left.append((source, describe_fault(source.path, error)))
    return tuple(source for source in sources if source in kept), left


def _clash(source: PackSource, other: PackSource) -> str | None:
    from .roots import find_clash

    return find_clash(source.pack, other.pack)


def _named(source: PackSource) -> str:
    return f"{source.pack.name} {source.pack.version} ({source.path})"
