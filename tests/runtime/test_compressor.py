"""The object for Python hosts: threads, forks, event loops, and wrapped functions."""

import asyncio
import functools
import logging
import multiprocessing
import pickle
import threading

import pytest
from cablese import Compressor, ToolResult
from cablese.runtime import MemoryStore, Outcome, Reason


@pytest.fixture
def compressor(curated):
    """Make a compressor with the small pack and the configured store."""
    return Compressor.default(enable="curated")


def test_a_name_that_is_no_rule_is_said_to_be_none(caplog):
    """A slip of the pen would leave a rule off, or on. Rules that are known and not used, and kinds, are no slips."""
    with caplog.at_level(logging.WARNING, "cablese"):
        Compressor.default(
            enable="curate",
            disable=["bash.git_lgo", "bash.git_show", "bash.git_log", "kind.prose", "extra"],
            store=False,
        )
    assert [record.getMessage() for record in caplog.records] == [
        "`bash.git_lgo` is to be switched on or off, and is no rule and no pack here",
        "`curate` is to be switched on or off, and is no rule and no pack here",
    ]


def test_a_host_says_how_its_model_reads_originals(curated, listing):
    """In text and in data, in place of the command line."""
    compressor = Compressor.default(enable="curated", store=MemoryStore(), hint="call read_original with {handle}")
    view = compressor.view(listing())
    assert view.content.endswith(f"\noriginal: call read_original with {view.decision.handle}")
    rows = [{"id": number, "note": None} for number in range(40)]
    view = compressor.view(ToolResult("orders", rows), level="aggressive")
    assert view.content["_tee"]["hint"] == f"call read_original with {view.decision.handle}"
    for wrong in ("call read_original", "{handle} {handle}", "{handle}\n", 3):
        with pytest.raises(ValueError, match="`hint`: one line of text"):
            Compressor.default(store=False, hint=wrong)


def test_summaries_are_off_until_they_are_enabled(curated, listing):
    """By default everything passes; enabling names packs or rules, disabling takes single rules out."""
    result = listing()
    view = Compressor.default().view(result)
    assert (view.content, view.decision.reason) == (result.content, Reason.DISABLED)
    for enable in ("curated", ["demo"], {"demo.list"}):
        assert Compressor.default(enable=enable).view(result).decision.outcome is Outcome.COMPRESSED
    off = Compressor.default(enable="curated", disable=["demo.list"])
    assert off.view(result).decision.reason is Reason.DISABLED


def test_unknown_levels_are_refused_and_broken_configuration_passes(curated, listing, monkeypatch, tmp_path):
    """A caller's mistake raises when the compressor is made; a broken file makes everything pass and says why."""
    with pytest.raises(ValueError, match="admit"):
        Compressor.default(admit="all")
    path = tmp_path / "config.toml"
    path.write_text("x = 1")
    monkeypatch.setenv("CABLESE_CONFIG", str(path))
    compressor, result = Compressor.default(enable="curated"), listing()
    view = compressor.view(result)
    assert view.content is result.content
    assert str(path) in view.decision.detail
    assert not compressor.may_compress("bash", "demo list")


def test_the_store_may_be_anyones(curated, listing):
    """A store of the host, or none."""
    store = MemoryStore()
    view = Compressor.default(enable="curated", store=store).view(listing(tenant="t", run="r"))
    assert store.fetch(view.decision.handle, tenant="t", run="r") == listing().content.encode()
    view = Compressor.default(enable="curated", store=False).view(listing())
    assert view.decision.reason is Reason.UNRECOVERABLE
    assert (
        Compressor.default(enable="curated", store=False, unrecoverable_ok=True).view(listing()).decision.handle is None
    )


def test_commands_can_be_asked_about_before_they_run(compressor):
    """True only for what some rule that is on claims."""
    assert compressor.may_compress("bash", "demo list 2>&1")
    assert not compressor.may_compress("read", "demo list")
    assert not compressor.may_compress("bash", "demo list | head")


def test_threads_see_the_same_view(compressor, listing):
    """One compressor in many threads from the first call on: the same text for the same result."""
    views, barrier = [], threading.Barrier(6)

    def work():
        barrier.wait()
        views.extend(compressor.view(listing(50 + n)).content for n in range(5))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(views) == 30
    assert len(set(views)) == 5


def _view(compressor, result, results):
    results.put(compressor.view(result).content)


def test_a_fork_goes_on_with_the_same_compressor(compressor, listing):
    """Used before the fork, it works in the child, with the same handle."""
    before = compressor.view(listing()).content
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    child = context.Process(target=_view, args=(compressor, listing(), results))
    child.start()
    child.join()
    assert results.get() == before
    assert compressor.view(listing()).content == before


def test_records_travel_between_processes(compressor, listing):
    """Results and views can be pickled, defaults included."""
    for record in (ToolResult("bash", "x"), listing(), compressor.view(listing())):
        assert pickle.loads(pickle.dumps(record)) == record


@pytest.mark.parametrize("count", [100, 20_000])
def test_the_event_loop_gets_the_same_view(compressor, listing, count):
    """Small results are decided at once, large ones in a thread; the text is the same."""
    result = listing(count)
    assert asyncio.run(compressor.view_async(result)).content == compressor.view(result).content


FRAMED = "stdout:\n" + "item of a list\n" * 200 + "\nstderr:\n"


def test_wrapped_functions_return_what_a_model_should_see(compressor):
    """Sync and async, results and plain text, positional and named arguments."""

    def bash(command, timeout=3):
        """Run."""
        return FRAMED

    async def shell(cmd):
        return FRAMED

    wrapped = compressor.wrap(bash)
    assert wrapped("demo list").startswith("[tool_output_compression]\ntool: bash\n")
    assert wrapped(command="demo list", timeout=1).startswith("[tool_output_compression]\n")
    assert (wrapped.__name__, wrapped.__doc__) == ("bash", "Run.")
    assert wrapped("other") is FRAMED
    assert asyncio.run(compressor.wrap(shell)("demo list")).startswith("[tool_output_compression]\ntool: shell\n")
    named = compressor.wrap(functools.partial(bash), tool="bash")
    assert named("demo list").startswith("[tool_output_compression]\n")


def test_wrapped_results_stay_results(compressor, listing):
    """A function that returns a record gives one back: the same object when it passed, else with another content."""
    given, passing = listing(), listing(1)
    shown = compressor.wrap(lambda: given)()
    assert shown == given._replace(content=compressor.view(given).content)
    assert compressor.wrap(lambda: passing)() is passing
    payload = {"a": 1}
    assert compressor.wrap(lambda: payload)() is payload


def test_errors_of_wrapped_functions_are_raised_as_they_were(compressor):
    """The same object, with its cause."""
    error = ValueError("x")
    error.__cause__ = KeyError("y")

    def bash():
        raise error

    async def shell():
        raise error

    for call in (compressor.wrap(bash), lambda: asyncio.run(compressor.wrap(shell)())):
        with pytest.raises(ValueError, match="x") as caught:
            call()
        assert caught.value is error
        assert isinstance(caught.value.__cause__, KeyError)
