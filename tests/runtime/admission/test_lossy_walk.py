"""Source text and prose through the pipeline: what is left out is kept, announced, and given back."""

from __future__ import annotations

import pytest
from cablese.runtime import Compressor, MemoryStore, ToolResult
from cablese.runtime.tokens import count_tokens

from .gate_workshop import source
from .test_code_trees import GO
from .test_prose import LETTER

LOADS = "".join(GO[GO.index("// Load") :].replace("Load", f"Load{n}") for n in range(4))
TEXTS = {"code": source(1, 8), "code in go": GO + LOADS, "prose": LETTER * 2}


def view_of(text, admit="normal", *, store=True):
    """Show a text that a tool has read."""
    kept = MemoryStore() if store else None
    compressor = Compressor.default(admit=admit, store=kept or False, installed=False)
    with compressor:
        view = compressor.view(ToolResult(tool="read_file", arguments={"path": "a"}, content=text))
        original = None if view.decision.handle is None else compressor.recover(view.decision.handle)
    return view, original


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_left_out_is_kept_and_announced(name):
    """The last line says where; the whole view, that line and all, is fewer tokens."""
    text = TEXTS[name]
    view, original = view_of(text)
    decision = view.decision
    assert (str(decision.outcome), decision.kind, decision.guarantee) == ("compressed", name.split()[0], "summary")
    assert original == text
    assert view.content.split("\n")[-1].startswith("original: ")
    assert decision.handle in view.content.split("\n")[-1]
    before, after = count_tokens(text), count_tokens(view.content)
    assert all(after[encoding] < before[encoding] for encoding in before)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(("admit", "store"), [("value", True), ("exact", True), ("normal", False)])
def test_without_the_level_or_a_store_it_is_shown_whole(name, admit, store):
    """The same object."""
    view, original = view_of(TEXTS[name], admit, store=store)
    assert view.content is TEXTS[name]
    assert original is None


def test_failed_call_is_shown_whole():
    """What an error says is not made shorter."""
    with Compressor.default(admit="normal", store=MemoryStore(), installed=False) as compressor:
        result = ToolResult(tool="read_file", arguments={}, content=TEXTS["code"], success=False)
        assert compressor.view(result).content is TEXTS["code"]
