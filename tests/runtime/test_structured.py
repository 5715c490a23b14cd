"""The walk of structured results: who claims one, at which level, what is shown, and what is kept."""

import copy
import itertools
import json

import pytest
from cablese.bench.corpus.stores import store
from cablese.runtime import MemoryStore, Outcome, Reason, StoreError, ToolResult
from cablese.runtime.codecs import registry
from cablese.runtime.codecs.codec import Encoded, NotApplicableError
from cablese.runtime.decision import retention
from cablese.runtime.decision.levels import LEVELS, admits_guarantee, cap_level
from cablese.runtime.decision.walk import Context, decide, may_compress
from cablese.runtime.packs.catalogue import Catalogue
from cablese.runtime.packs.manifest import Entry, Manifest
from cablese.runtime.payload import payload_text
from cablese.runtime.recovery.kept_json import kept_text
from cablese.runtime.settings import Settings
from cablese.runtime.tokens import count_tokens
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROWS = [
    {"store_id": f"S{number:04}", "revenue": number * 1.25, "region": "south", "active": True, "notes": None}
    for number in range(60)
]
SAME = {"log": [{"level": "info", "text": "started"}] * 20, "total": 20}
NULLS = {"rows": [{"name": f"n{number}", "parent": None, "owner": None, "label": None} for number in range(9)]}
COLUMNAR = Entry("db", "columnar", "normal", params={"min_rows": 20})
COMPACT = Entry("*", "json_compact", "minimal", params={"nulls": "drop"})


def make(*entries, store="memory", changes=(), unrecoverable_ok=False, counted=False):
    """Make a context in which these entries are all that claim anything."""
    given = Settings(**dict(changes))
    store = MemoryStore(bytes(32)) if store == "memory" else store
    return Context(
        given, Catalogue(given), store, unrecoverable_ok, counted, Manifest([entries or (COLUMNAR, COMPACT)])
    )


def view_of(payload, context, level=None, **fields):
    """Decide about a payload, and check what holds for every view."""
    result = ToolResult(**{"tool": "db", "content": payload, **fields})
    before = copy.deepcopy(result)
    view = decide(result, context, level=level)
    assert result == before
    if view.decision.outcome is Outcome.PASSED:
        assert view.content is payload
        assert view.decision.detail
    else:
        shown, original = count_tokens(payload_text(view.content)), count_tokens(payload_text(payload))
        assert all(shown[name] < original[name] for name in shown)
    return view


# --- levels ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "ceiling"), list(itertools.product(range(4), range(4))))
def test_a_ceiling_caps_a_level(level, ceiling):
    """All sixteen pairs: the level where it is not above the ceiling, else the ceiling."""
    assert cap_level(LEVELS[level], LEVELS[ceiling]) == LEVELS[min(level, ceiling)]


def test_each_level_admits_its_guarantees():
    """`minimal` admits what can be read again, and the null keys of `json_compact`; above it, losses."""
    for guarantee in ("exact", "value"):
        assert [admits_guarantee(level, guarantee, "x") for level in LEVELS] == [False, True, True, True]
    for guarantee in ("shape", "summary"):
        assert [admits_guarantee(level, guarantee, "x") for level in LEVELS] == [False, False, True, True]
    assert admits_guarantee("minimal", "shape", "json_compact")
    assert not admits_guarantee("minimal", "summary", "json_compact")
    assert not admits_guarantee("aggressive", "lossless", "x")


EFFECTIVE = [
    # override, status, entry, ceiling, store -> level at which it ran, or the reason
    ("none", "success", "normal", None, True, Reason.LEVEL_NONE),
    ("minimal", "error", "normal", None, True, "minimal"),
    (None, "error", "normal", None, True, Reason.LEVEL_NONE),
    (None, "forbidden", "normal", None, True, Reason.LEVEL_NONE),
    (None, "pending", "normal", None, True, Reason.LEVEL_NONE),
    (None, "", "normal", None, True, Reason.LEVEL_NONE),
    (None, None, "normal", None, True, "normal"),
    (None, "success", "normal", None, True, "normal"),
    (None, "success", "normal", None, False, "minimal"),
    (None, "success", "aggressive", None, False, "minimal"),
    ("normal", "success", "minimal", None, False, "minimal"),
    ("normal", "success", "minimal", None, True, "normal"),
    ("normal", "success", "none", None, True, "normal"),
    (None, "success", "none", None, True, Reason.LEVEL_NONE),
    (None, "success", "normal", "minimal", True, "minimal"),
    ("normal", "success", "normal", "minimal", True, "minimal"),
    (None, "success", "normal", "none", True, Reason.LEVEL_NONE),
    ("aggressive", "success", "normal", "none", True, Reason.LEVEL_NONE),
]


