"""Rule texts with other blanks and more comments: what the formatter has to see through."""

from __future__ import annotations

from pathlib import Path

from cablese.dsl.comments import Comments, gather_comments
from cablese.dsl.diagnostics import Report
from cablese.dsl.format import format_source
from cablese.dsl.parser import parse_entries
from cablese.dsl.rows import Line, Token, line_tree
from cablese.dsl.source import Source
from hypothesis import strategies as st

from ..sources import SMALL, WHOLE

RULES = Path(__file__).parents[3] / "rules"
TEXTS = [WHOLE, SMALL, *(path.read_text(encoding="utf-8") for path in sorted(RULES.glob("*.cable")))]


def formatted(text: str) -> str:
    """Format a text that must be sound."""
    result = format_source(Source("test.cable", text))
    assert result.text is not None, result.diagnostics
    return result.text


def comments_of(text: str) -> list[str]:
    """Return the comments of a text in order, which must all stand where they may."""
    report = Report()
    source = Source("test.cable", text)
    comments: Comments = gather_comments(source, [line_tree(e) for e in parse_entries(source, report)], report)
    assert not report
    return comments.order


class Words:
    """The tokens of a text, and between which of them a comment may stand.

    `above[n]`: on a line of its own above token n. `behind[n]`: at the end of the line that token n - 1 ends.
    The gap behind the last token has the number of tokens.
    """

    def __init__(self, text: str) -> None:
        report = Report()
        parsed = parse_entries(Source("test.cable", text), report)
        assert not report
        self.tokens: list[Token] = []
        self.above: set[int] = set()
        self.behind: set[int] = set()
        for entry in parsed:
            self._take(line_tree(entry))
        self.above.add(len(self.tokens))

    def _take(self, line: Line) -> None:
        at = len(self.tokens)
        self.above.add(at)
        for bar in line.bars:
            self.above.add(at + bar)
            self.behind.add(at + bar)
        self.tokens += line.tokens
        self.behind.add(len(self.tokens))
        for inner in line.body:
            self._take(inner)
        if line.close:
            self.above.add(len(self.tokens))
            self.tokens.append(line.close)
            self.behind.add(len(self.tokens))

    def tight(self, n: int) -> bool:
        """Tell whether nothing may stand between two tokens: the type of an attached value."""
        return (
            0 < n < len(self.tokens)
            and self.tokens[n].kind == "TYPE"
            and self.tokens[n - 1].end == self.tokens[n].start
        )

    def text(self, gaps: dict[int, str], margin: str = "") -> str:
        """Return the tokens with these gaps, one blank elsewhere, and the lines of blocks further to the right."""
        parts: list[str] = []
        for n, token in enumerate(self.tokens):
            parts += ["" if self.tight(n) else gaps.get(n, " " if n else ""), _moved(token, margin)]
        return "".join([*parts, gaps.get(len(self.tokens), "\n")])


def _moved(token: Token, margin: str) -> str:
    if token.kind != "BLOCK":
        return token.text
    first, *lines = token.text.split("\n")
    return "\n".join([first, *(margin + line if line else "" for line in lines)])


WORDS = [Words(text) for text in (WHOLE, SMALL)]

BLANKS = st.sampled_from([" ", "\n", "   ", "\t", " \n\t  ", "\n      "])
EMPTY = st.sampled_from(["\n\n", "\n \n\n\t\n  "])
MARGINS = st.sampled_from(["", "  ", "\t", "        "])
COMMENTS = st.sampled_from(["#", "# a note", "#! odd (", '# a "quote', "# x # y", '# """', "# é \\"])


@st.composite
def layouts(draw: st.DrawFn) -> tuple[Words, str]:
    """Give a text in another layout, and its tokens: other blanks, no empty lines."""
    words = draw(st.sampled_from(WORDS))
    gaps = draw(st.dictionaries(st.integers(1, len(words.tokens)), BLANKS, max_size=60))
    return words, words.text(gaps, draw(MARGINS))


@st.composite
def commented(draw: st.DrawFn) -> tuple[Words, str, list[str]]:
    """Give a text with comments wherever they may stand, and empty lines; its tokens; the comments in order."""
    words = draw(st.sampled_from(WORDS))
    gaps = draw(st.dictionaries(st.integers(1, len(words.tokens)), BLANKS | EMPTY, max_size=40))
    found: list[str] = []
    for n in sorted(draw(st.sets(st.sampled_from(sorted(words.above | words.behind)), max_size=40))):
        gap, here = "", []
        if n in words.behind and (n not in words.above or draw(st.booleans())):
            here = [draw(COMMENTS)]
            gap = f"{draw(st.sampled_from(['', ' ', '    ']))}{here[0]} \n"
        if n in words.above:
            above = draw(st.lists(COMMENTS, min_size=not here, max_size=2))
            space = draw(BLANKS | EMPTY)
            gap += "".join(f"\n{space}{comment}\n" if "\n" in space else f"\n{comment}\t\n" for comment in above)
            here += above
        gaps[n] = gap + draw(st.just("") | EMPTY)
        found += here
    return words, words.text(gaps, draw(MARGINS)), found
