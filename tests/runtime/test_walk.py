"""The walk of a result: one reason for each way of passing, the original untouched, nothing raised."""

import copy
import json

import pytest
from cablese.runtime import MemoryStore, Outcome, Reason, SqliteStore, StoreError, ToolResult
from cablese.runtime.decision import retention, rule_candidate, walk
from cablese.runtime.decision.walk import Context, decide
from cablese.runtime.packs import catalogue
from cablese.runtime.records import view_record
from cablese.runtime.settings import Settings
from cablese.runtime.stores.store import digest_original, make_handles
from cablese.runtime.tokens import count_tokens
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

COMPRESSED = """\
[tool_output_compression]
tool: bash
rule: demo.list
command: demo list
success: true
exit_code: 0
raw_stdout_bytes: 5490
raw_stderr_bytes: 0
stdout_truncated: false
stderr_truncated: false
compression: rule
items: 200
- number 0 of the list
- number 1 of the list
- (+198 more)
original: cablese show """


def test_a_recognised_output_is_summarised_and_its_original_kept(make_context, listing):
    """The view is the documented text, its last line leads to the original, and the record says all of it."""
    context, result = make_context(counted=True), listing()
    view = decide(result, context)
    handle = make_handles(digest_original(bytes(32), result.content.encode(), "", ""))[0]
    assert view.content == COMPRESSED + handle
    assert context.store.fetch(handle) == result.content.encode()
    decision = view.decision
    assert (decision.outcome, decision.reason, decision.rule) == (Outcome.COMPRESSED, None, "demo.list")
    assert (decision.level, decision.guarantee, decision.handle) == ("normal", "summary", handle)
    assert decision.pack.startswith("demo 1.0.0 ")
    assert decision.bytes == (5490, len(view.content))
    for name, counts in decision.tokens.items():
        assert counts == (count_tokens(result.content)[name], count_tokens(view.content)[name])
    json.dumps(view_record(view))


def reason_of(view, result):
    """Return why a result passed, having checked that it passed as it was."""
    assert view.content is result.content
    assert view.decision.outcome is Outcome.PASSED
    assert view.decision.detail
    return view.decision.reason


PASSING = [
    ({}, {"metadata": {"return_direct": True}}, Reason.RETURN_DIRECT),
    ({"killed": True}, {"metadata": {"return_direct": True}}, Reason.KILL_SWITCH),
    ({"enabled": frozenset()}, {}, Reason.DISABLED),
    ({"enabled": frozenset({"demo.test"})}, {}, Reason.DISABLED),
    ({"disabled": frozenset({"demo.list"})}, {}, Reason.DISABLED),
    ({"disabled": frozenset({"demo"})}, {}, Reason.DISABLED),
    ({"levels": (("*", "minimal"),)}, {}, Reason.LEVEL_NONE),
    ({"levels": (("demo.list", "none"),)}, {}, Reason.LEVEL_NONE),
    ({"levels": (("bash", "minimal"), ("*", "normal"))}, {}, Reason.LEVEL_NONE),
    ({}, {"content": "[tool_output_compression]\nrule: x\n" * 99}, Reason.ALREADY_COMPRESSED),
    ({}, {"metadata": {"stdout": "[tool_output_compression]\nitem a"}}, Reason.ALREADY_COMPRESSED),
    ({}, {"command": "cablese show 482910557213004"}, Reason.ALREADY_COMPRESSED),
    ({"enabled": frozenset()}, {"command": "cablese show 1 | head"}, Reason.ALREADY_COMPRESSED),
    # Text of a tool that no rule is for is now offered to the codec for every tool.
    ({}, {"tool": "read"}, Reason.NOT_APPLICABLE),
    ({}, {"arguments": {}}, Reason.NO_RULE),
    ({}, {"command": "demo list | head"}, Reason.NO_RULE),
    ({}, {"command": "demo list --none"}, Reason.NO_RULE),
    ({}, {"command": "other list"}, Reason.NO_RULE),
    ({}, {"command": "demo test", "tool": "shell"}, Reason.NO_RULE),
    ({}, {"metadata": {"stderr": None}}, Reason.MISSING_STREAM),
    ({}, {"metadata": {"stdout": "", "exit_code": 1}}, Reason.MISSING_STREAM),
    ({}, {"metadata": {"stderr": "warning\n"}}, Reason.STDERR_PRESENT),
    ({}, {"metadata": {"stdout": "item a\nelse\n"}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"stdout": ""}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"stdout": "item \x1b[1ma\n"}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"stdout": "item a\r\n"}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"stdout": "item \udc80\n"}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"timed_out": True}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"stdout_truncated": True}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"exit_code": "0"}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"exit_code": True}}, Reason.INVALID_OUTPUT),
    ({}, {"success": 1}, Reason.INVALID_OUTPUT),
    ({}, {"success": "true\nexit_code: 0"}, Reason.INVALID_OUTPUT),
    ({}, {"command": "demo test", "metadata": {"stdout": "ok a\n", "exit_code": 2}}, Reason.INVALID_OUTPUT),
    ({}, {"metadata": {"stdout": "item a\ntotal 2\n"}}, Reason.UNRECONCILED),
    ({}, {"count": 3}, Reason.NO_GAIN),
    ({}, {"content": {"stdout": "x"}}, Reason.NOT_APPLICABLE),
]


