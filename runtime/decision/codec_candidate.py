"""The candidate of a codec: which admission entry claims a result, at which level, and what its codec makes of it.

Input: a result that no rule claims, the manifest, the level that was given for this call. Output: an `Encoding`, or
PassThrough.

Entries are tried in the order of claim, and the first whose codec takes the payload decides; what becomes of it is
final. An entry of level `none` ends the search.

Invariants: no codec gets a payload that it could change for others; a guarantee is held against the level, and one
below `value` is given only where the original can be kept or the caller does without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..codecs.codec import Encoded, NotApplicableError, Request
from ..codecs.registry import find_codec, is_built_in
from ..hosting.routing import DEFAULT_GUARD
from ..native_rows import encode_natively
from ..packs.manifest import EVERY_TOOL, WITHOUT_ENTRY, Entry, Manifest
from ..reasons import PassThrough, Reason
from ..records import ToolResult, is_text
from .levels import RECOVERABLE_FORMS, admits_guarantee, cap_level
from .policy import SHELL_TOOLS, failure_of

if TYPE_CHECKING:
    from ..codecs.codec import Codec
    from ..settings import Settings
    from .walk import Context

Note = Callable[[str, Any], None]


class Encoding(NamedTuple):
    """What a codec made of a payload, and under which entry and level."""

    payload: Any
    guarantee: str
    detail: str | None
    entry: Entry
    level: str

    @property
    def keeps(self) -> bool:
        """Whether the original is to be kept, where there is a store."""
        return self.entry.tee or self.guarantee not in RECOVERABLE_FORMS

    @property
    def points(self) -> bool:
        """Whether the model is told of the original. Not where only null keys are left out: telling costs more."""
        return self.guarantee == "summary" or (self.guarantee == "shape" and self.entry.codec != "json_compact")


class Trial(NamedTuple):
    """An entry that was tried, and why its codec did not take the payload; None: it did."""

    entry: Entry
    level: str
    refusal: str | None


class Levels(NamedTuple):
    """What bounds the level of every entry for one result."""

    given: str | None
    ceiling: str
    narrowing: Entry | None
    recoverable: bool

    def choose(self, entry: Entry, tool: str) -> tuple[str, str | None]:
        """Return the level at which an entry runs, and what lowered it for want of a store. Raises PassThrough."""
        wanted = entry.level if self.given is None else self.given
        level = cap_level(wanted, self.ceiling)
        if self.narrowing is not None:
            level = cap_level(level, self.narrowing.level)
        if level == "none":
            raise PassThrough(Reason.LEVEL_NONE, self._why_none(entry, wanted, tool))
        if not self.recoverable and level != "minimal":
            return "minimal", f"level `{level}` needs a store for the original, and there is none"
        return level, None

    def _why_none(self, entry: Entry, wanted: str, tool: str) -> str:
        if wanted == "none":
            return "this call is at level `none`" if self.given else f"{_name(entry)} says level `none`"
        if self.ceiling == "none":
            return f"the ceiling for the tool `{tool}` is `none`"
        assert self.narrowing is not None
        return f"{_name(self.narrowing)}, which is not trusted, allows level `none`"


def find_entries(result: ToolResult, manifest: Manifest) -> tuple[Entry, ...]:
    """Return the entries that may claim a result, in order. Text of a shell tool is for none that names no tool."""
    entries = manifest.candidates(result.tool)
    if result.tool in SHELL_TOOLS and is_text(result.content):
        return tuple(entry for entry in entries if entry.pattern != EVERY_TOOL)
    return entries or (WITHOUT_ENTRY,)


def find_encoding(
    result: ToolResult,
    entries: tuple[Entry, ...],
    manifest: Manifest,
    context: Context,
    level: str | None,
    note: Note,
    fields: dict[str, Any],
) -> Encoding:
    """Let the entries be tried. `fields` takes what the record says of the one that decided. Raises PassThrough."""
    # An override is the caller's word that this result is to be encoded, failed or not.
    failure = None if level is not None else failure_of(result)
    if failure is not None:
        raise PassThrough(Reason.LEVEL_NONE, f"{failure}, and codecs leave that alone")
    levels = Levels(level, context.settings.ceiling(result.tool), manifest.narrowing(result.tool), context.recoverable)
    trials: list[Trial] = []
    note("trials", trials)
    first: tuple[Entry, str, str] | None = None
    # Content kinds, which tell a payload by its look, are asked before the first entry that is for every tool.
    for entry in entries:
        at, lowered = levels.choose(entry, result.tool)
        fields["codec"], fields["level"], fields["pack"] = entry.codec, at, entry.pack
        try:
            refusal = _glance(entry.codec, result.content)
            encoded = _compress(entry, at, result, context) if refusal is None else None
        except NotApplicableError as error:
            encoded, refusal = None, str(error)
        if encoded is None:
            trials.append(Trial(entry, at, refusal))
            first = first or (entry, at, refusal or "")
            continue
        trials.append(Trial(entry, at, None))
        details = [each for each in (lowered, encoded.detail) if each]
        return Encoding(encoded.payload, encoded.guarantee, "; ".join(details) or None, entry, at)
    assert first is not None
    entry, at, refusal = first
    fields.update(codec=entry.codec, level=at, pack=entry.pack)
    raise PassThrough(Reason.NOT_APPLICABLE, f"`{entry.codec}`: {refusal}")


def _glance(name: str, payload: Any) -> str | None:
    """Say why a codec of the house does not take a payload, where it can tell at a glance: most text is no JSON."""
    declines = getattr(find_codec(name), "declines", None) if is_built_in(name) else None
    return None if declines is None else declines(payload)


def _compress(entry: Entry, level: str, result: ToolResult, context: Context) -> Encoded:
    """Call a codec and hold its guarantee against the level. Raises NotApplicableError, PassThrough."""
    codec = find_codec(entry.codec)
    if codec is None:
        raise PassThrough(Reason.CODEC_ERROR, f"there is no codec `{entry.codec}`")
    payload = result.content
    if isinstance(payload, bytearray):
        payload = bytes(payload)
    original = payload
    foreign, debug = not is_built_in(entry.codec), context.settings.debug
    if (foreign or debug) and not isinstance(payload, str | bytes):
        payload = _copy(payload)
    request = Request(level, entry.params, context.recoverable, context.budget_tokens)
    with (context.guard or DEFAULT_GUARD).watch(entry.codec, payload, level):
        native = encode_natively(entry.codec, payload, request)
        encoded, proved = native or (codec.compress(payload, request), getattr(codec, "proves", False))
    if foreign or debug:
        _hold_to_word(codec, original, payload, encoded, debug=debug)
    elif encoded.guarantee in RECOVERABLE_FORMS and not proved:
        _prove(codec, original, encoded)
    if not admits_guarantee(level, encoded.guarantee, entry.codec):
        words = f"`{entry.codec}` gave guarantee `{encoded.guarantee}`, which level `{level}` does not admit"
        raise PassThrough(Reason.CODEC_ERROR, words)
    if encoded.guarantee not in RECOVERABLE_FORMS and not context.recoverable:
        raise PassThrough(Reason.UNRECOVERABLE, "a loss needs a store for the original, and there is none")
    return encoded


def _copy(payload: Any) -> Any:
    """Return a copy: what others wrote may change what it is given, and the original has to stay as it was.

    Raises NotApplicableError for what has none, such as a generator.
    """
    from copy import deepcopy

    try:
        return deepcopy(payload)
    except Exception as error:  # noqa: BLE001 - classes of a host may do anything
        raise NotApplicableError(f"the payload cannot be copied: {type(error).__name__}") from None


def _prove(codec: Codec, original: Any, encoded: Encoded) -> None:
    """Hold a codec of the house to its claim that nothing is lost. Raises PassThrough."""
    from ..codecs.verify import UnfaithfulError, prove

    try:
        prove(original, encoded, codec)
    except UnfaithfulError as error:
        raise PassThrough(Reason.CODEC_ERROR, str(error)) from error


def _hold_to_word(codec: Codec, original: Any, given: Any, encoded: Encoded, *, debug: bool) -> None:
    """Hold what a codec returned, and what it did to the copy it was given, against its word. Raises PassThrough."""
    from ..codecs.verify import UnfaithfulError, check_encoded, check_untouched, verify_encoded

    try:
        if debug:
            verify_encoded(original, encoded, codec)
            check_untouched(original, given, codec)
        else:
            check_encoded(original, encoded, codec)
    except UnfaithfulError as error:
        raise PassThrough(Reason.CODEC_ERROR, str(error)) from error


def _name(entry: Entry) -> str:
    return f'`admit "{entry.pattern}"`' + (f" ({entry.place}, {entry.source})" if entry.source else "")


def claims_text(tool: str, manifest: Manifest, settings: Settings) -> bool:
    """Tell whether an entry may claim text of a shell tool, whatever its command."""
    if settings.ceiling(tool) == "none":
        return False
    entries = (entry for entry in manifest.candidates(tool) if entry.pattern != EVERY_TOOL)
    return next((entry.level != "none" for entry in entries), False)
