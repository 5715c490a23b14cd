"""The small rule that examples of codes vary: one place for what they have in common."""

from __future__ import annotations

DEFAULT_LINES = 'job  = "[{n:int}] Running {name}"\n    done = "{n:int} jobs"'


def sketch(
    *,
    before: str = "",
    id: str = "bash.jobs",  # noqa: A002 - the word of the language
    command: str = "jobs { }",
    exit: str = "",  # noqa: A002
    stdout: str = "job* done",
    stderr: str = "stderr   empty",
    uses: str = "",
    lines: str = DEFAULT_LINES,
    facts: str = "running = count job",
    ensure: str = "",
    summary: str = "running: {{ running }}",
    examples: str = "",
) -> str:
    """Return the text of a rule file with one rule, its clauses replaced by the given ones."""
    parts = [
        f'{before}rule {id} "running jobs" {{',
        "  tool     bash",
        f"  command  {command}",
        f"  exit     {exit}" if exit else "",
        f"  stdout   {stdout}" if stdout else "",
        f"  {stderr}" if stderr else "",
        f"  lines{uses} {{\n    {lines}\n  }}",
        f"  facts {{\n    {facts}\n  }}" if facts else "",
        f"  ensure {{\n    {ensure}\n  }}" if ensure else "",
        f'  summary """\n  {summary}\n  """',
        f"  {examples}" if examples else "",
        "}\n",
    ]
    return "\n".join(part for part in parts if part)
