"""Every command in the documentation is run, in order, and prints what the page says.

With `--snapshot-update` the outputs in the pages are rewritten (where they hold no `…`).
"""

from __future__ import annotations

import pytest

from .console import ANY_LINES, Scratch, agrees, merge, parse_steps
from .pages import PAGES, ROOT, Block, parse_blocks

WITH_COMMANDS = [
    pytest.param(page, id=str(page.relative_to(ROOT)))
    for page in PAGES
    if any(block.language == "console" for block in parse_blocks(page))
]


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_commands_print_what_the_page_says(page, tmp_path, pytestconfig):
    """The blocks of a page run one after the other; files and handles of one are there for the next."""
    scratch = Scratch(tmp_path)
    update = pytestconfig.getoption("--snapshot-update")
    rewritten: list[tuple[Block, str]] = []
    for block in parse_blocks(page):
        if "file" in block.attributes:
            scratch.write(block.attributes["file"], block.body)
        if "into" in block.attributes:
            scratch.insert(block.attributes["into"], block.body)
        if block.language != "console":
            continue
        body = ""
        *earlier, last = parse_steps(block)
        for step in [*earlier, last]:
            printed, code = scratch.run(step.command)
            printed = scratch.in_the_words_of(step.output, printed)
            if printed and not printed.endswith("\n"):
                printed += "\n"
            expected = int(block.attributes.get("exit", "0")) if step is last else 0
            assert code == expected, f"{block}: $ {step.command}\n{printed}"
            elided = "elided" in block.attributes
            same = agrees(step.output, printed, elided=elided)
            if elided and not same:
                printed = merge(step.output, printed)
            if not same and not (update and ANY_LINES not in step.output.split("\n")):
                assert printed == step.output, f"{block}: $ {step.command}"
            command = step.command.replace("\n", "\n> ")
            body += f"$ {command}\n" + (step.output if same else printed)
        if body != block.body:
            rewritten.append((block, body))
    _rewrite(page, rewritten)


def _rewrite(page, rewritten):
    lines = page.read_text("utf-8").split("\n")
    for block, body in reversed(rewritten):
        lines[block.start : block.start + block.body.count("\n")] = body.removesuffix("\n").split("\n")
    if rewritten:
        page.write_text("\n".join(lines), "utf-8")
