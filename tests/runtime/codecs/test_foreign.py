"""A codec of another package in the whole walk: whatever it does, the call goes on, and the record says why."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import pytest
from cablese.compiler import compile_sources
from cablese.runtime import Compressor, Encoded, MemoryStore, NotApplicableError, Reason, ToolResult, decode
from cablese.runtime.codecs import registry
from cablese.runtime.codecs.codec import DecodeError
from cablese.runtime.codecs.registry import register_codec, register_plugin
from cablese.runtime.hosting.routing import BudgetRouter, Thresholds

TEXT = "the quick brown fox jumps over the lazy dog\n" * 20
ROWS = [{"id": number, "text": "the quick brown fox"} for number in range(50)]


class UnprintableError(Exception):
    """An error whose own text fails."""

    def __str__(self) -> str:
        raise ValueError


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    """Keep what a test registers to that test."""
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_targets", {})


@pytest.fixture
def view(tmp_path):
    """Return a function that gives a payload to a codec, through a pack that admits it, and returns the view."""

    def show(payload: Any, compress: Any, decoder: Any = None, *, level: str = "normal", debug: bool = False) -> Any:
        members = {"codec_name": "foreign", "compress": lambda _, given, request: compress(given, request)}
        if decoder is not None:
            members["decode"] = lambda _, shown: decoder(shown)
        register_codec(type("Foreign", (), members))
        rules = f'use codec "foreign"\n\nadmit "tool" with foreign {{\n  level {level}\n}}\n'
        made = compile_sources({"a.cable": rules}, name="a", version="1.0.0")
        assert made.pack is not None
        (tmp_path / "a.cablepack").write_bytes(made.pack)
        packs = [str(tmp_path / "a.cablepack")]
        compressor = Compressor.default(packs=packs, store=MemoryStore(), debug=debug, installed=False)
        return compressor.view(ToolResult(tool="tool", content=payload))

    return show


def give(payload: Any, guarantee: str = "shape", detail: str | None = None) -> Any:
    """Return a codec's function that gives the same for every payload."""
    return lambda _given, _request: Encoded(payload, guarantee, detail)


def fail(error: BaseException) -> Any:
    """Return a codec's function that raises."""

    def compress(_given: Any, _request: Any) -> Any:
        raise error

    return compress


@pytest.mark.parametrize("debug", [False, True])
def test_an_honest_codec_is_used(view, debug):
    """Its form is shown, recorded with codec and guarantee, and read back by its decoder."""
    shown = view(
        TEXT,
        lambda given, _: Encoded(given.replace("the quick brown fox", "§"), "exact", "a fox"),
        lambda given: given.replace("§", "the quick brown fox"),
        debug=debug,
        level="minimal",
    )
    assert shown.content == TEXT.replace("the quick brown fox", "§")
    assert (shown.decision.codec, shown.decision.guarantee, shown.decision.detail) == ("foreign", "exact", "a fox")
    assert decode(shown) == TEXT


@pytest.mark.parametrize("payload", [TEXT, ROWS])
@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(
    ("compress", "reason", "words"),
    [
        (fail(NotApplicableError("not mine")), Reason.NOT_APPLICABLE, "`foreign`: not mine"),
        (fail(KeyError("x")), Reason.CODEC_ERROR, "KeyError: 'x'"),
        (fail(RecursionError("deep")), Reason.CODEC_ERROR, "RecursionError: deep"),
        (fail(MemoryError()), Reason.CODEC_ERROR, "MemoryError"),
        (fail(UnprintableError()), Reason.CODEC_ERROR, "UnprintableError"),
        (lambda *_: None, Reason.CODEC_ERROR, "`foreign` returned `NoneType`, not `Encoded`"),
        (lambda *_: ("x", "shape", None), Reason.CODEC_ERROR, "`foreign` returned `tuple`, not `Encoded`"),
        (give({1, 2}), Reason.CODEC_ERROR, "`foreign` made "),
        (give(b"x"), Reason.CODEC_ERROR, "`foreign` made "),
        (give([object()]), Reason.CODEC_ERROR, "`foreign` made "),
        (give("x", "lossless"), Reason.CODEC_ERROR, "declares a guarantee that is none of"),
        (give("x", detail=1), Reason.CODEC_ERROR, "a detail that is not text"),
        (give("the slow brown bear, again " * 10_000), Reason.NO_GAIN, ""),
    ],
)
def test_a_broken_codec_breaks_no_call(view, payload, debug, compress, reason, words):
    """The original object is shown, with the reason, and the detail names what went wrong."""
    shown = view(payload, compress, lambda given: given, debug=debug)
    assert shown.content is payload
    assert shown.decision.reason is reason
    assert words in shown.decision.detail


@pytest.mark.parametrize("guarantee", ["shape", "summary"])
def test_a_loss_above_the_level_is_refused(view, guarantee):
    """What `minimal` does not admit is not shown, store or not."""
    shown = view(TEXT, give("x", guarantee), level="minimal")
    assert shown.content is TEXT
    assert shown.decision.reason is Reason.CODEC_ERROR
    assert f"gave guarantee `{guarantee}`, which level `minimal` does not admit" in shown.decision.detail


