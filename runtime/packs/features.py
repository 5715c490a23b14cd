"""What a pack may make use of, and the version of Cablese that brought each: the one table of it.

Input: `runtime` and `features` of a header. Output: the same, checked, or an error that says what is needed.

A feature is a word of the closed lists of `docs/pack-format.md`. A word that is new there is a line here, with the
version in which it comes; the compiler looks here for what it writes, so a pack that does without it goes on working
where it did.
"""

from __future__ import annotations

from typing import Any, Final

from .errors import PackNeedsNewer
from .strict_json import fail, take_text, take_texts

OLDEST: Final = "0.1.0"
"""What a pack needs that makes use of nothing."""

_WORDS: Final = {
    "0.1.0": (
        "admit "
        "claim.no claim.rel claim.some claim.within "
        "command.after command.globals command.needs command.refuse "
        "filter.clip filter.earlier filter.join filter.length filter.more "
        "kind.fields kind.record "
        "node.for node.if node.out node.text "
        "pattern.cstring pattern.enum pattern.fit pattern.group pattern.lit pattern.opt pattern.quoted pattern.raw "
        "pattern.rest pattern.run "
        "step.all step.count step.field step.first step.key step.kind step.line step.rows "
        "stream.counters stream.merged stream.otherwise stream.uncoloured "
        "test.and test.not test.or "
        "value.alt value.cap value.count value.distinct value.each value.group value.pick value.sorted value.sum "
        "value.trimmed "
        "when.exit when.no when.some"
    ),
}
FEATURES: Final = {word: version for version, words in _WORDS.items() for word in words.split()}


def check_features(header: Any, version: str) -> None:
    """Compare what a pack makes use of with what this version, `version`, can do.

    Raises PackNeedsNewer, which names a feature and the version it needs, and PackOutOfBounds.
    """
    features, runtime = header.get("features"), header.get("runtime")
    if not isinstance(features, dict) or not isinstance(runtime, str):
        raise fail("header", "`runtime` is not a version, or `features` are not names by version")
    for brought, names in features.items():
        for name in take_texts(names, "features", least=1):
            ours = FEATURES.get(name)
            if ours is None:
                raise PackNeedsNewer(f"`{name}` needs cablese {take_text(brought, 'features')}, this is {version}")
            if ours != brought:
                raise fail("features", f"`{name}` came with {ours}, not with {brought}")
    # Whatever is known came with some version up to ours, so the largest of those is what the pack needs.
    if runtime != _newest(features):
        raise fail("header", f"`runtime` is {runtime}, not the newest version that its features need")


def group_features(names: frozenset[str]) -> tuple[str, dict[str, list[str]]]:
    """Return the version that these features need, and the features by the version that brought them."""
    grouped: dict[str, list[str]] = {}
    for name in sorted(names):
        grouped.setdefault(FEATURES[name], []).append(name)
    return _newest(grouped), grouped


def _newest(versions: dict[str, Any]) -> str:
    if len(versions) < 2:
        return next(iter(versions), OLDEST)
    from .versions import version_key

    # Only versions of our table get here.
    return max(versions, key=lambda version: version_key(version) or ((0, 0, 0), False, ()))
