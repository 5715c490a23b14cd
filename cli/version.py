"""`cablese --version`: the versions of the tool, of the language, of the curated pack, and of the native codec."""

from __future__ import annotations

from .. import __version__
from ..runtime.native import codec
from ..runtime.packs.catalogue import CURATED_PACK, PackUnusableError, open_pack_file


def render_versions() -> str:
    """Return a line per version. A pack that is missing or damaged is said to be so; the codec only if it is used."""
    from ..runtime.packs.pack import LANGUAGE_VERSION

    try:
        pack = open_pack_file(CURATED_PACK)
        curated = f"pack {pack.name} {pack.version} {pack.digest[:6]}"
    except PackUnusableError as error:
        curated = f"pack curated: {error}"
    native = codec()
    lines = [f"cablese {__version__}", f"language {LANGUAGE_VERSION}", curated]
    if native is not None:
        lines.append(f"native codec {native.__version__}")
    return "\n".join(lines)
