"""Build steps that the package data needs: the curated pack and the token tables.

Both are made from files of this checkout alone, byte for byte the same on every machine, so they are not kept in the
repository. An editable install writes them beside their sources.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


def house() -> None:
    """Make `import cablese` find this checkout, whatever its folder is called."""
    if "cablese" in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(
        "cablese", ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["cablese"] = package
    spec.loader.exec_module(package)


class BuildWithData(build_py):
    """`build_py`, and then the data that is made rather than kept."""

    def run(self) -> None:
        """Build the modules, then the data where it will be read. A failure ends the build, also an editable one."""
        super().run()
        try:
            build_data(ROOT if self.editable_mode else Path(self.build_lib) / "cablese")
        except Exception as error:
            # setuptools takes any other exception of an editable build for a warning.
            raise SystemExit(f"the package data could not be built: {error!r}") from error


def build_data(package: Path) -> None:
    """Compile the curated rules and write the token tables into a package folder."""
    house()
    from cablese.compiler.curated import build_packs
    from cablese.runtime.tokens.table import build_tables

    build_tables(package / "runtime" / "tokens" / "data")
    build_packs(ROOT / "rules", package / "runtime")


setup(cmdclass={"build_py": BuildWithData})
