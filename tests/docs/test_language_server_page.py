"""What the page of the language server has editors do is what the server takes."""

from __future__ import annotations

import tomllib

from cablese.adapters.language_server.server import Server

from .pages import ROOT, parse_blocks

PAGE = ROOT / "docs" / "language-server.md"
BLOCKS = [block.body for block in parse_blocks(PAGE)]


def test_each_configuration_starts_the_server():
    """Four editors, each told the command and its word; the one in TOML parses."""
    starting = [body for body in BLOCKS if '"cablese"' in body and '"lsp"' in body]
    assert len(starting) == 4
    (helix,) = [tomllib.loads(body) for body in starting if "[language-server" in body]
    assert helix["language-server"]["cablese"]["command"] == "cablese"
    assert helix["language-server"]["cablese"]["args"] == ["lsp"]
    assert helix["language"][0]["language-servers"] == ["cablese"]
    for body in BLOCKS:
        assert all(body.count(one) == body.count(other) for one, other in ("()", "[]", "{}"))


def test_what_the_page_promises_is_what_the_server_offers():
    """Each request of the table has its handler."""
    offered = {name.rpartition("/")[2].lower() for name in Server().protocol.fm.features}
    asked = {
        *("formatting", "hover", "definition", "references", "documenthighlight", "documentsymbol", "foldingrange"),
        *("completion", "codeaction", "codelens"),
    }
    assert asked <= offered
    page = PAGE.read_text("utf-8")
    assert all(f"| {row} |" in page for row in ("hover", "completion", "code actions", "code lens", "symbols, folding"))
