"""Which modules know a kind of content, in the order in which they are asked, and finding them by name.

Input: a name of this list. Output: its module, imported when it is first asked for; None where this installation does
not have it. Such a kind is not asked for, so its content is shown whole.

Invariant: the order is that of recognition: what can be told surely comes first. Of one kind, the module with the
stronger guarantee comes first.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from .kinds import ContentKind, DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

ADMITTED = {
    "exact": frozenset({"exact"}),
    "value": frozenset({"exact", "value"}),
    "normal": frozenset({"exact", "value", "shape", "summary"}),
    "aggressive": frozenset({"exact", "value", "shape", "summary"}),
}
"""The guarantees that each level of admission admits; at `aggressive`, a budget of tokens is read as well."""


class Form(NamedTuple):
    """A form in which content of a kind can be shown. `module` stands in this folder."""

    module: str
    kind: ContentKind
    guarantee: str


FORMS = (
    Form("json_kind", ContentKind.JSON, "value"),
    Form("jsonl", ContentKind.JSONL, "value"),
    Form("numbered", ContentKind.NUMBERED, "exact"),
    Form("search", ContentKind.SEARCH, "exact"),
    Form("paths", ContentKind.PATHS, "exact"),
    Form("tabular", ContentKind.TABULAR, "value"),
    Form("log", ContentKind.LOG, "exact"),
    Form("log_severity", ContentKind.LOG, "summary"),
    Form("code", ContentKind.CODE, "summary"),
    Form("prose", ContentKind.PROSE, "summary"),
)

_loaded: dict[str, ModuleType | None] = {}


def load_form(form: Form) -> ModuleType | None:
    """Return the module of a form, or None where it, or something that it needs, is not installed."""
    if form.module not in _loaded:
        try:
            _loaded[form.module] = import_module(f".{form.module}", __package__)
        except ImportError:
            _loaded[form.module] = None
    return _loaded[form.module]


def forms_of(kind: ContentKind, guarantees: Iterable[str] = ADMITTED["normal"]) -> tuple[Form, ...]:
    """Return the forms of a kind whose guarantee is among these, the strongest first."""
    allowed = frozenset(guarantees)
    return tuple(form for form in FORMS if form.kind is kind and form.guarantee in allowed)


def decode_form(kind: str, guarantee: str, shown: str) -> str:
    """Return the text behind the form of a kind with this guarantee. Raises DecodeError."""
    for form in FORMS:
        if form.kind == kind and form.guarantee == guarantee:
            module = load_form(form)
            if module is not None:
                return module.decode(shown)
    raise DecodeError(f"no form of kind `{kind}` and guarantee `{guarantee}` can be decoded here")
