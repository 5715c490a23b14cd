"""What a measurement depends on besides the files: made once, and compared wherever figures meet.

Input: what is asked for. Output: a `Work`; for `--rules` also the compressor that decides, one for each process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import __version__
from ..settings import SettingsError
from .aggregate import Aggregate, Basis
from .limits import Limits
from .scan import Work
from .weightless_store import WeightlessStore

if TYPE_CHECKING:
    from ..compressor import Compressor


def plan_report(archive: str, encoding: str, limits: Limits) -> Work:
    """Return the work of report v0."""
    return Work(archive, encoding, limits, Basis(__version__, archive, encoding, tuple(limits)))


def plan_rules(
    archive: str, encoding: str, limits: Limits, *, admit: str | None = None, packs: tuple[str, ...] = ()
) -> Work:
    """Return the work of `--rules`, with the packs and settings of this process.

    Raises ValueError for a pack in `packs`, PackUnusableError for another one, SettingsError for a configuration that
    cannot be used.
    """
    work = Work(archive, encoding, limits, Basis("", archive, encoding, ()), rules=True, admit=admit, packs=packs)
    compressor = _make_compressor(work)
    if compressor.fault is not None:
        raise SettingsError(compressor.fault)
    basis = _basis_of(compressor, work)
    work = work._replace(basis=basis)
    _compressors[work] = compressor
    return work


_compressors: dict[Work, Compressor] = {}
"""One for each work of a process; processes that are forked have those of their parent."""


def compressor_for(work: Work) -> Compressor:
    """Return the compressor of this process for a work. Raises MergeError where it would decide otherwise."""
    compressor = _compressors.get(work)
    if compressor is None:
        compressor = _make_compressor(work)
        Aggregate(work.basis).merge(Aggregate(_basis_of(compressor, work)))
        _compressors[work] = compressor
    return compressor


def _make_compressor(work: Work) -> Compressor:
    from ..compressor import Compressor

    # Rules are on, as for `run` and `view`; otherwise as this process is configured.
    return Compressor.default(
        enable="curated", admit=work.admit, packs=work.packs, store=WeightlessStore(), count=True, ledger=False
    )


def _basis_of(compressor: Compressor, work: Work) -> Basis:
    """Return what the decisions of a compressor depend on."""
    context = compressor._context  # noqa: SLF001 - of the same room
    settings = context.settings
    packs = tuple(
        f"{source.pack.name} {source.pack.version} {source.pack.digest}" for source in compressor.catalogue.sources()
    )
    decides = (
        f"admission {settings.admission}",
        f"enabled {' '.join(sorted(settings.enabled))}",
        f"disabled {' '.join(sorted(settings.disabled))}",
        f"levels {' '.join(f'{name}={level}' for name, level in settings.levels)}",
        f"hint {settings.hint}",
        f"killed {settings.killed}",
    )
    return Basis(__version__, work.archive, work.encoding, tuple(work.limits), packs, decides)