@pytest.mark.parametrize(("override", "status", "entry", "ceiling", "store", "expected"), EFFECTIVE)
def test_the_effective_level(override, status, entry, ceiling, store, expected):
    """Override, else nothing but success, else the entry; capped by the configuration and for want of a store."""
    context = make(
        COLUMNAR._replace(level=entry),
        store="memory" if store else None,
        changes={"levels": (("db", ceiling),)} if ceiling else {},
    )
    decision = view_of(ROWS, context, override, status=status).decision
    assert (decision.reason or decision.level) == expected
    if not store and decision.reason is None:
        assert "needs a store" in decision.detail
        assert decision.guarantee == "value"


@pytest.mark.parametrize("ceiling", [("db", "minimal"), ("*", "minimal")])
def test_ceilings_are_by_tool_or_for_everything(ceiling):
    """A ceiling of another name does nothing."""
    assert view_of(ROWS, make(changes={"levels": (ceiling,)})).decision.level == "minimal"
    assert view_of(ROWS, make(changes={"levels": (("other", "none"),)})).decision.level == "normal"


def test_without_any_entry_a_tool_has_json_compact_at_minimal():
    """The baseline where nothing is configured."""
    decision = view_of(SAME, make(Entry("other", "columnar")), tool="unknown").decision
    assert (decision.codec, decision.level, decision.guarantee, decision.pack) == (
        "json_compact",
        "minimal",
        "value",
        None,
    )


def test_leave_to_lose_lifts_the_cap_and_leaves_no_pointer():
    """With `unrecoverable_ok` and no store, the level of the entry holds, and nothing leads nowhere."""
    view = view_of(ROWS, make(store=None, unrecoverable_ok=True))
    assert (view.decision.level, view.decision.guarantee, view.decision.handle) == ("normal", "shape", None)
    assert "_tee" not in view.content


# --- order of the stages --------------------------------------------------------------------------------------------


class Failing(MemoryStore):
    """A store that keeps nothing."""

    def keep(self, *_, **__):
        """Fail."""
        raise StoreError("disk full")


@pytest.fixture
def codec():
    """Give a function that registers a codec of a test's own for the time of the test."""
    names = []

    def register(compress, name="own"):
        cls = type("Own", (), {"codec_name": name, "compress": lambda _, payload, request: compress(payload, request)})
        registry.register_codec(cls)
        names.append(name)
        return Entry("*", name, "normal")

    yield register
    for name in names:
        del registry._registered[name]


def raising(error):
    """Make a codec function that raises."""

    def compress(_payload, _request):
        raise error

    return compress


STAGES = [
    ({"killed": True}, {}, None, Reason.KILL_SWITCH),
    ({}, {"return_direct": True}, None, Reason.RETURN_DIRECT),
    ({}, {"_compressed": True}, None, Reason.ALREADY_COMPRESSED),
    ({}, {}, "none", Reason.LEVEL_NONE),
    ({}, {}, None, Reason.CODEC_ERROR),
]


@pytest.mark.parametrize("stage", range(len(STAGES)))
def test_the_first_stage_that_objects_names_the_reason(codec, stage):
    """With every stage from here on objecting, the reason is that of the first; the store is not touched."""
    entry = codec(raising(ValueError("x")))
    changes, metadata, level = {}, {}, None
    for change, mark, given_level, _ in STAGES[stage:]:
        changes |= change
        metadata |= mark
        level = level or given_level
    store = MemoryStore(bytes(32))
    view = view_of(ROWS, make(entry, store=store, changes=changes), level, metadata=metadata)
    assert view.decision.reason is STAGES[stage][3]
    assert not store._kept


