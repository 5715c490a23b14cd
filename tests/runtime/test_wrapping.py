"""Wrapped tool functions: every kind of function, what is told of whom, errors, and scopes."""

# The tools of these tests give what they give, whatever they are asked.
# ruff: noqa: ARG002, ARG003, ARG004, ARG005

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
import traceback

import pytest
from cablese.runtime import Compressor, MemoryStore, ToolResult

LISTING = "".join(f"item number {n} of the list\n" for n in range(200))
FRAMED = f"stdout:\n{LISTING}\nstderr:\n"
HEADER = "[tool_output_compression]\n"


@pytest.fixture
def store():
    """Give a store in memory."""
    return MemoryStore(bytes(32))


@pytest.fixture
def compressor(make_context, store):
    """Give a compressor that knows `demo list`."""
    with Compressor(make_context(store)) as made:
        yield made


@pytest.fixture
def heard():
    """Give a list for what is told of results."""
    return []


def bash(command, timeout=3):
    """Run a command."""
    return FRAMED


async def bash_async(command, *, limit: float = 3) -> str:
    """Run a command and wait."""
    await asyncio.sleep(0)
    return FRAMED


class Shell:
    """A tool as an object."""

    def run(self, command):
        """Run."""
        return FRAMED

    async def run_async(self, command):
        """Run and wait."""
        return FRAMED

    @staticmethod
    def static(command):
        """Run without the object."""
        return FRAMED

    @classmethod
    def of_class(cls, command):
        """Run for the class."""
        return FRAMED

    def __call__(self, command):
        """Run."""
        return FRAMED


class AsyncShell:
    """A tool as an object that is awaited."""

    async def __call__(self, command):
        """Run and wait."""
        return FRAMED


def returns_awaitable(command):
    """Return what is to be awaited."""
    return bash_async(command)


KINDS = {
    "function": bash,
    "lambda": lambda command: FRAMED,
    "partial": functools.partial(bash, timeout=1),
    "bound": Shell().run,
    "static": Shell.static,
    "class": Shell().of_class,
    "object": Shell(),
    "async function": bash_async,
    "async partial": functools.partial(bash_async, limit=1),
    "async bound": Shell().run_async,
    "async object": AsyncShell(),
    "partial of async object": functools.partial(AsyncShell()),
    "returns an awaitable": returns_awaitable,
}


def call(function, *args, **kwargs):
    """Call a function, and wait where there is something to wait for."""
    value = function(*args, **kwargs)
    if inspect.isawaitable(value):

        async def wait():
            return await value

        return asyncio.run(wait())
    return value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("named", [False, True])
def test_every_kind_of_function_gives_the_view(compressor, heard, kind, named):
    """Positional and named arguments reach the function and the rule; the raw result and the view are told once."""
    wrapped = compressor.wrap(KINDS[kind], tool="bash", on_result=lambda *told: heard.append(told))
    shown = call(wrapped, command="demo list") if named else call(wrapped, "demo list")
    assert shown.startswith(f"{HEADER}tool: bash\nrule: demo.list\ncommand: demo list\n")
    ((result, view),) = heard
    assert result.content is FRAMED
    assert result.arguments["command"] == "demo list"
    assert "self" not in result.arguments
    assert view.content is shown
    assert call(wrapped, "other command") is FRAMED


@pytest.mark.parametrize("kind", ["async function", "async partial", "async bound", "async object"])
def test_what_was_a_coroutine_function_is_one(compressor, kind):
    """Hosts that look at a tool before they call it see the same kind."""
    assert inspect.iscoroutinefunction(compressor.wrap(KINDS[kind]))


@pytest.mark.parametrize("kind", KINDS)
def test_signatures_stay(compressor, kind):
    """Names, docstring and signature are those of the function."""
    wrapped = compressor.wrap(KINDS[kind])
    assert inspect.signature(wrapped) == inspect.signature(KINDS[kind])
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        assert getattr(wrapped, name, None) == getattr(KINDS[kind], name, getattr(wrapped, name, None))


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (bash, "bash"),
        (functools.partial(bash), "bash"),
        (Shell().run, "run"),
        (Shell(), "Shell"),
        (AsyncShell(), "AsyncShell"),
        (functools.partial(AsyncShell()), "AsyncShell"),
        (len, "len"),
    ],
)
def test_a_tool_is_named_after_its_function(compressor, heard, function, name):
    """A partial function after what it calls, an object after its class."""
    call(compressor.wrap(function, on_result=lambda result, view: heard.append(result.tool)), "x")
    assert heard == [name]


