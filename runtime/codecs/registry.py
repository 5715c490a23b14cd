"""Finds codecs by name: those of the house, imported when first asked for, and those that others registered.

Invariants: a name belongs to one codec for the life of the process; every call gets a fresh instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .codec import Codec

_C = TypeVar("_C", bound="type[Codec]")

_BUILT_IN = {
    "columnar": "Columnar",
    "json_compact": "JsonCompact",
    "json_minify": "JsonMinify",
    "line_rle": "LineRle",
    "template_fold": "TemplateFold",
}
"""Name of a codec, which is that of its module here, to its class."""

_registered: dict[str, type[Codec]] = {}


def register_codec(cls: _C) -> _C:
    """Make a codec known by its `codec_name`; a class decorator. Raises ValueError where the name is taken."""
    name = getattr(cls, "codec_name", None)
    if not isinstance(name, str) or not name:
        raise ValueError(f"`{cls.__name__}` has no `codec_name`")
    if name in _BUILT_IN or _registered.setdefault(name, cls) is not cls:
        raise ValueError(f"a codec `{name}` is already registered")
    return cls


def find_codec(name: str) -> Codec | None:
    """Return a fresh instance of a codec, None where nobody has brought one of this name."""
    built_in = _BUILT_IN.get(name)
    if built_in is not None:
        from importlib import import_module

        return getattr(import_module(f".{name}", __package__), built_in)()
    cls = _registered.get(name)
    return None if cls is None else cls()


def known_codecs() -> tuple[str, ...]:
    """Return the names of all codecs, sorted."""
    return tuple(sorted({*_BUILT_IN, *_registered}))
