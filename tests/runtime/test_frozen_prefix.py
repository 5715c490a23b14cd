"""`FrozenPrefix`: each row of its documented table, what the documented one got wrong, and three shapes of messages."""

from __future__ import annotations

import copy
import json

import pytest
from cablese.runtime import FrozenPrefix, PrefixDriftError
from cablese.runtime import frozen_prefix as module
from cablese.runtime.frozen_prefix import COMPRESSED, SECTION, list_parts, strip_metadata
from hypothesis import given
from hypothesis import strategies as st

CHAT = [
    {"role": "system", "content": "Be brief.", "metadata": {SECTION: "instructions"}},
    {"role": "user", "content": "List the files."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"path":"."}'}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "a.py\nb.py"},
]
ANTHROPIC = [
    {"role": "user", "content": [{"type": "text", "text": "List.", "cache_control": {"type": "ephemeral"}}]},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {"path": ".", "all": 1}}],
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a.py"}]}],
    },
]
RESPONSES = [
    {"role": "user", "content": [{"type": "input_text", "text": "List."}]},
    {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "a.py"},
]
SHAPES = pytest.mark.parametrize("messages", [CHAT, ANTHROPIC, RESPONSES], ids=["chat", "anthropic", "responses"])


def frozen(messages, turn=1):
    """Freeze these messages."""
    prefix = FrozenPrefix()
    assert prefix.advance(messages, turn)
    return prefix


def drift(prefix, messages):
    """Return layer and position of the drift."""
    with pytest.raises(PrefixDriftError) as caught:
        prefix.verify(messages)
    return caught.value.layer, caught.value.position