@pytest.mark.parametrize(("changes", "fields", "reason"), PASSING)
def test_each_way_of_passing_has_its_reason(make_context, listing, changes, fields, reason):
    """The original object comes back, nothing is kept, and the result is not changed."""
    context, result = make_context(**changes), listing(**fields)
    before = copy.deepcopy(result)
    assert reason_of(decide(result, context), result) is reason
    assert result == before
    assert not context.store._kept


@pytest.mark.parametrize(
    "metadata",
    [
        {"stdout": None, "stderr": None, "merged": "item a\n" * 300},
        {"stdout": "item a\n" * 300, "stderr": ""},
    ],
)
def test_streams_may_be_joined(make_context, listing, metadata):
    """One interleaved stream of the host, and `2>&1` with one stream empty, are read by the grammar for stdout."""
    result = listing(command="demo list 2>&1", content="item a\n" * 300, metadata=metadata)
    view = decide(result, make_context())
    assert "\ncommand: demo list 2>&1\n" in view.content
    assert "\nraw_stdout_bytes: 2100\nraw_stderr_bytes: 0\n" in view.content


def test_framed_content_is_read_and_weighed_as_it_is(make_context, listing):
    """Without metadata the streams come from the framing; the whole content is what is kept."""
    content = f"stdout:\n{listing().content}\nstderr:\n"
    context = make_context()
    view = decide(ToolResult("bash", content, {"cmd": "demo list"}), context)
    assert "\nexit_code: null\n" in view.content
    assert context.store.fetch(view.decision.handle) == content.encode()


@pytest.mark.parametrize(
    ("stated", "shown"),
    [({}, "false"), ({"status": "success"}, "true"), ({"success": True}, "true"), ({"success": False}, "false")],
)
def test_success_that_nobody_states_is_not_claimed_against_the_output(make_context, stated, shown):
    """With no success, status or exit code, an output that exit 0 would contradict shows `success: false`."""
    stdout = "ok some name of a test\n" * 200 + "FAILED x\n"
    result = ToolResult("bash", stdout, {"command": "demo test"}, {"stdout": stdout, "stderr": ""}, **stated)
    assert f"\nsuccess: {shown}\n" in decide(result, make_context()).content
    clean = result._replace(content=stdout[:-9], metadata={"stdout": stdout[:-9], "stderr": ""})
    shown = "false" if stated.get("success") is False else "true"
    assert f"\nsuccess: {shown}\n" in decide(clean, make_context()).content


def test_a_loss_needs_a_store_or_leave(make_context, listing):
    """Without a store the original passes; with leave, the summary has no line that leads nowhere."""
    result = listing()
    assert reason_of(decide(result, make_context(None)), result) is Reason.UNRECOVERABLE
    view = decide(result, make_context(None, unrecoverable_ok=True))
    assert view.content + "\noriginal: cablese show " == COMPRESSED
    assert view.decision.handle is None


class FailingStore(MemoryStore):
    """A store that cannot keep anything."""

    error: BaseException = StoreError("disk full")

    def keep(self, *_, **__):
        """Fail."""
        raise self.error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (StoreError("disk full"), Reason.STORE_FAILED),
        (OSError("x"), Reason.STORE_FAILED),
        (MemoryError(), Reason.STORE_FAILED),
        (RecursionError("x"), Reason.STORE_FAILED),
        (BaseException("a panic of a native module"), Reason.CODEC_ERROR),
    ],
)
def test_a_failing_store_costs_nothing_but_the_summary(make_context, listing, error, reason):
    """Whatever the store raises, the original is shown and the record says why."""
    store, result = FailingStore(), listing()
    store.error = error
    assert reason_of(decide(result, make_context(store)), result) is reason


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_the_end_of_the_process_is_not_swallowed(make_context, listing, error):
    """What asks the process to end leaves the walk."""
    store = FailingStore()
    store.error = error()
    with pytest.raises(error):
        decide(listing(), make_context(store))


