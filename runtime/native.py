"""The one place that chooses between the optional native codec and Python.

Role: `codec` gives the module `cablese_codec` where it is installed, of this program's version and not switched off;
`counter` gives it where it counts sooner than Python. Who gets None goes on in Python, which is the specification:
what is given never differs, and no decision depends on who gave it.

- Nothing is imported before somebody asks, and a process that counts little never asks for it: the vocabularies take a
  tenth of a second and some 100 MB, so they are read once Python has counted for that long. That happens beside it,
  in a thread that is not Python's, unless there is a text to count that takes longer still.
- `CABLESE_PURE=1`: neither imported nor mentioned. Absent: one debug line. Another version, or a module that does not
  load: one warning. A module that raised what it should not is left out from then on, with one warning.
"""

from __future__ import annotations

import os
import sys

from .. import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

PAYS = 200_000
"""Microseconds of counting in Python, after which the vocabularies are read; reading them takes somewhat less."""

_CHARACTERS_PER_MICROSECOND = 2


class _Choice:
    """What this process has found, and the microseconds that it has counted."""

    __slots__ = ("asked", "module", "spent")

    def __init__(self) -> None:
        self.asked = False
        self.module: ModuleType | None = None
        self.spent = 0


_choice = _Choice()


def codec() -> ModuleType | None:
    """Return the native codec, or None where Python does the work. Raises nothing."""
    if not _choice.asked:
        _choice.module = None if os.environ.get("CABLESE_PURE") == "1" else _find()
        _choice.asked = True
    return _choice.module


def counter(characters: int) -> ModuleType | None:
    """Return the codec where it should count a text of so many characters, or None; then Python's time is noted.

    0 characters: it is not known how many there will be, and the caller notes by `spend` what it took. Raises nothing.
    """
    time = characters // _CHARACTERS_PER_MICROSECOND
    if _choice.spent + time < PAYS:
        _choice.spent += time
        return None
    module = codec()
    if module is not None:
        try:
            if module.ready_to_count(time >= PAYS):
                return module
        except Exception as error:  # noqa: BLE001 - Python can do it, too
            leave_out(error)
    return None


def spend(microseconds: int) -> None:
    """Note that Python has counted for about so long."""
    _choice.spent += microseconds


def leave_out(error: BaseException) -> None:
    """Go on without the codec in this process, as it raised `error`."""
    if _choice.module is not None:
        _choice.module = None
        _warn("the native codec is left out from here on: %s: %s", type(error).__name__, error)


def forget() -> None:
    """Ask and count anew, as a new process does."""
    _choice.__init__()


def _find() -> ModuleType | None:
    try:
        import cablese_codec  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        # A process without `logging` has nobody who would read the line, and importing it takes longer than a decision.
        if "logging" in sys.modules:
            import logging

            logging.getLogger("cablese").debug("the native codec is not installed; Python does its work")
        return None
    except Exception as error:  # noqa: BLE001 - an extension for another system may fail in any way
        _warn("the native codec does not load and is not used: %s: %s", type(error).__name__, error)
        return None
    found = getattr(cablese_codec, "__version__", None)
    if found != __version__:
        _warn("the native codec %s is not used: this is cablese %s", found, __version__)
        return None
    return cablese_codec


def _warn(text: str, *values: object) -> None:
    import logging

    logging.getLogger("cablese").warning(text, *values)
