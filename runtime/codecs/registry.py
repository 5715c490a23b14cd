"""Finds codecs by name: those of the house, imported when first asked for, and those that others registered.

Invariants: a name belongs to one codec for the life of the process; every call gets a fresh instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

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

_loaded: dict[str, type[Codec]] = {}
_registered: dict[str, type[Codec]] = {}
_targets: dict[str, str] = {}


def register_codec(cls: _C) -> _C:
    """Make a codec known by its `codec_name`; a class decorator. Raises ValueError where the name is taken."""
    name = getattr(cls, "codec_name", None)
    if not isinstance(name, str) or not name:
        raise ValueError(f"`{cls.__name__}` has no `codec_name`")
    _check_name(name)
    if not callable(getattr(cls, "compress", None)):
        raise ValueError(f"the codec `{name}` has no `compress`")  # noqa: TRY004 - one error for whatever is no codec
    if name in _BUILT_IN or _registered.setdefault(name, cls) is not cls:
        raise ValueError(f"a codec `{name}` is already registered")
    return cls


def register_plugin(name: str, target: str) -> None:
    """Make a codec known that `target` (`module:attribute`, or a module that registers it) brings when first used.

    Nothing is imported. Raises ValueError for a name or target that is none, and for a name that another target has.
    """
    _check_name(name)
    module, colon, attribute = target.partition(":")
    parts = [*module.split("."), *(attribute.split(".") if colon else ())]
    if not all(part.isidentifier() for part in parts):
        raise ValueError(f"`{target}` is no `module:attribute`")
    if name in _BUILT_IN or _targets.setdefault(name, target) != target:
        raise ValueError(f"a codec `{name}` is already registered")


def find_codec(name: str) -> Codec | None:
    """Return a fresh instance of a codec, None where nobody has brought one of this name.

    Raises PluginError where a plugin that was registered by name cannot be imported.
    """
    loaded = _loaded.get(name)
    if loaded is not None:
        return loaded()
    built_in = _BUILT_IN.get(name)
    if built_in is not None:
        from importlib import import_module

        cls = _loaded[name] = getattr(import_module(f".{name}", __package__), built_in)
        return cls()
    cls = _registered.get(name)
    if cls is None and name in _targets:
        from .plugins import find_plugin

        cls = find_plugin(name, _targets[name])
    return None if cls is None else cls()


def unregister_codecs(names: Iterable[str]) -> None:
    """Forget codecs that a module registered whose import then failed."""
    for name in names:
        _registered.pop(name, None)


def registered_codec(name: str) -> type[Codec] | None:
    """Return the class that was registered under a name, None where there is none."""
    return _registered.get(name)


def is_built_in(name: str) -> bool:
    """Tell whether a codec is one of the house."""
    return name in _BUILT_IN


def known_codecs() -> tuple[str, ...]:
    """Return the names of all codecs, sorted."""
    return tuple(sorted({*_BUILT_IN, *_registered, *_targets}))


def _check_name(name: str) -> None:
    if not (name.isascii() and name.isidentifier()):
        raise ValueError(f"`{name}` is no name of a codec: letters, digits and `_` are, and no digit first")
