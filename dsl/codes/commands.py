"""E07xx: commands and the selection of rules."""

from __future__ import annotations

from .code import Code
from .sketch import sketch

_OTHER = sketch(id="bash.all_jobs", command="jobs {\n    needs --all\n  }")

CODES: tuple[Code, ...] = (
    Code(
        "E0701",
        "an option is listed twice",
        "Each option of a command stands in one place. What `needs` lists is allowed thereby and needs no `option`; "
        "what a `with` brings need not be repeated.",
        sketch(command="jobs {\n    needs  --all\n    option --all, -l\n  }"),
        sketch(command="jobs {\n    needs  --all\n    option -l\n  }"),
    ),
    Code(
        "E0702",
        "an option that is always refused",
        "`refuse` is looked at first and for all words, so that an option which it names can never be given. Where "
        "`needs` lists only such options, the rule would never apply.",
        sketch(command="jobs {\n    needs  --all\n    refuse --all\n  }"),
        sketch(command="jobs {\n    needs  --all\n    refuse --help\n  }"),
    ),
    Code(
        "E0703",
        "two rules accept one command",
        "One command belongs to one rule of a pack; no order decides. The message shows a shortest command that both "
        "accept. Let one rule need an option that the other does not list, or give them different tools.",
        sketch(command="jobs {\n    option --all\n  }") + _OTHER,
        sketch(command="jobs {\n    option -l\n  }") + _OTHER,
    ),
    Code(
        "E0704",
        "an option that cannot stand like this",
        "`<any>` admits nothing at all and is therefore attached (`-M<any>`) or follows `=`; a word of its own is "
        "`<word>`. A `global` stands between the words of the head: a head of one word has no such place.",
        sketch(command="jobs {\n    option --since <any>\n  }"),
        sketch(command="jobs {\n    option --since <word>\n  }"),
    ),
    Code(
        "E0705",
        "a selected command is not the rule's",
        "`selects` names commands that the rule must accept. This one is not among its forms, or belongs to another "
        "rule; the label says which word stands in the way.",
        sketch(command="jobs {\n    option -l\n  }", examples='selects "jobs", "jobs -l -r"'),
        sketch(command="jobs {\n    option -l\n  }", examples='selects "jobs", "jobs -l"'),
    ),
    Code(
        "E0706",
        "a command that should be left is the rule's",
        "`leaves` names near misses: commands like the rule's own that it must not accept, because their output is "
        "another. The rule accepts this one. Refuse the option that makes the difference, or do not list it.",
        sketch(command="jobs {\n    option -l, -p\n  }", examples='leaves "jobs -p"'),
        sketch(command="jobs {\n    option -l\n  }", examples='leaves "jobs -p"'),
    ),
    Code(
        "E0707",
        "a selection test that tells nothing",
        "Before any rule is asked, a command has to be a plain list of words: without quotes, pipes, redirections, "
        "variables or line ends. No rule accepts another, so that neither `selects` nor `leaves` can say anything "
        "about it. `cablese test` tries such commands for every rule.",
        sketch(examples='leaves "jobs | sort"'),
        sketch(examples='leaves "jobs -p"'),
    ),
    Code(
        "E0708",
        "a command is listed twice",
        "Each command stands once in all the `selects` and `leaves` of a rule. Blanks between words do not count.",
        sketch(examples='leaves "jobs -p", "jobs  -p"'),
        sketch(examples='leaves "jobs -p", "jobs -r"'),
    ),
    Code(
        "E0709",
        "a word that is there twice",
        "Tools, exit codes, commands with the same body, the lines of a command and claims are sets: what stands there "
        "twice says nothing more, and may be a slip for something else.",
        sketch(exit="0, 0"),
        sketch(exit="0, 1"),
    ),
)
