"""The pages become a site, in which every link leads on; a stranger finds every page from the first one."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from .pages import PAGES, ROOT

DOCS = ROOT / "docs"
WRITTEN = [path for path in PAGES if path.is_relative_to(DOCS) and path.parent != DOCS / "codes"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site as `make docs` does, and return its folder."""
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_every_page_is_on_the_site(site):
    """Each has its own, also those of the codes; examples and hooks are no pages."""
    for path in PAGES:
        if path.is_relative_to(DOCS):
            name = path.relative_to(DOCS).with_suffix(".html")
            assert (site / (name.parent / "index.html" if path.name == "README.md" else name)).exists(), path
    assert not (site / "examples").exists()
    assert not list(site.rglob("*.py"))


def test_the_site_loads_nothing_from_elsewhere(site):
    """It can be read without a network."""
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|img)[^>]+src="([^"]+)"|<link[^>]+href="([^"]+)"', page.read_text("utf-8"))
        assert not [url for pair in loaded for url in pair if url.startswith(("http:", "https:", "//"))], page


def test_rule_text_is_coloured_and_every_fence_is_one(site):
    """Attributes behind the language of a fence are for tests, and never shown."""
    page = (site / "language.html").read_text("utf-8")
    assert '<span class="kd">rule</span>' in page
    for html in site.rglob("*.html"):
        text = re.sub(r"<pre>.*?</pre>", "", html.read_text("utf-8"), flags=re.DOTALL)
        assert "```" not in text, html


def test_the_first_page_leads_to_every_other():
    """`docs/README.md` names each page that is written by hand."""
    first = (DOCS / "README.md").read_text("utf-8")
    for path in WRITTEN:
        name = path.relative_to(DOCS).as_posix()
        assert name == "README.md" or f"({name})" in first, name


def test_the_navigation_has_the_order_of_the_first_page():
    """Both have the same four parts."""
    parts = re.findall(r"^## (.+)$", (DOCS / "README.md").read_text("utf-8"), re.MULTILINE)
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    assert re.findall(r"^  - ([^:]+):$", navigation, re.MULTILINE) == parts
