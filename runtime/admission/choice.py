"""The form in which a text may be shown: its kind, what the level admits, and the proof that the form is faithful.

Input: a text, a level (`exact`, `value`, `normal`, `aggressive`), whether its original will be kept. Output: a
`Choice`, or a `Refusal` with the reason. Whether the form is worth showing is for a gate to say, not decided here.

Where several forms are admitted, the strongest guarantee wins that saves anything, unless a weaker one needs at most
three quarters of its tokens.

Invariants: nothing raises; a form of guarantee `exact` or `value` has been decoded and compared, each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..reasons import Reason
from .classify import Identity, Recognised, identify, recognise
from .kinds import ContentKind
from .registry import ADMITTED, Form, forms_of

if TYPE_CHECKING:
    from collections.abc import Callable

THRESHOLD_TOKENS = 256
"""Up to so many tokens (by default of four characters each) a text is shown whole and not even classified."""
_FAITHFUL = frozenset({"exact", "value"})


class Choice(NamedTuple):
    """What would be shown. `keeps`: something is left out, so the original has to be kept."""

    kind: ContentKind
    name: str
    form: Form
    shown: str

    @property
    def keeps(self) -> bool:
        """Whether the text cannot be had from the form."""
        return self.form.guarantee not in _FAITHFUL


class Refusal(NamedTuple):
    """Why a text is shown whole. `failed` names the form that raised, and `error` what it raised."""

    kind: ContentKind
    reason: Reason
    detail: str
    failed: str = ""
    error: str = ""


class UnfaithfulFormError(Exception):
    """What a form decodes to is not what it was made of."""


def estimate_tokens(text: str) -> int:
    """Return how many tokens a text may have: a fourth of its characters, rounded up."""
    return -(-len(text) // 4)


def choose_form(
    text: str,
    level: str,
    *,
    recoverable: bool,
    count: Callable[[str], int] = estimate_tokens,
    budget_tokens: int | None = None,
) -> Choice | Refusal:
    """Choose the form for a text. `count` compares forms; `budget_tokens` is read at `aggressive` only."""
    identity = identify(text)
    kind = identity.kind
    if kind is ContentKind.UNKNOWN:
        return Refusal(kind, Reason.UNCLASSIFIED, identity.detail)
    known = forms_of(kind)
    admitted = [form for form in known if form.guarantee in ADMITTED[level]]
    allowed = [form for form in admitted if recoverable or form.guarantee in _FAITHFUL]
    if not allowed:
        if not known:
            return Refusal(kind, Reason.NOT_APPLICABLE, f"content of kind `{kind}` has no other form")
        if not admitted:
            words = f"content of kind `{kind}` has a form of guarantee `{known[0].guarantee}`, which `{level}` does not"
            return Refusal(kind, Reason.LEVEL_NONE, f"{words} admit")
        return Refusal(kind, Reason.UNRECOVERABLE, "a loss needs a store for the original, and there is none")
    return _best(text, identity, allowed, count, budget_tokens if level == "aggressive" else None)


def _best(
    text: str, identity: Identity, forms: list[Form], count: Callable[[str], int], budget_tokens: int | None
) -> Choice | Refusal:
    best: tuple[int, Choice] | None = None
    fault: Refusal | None = None
    whole = count(text) if len(forms) > 1 else 0
    for form in forms:
        recognised = identity.recognised
        if recognised is None or recognised.form is not form:
            recognised = recognise(form, text)
        if recognised is None:
            continue
        try:
            shown = _encode(recognised, text, budget_tokens)
            weight = count(shown)
        except Exception as error:  # noqa: BLE001 - a form that fails costs its saving, nothing else
            name, error_name = _name(recognised), type(error).__name__
            words = f"the form `{name}` raised `{error_name}`"
            fault = fault or Refusal(identity.kind, Reason.CODEC_ERROR, words, name, error_name)
            continue
        gains = best is not None and best[0] < whole
        if best is None or weight * 4 <= best[0] * 3 or (not gains and weight < whole):
            best = weight, Choice(identity.kind, _name(recognised), form, shown)
    if best is not None:
        return best[1]
    return fault or Refusal(identity.kind, Reason.NOT_APPLICABLE, f"no form takes this content of `{identity.kind}`")


def _encode(recognised: Recognised, text: str, budget_tokens: int | None) -> str:
    form, module, parsed = recognised
    if getattr(module, "BUDGETED", False):
        return module.encode(parsed, budget_tokens)
    shown = module.encode(parsed)
    # What a module leaves as it is, saves nothing, and may look like a form of something else.
    if form.guarantee in _FAITHFUL and shown != text:
        _prove(recognised, text, shown)
    return shown


def _prove(recognised: Recognised, text: str, shown: str) -> None:
    """Decode a form, and compare. Raises UnfaithfulFormError, or whatever the decoder raises."""
    form, module, _ = recognised
    back = module.decode(shown)
    if form.guarantee == "exact":
        faithful = back == text
    else:
        same = getattr(module, "same", None)
        faithful = module.encode(module.recognise(back)) == shown if same is None else same(text, back)
    if not faithful:
        raise UnfaithfulFormError(form.module)


def _name(recognised: Recognised) -> str:
    return getattr(recognised.module, "NAME", recognised.form.module)
