"""`cablese compile`: rule files in, one pack out; nothing is written while there are findings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from ..runtime.codecs.registry import is_built_in
from ..runtime.packs.pack import load_pack
from ..runtime.packs.signature import MISSING, MOST_SIGNATURES
from ..runtime.packs.trusted import read_trusted
from ..runtime.packs.versions import version_key
from ..runtime.settings import SettingsError, trust_list
from .findings import CI_FORMAT, render_findings
from .options import Arguments, Command, Option
from .output import InputError, complain, count_of, read_bytes, write_file
from .project import PROJECT_PACK, PROJECT_RULES, RULES, rule_paths
from .rule_files import read_rule_files

COMMAND = Command(
    "compile",
    "Compile rule files to a pack. The same files give the same bytes on every machine.\n"
    "A signature is written into its first line; the digest is the same without.\n\n"
    "Exits with 0 if the pack was written, 1 if the files have faults, 2 if something cannot be\n"
    "read or written.",
    (
        Option("--output", "the pack to write (default for a project's rules: its pack)", "PACK", short="-o"),
        Option("--name", "the name of the pack (default: that of its file)", "NAME"),
        Option("--pack-version", "the version of the pack (default: 1.0.0)", "VERSION", default="1.0.0"),
        Option("--root", "a beginning of rule ids that are the pack's alone; may be repeated", "ID", many=True),
        Option("--sign", "an Ed25519 private key (PEM) to sign the pack with; may be repeated", "KEY", many=True),
        Option("--draft", "do not ask for the examples that a finished rule needs"),
        CI_FORMAT,
    ),
    RULES,
)


def execute(arguments: Arguments) -> int:
    """Compile; 0 written, 1 findings, 2 broken."""
    from ..compiler import StrayRuleError, compile_sources

    for option in ("name", "pack_version"):
        if not (arguments[option] or "").isprintable():
            complain(f"compile: --{option.replace('_', '-')}: {arguments[option]} is not one line that can be shown")
            return 2
    output = arguments["output"]
    if output is None and not arguments["path"] and os.path.isdir(PROJECT_RULES):
        output = PROJECT_PACK
    if output is None:
        complain("compile: -o PACK is missing")
        return 2
    try:
        sign = _signer(arguments["sign"])
        files = read_rule_files(rule_paths(arguments["path"]))
    except InputError as error:
        complain(str(error))
        return 2
    try:
        done = compile_sources(
            files.sources,
            name=arguments["name"] or os.path.basename(output).partition(".")[0],
            version=arguments["pack_version"],
            roots=arguments["root"],
            draft=arguments["draft"],
            read=files.read,
        )
    except StrayRuleError as error:
        complain(f"compile: --root: {error}")
        return 1
    diagnostics = (*files.diagnostics, *done.diagnostics)
    if diagnostics or done.pack is None:
        sys.stdout.write(render_findings(diagnostics, arguments["format"], files.base))
        return 1
    data = sign(done.pack)
    try:
        write_file(output, data)
    except OSError as error:
        complain(f"{output}: {error.strerror}")
        return 2
    pack = load_pack(done.pack)
    entries = [f"{pack.admits} admission entr{'y' if pack.admits == 1 else 'ies'}"] if pack.admits else []
    rules = [count_of(len(done.rules), "rule")] if done.rules or not entries else []
    print(f"{output}: {', '.join([*rules, *entries, count_of(len(data), 'byte')])}")
    notes = _missing_codecs(pack.requires)
    if version_key(pack.version) is None:
        notes.append(
            f"`{pack.version}` is no version such as 1.4.2, so nothing can tell an older pack from a newer one"
        )
    for note in notes:
        complain(f"note: {note}")
    if os.path.basename(os.path.dirname(os.path.abspath(output))) == ".cablese" and not _is_trusted(done.pack):
        print(f"it is used once it is trusted: cablese trust {output}")
    return 0


def _signer(paths: list[str]) -> Callable[[bytes], bytes]:
    """Return what signs a pack with the keys of these files. Raises InputError, before anything is compiled."""
    if not paths:
        return bytes
    try:
        from ..compiler.signing import SigningError, load_private_key, sign_pack
    except ImportError:
        raise InputError(f"compile: --sign: {MISSING}") from None
    if len(paths) > MOST_SIGNATURES:
        raise InputError(f"compile: a pack has at most {MOST_SIGNATURES} signatures")
    keys = []
    for path in paths:
        try:
            keys.append(load_private_key(read_bytes(path)))
        except SigningError as error:
            raise InputError(f"{path}: {error}") from None
    return lambda data: sign_pack(data, keys)


def _missing_codecs(requires: tuple[str, ...]) -> list[str]:
    """Return a line for each codec that the pack needs and nothing that is installed here brings."""
    names = [name for need in requires if not is_built_in(name := need.removeprefix("codec:"))]
    if not names:
        return []
    from ..runtime.codecs.plugins import UnknownCodecError, check_codecs, load_codec_plugins

    load_codec_plugins()
    notes = []
    for name in names:
        try:
            check_codecs((name,))
        except UnknownCodecError as error:
            notes.append(f"the pack is refused where it is loaded like this: {error}")
    return notes


def _is_trusted(pack: bytes) -> bool:
    try:
        trusted = read_trusted(trust_list(os.environ))
    except SettingsError:
        return False
    return load_pack(pack).digest in trusted.digests
