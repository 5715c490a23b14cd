"""`cablese trust`: allow the pack of a project or of a third party to be used, as it is now.

The list is kept beside the user's configuration: a line per pack, its digest, and behind it the file of a pack that is
to be asked everywhere; a project's own pack (`.cablese/pack.cablepack`) counts in that project alone. Further lines
(`runtime/packs/trusted.py`) note its version, so that it is not exchanged for an older one; the signature that was
checked where one is demanded, and codecs of installed packages that it needs, so that `run` and `view` need not do so
again.
"""

from __future__ import annotations

import os

from ..runtime.codecs.plugins import UnknownCodecError
from ..runtime.codecs.registry import is_built_in
from ..runtime.packs.activation import check_version, place_of
from ..runtime.packs.errors import describe_fault
from ..runtime.packs.keys import read_public_keys
from ..runtime.packs.pack import Pack, PackError, open_pack
from ..runtime.packs.signature import check_signature
from ..runtime.packs.trusted import CODEC, SIGNED, Trusted, read_trusted, version_line
from ..runtime.settings import SettingsError, read_settings, trust_list
from .options import Arguments, Command, Option
from .output import complain, write_file
from .project import PACK, pack_path

COMMAND = Command(
    "trust",
    "Allow a project's or a third party's pack to be used, as it is now: another digest is another pack.\n\n"
    "PACK may also be the name of a pack that an installed package brings. Codecs of installed packages\n"
    "that the pack needs are allowed with it. Where the configuration demands a signature, it is checked.",
    (Option("--allow-downgrade", "also where a higher version of the pack was trusted before"),),
    PACK,
)


def execute(arguments: Arguments) -> int:
    """Verify the pack and add it to the list; 0, 1 if it is refused, 2 if something cannot be read or written."""
    path = _find(pack_path(arguments["pack"]))
    try:
        pack = open_pack(path)
        pack.verify()
        codecs = _find_codecs(pack.requires)
        where = trust_list(os.environ)
        known = read_trusted(where)
        key = _check_signature(pack)
        if not arguments["allow_downgrade"]:
            check_version(pack, path, known.versions)
        lines = _new_lines(pack, path, known, codecs, key)
        if lines:
            _add(where, lines)
    except UnknownCodecError as error:
        complain(f"{path}: {error}")
        return 1
    except SettingsError as error:
        complain(str(error))
        return 2
    except (PackError, OSError) as error:
        named = error.filename if isinstance(error, OSError) and isinstance(error.filename, str) else path
        complain(describe_fault(named, error))
        return 1 if isinstance(error, PackError) else 2
    print(f"{path}: {pack.name} {pack.version} is trusted, digest {pack.digest}")
    return 0


def _find(given: str) -> str:
    """Return the file of a pack that was given by its file, or by the name of an installed one."""
    if os.path.exists(given) or os.sep in given or "." in given:
        return given
    from ..runtime.packs.installed import find_installed

    return find_installed().packs.get(given, given)


def _find_codecs(requires: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return names and targets of the codecs that installed packages bring for a pack. Raises UnknownCodecError."""
    names = [name for need in requires if not is_built_in(name := need.removeprefix("codec:"))]
    if not names:
        return []
    from importlib.metadata import entry_points

    from ..runtime.codecs.plugins import GROUP, check_codecs, load_codec_plugins

    load_codec_plugins()
    check_codecs(names)
    return [(name, entry.value) for name in names for entry in entry_points(group=GROUP, name=name)]


def _check_signature(pack: Pack) -> str | None:
    """Return the key whose signature holds, None where none is demanded. Raises PackError, SettingsError.

    What a project's file says does not matter to it, and may be broken.
    """
    settings = read_settings(os.environ, os.sep)
    if not settings.require_signature:
        return None
    return check_signature(pack, {key for file in settings.keys for key in read_public_keys(file)})


def _new_lines(pack: Pack, path: str, known: Trusted, codecs: list[tuple[str, str]], key: str | None) -> list[str]:
    """Return the lines that the list still lacks."""
    lines = [f"{CODEC}{name} {target}" for name, target in codecs if (name, target) not in known.codecs]
    file, place = os.path.abspath(path), place_of(path)
    if place or file in known.files:
        lines += [pack.digest] * (pack.digest not in known.digests)
    else:
        # One of a project has no file in the list: it is found where the project is.
        lines.append(f"{pack.digest} {file}")
    if (pack.name, pack.version, place) not in known.versions:
        lines.append(version_line(pack.name, pack.version, place))
    if key is not None and (pack.digest, key) not in known.signed:
        lines.append(f"{SIGNED}{pack.digest} {key}")
    return lines


def _add(where: str, lines: list[str]) -> None:
    os.makedirs(os.path.dirname(where), mode=0o700, exist_ok=True)
    try:
        with open(where, "rb") as file:
            before = file.read()
    except FileNotFoundError:
        before = b""
    if before and not before.endswith(b"\n"):
        before += b"\n"
    write_file(where, before + b"".join(os.fsencode(line) + b"\n" for line in lines))
