"""Looks for faults in many rule files on all processors.

Input and output: those of `check_sources`. Each process compiles a share of the files as if there were no others; what
files can do to each other (two rules of one id, or for one command, two entries for one tool) is looked at here.

INVARIANT: the findings are those of `check_sources`. Only the absence of findings is taken from the shares; where
anything was found, the files are compiled once more, together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..dsl.diagnostics import Diagnostic
from ..dsl.processes import LEAST, count_processors, map_on_all_processors
from ..dsl.source import Source
from ..runtime.packs.pack import load_pack
from .commands import LoweredCommand
from .compilation import CompiledRule, check_sources, compile_sources
from .rivals import Contender, find_rivals
from .sources import Read

_TAKES_IN: Final = re.compile(r'\buse\s+"')


@dataclass(frozen=True, slots=True)
class _Share:
    """What a process found about its files: whether they are without findings, and what others must not have too."""

    clean: bool
    contenders: tuple[Contender, ...] = ()
    admits: int = 0


@dataclass(frozen=True, slots=True)
class _Job:
    """What the processes inherit: a function that reads files cannot be sent to them."""

    shares: list[dict[str, str]]
    draft: bool
    read: Read | None


_job: _Job | None = None


def check_many(sources: Mapping[str, str], *, draft: bool = False, read: Read | None = None) -> tuple[Diagnostic, ...]:
    """Return what `check_sources` returns, sooner where there are many files and several processors."""
    if len(sources) > 1 and sum(map(len, sources.values())) >= LEAST and _are_clean(sources, draft=draft, read=read):
        return ()
    return check_sources(sources, draft=draft, read=read)


def _are_clean(sources: Mapping[str, str], *, draft: bool, read: Read | None) -> bool:
    """Say whether it is certain that there is nothing to find."""
    processors = count_processors()
    if processors == 1:
        return False
    global _job  # noqa: PLW0603 - what a fork inherits
    _job = _Job(list(_divide(sources, processors)), draft, read)
    try:
        shares = list(map_on_all_processors(_check_share, range(processors)))
    finally:
        _job = None
    return all(share.clean for share in shares) and not _meet(shares)


def _divide(sources: Mapping[str, str], processors: int) -> Iterator[dict[str, str]]:
    """Deal the files out. Those that take others in stay together: they may name each other."""
    together = {path: text for path, text in sources.items() if _TAKES_IN.search(text)}
    alone = sorted(sources.keys() - together.keys())
    for number in range(processors):
        share = {path: sources[path] for path in alone[number::processors]}
        yield {**share, **together} if number == 0 else share


def _check_share(number: int) -> _Share:
    assert _job is not None
    done = compile_sources(_job.shares[number], name="check", version="0", draft=_job.draft, read=_job.read)
    if done.pack is None:
        return _Share(clean=False)
    return _Share(clean=True, contenders=tuple(map(_contender, done.rules)), admits=load_pack(done.pack).admits)


def _contender(rule: CompiledRule) -> Contender:
    span = rule.node.id.span
    commands = tuple(LoweredCommand(command, span) for command in rule.section["commands"])
    return Contender(rule.id, frozenset(rule.section["tools"]), commands, span, Source(rule.source.path, ""))


def _meet(shares: list[_Share]) -> bool:
    """Say whether files of different shares may be in each other's way."""
    contenders = [contender for share in shares for contender in share.contenders]
    return (
        len({contender.id for contender in contenders}) < len(contenders)
        or sum(share.admits > 0 for share in shares) > 1
        or next(find_rivals(contenders), None) is not None
    )
