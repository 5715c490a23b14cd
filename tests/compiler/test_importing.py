"""Manifests in TOML become admission entries that compile, or an error with its line."""

import json
import math

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.importing import ManifestError, import_manifest
from cablese.dsl.format import format_source
from cablese.dsl.source import Source
from cablese.runtime.codecs_table import LEVELS
from cablese.runtime.packs.pack import load_pack
from hypothesis import given, settings
from hypothesis import strategies as st

DOCUMENT = """\
# .parrot/compressors.toml — validated against CompressorConfig at load time

[compressor."dq_execute_database_query"]
codec = "columnar"
level = "normal"
tee = true

  [compressor."dq_execute_database_query".params]
  min_rows = 20
  heterogeneity_ratio = 1.5

[compressor."*"]
codec = "json_compact"
level = "minimal"
"""
IMPORTED = """\
admit "dq_execute_database_query" with columnar {
  level                 normal
  tee
  min_rows              20
  heterogeneity_percent 150
}

admit "*" with json_compact {
  level minimal
  dedup auto
  nulls drop
}
"""


def entries(text):
    """Compile rule text and return its entries, without their places."""
    done = compile_sources({"m.cable": text}, name="m", version="1")
    assert done.pack is not None, done.diagnostics
    pack = load_pack(done.pack)
    return [
        {name: value for name, value in pack.admit(number).items() if name not in ("path", "line")}
        for number in range(pack.admits)
    ]


def test_the_manifest_of_the_document():
    """Its example, word for word: what it becomes, and what that compiles to."""
    assert import_manifest(DOCUMENT).split() == IMPORTED.split()
    columnar, compact = entries(import_manifest(DOCUMENT))
    assert columnar == {
        "pattern": "dq_execute_database_query",
        "codec": "columnar",
        "level": "normal",
        "tee": True,
        "settings": {"min_rows": 20, "heterogeneity_percent": 150},
    }
    assert (compact["pattern"], compact["level"], compact["settings"]["nulls"]) == ("*", "minimal", "drop")


def test_a_foreign_codec_is_named_first():
    """With its parameters as they are."""
    text = import_manifest(
        '[compressor.a]\ncodec = "mine"\nparams = { depth = 3, mode = "a \\"b\\\\" }\n[compressor.b]\ncodec = "mine"\n'
    )
    assert text.startswith('use codec "mine"\n')
    assert text.count("use codec") == 1
    first, second = entries(text)
    assert first["settings"] == {"depth": 3, "mode": 'a "b\\'}
    assert second["level"] == "minimal"


def test_patterns_are_texts():
    """Quotes and backslashes in a pattern."""
    (entry,) = entries(import_manifest('[compressor.\'a"b\\\']\ncodec = "json_compact"\nparams.dedup = false\n'))
    assert entry["pattern"] == 'a"b\\'
    assert entry["settings"]["dedup"] == "off"


def test_what_a_manifest_says_of_nulls_goes_before_what_it_leaves_unsaid():
    """Settings of ours are parameters, too; `nulls drop` is for a manifest that says nothing."""
    (entry,) = entries(
        import_manifest("[compressor.a]\ncodec = 'json_compact'\nparams = { nulls = 'keep', budget = 90 }\n")
    )
    assert entry["settings"] == {"dedup": "auto", "nulls": "keep", "budget": 90}


