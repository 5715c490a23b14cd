"""Large results off the event loop: the decision is the same one, whatever becomes of the helper process."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cablese.runtime import Compressor, MemoryStore, StoreError, ToolResult
from cablese.runtime.decision.walk import Context
from cablese.runtime.hosting import offload, offload_process
from cablese.runtime.hosting.breaker import CircuitBreaker, State
from cablese.runtime.hosting.routing import BudgetRouter, Budgets, Thresholds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .strangers import SCALARS, Number, Own, deep

EVERYTHING_LARGE = BudgetRouter(Thresholds(inline_bytes=0, inline_rows=0))
LOG = "".join(f"{number:07x} step {number} of a longer plan\n" for number in range(400))
LOG_RESULT = ToolResult(
    "bash", LOG, {"command": "git log --oneline"}, {"stdout": LOG, "stderr": "", "exit_code": 0}, tenant="a", run="b"
)
ROWS = [{"id": number, "name": f"name {number}", "region": "south"} for number in range(300)]
TABLE = ToolResult("dq_execute_database_query", ROWS)


def make(**options):
    """Make a compressor for which every result is large."""
    given = {"enable": "curated", "store": MemoryStore(bytes(32)), "router": EVERYTHING_LARGE, **options}
    return Compressor.default(**given)


@pytest.fixture
def compressor():
    """Give one with a store in memory."""
    with make() as made:
        yield made


@pytest.fixture(scope="module")
def lasting():
    """Give one that keeps its helper over many examples."""
    with make() as made:
        yield made


@pytest.fixture
def only_helpers(monkeypatch):
    """Let every decision that is made in a thread of this process fail."""

    def refuse(*_args, **_named):
        raise AssertionError("decided in this process")

    monkeypatch.setattr(offload, "decide", refuse)


def ask(compressor, result, level=None):
    """Let a result be decided about off an event loop."""
    return asyncio.run(compressor.view_async(result, level))


def same(one, other):
    """Tell whether two views say and show the same, but for the time they took. NaN is itself here."""
    stripped = [(repr(view.content), view.decision._replace(ms=0.0)) for view in (one, other)]
    return stripped[0] == stripped[1]


def helpers(compressor):
    """Return the helper processes that wait for work."""
    return [] if compressor._offload is None else compressor._offload._state.idle


def ended(pid):
    """Wait until a process has ended; whether it did within a generous time."""
    for _ in range(200):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


# --- the same decision ----------------------------------------------------------------------------------------------

TABLES = st.lists(st.fixed_dictionaries({"a": SCALARS, "b": st.sampled_from([1, True, 1.0, None])}), max_size=40)
JSON = TABLES | st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=25) | st.dictionaries(st.text(max_size=5), inner, max_size=8),
    max_leaves=30,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    payload=JSON,
    as_text=st.booleans(),
    tool=st.sampled_from(["search", "dq_execute_database_query", "bash"]),
    status=st.sampled_from([None, "success", "error"]),
    level=st.sampled_from([None, "none", "minimal", "normal", "aggressive"]),
)
def test_the_decision_is_that_of_view(lasting, payload, as_text, tool, status, level):
    """Any payload, as text and as a value: the same view, and the same object where it passes."""
    content = json.dumps(payload) if as_text else payload
    result = ToolResult(tool, content, status=status)
    shown = ask(lasting, result, level)
    assert same(shown, lasting.view(result, level=level))
    if shown.decision.outcome == "passed":
        assert shown.content is content


@pytest.mark.parametrize(
    "options",
    [{}, {"store": False}, {"store": False, "unrecoverable_ok": True}, {"count": True}, {"disable": ["bash.git_log"]}],
)
@pytest.mark.parametrize("result", [LOG_RESULT, TABLE], ids=["rule", "codec"])
def test_a_helper_knows_how_the_process_is_configured(options, result, only_helpers):
    """With and without a store, with counts, with a rule that is off; decided in the helper alone."""
    with make(**options) as compressor:
        shown = ask(compressor, result)
        assert same(shown, compressor.view(result))


def test_originals_are_kept_by_this_process(compressor, only_helpers):
    """The handle that is shown leads to the original, in the store and namespace of the host."""
    shown = ask(compressor, LOG_RESULT)
    assert shown.decision.outcome == "compressed"
    store = compressor._context.store
    assert store.fetch(shown.decision.handle, tenant="a", run="b") == LOG.encode()
    assert f"cablese show {shown.decision.handle}" in shown.content


@pytest.mark.parametrize("error", [StoreError("the disk is full"), OSError("gone"), KeyError("x")])
def test_a_store_that_fails_fails_in_the_same_words(error, only_helpers):
    """The original passes as `store_failed`, whatever kind of error the store of the host raises."""

    class Broken(MemoryStore):
        def keep(self, *_content, **_namespace):
            raise error

    with make(store=Broken()) as compressor:
        shown = ask(compressor, LOG_RESULT)
        assert shown.decision.reason == "store_failed"
        assert same(shown, compressor.view(LOG_RESULT))


def test_each_decision_is_told_once(compressor):
    """Listeners hear of a result that was decided about elsewhere as of any other."""
    events = []
    compressor.subscribe(events.append)
    ask(compressor, LOG_RESULT)
    ask(compressor, ToolResult("search", "short"))
    assert [(event.decision.tool, event.tenant) for event in events] == [("bash", "a"), ("search", "")]


def test_an_unknown_level_is_refused_at_once(compressor):
    """As by `view`."""
    with pytest.raises(ValueError, match="`level` is 'most'"):
        ask(compressor, LOG_RESULT, "most")


def test_router_and_breaker_are_those_of_this_process(only_helpers):
    """A codec that is too slow for its budget is left out after three windows, and helpers are told so."""
    router = BudgetRouter(EVERYTHING_LARGE.thresholds, Budgets(0, 0, 0, 0))
    breaker = CircuitBreaker(window_calls=1, clock=time.monotonic)
    with make(router=router, breaker=breaker) as compressor:
        shown = [ask(compressor, TABLE) for _ in range(4)]
        assert [view.decision.outcome for view in shown] == ["compressed"] * 3 + ["passed"]
        assert shown[3].decision.reason == "breaker_open"
        assert breaker.state("columnar") is State.OPEN
        assert same(shown[3], compressor.view(TABLE))


def test_bounds_of_the_host_hold_in_helpers(only_helpers):
    """What is above the most that is worked on passes as `too_large`."""
    with make(router=BudgetRouter(Thresholds(0, 0, 1000, 10))) as compressor:
        shown = ask(compressor, TABLE)
        assert shown.decision.reason == "too_large"
        assert same(shown, compressor.view(TABLE))


def test_nothing_of_a_context_is_forgotten():
    """A field that is new in a context or a result has to be sent, or to keep results that need it here."""
    sent = {"settings", "catalogue", "store", "unrecoverable_ok", "counted", "guard", "budget_tokens"}
    assert set(Context._fields) == sent | {"manifest"}
    assert set(ToolResult._fields) == {*ToolResult._fields[:9], "extra"}


def test_a_router_that_raises_costs_the_compression(only_helpers):
    """Said in the same words wherever it was met."""

    class Odd(BudgetRouter):
        def route(self, _estimate, level):
            raise KeyError(level)

    with make(router=Odd()) as compressor:
        shown = ask(compressor, TABLE)
        assert (shown.decision.reason, shown.decision.detail) == ("codec_error", "KeyError: 'normal'")
        assert same(shown, compressor.view(TABLE))


# --- what stays in this process -------------------------------------------------------------------------------------


@pytest.mark.parametrize("make_odd", [lambda: Own(a=1), lambda: [Number.ONE] * 30, lambda: {"f": print}, deep, object])
def test_what_cannot_be_sent_is_decided_about_here(compressor, make_odd, monkeypatch):
    """No helper is started for it, and the decision is that of `view`."""
    monkeypatch.setattr(offload_process, "start_helper", None)
    odd = make_odd()
    result = ToolResult("search", odd)
    shown = ask(compressor, result)
    assert shown.decision._replace(ms=0.0) == compressor.view(result).decision._replace(ms=0.0)
    if shown.decision.outcome == "passed":
        assert shown.content is odd


@pytest.mark.parametrize("odd", [None, "text", ToolResult("search", "x", None), ToolResult("bash", LOG, 7, None)])
def test_what_is_no_result_raises_nothing(compressor, odd):
    """A caller's mistake costs the compression, as it does in `view`."""
    assert same(ask(compressor, odd), compressor.view(odd))