def test_arguments_are_given_by_name(compressor, heard):
    """Positional ones, those of a partial function, the rest by name and by place; never the object of a method."""

    class Tools:
        @compressor.wrap(tool="method", on_result=lambda result, view: heard.append(dict(result.arguments)))
        def method(self, query, limit=10):
            return "x"

    def loose(first, *rest, **options):
        return "x"

    def tell(result, view):
        heard.append(dict(result.arguments))

    Tools().method("a", limit=3)
    compressor.wrap(functools.partial(loose, 1, colour="red"), on_result=tell)(2, 3, size=4)
    compressor.wrap(max, on_result=tell)(["a", "b"])
    assert heard == [
        {"query": "a", "limit": 3},
        {"first": 1, "rest": [2, 3], "colour": "red", "size": 4},
        {},
    ]


def test_it_is_a_decorator_with_and_without_a_name(compressor):
    """`@wrap` and `@wrap(tool=…)`."""

    @compressor.wrap
    def bash(command):
        return FRAMED

    @compressor.wrap(tool="bash")
    async def run(command):
        return FRAMED

    assert bash("demo list").startswith(HEADER)
    assert call(run, "demo list").startswith(HEADER)


@pytest.mark.parametrize("status", [None, "success"])
def test_a_result_comes_back_as_a_result(compressor, listing, status):
    """The same object where it passes; else everything but the content stays."""
    given, passing = listing(status=status, extra={"id": 7}), listing(1)
    shown = compressor.wrap(lambda: given)()
    assert shown == given._replace(content=compressor.view(given).content)
    assert shown.content.startswith(HEADER)
    assert compressor.wrap(lambda: passing)() is passing


def test_what_comes_in_pieces_is_not_touched(compressor, heard):
    """Generator functions are the same objects; generators that functions return keep all their pieces."""

    def pieces():
        yield from "ab"

    async def async_pieces():
        yield "a"

    async def give_async():
        return async_pieces()

    def tell(result, view):
        heard.append(result)

    for function in (pieces, async_pieces, functools.partial(pieces)):
        assert compressor.wrap(function, on_result=tell) is function
    assert list(compressor.wrap(lambda: pieces(), on_result=tell)()) == ["a", "b"]  # noqa: PLW0108
    assert inspect.isasyncgen(call(compressor.wrap(give_async, on_result=tell)))
    assert heard == []


@pytest.mark.parametrize("value", [3, None, "", classmethod(bash)])
def test_only_functions_are_wrapped(compressor, value):
    """Anything else is refused at once, but for nothing at all, which makes a decorator."""
    if value is None:
        assert compressor.wrap(value)(bash)("other") is FRAMED
    else:
        with pytest.raises(TypeError, match="is not a function"):
            compressor.wrap(value)


# --- errors ---------------------------------------------------------------------------------------------------------


def fail(command):
    """Raise from another error."""
    try:
        raise KeyError("y")
    except KeyError as cause:
        raise ValueError("x") from cause


async def fail_async(command):
    """Raise later."""
    await asyncio.sleep(0)
    fail(command)


@pytest.mark.parametrize("function", [fail, fail_async])
def test_errors_are_raised_as_they_were(compressor, heard, store, function):
    """The same object with cause and traceback; nobody is told, nothing is kept."""
    events = []
    compressor.subscribe(events.append)
    wrapped = compressor.wrap(function, on_result=lambda *told: heard.append(told))
    with pytest.raises(ValueError, match="x") as caught:
        call(wrapped, "demo list")
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.__context__ is caught.value.__cause__
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names[-1] == "fail"
    assert heard == events == []
    assert store._kept == {}


def test_a_call_that_does_not_fit_is_the_error_of_the_function(compressor):
    """Python's own words."""
    with pytest.raises(TypeError, match=r"bash\(\) missing 1 required positional argument: 'command'"):
        compressor.wrap(bash)()


def test_the_payload_of_a_failed_result_is_kept(compressor, store):
    """A result of status `error` passes, and its original can be read again."""
    failed = ToolResult("search", {"error": "no such index", "trace": "x" * 500}, status="error")
    events = []
    compressor.subscribe(events.append)
    assert compressor.wrap(lambda: failed)() is failed
    handle = events[0].decision.handle
    assert b"no such index" in store.fetch(handle)


