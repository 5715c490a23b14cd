"""The recorder: builds repositories, crates and test suites of our own and records what real tools say about them.

Input: the catalogues of this package. Output: one result record a file in ``tests/samples/<rule>/<name>.json``.
"""

from .cargo_check_oddities import check as cargo_check
from .cargo_tests import test as cargo_test
from .git_diff_content import diff as git_diff
from .git_log import log as git_log
from .git_status_states import status as git_status
from .pytest_runs import run as pytest

CATALOGUES = (git_status, git_diff, git_log, cargo_check, cargo_test, pytest)