def test_a_codec_that_raises_is_named(codec):
    """`codec_error` with the error, and the codec on the record."""
    decision = view_of(ROWS, make(codec(raising(ValueError("odd"))))).decision
    assert (decision.reason, decision.codec, decision.detail) == (Reason.CODEC_ERROR, "own", "ValueError: odd")
    for error in (RecursionError("deep"), MemoryError()):
        entry = codec(raising(error), f"own_{type(error).__name__}")
        assert view_of(ROWS, make(entry)).decision.reason is Reason.CODEC_ERROR


def test_a_store_that_fails_costs_the_view_and_no_more():
    """A loss needs its original kept; the original is shown, and the record says why."""
    decision = view_of(ROWS, make(store=Failing())).decision
    assert (decision.reason, decision.detail, decision.codec) == (Reason.STORE_FAILED, "disk full", "columnar")


@pytest.mark.parametrize("handle", [None, "", 5, b"1" * 15, "1\n2", "\ud800"])
def test_a_store_that_gives_no_handle_has_kept_nothing(handle, monkeypatch):
    """Nothing is left out behind a handle that nobody can ask for, whether a model is told of it or the record."""
    store = MemoryStore()
    monkeypatch.setattr(store, "keep", lambda *_given, **_named: handle)
    for payload, entry in ((ROWS, COLUMNAR), (NULLS, COMPACT)):
        view = view_of(payload, make(entry, store=store))
        assert view.content is payload
        assert view.decision[1:3] == (Reason.STORE_FAILED, "the store gave no handle for the original")
    decision = view_of(ROWS, make(store=store), status="error").decision
    assert decision.handle is None
    assert "the store gave no handle" in decision.detail


@pytest.mark.parametrize(("guarantee", "level"), [("shape", "minimal"), ("summary", "minimal"), ("lossless", "normal")])
def test_a_guarantee_that_the_level_does_not_admit_is_refused(codec, guarantee, level):
    """What a codec declares is held against the level at which it ran."""
    entry = codec(lambda _payload, _request: Encoded("short", guarantee))._replace(level=level)
    decision = view_of(ROWS, make(entry)).decision
    assert decision.reason is Reason.CODEC_ERROR
    assert guarantee in decision.detail or "declares a guarantee that is none" in decision.detail


def test_a_loss_that_nobody_asked_for_is_unrecoverable_without_a_store(codec):
    """A codec that loses something although it was told that nothing is kept."""
    entry = codec(lambda _payload, _request: Encoded("short", "shape"), "json_like")
    context = make(entry._replace(level="normal"), store=None)
    assert view_of(ROWS, context).decision.reason is Reason.CODEC_ERROR
    context = make(COMPACT, store=None)
    decision = view_of(NULLS, context).decision
    assert decision.guarantee != "shape"


def test_a_codec_that_changes_what_it_is_given_changes_a_copy(codec):
    """The payload of a host stays as it was, whatever a codec of others does to it, failing or not."""

    def spoil(payload, _request):
        payload.clear()
        raise ValueError

    assert view_of([dict(row) for row in ROWS], make(codec(spoil))).decision.reason is Reason.CODEC_ERROR


def test_what_a_codec_makes_has_to_be_a_payload(codec):
    """An object that is neither text nor JSON is no view."""
    entry = codec(lambda _payload, _request: Encoded(object(), "value"))
    assert view_of(ROWS, make(entry)).decision.reason is Reason.CODEC_ERROR


# --- who claims -----------------------------------------------------------------------------------------------------


def claims(codec_names, tool, payload=ROWS, **fields):
    """Return the pattern of the entry that decided."""
    context = make(*codec_names)
    told = {}
    decide(ToolResult(tool, payload, **fields), context, told.__setitem__)
    return [trial.entry.pattern for trial in told["trials"]]


def test_exact_before_longest_glob_before_every_tool():
    """Within a pack; globs of one length as they were written; case is told apart."""
    entries = [
        Entry(name, "columnar", params={"min_rows": 900}) for name in ("*", "d*", "db_?", "db_*", "DB_x", "db_x")
    ]
    assert claims(entries, "db_x", ROWS) == ["db_x", "db_?", "db_*", "d*", "*"]
    assert claims(entries, "DB_x", ROWS) == ["DB_x", "*"]
    assert claims([Entry("[ab]b", "columnar"), Entry("*", "json_compact")], "bb") == ["[ab]b"]


