"""CODE by tree-sitter: what stays of each language, and texts that are none of them."""

from __future__ import annotations

import pytest
import tree_sitter
from cablese.runtime.admission import code, code_trees
from cablese.runtime.admission.classify import classify
from cablese.runtime.admission.kinds import ContentKind, NotThisKindError
from hypothesis import given
from hypothesis import strategies as st

from .test_code_python import NOT_PYTHON, check_partition, hostile

WORK = "".join(f"    total = total + step * {n};\n" for n in range(6))

RUST = f"""use std::fmt;

/// What is kept.
#[derive(Debug)]
pub struct Ledger {{
    rate: f64,
}}

impl Ledger {{
    /// Load it.
    pub fn load(&self, name: &str) -> Result<u8, Error> {{
{WORK}        if name.is_empty() {{
            return Err(Error::Empty);
        }} else if name == "x" {{
            bail!("no {{}}", name);
        }}
        for part in name.split('.') {{
            match part {{
                "a" => panic!("a"),
                _ => Err(Error::Other)?,
            }}
        }}
        fn inner(value: u8) -> u8 {{
            unreachable!()
        }}
        Ok(inner(1))
    }}
}}
"""
GO = f"""package ledger

import "errors"

// Load loads.
func (l *Ledger) Load(name string) (int, error) {{
{WORK}	if name == "" {{
		return 0, errors.New("empty")
	}} else if name == "x" {{
		panic("x")
	}}
	for _, part := range parts {{
		switch part {{
		case "a":
			return 0, fmt.Errorf("no %s", part)
		}}
	}}
	return 1, nil
}}
"""
JAVA = f"""package ledger;

import java.util.List;

/** Sums. */
public class Ledger {{
    private final double rate = 0.5;

    @Override
    public int load(String name) throws LedgerError {{
{WORK}        if (name.isEmpty()) {{
            throw new LedgerError("empty");
        }} else {{
            for (String part : parts) {{
                try {{
                    open(part);
                }} catch (OpenError error) {{
                    throw new LedgerError(part);
                }}
            }}
        }}
        return 1;
    }}
}}
"""
TYPESCRIPT = f"""import {{ open }} from './open';

export interface Options {{
  rate: number;
}}

export class Ledger {{
  private rate: number = 1;

  async load(name: string, options?: Options): Promise<number> {{
{WORK}    if (!name) throw new Error('empty');
    switch (name) {{
      case 'x':
        throw new RangeError(name);
      default:
        while (true) {{
          throw name;
        }}
    }}
  }}
}}

export const sum = (total: number, step: number): number => {{
{WORK}  function inner(value: number) {{
    throw new TypeError('inner');
  }}
  return inner(total);
}};

describe('sum', () => {{
  it('adds', () => {{
    expect(sum(1, 2)).toBe(3);
  }});
}});
"""
JAVASCRIPT = f"""const open = require('./open');

function load(name) {{
{WORK}  if (!name) {{
    throw new Error('empty');
  }}
  return open(name);
}}

module.exports = {{ load }};
"""
TSX = f"""import React from 'react';

export function View(props: {{ name: string }}) {{
{WORK}  if (!props.name) throw new Error('empty');
  return <div className="a">{{props.name}}</div>;
}}
"""
C = f"""#include <stdio.h>
#define LIMIT 10

/* Sums. */
static int load(const char *name, int step)
{{
    int total = 0;
{WORK}    if (!name)
        return -1;
    return total;
}}
"""
CPP = f"""#include <vector>

namespace ledger {{

template <typename T>
class Ledger : public Base {{
 public:
  explicit Ledger(T rate) : rate_(rate) {{}}
  int load(const std::string& name) override {{
{WORK}    if (name.empty()) {{
      throw std::invalid_argument("empty");
    }}
    return 1;
  }}

 private:
  T rate_;
}};

}}  // namespace ledger
"""