WRONG = [
    ("x = 1\n[compressor.a]\ncodec = 'columnar'", 1, "`x` is not known"),
    ("[compressor.a]\ncodec = 'columnar'\nlevl = 'normal'", 3, "`levl` is not known"),
    ("[compressor.a]\ncodec = 'columnar'\n\nlevel = 'high'", 4, "`level` is one of"),
    ("[compressor.a]\nlevel = 'normal'", 1, "names no codec"),
    ("[compressor.a]\ncodec = 3", 2, "names no codec"),
    ("[compressor.a]\ncodec = 'a-b'", 2, "names no codec"),
    ("[compressor.a]\ncodec = 'columnar'\ntee = 1", 3, "`tee` is true or false"),
    ("[compressor.a]\ncodec = 'columnar'\nparams = 3", 3, "`params` is not a table"),
    ("[compressor.a]\ncodec = 'columnar'\n[compressor.a.params]\nmin_rows = 0", 4, "from 1 to"),
    ("[compressor.a]\ncodec = 'columnar'\n[compressor.a.params]\nmin_rows = true", 4, "from 1 to"),
    ("[compressor.a]\ncodec = 'columnar'\n[compressor.a.params]\n\nrows = 1", 5, "no parameter `rows`; it has"),
    ("[compressor.a]\ncodec = 'columnar'\nparams = { heterogeneity_ratio = 0.5 }", 3, "from 1 to 10000"),
    ("[compressor.a]\ncodec = 'columnar'\nparams = { heterogeneity_ratio = nan }", 3, "from 1 to 10000"),
    ("[compressor.a]\ncodec = 'json_compact'\nparams.dedup = 1", 3, "`dedup` is true or false"),
    ("[compressor.a]\ncodec = 'json_compact'\nparams.nulls = true", 3, "`nulls` is one of `keep`, `drop`"),
    ("[compressor.a]\ncodec = 'columna'\nparams.heterogeneity_ratio = 1.5", 3, "did you mean `columnar`"),
    ("[compressor.a]\ncodec = 'mine'\nparams.x = 1.5", 3, "a value that a setting cannot have"),
    ("[compressor.a]\ncodec = 'mine'\nparams.x = true", 3, "a value that a setting cannot have"),
    ("[compressor.a]\ncodec = 'mine'\nparams.level = 1", 3, "cannot be the name"),
    ("[compressor.'a b']\ncodec = 'columnar'", 1, "the name of no tool"),
    ("[compressor]\na = 1", 2, "`a` is not a table"),
    ("[[compressor]]\n", 1, "there is no table"),
    ("", None, "there is no table"),
    ("[compressor.a\n", None, "not TOML"),
]


@pytest.mark.parametrize(("text", "line", "message"), WRONG)
def test_what_is_not_known_is_an_error_with_its_line(text, line, message):
    """Nothing is left out in silence."""
    with pytest.raises(ManifestError, match=message) as caught:
        import_manifest(text)
    assert caught.value.line == line


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=8)


@given(
    st.dictionaries(
        NAMES,
        st.tuples(
            st.sampled_from(["columnar", "json_compact", "mine"]),
            st.sampled_from(LEVELS),
            st.booleans(),
            st.integers(1, 1_000_000),
            st.floats(1, 10_000),
        ),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=60, deadline=None)
def test_every_manifest_comes_back_from_its_pack(manifest):
    """What was written in TOML is what the compiled entries say; the text is in its layout."""
    lines = []
    for pattern, (codec, level, tee, rows, ratio) in manifest.items():
        lines += [f"[compressor.{json.dumps(pattern, ensure_ascii=False)}]", f'codec = "{codec}"', f'level = "{level}"']
        lines += [f"tee = {str(tee).lower()}"]
        if codec == "columnar":
            lines.append(f"params = {{ min_rows = {rows}, heterogeneity_ratio = {ratio!r} }}")
        elif codec == "mine":
            lines.append(f"params = {{ rows = {rows} }}")
    text = import_manifest("\n".join(lines))
    assert format_source(Source("m.cable", text)).text == text
    for entry, (pattern, (codec, level, tee, rows, ratio)) in zip(entries(text), manifest.items(), strict=True):
        assert (entry["pattern"], entry["codec"], entry["level"], entry["tee"]) == (pattern, codec, level, tee)
        if codec == "columnar":
            assert entry["settings"]["min_rows"] == rows
            assert math.isclose(entry["settings"]["heterogeneity_percent"], ratio * 100, abs_tol=0.51)
        elif codec == "mine":
            assert entry["settings"] == {"rows": rows}


@given(st.text(st.sampled_from("[]compressor.'\"=\n*a1{}# ,true"), max_size=60))
def test_whatever_the_text_there_is_rule_text_or_an_error(text):
    """No other outcome."""
    for each in (text, f"[compressor.a]\n{text}"):
        try:
            entries(import_manifest(each))
        except ManifestError as error:
            assert str(error)  # noqa: PT017
