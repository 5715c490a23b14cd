"""The languages that are read by tree-sitter: how each is told before it is parsed, and the words of its grammar.

`evidence` has to be found at the beginning of a line (or, for TypeScript, in one): it is cheap, and keeps prose, data
and logs from every parser. Where several languages have evidence, they are tried in this order.

Sources: `src/node-types.json` of each grammar (tree-sitter-rust 0.24, -go 0.25, -java 0.23, -typescript 0.23,
-javascript 0.25, -c 0.24, -cpp 0.23).
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Language(NamedTuple):
    """A language. `maker` is the function of its wheel; the nodes `functions` may have a body, `declarations` are such
    as stand at the top of a file.
    """

    name: str
    module: str
    maker: str
    evidence: re.Pattern[str]
    functions: frozenset[str]
    declarations: frozenset[str]


def _evidence(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.MULTILINE)


_RUST = _evidence(
    r"^[ \t]*(?:pub(?:\([a-z: ]+\))? )?(?:const |async |unsafe )*fn \w+",
    r"^[ \t]*(?:pub(?:\([a-z: ]+\))? )?(?:use [\w:{]+|impl\b|struct \w|enum \w|mod \w)",
)
_RUST_DECLARATIONS = frozenset(
    [
        "function_item",
        "struct_item",
        "enum_item",
        "impl_item",
        "trait_item",
        "mod_item",
        "use_declaration",
        "macro_definition",
        "const_item",
        "static_item",
        "type_item",
    ]
)
_JAVA = _evidence(
    r"^[ \t]*(?:(?:public|private|protected|abstract|final|static|sealed) )*(?:class|interface|enum|record) \w+",
    r"^[ \t]*public @interface \w+",
)
_TYPESCRIPT = _evidence(
    r"^[ \t]*(?:export )?(?:declare )?(?:interface|type|enum|abstract class|namespace) \w+",
    r"^import type\b",
    r"\w\??: (?:string|number|boolean|void|any|unknown|never|Promise<|Record<|Array<|readonly )",
)
_JAVASCRIPT = _evidence(
    r"^import\s.*['\"];?[ \t]*$",
    r"^[ \t]*(?:export\s|(?:async )?function\b|class \w+|const \w+ = (?:require\(|async |\(|function))",
)
_JS_FUNCTIONS = frozenset(
    [
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "arrow_function",
        "function_expression",
    ]
)
_JS_DECLARATIONS = frozenset(
    [
        "function_declaration",
        "generator_function_declaration",
        "class_declaration",
        "import_statement",
        "export_statement",
        "lexical_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
    ]
)
_C = _evidence(r"^[ \t]*#[ \t]*(?:include|define|ifndef|ifdef)\b")
_CPP = _evidence(
    r"^[ \t]*#[ \t]*(?:include|define|ifndef|ifdef|pragma)\b",
    r"^[ \t]*(?:namespace [\w:]+ ?\{|template ?<)",
)
_C_FUNCTIONS = frozenset({"function_definition"})
_C_DECLARATIONS = frozenset(
    [
        "function_definition",
        "declaration",
        "type_definition",
        "struct_specifier",
        "namespace_definition",
        "class_specifier",
        "template_declaration",
        "preproc_ifdef",
        "preproc_if",
        "linkage_specification",
    ]
)

LANGUAGES = (
    Language("rust", "tree_sitter_rust", "language", _RUST, frozenset({"function_item"}), _RUST_DECLARATIONS),
    Language(
        "go",
        "tree_sitter_go",
        "language",
        _evidence(r"^package \w+[ \t]*(?://.*)?$"),
        frozenset({"function_declaration", "method_declaration", "func_literal"}),
        frozenset(
            ["function_declaration", "method_declaration", "type_declaration", "var_declaration", "const_declaration"]
        ),
    ),
    Language("c", "tree_sitter_c", "language", _C, _C_FUNCTIONS, _C_DECLARATIONS),
    Language("cpp", "tree_sitter_cpp", "language", _CPP, _C_FUNCTIONS, _C_DECLARATIONS),
    Language(
        "java",
        "tree_sitter_java",
        "language",
        _JAVA,
        frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"}),
        frozenset(
            [
                "class_declaration",
                "interface_declaration",
                "enum_declaration",
                "record_declaration",
                "annotation_type_declaration",
            ]
        ),
    ),
    Language(
        "typescript",
        "tree_sitter_typescript",
        "language_typescript",
        _TYPESCRIPT,
        _JS_FUNCTIONS,
        _JS_DECLARATIONS,
    ),
    Language("tsx", "tree_sitter_typescript", "language_tsx", _TYPESCRIPT, _JS_FUNCTIONS, _JS_DECLARATIONS),
    Language("javascript", "tree_sitter_javascript", "language", _JAVASCRIPT, _JS_FUNCTIONS, _JS_DECLARATIONS),
)
