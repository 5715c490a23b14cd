"""Events: each decision is told once, complete, and no listener can disturb the call that it is told of."""

import asyncio
import logging
import threading

import pytest
from cablese.runtime import Compressor, Decision, Outcome, ToolResult, View
from cablese.runtime.hosting.events import Event, Listeners
from hypothesis import given
from hypothesis import strategies as st

DECISION = Decision(Outcome.PASSED, tool="bash")


@pytest.fixture
def compressor(make_context):
    """Make a compressor of the small pack."""
    return Compressor(make_context())


@pytest.fixture
def heard(compressor):
    """Listen to a compressor."""
    events = []
    compressor.subscribe(events.append)
    return events


def test_a_view_is_told_once_and_complete(compressor, heard, listing):
    """The event holds the very decision of the view, and whose result it was."""
    view = compressor.view(listing(tenant="acme", run="r1"))
    (event,) = heard
    assert event.decision is view.decision
    assert (event.tenant, event.run) == ("acme", "r1")
    decision = event.decision
    assert decision.outcome is Outcome.COMPRESSED
    assert (decision.rule, decision.level, decision.guarantee) == ("demo.list", "normal", "summary")
    assert decision.handle
    assert 0 < decision.bytes[1] < decision.bytes[0]
    assert decision.ms > 0
    assert event.at > 1.7e9


def test_exact_counts_are_in_the_event_where_they_were_asked_for(make_context, listing):
    """Token counts are part of the decision, so listeners have them too."""
    compressor, events = Compressor(make_context(counted=True)), []
    compressor.subscribe(events.append)
    compressor.view(listing())
    assert all(shown < original for original, shown in events[0].decision.tokens.values())


@pytest.mark.parametrize("how", ["view", "view_async", "wrap", "wrap async"])
@pytest.mark.parametrize("count", [3, 5000])
def test_each_way_to_a_view_tells_once(compressor, heard, listing, how, count):
    """Small and large results, synchronous or not."""
    result = listing(count)
    if how == "view":
        compressor.view(result)
    elif how == "view_async":
        asyncio.run(compressor.view_async(result))
    elif how == "wrap":
        compressor.wrap(lambda: result)()
    else:

        async def tool():
            return result

        asyncio.run(compressor.wrap(tool)())
    assert len(heard) == 1
    assert heard[0].decision.bytes[0] == len(result.content)


def test_a_broken_configuration_is_told_too(make_context, listing):
    """What passes because nothing is summarised is a decision as well."""
    compressor, events = Compressor(make_context(), "config.toml: `x` is not known"), []
    compressor.subscribe(events.append)
    compressor.view(listing())
    assert [event.decision.reason for event in events] == ["disabled"]


def test_a_tool_that_raises_has_no_decision(compressor, heard):
    """An error of a wrapped function is raised as it was, and there is no result to tell of."""

    def tool():
        raise KeyError("x")

    with pytest.raises(KeyError):
        compressor.wrap(tool)()
    assert heard == []


class Odd(BaseException):
    """An error that is no Exception."""


class UnprintableError(Exception):
    """An error that cannot be printed."""

    def __str__(self):
        raise ValueError

    __repr__ = __str__


def endless(event):
    """Never come to an end by itself."""
    return endless(event)


def raising(error):
    """Make a listener that raises."""

    def listener(_event):
        raise error

    return listener


@pytest.mark.parametrize(
    "listener",
    [
        raising(ValueError()),
        raising(Odd()),
        raising(UnprintableError()),
        raising(GeneratorExit()),
        raising(asyncio.CancelledError()),
        raising(MemoryError()),
        endless,
        None,
        lambda: None,
    ],
)
def test_no_listener_breaks_a_call(compressor, listing, listener, caplog):
    """Whatever a listener raises, the view is the same, and those behind it are told; its first error is logged."""
    expected = compressor.view(listing()).content
    events = []
    compressor.subscribe(listener)
    compressor.subscribe(events.append)
    with caplog.at_level(logging.WARNING, "cablese"):
        for _ in range(3):
            assert compressor.view(listing()).content == expected
    assert len(events) == 3
    assert len(caplog.records) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_the_wish_to_end_goes_through(compressor, listing, error):
    """An interrupt while a listener runs ends the process, as anywhere else."""
    compressor.subscribe(raising(error()))
    with pytest.raises(error):
        compressor.view(listing())


