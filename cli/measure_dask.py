"""`cablese measure --dask`: chunks of an archive on a Dask cluster, from any storage that fsspec reaches.

Input: a URL or path, a `Work`, the address of a scheduler or `local`. Output: an `Aggregate`. The address, and the
storage's own settings, are used as they are given; the workers need this package in the same version, the same packs
and the same configuration, and refuse to decide otherwise.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ..runtime.measuring.archives import ARCHIVES
from ..runtime.measuring.chunks import CheckpointError, measure_chunks
from ..runtime.measuring.run import LostProcessError
from ..runtime.measuring.storage import find_stored
from .output import complain

if TYPE_CHECKING:
    from ..runtime.measuring.aggregate import Aggregate
    from ..runtime.measuring.run import Told
    from ..runtime.measuring.scan import Work

_LOCAL = "local"
_SAID = "the network is used for this; whether links are followed and files stay the same is the storage's own matter"


class MissingExtraError(ValueError):
    """What only an extra installs is not there. The message names the extra."""


def measure_by_dask(
    folder: str, work: Work, address: str, jobs: int, checkpoint: str | None, told: Told | None
) -> Aggregate:
    """Measure an archive on a cluster. Raises MissingExtraError, UnsafeError, LostProcessError."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtraError("--dask needs the extra `dask`: pip install 'cablese[dask]'") from None
    complain(_SAID)
    sample = find_stored(os.path.expanduser(folder), ARCHIVES[work.archive], work.limits)
    with ExitStack() as held:
        try:
            if address == _LOCAL:
                cluster = LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    dashboard_address=None,  # pyright: ignore[reportArgumentType] - none is served then
                )
                client = held.enter_context(Client(held.enter_context(cluster)))
            else:
                client = held.enter_context(Client(address))
            return measure_chunks(sample, work, client.get_executor(), checkpoint, told)
        except CheckpointError as error:
            raise LostProcessError(str(error)) from None
        except LostProcessError:
            raise
        except Exception as error:
            # Workers that are lost or differ, and connections: each of its library's own kind.
            raise LostProcessError(f"the cluster did not measure this: {str(error) or type(error).__name__}") from error