EXPECTED = {
    "rust": (
        RUST,
        ["    pub fn load(&self, name: &str) -> Result<u8, Error> {", "    rate: f64,", "    /// Load it."],
        [
            "if name.is_empty() return Err(Error::Empty)",
            'if name.is_empty() … else if name == "x" bail!("no {}", name)',
            'for part in name.split(\'.\') match part "a" => panic!("a")',
            "for part in name.split('.') match part _ => Err(Error::Other)",
            "fn inner(value: u8) -> u8",
            "in inner: unreachable!()",
        ],
    ),
    "go": (
        GO,
        ["func (l *Ledger) Load(name string) (int, error) {", "// Load loads.", 'import "errors"'],
        [
            'if name == "" return 0, errors.New("empty")',
            'if name == "" … else if name == "x" panic("x")',
            'for _, part := range parts switch part case "a": return 0, fmt.Errorf("no %s", part)',
        ],
    ),
    "java": (
        JAVA,
        ["    public int load(String name) throws LedgerError {", "    @Override", "/** Sums. */"],
        [
            'if (name.isEmpty()) throw new LedgerError("empty");',
            "if (name.isEmpty()) … else for (String part : parts) catch (OpenError error) throw new LedgerError(part);",
        ],
    ),
    "typescript": (
        TYPESCRIPT,
        [
            "  async load(name: string, options?: Options): Promise<number> {",
            "  rate: number;",
            "export const sum = (total: number, step: number): number => {",
            "    expect(sum(1, 2)).toBe(3);",
        ],
        [
            "if (!name) throw new Error('empty');",
            "switch (name) case 'x': throw new RangeError(name);",
            "switch (name) default: while (true) throw name;",
            "function inner(value: number)",
            "in inner: throw new TypeError('inner');",
        ],
    ),
    "tsx": (TSX, ["import React from 'react';"], ["if (!props.name) throw new Error('empty');"]),
    "javascript": (
        JAVASCRIPT,
        ["const open = require('./open');", "function load(name) {", "module.exports = { load };"],
        ["if (!name) throw new Error('empty');"],
    ),
    "c": (C, ["#define LIMIT 10", "static int load(const char *name, int step)", "/* Sums. */"], []),
    "cpp": (
        CPP,
        ["  int load(const std::string& name) override {", "  T rate_;", "template <typename T>"],
        ['if (name.empty()) throw std::invalid_argument("empty");'],
    ),
}


@pytest.mark.parametrize("language", EXPECTED)
def test_bodies_go_and_what_they_throw_stays(language):
    """Under its conditions, in one line each; signatures, comments and declarations are as they were."""
    text, lines, notes = EXPECTED[language]
    source = code.recognise(text)
    assert source.language == language
    shown = code.encode(source)
    rows = shown.split("\n")
    for line in lines:
        assert line in rows
    assert "step * 3" not in shown
    assert [row.strip().partition(": ")[2] for row in rows if row.strip()[:1].isdigit()] == notes
    check_partition(text, shown)
    assert len(shown) < len(text)


@pytest.mark.parametrize("language", EXPECTED)
def test_source_text_is_classified_as_code(language):
    """By the order in which kinds are asked."""
    assert classify(EXPECTED[language][0])[0] is ContentKind.CODE


@pytest.mark.parametrize("language", EXPECTED)
def test_part_of_a_file_is_none(language):
    """What a grammar does not read without an error is shown whole."""
    text = EXPECTED[language][0]
    with pytest.raises(NotThisKindError):
        code_trees.parse_any(text[: text.index("step * 3")])


@pytest.mark.parametrize("language", EXPECTED)
def test_beginning_of_a_file_is_not_strange_and_prose_is(language):
    """Wherever it is cut; so what is of no language is given up after its beginning."""
    found = next(each for each in code_trees.LANGUAGES if each.name == language)
    parser = tree_sitter.Parser(code_trees._grammar(found.module, found.maker))
    lines = (EXPECTED[language][0] * 4).split("\n")
    for end in range(10, len(lines), 7):
        assert not code_trees.is_strange(parser.parse("\n".join(lines[:end]).encode()).root_node)
    prose = "The quick brown fox, jumped over: the lazy dog.\n" * 80
    assert code_trees.is_strange(parser.parse(prose.encode()).root_node)


def test_long_files_are_read_to_their_end():
    """An error behind the beginning is found; without one, all bodies are."""
    text = RUST + "".join(RUST.replace("Ledger", f"Ledger{n}").replace("use std::fmt;\n", "") for n in range(12))
    shown = code.encode(code.recognise(text))
    assert shown.count("… lines") == 13
    check_partition(text, shown)
    with pytest.raises(NotThisKindError):
        code_trees.parse_any(f"{text}fn f( {{\n")


