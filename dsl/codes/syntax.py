"""E01xx: syntax and the limits of a file."""

from __future__ import annotations

from .code import Code

_ADMIT = 'admit "orders_*" with json_compact {\n  level minimal\n}\n'


def _rule(lines: str, *, stdout: str = "job+", before: str = "") -> str:
    """Return a small rule around the definitions of its lines."""
    return f'''{before}rule bash.jobs "running jobs" {{
  tool     bash
  command  jobs {{ }}
  stderr   empty
  stdout   {stdout}
  lines {{
    {lines}
  }}

  facts {{
    running = count job
  }}

  summary """
  running: {{{{ running }}}}
  """
}}
'''


_JOB = 'job = "[{:int}] Running {}"'
_GOOD = _rule(_JOB)

CODES: tuple[Code, ...] = (
    Code(
        "E0101",
        "something stands where it cannot",
        "The text does not follow the grammar of rule files. The message names what was found and what could stand "
        "there instead. The clauses of a rule come in a fixed order: tool, command, exit, stdout, stderr or merged, "
        "lines, facts, ensure, summary, example. Every entry of a file is read on its own, so one message for each "
        "broken entry is all there is to repair.",
        _GOOD.replace("command", "comand"),
        _GOOD,
    ),
    Code(
        "E0102",
        "something is opened and never closed",
        "A string ends in the line it begins in. A block begins with three quotes at the end of a line and ends with "
        "three quotes that are the first thing on their line. Braces and parentheses come in pairs. The message points "
        "at the opener; where braces do not balance, indentation shows which one is meant.",
        _GOOD.replace('Running {}"', "Running {}"),
        _GOOD,
    ),
    Code(
        "E0103",
        "an escape means nothing",
        'In strings `\\"`, `\\\\`, `\\t` and `\\u{…}` are escapes, and `\\n` where the text is not a line pattern: a '
        "pattern describes one line, which cannot hold a line end. Blocks have no escapes. Double a backslash to mean "
        "one.",
        _rule('job = "[{:int}] Running C:\\work {}"'),
        _rule('job = "[{:int}] Running C:\\\\work {}"'),
    ),
    Code(
        "E0104",
        "a hole of a pattern is malformed",
        "A hole is `{name}`, `{name:type}`, `{:type}` or `{}`; an optional part is `{? … }`; a phrase is spliced in "
        "with `{=name}`. Braces that mean themselves are doubled. Inside an optional part every `}` closes, so a brace "
        "there is written `\\u{7d}`.",
        _rule('job = "{ {:int} } Running {}"'),
        _rule('job = "{{ {:int} }} Running {}"'),
    ),
    Code(
        "E0105",
        "a class of characters is malformed",
        "A `word` is made of classes such as `[A-Za-z0-9_-]`, each with an optional `*`, `+`, `?`, `{n}` or `{n,m}`. A "
        "class lists characters and ranges and cannot be negated or empty; `\\]`, `\\\\`, `\\-`, `\\^`, `\\t` and "
        "`\\u{…}` are escapes.",
        _rule('job = "[{:int}] {:state} {}"', before="word state = [z-a]+\n\n"),
        _rule('job = "[{:int}] {:state} {}"', before="word state = [A-Za-z]+\n\n"),
    ),
    Code(
        "E0106",
        "something is said twice",
        "A stream of a rule, a part of an example and a setting of an `admit` entry can be given once; the second "
        "would silently win or lose.",
        _ADMIT.replace("level minimal", "level minimal\n  level minimal"),
        _ADMIT,
    ),
    Code(
        "E0107",
        "the file breaks a limit",
        "A rule file is UTF-8 of at most 1 MiB, without byte order mark, with line feeds alone as line ends. Control "
        "characters and characters that are invisible or change the order in which text is shown are refused, so that "
        "a reviewer sees what the compiler reads; in strings they can be written as `\\u{…}`.",
        _ADMIT.replace("\n", "\r\n"),
        _ADMIT,
    ),
    Code(
        "E0108",
        "something nests too deeply",
        "Brackets, optional parts and values nest at most 64 levels deep, which no rule needs and every tool that "
        "reads rules can rely on.",
        _rule(_JOB, stdout="(" * 70 + "job" + ")" * 70 + "+"),
        _rule(_JOB, stdout="((job))+"),
    ),
    Code(
        "E0109",
        "a comment stands in the middle of a line",
        "A comment stands above an entry, a clause, a definition, an alternative, a fact, a claim, an option line or a "
        "part of an example, at the end of one, behind an opening brace, above a closing one, or at the end of the "
        "file. There everybody sees what it is about, and the formatter keeps it. What is broken into several lines, "
        "such as a list of options, is still one line to the language.",
        _GOOD.replace("tool     bash", "tool     bash,  # and others\n           shell"),
        _GOOD.replace("  tool     bash", "  # and others\n  tool     bash, shell"),
    ),
)
