"""The native codec, for tests that need it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cablese.runtime import native

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="session")
def codec() -> ModuleType:
    """Return the native codec; skip where it is not installed or switched off."""
    found = native.codec()
    if found is None:
        pytest.skip("the native codec is not there")
    return found
