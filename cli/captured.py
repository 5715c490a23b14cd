"""The captured result that `view` and `why` are asked about: their common options, and the record these make.

Input: arguments. Output: a `ToolResult`, and the `Compressor` that the options describe.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from ..runtime.compressor import Compressor
from ..runtime.reasons import Reason
from ..runtime.records import ToolResult, View
from ..runtime.settings import LEVELS, read_settings
from .options import Arguments, Option
from .output import InputError, read_bytes, to_text

CAPTURED = (
    Option("--command", "the command that was run; without it, a result record is read from standard input", "CMD"),
    Option("--stdout", "its standard output (`-`: read from standard input); absent: it was empty", "FILE"),
    Option("--stderr", "its standard error; absent: it was empty", "FILE"),
    Option("--merged", "both streams interleaved, in place of --stdout and --stderr", "FILE"),
    Option("--exit-code", "its exit code; absent: unknown", "N", number=True),
    Option("--tool", "the tool that ran it (default: bash)", "NAME", default="bash"),
)
DECIDING = (
    Option("--admit", "let content kinds apply up to this level", "LEVEL", choices=("exact", "value", "normal")),
    Option("--no-store", "keep no original, so that nothing is summarised"),
    Option("--unrecoverable-ok", "allow summaries of originals that are not kept"),
    Option("--pack", "a pack that is asked before all others", "FILE"),
    Option("--level", "the level for this result, whatever its status and its entry say", "LEVEL", choices=LEVELS),
)


class Captured(NamedTuple):
    """A result, and the text of the record that it was read from, None where it was made of options."""

    result: ToolResult
    source: bytes | None


def read_captured(arguments: Arguments, path: str = "-") -> Captured:
    """Make the result that the options describe, or that a file holds as a record. Raises InputError, RecordError."""
    if arguments["command"] is not None:
        if path != "-":
            raise InputError("--command stands in place of a result record")
        return Captured(_read_streams(arguments), None)
    for name in ("stdout", "stderr", "merged", "exit_code"):
        if arguments[name] is not None:
            raise InputError(f"--{name.replace('_', '-')} needs --command")
    from .json_records import parse_record

    source = read_bytes(path)
    if not source.strip():
        raise InputError("no result: give its --command, or a result record (JSON) on standard input")
    return Captured(parse_record(source), source)


def _read_streams(arguments: Arguments) -> ToolResult:
    merged = arguments["merged"]
    if merged is None:
        if arguments["stdout"] is None and arguments["stderr"] is None:
            raise InputError("--command needs --stdout, --stderr or --merged")
        if arguments["stdout"] == arguments["stderr"] == "-":
            raise InputError("--stdout and --stderr cannot both be standard input")
        stdout, stderr = (
            "" if arguments[name] is None else to_text(read_bytes(arguments[name])) for name in ("stdout", "stderr")
        )
        return capture(arguments["command"], arguments["tool"], stdout, stderr, arguments["exit_code"])
    if arguments["stdout"] is not None or arguments["stderr"] is not None:
        raise InputError("--merged stands in place of --stdout and --stderr")
    text = to_text(read_bytes(merged))
    return _result(arguments["command"], arguments["tool"], text, {"merged": text}, arguments["exit_code"])


def capture(command: str, tool: str, stdout: str, stderr: str, exit_code: int | None) -> ToolResult:
    """Make the result of a run. Its content is the output and nothing else: the least a host would show a model."""
    content = stdout + stderr if stderr else stdout
    return _result(command, tool, content, {"stdout": stdout, "stderr": stderr}, exit_code)


def _result(command: str, tool: str, content: str, metadata: dict[str, Any], exit_code: int | None) -> ToolResult:
    if exit_code is not None:
        metadata["exit_code"] = exit_code
    return ToolResult(tool=tool, content=content, arguments={"command": command}, metadata=metadata)


def make_compressor(arguments: Arguments, *, kept: bool = True) -> Compressor:
    """Make the compressor that the options describe. `kept` False: keeping originals is tried and taken back.

    Raises InputError for a pack that cannot be used: where it was asked for by name, passing in silence is no answer.
    """
    if arguments["pack"] is not None:
        _check_pack(arguments["pack"])
    # A rehearsal is all of a store that a decision asks for.
    store: Any = False if arguments["no_store"] else True if kept else _Rehearsal()
    return Compressor.default(
        enable="curated",
        admit=arguments["admit"],
        store=store,
        packs=() if arguments["pack"] is None else (arguments["pack"],),
        unrecoverable_ok=arguments["unrecoverable_ok"],
        count=bool(arguments.get("count")),
        installed=False,
        ledger=kept,
    )


class _Rehearsal:
    """The configured store, in which nothing stays: what it says is what keeping would say."""

    def keep(self, content: bytes, *, tenant: str = "", run: str = "") -> str:
        """Return the handle that the original would have. Raises StoreError."""
        from ..runtime.stores.open_store import ConfiguredStore

        return ConfiguredStore(read_settings(os.environ, os.getcwd())).rehearse(content, tenant=tenant, run=run)

    def fetch(self, handle: str, *, tenant: str = "", run: str = "") -> bytes | None:
        """Return nothing: nothing is kept."""
        del handle, tenant, run


def own_fault(view: View, compressor: Compressor) -> str | None:
    """Say what of ours is broken, where that is why a view is the original."""
    decision = view.decision
    if decision.reason in (Reason.STORE_FAILED, Reason.CODEC_ERROR):
        return f"not summarised: {decision.detail}"
    return compressor.fault and f"nothing is summarised: {compressor.fault}"


def _check_pack(path: str) -> None:
    """Refuse a pack that cannot be opened or used, or has a fault in an admission entry. Raises InputError."""
    from ..runtime.packs.catalogue import Catalogue, PackUnusableError, open_pack_file
    from ..runtime.settings import SettingsError

    try:
        admits = open_pack_file(path).admits
        catalogue = Catalogue(read_settings(os.environ, os.getcwd()), (path,))
        catalogue.manifest() if admits else catalogue.sources()
    except PackUnusableError as error:
        if str(error).startswith(f"{path}:"):
            raise InputError(str(error)) from None
    except SettingsError:
        # Then everything passes, and the decision says why.
        return
