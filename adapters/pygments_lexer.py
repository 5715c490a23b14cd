r"""Rule files in colours wherever Pygments is used: terminals, Sphinx, MkDocs, `rich`.

Input: the text of a rule file, sound or not. Output: the tokens of Pygments, whose texts together are that text.
Pygments finds the class by its entry point, under the name `cable` and for files that end in `.cable`.

The words of the language are words only where the grammar calls for them; `count = 3` speaks of a fact of that name.
So there is a state for each place in which other words may come, and the look-aheads are those of `dsl/grammar.lark`.

INVARIANT: `Keyword` and `Keyword.Declaration` are given to the keywords of the grammar and to nothing else; types of
holes and of options are `Keyword.Type`, the words of a template `Keyword.Reserved`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, default, include, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

_GAP = r"(?:[ \t\n]|#[^\n]*)*+"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PATH = rf"{_NAME}(?:\.{_NAME})*"
_INT = r"[0-9]+(?![0-9A-Za-z_])"
_END = r"(?!\w)"
_NOT_A_FACT = rf"(?![\w.])(?!{_GAP}(?:[=+<>]|!=))"
_NOT_A_KIND = rf"(?!\w)(?!{_GAP}[*+?|])"
_BEFORE_BODY = rf"(?!\w)(?={_GAP}(?:\{{|(?:with|facts|ensure|summary)(?!\w)|\Z))"
_FLAG = r"(?!--(?:[\s,|{}#]|\Z))[-+][^\s,|{}<>\"#()]*"
_OPTION_LINE = ("global", "option", "refuse", "needs", "with", "operand", "after")


def _word(names: tuple[str, ...] | str, behind: str = _END) -> Any:
    """Return what matches one of the keywords, with the look-ahead of the grammar behind it."""
    return words((names,) if isinstance(names, str) else names, prefix=r"(?<!\w)", suffix=behind)


class CableLexer(RegexLexer):
    """The lexer of rule files."""

    name = "Cable"
    url = ""
    aliases: ClassVar[Sequence[str]] = ["cable"]
    filenames: ClassVar[Sequence[str]] = ["*.cable"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-cable"]
    version_added = ""

    tokens: ClassVar[dict[str, Any]] = {
        "gap": [(r"[ \t\n]+", Whitespace), (r"#[^\n]*", Comment.Single)],
        # --- entries of a file
        "root": [
            include("gap"),
            (_word("use"), Keyword.Declaration, "use"),
            (_word("word"), Keyword.Declaration, "word"),
            (_word("phrase"), Keyword.Declaration, "phrase"),
            (_word("options"), Keyword.Declaration, "options"),
            (_word("lines"), Keyword.Declaration, "lines"),
            (_word("rule"), Keyword.Declaration, "rule_head"),
            (_word("admit"), Keyword.Declaration, "admit"),
        ],
        "use": [
            include("gap"),
            (_word("codec"), Keyword),
            (r'"(?!"")', String, ("#pop", "string")),
            default("#pop"),
        ],
        "word": [
            include("gap"),
            (rf"{_NAME}(?={_GAP}=)", Name.Class),
            (r"=", Operator),
            (r"\[(?:[^\]\\\n]|\\[^\n])*+\]", String.Regex),
            (r"[*+?]|\{[0-9]{1,6}(?:,[0-9]{1,6})?\}", Operator),
            default("#pop"),
        ],
        "phrase": [
            include("gap"),
            (rf"{_NAME}(?={_GAP}=)", Name.Class),
            (r"=", Operator),
            (r'"(?!"")', String, ("#pop", "pattern")),
            default("#pop"),
        ],
        "options": [
            include("gap"),
            (_NAME, Name.Class),
            (r"\{", Punctuation, ("#pop", "option_lines")),
            default("#pop"),
        ],
        "lines": [
            include("gap"),
            (rf"{_word('with').get()}(?={_GAP}[A-Za-z_])", Keyword, "names"),
            (rf"(?!(?:facts|ensure|summary)(?!\w)){_NAME}", Name.Class),
            (r"\{", Punctuation, ("#pop", "definitions")),
            default("#pop"),
        ],
        "admit": [
            include("gap"),
            (r'"(?!"")', String, "string"),
            (_word("with"), Keyword, "name"),
            (r"\{", Punctuation, ("#pop", "settings")),
            default("#pop"),
        ],
        "settings": [
            include("gap"),
            (r"\}", Punctuation, "#pop"),
            (_word("tee"), Keyword),
            (_NAME, Name.Attribute, "setting"),
        ],
        "setting": [
            include("gap"),
            (r'"(?!"")', String, ("#pop", "string")),
            (r"[0-9]+\.[0-9]+(?![0-9A-Za-z_])", Number.Float, "#pop"),
            (_INT, Number.Integer, "#pop"),
            (_NAME, Name.Constant, "#pop"),
            default("#pop"),
        ],
        # --- a rule
        "rule_head": [
            include("gap"),
            (_PATH, Name.Namespace),
            (r'"(?!"")', String, "string"),
            (r"\{", Punctuation, ("#pop", "rule")),
            default("#pop"),
        ],
        "rule": [
            include("gap"),
            (r"\}", Punctuation, "#pop"),
            (_word("tool"), Keyword, "names"),
            (_word("command"), Keyword, "head"),
            (_word("exit"), Keyword, "codes"),
            (_word(("stdout", "stderr", "merged")), Keyword, "stream"),
            (_word("lines"), Keyword, "lines"),
            (_word("facts"), Keyword, "facts_head"),
            (_word("ensure"), Keyword, "ensure_head"),
            (_word("summary"), Keyword, "summary"),
            (_word(("selects", "leaves")), Keyword, "strings"),
            (_word("example"), Keyword, "example_head"),
        ],
        "codes": [
            include("gap"),
            (_INT, Number.Integer),
            (_word("unknown"), Keyword),
            (r",", Punctuation),
            default("#pop"),
        ],
        "strings": [
            include("gap"),
            (r'"(?!"")', String, "string"),
            (r",", Punctuation),
            default("#pop"),
        ],
        # --- commands
        "head": [
            include("gap"),
            (r"\|", Operator),
            (r"[A-Za-z0-9_./@:+=][A-Za-z0-9_./@:+=-]*|-[A-Za-z0-9_./@:+=-]+", Name.Function),
            (r"\{", Punctuation, ("#pop", "option_lines")),
            default("#pop"),
        ],
        "option_lines": [
            include("gap"),
            (r"\}", Punctuation, "#pop"),
            (_word("with"), Keyword, "names"),
            (_word((*_OPTION_LINE, "any")), Keyword),
            (r"--(?![^\s#}])", Keyword),
            (_FLAG, Name.Attribute, "option_value"),
            (r"\|", Operator),
            (r",", Punctuation),
        ],
        "option_value": [
            include("gap"),
            (rf"<{_NAME}>", Keyword.Type, "#pop"),
            (
                rf"(?!(?:{'|'.join(_OPTION_LINE)})(?!\w))[A-Za-z0-9_./@:%][^\s,|{{}}<>\"#()]*",
                String.Other,
                "#pop",
            ),
            default("#pop"),
        ],
        # --- lines
        "stream": [
            include("gap"),
            (_word("empty", _NOT_A_KIND), Keyword, "#pop"),
            (_word("uncoloured", _NOT_A_KIND), Keyword, ("#pop", "expression")),
            default(("#pop", "expression")),
        ],
        "expression": [
            include("gap"),
            include("parts"),
            default("#pop"),
        ],
        "parts": [
            (_word("otherwise"), Keyword),
            (r'"(?!"")', String, "pattern"),
            # What these words begin is no part of an expression; `lines` is a kind where no body follows it.
            (rf"(?!(?:stdout|stderr|merged)(?!\w)|lines{_BEFORE_BODY}){_NAME}", Name.Class),
            (r"[*+?|]", Operator),
            (r"[()]", Punctuation),
        ],
        "definitions": [
            include("gap"),
            (r"\}", Punctuation, "#pop"),
            (_word("spends"), Keyword, "names"),
            (rf"{_NAME}(?={_GAP}=)", Name.Class),
            (r"=", Operator),
            include("parts"),
        ],
        "pattern": [
            include("pattern_escapes"),
            (r'"', String, "#pop"),
            (r"\{\{|\}\}", String.Escape),
            include("holes"),
            (r"[^\"\\\n{}]+", String),
            default("#pop"),
        ],
        "optional": [
            include("pattern_escapes"),
            (r"\}", String.Interpol, "#pop"),
            (r"\{\{", String.Escape),
            include("holes"),
            (r"[^\"\\\n{}]+", String),
            default("#pop"),
        ],
        "pattern_escapes": [(r"\\u\{[0-9A-Fa-f]*\}|\\[^\n]", String.Escape)],
        "holes": [
            (r"\{\?", String.Interpol, "optional"),
            (rf"(\{{=)({_NAME})(\}})", bygroups(String.Interpol, Name.Class, String.Interpol)),
            (r"\{", String.Interpol, "hole"),
        ],
        "hole": [
            (r"\}", String.Interpol, "#pop"),
            (r"(:)(\()", bygroups(String.Interpol, String.Interpol), "choices"),
            (
                r"(:)(hex)(\()([0-9]+)(?:(\.\.)([0-9]+))?(\))",
                bygroups(
                    String.Interpol,
                    Keyword.Type,
                    String.Interpol,
                    Number.Integer,
                    String.Interpol,
                    Number.Integer,
                    String.Interpol,
                ),
            ),
            (rf"(:)({_NAME})", bygroups(String.Interpol, Keyword.Type)),
            (r"( *)(=)( *)([0-9]+)", bygroups(Whitespace, Operator, Whitespace, Number.Integer)),
            (_NAME, Name.Variable),
            default("#pop"),
        ],
        "choices": [
            include("pattern_escapes"),
            (r"\)", String.Interpol, "#pop"),
            (r"\|", String.Interpol),
            (r"[^)|\\\"\n]+", String),
            default("#pop"),
        ],
        # --- facts and claims
        "facts_head": [include("gap"), (r"\{", Punctuation, ("#pop", "facts")), default("#pop")],
        "ensure_head": [include("gap"), (r"\{", Punctuation, ("#pop", "ensure")), default("#pop")],
        "facts": [
            include("gap"),
            (r"\}", Punctuation, "#pop"),
            (rf"{_PATH}(?={_GAP}=)", Name.Variable),
            include("values"),
        ],
        "ensure": [
            include("gap"),
            (r"\}", Punctuation, "#pop"),
            (_word("when", _NOT_A_FACT), Keyword, "condition"),
            (_word(("some", "no"), _NOT_A_FACT), Keyword, "names"),
            (_word("within", _NOT_A_FACT), Keyword),
            (r":", Punctuation),
            (r"<=|>=|\+", Operator),
            include("values"),
        ],
        "condition": [
            include("gap"),
            (_word("exit"), Keyword, ("#pop", "exit_condition")),
            (_word(("some", "no"), _NOT_A_FACT), Keyword, ("#pop", "names")),
            default("#pop"),
        ],
        "exit_condition": [include("gap"), (_word("not"), Keyword, ("#pop", "codes")), default(("#pop", "codes"))],
        "values": [
            (_word(("count", "each", "group", "sum", "distinct"), _NOT_A_FACT), Keyword, "names"),
            (_word(("first", "last"), _NOT_A_FACT), Keyword, "cap"),
            (_word(("sorted", "trimmed"), _NOT_A_FACT), Keyword),
            (_word("where", _NOT_A_FACT), Keyword, ("comparison", "name")),
            (_word("by", _NOT_A_FACT), Keyword, "name"),
            (_word("in", _NOT_A_FACT), Keyword, "order"),
            (_word("or", _NOT_A_FACT), Keyword, "operand"),
            (r'"(?!"")', String, "string"),
            (_INT, Number.Integer),
            (_PATH, Name),
            (r"=", Operator),
            (r",", Punctuation),
        ],
        "cap": [
            include("gap"),
            (_INT, Number.Integer, ("#pop", "of")),
            (_word("of"), Keyword, ("#pop", "names")),
            default("#pop"),
        ],
        "of": [include("gap"), (_word("of"), Keyword, "#pop"), default("#pop")],
        "order": [include("gap"), (_word("order"), Keyword, "#pop"), default("#pop")],
        "comparison": [include("gap"), (r"!=|=|<|>", Operator, ("#pop", "operand")), default("#pop")],
        "operand": [
            include("gap"),
            (r'"(?!"")', String, ("#pop", "string")),
            (_INT, Number.Integer, "#pop"),
            (_PATH, Name, "#pop"),
            default("#pop"),
        ],
        # --- names, which may be spelt like a keyword
        "name": [include("gap"), (_NAME, Name, "#pop"), default("#pop")],
        "names": [include("gap"), (_PATH, Name, ("#pop", "more_names")), default("#pop")],
        "more_names": [include("gap"), (r",", Punctuation, ("#pop", "names")), default("#pop")],
        # --- texts
        "string": [
            (r"\\u\{[0-9A-Fa-f]*\}|\\[^\n]", String.Escape),
            (r'"', String, "#pop"),
            (r"[^\"\\\n]+", String),
            default("#pop"),
        ],
        "block": [
            (r'(?:(?![ \t]*""")[^\n]*\n)+', String.Heredoc),
            (r'[ \t]*"""', String.Delimiter, "#pop"),
            (r"[^\n]+", String.Heredoc),
            default("#pop"),
        ],
        # --- summaries
        "summary": [
            include("gap"),
            (r'"""[ \t]*\n', String.Delimiter, ("#pop", "template")),
            default("#pop"),
        ],
        "template": [
            (r'^[ \t]*"""', String.Delimiter, "#pop"),
            (r"\{#(?:[^#]|#(?!\}))*+#\}", Comment.Multiline),
            (r"\{[{%]", Comment.Preproc, "tag"),
            (r"[^{\n]+|[{\n]", String.Heredoc),
        ],
        "tag": [
            (r"[%}]\}", Comment.Preproc, "#pop"),
            (r'\n(?=[ \t]*""")', String.Heredoc, "#pop"),
            (r"[ \t\n]+", Whitespace),
            (_word(("for", "in", "if", "elif", "else", "endfor", "endif", "not", "and", "or")), Keyword.Reserved),
            (rf"(\|)([ \t]*)({_NAME})", bygroups(Operator, Whitespace, Name.Builtin)),
            (rf"\.?{_NAME}", Name.Variable),
            (r"\"[^\"\n]*\"|'[^'\n]*'", String),
            (r"[0-9]+", Number.Integer),
            (r"[(),|]", Punctuation),
            (r".", String.Heredoc),
        ],
        # --- examples
        "example_head": [
            include("gap"),
            (r'"(?!"")', String, "string"),
            (r"\{", Punctuation, ("#pop", "example")),
            default("#pop"),
        ],
        "example": [
            include("gap"),
            (r"\}", Punctuation, "#pop"),
            (_word(("command", "stdout", "stderr", "shows")), Keyword, "content"),
            (_word("exit"), Keyword),
            (_word("passes"), Keyword, "outcome"),
            (_INT, Number.Integer),
        ],
        "outcome": [include("gap"), (_NAME, Name.Constant, "#pop"), default("#pop")],
        "content": [
            include("gap"),
            (_word("file"), Keyword),
            (r'"""[ \t]*\n', String.Delimiter, ("#pop", "block")),
            (r'"(?!"")', String, ("#pop", "string")),
            default("#pop"),
        ],
    }
