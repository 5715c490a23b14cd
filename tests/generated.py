"""Rule files made up at random, with outputs that they describe: material for long runs.

Input: a random source. Output: a `GeneratedRule`: the text of a file, and functions that make up commands and streams
it may accept. The texts use every construct of a rule; many compile, the others have findings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

Sample = Callable[[Random], str]
Walk = Callable[[Random], list[str]]

_WORDS = (
    "error",
    "warning",
    "note",
    "total",
    "Found",
    "ok",
    "-->",
    "+",
    "*",
    "(",
    "|",
    "#",
    "[x]",
    "::",
    "é",
    "日本",
    "=",
)
_ODD = ("", " ", "\t", "x", "é", "😀", "0", "a b", "{", "\u00a0", "::", '"', "\\", "-", "\u202e")
_NAMES = ("a", "b", "code", "file", "n", "ms", "name", "text", "count_of", "x1")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A definition: its source, its captures with their types, how a line or record of it is made up."""

    name: str
    source: str
    captures: dict[str, str]
    walk: Walk


@dataclass(frozen=True, slots=True)
class GeneratedRule:
    """A rule file with one rule, and what it may be tried on."""

    text: str
    command: Sample
    output: Walk


@dataclass(slots=True)
class _Maker:
    draw: Random
    kinds: list[_Kind] = field(default_factory=list)
    loose: list[_Kind] = field(default_factory=list)
    """Kinds that no record holds."""
    facts: dict[str, str] = field(default_factory=dict)
    """Facts by name: `int`, `text`, `maybe`, `list`, `capped`, `groups`, `texts`."""
    written: list[str] = field(default_factory=list)

    def chance(self, percent: int) -> bool:
        return self.draw.randrange(100) < percent

    # --- lines

    def hole(self, captures: dict[str, str]) -> tuple[str, Sample]:
        """Return a hole with text that fits into it."""
        free = [name for name in _NAMES if name not in captures]
        name = self.draw.choice(free) if free and self.chance(75) else ""
        low = self.draw.randrange(1, 6)
        kind, type_, sample = self.draw.choice(
            (
                ("", "text", lambda draw: "".join(draw.choice(_ODD) for _ in range(3)) or "t"),
                (":word", "text", lambda draw: draw.choice(("a", "src/x.py", "é-1"))),
                (":cell", "text", lambda draw: draw.choice(("a b", "1 2 3"))),
                (":int", "int", lambda draw: str(draw.randrange(10 ** draw.randrange(1, 18)))),
                (
                    f":hex({low}..{low + self.draw.randrange(4)})",
                    "text",
                    lambda draw: f"{draw.getrandbits(4 * low):0{low}x}",
                ),
                (":(ok|FAILED|not ok)", "text", lambda draw: draw.choice(("ok", "FAILED", "not ok"))),
                (":quoted", "text", lambda _draw: '"a \\" b"'),
                (":mark", "text", lambda draw: draw.choice(("E1", "AB22"))),
                (":spaces", "text", lambda draw: " " * draw.randrange(1, 4)),
                (":indent", "text", lambda draw: " " * draw.randrange(3)),
            )
        )
        if name:
            captures[name] = type_
        return f"{{{name}{kind}}}", sample

    def pattern(self, number: int, captures: dict[str, str]) -> tuple[str, Sample]:
        """Return a pattern as it is written, with lines of it."""
        source: list[str] = []
        samples: list[Sample] = []

        def literal(text: str) -> None:
            source.append(text.replace("{", "{{").replace("}", "}}").replace("\\", "\\\\").replace('"', '\\"'))
            samples.append(lambda _draw: text)

        if self.chance(85):
            literal(f"{self.draw.choice(_WORDS)}{number} ")
        for _ in range(self.draw.randrange(4)):
            before = set(captures)
            hole, sample = self.hole(captures)
            if self.chance(15):
                captures.update((name, "maybe") for name in captures.keys() - before)
                source.append(f"{{? {hole}}}")
                samples.append(lambda draw, sample=sample: draw.choice(("", " " + sample(draw))))
            else:
                source.append(hole)
                samples.append(sample)
            literal(self.draw.choice((": ", ", ", " -> ", "]", "; ", " | ", "é")))
        if self.chance(15):
            source.append(self.draw.choice(("{:rest}", "{tail:raw}", "{?s}")))
            samples.append(lambda draw: draw.choice(("", "s")))
        return "".join(source), lambda draw: "".join(sample(draw) for sample in samples)

    def line(self, number: int) -> _Kind:
        """Return a line kind of one or two patterns."""
        captures: dict[str, str] = {}
        made = [self.pattern(number * 10 + at, captures) for at in range(1 if self.chance(80) else 2)]
        otherwise = "otherwise " if self.chance(15) else ""
        source = " | ".join(f'"{text}"' for text, _ in made)
        if self.chance(5):
            return _Kind(f"k{number}", "otherwise", {}, lambda draw: [draw.choice(_ODD) * 2])
        samples = [sample for _, sample in made]
        if len(made) > 1:
            captures = dict.fromkeys(captures, "maybe")
        return _Kind(f"k{number}", otherwise + source, captures, lambda draw: [draw.choice(samples)(draw)])

    def expression(self, kinds: list[_Kind]) -> tuple[str, Walk]:
        """Return an expression that names each of these kinds once, with lines of it."""
        if len(kinds) == 1:
            source, walk = kinds[0].name, kinds[0].walk
        else:
            cut = self.draw.randrange(1, len(kinds))
            (left, first), (right, second) = self.expression(kinds[:cut]), self.expression(kinds[cut:])
            if self.chance(50):
                source, walk = f"({left} | {right})", _either(first, second)
            else:
                source, walk = f"({left} {right})", _both(first, second)
        if self.chance(60):
            mark = self.draw.choice("*+?")
            low, high = {"*": (0, 4), "+": (1, 4), "?": (0, 1)}[mark]
            return f"({source}){mark}", _repeated(walk, low, high)
        return source, walk

    def record(self, number: int) -> _Kind:
        """Return a record over the kinds so far."""
        captures: dict[str, str] = {}
        text, sample = self.pattern(number * 10, captures)
        inner = [self.loose.pop(self.draw.randrange(len(self.loose))) for _ in range(min(len(self.loose), 2))]
        source, walk = self.expression(inner) if inner else ('"inside {}"', lambda _draw: ["inside x"])
        return _Kind(f"r{number}", f'"{text}" {source}', captures, lambda draw: [sample(draw), *walk(draw)])

    # --- facts, claims, summary

    def fact(self) -> tuple[str, str]:
        """Return a fact as it is written, and its type."""
        kind = self.draw.choice(self.kinds)
        other = self.draw.choice(self.kinds)
        text = next((name for name, type_ in kind.captures.items() if type_ == "text"), None)
        number = next((name for name, type_ in kind.captures.items() if type_ == "int"), None)
        where = f" where {number} > 3" if number and self.chance(20) else ""
        choices = [(f"count {kind.name}{where}", "int"), (f"each {kind.name}, {other.name}", "list")]
        choices.append((f"first {self.draw.randrange(1, 6)} of each {kind.name}{where}", "capped"))
        choices.append((f"trimmed each {kind.name}", "list"))
        choices.append((f"last of {kind.name}, {other.name}", "maybe"))
        if number:
            choices.append((f"sum {kind.name}.{number}", "int"))
        if text:
            choices += [
                (f"distinct {kind.name}.{text}", "texts"),
                (f"group {kind.name}{where} by {text}", "groups"),
                (f"last 4 of sorted each {kind.name} by {text}", "capped"),
                *[(f'{kind.name}.{text} or "none"', "text")] * self.chance(20),
                (f"first of {kind.name}.{text}", "maybe"),
            ]
        return self.draw.choice(choices)

    def claim(self) -> str:
        """Return a claim."""
        one, other = self.draw.choice(self.kinds).name, self.draw.choice(self.kinds).name
        numbers = [name for name, type_ in self.facts.items() if type_ == "int"]
        body = self.draw.choice(
            (
                f"some {one}",
                f"no {one}",
                f"count {one} <= count {other} + 2",
                f"{self.draw.choice(numbers)} >= 0" if numbers else f"count {one} >= 1",
            )
        )
        return self.draw.choice(("", "", "when exit 0: ", f"when some {one}: ", f"when no {other}: ")) + body

    def summary(self) -> list[str]:
        """Return the lines of a summary that says every fact."""
        lines: list[str] = []
        for name, type_ in self.facts.items():
            if type_ in ("int", "text"):
                lines.append(f"{name}: {{{{ {name} }}}}")
            elif type_ == "maybe":
                lines += self.draw.choice(
                    ([f"{{{{ {name} or '-' }}}}"], [f"{{% if {name} %}}", f"{{{{ {name} | clip }}}}", "{% endif %}"])
                )
            elif type_ == "texts":
                lines.append(f'{{{{ {name} | join(", ") }}}} {{{{ {name} | length }}}}')
            elif type_ == "groups":
                lines += [
                    f"{{% for g in {name} %}}",
                    "- {{ g.key }} x{{ g.count }} {{ g.first.line | clip }}",
                    "{% endfor %}",
                ]
            else:
                lines += [f"{{% for e in {name} %}}", "{{ e.line | clip }}", "{% else %}", "none", "{% endfor %}"]
                lines += [f"{{{{ {name} | {self.draw.choice(('more', 'earlier'))} }}}}"] * (type_ == "capped")
        return lines or ["seen"]

    # --- the whole

    def rule(self) -> GeneratedRule:
        """Make up a rule."""
        for number in range(self.draw.randrange(1, 6)):
            self.kinds.append(self.line(number))
        self.loose += self.kinds
        for number in range(self.draw.choice((0, 0, 1, 2))):
            self.kinds.append(self.record(number + 7))
            self.loose.append(self.kinds[-1])
        self.draw.shuffle(self.loose)
        source, walk = self.expression(self.loose)
        for number in range(self.draw.randrange(1, 5)):
            value, type_ = self.fact()
            self.facts[f"f{number}"] = type_
            self.written.append(f"    f{number} = {value}")
        role = self.draw.choice(("option", "needs", "global"))
        flags = self.draw.sample(("--short", "-q", "--jobs <int>", "--out=<path>", "-n<int>", "--color never"), 3)
        lines = [
            *["word mark = [A-Z]+ [0-9]+", ""] * any(":mark" in kind.source for kind in self.kinds),
            'rule bash.made "made up" {',
            "  tool     bash, shell",
            "  command  made up {",
            f"    {role}   {flags[0]}",
            f"    option   {', '.join(flags[1:])}",
            *["    operand  any"] * self.chance(50),
            "  }",
            *["  exit     0, 1"] * self.chance(50),
            f"  stderr   {'empty' if self.chance(90) else self.kinds[0].name + '*'}",
            f"  stdout   {source}",
            "  lines {",
            *(f"    {kind.name} = {kind.source}" for kind in self.kinds),
            "  }",
            "  facts {",
            *self.written,
            "  }",
            *(["  ensure {", *(f"    {self.claim()}" for _ in range(2)), "  }"] * self.chance(50)),
            '  summary """',
            *(f"  {line}" for line in self.summary()),
            '  """',
            "}",
            "",
        ]
        words = [flag.replace("<int>", "3").replace("<path>", "a/b") for flag in flags]

        def command(draw: Random) -> str:
            head = f"made {words[0]} up" if role == "global" else f"made up {words[0]}"
            return " ".join([head, *draw.sample(words[1:], draw.randrange(3))])

        return GeneratedRule("\n".join(lines), command, walk)


def _either(first: Walk, second: Walk) -> Walk:
    return lambda draw: draw.choice((first, second))(draw)


def _both(first: Walk, second: Walk) -> Walk:
    return lambda draw: [*first(draw), *second(draw)]


def _repeated(walk: Walk, low: int, high: int) -> Walk:
    return lambda draw: [line for _ in range(draw.randint(low, high)) for line in walk(draw)]


def generate_rule(draw: Random) -> GeneratedRule:
    """Return a rule made up at random."""
    return _Maker(draw).rule()