@pytest.mark.parametrize(
    ("payload", "made", "decoded", "words"),
    [
        (TEXT, "x", TEXT + " ", "its decoder returns something else"),
        (
            '[1.0, "a long enough text"]' + " " * 99,
            "x",
            '[1, "a long enough text"]',
            "its decoder returns something else",
        ),
        (ROWS, [1], ROWS[:-1], "its decoder returns something else"),
        (ROWS, [1], [{"text": row["text"], "id": row["id"]} for row in ROWS], "its decoder returns something else"),
        (TEXT, "x", None, "its decoder raised"),
    ],
)
@pytest.mark.parametrize("guarantee", ["exact", "value"])
def test_a_lie_is_found_in_debug_mode(view, payload, made, decoded, words, guarantee):
    """A claim that the codec's own decoder disproves is refused."""

    def decoder(_shown: Any) -> Any:
        if decoded is None:
            raise KeyError
        return decoded

    shown = view(payload, give(made, guarantee), decoder, debug=True)
    assert shown.content is payload
    assert shown.decision.reason is Reason.CODEC_ERROR
    assert shown.decision.detail.startswith(f"`foreign` claims `{guarantee}`")
    assert words in shown.decision.detail


def test_a_claim_without_a_decoder_is_refused_in_debug_mode(view):
    """What nobody can prove is no guarantee."""
    shown = view(TEXT, give("x", "value"), debug=True)
    assert shown.decision.reason is Reason.CODEC_ERROR
    assert "has no `decode` to prove it" in shown.decision.detail


@pytest.mark.parametrize("debug", [False, True])
def test_the_original_is_out_of_reach(view, debug):
    """A codec that changes what it is given changes a copy, and is found out in debug mode."""
    before = copy.deepcopy(ROWS)

    def compress(given: Any, _request: Any) -> Encoded:
        for row in given:
            row["text"] = "fox"
        return Encoded(given, "shape")

    shown = view(ROWS, compress, debug=debug)
    assert before == ROWS
    if debug:
        assert shown.content is ROWS
        assert shown.decision.reason is Reason.CODEC_ERROR
        assert shown.decision.detail == "`foreign` changed the payload that it was given"
    else:
        assert shown.decision.reason is None


def test_the_environment_switches_debug_mode_on(view, monkeypatch):
    """`CABLESE_DEBUG=1`, and no other value."""
    for value, refused in (("1", True), ("0", False), ("yes", False)):
        monkeypatch.setenv("CABLESE_DEBUG", value)
        monkeypatch.setattr(registry, "_registered", {})
        shown = view(TEXT, give("x", "exact"), lambda _: "something else")
        assert (shown.content is TEXT) == refused


@pytest.mark.parametrize("name", ["json_minify", "line_rle", "template_fold"])
def test_the_lexical_codecs_are_shown_and_read_back(tmp_path, name):
    """Each through a pack of its own, debug mode on: shown, of its guarantee, and inverted by `decode`."""
    text = {
        "json_minify": '{\n        "a": [\n            1,\n            2\n        ]\n}\n',
        "line_rle": "waiting for the lock\n" * 40 + "done",
        "template_fold": "".join(f"2024-01-01 12:00:00 INFO worker: item {i} is done, going on\n" for i in range(40)),
    }[name]
    made = compile_sources({"a.cable": f'admit "tool" with {name} {{ }}\n'}, name="a", version="1.0.0")
    assert made.pack is not None
    (tmp_path / "a.cablepack").write_bytes(made.pack)
    compressor = Compressor.default(packs=[str(tmp_path / "a.cablepack")], store=False, debug=True, installed=False)
    shown = compressor.view(ToolResult(tool="tool", content=text))
    assert (shown.decision.codec, shown.decision.reason) == (name, None)
    assert shown.decision.handle is None
    if name == "json_minify":
        assert shown.content == '{"a":[1,2]}'
    else:
        assert decode(shown) == decode(shown.content) == text


def test_decoding_by_a_foreign_codec_fails_as_documented(view):
    """A decoder that raises, one that is not there and a plugin that cannot be imported are each a DecodeError."""
    with pytest.raises(DecodeError, match="the decoder of `foreign` raised `KeyError`"):
        decode(view(TEXT, give("x", "exact"), lambda shown: {}[shown], level="minimal"))
    register_plugin("absent", "no_such_module_at_all:Codec")
    with pytest.raises(DecodeError, match="`absent` of `no_such_module_at_all:Codec` cannot be imported"):
        decode("x", "absent")
    with pytest.raises(DecodeError, match="`nobodys`"):
        decode("x", "nobodys")


def test_what_a_tool_prints_imports_nothing():
    """Text that calls itself the form of a trusted codec is told by the forms of the house alone."""
    register_plugin("absent", "no_such_module_at_all:Codec")
    with pytest.raises(DecodeError, match="no codec's form"):
        decode('{"codec":"absent.v0","how":"import me"}')


@pytest.mark.parametrize("tool", ["ours", "theirs"])
def test_helper_processes_need_no_codecs_of_others(tmp_path, tool):
    """A pack that names a codec which only this process has decides the same off the event loop, for every tool."""
    members = {"codec_name": "foreign", "compress": lambda *_: Encoded("x", "shape")}
    register_codec(type("Foreign", (), members))
    rules = """
use codec "foreign"

admit "theirs" with foreign {
  level normal
}

admit "ours" with columnar {
  level normal
}
"""
    made = compile_sources({"a.cable": rules.lstrip()}, name="a", version="1.0.0")
    assert made.pack is not None
    (tmp_path / "a.cablepack").write_bytes(made.pack)
    packs, router = [str(tmp_path / "a.cablepack")], BudgetRouter(Thresholds(inline_bytes=0, inline_rows=0))
    result = ToolResult(tool=tool, content=str(ROWS).replace("'", '"'))
    with Compressor.default(packs=packs, store=MemoryStore(bytes(32)), router=router, installed=False) as compressor:
        shown = asyncio.run(compressor.view_async(result))
        here = compressor.view(result)
    assert shown.decision.reason is None
    assert shown.content == here.content
    assert shown.decision._replace(ms=0.0) == here.decision._replace(ms=0.0)
