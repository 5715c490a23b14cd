"""Quick fixes: the edits that findings carry, one by one and all at once.

Input: a view, the stretch that the editor asks about. Output: code actions whose edits are for the version at hand;
none while the findings that are known are about another text.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from ...dsl.diagnostics import Diagnostic, Edit
from ...dsl.edits import apply_edits
from .diagnostics import render_diagnostic
from .positions import Lines
from .view import View

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.cablese"


def list_actions(view: View, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the fixes for what is found in a stretch, and one for all of the file."""
    only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    found = [each for each in _current(view) if each.edits]
    actions: list[types.CodeAction] = []
    if _wanted(types.CodeActionKind.QuickFix.value, only):
        start, end = view.offset(params.range.start), view.offset(params.range.end)
        here = [each for each in found if each.primary.span.start <= end and start <= each.primary.span.end]
        actions += [_fix(view, each) for each in here]
    together = compatible_edits(view.document.text, found)
    if _wanted(FIX_ALL, only) and together and (len(found) > 1 or only):
        title = "Apply all fixes of this file"
        actions.append(types.CodeAction(title, kind=FIX_ALL, edit=_edit(view, together)))
    return actions


def _wanted(kind: str, only: Sequence[str]) -> bool:
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _current(view: View) -> list[Diagnostic]:
    """Return the findings of the file, if they are shown for this version."""
    published = view.project.published.get(view.document.uri)
    if published is None or published[0] != view.document.version:
        return []
    return [
        each
        for each in view.project.session.diagnostics
        if each.source.path == view.file and each.source.text == view.document.text
    ]


def compatible_edits(text: str, found: Sequence[Diagnostic]) -> list[Edit]:
    """Return the edits of as many findings, in order, as can be made together."""
    kept: list[Edit] = []
    for each in found:
        try:
            apply_edits(text, [*kept, *each.edits])
        except ValueError:
            continue
        kept += [edit for edit in each.edits if edit not in kept]
    return kept


def _fix(view: View, found: Diagnostic) -> types.CodeAction:
    def locate(file: str) -> tuple[str, Lines]:
        return view.uri_of(file), view.lines_of(file)

    title = (found.help or f"fix {found.code}").replace("`", "").removesuffix("?")
    # "did you mean X" asks; what is chosen from a menu says.
    asked = title.removeprefix("did you mean ")
    title = f"change to {asked}" if asked != title else title
    return types.CodeAction(
        title[:1].upper() + title[1:],
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[render_diagnostic(found, view.document.lines, locate)],
        edit=_edit(view, found.edits),
        is_preferred=True,
    )


def _edit(view: View, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    document = view.document
    changes = [types.TextEdit(view.range(edit.span.start, edit.span.end), edit.text) for edit in edits]
    identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, list(changes))])
