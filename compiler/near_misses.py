"""Commands derived from a rule's own: options it allows, and near misses of every sort, with what must become of each.

Input: a rule's forms, and commands that are written in it. Output: `Derived` commands. What must become of one is said
by `forms`, never guessed; one that a shell would not read as a plain list of words is never a rule's.
INVARIANT: the commands depend on the rule alone, in a fixed order, each once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ..dsl import ast
from .forms import Form, Given

UNKNOWN: Final = "--no-such-option-of-anything"
JOINED: Final = (" && true", " || true", "; true", " | cat", " > out.txt", " < in.txt", " 2> /dev/null", " &", "\ntrue")
"""What makes more than one command of a command, or sends its output elsewhere."""

EXPANDED: Final = (" $HOME", " *.txt", " 'a b'", " \\a", " # end", " ~/a")
"""Words that a shell does not hand on as they are written."""

_SAMPLES: Final = {
    "int": "7",
    "word": "value",
    "any": "value",
    "name": "some-name",
    "path": "a/b",
    "toolchain": "stable",
}
_WRONG: Final = ("x", "7x", "1234567890123456789", "", "-7", "a,b=c")
_SAFE: Final = re.compile(r"[A-Za-z0-9_./@%+=:,^-]+")


class Derived(NamedTuple):
    """A command, how it was made, and whether it must be the rule's."""

    made: str
    command: str
    ours: bool


def derive_commands(forms: Sequence[Form], written: Iterable[Sequence[str]]) -> Iterator[Derived]:
    """Yield each command that is derived from those that are written, in which a shell sees these words."""
    seen: set[str] = set()
    commands = list(dict.fromkeys(tuple(words) for words in written))
    own = [words for words in commands if _ours(forms, words)]
    for made, command, ours in _derive(forms, commands, own):
        if command not in seen:
            seen.add(command)
            yield Derived(made, command, ours)


def _derive(
    forms: Sequence[Form], commands: Sequence[tuple[str, ...]], own: Sequence[tuple[str, ...]]
) -> Iterator[tuple[str, str, bool]]:
    for words in commands:
        yield "as written", " ".join(words), _ours(forms, words)
    for words in own:
        for made, changed in _changes(words, forms):
            if changed:
                yield made, " ".join(changed), _ours(forms, changed)
        text = " ".join(words)
        yield "both streams joined", f"{text} 2>&1", True
        for joint in (*JOINED, *EXPANDED):
            yield f"followed by `{joint.strip()}`", text + joint, False
    for form in forms:
        base = next(filter(form.accepts, own), None)
        if base is None:
            base = _smallest(form)
            yield "the least of its form", " ".join(base), _ours(forms, base)
        for made, changed in _with_options(form, base):
            yield made, " ".join(changed), _ours(forms, changed)


def _ours(forms: Sequence[Form], words: Sequence[str]) -> bool:
    return any(form.accepts(words) for form in forms)


def _changes(words: tuple[str, ...], forms: Sequence[Form]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what is done to a command's words, whatever they mean."""
    behind = _behind_head(words, forms)
    yield "an unknown option before the last word of the head", (words[0], UNKNOWN, *words[1:])
    yield "an unknown option behind the head", (*words[:behind], UNKNOWN, *words[behind:])
    yield "an unknown option at the end", (*words, UNKNOWN)
    yield "one more operand", (*words, "one-more")
    yield "an operand that is a dash", (*words, "-")
    yield "`--` at the end", (*words, "--")
    yield "an operand behind `--`", (*words, "--", "one-more")
    for prefix in (("sudo",), ("time",), ("A=1",)):
        yield f"behind `{prefix[0]}`", (*prefix, *words)
    for at, word in enumerate(words):
        before, after = words[:at], words[at + 1 :]
        yield f"without `{word}`", (*before, *after)
        yield f"`{word}` twice", (*before, word, word, *after)
        yield f"`{word}` misspelt", (*before, word + word[-1], *after)
        yield f"`{word}` in capitals", (*before, word.swapcase(), *after)
        if len(word) > 1:
            yield f"`{word}` cut short", (*before, word[:-1], *after)
        if word.startswith("--") and "=" not in word:
            yield f"`{word}` with a value", (*before, f"{word}=value", *after)
    for form in forms:
        for given in form.of_role("refuse"):
            for spelt in _spellings(given, form):
                yield f"with the refused `{given.option}`", (*words[:behind], *spelt, *words[behind:])
                yield f"with the refused `{given.option}` behind `--`", (*words, "--", *spelt)


def _with_options(form: Form, base: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a command with each option of its form, with values that fit and others."""
    behind = _behind_head(base, [form])
    for given in form.options:
        if given.role == "refuse":
            continue
        at = 1 if given.role == "global" else behind
        for spelt in _spellings(given, form):
            yield f"with `{given.option}`", (*base[:at], *spelt, *base[at:])
            yield f"with `{given.option}` behind the head", (*base[:behind], *spelt, *base[behind:])
        for spelt in _misfits(given, form):
            yield f"with another value for `{given.option}`", (*base[:at], *spelt, *base[at:])


def _behind_head(words: tuple[str, ...], forms: Sequence[Form]) -> int:
    rests = [rest.count("\n") for form in forms for rest in form.behind_head(words)]
    return len(words) - max(rests) if rests else len(words)


def _smallest(form: Form) -> tuple[str, ...]:
    """Return the head and one option of each need."""
    needed = [next(_spellings(given, form), ()) for need in form.needs for given in need[:1]]
    return (*form.head, *(word for spelt in needed for word in spelt))


def _spellings(given: Given, form: Form) -> Iterator[tuple[str, ...]]:
    """Yield an option in each way to write it, with a value that fits."""
    option = given.option
    if option.type is None:
        yield (option.flag,) if option.word is None else (option.flag, option.word)
        return
    value = _sample(option.type.text, form.types[option.type.text])
    if value is not None:
        yield from _written(option, value)


def _misfits(given: Given, form: Form) -> Iterator[tuple[str, ...]]:
    """Yield an option with values of which none is of its type."""
    option = given.option
    if option.type is not None:
        for value in _WRONG:
            if re.fullmatch(form.types[option.type.text], value) is None or value == "-7":
                yield from _written(option, value)


def _written(option: ast.Option, value: str) -> Iterator[tuple[str, ...]]:
    if option.value in {"either", "split"} and value:
        yield option.flag, value
    if option.value in {"either", "equals"}:
        yield (f"{option.flag}={value}",)
    if option.value == "attached":
        yield (f"{option.flag}{value}",)


def _sample(name: str, pattern: str) -> str | None:
    """Return a value of a type that a shell leaves as it is; None where none is at hand."""
    if name in _SAMPLES:
        return _SAMPLES[name]
    # A word of the file: built from what its classes begin with.
    for first in ("a", "A", "0", "x", "z", "main", "1.0", "v1", "a0", "stable", "HEAD"):
        for count in range(1, 9):
            candidate = first * count
            if re.fullmatch(pattern, candidate) and _SAFE.fullmatch(candidate):
                return candidate
    return None
