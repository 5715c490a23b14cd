"""pytest: suites of our own that pass, fail, break, warn, and print what pytest prints."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from .catalogue import Builder, Catalogue, Entry, Facts
from .scratch import Captured, Workshop


def reported(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Run once more with `--junitxml` and read outcomes there; an empty report tells nothing."""
    if not re.match(r"(python -m )?pytest\b", entry.command):
        return {}
    report = shop.home / "tmp" / "report.xml"
    report.unlink(missing_ok=True)
    plain = entry.command.replace("2>&1", "")
    shop.capture(f"{plain} --junitxml={report}", folder=entry.folder, environment=entry.environment)
    if not report.exists():
        return {}
    outcomes: dict[str, list[str]] = {"failure": [], "error": [], "skipped": []}
    count = 0
    for found in ET.parse(report).iter("testcase"):
        count += 1
        for kind, names in outcomes.items():
            names.extend(f"{found.get('classname')}::{found.get('name')}" for _ in found.findall(kind))
    return {
        "cases": count,
        "failed": sorted(outcomes["failure"]),
        "errors": sorted(outcomes["error"]),
        "skipped_or_xfailed": len(outcomes["skipped"]),
    }


run = Catalogue("pytest", reported)

PASSING = "import pytest\n\n\ndef twice(n):\n    return n * 2\n\n\n" + "".join(
    f"def test_case_{row:02}():\n    assert twice({row}) == {row * 2}\n\n\n" for row in range(40)
)
FAILING = """\
import pytest


class Point:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Point({self.x})"


def helper(value):
    inner = value + 1
    return inner / (value - value)


def test_equal():
    assert 1 + 1 == 3


def test_equal_with_message():
    assert [1, 2, 3] == [1, 2, 4], "the lists differ"


def test_texts():
    assert "one\\ntwo\\nthree\\n" == "one\\nTWO\\nthree\\n"


def test_dictionaries():
    assert {"a": 1, "b": [1, 2], "c": {"d": 1}} == {"a": 1, "b": [1, 3], "c": {"d": 2}}


def test_objects():
    assert Point(1) == Point(2)


def test_raises():
    helper(3)


def test_expected_exception():
    with pytest.raises(ValueError, match="seven"):
        int("7")


def test_attribute():
    None.missing()


def test_fail():
    pytest.fail("given up:\\nsecond line")


def test_long_text():
    assert "x" * 500 == "y" * 500


def test_chained():
    try:
        helper(1)
    except ZeroDivisionError as error:
        raise RuntimeError("while dividing") from error


def test_passes():
    assert True
"""
PARAMETERS = """\
import pytest


@pytest.mark.parametrize("number", range(30))
def test_even(number):
    assert number % 7 != 3


@pytest.mark.parametrize(("left", "right"), [("a b", "ä"), ("[x]", "- y"), ("", " "), ("FAILED", "1 passed")])
def test_odd_names(left, right):
    assert left == right
"""
SKIPS = (
    PASSING
    + """\
@pytest.mark.skip(reason="needs a network, and time")
def test_skipped():
    assert False


@pytest.mark.skipif(True, reason="only elsewhere")
def test_skipped_here():
    assert False


@pytest.mark.xfail(reason="known to fail")
def test_known():
    assert False


@pytest.mark.xfail
def test_unexpectedly_passes():
    assert True


@pytest.mark.xfail(strict=True, reason="must fail")
def test_strict():
    assert True


def test_skips_itself():
    pytest.skip("on second thought")
"""
)
FIXTURES = (
    PASSING
    + """\
@pytest.fixture
def broken():
    raise OSError("no such device")


@pytest.fixture
def breaks_later():
    yield 1
    raise OSError("cannot be closed")


def test_needs_broken(broken):
    assert broken


def test_leaves_broken(breaks_later):
    assert breaks_later == 1


def test_fails_and_leaves_broken(breaks_later):
    assert breaks_later == 2


def test_needs_missing(nowhere):
    assert nowhere
"""
)
WARNS = (
    "import warnings\n\n"
    + PASSING
    + """\
def test_warns():
    warnings.warn("this will go away", DeprecationWarning)


def test_warns_of_two_lines():
    warnings.warn("first line\\n1 failed, 2 passed in 0.01s")


@pytest.mark.unknown_mark
def test_marked():
    assert True


class TestHasInit:
    def __init__(self):
        pass
"""
)
PRINTS = """\
import logging
import sys


def test_prints_total():
    print("==== 99 passed in 0.01s ====")
    assert False


def test_prints_summary():
    print("=========================== short test summary info ============================")
    print("FAILED test_imaginary.py::test_none - nothing")
    assert False


def test_prints_errors():
    print("E   AssertionError: not this one", file=sys.stderr)
    assert False


def test_prints_section():
    print("_______________________________ test_imaginary _______________________________")
    print("test_imaginary.py:7: AssertionError")
    assert False


def test_logs():
    logging.getLogger("demo").warning("a warning in the log")
    assert False


def test_message_imitates():
    raise RuntimeError("1 passed in 0.01s\\n=== 5 passed in 0.02s ===\\nFAILED x.py::y - z")


def test_prints_and_passes():
    print("==== 3 failed in 0.01s ====")
"""
COLLECTION = {
    "test_good.py": PASSING,
    "test_import.py": "import no_such_module\n\n\ndef test_never():\n    pass\n",
    "test_syntax.py": "def test_never(:\n    pass\n",
    "test_raises.py": 'raise RuntimeError("at import")\n',
}
CLASSES = """\
import unittest


class TestPlain:
    def test_method(self):
        assert [1] == [2]

    class TestNested:
        def test_deep(self):
            assert False, "deep"


class Old(unittest.TestCase):
    def test_old(self):
        self.assertEqual({"a": 1}, {"a": 2}, "unittest speaks")

    def test_sub(self):
        for row in range(3):
            with self.subTest(row=row):
                self.assertNotEqual(row, 1)

    @unittest.skip("old skip")
    def test_skipped(self):
        pass
"""


