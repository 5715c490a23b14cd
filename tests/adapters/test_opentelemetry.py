"""OpenTelemetry, with the real SDK: decisions are attributes of the span that records, and nothing where none does."""

import asyncio
import re

import pytest
from cablese.adapters import opentelemetry as adapter
from cablese.adapters.opentelemetry import decision_attributes, trace_decisions
from cablese.runtime import Compressor, Decision, MemoryStore, Outcome, Reason, ToolResult
from cablese.runtime.hosting.events import Event
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from opentelemetry.trace import INVALID_SPAN, get_current_span

LOG = "".join(f"{number:07x} step {number} of a longer plan\n" for number in range(400))
RESULT = ToolResult(
    "bash",
    LOG,
    {"command": "git log --oneline"},
    {"stdout": LOG, "stderr": "", "exit_code": 0},
    tenant="acme",
    run="r7",
)
FULL = Decision(
    Outcome.COMPRESSED, Reason.NO_GAIN, "the detail", "bash", "rule", "codec", "kind", "normal", "summary",
    "482910557213004", "curated 1.0.0 9c41e0", untrusted=True, bytes=(9, 3), tokens={"o200k_base": (5, 2)}, ms=0.5,
)  # fmt: skip


@pytest.fixture
def compressor():
    """Make a compressor that describes its decisions."""
    compressor = Compressor.default(enable="curated", store=MemoryStore(), count=True)
    compressor.subscribe(trace_decisions)
    return compressor


@pytest.fixture
def exported():
    """Give a function that runs something in a span and returns the spans that were exported."""

    def export(work, **options):
        exporter = InMemorySpanExporter()
        provider = TracerProvider(**options)
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        with provider.get_tracer("test").start_as_current_span("tool", attributes={"own": 1}):
            work()
        return exporter.get_finished_spans()

    return export


@pytest.mark.parametrize("how", ["view", "wrap", "view_async"])
def test_a_decision_is_on_the_span_in_which_it_was_made(compressor, exported, how):
    """With the very figures of the decision, beside what the span had; of an event loop's thread, too."""
    events = []
    compressor.subscribe(events.append)
    ways = {
        "view": lambda: compressor.view(RESULT),
        "wrap": compressor.wrap(lambda: RESULT),
        "view_async": lambda: asyncio.run(compressor.view_async(RESULT._replace(content=LOG * 20))),
    }
    (span,) = exported(ways[how])
    (event,) = events
    assert dict(span.attributes) == {"own": 1, **decision_attributes(event.decision)}
    assert span.attributes["cablese.tool"] == "bash"
    assert span.attributes["cablese.bytes.original"] == event.decision.bytes[0]
    assert span.attributes["cablese.duration_ms"] == event.decision.ms
    if how != "view_async":
        assert span.attributes["cablese.outcome"] == "compressed"
        assert span.attributes["cablese.rule"] == "bash.git_log"
        before = span.attributes["cablese.tokens.o200k_base.original"]
        assert 0 < span.attributes["cablese.tokens.o200k_base.shown"] < before


def test_of_several_decisions_the_last_is_seen(compressor, exported):
    """A span that holds two calls is described by the later one."""
    (span,) = exported(lambda: [compressor.view(RESULT), compressor.view(ToolResult("read", "x"))])
    assert (span.attributes["cablese.tool"], span.attributes["cablese.outcome"]) == ("read", "passed")


def test_nothing_is_added_where_no_span_records(compressor, exported, monkeypatch):
    """Neither without a span nor in one that is not sampled, and no attribute is even made."""
    monkeypatch.setattr(adapter, "decision_attributes", None)
    assert get_current_span() is INVALID_SPAN
    compressor.view(RESULT)
    trace_decisions(Event(FULL))
    assert exported(lambda: trace_decisions(Event(FULL)), sampler=ALWAYS_OFF) == ()


def test_the_documented_names_are_all_there_are():
    """A full decision has exactly the attributes of the table; what is null is absent."""
    listed = set(re.findall(r"`(cablese\.[\w.]+)`", adapter.__doc__))
    assert {name.replace("o200k_base", "ENCODING") for name in decision_attributes(FULL)} == listed
    bare = decision_attributes(Decision(Outcome.PASSED, tool="bash"))
    assert set(bare) == {
        "cablese.tool", "cablese.outcome", "cablese.untrusted", "cablese.bytes.original", "cablese.bytes.shown",
        "cablese.duration_ms",
    }  # fmt: skip
    for value in decision_attributes(FULL).values():
        assert type(value) in (str, bool, int, float)


def test_nothing_of_the_result_is_an_attribute(compressor, exported):
    """Neither content nor command, nor whose it is."""
    (span,) = exported(lambda: compressor.view(RESULT))
    values = [str(value) for value in span.attributes.values()]
    assert not [word for word in ("plan", "oneline", "acme", "r7") if any(word in value for value in values)]
