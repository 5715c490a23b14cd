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
)