def suite(files: dict[str, str], settings: str = "[pytest]\n") -> Builder:
    """Return a builder of a folder with test files and a `pytest.ini`."""

    def build(shop: Workshop) -> None:
        shop.write("pytest.ini", settings)
        shop.write_all(files)
        # Plugins of the recording environment would print lines of their own.
        shop.environment["PYTEST_ADDOPTS"] = "-p no:cacheprovider -p no:hypothesispytest -p no:snapshot"

    return build


passing = suite({"test_numbers.py": PASSING, "sub/test_more.py": PASSING, "test_last.py": PASSING})
failing = suite({"test_failing.py": FAILING, "test_numbers.py": PASSING})
run.table(
    passing,
    [
        ("passing-verbose", "pytest -v", "A line for each test."),
        ("passing-verbose-module", "python -m pytest -v", "Through the interpreter."),
        ("passing-verbose-merged", "pytest -v 2>&1", "Standard error joins standard output."),
        ("passing-all-shown", "pytest -rA", "A summary line for each test."),
        ("passing-selected", "pytest -v -k case_0", "Selected by name."),
    ],
)
run.table(
    passing,
    [
        ("passing", "pytest", "All pass: three lines of dots."),
        ("passing-quiet", "pytest -q", "All pass, quiet."),
        ("none-selected", "pytest -k nosuch", "Nothing selected: exit code 5."),
    ],
    passes="no_gain",
)
run.table(
    failing,
    [
        ("failing", "pytest", "Eleven ways to fail."),
        ("failing-quiet", "pytest -q", "The same, quiet."),
        ("failing-verbose", "pytest -v", "The same, a line for each test."),
        ("failing-short", "pytest --tb=short", "Short tracebacks."),
        ("failing-long", "pytest --tb=long", "Long tracebacks."),
        ("failing-lines", "pytest --tb=line", "One line for each failure."),
        ("failing-native", "pytest --tb=native", "Tracebacks as Python prints them."),
        ("failing-no-traceback", "pytest --tb=no", "No tracebacks."),
        ("failing-quiet-short", "pytest -q --tb=short", "Quiet and short."),
        ("failing-locals", "pytest -l --tb=short -k raises", "With local variables."),
        ("failing-no-header", "pytest --no-header -q", "No header."),
        ("failing-all-shown", "pytest -rA --tb=short", "Every outcome in the summary."),
        ("failing-maxfail", "pytest --maxfail=3", "Stops after three failures."),
        ("failing-one-stream", "python -m pytest test_failing.py", "A file by name."),
    ],
)
run.add(failing, "first-failure", "pytest -x", "Stops at the first failure.")
run.add(failing, "one-stream", "pytest", "The host captured both streams as one.", merged=True)
run.add(failing, "xdist", "pytest -n 2", "Two workers.")
run.add(failing, "xdist-verbose", "pytest -n 2 -v", "Two workers, a line for each test.")
run.add(suite({"test_parameters.py": PARAMETERS}), "parameters", "pytest", "Parametrised tests with odd names.")
run.add(suite({"test_parameters.py": PARAMETERS}), "parameters-verbose", "pytest -v --tb=short", "The same, verbose.")
run.add(suite({"test_skips.py": SKIPS}), "skips", "pytest -v -ra", "Skipped, expected to fail, unexpectedly passing.")
run.add(suite({"test_skips.py": SKIPS}), "skips-plain", "pytest", "The same in dots and letters.")
run.add(suite({"test_fixtures.py": FIXTURES}), "fixtures", "pytest", "Fixtures break before and after the tests.")
run.add(suite({"test_warns.py": WARNS}), "warnings", "pytest -v", "Warnings of the tests and of pytest.")
run.add(suite({"test_warns.py": WARNS}), "warnings-off", "pytest -v --disable-warnings", "Warnings only counted.")
run.add(
    suite({"test_prints.py": PRINTS}),
    "imitations",
    "pytest",
    "Tests that print what pytest prints.",
    passes="invalid_output",
)
run.add(
    suite({"test_prints.py": PRINTS}),
    "imitations-all-shown",
    "pytest -rA",
    "The same, passing output shown too.",
    passes="invalid_output",
)
run.add(suite(COLLECTION), "collection-errors", "pytest", "Files that cannot be collected.")
run.add(suite(COLLECTION), "collection-continued", "pytest --continue-on-collection-errors", "The rest is run.")
run.add(suite({"test_classes.py": CLASSES}), "classes", "pytest", "Classes, nested classes, unittest, subtests.")
run.add(
    suite({"test_numbers.py": PASSING}, "[pytest]\naddopts = -q\n"),
    "quiet-setting",
    "pytest -v",
    "Quiet by setting.",
    passes="no_gain",
)
run.add(suite({}), "no-tests", "pytest", "Nothing to collect: exit code 5.", passes="no_gain")
run.add(passing, "usage-error", "pytest --no-such-option", "An option that is not there.", passes="no_rule")
run.add(passing, "missing-file", "pytest test_nowhere.py", "A file that is not there.", passes="stderr_present")
run.add(
    passing,
    "missing-test",
    "pytest test_numbers.py::test_nowhere",
    "A test that is not there.",
    passes="stderr_present",
)
run.add(
    suite({"conftest.py": "import no_such_module\n", "test_numbers.py": PASSING}),
    "broken-conftest",
    "pytest",
    "The configuration cannot be imported.",
    passes="stderr_present",
)
run.add(failing, "colour-forced", "pytest", "PY_COLORS.", environment={"PY_COLORS": "1"}, passes="invalid_output")
run.add(
    suite({"test_exit.py": PASSING + "def test_exits():\n    import os\n    os._exit(0)\n"}),
    "exit-0",
    "pytest -v",
    "A test ends the process with success: no total.",
    passes="invalid_output",
)
run.add(
    suite({"test_interrupt.py": PASSING + "def test_interrupts():\n    raise KeyboardInterrupt\n"}),
    "interrupted",
    "pytest -v",
    "Interrupted in the middle: exit code 2.",
    passes="invalid_output",
)
run.add(
    passing, "cut-by-the-host", "pytest -v", "The host kept only the first bytes.", limit=1500, passes="invalid_output"
)
run.refuse(
    failing,
    [
        ("refused-pipe", "pytest -q | tail -20"),
        ("refused-quoted", 'pytest -k "equal or texts"'),
        ("refused-no-capture", "pytest -s"),
        ("refused-collect-only", "pytest --collect-only -q"),
        ("refused-color", "pytest --color=yes"),
        ("refused-durations", "pytest --durations=3"),
        ("refused-junit", "pytest --junitxml=../report.xml"),
        ("refused-assignment", "PYTHONPATH=. pytest"),
        ("refused-python3", "python3 -I -m pytest"),
    ],
)
