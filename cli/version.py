"""`cablese --version`: the versions of the tool, of the language, and of the curated pack."""

from __future__ import annotations

from .. import __version__
from ..runtime.catalogue import CURATED_PACK, PackUnusableError, open_pack_file


def render_versions() -> str:
    """Return one line per version. A pack that is missing or damaged is said to be so."""
    from ..runtime.pack import LANGUAGE_VERSION

    try:
        pack = open_pack_file(CURATED_PACK)
        curated = f"pack {pack.name} {pack.version} {pack.digest[:6]}"
    except PackUnusableError as error:
        curated = f"pack curated: {error}"
    return f"cablese {__version__}\nlanguage {LANGUAGE_VERSION}\n{curated}"