def test_packs_come_before_what_is_more_exact_in_later_ones():
    """A glob of the first pack goes before an exact name of the second."""
    first, second = Entry("d*", "json_compact", "minimal"), Entry("db", "columnar", "normal")
    assert Manifest([[first], [second]]).candidates("db") == (first, second)
    assert Manifest([[second], [first]]).candidates("db") == (second, first)


def test_the_first_that_takes_the_payload_decides():
    """A codec that declines leaves it to the next; what becomes of the one that took it is final."""
    decision = view_of(SAME, make()).decision
    assert (decision.codec, decision.outcome) == ("json_compact", Outcome.COMPRESSED)
    decision = view_of(ROWS[:25], make(Entry("db", "columnar"), COMPACT)).decision
    assert decision.codec == "columnar"
    tiny = [{"a": 1}, {"a": 1}]
    decision = view_of(tiny, make(Entry("db", "json_compact"), Entry("*", "columnar", params={"min_rows": 1}))).decision
    assert (decision.codec, decision.reason) == ("json_compact", Reason.NO_GAIN)


def test_where_nothing_applies_the_most_specific_says_why():
    """The reason is `not_applicable`, the detail and the codec those of the first entry that was asked."""
    decision = view_of([{"a": 1}], make()).decision
    assert (decision.reason, decision.codec) == (Reason.NOT_APPLICABLE, "columnar")
    assert decision.detail.startswith("`columnar`: ")


def test_level_none_ends_the_search():
    """An entry of level `none` keeps a tool from every later one."""
    decision = view_of(
        ROWS, make(Entry("d*", "columnar", "none", source="x.cablepack", place="x.cable:3"), COMPACT)
    ).decision
    assert decision.reason is Reason.LEVEL_NONE
    assert decision.detail == '`admit "d*"` (x.cable:3, x.cablepack) says level `none`'
    declined = Entry("db", "columnar", params={"min_rows": 900})
    assert view_of(ROWS, make(declined, COMPACT._replace(level="none"))).decision.reason is Reason.LEVEL_NONE


@pytest.mark.parametrize("tool", ["bash", "shell"])
def test_text_of_a_shell_is_not_for_every_tool(tool):
    """`*` leaves it alone; an entry that names the tool does not, and JSON that is no text is like any other."""
    text = json.dumps(SAME)
    arguments = {"command": "cat log.json"}
    decision = view_of(text, make(COMPACT), tool=tool, arguments=arguments).decision
    assert decision.reason is Reason.DISABLED
    assert view_of(SAME, make(COMPACT), tool=tool, arguments=arguments).decision.codec == "json_compact"
    for pattern in (tool, f"{tool[:2]}*"):
        context = make(Entry(pattern, "json_compact"), COMPACT)
        assert view_of(text, context, tool=tool, arguments=arguments).decision.outcome is Outcome.COMPRESSED
        assert may_compress(ToolResult(tool, "", arguments), context)
        off = make(Entry(pattern, "json_compact", "none"), COMPACT)
        assert not may_compress(ToolResult(tool, "", arguments), off)
    assert not may_compress(ToolResult(tool, "", arguments), make(COMPACT))


def test_a_rule_that_refuses_is_final(make_context, listing):
    """A result that a rule claims is never offered to a codec, whatever the rule says of it."""
    lines = json.dumps(SAME)
    result = listing(metadata={"stdout": lines})._replace(content=lines)
    context = make_context()._replace(manifest=Manifest([[Entry("bash", "json_compact")]]))
    view = decide(result, context)
    assert (view.content, view.decision.reason) == (lines, Reason.INVALID_OUTPUT)
    other = result._replace(arguments={"command": "demo list | cat"})
    assert decide(other, context).decision.codec == "json_compact"


