"""Whose results these are: tenant and run for all that a piece of a program does.

Input: names given once, around a piece of a program. Output: results that carry them.

Invariants: what a result says of itself goes before the scope, an inner scope before an outer one, each name by itself.
A scope holds for the thread or task that opened it and for tasks started from there, and for one compressor alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar, Token
from typing import NamedTuple

from ..records import ToolResult


class Names(NamedTuple):
    """A tenant and a run; empty where nothing is said."""

    tenant: str = ""
    run: str = ""


_scopes: ContextVar[Mapping[object, Names]] = ContextVar("cablese_scopes", default={})  # noqa: B039 - never changed


class Scope:
    """A context manager: inside it, results of `owner` without a tenant or a run have these. Use it once at a time."""

    def __init__(self, owner: object, tenant: str | None, run: str | None) -> None:
        """Raise TypeError for names that are not text. None leaves a name as it is outside."""
        if not isinstance(tenant, str | None) or not isinstance(run, str | None):
            raise TypeError("`tenant` and `run` are text")
        self._owner = owner
        self._tenant = tenant
        self._run = run
        self._tokens: list[Token[Mapping[object, Names]]] = []

    def __enter__(self) -> None:
        outer = names_in_scope(self._owner)
        inner = Names(
            outer.tenant if self._tenant is None else self._tenant, outer.run if self._run is None else self._run
        )
        self._tokens.append(_scopes.set({**_scopes.get(), self._owner: inner}))

    def __exit__(self, *_: object) -> None:
        _scopes.reset(self._tokens.pop())


def names_in_scope(owner: object) -> Names:
    """Return the names that hold here for the results of `owner`."""
    return _scopes.get().get(owner, Names())


def names_for(owner: object, tenant: str, run: str) -> Names:
    """Return names that were given, and those of the scope in place of what is empty."""
    names = names_in_scope(owner)
    return Names(tenant or names.tenant, run or names.run)


def put_in_scope(owner: object, result: ToolResult) -> ToolResult:
    """Return a result with the names that it lacks."""
    if not isinstance(result, ToolResult):
        return result
    names = names_for(owner, result.tenant, result.run)
    return result if names == (result.tenant, result.run) else result._replace(tenant=names.tenant, run=names.run)