def leaf_changes(value, path=()):
    """Give each place of a message at which something stands, with another thing for it."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in {"metadata", "cache_control"}:
                yield from leaf_changes(item, (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from leaf_changes(item, (*path, at))
    else:
        yield path, "another" if value != "another" else 1


def changed_at(messages, path, value):
    """Return a copy with one place changed."""
    copied = copy.deepcopy(messages)
    place = copied
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return copied


def test_fresh_everything_is_live():
    """Position 0."""
    prefix = FrozenPrefix()
    assert prefix.position == 0
    assert prefix.compressible(CHAT) == (0, 1, 2, 3)
    prefix.verify(CHAT)


def test_after_two_the_last_two_are_live():
    """Two messages frozen, four given: 2 and 3 may be changed."""
    prefix = frozen(CHAT[:2])
    assert (prefix.position, prefix.compressible(CHAT)) == (2, (2, 3))


def test_rewritten_system_message_drifts_in_its_layer():
    """Layer `instructions`, position 0; without a name for it, the layer is the role."""
    rewritten = [{**CHAT[0], "content": "Be long."}, *CHAT[1:]]
    assert drift(frozen(CHAT), rewritten) == ("instructions", 0)
    assert drift(frozen(CHAT), [CHAT[0], {**CHAT[1], "content": "?"}]) == ("user", 1)
    assert drift(frozen(RESPONSES), [*RESPONSES[:2], {**RESPONSES[2], "output": "?"}]) == ("function_call_output", 2)


def test_shorter_prompt_drifts_at_the_missing_position():
    """It says so."""
    with pytest.raises(PrefixDriftError, match="message 3 of layer `tool` is missing") as caught:
        frozen(CHAT).verify(CHAT[:3])
    assert (caught.value.position, caught.value.missing) == (3, True)


def test_second_advance_for_a_turn_is_ignored():
    """Nothing more is frozen for that turn, or an earlier one."""
    prefix = frozen(CHAT[:2], turn=2)
    assert not prefix.advance(CHAT, 2)
    assert not prefix.advance(CHAT, 1)
    assert (prefix.position, prefix.turn) == (2, 2)
    assert prefix.advance(CHAT, 3)
    assert (prefix.position, prefix.turn) == (4, 3)


@SHAPES
def test_marks_are_no_drift(messages):
    """Metadata, and where a cache breakpoint stands, are not sent as part of what is cached."""
    prefix = frozen(messages)
    marked = copy.deepcopy(messages)
    for message in marked:
        message["metadata"] = {"note": 1}
        if isinstance(message.get("content"), list):
            for block in message["content"]:
                block.pop("cache_control", None)
            message["content"][-1]["cache_control"] = {"type": "ephemeral"}
    prefix.verify(marked)
    assert frozen(marked).fingerprint == prefix.fingerprint


def test_data_of_a_tool_with_the_name_of_a_mark_counts():
    """Only messages and blocks have marks."""
    use = {"role": "assistant", "content": [{"type": "tool_use", "name": "put", "input": {"metadata": {"a": 1}}}]}
    assert drift(frozen([use]), changed_at([use], (0, "content", 0, "input", "metadata", "a"), 2)) == ("assistant", 0)


def test_marked_message_is_not_offered_again():
    """What has been made shorter stays so."""
    messages = [*CHAT[:3], {**CHAT[3], "metadata": {COMPRESSED: True}}]
    assert FrozenPrefix().compressible(messages) == (0, 1, 2)


def test_advance_verifies_and_changes_nothing_on_a_drift():
    """The documented one froze whatever came."""
    prefix = frozen(CHAT[:3])
    before = prefix.to_record()
    for turn in (1, 2):
        with pytest.raises(PrefixDriftError):
            prefix.advance([{"role": "system", "content": "?"}, *CHAT[1:]], turn)
    assert prefix.to_record() == before


def test_later_turn_with_fewer_messages_never_shrinks_the_frozen_part():
    """The documented one took the shorter prompt, and would have offered sent messages for change."""
    prefix = frozen(CHAT)
    with pytest.raises(PrefixDriftError):
        prefix.advance(CHAT[:1], 2)
    assert (prefix.position, prefix.turn) == (4, 1)


def test_advance_is_all_or_nothing():
    """A message that is no JSON leaves the state as it was."""
    prefix = frozen(CHAT[:1])
    with pytest.raises(ValueError, match="message 2: a set is no JSON value"):
        prefix.advance([*CHAT[:2], {"role": "user", "content": {1}}], 2)
    assert prefix.position == 1


def test_reset_is_counted_and_keeps_the_turn():
    """After it all is live, and the same turn may be frozen again."""
    prefix = frozen(CHAT, turn=5)
    prefix.reset("history summarised")
    assert (prefix.position, prefix.turn, prefix.resets, prefix.reason) == (0, 5, 1, "history summarised")
    assert prefix.advance(CHAT[:1], 5)
    prefix.reset("again")
    assert prefix.resets == 2


@SHAPES
def test_change_within_a_message_is_seen(messages):
    """In place or in a copy, at every leaf, though digests are computed once."""
    for position, message in enumerate(messages):
        for path, value in leaf_changes(message):
            assert drift(frozen(messages), changed_at(messages, (position, *path), value))[1] == position
    mine = copy.deepcopy(messages)
    prefix = frozen(mine)
    mine[1]["role"] = "somebody"
    assert drift(prefix, mine)[1] == 1


@pytest.mark.parametrize(
    ("old", "new"), [(1, True), (1, 1.0), (0, False), ("1", 1), (None, "None"), (0.0, -0.0), ([], {})]
)
def test_values_that_only_look_the_same_are_drift(old, new):
    """They are written otherwise, and so is the order of keys."""
    assert drift(frozen([{"role": "tool", "content": old}]), [{"role": "tool", "content": new}]) == ("tool", 0)
    restored = FrozenPrefix.from_record(frozen([{"role": "tool", "content": old}]).to_record())
    assert drift(restored, [{"role": "tool", "content": new}]) == ("tool", 0)
    use = [{"role": "assistant", "content": [{"type": "tool_use", "input": {"a": 1, "b": 2}}]}]
    assert drift(frozen(use), [{"role": "assistant", "content": [{"type": "tool_use", "input": {"b": 2, "a": 1}}]}])


@SHAPES
def test_each_message_is_serialised_once(messages, monkeypatch):
    """However often the prefix is verified and advanced."""
    calls = []
    digest = module._digest
    monkeypatch.setattr(module, "_digest", lambda leaves: calls.append(1) or digest(leaves))
    prefix = FrozenPrefix()
    for count in range(1, len(messages) + 1):
        assert prefix.advance(messages[:count], count)
        prefix.verify(copy.deepcopy(messages))
    assert len(calls) == len(messages)


@SHAPES
def test_rewriting_leaves_frozen_messages_the_same_objects(messages):
    """Only what is live is given to the change, and what it changed is marked; sent messages carry no mark."""
    prefix = frozen(messages[:2])
    seen = []

    def shorten(message):
        seen.append(message)
        return {**message, "content": "short"}

    before = copy.deepcopy(messages)
    rewritten = prefix.rewrite(messages, shorten)
    assert seen == messages[2:]
    assert messages == before
    assert all(new is old for new, old in zip(rewritten[:2], messages[:2], strict=True))
    assert all(message["content"] == "short" for message in rewritten[2:])
    assert prefix.compressible(rewritten) == ()
    assert not any("metadata" in message for message in strip_metadata(rewritten))
    assert strip_metadata(messages)[1] is messages[1]
    assert prefix.rewrite(messages, lambda message: message) == list(messages)


def test_nothing_is_rewritten_after_a_drift():
    """The change is not even asked."""
    with pytest.raises(PrefixDriftError):
        frozen(CHAT).rewrite(CHAT[1:], lambda _: pytest.fail("asked"))


def test_parts_of_a_request_have_the_layers_of_the_cache():
    """A tool that comes or goes, and another instruction, are drifts at the front."""
    request = {"model": "m", "messages": ANTHROPIC, "system": [{"type": "text", "text": "Be brief."}]}
    prefix = frozen(list_parts(request))
    assert drift(prefix, list_parts({**request, "tools": [{"name": "ls"}]})) == ("tools", 0)
    assert drift(prefix, list_parts({**request, "system": "Be long."})) == ("instructions", 1)
    prefix.verify(list_parts({**request, "messages": [*ANTHROPIC, {"role": "user", "content": "more"}]}))
    responses = {"instructions": "Be brief.", "input": RESPONSES}
    assert [part["role"] for part in list_parts(responses)[:2]] == ["tools", "instructions"]
    assert list_parts({"input": "Hello"})[2] == {"role": "user", "content": "Hello"}
    with pytest.raises(ValueError, match="`messages`"):
        list_parts({"prompt": "Hello"})


@SHAPES
def test_state_survives_a_process_without_content(messages):
    """A record holds digests; what is restored from it finds the same drifts."""
    prefix = frozen(messages)
    text = json.dumps(prefix.to_record())
    assert "a.py" not in text
    assert "List" not in text
    restored = FrozenPrefix.from_record(json.loads(text))
    assert restored.fingerprint == prefix.fingerprint
    restored.verify(copy.deepcopy(messages))
    for path, value in leaf_changes(messages):
        fresh = FrozenPrefix.from_record(json.loads(text))
        for each in (fresh, restored):
            assert drift(each, changed_at(messages, path, value))[1] == path[0]


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"turn": 1, "resets": 0, "reason": "", "layers": ["user"], "digests": []},
        {"turn": 1, "resets": 0, "reason": "", "layers": ["user"], "digests": ["zz"]},
        {"turn": "1", "resets": 0, "reason": "", "layers": [], "digests": []},
        {"turn": 1, "resets": 0, "reason": None, "layers": [], "digests": []},
    ],
)
def test_broken_record_is_refused(record):
    """It is no prefix with fewer messages."""
    with pytest.raises(ValueError, match="no record of a frozen prefix"):
        FrozenPrefix.from_record(record)


def test_deep_and_foreign_messages_are_refused():
    """With their position; nothing else comes out."""
    deep = {"role": "user", "content": []}
    for _ in range(5000):
        deep = {"role": "user", "content": [deep]}
    with pytest.raises(ValueError, match="message 0: it is nested more than 200 deep"):
        FrozenPrefix().advance([deep], 1)
    with pytest.raises(ValueError, match="message 0 is a str, not a dict"):
        FrozenPrefix().advance(["hello"], 1)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
MESSAGES = st.lists(st.fixed_dictionaries({"role": st.sampled_from(["user", "tool"]), "content": JSON}), max_size=5)


@given(MESSAGES, MESSAGES)
def test_drift_is_where_the_first_difference_is(old, new):
    """For any messages: the prefix holds exactly if what is frozen begins the prompt, as JSON text."""
    prefix = frozen(old)
    texts = [[json.dumps(message) for message in messages] for messages in (old, new)]
    found = prefix.find_drift(new)
    first = next((at for at, text in enumerate(texts[0]) if texts[1][at : at + 1] != [text]), None)
    assert (None if found is None else found.position) == first
    if found is None:
        assert prefix.advance(new, 2)
        assert prefix.position == len(new)