def test_without_threads_the_loop_decides(compressor, monkeypatch):
    """Where the interpreter is ending or has no thread to give, the view comes all the same."""

    def refuse(*_):
        raise RuntimeError("cannot schedule new futures after interpreter shutdown")

    monkeypatch.setattr("concurrent.futures.ThreadPoolExecutor.submit", refuse)
    assert same(ask(compressor, LOG_RESULT), compressor.view(LOG_RESULT))


def test_other_packs_are_noticed(make_context, listing):
    """A helper finds other packs than this process has loaded, and leaves the decision to it."""
    context = make_context()
    compressor = Compressor(context)
    result = listing(20_000)
    with compressor:
        shown = ask(compressor, result)
        assert shown.decision.rule == "demo.list"
        assert same(shown, compressor.view(result))


@pytest.mark.parametrize("executable", ["", "/nowhere/python3", "/bin/false"])
def test_where_no_helper_starts_a_thread_decides(compressor, executable, monkeypatch):
    """An interpreter inside another program, one that is gone, one that ends at once."""
    monkeypatch.setattr(sys, "executable", executable)
    if executable == "/bin/false":
        monkeypatch.setattr(offload_process, "may_start", lambda: True)
    for _ in range(5):
        assert same(ask(compressor, LOG_RESULT), compressor.view(LOG_RESULT))
    assert helpers(compressor) == []


