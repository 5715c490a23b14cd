"""`cablese forget`: drop originals from the store."""

from __future__ import annotations

import os

from ..runtime.settings import SettingsError, read_settings
from ..runtime.stores.open_store import ConfiguredStore
from ..runtime.stores.store import StoreError
from .options import Arguments, Command, Operands, Option
from .output import complain, count_of
from .show import NAMESPACE

COMMAND = Command(
    "forget",
    "Drop originals from the store, so that nobody can read them again.\n\nTakes a handle, or --all, or --expired.",
    (
        Option("--all", "all originals of the tenant's run"),
        Option("--expired", "what is older or more than the configuration allows, of all tenants"),
        *NAMESPACE,
    ),
    Operands("HANDLE", "the digits behind `cablese show` in the last line of a summary", least=0, most=1),
)


def execute(arguments: Arguments) -> int:
    """Say how many were dropped; 0, 1 if the handle is unknown, 2 if the store or an option cannot be read."""
    handles = arguments["handle"]
    if len(handles) + arguments["all"] + arguments["expired"] != 1:
        complain("a handle, --all or --expired is expected, and one of them only")
        return 2
    try:
        store = ConfiguredStore(read_settings(os.environ, os.getcwd()))
        if arguments["expired"]:
            dropped = store.purge()
        else:
            handle = handles[0] if handles else None
            dropped = store.forget(handle, tenant=arguments["tenant"], run=arguments["run"])
    except (SettingsError, StoreError) as error:
        complain(str(error))
        return 2
    if handles and not dropped:
        complain("no original is kept under this handle")
        return 1
    print(f"{count_of(dropped, 'original')} dropped")
    return 0