def test_a_damaged_store_shows_the_original(make_context, listing, tmp_path):
    """The store on disk fails by name, and the walk passes with that name."""
    path = tmp_path / "store"
    path.write_bytes(b"not a store" * 100)
    result = listing()
    view = decide(result, make_context(SqliteStore(str(path))))
    assert reason_of(view, result) is Reason.STORE_FAILED
    assert "not a database" in view.decision.detail


class Unprintable(Exception):  # noqa: N818
    """An error whose text cannot be had."""

    def __str__(self):
        """Fail."""
        raise RuntimeError


@pytest.mark.parametrize("error", [Unprintable(), ValueError("x"), BaseException("x")])
@pytest.mark.parametrize(
    ("module", "part"),
    [
        (walk, "find_claim"),
        (walk, "check_policy"),
        (walk, "check_marks"),
        (walk, "_diagnose"),
        (rule_candidate, "make_candidate"),
        (rule_candidate, "render_view"),
        (retention, "check_guarantee"),
        (retention, "weigh"),
        (retention, "retain"),
    ],
)
def test_nothing_raised_by_any_step_leaves_the_walk(make_context, listing, monkeypatch, module, part, error):
    """An error anywhere is `codec_error` on the record, and the original object comes back."""

    def fail(*_):
        raise error

    monkeypatch.setattr(module, part, fail)
    result = listing()
    assert reason_of(decide(result, make_context()), result) is Reason.CODEC_ERROR


@pytest.mark.parametrize("thing", [None, "text", 3, object(), {"tool": "bash"}])
def test_a_callers_mistake_costs_nothing(make_context, thing):
    """What is no result at all comes back as it is."""
    view = decide(thing, make_context())
    assert view.content is thing
    assert view.decision.reason is Reason.CODEC_ERROR


def test_a_missing_pack_says_how_to_make_it(make_context, listing, monkeypatch, tmp_path):
    """Without the curated pack everything passes, and the detail tells what to do."""
    monkeypatch.setattr(catalogue, "CURATED_PACK", str(tmp_path / "none"))
    view = decide(listing(), make_context())
    assert "make pack" in view.decision.detail