# --- what becomes of helpers ----------------------------------------------------------------------------------------


def test_a_helper_is_used_again(compressor):
    """Ten results, one process."""
    ask(compressor, TABLE)
    (helper,) = helpers(compressor)
    for _ in range(9):
        ask(compressor, TABLE)
    assert helpers(compressor) == [helper]


def test_a_helper_that_died_waiting_is_replaced(compressor, only_helpers):
    """The next result gets another one."""
    expected = ask(compressor, LOG_RESULT)
    (helper,) = helpers(compressor)
    helper.kill()
    helper._process.wait()
    assert same(ask(compressor, LOG_RESULT), expected)
    assert helper not in helpers(compressor)


def test_a_helper_that_dies_at_work_is_replaced_once(compressor, only_helpers, monkeypatch):
    """The decision is made by its successor; where that dies, too, the original passes."""
    expected = ask(compressor, LOG_RESULT)
    dying = [True, False, True, True]
    send = offload_process.send_frames

    def send_and_kill(frames, stream):
        if dying.pop(0):
            for helper in started:
                helper.kill()
        send(frames, stream)

    started = helpers(compressor)[:]
    start = offload_process.start_helper
    monkeypatch.setattr(offload_process, "start_helper", lambda: started.append(start()) or started[-1])
    monkeypatch.setattr(offload_process, "send_frames", send_and_kill)
    # The job, and the answer to `keep` after it.
    dying[2:2] = [False]
    assert same(ask(compressor, LOG_RESULT), expected)
    lost = ask(compressor, LOG_RESULT)
    assert lost.content is LOG
    assert (lost.decision.outcome, lost.decision.reason) == ("passed", "codec_error")
    assert lost.decision.bytes == (len(LOG), len(LOG))


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be stopped here")
def test_a_helper_that_hangs_is_given_up(compressor, only_helpers, monkeypatch):
    """After its deadline it is killed, and another decides; nobody waits for ever."""
    expected = ask(compressor, LOG_RESULT)
    (helper,) = helpers(compressor)
    helper._process.send_signal(signal.SIGSTOP)
    decide = offload_process.Helper.decide

    def decide_soon(self, frames, serve, deadline_s):
        return decide(self, frames, serve, 0.3 if self is helper else deadline_s)

    monkeypatch.setattr(offload_process.Helper, "decide", decide_soon)
    assert same(ask(compressor, LOG_RESULT), expected)
    assert helper not in helpers(compressor)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be stopped here")
