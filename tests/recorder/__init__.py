"""The recorder: builds repositories, crates and test suites of our own and records what real tools say about them.

Input: the catalogues of this package. Output: one result record a file in ``tests/samples/<rule>/<name>.json``.
"""

from .cargo_check_oddities import check as cargo_check
from .cargo_tests import test as cargo_test
from .eslint_runs import run as eslint
from .git_diff_content import diff as git_diff
from .git_log import log as git_log
from .git_more import long as git_log_long
from .git_more import show as git_show
from .git_more import stat as git_diff_stat
from .git_status_states import status as git_status
from .go_tests import run as go_test
from .js_tests import jest, vitest
from .npm_runs import run as npm_install
from .pytest_runs import run as pytest
from .ruff_runs import run as ruff_check
from .terraform_plans import run as terraform_plan
from .tsc_runs import run as tsc

CATALOGUES = (
    git_status,
    git_diff,
    git_diff_stat,
    git_log,
    git_log_long,
    git_show,
    cargo_check,
    cargo_test,
    pytest,
    go_test,
    ruff_check,
    terraform_plan,
    tsc,
    eslint,
    npm_install,
    jest,
    vitest,
)
