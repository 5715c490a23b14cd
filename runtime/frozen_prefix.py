"""`FrozenPrefix`: which part of a conversation a provider may have cached, and whether it is still what was sent.

Input: messages as a host sends them, plain dictionaries: those of Anthropic's Messages, of OpenAI's Chat Completions or
the items of its Responses. Output: the indices that may be changed, a drift with its layer and position, new lists in
which every frozen message is the same object.

A provider finds a cached prompt by its beginning: one changed byte, and all behind it is computed and paid for again.

What of a message counts: everything but its `metadata`, which no provider is sent, and `cache_control` of the message
and of its blocks, which says what to cache and is no part of it. The order of keys counts, as some are sent on as text.
Source: "Prompt caching" in the documentation of the Claude API ("Troubleshooting common issues": the order of keys).

Invariants: the frozen part grows and never shrinks, but by `reset`; each message is serialised once, when it is frozen:
later it is compared by its leaves, so a change within a message is seen, and a string that is still the same costs
nothing. No message is changed. Not for several threads at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Message = Mapping[str, Any]

SECTION = "cablese.section"
"""In `metadata`: the name of the layer that a message belongs to, where it is not that of its role."""
COMPRESSED = "cablese.compressed"
"""In `metadata`: the message has been made shorter, and is not offered again."""

_MAX_DEPTH = 200
_MARKS = frozenset({"metadata", "cache_control"})


class Drift(NamedTuple):
    """Where a prompt is no longer the one that was frozen. `missing`: it ends before this position."""

    position: int
    layer: str
    missing: bool

    def __str__(self) -> str:
        what = "is missing" if self.missing else "is another one"
        return f"message {self.position} of layer `{self.layer}` {what}, and the provider may have cached it"


class PrefixDriftError(Exception):
    """A prompt is not the continuation of the one that was frozen. `position` (from 0) and `layer` say where."""

    def __init__(self, drift: Drift) -> None:
        super().__init__(str(drift))
        self.position = drift.position
        self.layer = drift.layer
        self.missing = drift.missing


class FrozenPrefix:
    """The messages that were sent, up to `position`; `turn`, `resets` and `reason` say how it came to that."""

    def __init__(self) -> None:
        self.turn = 0
        self.resets = 0
        self.reason = ""
        self._layers: list[str] = []
        self._digests: list[str] = []
        self._leaves: list[Any] = []

    @property
    def position(self) -> int:
        """How many messages are frozen."""
        return len(self._digests)

    @property
    def fingerprint(self) -> str:
        """A digest of all that is frozen, 32 hexadecimal digits; the same for the same messages."""
        from .digests import blake2b

        return blake2b("".join(self._digests).encode("ascii"), digest_size=16).hexdigest()

    def find_drift(self, messages: Sequence[Message]) -> Drift | None:
        """Return the first frozen position at which these messages differ; None where they go on from it.

        Raises ValueError for a message that is no JSON object.
        """
        for position, layer in enumerate(self._layers):
            if position >= len(messages):
                return Drift(position, layer, missing=True)
            if not self._is_same(position, messages[position]):
                return Drift(position, layer, missing=False)
        return None

    def verify(self, messages: Sequence[Message]) -> None:
        """Raise PrefixDriftError where `find_drift` finds one."""
        drift = self.find_drift(messages)
        if drift is not None:
            raise PrefixDriftError(drift)

    def compressible(self, messages: Sequence[Message]) -> tuple[int, ...]:
        """Return the indices of messages that may be changed: not frozen, and not marked as made shorter."""
        return tuple(at for at in range(self.position, len(messages)) if not _metadata(messages[at]).get(COMPRESSED))

    def rewrite(self, messages: Sequence[Message], change: Callable[[Message], Message]) -> list[Message]:
        """Return the messages with `change` applied to those that may be changed; what it changed is marked.

        `change` returns another message, or the one it was given. All other messages are the same objects. Raises
        PrefixDriftError before anything is changed, and whatever `change` raises.
        """
        self.verify(messages)
        rewritten = list(messages)
        for at in self.compressible(messages):
            changed = change(messages[at])
            if changed is not messages[at]:
                rewritten[at] = {**changed, "metadata": {**_metadata(changed), COMPRESSED: True}}
        return rewritten

    def advance(self, messages: Sequence[Message], turn: int) -> bool:
        """Freeze all messages, which are now sent; False where that was done for this turn or a later one.

        Raises PrefixDriftError, for any turn, where they do not go on from what is frozen; then nothing changes.
        """
        self.verify(messages)
        if turn <= self.turn and self.position:
            return False
        read = [_read(message, at) for at, message in enumerate(messages) if at >= self.position]
        digests = [_digest(leaves) for leaves in read]
        self._layers += [_layer(message) for message in messages[self.position :]]
        self._digests += digests
        self._leaves += read
        self.turn = max(turn, self.turn)
        return True

    def reset(self, reason: str) -> None:
        """Forget what is frozen, as after a prompt was rebuilt on purpose. The turn stays, `resets` counts up."""
        self._layers, self._digests, self._leaves = [], [], []
        self.resets += 1
        self.reason = reason

    def to_record(self) -> dict[str, Any]:
        """Return the state as a JSON object without any content of messages."""
        return {
            "turn": self.turn,
            "resets": self.resets,
            "reason": self.reason,
            "layers": list(self._layers),
            "digests": list(self._digests),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> FrozenPrefix:
        """Return the state that `to_record` gave. Raises ValueError for anything else."""
        prefix = cls()
        try:
            turn, resets, reason = record["turn"], record["resets"], record["reason"]
            layers, digests = list(record["layers"]), list(record["digests"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"no record of a frozen prefix: {error}") from None
        if type(turn) is not int or type(resets) is not int or not all(isinstance(t, str) for t in [reason, *layers]):
            raise ValueError("no record of a frozen prefix: a field has another type")
        if len(layers) != len(digests) or not all(map(_is_digest, digests)):
            raise ValueError("no record of a frozen prefix: its digests are not one for each layer")
        prefix.turn, prefix.resets, prefix.reason = turn, resets, reason
        prefix._layers, prefix._digests, prefix._leaves = layers, digests, [None] * len(digests)
        return prefix

    def _is_same(self, position: int, message: Message) -> bool:
        leaves = _read(message, position)
        known = self._leaves[position]
        if known is not None:
            return leaves == known
        if _digest(leaves) != self._digests[position]:
            return False
        self._leaves[position] = leaves
        return True


def list_parts(request: Mapping[str, Any]) -> list[Message]:
    """Return what a provider caches of a whole request, in the order in which it does, as messages.

    The first two are the layers `tools` and `instructions` (`system` of Anthropic, `instructions` of Responses), there
    or not; then `messages` or `input`, which may be one string. Raises ValueError where neither is there.
    """
    body = request["messages"] if "messages" in request else request.get("input")
    if isinstance(body, str):
        body = [{"role": "user", "content": body}]
    if not isinstance(body, list):
        raise ValueError("a request has a list `messages`, or `input`")  # noqa: TRY004 - one error for what is no request
    instructions = request["system"] if "system" in request else request.get("instructions")
    return [
        {"role": "tools", "content": request.get("tools") or []},
        {"role": "instructions", "content": instructions or ""},
        *body,
    ]


def strip_metadata(messages: Sequence[Message]) -> list[Message]:
    """Return messages as they are sent: without `metadata`. Those that have none are the same objects."""
    return [
        {key: value for key, value in message.items() if key != "metadata"} if "metadata" in message else message
        for message in messages
    ]


def _metadata(message: Message) -> Mapping[str, Any]:
    metadata = message.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _layer(message: Message) -> str:
    for name in (_metadata(message).get(SECTION), message.get("role"), message.get("type")):
        if isinstance(name, str) and name:
            return name
    return "message"


def _read(message: Message, position: int) -> Any:
    """Return what counts of a message as nested tuples, which share its strings. Raises ValueError."""
    if not isinstance(message, dict):
        raise ValueError(f"message {position} is a {type(message).__name__}, not a dict")  # noqa: TRY004 - one error
    try:
        return _leaves(message, 0, is_block=True)
    except ValueError as error:
        raise ValueError(f"message {position}: {error}") from None


def _leaves(value: Any, depth: int, *, is_block: bool) -> Any:
    """Return a value as tuples. `is_block`: it is a message or a block of one, whose marks do not count."""
    kind = type(value)
    if kind is str:
        return value
    if depth > _MAX_DEPTH:
        raise ValueError(f"it is nested more than {_MAX_DEPTH} deep")
    if kind is dict:
        items = [item for item in value.items() if not (is_block and item[0] in _MARKS)]
        if not all(type(key) is str for key, _ in items):
            raise ValueError("a key is no string")
        parts = [(key, _leaves(item, depth + 1, is_block=is_block and _holds_blocks(key, item))) for key, item in items]
        return ("dict", *parts)
    if kind is list or kind is tuple:
        return ("list", *[_leaves(item, depth + 1, is_block=is_block) for item in value])
    if value is None or kind is bool or kind is int or kind is float:
        return (kind.__name__, repr(value))
    raise ValueError(f"a {kind.__name__} is no JSON value")


def _holds_blocks(key: str, value: Any) -> bool:
    """Tell whether a value of a message or block is a list of blocks, and no data of a tool."""
    return key in {"content", "output"} and type(value) is list


def _digest(leaves: Any) -> str:
    """Return the BLAKE2b digest, 32 hexadecimal digits, of what counts of a message, written as JSON."""
    import json

    from .digests import blake2b

    text = json.dumps(leaves, ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=16).hexdigest()


def _is_digest(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 32 and not text.strip("0123456789abcdef")