def test_a_damaged_pack_passes(make_context, listing, monkeypatch, tmp_path, curated):
    """A pack with a flipped byte is refused by name, wherever the byte is."""
    data = open(curated, "rb").read()  # noqa: SIM115, PTH123
    for place in (3, 40, 200, len(data) // 2, len(data) - 2):
        broken = tmp_path / f"{place}"
        broken.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        monkeypatch.setattr(catalogue, "CURATED_PACK", str(broken))
        result = listing()
        view = decide(result, make_context())
        if view.decision.outcome is Outcome.PASSED:
            assert view.decision.detail.startswith(f"{broken}: ")
        else:  # a section that this decision does not read
            assert view.content.startswith(COMPRESSED)


def test_the_diagnostic_comes_before_policy_but_after_the_kill_switch(make_context):
    """A failed search shows its error also where summaries are off; the kill switch leaves everything alone."""
    result = ToolResult("grep", "", success=False, metadata={"stderr": "grep: x\n"})
    view = decide(result, make_context(enabled=frozenset()))
    assert (view.content, view.decision.outcome) == ("grep: x\n", Outcome.DIAGNOSED)
    assert reason_of(decide(result, make_context(killed=True)), result) is Reason.KILL_SWITCH


OWN_RULE = '''
rule own.list "numbers" {
  tool    bash
  command demo list { }
  stderr  empty
  stdout  item+
  lines   { item = "number {n:int}" }
  facts   { n = count item }
  summary """
  items: {{ n }}
  """
}
'''


def test_packs_given_first_are_asked_first(make_context, listing, compile_rules, tmp_path):
    """The first pack whose rule accepts the command claims it; a rule that is off leaves it to the next one."""
    own = tmp_path / "own.cablepack"
    own.write_bytes(compile_rules(OWN_RULE, "own"))
    result = listing()
    view = decide(result, make_context(given=(str(own),)))
    assert (view.decision.rule, view.decision.reason) == ("own.list", Reason.INVALID_OUTPUT)
    for changes in ({"disabled": frozenset({"own.list"})}, {"disabled": frozenset({"own"})}):
        assert decide(result, make_context(given=(str(own),), **changes)).decision.rule == "demo.list"


def test_project_and_foreign_packs_need_trust(make_context, listing, compile_rules, tmp_path):
    """A pack whose digest is not trusted is as good as absent."""
    own = tmp_path / "own.cablepack"
    own.write_bytes(compile_rules(OWN_RULE, "own"))
    digest = own.read_bytes().split()[2].decode()
    for changes in ({"project_pack": str(own)}, {"packs": (str(own),)}):
        assert decide(listing(), make_context(**changes)).decision.rule == "demo.list"
        assert decide(listing(), make_context(**changes, trusted=frozenset({digest}))).decision.rule == "own.list"


def test_a_longer_handle_is_weighed_again(make_context, listing, monkeypatch):
    """The gate weighs the text that is shown, also when a collision made its handle longer."""
    weighed = []
    weigh = retention.weigh
    monkeypatch.setattr(retention, "weigh", lambda shown, *rest: (weighed.append(shown), weigh(shown, *rest)))
    store = MemoryStore(bytes(32))
    store.keep = lambda *_, **__: "1" * 18
    view = decide(listing(), make_context(store))
    assert weighed[-1] == view.content
    assert view.content.endswith("1" * 18)


@given(st.integers(0, 10**15 - 1), st.sampled_from(["cablese show {handle}", "fetch(id={handle})", "x9{handle}9"]))
def test_a_handle_costs_the_same_whatever_its_digits(number, hint):
    """The reason why a stand-in may be weighed: the token count does not depend on the digits."""
    lines = [f"x\noriginal: {hint.replace('{handle}', digits)}" for digits in (f"{number:015}", "0" * 15)]
    assert count_tokens(lines[0]) == count_tokens(lines[1])


def test_the_hint_is_the_hosts(make_context, listing):
    """A host may name its own recovery tool."""
    view = decide(listing(), make_context(hint="call recover('{handle}')"))
    assert view.content.endswith(f"\noriginal: call recover('{view.decision.handle}')")


def test_steps_are_told(make_context, listing):
    """Whoever listens hears of each step that was taken, up to the one that decided."""
    told = {}
    decide(listing(), make_context(), told.__setitem__)
    assert list(told) == ["command", "rule", "streams", "verdict", "summary", "shown", "handle"]
    told.clear()
    decide(listing(metadata={"stdout": "else\n"}), make_context(), told.__setitem__)
    assert list(told) == ["command", "rule", "streams", "verdict"]


ANY_TEXT = st.text(st.characters(categories=None))
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.binary(max_size=5), ANY_TEXT),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
LINES = st.lists(st.sampled_from(["item a", "total 1", "ok x", "FAILED y", "", "\x1b[0m", "\r", "\udc80", "é"]))
STREAM = LINES.map("\n".join) | LINES.map(lambda lines: "item b\n" * 200 + "\n".join(lines)) | ANYTHING
COMMANDS = st.sampled_from(["demo list", "demo test", "demo test 2>&1"])
METADATA = dict.fromkeys(("stdout", "stderr", "merged", "exit_code", "timed_out", "return_direct"), STREAM)
RESULTS = st.builds(
    lambda *fields: ToolResult(*fields),  # noqa: PLW0108 - no inference from the annotations
    st.sampled_from(["bash", "shell", "grep", "read"]) | ANYTHING,
    STREAM,
    st.fixed_dictionaries({"command": COMMANDS | ANYTHING}),
    st.fixed_dictionaries({}, optional=METADATA) | ANYTHING,
    st.sampled_from([None, True, False]) | ANYTHING,
    ANYTHING,
    ANYTHING,
    ANYTHING,
)


@given(RESULTS)
@settings(max_examples=400, suppress_health_check=list(HealthCheck), deadline=None)
def test_hostile_results_never_raise(make_context, result):
    """Whatever a result holds, there is a view; when it passed, its content is the same object."""
    view = decide(result, make_context(counted=True))
    if view.decision.outcome is Outcome.PASSED:
        assert view.content is result.content
        assert view.decision.reason in Reason
        assert view.decision.detail
    elif view.decision.outcome is Outcome.COMPRESSED:
        assert all(shown < original for original, shown in view.decision.tokens.values())


def test_contexts_hold_settings_alone():
    """A context with defaults needs no more than settings, a catalogue and a store."""
    context = Context(Settings(), catalogue.Catalogue(Settings()), None)
    assert decide(ToolResult("bash", "x"), context).decision.reason is Reason.DISABLED
