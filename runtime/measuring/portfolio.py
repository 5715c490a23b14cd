"""The codecs of report v0: what each would have made of a stored result, and which would have been chosen.

Input: a call id and the text of its result. Output: `Weighed`: exact tokens of the item that a model is sent, as it is
and with the candidate of each codec.

    {"type":"function_call_output","call_id":"…","output":"…"}

Codecs are independent and never stacked. `json_minify` keeps the JSON value, the other two are read back by their own
decoders before they are candidates. A codec is chosen only where it alone is the shortest and shorter than the item as
it is; a tie is for the original.
"""

from __future__ import annotations

from typing import NamedTuple

CODECS = ("json_minify", "line_rle", "template_fold")


class Weighed(NamedTuple):
    """Tokens of an item: as it is, with each codec (None: no candidate), and the codec that is chosen."""

    baseline: int
    candidates: tuple[int | None, ...]
    chosen: str | None

    @property
    def tokens(self) -> int:
        """The tokens of what is chosen."""
        if self.chosen is None:
            return self.baseline
        found = self.candidates[CODECS.index(self.chosen)]
        return self.baseline if found is None else found


def weigh(call: str, text: str, encoding: str) -> Weighed:
    """Count a result with and without each codec."""
    from ..codecs import json_minify, line_rle, template_fold

    baseline = _count(call, text, encoding)
    shown = [module.encode(text) if text else None for module in (json_minify, line_rle, template_fold)]
    candidates = tuple(None if candidate is None else _count(call, candidate, encoding) for candidate in shown)
    return Weighed(baseline, candidates, choose(baseline, candidates))


def choose(baseline: int, candidates: tuple[int | None, ...]) -> str | None:
    """Return the codec that alone is the shortest and shorter than the baseline, or None."""
    best = min((count for count in candidates if count is not None), default=baseline)
    if best >= baseline or candidates.count(best) > 1:
        return None
    return CODECS[candidates.index(best)]


def render_item(call: str, output: str) -> str:
    """Return the item that carries a result to a model, as compact JSON."""
    from json import dumps

    item = {"type": "function_call_output", "call_id": call, "output": output}
    return dumps(item, ensure_ascii=False, separators=(",", ":"))


def _count(call: str, output: str, encoding: str) -> int:
    from ..tokens import count_tokens

    return count_tokens(render_item(call, output))[encoding]
