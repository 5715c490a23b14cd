"""The recorder: builds repositories, crates and test suites of our own and records what real tools say about them.

Input: the catalogues of this package. Output: one result record a file in ``tests/samples/<rule>/<name>.json``.
"""

from .git_status_states import status as git_status

CATALOGUES = (git_status,)