def test_whoever_cancels_gets_that_and_nothing_hangs(compressor, monkeypatch):
    """The task is cancelled, its helper ended in the middle of its work, and the next decision is made."""
    entered = threading.Event()
    decide = offload_process.Helper.decide

    def decide_and_say(*arguments):
        entered.set()
        return decide(*arguments)

    async def cancel():
        await compressor.view_async(LOG_RESULT)
        (helper,) = helpers(compressor)
        helper._process.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(offload_process.Helper, "decide", decide_and_say)
        task = asyncio.create_task(compressor.view_async(LOG_RESULT))
        await asyncio.to_thread(entered.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return helper, await compressor.view_async(LOG_RESULT)

    helper, view = asyncio.run(cancel())
    assert view.decision.rule == "bash.git_log"
    assert helper._process.wait(30) == -signal.SIGKILL


def test_closing_ends_the_helpers_and_a_later_result_starts_others(compressor):
    """`close`, `aclose` and `with`; none of them twice is an error."""
    ask(compressor, TABLE)
    (helper,) = helpers(compressor)
    compressor.close()
    assert helper._process.returncode == 0
    assert helpers(compressor) == []
    ask(compressor, TABLE)
    (helper,) = helpers(compressor)
    asyncio.run(compressor.aclose())
    assert helper._process.returncode == 0
    compressor.close()

    async def inside():
        async with make() as another:
            await another.view_async(TABLE)
            return helpers(another)[0]

    assert asyncio.run(inside())._process.returncode == 0


def test_closing_waits_for_what_is_under_way(compressor):
    """A view that was asked for before comes."""

    async def close_meanwhile():
        views = [asyncio.create_task(compressor.view_async(TABLE)) for _ in range(6)]
        await asyncio.sleep(0)
        await compressor.aclose()
        return await asyncio.gather(*views)

    assert all(same(view, compressor.view(TABLE)) for view in asyncio.run(close_meanwhile()))


def test_a_compressor_that_is_dropped_drops_its_helpers():
    """Nobody has to close."""
    compressor = make()
    ask(compressor, TABLE)
    process = helpers(compressor)[0]._process
    del compressor
    gc.collect()
    for _ in range(200):
        if process.returncode is None:
            time.sleep(0.05)
    assert process.returncode == 0


SCRIPT = """
import asyncio, sys
from cablese.runtime import Compressor, MemoryStore, ToolResult
from cablese.runtime.hosting.routing import BudgetRouter, Thresholds
compressor = Compressor.default(store=MemoryStore(), router=BudgetRouter(Thresholds(0, 0)))
asyncio.run(compressor.view_async(ToolResult("search", "x" * 1000)))
print(compressor._offload._state.idle[0]._process.pid, flush=True)
if sys.argv[1:]:
    sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("killed", [False, True])
def test_no_helper_outlives_its_process(killed):
    """Neither where the process ends by itself, nor where it is killed; and a script needs no guard around it."""
    words = [sys.executable, "-c", SCRIPT, *(["wait"] if killed else [])]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        pid = int(process.stdout.readline())
        if killed:
            process.kill()
        assert process.wait(30) == (-signal.SIGKILL if killed else 0)
    assert ended(pid)


# --- threads and forks ----------------------------------------------------------------------------------------------


def test_eight_threads_share_a_compressor(compressor):
    """Each on its event loop and without one: every view is the same, and there are no more helpers than allowed."""
    expected, wrong = {id(result): compressor.view(result) for result in (LOG_RESULT, TABLE)}, []

    def work():
        for _ in range(2):
            for result in (LOG_RESULT, TABLE):
                views = (ask(compressor, result), compressor.view(result))
                wrong.extend(view for view in views if not same(view, expected[id(result)]))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert 1 <= len(helpers(compressor)) <= offload.HELPERS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_has_helpers_of_its_own(compressor, only_helpers):
    """Views in the child are the same; the helpers of the parent are neither used nor ended there."""
    expected = ask(compressor, LOG_RESULT)
    (helper,) = helpers(compressor)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            right = same(ask(compressor, LOG_RESULT), expected) and same(compressor.view(LOG_RESULT), expected)
            own = [each._process.pid for each in helpers(compressor)]
            compressor.close()
            code = 0 if right and own and helper._process.pid not in own else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert helper.check()
    assert same(ask(compressor, LOG_RESULT), expected)
    assert helpers(compressor) == [helper]


def test_long_text_that_is_not_ascii_reaches_the_helper_whole(compressor, only_helpers):
    """It is sent in pieces; what comes back is what this process makes of it, or the very object."""
    for tail in ("", "\ud800", "é" * 70_000):
        text = json.dumps([dict(row, city="Évora 😀") for row in ROWS * 9], ensure_ascii=False) + tail
        result = ToolResult("dq_execute_database_query", text)
        view, here = asyncio.run(compressor.view_async(result)), compressor.view(result)
        assert view.content == here.content
        assert view.decision[:-1] == here.decision[:-1]
        assert (view.content is text) == bool(tail)