def test_a_failing_log_costs_nothing(compressor, listing, monkeypatch):
    """Even where the error cannot be logged, the call goes on."""
    compressor.subscribe(raising(ValueError()))
    with monkeypatch.context() as patch:
        patch.setattr(logging, "getLogger", raising(Odd()))
        outcome = compressor.view(listing()).decision.outcome
    assert outcome is Outcome.COMPRESSED


def test_ending_a_subscription(compressor, heard, listing):
    """It ends at once, more than once without error, and for one of two places of the same listener alone."""
    twice = []
    first, second = compressor.subscribe(twice.append), compressor.subscribe(twice.append)
    compressor.view(listing())
    first()
    first()
    compressor.view(listing())
    assert len(twice) == 3
    second()
    compressor.view(listing())
    assert (len(twice), len(heard)) == (3, 3)


def test_listeners_may_change_the_list_while_they_are_told():
    """One that ends its own subscription is told once; one that was removed in between is not told; one added, next."""
    listeners, told = Listeners(), []

    def once(_event):
        told.append("once")
        end_once()
        end_last()
        listeners.add(lambda _event: told.append("added"))

    end_once = listeners.add(once)
    listeners.add(lambda _event: told.append("stays"))
    end_last = listeners.add(lambda _event: told.append("never"))
    listeners.emit(Event(DECISION))
    assert told == ["once", "stays"]
    listeners.emit(Event(DECISION))
    assert told == ["once", "stays", "stays", "added"]


def test_a_listener_may_ask_for_views_itself(compressor, listing):
    """It is not told of decisions that it causes, directly, in a task or in a thread of a loop; others are."""
    own, others = [], []

    def asking(event):
        own.append(event)
        compressor.view(ToolResult("inner", "x"))
        asyncio.run(compressor.view_async(ToolResult("inner", "x" * 10**6)))

    compressor.subscribe(asking)
    compressor.subscribe(others.append)
    compressor.view(listing())
    assert [event.decision.tool for event in own] == ["bash"]
    assert [event.decision.tool for event in others] == ["inner", "inner", "bash"]


def test_two_listeners_that_cause_decisions_come_to_an_end(compressor, listing):
    """Each hears of the other's decisions, once per level, and neither goes on for ever."""
    told = {"a": 0, "b": 0}
    for name in told:

        def asking(_event, name=name):
            told[name] += 1
            compressor.view(ToolResult(name, "x"))

        compressor.subscribe(asking)
    compressor.view(listing())
    assert told == {"a": 2, "b": 2}


def test_adding_and_removing_from_many_threads(compressor, listing):
    """Nobody is lost and nobody is told after leaving."""
    counts = [0] * 8

    def work(number):
        own = threading.get_ident()

        def listener(_event):
            # Others' events are heard here, too; adding nothing would write an earlier count over a later one.
            if threading.get_ident() == own:
                counts[number] += 1

        for _ in range(50):
            end = compressor.subscribe(listener)
            compressor.view(listing(3))
            end()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [50] * 8
    events = []
    compressor.subscribe(events.append)
    compressor.view(listing(3))
    assert len(events) == 1


class Hostile:
    """Something that is no result."""

    @property
    def tenant(self):
        """Fail."""
        raise ValueError

    run = 7


@pytest.mark.parametrize("result", [None, 7, "text", Hostile(), ToolResult("t", "x", tenant=3)])
def test_what_is_no_result_has_an_event_without_names(result):
    """A caller's mistake costs neither the view nor the event."""
    listeners, events = Listeners(), []
    listeners.add(events.append)
    listeners.tell(result, View("x", DECISION).decision)
    assert [(event.tenant, event.run) for event in events] == [("", "")]


@given(st.lists(st.sampled_from(["add", "remove", "emit"]), max_size=30))
def test_every_listener_hears_exactly_what_is_emitted_while_it_is_there(steps):
    """Against the plain model: a list."""
    listeners, model = Listeners(), []
    for number, step in enumerate(steps):
        if step == "add":
            heard = []
            model.append((listeners.add(heard.append), heard, []))
        elif step == "remove" and model:
            end, heard, expected = model.pop(number % len(model))
            end()
            assert heard == expected
        elif step == "emit":
            event = Event(DECISION, run=str(number))
            listeners.emit(event)
            for _, _, expected in model:
                expected.append(event)
    assert bool(listeners) is bool(model)
    assert all(heard == expected for _, heard, expected in model)