def test_a_call_below_the_level_of_rules_keeps_them_out(make_context, listing):
    """The level of one call is a ceiling for command rules, which work at `normal`."""
    for level in ("none", "minimal"):
        assert decide(listing(), make_context(), level=level).decision.reason is Reason.LEVEL_NONE
    assert decide(listing(), make_context(), level="normal").decision.rule == "demo.list"


def test_a_pack_that_is_not_trusted_only_narrows():
    """Its entries are ceilings on what applies: never a codec, never a higher level, and not on other tools."""
    narrow = Entry("d*", "json_compact", "minimal", narrows_only=True)
    context = make()._replace(manifest=Manifest([[COLUMNAR, COMPACT], [narrow]]))
    decision = view_of(ROWS, context).decision
    assert (decision.codec, decision.level) == ("columnar", "minimal")
    assert view_of(ROWS, context, "normal").decision.level == "minimal"
    off = context._replace(
        manifest=Manifest([[COLUMNAR, COMPACT], [narrow._replace(level="none", source="p", place="x:1")]])
    )
    decision = view_of(ROWS, off).decision
    assert decision.reason is Reason.LEVEL_NONE
    assert "not trusted" in decision.detail
    wide = context._replace(manifest=Manifest([[COMPACT], [narrow._replace(level="aggressive")]]))
    assert view_of(SAME, wide).decision.level == "minimal"


# --- what is shown and kept -----------------------------------------------------------------------------------------


def pointer(handle):
    """Return the pointer of a handle."""
    return {"key": handle, "reason": "lossy", "hint": f"cablese show {handle}"}


def kept(context, view):
    """Return the JSON value that the handle of a view leads to."""
    return json.loads(context.store.fetch(view.decision.handle))


@pytest.mark.parametrize(
    ("payload", "wrapped"),
    [
        (ROWS, False),
        ({"rows": ROWS, "total": 60}, False),
        ({"rows": ROWS, "_tee": "the host's own"}, True),
    ],
)
def test_a_loss_has_a_pointer_on_the_outer_object(payload, wrapped):
    """An object takes it as a field; one with a field of that name stands as `result` beside it."""
    context = make()
    view = view_of(payload, context)
    assert view.decision.guarantee == "shape"
    assert view.content["_tee"] == pointer(view.decision.handle)
    assert kept(context, view) == payload
    assert ("result" in view.content) is wrapped
    text = view_of(json.dumps(payload), make())
    assert json.loads(text.content) == {**view.content, "_tee": pointer(text.decision.handle)}
    assert isinstance(text.content, str)


def test_a_pointer_of_what_is_no_object(codec):
    """A list stands as `result`, text that is no JSON gets a last line."""
    entry = codec(lambda _payload, _request: Encoded([1, 2], "summary"))
    view = view_of(ROWS, make(entry))
    assert view.content == {"result": [1, 2], "_tee": pointer(view.decision.handle)}
    entry = codec(lambda _payload, _request: Encoded("sixty rows\n", "summary"), "other")
    view = view_of(json.dumps(ROWS), make(entry))
    assert view.content == f"sixty rows\noriginal: cablese show {view.decision.handle}"


def test_the_gate_weighs_the_pointer(codec):
    """A loss that is shorter only without its pointer is no gain."""
    entry = codec(lambda _payload, _request: Encoded({"n": 1}, "summary"))
    payload = {"first": "word", "second": "word", "third": "word"}
    assert view_of(payload, make(entry)).decision.reason is Reason.NO_GAIN
    assert view_of(payload, make(entry, store=None, unrecoverable_ok=True)).content == {"n": 1}


def test_null_keys_are_left_out_with_a_handle_on_the_record_alone():
    """Guarantee `shape` at `minimal`: the original is kept, the model is shown no pointer."""
    context = make(COMPACT)
    view = view_of(NULLS, context)
    decision = view.decision
    assert (decision.level, decision.guarantee) == ("minimal", "shape")
    assert view.content == {"rows": [{"name": f"n{number}"} for number in range(9)]}
    assert kept(context, view) == NULLS


def test_without_a_store_null_keys_stay_and_the_record_says_so():
    """Nothing is lost where nothing is kept."""
    payload = {"log": [{"level": "info", "error": None}] * 20}
    view = view_of(payload, make(COMPACT, store=None))
    assert view.content == {"log": [{"_repeat": 20, "_value": {"level": "info", "error": None}}]}
    assert (view.decision.guarantee, view.decision.handle) == ("value", None)
    assert "nulls kept" in view.decision.detail