@pytest.mark.parametrize("wrapper", [bash, bash_async])
def test_whoever_is_told_cannot_break_a_call(compressor, caplog, wrapper):
    """Its error is logged, and the view comes."""

    def tell(result, view):
        raise RuntimeError("a hook")

    assert call(compressor.wrap(wrapper, tool="bash", on_result=tell), "demo list").startswith(HEADER)
    assert "`on_result` raised RuntimeError" in caplog.text


def test_async_hooks_are_awaited(compressor, heard, caplog):
    """Where the function is awaited; elsewhere the log says that nobody can."""

    async def tell(result, view):
        await asyncio.sleep(0)
        heard.append(view.decision.rule)
        raise RuntimeError("a hook")

    assert call(compressor.wrap(bash_async, tool="bash", on_result=tell), "demo list").startswith(HEADER)
    assert heard == ["demo.list"]
    assert "`on_result` raised RuntimeError" in caplog.text
    caplog.clear()
    assert call(compressor.wrap(bash, on_result=tell), "demo list").startswith(HEADER)
    assert heard == ["demo.list"]
    assert "a coroutine cannot be awaited here" in caplog.text


# --- scopes ---------------------------------------------------------------------------------------------------------


def names(compressor, **fields):
    """Return the tenant and run that a decision is told with."""
    told = []
    remove = compressor.subscribe(lambda event: told.append((event.tenant, event.run)))
    compressor.view(ToolResult("search", "x", **fields))
    remove()
    return told[0]


def test_scopes_name_what_has_no_name(compressor):
    """A result's own names go first, an inner scope before an outer one, each name by itself."""
    assert names(compressor) == ("", "")
    with compressor.scope(tenant="a", run="1"):
        assert names(compressor) == ("a", "1")
        assert names(compressor, tenant="b") == ("b", "1")
        with compressor.scope(run="2"):
            assert names(compressor) == ("a", "2")
            with compressor.scope(tenant=""):
                assert names(compressor) == ("", "2")
        assert names(compressor) == ("a", "1")
    assert names(compressor) == ("", "")


def test_a_scope_ends_with_an_error(compressor):
    """What is raised inside goes through."""
    with pytest.raises(KeyError), compressor.scope(tenant="a"):
        raise KeyError("x")
    assert names(compressor) == ("", "")


def test_a_scope_is_for_one_compressor(compressor, make_context):
    """Another one in the same process does not see it."""
    other = Compressor(make_context())
    with other.scope(tenant="b"), compressor.scope(tenant="a"):
        assert names(compressor) == ("a", "")
        assert names(other) == ("b", "")


def test_tasks_have_scopes_of_their_own(compressor):
    """Two tasks at once do not see each other's; a task has that of where it was started; another thread has none."""
    seen = {}

    async def work(tenant):
        with compressor.scope(tenant=tenant):
            await asyncio.sleep(0.01)
            seen[tenant] = names(compressor)

    async def both():
        with compressor.scope(run="r"):
            await asyncio.gather(work("a"), work("b"))
            thread = threading.Thread(target=lambda: seen.update(thread=names(compressor)))
            thread.start()
            thread.join()

    asyncio.run(both())
    assert seen == {"a": ("a", "r"), "b": ("b", "r"), "thread": ("", "")}


@pytest.mark.parametrize("function", [bash, bash_async])
def test_originals_of_a_scope_are_read_in_it(compressor, heard, function):
    """Handles of wrapped tools lead to their originals inside the scope, and nowhere else."""
    wrapped = compressor.wrap(function, tool="bash", on_result=lambda result, view: heard.append((result, view)))
    with compressor.scope(tenant="a", run="1"):
        shown = call(wrapped, "demo list")
        handle = shown.split()[-1]
        assert compressor.recover(handle) == FRAMED
    ((result, view),) = heard
    assert (result.tenant, result.run, view.decision.handle) == ("a", "1", handle)
    assert compressor.recover(handle, tenant="a", run="1") == FRAMED
    with pytest.raises(Exception, match="handle"):
        compressor.recover(handle)


def test_names_are_text(compressor):
    """Anything else is refused before anything is done."""
    with pytest.raises(TypeError, match="are text"):
        compressor.scope(tenant=3)
