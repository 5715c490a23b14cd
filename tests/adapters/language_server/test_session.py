"""Whole sessions with the real process over standard input and output, by bytes and by a client library."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from cablese.compiler import check_sources
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from .test_features import LINT, SHARED
from .wire import Wire


@pytest.fixture
def folder(tmp_path):
    """Return a project with a library and a rule file."""
    (tmp_path / "rules" / "examples").mkdir(parents=True)
    (tmp_path / "rules" / "shared.cable").write_text(SHARED)
    (tmp_path / "rules" / "lint.cable").write_text(LINT)
    (tmp_path / "rules" / "examples" / "two.txt").write_text("a:1: E100 bad\nb:2: E200 bad\nfound 2 problems\n")
    return tmp_path


def test_a_session_by_a_client_library(folder):
    """Everything that the server says it can do, from `initialize` to `exit`, with pygls as the client."""

    async def session():
        client = LanguageClient("test", "1")
        found: asyncio.Queue = asyncio.Queue()
        shown: asyncio.Queue = asyncio.Queue()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: types.PublishDiagnosticsParams):
            found.put_nowait(params)

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def _(params: types.ShowMessageParams):
            shown.put_nowait(params)

        log = str(folder / "log")
        await client.start_io(sys.executable, "-m", "cablese.cli.main", "lsp", "--stdio", "--log", log)
        path = folder / "rules" / "lint.cable"
        uri, document = path.as_uri(), types.TextDocumentIdentifier(path.as_uri())
        begun = await client.initialize_async(
            types.InitializeParams(
                types.ClientCapabilities(), root_uri=folder.as_uri(), initialization_options={"draft": True}
            )
        )
        assert begun.capabilities.position_encoding == "utf-16"
        assert begun.server_info.name == "cablese"
        client.initialized(types.InitializedParams())

        async def until(version, count):
            while True:
                params = await asyncio.wait_for(found.get(), 90)
                if (params.uri, params.version, len(params.diagnostics)) == (uri, version, count):
                    return params.diagnostics

        client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "cable", 1, LINT)))
        await until(1, 0)
        line = next(number for number, text in enumerate(LINT.split("\n")) if "total.n" in text)
        at = types.Position(line, LINT.split("\n")[line].index("total.n") + 6)
        identifier = types.VersionedTextDocumentIdentifier(version=2, uri=uri)
        change = types.TextDocumentContentChangePartial(types.Range(at, types.Position(line, at.character + 1)), "m")
        client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        (unknown,) = await until(2, 1)
        assert unknown.code == "E0501"
        assert unknown.range == types.Range(at, types.Position(line, at.character + 1))
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(document, unknown.range, types.CodeActionContext([unknown]))
        )
        assert all(isinstance(each, types.CodeAction) for each in actions)
        hover = await client.text_document_hover_async(types.HoverParams(document, at))
        assert "E0501" in hover.contents.value
        identifier = types.VersionedTextDocumentIdentifier(version=3, uri=uri)
        change = types.TextDocumentContentChangeWholeDocument(LINT.replace("  facts {", "  facts   {"))
        client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        await until(3, 0)
        edits = await client.text_document_formatting_async(
            types.DocumentFormattingParams(document, types.FormattingOptions(2, insert_spaces=True))
        )
        assert [edit.new_text for edit in edits] == ["  facts {\n"]
        at = types.Position(line, 8 + 2)
        assert (await client.text_document_definition_async(types.DefinitionParams(document, at)))[0].uri.endswith(
            "shared.cable"
        )
        context = types.ReferenceContext(include_declaration=True)
        assert len(await client.text_document_references_async(types.ReferenceParams(context, document, at))) == 5
        assert await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, at))
        assert (await client.text_document_document_symbol_async(types.DocumentSymbolParams(document)))[
            0
        ].name == "bash.lint"
        assert await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        offered = await client.text_document_completion_async(types.CompletionParams(document, types.Position(line, 4)))
        assert "count" in {item.label for item in offered}
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        for lens in lenses:
            said = await client.workspace_execute_command_async(
                types.ExecuteCommandParams(lens.command.command, lens.command.arguments)
            )
            assert "holds" in said
            assert (await asyncio.wait_for(shown.get(), 30)).message == said
        client.text_document_did_save(types.DidSaveTextDocumentParams(document))
        client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
        assert (folder / "log").read_text() == ""

    asyncio.run(session())


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 21), ("utf-16", 19), ("utf-32", 18)])
def test_columns_are_counted_as_agreed(folder, encoding, column):
    """Behind a character beyond the basic plane, by the bytes that go over the wire."""
    wire = Wire(folder, encodings=["utf-7", encoding])
    assert wire.answer["result"]["capabilities"]["positionEncoding"] == encoding
    uri = "untitled:odd"
    text = 'rule bash.a "🙂 x" }\n'
    wire.open(uri, text)
    (found,) = wire.found(uri, 1)
    assert found["range"]["start"] == {"line": 0, "character": column - 0}
    wire.change(uri, 2, (0, column - 1, 0, column, " {"))
    wire.change(uri, 3, (0, 0, 0, 4, "rul"))
    (found,) = wire.found(uri, 3)
    assert "rul" in found["message"]
    assert wire.end() == 0
    assert wire.faults == ""


def test_the_newest_version_is_what_is_shown_in_the_end(folder):
    """Many changes in a row: no older version is shown after a newer one, and the last one is that of a check."""
    wire = Wire(folder)
    uri = (folder / "rules" / "lint.cable").as_uri()
    wire.open(uri, LINT)
    line = next(number for number, text in enumerate(LINT.split("\n")) if "total.n" in text)
    version = 1
    for char in "abcdefghij":
        version += 1
        wire.change(uri, version, (line, 0, line, 0, char))
    for _ in "abcdefghi":
        version += 1
        wire.change(uri, version, (line, 0, line, 1, ""))
    found = wire.found(uri, version)
    text = LINT.split("\n")
    text[line] = "a" + text[line]
    wanted = check_sources(
        {"lint.cable": "\n".join(text)}, draft=True, read=lambda path: (folder / "rules" / path).read_bytes()
    )
    assert [(each["code"], each["range"]["start"]["line"]) for each in found] == [
        (each.code, each.source.position(each.primary.span.start)[0] - 1) for each in wanted
    ]
    assert wanted
    shown = wire.published(uri)
    assert shown == sorted(shown)
    assert wire.end() == 0
    assert wire.faults == ""


def test_files_are_checked_together(folder):
    """A rule of another file claims the command, too; it is said in both, and taken back when one of them changes."""
    rival = LINT.replace("bash.lint", "bash.other")
    (folder / "rules" / "other.cable").write_text(rival)
    wire = Wire(folder)
    first, second = ((folder / "rules" / name).as_uri() for name in ("lint.cable", "other.cable"))
    wire.open(first, LINT)
    codes = {each["code"] for each in wire.found(first, 1)}
    elsewhere = {
        m["params"]["uri"]: m["params"]["diagnostics"] for _, m in wire.seen if "params" in m and "uri" in m["params"]
    }
    assert "E0703" in codes | {each["code"] for each in elsewhere.get(second, ())}
    wire.open(second, rival.replace("command  lint", "command  vet").replace('"lint', '"vet'))
    assert wire.found(first, 1) == []
    assert wire.found(second, 1) == []
    library = (folder / "rules" / "shared.cable").as_uri()
    wire.open(library, SHARED.replace("findings", "finds"))
    assert {each["code"] for each in wire.found(first, 1)} == {"E0202"}
    wire.tell("textDocument/didClose", {"textDocument": {"uri": library}})
    assert wire.found(first, 1) == []
    assert wire.end() == 0
    assert wire.faults == ""


def test_odd_documents_do_no_harm(folder):
    """Unsaved, gone, not UTF-8, CR LF, lone surrogates, large; unknown and cancelled requests; what is not open."""
    wire = Wire(folder)
    (folder / "rules" / "latin.cable").write_bytes(b"# caf\xe9\n")
    (folder / "rules" / "gone.cable").symlink_to(folder / "nowhere")
    uri = (folder / "rules" / "lint.cable").as_uri()
    wire.open(uri, LINT.replace("\n", "\r\n"))
    (ends,) = wire.found(uri, 1)
    assert (ends["code"], ends["range"]["start"]) == ("E0107", {"line": 0, "character": 18})
    latin = [m["params"] for _, m in wire.seen if "params" in m and str(m["params"].get("uri")).endswith("latin.cable")]
    assert [each["code"] for each in latin[-1]["diagnostics"]] == ["E0107"]
    position = {"textDocument": {"uri": uri}, "position": {"line": 13, "character": 6}}
    assert "total = " in wire.ask("textDocument/hover", position)["result"]["contents"]["value"]
    outside = (folder / "alone.cable").as_uri()
    wire.open(outside, 'use "rules/shared.cable"\n')
    assert wire.found(outside, 1) == []
    wire.open("untitled:Untitled-1", "\ud800")
    assert [each["code"] for each in wire.found("untitled:Untitled-1", 1)] == ["E0107"]
    wire.change("untitled:Untitled-1", 2, "x" * (1 << 20) + "y")
    assert [each["code"] for each in wire.found("untitled:Untitled-1", 2)] == ["E0107"]
    wire.change("untitled:Untitled-1", 3, (500, 500, 2, 3, "\n"), (0, 5, 0, 2, "word a"), (-1, -1, 0, 2, ""))
    wire.change("file:///nobody/opened/this.cable", 3, "")
    wire.tell("textDocument/didClose", {"textDocument": {"uri": "file:///nobody/opened/this.cable"}})
    assert wire.ask("textDocument/hover", {**position, "textDocument": {"uri": "http://x/y"}})["result"] is None
    assert "error" in wire.ask("textDocument/nothing", {})
    assert "error" in wire.ask("workspace/executeCommand", {"command": "cablese.nothing"})
    number = wire.post(
        "workspace/executeCommand", {"command": "cablese.runExample", "arguments": [uri, "bash.lint", 0]}
    )
    wire.tell("$/cancelRequest", {"id": number})
    wire.tell("$/cancelRequest", {"id": 99_999})
    wire.answer_to(number)
    wire.write(b"{}")
    wire.write(b"no JSON")
    assert wire.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"][0]["name"] == "bash.lint"
    assert wire.end() == 0
    faults = [line for line in wire.faults.splitlines() if "cablese.lsp" in line]
    assert [line.partition(": ")[2] for line in faults] == [
        "a change of file:///nobody/opened/this.cable, which is not open"
    ]


def test_requests_are_answered_while_a_check_goes_on(folder):
    """An answer does not wait for the end of a check, and is about the text at hand."""
    wire = Wire(folder)
    uri = (folder / "rules" / "lint.cable").as_uri()
    wire.open(uri, LINT)
    many = "".join(
        LINT.replace("bash.lint", f"bash.lint{n}").replace("lint", f"lint{n}").partition("\n")[2] for n in range(30)
    )
    wire.change(uri, 2, 'use "shared.cable"\n' + many)
    symbols = wire.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})["result"]
    assert len(symbols) == 30
    assert 2 not in wire.published(uri)
    assert wire.end() == 0


def test_a_client_that_goes_without_a_word_leaves_nothing_behind(folder):
    """The end of the input ends the server, also within a message; the exit code says that it was no proper end."""
    wire = Wire(folder)
    assert wire.end(polite=False) == 1
    wire = Wire(folder, started=False)
    wire.process.stdin.write(b"Content-Length: 100\r\n\r\n{")
    wire.process.stdin.flush()
    assert wire.end(polite=False) == 1


def test_without_its_library_the_command_names_the_extra():
    """Where pygls is not there, one line says what to install."""
    script = "import sys; sys.modules['pygls'] = None\nfrom cablese.cli.main import main\nsys.exit(main(['lsp']))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "cablese: the language server needs the extra `lsp`: pip install 'cablese[lsp]'\n"


def test_a_log_that_cannot_be_written_is_said_before_anything(tmp_path):
    """Such a server does not begin."""
    log = str(tmp_path / "none" / "log")
    done = subprocess.run(
        [sys.executable, "-m", "cablese.cli.main", "lsp", "--log", log], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"cablese: {log}: No such file or directory\n"
