"""E03xx: line patterns."""

from __future__ import annotations

from .code import Code


def _rule(pattern: str, before: str = "") -> str:
    """Return a small rule with one line kind of that pattern."""
    return f'''{before}rule bash.jobs "running jobs" {{
  tool     bash
  command  jobs {{ }}
  stdout   job+
  stderr   empty
  lines {{
    job = "{pattern}"
  }}

  facts {{
    running = count job
  }}

  summary """
  running: {{{{ running }}}}
  """
}}
'''


_CIRCLE = 'phrase where = "{=place} at "\nphrase place = "{=where}{:int}"\n'
_PHRASES = 'phrase where = "{=place} at "\nphrase place = "line {:int}"\n'

CODES: tuple[Code, ...] = (
    Code(
        "E0301",
        "a hole names a type or a phrase that does not exist",
        "The type of a hole is one of the language (int, hex, word, cell, text, spaces, gap, indent, cstring, quoted, "
        "rest, raw, or choices in parentheses) or a word of the file; `{=name}` is a phrase of the file. A name "
        "that is close to one of these is suggested.",
        _rule("[{n:itn}] Running {}"),
        _rule("[{n:int}] Running {}"),
    ),
    Code(
        "E0302",
        "a phrase contains itself",
        "Phrases are spliced in where they are used, so a phrase that uses itself, directly or through others, would "
        "never end. Nothing a tool prints on one line needs it: write out the text that repeats, or match the rest of "
        "the line with an open hole.",
        _rule("{=where}{command}", _CIRCLE),
        _rule("{=where}{command}", _PHRASES),
    ),
    Code(
        "E0303",
        "a capture cannot have this name",
        "Within one pattern each capture has a name of its own, so that a path reads one thing. `line`, `key`, "
        "`count`, `first` and `rows` are what every record, line or group has already. A hole that nobody reads needs "
        "no name: `{}` or `{:int}`.",
        _rule("[{n:int}] Running {n:int} {}"),
        _rule("[{n:int}] Running {pid:int} {}"),
    ),
    Code(
        "E0304",
        "a hole swallows what follows it",
        "Holes such as `int`, `hex`, `spaces` and words of the file take every character they admit and give nothing "
        "back; that is what keeps matching linear. Text behind one that begins with such a character is never found. "
        "The note shows text that a reader would fit and the match does not. Use a first-fit hole (`{name}`, "
        "`{name:word}`, `{name:cell}`), which ends where what follows fits, or a word that admits less.",
        _rule("job {n:int}0 Running {}"),
        _rule("job {n:word}0 Running {}"),
    ),
    Code(
        "E0305",
        "a choice hides another reading",
        "Of the choices of a hole the longest that stands there is taken, and an optional part is taken if it fits; "
        "neither is reconsidered when what follows then fails. Here some text could be read with the other choice and "
        "is lost with the one taken. Write the readings as two patterns (`a | b`), or move what tells them apart into "
        "the choice.",
        _rule("{?[{:int}] }[{n:int}] {}"),
        _rule("[{n:int}]{? [{:int}]} {}"),
    ),
    Code(
        "E0306",
        "an open hole has no end",
        "A text, word or cell hole ends at the first place where what follows it fits, up to the next open hole. When "
        "nothing must stand between two of them, the first ends after one character, which nobody means. `rest` and "
        "`raw` take everything to the end of the line, so nothing can follow them. Put fixed text or a typed hole "
        "between open holes, or make them one.",
        _rule("[{:int}] {state}{command}"),
        _rule("[{:int}] {state} {command}"),
    ),
    Code(
        "E0307",
        "a pattern is not linear",
        "A first-fit hole tries what follows it at every place it reaches. When that begins with something the hole "
        "can also step over and repeats without a bound, the same text is read again from every place: a line of n "
        "characters would cost n times n steps. The note shows a word that does this when it is repeated. Use a hole "
        "that cannot step over it, such as `{name:word}` before blanks, or let fixed text come first.",
        _rule("{state}{:spaces}job"),
        _rule("{state:word}{:spaces}job"),
    ),
    Code(
        "E0308",
        "a part of a pattern makes no difference",
        "What can have no effect is a mistake: a default outside an optional part (the hole is never absent), an "
        "optional part that fits even where nothing stands (it is always there), a choice listed twice, text with a "
        "character that no line holds (a line end, NUL, ESC).",
        _rule("[{n:int = 1}] Running {}"),
        _rule("{?[{n:int = 1}] }Running {}"),
    ),
)
