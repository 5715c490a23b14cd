"""Generated rule files: as many as wanted, each a whole rule with a shown and a passed example.

Input: a number of rules. Output: texts by path. The rules differ in their commands, line kinds, facts and claims, are
without findings, and save tokens on their own example; the same number gives the same texts.
"""

from __future__ import annotations

import random

_NOUNS = (
    "branch",
    "crate",
    "fixture",
    "image",
    "layer",
    "module",
    "node",
    "package",
    "route",
    "schema",
    "shard",
    "table",
)
_VERBS = ("checked", "built", "copied", "linked", "moved", "packed", "parsed", "pulled", "signed", "stored")
_RULE = """\
word code{number} = [A-Z] [0-9]+

rule tool{number}.{noun} "what `{tool} {verb}` did to each {noun}" {{
  tool     bash, shell
  command  {tool} {verb} {{
    option   --jobs <int>, --{noun}=<name>, -q{extra}
    operand  any
  }}

  exit     0, 1
  stderr   empty
  stdout   (done | failed | hint)* total
  lines {{
    done   = "{verb} {noun} {{name:word}} in {{:int}} ms"
    failed = "{noun} {{name:word}} failed: {{code:code{number}}}: {{text}}"
    hint   = "hint: {{}}"
    total  = "{{n:int}} {noun}{{?s}} {verb}, {{bad:int}} failed"
  }}

  facts {{
    good   = count done
    bad    = count failed
    causes = group failed by code
    shown  = first {cap} of each failed
  }}

  ensure {{
    good = total.n
    bad  = total.bad
    when exit 0: no failed
  }}

  summary \"\"\"
  {verb}: {{{{ good }}}}, failed: {{{{ bad }}}}
  {{% for cause in causes %}}
  - {{{{ cause.key }}}} x{{{{ cause.count }}}}
  {{% endfor %}}
  {{% for each in shown %}}
  {{{{ each.line | clip }}}}
  {{% endfor %}}
  {{{{ shown | more }}}}
  \"\"\"

  example "a {noun} failed" {{
    command "{tool} {verb} --jobs 4 all"
    exit    1
    stdout  \"\"\"
{lines}
    \"\"\"
    shows   \"\"\"
    {verb}: {good}, failed: 1
    - E{number} x1
    {noun} x failed: E{number}: not {verb}
    \"\"\"
  }}

  example "the total is missing" {{
    command "{tool} {verb} all"
    exit    0
    stdout  "{verb} {noun} a in 3 ms\\n"
    passes  invalid_output
  }}
}}
"""


def generate_rules(count: int, per_file: int = 1) -> dict[str, str]:
    """Return rule files with `count` rules, `per_file` in each."""
    draw = random.Random(count)  # noqa: S311 - the same rules each time
    rules = [_generate(number, draw) for number in range(count)]
    return {
        f"generated/rules{at // per_file:05}.cable": "\n".join(rules[at : at + per_file])
        for at in range(0, count, per_file)
    }


def _generate(number: int, draw: random.Random) -> str:
    noun, verb = draw.choice(_NOUNS), f"{draw.choice(_VERBS)}{number % 4}"
    good = draw.randrange(30, 40)
    lines = [f"{verb} {noun} {noun}-{draw.randrange(10**6)} in {draw.randrange(900)} ms" for _ in range(good)]
    lines += [f"{noun} x failed: E{number}: not {verb}", f"{good} {noun}s {verb}, 1 failed"]
    return _RULE.format(
        number=number,
        noun=noun,
        tool=f"tool{number // 4}",
        verb=verb,
        extra="".join(f", --with-{other}" for other in draw.sample(_NOUNS, draw.randrange(4))),
        cap=draw.choice((5, 10, 20)),
        lines="\n".join(f"    {line}" for line in lines),
        good=good,
    )
