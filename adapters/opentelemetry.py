"""OpenTelemetry: what was decided about a result, as attributes of the span in which it was decided.

Input: events of a `Compressor`. Output: attributes on the current span, where there is one that records; nothing else.
Needs `opentelemetry-api` (the extra `otel`); exporters and samplers are the host's.

| attribute | is | type |
|---|---|---|
| `cablese.tool` | the tool that gave the result | text |
| `cablese.outcome` | `compressed`, `passed` or `diagnosed` | text |
| `cablese.reason` | why it passed | text |
| `cablese.rule`, `cablese.codec`, `cablese.kind` | what claimed it | text |
| `cablese.level`, `cablese.guarantee` | at which level, and what is promised of what is shown | text |
| `cablese.handle` | the handle of the original | text |
| `cablese.pack` | name, version and digest of the rule's pack | text |
| `cablese.untrusted` | whether the result is from outside | boolean |
| `cablese.bytes.original`, `cablese.bytes.shown` | UTF-8 bytes | integer |
| `cablese.tokens.ENCODING.original`, `cablese.tokens.ENCODING.shown` | exact tokens, where counted | integer |
| `cablese.duration_ms` | milliseconds that the decision took | number |

What is null is absent. Of several decisions in one span, the last is the one that is seen.

Invariants: no content, command, path, detail, tenant or run becomes an attribute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opentelemetry.trace import get_current_span

if TYPE_CHECKING:
    from ..runtime.hosting.events import Event
    from ..runtime.records import Decision

_NAMES = ("tool", "outcome", "reason", "rule", "codec", "kind", "level", "guarantee", "handle", "pack")


def trace_decisions(event: Event) -> None:
    """Describe a decision on the current span: `compressor.subscribe(trace_decisions)`."""
    span = get_current_span()
    if span.is_recording():
        span.set_attributes(decision_attributes(event.decision))


def decision_attributes(decision: Decision) -> dict[str, str | bool | int | float]:
    """Return the attributes of a decision by name."""
    attributes: dict[str, str | bool | int | float] = {
        f"cablese.{name}": str(value) for name in _NAMES if (value := getattr(decision, name)) is not None
    }
    attributes["cablese.untrusted"] = decision.untrusted
    attributes["cablese.bytes.original"], attributes["cablese.bytes.shown"] = decision.bytes
    for encoding, (original, shown) in (decision.tokens or {}).items():
        attributes[f"cablese.tokens.{encoding}.original"] = original
        attributes[f"cablese.tokens.{encoding}.shown"] = shown
    attributes["cablese.duration_ms"] = decision.ms
    return attributes
