"""`make fuzz`: long runs on generated input, bounded in time.

`python -m tests.fuzz --seconds 60 [PART …]` runs the named parts, or all. They change real material at random, or make
it up: rule files, packs, recorded results, pairs of texts, JSON. The first input that breaks a promise is written to
`fuzz-failure.json` and ends the run with 1. `--seed` repeats a run, `--inputs` bounds it by number.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cablese import Compressor
from cablese.compiler import compile_sources
from cablese.compiler.curated import compile_shipped
from cablese.compiler.trials import Bench, Trial
from cablese.dsl.format import format_source
from cablese.dsl.source import Source
from cablese.runtime import decode
from cablese.runtime.codecs.codec import NotApplicableError, Request
from cablese.runtime.codecs.registry import find_codec
from cablese.runtime.codecs.verify import prove
from cablese.runtime.engine import evaluate
from cablese.runtime.framing import Streams
from cablese.runtime.native import codec
from cablese.runtime.native_rows import encode_natively
from cablese.runtime.packs.errors import PackError
from cablese.runtime.packs.pack import load_pack
from cablese.runtime.records import parse_result
from cablese.runtime.stores.store import MemoryStore
from cablese.runtime.tokens import strictly_fewer
from cablese.runtime.tokens.resident import encodings

from .curated import ROOT, SAMPLES
from .generated import generate_rule

SLOWEST = 20.0
"""Seconds of its own that no single input may take."""

TABLE = ROOT / "tests" / "runtime" / "codecs" / "fixtures" / "stores_500x12.json"
JSON_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[-+\w.]+|\S')
ODD_WORDS = (
    *("1", "true", "1.0", "-0", "1e2", "9" * 5000, "null", '"1"', '""', "[]", "{}", '{"_repeat":2,"_value":1}', "NaN"),
    *('{"columns":[],"rows":[],"constants":{}}', '{"a":1,"a":2}', r'"\ud800"', '"rows"', '"store_id"', '"_repeat"'),
)

ODD = "\x00\x1b\r\t\u00a0\u202e\ufeff\ud800é日😀'\"{}[]|*+?\\#=:-_ \n"


class Material:
    """What is changed: rule files, the curated pack, recorded results, texts."""

    def __init__(self) -> None:
        paths = sorted((ROOT / "rules").glob("**/*.cable"))
        self.rules = {path.relative_to(ROOT / "rules").as_posix(): path.read_text("utf-8") for path in paths}
        self.pack = compile_shipped("curated", ROOT / "rules")
        self.results = [json.loads(path.read_text("utf-8")) for path in sorted(SAMPLES.glob("*/*.json"))]
        self.encodings = encodings()
        self.rows = json.loads(TABLE.read_text("utf-8"))


def changed(draw: random.Random, text: str, other: str) -> str:
    """Change a text somewhere: characters or lines lost, doubled, swapped, replaced, or taken from another text."""
    lines = text.split("\n")
    at, size = draw.randrange(len(text) + 1), draw.choice((1, 1, 2, 8, 40))
    row = draw.randrange(len(lines))
    match draw.randrange(8):
        case 0:
            return text[:at] + text[at + size :]
        case 1:
            return text[:at] + text[at : at + size] * 2 + text[at + size :]
        case 2:
            return text[:at] + draw.choice(ODD) * draw.choice((1, 1, 3)) + text[at:]
        case 3:
            return "\n".join(lines[:row] + lines[row + 1 :])
        case 4:
            return "\n".join(lines[: row + 1] + lines[row:])
        case 5:
            theirs = draw.randrange(len(other) + 1)
            return text[:at] + other[theirs : theirs + size * 8] + text[at + size * 8 :]
        case 6:
            return "\n".join(lines[:row])
        case _:
            return text[:at]


def several(draw: random.Random, text: str, other: str) -> str:
    """Change a text one to four times."""
    for _ in range(draw.choice((1, 1, 2, 4))):
        text = changed(draw, text, other)
    return text


def fuzz_rules(draw: random.Random, material: Material) -> Any:
    """A changed rule file compiles or has findings; a pack of it loads, and runs on any output without raising."""
    name = draw.choice(sorted(material.rules))
    text = several(draw, material.rules[name], draw.choice(list(material.rules.values())))
    yield {"rule file": text}

    def read(path: str) -> bytes:
        return (ROOT / "rules" / path).read_bytes()

    done = compile_sources({name: text}, name="fuzz", version="1", draft=True, read=read)
    assert (done.pack is None) == bool(done.diagnostics)
    if done.pack is None:
        return
    pack = load_pack(done.pack)
    pack.verify()
    metadata = draw.choice(material.results)["metadata"]
    for number in range(len(pack.rules)):
        evaluate(pack.rule(number), Streams(metadata.get("stdout", ""), metadata.get("stderr", "")), 0)


def fuzz_generated(draw: random.Random, _material: Material) -> Any:
    """A rule made up at random compiles or has findings, and is laid out once for all. What compiles loads, and reads
    any output the same twice; output it describes and output changed at random.
    """
    rule = generate_rule(draw)
    yield {"rule file": rule.text}
    format_source(Source("made.cable", rule.text))  # proves its output
    done = compile_sources({"made.cable": rule.text}, name="fuzz", version="1", draft=True)
    assert (done.pack is None) == bool(done.diagnostics)
    if done.pack is None:
        return
    assert done.pack == compile_sources({"made.cable": rule.text}, name="fuzz", version="1", draft=True).pack
    bench = Bench(done.pack)
    bench.pack.verify()
    for _ in range(4):
        output = "".join(f"{line}\n" for line in rule.output(draw))
        for text in (output, several(draw, output, rule.text)):
            trial = Trial("bash", rule.command(draw), text, "", draw.choice((0, 1)))
            assert bench.decide(trial) == bench.decide(trial)


def fuzz_packs(draw: random.Random, material: Material) -> Any:
    """A damaged pack is refused by name, or was damaged where nothing is read."""
    data = bytearray(material.pack)
    for _ in range(draw.choice((1, 1, 3))):
        data[draw.randrange(len(data))] = draw.randrange(256)
    data = data[: draw.choice((len(data), len(data), draw.randrange(len(data))))]
    yield {"pack": bytes(data).decode("latin-1")}
    try:
        pack = load_pack(bytes(data))
        pack.verify()
    except PackError:
        return
    assert bytes(data) == material.pack


def fuzz_results(draw: random.Random, material: Material) -> Any:
    """A changed result never raises; it is shown the same twice, as the same object or in strictly fewer tokens."""
    record = json.loads(json.dumps(draw.choice(material.results)))
    other = draw.choice(material.results)["metadata"].get("stdout", "")
    metadata = record["metadata"]
    for stream in ("stdout", "stderr", "merged"):
        if isinstance(metadata.get(stream), str) and draw.random() < 0.7:
            metadata[stream] = several(draw, metadata[stream], other)
    record["content"] = f"stdout:\n{metadata.get('stdout', '')}\nstderr:\n{metadata.get('stderr', '')}"
    yield record
    result = parse_result(record)
    views = [Compressor.default(enable="curated", store=MemoryStore(bytes(32))).view(result) for _ in range(2)]
    assert views[0].content == views[1].content
    assert views[0].decision.reason != "codec_error", views[0].decision
    if views[0].decision.outcome == "passed":
        assert views[0].content is result.content
    else:
        for encoding in material.encodings:
            assert len(encoding.encode_ordinary(views[0].content)) < len(encoding.encode_ordinary(result.content))


def fuzz_gate(draw: random.Random, material: Material) -> Any:
    """The gate says of two texts what tiktoken says, or that they are too large."""
    contents = [str(draw.choice(material.results)["content"])[: draw.choice((50, 500, 5000))] for _ in range(2)]
    ours, theirs = several(draw, contents[0], contents[1]), draw.choice(contents)
    yield [ours, theirs]
    verdict = strictly_fewer(ours, theirs)
    if verdict.outcome != "too_large":
        counted = [[len(encoding.encode_ordinary(text)) for text in (ours, theirs)] for encoding in material.encodings]
        assert bool(verdict) == all(fewer < more for fewer, more in counted)


def fuzz_codecs(draw: random.Random, material: Material) -> Any:
    """Every codec takes a changed JSON text or refuses it; what it calls value-exact decodes to the same value."""
    rows = material.rows[(start := draw.randrange(400)) : start + draw.choice((1, 3, 30))]
    text = json.dumps(draw.choice((rows, {"rows": rows, "next": None}, [rows, rows])), ensure_ascii=False)
    words = JSON_WORD.findall(text)
    for _ in range(draw.choice((0, 1, 1, 5))):
        at, other = draw.randrange(len(words)), draw.choice(ODD_WORDS)
        words[at] = other if words[at][0] in '"-0123456789tfn' and draw.random() < 0.8 else draw.choice(words)
    text = "".join(words) if draw.random() < 0.8 else several(draw, "".join(words), text)
    yield text
    for name in ("columnar", "json_compact"):
        for level in ("minimal", "normal", "aggressive"):
            params = {"min_rows": 1, "nulls": "drop", "dedup": draw.choice(("on", "auto", "off"))}
            with contextlib.suppress(NotApplicableError):
                made = find_codec(name).compress(text, Request(level, params, recoverable=level != "minimal"))
                if made.guarantee == "value":
                    assert read_exactly(decode(made.payload, name)) == read_exactly(text)
                read_exactly(made.payload)


def fuzz_native(draw: random.Random, material: Material) -> Any:
    """What the native codecs make of changed JSON, text or bytes, is what Python makes of it, refusals word for word.

    Where the codec is not there nothing is compared.
    """
    rows = material.rows[(start := draw.randrange(400)) : start + draw.choice((1, 3, 30))]
    text = json.dumps(draw.choice((rows, {"rows": rows, "next": None}, [rows, rows])), ensure_ascii=draw.random() < 0.5)
    words = JSON_WORD.findall(text)
    for _ in range(draw.choice((0, 1, 1, 5))):
        at, other = draw.randrange(len(words)), draw.choice((*ODD_WORDS, "[" * 120))
        words[at] = other if words[at][0] in '"-0123456789tfn' and draw.random() < 0.8 else draw.choice(words)
    text = draw.choice(("", " ")).join(words) if draw.random() < 0.8 else several(draw, "".join(words), text)
    payload: str | bytes = text
    if draw.random() < 0.5:
        data = bytearray(text, "utf-8", "surrogatepass")
        if data and draw.random() < 0.2:
            data[draw.randrange(len(data))] = draw.randrange(256)
        payload = bytes(data)
    yield payload if isinstance(payload, str) else payload.decode("latin-1")
    codec()
    params = {"min_rows": draw.choice((1, 1, 4)), "nulls": draw.choice(("keep", "drop"))}
    params |= {"dedup": draw.choice(("on", "auto", "off"))} | draw.choice(({}, {"clip": 6}))
    for name in ("columnar", "json_compact"):
        for level in ("minimal", "normal"):
            request = Request(level, params, recoverable=draw.random() < 0.5)
            made = tried(lambda name=name, request=request: encode_natively(name, payload, request))
            if made is None:
                continue
            said = tried(lambda name=name, request=request: find_codec(name).compress(payload, request))
            assert (made if isinstance(made, str) else made.encoded) == said
            if not isinstance(made, str) and made.encoded.guarantee == "value":
                assert made.proved
                prove(payload, made.encoded, find_codec(name))


def tried(work: Callable[[], Any]) -> Any:
    """Return what work gives, or the words in which it declines."""
    try:
        return work()
    except NotApplicableError as refusal:
        return str(refusal)


def read_exactly(text: str) -> Any:
    """Read JSON text into what has no two readings: types, spelling, order and duplicates all count."""
    number = "number{}".format
    return json.loads(text, object_pairs_hook=tuple, parse_float=number, parse_int=number)


PARTS: dict[str, Callable[[random.Random, Material], Any]] = {
    "rules": fuzz_rules,
    "generated": fuzz_generated,
    "packs": fuzz_packs,
    "results": fuzz_results,
    "gate": fuzz_gate,
    "codecs": fuzz_codecs,
    "native": fuzz_native,
}


def run(name: str, seconds: float, seed: int, material: Material, most: int) -> int:
    """Run one part for so long, or on so many inputs; return their number, or raise what the last of them raised."""
    draw = random.Random(seed)
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end and count < most:
        steps = PARTS[name](draw, material)
        tried = next(steps)
        start = time.thread_time()
        try:
            for _ in steps:
                pass
            assert time.thread_time() - start < SLOWEST, "too slow"
        except Exception:
            Path("fuzz-failure.json").write_text(json.dumps({"part": name, "seed": seed, "input": tried}), "utf-8")
            raise
        count += 1
    return count


def main() -> int:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--seconds", type=float, default=60, help="for each part")
    parser.add_argument("--inputs", type=int, default=sys.maxsize, help="at most, for each part")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    material = Material()
    for name in options.parts or PARTS:
        try:
            count = run(name, options.seconds, options.seed, material, options.inputs)
            print(f"{name}: {count} inputs, none broke a promise", flush=True)
        except Exception:  # noqa: BLE001 - whatever it is, it is the finding
            traceback.print_exc()
            print(f"{name}: broken, see fuzz-failure.json (seed {options.seed})")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
