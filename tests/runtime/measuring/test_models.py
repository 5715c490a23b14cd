"""The table of models is the documented one, and everything else is refused."""

import pytest
from cablese.runtime.measuring.models import UnsupportedModelError, encoding_of
from hypothesis import given
from hypothesis import strategies as st

FAMILIES = {
    **dict.fromkeys(("gpt-5", "gpt-4.1", "gpt-4o", "gpt-4.5", "o1", "o3", "o4"), "o200k_base"),
    **dict.fromkeys(("gpt-4", "gpt-3.5-turbo"), "cl100k_base"),
}


@pytest.mark.parametrize(("model", "encoding"), FAMILIES.items())
def test_families_are_meant_by_name_or_with_a_suffix(model, encoding):
    """A suffix stands behind `-`, is not empty and ends with a letter or a digit."""
    assert encoding_of(model) == encoding_of(f"{model}-mini") == encoding_of(f"{model}-2025.01-01_a") == encoding
    for name in (f"{model}-", f"{model}x", f"{model}--a", f"{model}-a-", f"{model}-a.", f" {model}", f"{model}\n"):
        with pytest.raises(UnsupportedModelError):
            encoding_of(name)


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-5.1", "o200k_base"),
        ("gpt-5.1-codex-max", "o200k_base"),
        ("codex-mini", "o200k_base"),
    ],
)
def test_documented_models(model, encoding):
    """Names that the table gives."""
    assert encoding_of(model) == encoding


REFUSED = """
gpt gpt-4.2 gpt-4ox gpt-5- gpt-5. gpt-5.x gpt-5..1 codex- codex o2 o1.1 claude-x GPT-5 gpt-5-\u00e9 text-embedding-3
gpt-4o-audio-preview gpt-4o-realtime gpt-4o-transcribe gpt-4o-mini-tts gpt-image-1
gpt-4o-Audio codex-TTS gpt-5-IMAGE
"""


@pytest.mark.parametrize("model", ["", *REFUSED.split(), "gpt-5-" + "a" * 200])
def test_what_is_not_in_the_table_is_refused(model):
    """And the message can be printed."""
    with pytest.raises(UnsupportedModelError) as refused:
        encoding_of(model)
    assert str(refused.value).isprintable()


@given(st.text(max_size=20) | st.from_regex(r"(gpt-[345](\.[15])?o?|o[1-4]|codex)[-.a-z0-9_]{0,8}", fullmatch=True))
def test_any_name_is_known_or_refused(model):
    """What is known begins with a family of its encoding, and is plain ASCII."""
    try:
        encoding = encoding_of(model)
    except UnsupportedModelError:
        return
    assert model.isascii()
    assert model.startswith("codex-") or any(
        model.startswith(family) and of == encoding for family, of in FAMILIES.items()
    )
