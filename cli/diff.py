"""`cablese diff`: what a change of rules changes, for a reviewer and for the version number."""

from __future__ import annotations

from .compared import BrokenRulesError, read_corpus, read_side
from .findings import show_findings
from .options import Arguments, Command, Operands, Option
from .output import STDOUT, InputError, complain, to_bytes, to_json, write_bytes, write_file

COMMAND = Command(
    "diff",
    "Show what a change of rules changes: rules, commands that change hands, results that a model\n"
    "would see otherwise, tokens, and the release that it deserves.\n\n"
    "OLD and NEW are packs, rule files, folders of them, or one of these at a git revision, as in\n"
    "`origin/main:rules`. Without --corpus the examples of both sides are the results to try.\n"
    "Exits with 0 if nothing differs, 1 if something does or a pack declares too small a version,\n"
    "2 if a side is broken.",
    (
        Option("--corpus", "result records, one a line, to try in place of the examples", "FILE"),
        Option(
            "--format",
            "`markdown` (default) or `json`",
            "FORMAT",
            choices=("markdown", "json"),
            default="markdown",
        ),
        Option("--html", "also write a page to look at in a review, which needs nothing else; `-` prints it", "FILE"),
    ),
    Operands("OLD NEW", "what is compared", least=2, most=2),
)


def execute(arguments: Arguments) -> int:
    """Compare; 0 same, 1 if something differs, 2 broken, also where the page cannot be written."""
    from ..compiler.diff.compare import compare
    from ..compiler.diff.markdown import render_markdown
    from ..compiler.diff.record import difference_record
    from ..compiler.diff.results import examples_of

    try:
        old, new = (read_side(given) for given in arguments["old new"])
        corpus = arguments["corpus"]
        difference = compare(old, new, examples_of(old, new) if corpus is None else read_corpus(corpus))
    except InputError as error:
        complain(str(error))
        return 2
    except BrokenRulesError as broken:
        show_findings(broken.diagnostics)
        complain(f"{broken.label} does not compile, so that nothing can be compared")
        return 2
    if arguments["html"] is not None:
        from ..compiler.diff.page import render_page

        page = render_page(difference).encode()
        if arguments["html"] == "-":
            write_bytes(STDOUT, page)
            return 1 if difference.differs else 0
        try:
            write_file(arguments["html"], page)
        except OSError as error:
            complain(f"{arguments['html']}: {error.strerror or error}")
            return 2
    if arguments["format"] == "json":
        text = to_json(difference_record(difference)) + "\n"
    else:
        text = render_markdown(difference)
    write_bytes(STDOUT, to_bytes(text))
    return 1 if difference.differs else 0