def test_tee_keeps_the_original_of_a_value_too():
    """The flag of an entry: the handle is on the record, the view has no pointer, and a store that fails passes."""
    entry = COLUMNAR._replace(level="minimal", tee=True)
    context = make(entry)
    view = view_of(ROWS, context)
    assert view.decision.guarantee == "value"
    assert "_tee" not in view.content
    assert kept(context, view) == ROWS
    assert view_of(ROWS, make(entry, store=Failing())).decision.reason is Reason.STORE_FAILED
    assert view_of(ROWS, make(entry, store=None)).decision.handle is None
    assert view_of(ROWS, make(entry._replace(tee=False))).decision.handle is None


def test_what_is_kept_is_a_copy():
    """A host that goes on to change its payload does not change the original."""
    context, payload = make(), [dict(row) for row in ROWS]
    view = decide(ToolResult("db", payload), context)
    payload.clear()
    assert kept(context, view) == ROWS


def test_sizes_are_of_compact_json():
    """White space that a serialiser would add is no saving, and characters count as they are in UTF-8."""
    decision = view_of({"a": "é", "b": [1, 2]}, make(COMPACT)).decision
    assert decision.bytes == (len('{"a":"é","b":[1,2]}'.encode()),) * 2
    decision = view_of(SAME, make(COMPACT)).decision
    assert decision.bytes[0] == len(json.dumps(SAME, separators=(",", ":")))


def test_tokens_of_structured_content_are_counted():
    """With `count`, the record has both counts of both sides, of the compact JSON."""
    view = view_of(ROWS, make(counted=True))
    assert view.decision.tokens == {
        name: (before, count_tokens(payload_text(view.content))[name])
        for name, before in count_tokens(payload_text(ROWS)).items()
    }
    assert view_of([1], make(counted=True)).decision.tokens["o200k_base"][0] > 0


@pytest.mark.parametrize(
    "payload", [{1: "x"}, [len], {"a": {1, 2}}, [float("nan")], (1, 2), b"\xff", "\udc80[1]", {"k": "\ud800" * 9}]
)
def test_what_is_no_plain_json_passes(payload):
    """Neither JSON nor text: `not_applicable` or no gain, never an error, and the same object."""
    decision = view_of(payload, make()).decision
    assert decision.reason in (Reason.NOT_APPLICABLE, Reason.NO_GAIN)


# --- errors of tools ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("payload", [ROWS, "Traceback: it failed", {"partial": [1, 2, 3]}])
def test_the_payload_of_an_error_is_kept_and_passes(payload):
    """The host may be about to raise and forget it: a handle on the record, the same object as content."""
    context = make()
    decision = view_of(payload, context, status="error").decision
    assert decision.reason is Reason.LEVEL_NONE
    stored = context.store.fetch(decision.handle).decode()
    assert stored == (payload if isinstance(payload, str) else kept_text(payload))


def test_an_error_is_not_masked_by_its_store():
    """A store that fails is said in the detail, and changes nothing."""
    decision = view_of(ROWS, make(store=Failing()), status="error").decision
    assert (decision.reason, decision.handle) == (Reason.LEVEL_NONE, None)
    assert "could not be kept: disk full" in decision.detail


@pytest.mark.parametrize(
    ("payload", "fields"),
    [(None, {}), ("", {}), (ROWS, {"metadata": {"return_direct": True}}), (ROWS, {"metadata": {"_compressed": 1}})],
)
def test_what_is_not_kept_of_errors(payload, fields):
    """Nothing, and what must not be touched."""
    context = make()
    assert view_of(payload, context, status="error", **fields).decision.handle is None
    assert not context.store._kept


def test_a_forbidden_result_is_not_kept():
    """Only errors are; what was refused has no payload that anybody asked for."""
    context = make()
    view_of(ROWS, context, status="forbidden")
    assert not context.store._kept


