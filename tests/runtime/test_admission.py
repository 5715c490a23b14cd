"""Content kinds in the walk: when they are asked, what they may do there, and what the record says."""

from __future__ import annotations

import asyncio
import json

import pytest
from cablese.runtime import Compressor, MemoryStore, Reason, ToolResult, decode
from cablese.runtime.decision.walk import Context
from cablese.runtime.packs.catalogue import Catalogue
from cablese.runtime.packs.manifest import Entry, Manifest
from cablese.runtime.records import Outcome
from cablese.runtime.settings import Settings, SettingsError, read_settings
from cablese.runtime.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

from .admission.texts import CODE, DIFF, JSON_ROWS, NOTHING, PATHS, PROSE, SEARCH

KEY = bytes(32)


def compressor(admit: str = "exact", **changes) -> Compressor:
    """Return a compressor with nothing but content kinds on."""
    context = Context(
        settings=Settings(admit=admit, **changes.pop("settings", {})),
        catalogue=changes.pop("catalogue", Catalogue(Settings())),
        store=changes.pop("store", MemoryStore(KEY)),
        **changes,
    )
    return Compressor(context)


def shell(
    stdout: str, stderr: str = "", *, command: str = "sh -c ./list", framed: bool = True, **changes
) -> ToolResult:
    """Return the result of a shell."""
    content = f"stdout:\n{stdout}\nstderr:\n{stderr}" if framed else stdout + stderr
    metadata = {"stdout": stdout, "stderr": stderr, "exit_code": changes.pop("exit_code", 0)}
    return ToolResult("bash", content, {"command": command}, metadata | changes.pop("metadata", {}), **changes)


@pytest.mark.parametrize(("text", "kind"), [(PATHS, "paths"), (SEARCH, "search")])
@pytest.mark.parametrize("framed", [False, True])
def test_an_exact_form_is_shown_and_decodes_to_the_content(text, kind, framed):
    """The record names kind, guarantee and level; nothing is kept; the view decodes to the very content."""
    result = shell(text, framed=framed)
    view = compressor().view(result)
    decision = view.decision
    assert decision.outcome is Outcome.COMPRESSED
    assert (decision.kind, decision.guarantee, decision.level, decision.handle) == (kind, "exact", "minimal", None)
    assert (decision.rule, decision.codec, decision.pack) == (None, None, None)
    assert all(after < before for before, after in _counts(result.content, view.content))
    assert decode(view) == result.content


def test_framing_and_stderr_stay_as_they_are():
    """Of two captured streams in framed text, stdout alone is read; the rest stands where it stood."""
    stderr = "warning: one folder could not be read\nwarning: another\n"
    result = shell(PATHS, stderr)
    view = compressor().view(result)
    assert view.decision.kind == "paths"
    assert view.content.startswith("stdout:\n[")
    assert view.content.endswith("\nstderr:\n" + stderr)
    assert decode(view) == result.content


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (shell("a/b\na/c\n"), Reason.BELOW_THRESHOLD),
        (shell(NOTHING), Reason.UNCLASSIFIED),
        (shell(DIFF), Reason.NOT_APPLICABLE),
        (shell(CODE), Reason.LEVEL_NONE),
        (shell(PATHS, "\nstderr:\n"), Reason.MISSING_STREAM),
        (shell(PATHS, metadata={"stdout": "another"}), Reason.MISSING_STREAM),
        (shell(PATHS[:900] + "\x00" + PATHS), Reason.UNCLASSIFIED),
        (shell(PATHS + "\x1b[0m"), Reason.UNCLASSIFIED),
        (shell(PATHS + "\udc80"), Reason.UNCLASSIFIED),
        (shell("[tool_output_compression]\ntool: bash\n" + PATHS), Reason.ALREADY_COMPRESSED),
    ],
)  # fmt: skip
def test_what_passes_says_why(result, reason):
    """Each way to pass has its reason, and the content is the same object."""
    view = compressor().view(result)
    assert (view.decision.outcome, view.decision.reason) == (Outcome.PASSED, reason)
    assert view.content is result.content
    assert view.decision.detail


def test_what_is_off_is_off():
    """Without admission nothing is asked, and one kind can be disabled by its name."""
    assert compressor("none").view(shell(PATHS)).decision.reason is Reason.DISABLED
    off = compressor(settings={"disabled": frozenset({"kind.paths"})}).view(shell(PATHS)).decision
    assert (off.reason, off.kind) == (Reason.DISABLED, "paths")
    assert compressor(settings={"disabled": frozenset({"kind.paths"})}).view(shell(SEARCH)).decision.kind == "search"