OTHERS = {
    **{name: text for name, text in NOT_PYTHON.items() if name != "form"},
    "prose of code": "class action is taken.\nexport of goods\nuse of force\nimport duties apply'\npackage deal\n" * 9,
    "yaml": "package: a\nexport:\n  - function: load\n    type: string\nclass: x\n" * 9,
    "log": "function load() called\nclass Ledger loaded\nfn inner done\npackage ledger\n" * 9,
    "shell": "export PATH=$PATH:/bin\nfunction load() {\n  echo hi\n}\nload\n" * 3,
    "diff": "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1,2 @@\n use std::fmt;\n+fn f() {}\n",
    "compiler": "error[E0425]: no such value\n --> src/lib.rs:1:1\n  |\n1 | fn f() { x }\n  |          ^ not found\n",
    "session": "$ cat a.c\n#include <stdio.h>\nint main() { return 0; }\n$ echo\n",
    "preprocessor comments": "# include the following files\n# define what is meant\nThe rest is text.\n",
    "json": '[{"type": "function", "class": "x", "export const a = 1": 2}]',
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_texts_are_no_code(text):
    """Neither prose nor data, logs, diffs and sessions."""
    with pytest.raises(NotThisKindError):
        code_trees.parse_any(text)
    assert classify(text)[0] is not ContentKind.CODE


@pytest.mark.parametrize(
    "text",
    [
        "<html><pre>\n#include <stdio.h>\nint main() { return 0; }\n</pre></html>\n",
        "<?php\nclass Shelf { function load() { return 1; } }\n",
        "#!/usr/bin/perl\nuse strict;\nsub load { return 1; }\n",
        "package Shelf::Load;\n\nuse strict;\n\nsub load { return 1; }\n",
    ],
)
def test_other_languages_are_refused_unparsed(text, monkeypatch):
    """A parser that looks for sense in them to the end takes a second for what is none of its language."""
    monkeypatch.setattr(code_trees, "_parse", lambda *_: pytest.fail("it was parsed"))
    with pytest.raises(NotThisKindError):
        code_trees.parse_any(text)


STARTS = ("fn f() {}\n", "package a\n", "public class A\n", "export const a = 1\n", "#include <a>\n")


@pytest.mark.parametrize(("text", "start"), list(zip(hostile(10_000), STARTS * 4, strict=False)))
def test_hostile_text_is_read_or_refused(text, start):
    """No error of a parser leaves."""
    try:
        shown = code.encode(code.recognise(start + text))
    except NotThisKindError:
        return
    check_partition(start + text, shown)


@pytest.mark.parametrize("text", list(hostile(1_000_000)), ids=lambda text: f"{text[10:24]!r}")
def test_a_megabyte_is_refused_unparsed(text):
    """Its length alone says so."""
    with pytest.raises(NotThisKindError, match="more than"):
        code_trees.parse_any("fn f() {}\n" + text)


@pytest.mark.parametrize("language", ["rust", "typescript", "cpp"])
def test_deep_nesting_is_a_loop(language):
    """Blocks within blocks: no stack of ours is used up, and headers are not repeated without end."""
    head = {"rust": "fn f() {", "typescript": "export function f(a: number) {", "cpp": "#include <a>\nint f() {"}[
        language
    ]
    throw = {"rust": 'panic!("x");', "typescript": "throw a;", "cpp": "throw 1;"}[language]
    condition = "if a {" if language == "rust" else "if (a) {"
    text = f"{head}\n" + f"{condition}\n" * 400 + f"{throw}\n" + "}\n" * 401
    shown = code.encode(code.recognise(text))
    assert len(shown) < 400
    assert throw.rstrip(";") in shown
    check_partition(text, shown)


def test_without_the_wheels_nothing_is_of_these_languages(monkeypatch):
    """They are an extra; Python needs none."""

    def refuse(name):
        raise ImportError(name)

    code_trees._grammar.cache_clear()
    monkeypatch.setattr(code_trees, "import_module", refuse)
    try:
        with pytest.raises(NotThisKindError):
            code.recognise(RUST)
        assert code.recognise("import os\n\ndef f():\n    return os\n").language == "python"
    finally:
        code_trees._grammar.cache_clear()


@given(st.sampled_from(sorted(EXPECTED)), st.integers(0, 900), st.integers(0, 40), st.text(max_size=2))
def test_damaged_files_raise_nothing_else(language, at, length, put):
    """A file with a hole is of a language or it is not."""
    text = EXPECTED[language][0]
    text = text[:at] + put + text[at + length :]
    try:
        shown = code.encode(code.recognise(text))
    except NotThisKindError:
        return
    check_partition(text, shown)
