"""The list of packs that the user trusts, which `cablese trust` keeps beside the user's configuration.

Input: its path. Output: a `Trusted`. Each line is one of

    DIGEST                         the pack of a project, which is found where the project is
    DIGEST FILE                    a third party's pack, which is asked everywhere
    codec NAME TARGET              a codec of an installed package, `module:attribute`
    version [NAME, VERSION, FILE]  the version that was trusted last, as JSON; FILE is empty for a third party's pack
    signed DIGEST KEY              a signature that was checked when the pack was trusted

Of two lines `version` of one name and file the later counts. The list stands beside the configuration that demands
signatures and is as safe as that, so what it says of them is not calculated again.
"""

from __future__ import annotations

from typing import NamedTuple

from ..settings import SettingsError, read_text

CODEC, VERSION, SIGNED = "codec ", "version ", "signed "


class Trusted(NamedTuple):
    """What the list says: digests, files of third parties, codecs with their targets, versions by name and file, and
    pairs of a digest and a key that signed it.
    """

    digests: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    codecs: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str, str], ...] = ()
    signed: tuple[tuple[str, str], ...] = ()


def read_trusted(path: str) -> Trusted:
    """Read the list; where there is none, nothing is trusted. Raises SettingsError."""
    digests: list[str] = []
    files: list[str] = []
    codecs: list[tuple[str, str]] = []
    versions: dict[tuple[str, str], str] = {}
    signed: list[tuple[str, str]] = []
    for number, line in enumerate((read_text(path) or "").splitlines(), 1):
        word, _, rest = line.partition(" ")
        if line.startswith(CODEC):
            codecs += [_pair(rest)] if rest.count(" ") == 1 else []
        elif line.startswith(VERSION):
            name, version, file = _parse_version(rest, f"{path}:{number}")
            versions[name, file] = version
        elif line.startswith(SIGNED):
            signed += [_pair(rest)] if rest.count(" ") == 1 else []
        elif word:
            digests.append(word)
            files += [rest] * bool(rest)
    listed = tuple((name, version, file) for (name, file), version in versions.items())
    return Trusted(frozenset(digests), tuple(files), tuple(codecs), listed, tuple(signed))


def version_line(name: str, version: str, file: str) -> str:
    """Return the line that says which version of a pack was trusted."""
    import json

    return VERSION + json.dumps([name, version, file])


def _pair(text: str) -> tuple[str, str]:
    first, _, second = text.partition(" ")
    return first, second


def _parse_version(text: str, where: str) -> tuple[str, str, str]:
    import json

    try:
        name, version, file = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        name = version = file = None
    if not (isinstance(name, str) and isinstance(version, str) and isinstance(file, str)):
        raise SettingsError(f"{where}: not the name, version and file of a pack")
    return name, version, file
