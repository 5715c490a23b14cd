"""Tool functions that return what a model should see.

Input: a function of the host, and who wants to know of its raw results. Output: a function that is called in the same
way. A function that returns a `ToolResult` gives one back, with another content; any other value is itself the content,
of a result with the arguments of the call.

What kind of function it is decides how the view is made: `view` for a function, `view_async` for whatever is awaited:
coroutine functions, partial functions and bound methods of them, objects whose `__call__` is one, and functions that
return an awaitable. Generator functions, sync or async, come back untouched: what they give piece by piece has been
read before it could be decided about; so does a generator that a function returns.

Invariants: an error of the function is raised as it was, the same object, and nothing is kept of it. Whoever is told of
a result gets the raw one, once, and what it raises is logged and changes nothing. Names, docstring and signature of the
function stay.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..records import ToolResult, View

if TYPE_CHECKING:
    from ..compressor import Compressor

OnResult = Callable[[ToolResult, View], object]
_Function = TypeVar("_Function", bound=Callable[..., Any])
_RECEIVERS = ("self", "cls")


def wrap_function(
    compressor: Compressor, function: _Function, tool: str | None = None, on_result: OnResult | None = None
) -> _Function:
    """Wrap a tool function. Raises TypeError for what cannot be called."""
    if not callable(function):
        hint = "; wrap the function below `@classmethod`" if isinstance(function, classmethod) else ""
        raise TypeError(f"`{type(function).__name__}` is not a function{hint}")
    inner = _innermost(function)
    if inspect.isgeneratorfunction(inner) or inspect.isasyncgenfunction(inner):
        return function
    call = _Call(compressor, tool or _name(function), function, on_result)

    if inspect.iscoroutinefunction(inner):

        @functools.wraps(function)
        async def wrapped_async(*args: Any, **kwargs: Any) -> Any:
            return await call.finish_async(await function(*args, **kwargs), args, kwargs)

        return cast("_Function", wrapped_async)

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        value = function(*args, **kwargs)
        if inspect.isawaitable(value):
            return call.finish_awaitable(value, args, kwargs)
        return call.finish(value, args, kwargs)

    return cast("_Function", wrapped)


class _Call:
    """What is the same for all calls of one wrapped function."""

    def __init__(
        self, compressor: Compressor, tool: str, function: Callable[..., Any], on_result: OnResult | None
    ) -> None:
        self._compressor = compressor
        self._tool = tool
        self._partial = function if isinstance(function, functools.partial) else None
        self._signature = _signature(function if self._partial is None else self._partial.func)
        self._on_result = on_result

    def finish(self, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if _comes_in_pieces(value):
            return value
        result = self._result(value, args, kwargs)
        view = self._compressor.view(result)
        told = self._tell(result, view)
        if inspect.iscoroutine(told):
            told.close()
            _log(TypeError("a coroutine cannot be awaited here; give a function to `on_result`"))
        return _give(value, view)

    async def finish_async(self, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if _comes_in_pieces(value):
            return value
        result = self._result(value, args, kwargs)
        view = await self._compressor.view_async(result)
        told = self._tell(result, view)
        if inspect.isawaitable(told):
            try:
                await told
            except Exception as error:  # noqa: BLE001 - who is told changes nothing
                _log(error)
        return _give(value, view)

    async def finish_awaitable(self, value: Awaitable[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return await self.finish_async(await value, args, kwargs)

    def _result(self, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ToolResult:
        result = value
        if not isinstance(value, ToolResult):
            if self._partial is not None:
                args, kwargs = (*self._partial.args, *args), {**self._partial.keywords, **kwargs}
            result = ToolResult(self._tool, value, _arguments(self._signature, args, kwargs))
        return self._compressor.in_scope(result)

    def _tell(self, result: ToolResult, view: View) -> object:
        if self._on_result is None:
            return None
        try:
            return self._on_result(result, view)
        except Exception as error:  # noqa: BLE001 - who is told changes nothing
            _log(error)
            return None


def _name(function: Any) -> str:
    """Return the name of a function, of what a partial function calls, or of the class of an object."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def _innermost(function: Any) -> Any:
    """Return what is called in the end: the function of a partial or bound one, the `__call__` of an object."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif inspect.ismethod(function) or isinstance(function, staticmethod):
            function = function.__func__
        elif inspect.isroutine(function) or inspect.isclass(function):
            return function
        else:
            call = getattr(type(function), "__call__", None)  # noqa: B004 - its kind matters, not whether it is there
            return function if call is None or not inspect.isfunction(call) else call


def _signature(function: Any) -> inspect.Signature | None:
    """Return the signature of a function; some built-ins have none."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def _arguments(signature: inspect.Signature | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of a call by name, without the object of a method."""
    if signature is None:
        return dict(kwargs)
    try:
        bound = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return dict(kwargs)
    found: dict[str, Any] = {}
    for number, (name, value) in enumerate(bound.items()):
        if number == 0 and name in _RECEIVERS:
            continue
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        else:
            found[name] = list(value) if kind is inspect.Parameter.VAR_POSITIONAL else value
    return found


def _comes_in_pieces(value: Any) -> bool:
    """Tell whether a value can be read only once, by whoever asked for it."""
    return isinstance(value, Iterator | AsyncIterator)


def _give(value: Any, view: View) -> Any:
    """Return a view in the shape in which the function returned the original."""
    if not isinstance(value, ToolResult):
        return view.content
    return value if view.content is value.content else value._replace(content=view.content)


def _log(error: BaseException) -> None:
    import logging

    logging.getLogger("cablese").warning("`on_result` raised %s", type(error).__name__, exc_info=error)