@pytest.mark.parametrize(
    ("level", "ceiling", "outcome"),
    [
        (None, "aggressive", "compressed"), ("minimal", "aggressive", "compressed"), ("none", "aggressive", "passed"),
        (None, "minimal", "compressed"), (None, "none", "passed"), ("normal", "none", "passed"),
    ],
)  # fmt: skip
def test_levels_are_ceilings(level, ceiling, outcome):
    """The level of a call and the ceilings of the configuration lower what is admitted."""
    made = compressor("value", settings={"levels": (("bash", ceiling),)})
    for text in (PATHS, JSON_ROWS):
        view = made.view(shell(text), level=level)
        assert view.decision.outcome == outcome
        assert outcome == "compressed" or view.decision.reason is Reason.LEVEL_NONE


def test_a_loss_needs_normal_a_store_and_the_pointer():
    """Code is shown without its bodies at `normal` only, once the original is kept, with the pointer as last line."""
    store = MemoryStore(KEY)
    result = shell(CODE, command="./show")
    view = compressor("normal", store=store).view(result)
    decision = view.decision
    assert (decision.kind, decision.guarantee, decision.level) == ("code", "summary", "normal")
    assert store.fetch(decision.handle) == result.content.encode()
    assert f"\noriginal: cablese show {decision.handle}\nstderr:\n" in view.content
    plain = compressor("normal", store=store).view(shell(CODE, framed=False))
    assert plain.content.endswith(f"\noriginal: cablese show {plain.decision.handle}")
    assert compressor("normal", store=None).view(result).decision.reason is Reason.UNRECOVERABLE
    without = compressor("normal", store=None, unrecoverable_ok=True).view(result)
    assert (without.decision.guarantee, without.decision.handle) == ("summary", None)
    assert "original: cablese" not in without.content
    capped = compressor("normal", settings={"levels": (("*", "minimal"),)}).view(result).decision
    assert capped.reason is Reason.LEVEL_NONE


def test_a_budget_is_read_at_aggressive_alone():
    """Prose is cut to the budget of tokens in a call at level `aggressive`, and in no other; nothing else ever is."""
    text = "".join(f"The shelf with the number {n} was counted again before noon. " for n in range(120))
    made = compressor("normal", budget_tokens=200)
    cut = made.view(ToolResult("read_page", text), level="aggressive")
    assert (cut.decision.kind, cut.decision.level) == ("prose", "aggressive")
    assert 0 < len(cut.content) < 1100
    assert made.view(ToolResult("read_page", text)).decision.outcome is Outcome.PASSED
    assert decode(made.view(shell(PATHS), level="aggressive")) == shell(PATHS).content


@pytest.mark.parametrize(
    "changes",
    [{"exit_code": 2}, {"success": False}, {"status": "error"}, {"metadata": {"stdout_truncated": True}},
     {"metadata": {"timed_out": True}}],
)  # fmt: skip
def test_what_is_no_complete_success_has_exact_forms_only(changes):
    """Failed calls and streams that were cut are shown in exact forms, and in no others."""
    changes = {key: dict(value) if isinstance(value, dict) else value for key, value in changes.items()}
    for text, outcome in ((PATHS, "compressed"), (CODE, "passed"), (JSON_ROWS, "passed")):
        decision = compressor("normal").view(shell(text, **json.loads(json.dumps(changes)))).decision
        assert decision.outcome == outcome
        assert outcome == "passed" or decision.guarantee == "exact"


def test_a_rule_that_refused_leaves_the_exact_forms():
    """Where a rule claims the command and refuses its output, an exact form is shown; without one its reason stands."""
    made = Compressor.default(enable="curated", admit="normal", store=MemoryStore(KEY), installed=False)
    refused = made.view(shell(PATHS, command="git log --oneline -20"))
    assert (refused.decision.kind, refused.decision.guarantee) == ("paths", "exact")
    assert (refused.decision.rule, refused.decision.pack) == (None, None)
    assert "`bash.git_log` refused it" in refused.decision.detail
    assert decode(refused).startswith("stdout:\n./src")
    kept = made.view(shell(CODE, command="git log --oneline -20")).decision
    assert (kept.rule, kept.reason) == ("bash.git_log", Reason.INVALID_OUTPUT)


