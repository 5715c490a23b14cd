"""SHA-256 and BLAKE2b without OpenSSL.

`hashlib` loads OpenSSL for names that the interpreter's own modules also have; that load costs more than all the
hashing of a run. The values are the same, whichever module computes them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashlib import blake2b, sha256

__all__ = ["blake2b", "sha256"]

_MODULES = {"blake2b": ("_blake2", "hashlib"), "sha256": ("_sha2", "_sha256", "hashlib")}


def __getattr__(name: str) -> Any:
    """Give a function of the first module that has it; `_sha2` came with Python 3.12."""
    for module in _MODULES.get(name, ()):
        try:
            found = getattr(import_module(module), name)
        except ImportError:
            continue
        # From here on it is an ordinary name of this module.
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
