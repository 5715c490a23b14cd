"""The sample of the document that the curated rules come from, to the letter."""

from __future__ import annotations

import pytest
from cablese import Compressor, ToolResult
from cablese.runtime.stores.store import MemoryStore

HEADLINES = (
    "error[E0425]: cannot find value `x` in this scope",
    "warning: unused import: `Foo`",
    "error: could not compile `demo`",
)
SAMPLE = """\
[tool_output_compression]
tool: bash
rule: bash.cargo_check
command: cargo check --all-targets
success: false
exit_code: 101
raw_stdout_bytes: 0
raw_stderr_bytes: {size}
stdout_truncated: false
stderr_truncated: false
compression: curated
exit_code: 101
warnings: 1
errors: 2
compiler_error_codes: E0425
final_status: error: could not compile `demo`
diagnostics:
- error[E0425]: cannot find value `x` in this scope
- warning: unused import: `Foo`
- error: could not compile `demo`
"""
PROGRESS = "".join(f"    Checking part-{number} v0.1.{number}\n" for number in range(400))
PICTURE = "  |\n" + "".join(f"{number} |     let y = {number};\n" for number in range(400)) + "  |\n"


@pytest.mark.parametrize(
    "stderr",
    [
        PROGRESS + "".join(f"{line}\n" for line in HEADLINES),
        PROGRESS + "".join(f"{line}\n\n" for line in HEADLINES),
        "".join(f"{line}\n{PICTURE}\n" for line in HEADLINES[:2]) + HEADLINES[2] + "\n",
    ],
    ids=["headlines alone", "with blank lines", "with pictures"],
)
def test_the_documented_sample_is_reproduced(stderr):
    """Header and body are those of the document, whatever stands between the headlines; the pointer comes last."""
    result = ToolResult(
        tool="bash",
        arguments={"command": " cargo check --all-targets "},
        success=False,
        content=f"stdout:\n\nstderr:\n{stderr}",
        metadata={"stdout": "", "stderr": stderr, "exit_code": 101},
    )
    view = Compressor.default(enable="curated", store=MemoryStore()).view(result)
    body, _, pointer = view.content.rpartition("\n")
    assert body + "\n" == SAMPLE.format(size=len(stderr))
    assert pointer == f"original: cablese show {view.decision.handle}"