def test_a_failed_command_is_no_error_of_its_tool(make_context, listing):
    """A process that exits with 1 has shown its output in full; it is not stored."""
    context = make_context()
    result = listing(command="other", metadata={"exit_code": 1})
    assert decide(result, context).decision.handle is None
    assert decide(result._replace(status="error"), context).decision.handle is not None


# --- faults of the system that this one restates --------------------------------------------------------------------


def test_null_and_absent_are_told_apart_or_the_original_is_kept():
    """Null keys left out are `shape`, never a value, and can be had back."""
    context = make(COMPACT)
    for payload in (NULLS, json.dumps(NULLS)):
        view = view_of(payload, context)
        assert view.decision.guarantee == "shape"
        assert kept(context, view) == NULLS


@pytest.mark.parametrize("payload", [[1, 1], [True, True], {"a": [0, 0]}, "[1, 1]", [[], []], {"a": {}}])
def test_nothing_grows(payload):
    """A marker that is longer than what it stands for is not shown, and not called compressed."""
    assert view_of(payload, make(COMPACT)).decision.outcome is Outcome.PASSED


def test_a_codec_that_declines_is_not_recorded_as_having_compressed():
    """Too few rows, plain text: passed, with the reason, and equal sizes."""
    for payload in (ROWS[:5], "plain text"):
        decision = view_of(payload, make(COLUMNAR)).decision
        assert (decision.outcome, decision.reason) == (Outcome.PASSED, Reason.NOT_APPLICABLE)
        assert decision.bytes[0] == decision.bytes[1]


def test_a_view_is_not_encoded_again():
    """A replay that carries the marker passes as it is."""
    view = view_of(ROWS, make())
    again = view_of(view.content, make(), metadata={"_compressed": True})
    assert again.decision.reason is Reason.ALREADY_COMPRESSED


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["_repeat", "_tee"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["a", "b", "_repeat", "_value", "_tee", "rows", "columns"]), inner, max_size=4
        )
        | st.tuples(inner, st.integers(1, 30)).map(lambda pair: [pair[0]] * pair[1])
    ),
    max_leaves=20,
)
ENTRIES = st.lists(
    st.builds(
        Entry,
        pattern=st.sampled_from(["*", "db", "d*"]),
        codec=st.sampled_from(["json_compact", "columnar", "json_minify", "line_rle", "template_fold"]),
        level=st.sampled_from(LEVELS),
        tee=st.booleans(),
        params=st.sampled_from([{}, {"nulls": "drop"}, {"min_rows": 1}]),
    ),
    max_size=3,
)


@given(JSON, ENTRIES, st.booleans(), st.booleans(), st.sampled_from([None, *LEVELS]), st.sampled_from([None, "error"]))
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_the_payload_and_the_entries(payload, entries, stored, as_text, level, status):
    """Nothing is raised or changed; a loss can be had back; what is shown is strictly fewer tokens."""
    if as_text:
        payload = json.dumps(payload)
    context = make(*entries, store="memory" if stored else None)
    view = view_of(payload, context, level, status=status)
    decision = view.decision
    if decision.outcome is Outcome.COMPRESSED:
        assert admits_guarantee(decision.level, decision.guarantee, decision.codec)
        if decision.guarantee in ("shape", "summary"):
            kept = context.store.fetch(decision.handle).decode()
            assert kept == (payload if isinstance(payload, str) else kept_text(payload))


def test_the_original_is_kept_only_once_its_view_is_sure(monkeypatch):
    """Nothing is stored for what the gate refuses."""
    context = make()

    def refuse(*_):
        raise retention.PassThrough(Reason.NO_GAIN, "x")

    monkeypatch.setattr(retention, "weigh", refuse)
    assert view_of(ROWS, context).decision.reason is Reason.NO_GAIN
    assert not context.store._kept


def test_not_applicable_is_the_only_way_to_decline():
    """A codec's refusal carries its cause to the record."""
    assert str(NotApplicableError("cause")) == "cause"


def test_a_table_of_some_megabytes_is_worth_its_counting():
    """The gate may spend as much as a codec has read; its own bound, which is made for summaries, would end it here."""
    rows = [store(row) for row in range(8_000)]
    view = view_of(json.dumps(rows), make(COLUMNAR))
    assert view.decision.outcome is Outcome.COMPRESSED
