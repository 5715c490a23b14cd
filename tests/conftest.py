"""What every test may use, and the rule that CI allows no skip."""

from __future__ import annotations

import itertools
import os

import pytest
from cablese.runtime import native
from hypothesis import HealthCheck, settings

_NUMBERS = itertools.count()

# Quick by default and the same on every run; the long runs choose their own profile.
settings.register_profile(
    "quick", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("CABLESE_HYPOTHESIS", "quick"))


def pytest_collection_modifyitems(config, items):
    """Leave what compares the native codec with Python to the run that has it."""
    if os.environ.get("CABLESE_PURE") != "1":
        return
    compared = [item for item in items if "conformance" in item.path.parts and "codec" in item.fixturenames]
    config.hook.pytest_deselected(items=compared)
    left_out = set(compared)
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Where no skip is allowed, a skipped test is a failed one."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("CABLESE_NO_SKIP") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where no skip is allowed: {report.longrepr}"


@pytest.fixture(scope="session", autouse=True)
def _native_at_once():
    """Where the native codec is used, let it count from the first text on; a run that is to test it has to have it."""
    codec = native.codec()
    counting = codec is not None and codec.ready_to_count(wait=True)
    if counting:
        native.spend(native.PAYS)
    assert counting or not os.environ.get("CABLESE_TEST_NATIVE"), "the native codec is not used: `make codec`"


@pytest.fixture(scope="session")
def _state_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("state")


@pytest.fixture(autouse=True)
def _own_state(_state_folder, monkeypatch):
    """Keep the user's store and configuration out of the tests, and each test's state out of the others'."""
    number = next(_NUMBERS)
    monkeypatch.setenv("CABLESE_STORE", str(_state_folder / f"store-{number}.sqlite"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(_state_folder / f"config-{number}"))
    for name in ("CABLESE_DISABLED", "CABLESE_CONFIG", "CABLESE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