def test_kinds_stand_between_entries_for_a_tool_and_those_for_every_tool():
    """An entry for the tool goes before a kind, a kind before `*`; what no kind takes is for `*`."""
    special, general = Entry("show_rows", "json_minify"), Entry("*", "json_minify")
    made = compressor("value", manifest=Manifest([[special, general]]))
    indented = JSON_ROWS
    told = [made.view(ToolResult(tool, indented)).decision for tool in ("show_rows", "others")]
    assert [(each.codec, each.kind) for each in told] == [("json_minify", None), (None, "json")]
    small = json.dumps({"a": [1, 2, 3], "b": {"c": "some text"}}, indent=8)
    assert made.view(ToolResult("others", small)).decision.codec == "json_minify"
    assert made.view(ToolResult("others", NOTHING)).decision.reason is Reason.UNCLASSIFIED
    assert made.view(ToolResult("show_rows", PATHS)).decision.kind == "paths"
    stopped = compressor("value", manifest=Manifest([[special._replace(level="none")]]))
    assert stopped.view(ToolResult("show_rows", PATHS)).decision.reason is Reason.LEVEL_NONE


def test_values_that_are_no_text_are_for_codecs():
    """A JSON value is for `*`, as without admission."""
    rows = json.loads(JSON_ROWS)
    decision = compressor("normal").view(ToolResult("list_rows", rows)).decision
    assert (decision.kind, decision.codec) == (None, "json_compact")


def test_a_form_that_costs_more_passes():
    """The gate weighs what is shown; a form that is not fewer tokens is `no_gain`, and the kind is on the record."""
    lonely = "".join(f"/{chr(97 + n % 26) * 3}{n}\n" for n in range(200))
    view = compressor().view(shell(lonely))
    assert view.decision.outcome == "compressed" or view.decision.reason in (Reason.NO_GAIN, Reason.UNCLASSIFIED)
    if view.decision.outcome == "compressed":
        assert all(after < before for before, after in _counts(shell(lonely).content, view.content))


def test_a_view_is_not_admitted_again():
    """What content kinds made is of no kind: shown to us again, it passes."""
    view = compressor().view(shell(PATHS, framed=False))
    again = compressor("normal").view(shell(view.content, framed=False))
    assert again.content is not None
    assert again.decision.outcome is Outcome.PASSED


def test_untrusted_stays_untrusted():
    """A shorter form is as little to be trusted as the output was."""
    assert compressor().view(shell(PATHS, untrusted=True)).decision.untrusted
    assert compressor().view(shell(PROSE, untrusted=True)).decision.untrusted


def test_the_configuration_turns_kinds_on_and_a_project_only_down(tmp_path):
    """`admit` in the user's file turns kinds on; a project lowers it, and cannot raise it."""
    (tmp_path / "project" / ".cablese").mkdir(parents=True)
    user, project = tmp_path / "config.toml", tmp_path / "project" / ".cablese" / "config.toml"
    environ = {"CABLESE_CONFIG": str(user), "HOME": str(tmp_path)}
    user.write_text('admit = "value"\n')
    assert read_settings(environ, str(tmp_path / "project")).admission == "value"
    for said, holds in (("exact", "exact"), ("normal", "value"), ("none", "none")):
        project.write_text(f'admit = "{said}"\n')
        settings = read_settings(environ, str(tmp_path / "project"))
        assert settings.admission == holds
        assert settings._replace(admit="normal").admission == said
    user.write_text('admit = "all"\n')
    with pytest.raises(SettingsError, match="none, exact, value, normal"):
        read_settings(environ, str(tmp_path / "project"))


def test_any_command_may_be_claimed_once_kinds_are_on():
    """Before a command has run, nobody knows what it prints."""
    assert not compressor("none").may_compress("bash", "./list")
    assert compressor("exact").may_compress("bash", "./list | sort")
    assert not compressor("exact", settings={"levels": (("bash", "none"),)}).may_compress("bash", "./list")


@given(
    st.lists(st.sampled_from(["./a/b.py", "./a/c.py", "a.py:1:x", "  2\tx", "", "x y", "[INFO] x", "{}", "stderr:"]))
)
def test_whatever_is_shown_as_exact_is_the_content_again(lines):
    """Any mix of lines of any kind passes as it is, or decodes to itself, framed or not."""
    made = compressor()
    for framed in (False, True):
        result = shell("\n".join(lines * 12), "note\n", framed=framed)
        view = made.view(result)
        if view.decision.outcome is Outcome.PASSED:
            assert view.content is result.content
        else:
            assert decode(view) == result.content


def test_large_text_is_admitted_off_the_event_loop_as_on_it():
    """A helper process decides with the same settings."""
    large = "".join(f"./src/parts/shelf{number % 9}/part{number}.txt\n" for number in range(2500))

    async def ask():
        async with Compressor.default(admit="exact", store=MemoryStore(KEY), installed=False) as made:
            return await made.view_async(ToolResult("find_files", large))

    view = asyncio.run(ask())
    assert (view.decision.kind, decode(view)) == ("paths", large)


def _counts(before: str, after: str) -> list[tuple[int, int]]:
    first, second = count_tokens(before), count_tokens(after)
    return [(first[name], second[name]) for name in first]
