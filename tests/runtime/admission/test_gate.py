"""The two-axis gate: each row of its documented table, that it fails closed, and that a damaged form fails it."""

from __future__ import annotations

import json
import os
from functools import cache

import pytest
from cablese.runtime.admission import code, code_outline, gate_axes, json_kind, log_severity, prose, search
from cablese.runtime.admission.gate_axes import FLOORS, Floor, Outcome, Sight, Verdict, judge
from cablese.runtime.admission.gate_cases import Case, CaseError, read_cases
from cablese.runtime.admission.gate_solver import solve
from cablese.runtime.admission.kinds import ContentKind

from .gate_workshop import CASES, render_cases, source

COMMITTED = read_cases(CASES.read_text("utf-8").split("\n"))
CODE = source(1, 6)
HIDDEN = next(line.strip() for line in CODE.split("\n") if "weight - 1" in line)


@cache
def judged_at(level):
    """Judge the committed cases at a level."""
    return judge(COMMITTED, solve, level=level)


def of_kind(kind):
    """Return the committed cases of a kind."""
    return [case for case in COMMITTED if case.kind is kind]


def judge_one(case, solver, floor=None):
    """Return what became of a single case, and of its kind."""
    (judged,) = judge([case], solver, floors={} if floor is None else {case.kind: floor}).kinds
    return judged.measured[0], judged


def code_case(expected="LIMIT = 11", **changes):
    """Return a case of code."""
    return Case("c", ContentKind.CODE, CODE, "?", expected, **changes)


def test_the_committed_cases_are_those_of_the_workshop():
    """At least 60, at least 6 of each kind that has a form."""
    if os.environ.get("CABLESE_UPDATE"):
        CASES.write_text(render_cases(), "utf-8")
    assert CASES.read_text("utf-8") == render_cases()
    assert len(COMMITTED) >= 60
    assert all(len(of_kind(kind)) >= 6 for kind in FLOORS)


@pytest.mark.parametrize("level", ["normal", "aggressive"])
def test_every_kind_reaches_its_floors(level):
    """Both axes, with the solver that has no model."""
    report = judged_at(level)
    assert report.holds, [each for judged in report.kinds for each in judged.measured if each.detail]
    assert {judged.kind: judged.verdict for judged in report.kinds if judged.verdict is not Verdict.PASS} == {
        ContentKind.DIFF: Verdict.WARN
    }


def test_details_are_recovered_and_nothing_else_is():
    """The original is asked for where the detail was left out, and only there."""
    for judged in judged_at("normal").kinds:
        for each in judged.measured:
            wanted = Outcome.RECOVERED if each.case.needs_detail else Outcome.KEPT
            assert each.outcome is wanted, each.case.id


def test_forms_without_loss_give_the_same_answers_at_every_level():
    """At `exact` and `value` nothing has to be recovered."""
    for level in ("exact", "value"):
        for judged in judge(COMMITTED, solve, level=level, floors={}).kinds:
            assert judged.accuracy == 1.0
            assert all(each.outcome is Outcome.KEPT for each in judged.measured)


def test_right_is_part_of_the_answer_in_capitals_or_not():
    """As documented."""
    assert judge_one(code_case(), lambda *_: "it is limit = 11, I think")[0].outcome is Outcome.KEPT


def test_wrong_is_lost():
    """The form lost what the whole content has."""
    measured, judged = judge_one(code_case(HIDDEN), lambda _, sight: sight.text, Floor(0.5, 0.0))
    assert measured.outcome is Outcome.LOST
    assert (judged.accuracy, judged.verdict) == (0.0, Verdict.FAIL)


def test_right_after_expanding_is_recovered():
    """And counts as right."""
    measured, judged = judge_one(
        code_case(HIDDEN, needs_detail=True),
        lambda _, sight: sight.expand() if sight.expand else sight.text,
        Floor(1.0, 0.1),
    )
    assert measured.outcome is Outcome.RECOVERED
    assert (judged.accuracy, judged.verdict) == (1.0, Verdict.PASS)


def test_detail_without_the_original_is_lost_even_if_right():
    """A guess is no answer."""
    measured, _ = judge_one(code_case(needs_detail=True), lambda *_: "LIMIT = 11")
    assert measured.outcome is Outcome.LOST
    assert "without the original" in measured.detail


def test_detail_of_a_content_that_is_shown_whole_is_kept():
    """Nothing was left out, so nothing is to be expanded."""
    short = Case("s", ContentKind.CODE, "import os\n", "?", "os", needs_detail=True)
    measured, judged = judge_one(short, lambda _, sight: sight.text)
    assert (measured.outcome, judged.savings) == (Outcome.KEPT, 0.0)


@pytest.mark.parametrize("error", [RuntimeError("no"), RecursionError(), KeyError("x"), MemoryError()])
def test_solver_that_raises_leaves_the_case_unmeasured_and_fails(error):
    """Whatever it raises, even without a floor."""

    def solver(question, sight):
        raise error

    measured, judged = judge_one(code_case(), solver)
    assert (measured.outcome, judged.verdict) == (Outcome.UNMEASURED, Verdict.FAIL)
    assert type(error).__name__ in measured.detail


def test_case_that_the_whole_content_does_not_answer_is_unmeasured():
    """It says nothing about the form."""
    measured, judged = judge_one(code_case("no such thing"), lambda _, sight: sight.text)
    assert (measured.outcome, judged.verdict) == (Outcome.UNMEASURED, Verdict.FAIL)


def test_content_that_is_taken_for_another_kind_is_unmeasured():
    """The kind is part of the case."""
    case = code_case()._replace(kind=ContentKind.PROSE)
    measured, judged = judge_one(case, lambda _, sight: sight.text)
    assert (measured.outcome, measured.detail) == (Outcome.UNMEASURED, "it was taken for `code`")
    assert judged.verdict is Verdict.FAIL


def test_kind_without_a_floor_warns():
    """If all was measured."""
    assert judge_one(code_case(), solve_limit)[1].verdict is Verdict.WARN


def solve_limit(question, sight):
    """Answer one question."""
    return "LIMIT = 11"


def test_savings_below_the_floor_fail():
    """However right the answers are; a floor that is just reached passes."""
    savings = judge_one(code_case(), solve_limit)[1].savings
    assert 0.1 < savings < 1
    assert judge_one(code_case(), solve_limit, Floor(1.0, savings))[1].verdict is Verdict.PASS
    assert judge_one(code_case(), solve_limit, Floor(1.0, savings + 0.001))[1].verdict is Verdict.FAIL


def test_one_failing_kind_fails_the_report():
    """And no kind hides another."""
    floors = {ContentKind.PATHS: Floor(1.0, 0.2), ContentKind.SEARCH: Floor(1.0, 0.99)}
    report = judge([*of_kind(ContentKind.PATHS), *of_kind(ContentKind.SEARCH)], solve, floors=floors)
    assert not report.holds
    assert [judged.kind for judged in report.kinds if judged.verdict is Verdict.FAIL] == [ContentKind.SEARCH]


def test_floor_for_a_kind_without_cases_is_an_error():
    """It would pass unseen."""
    with pytest.raises(CaseError, match="a floor for `json`, and no case"):
        judge([code_case()], solve_limit, floors={ContentKind.JSON: Floor(1.0, 0.2)})


def test_budget_is_a_share_of_the_content(monkeypatch):
    """A thirty-second of its estimated tokens, at least 8."""
    seen = []

    def admit(self, content, budget, **_):
        seen.append(budget)
        return self.passing(content, ContentKind.UNKNOWN, 0, "", untrusted=False)

    monkeypatch.setattr(gate_axes.ContentRouter, "admit_within", admit)
    judge([code_case()._replace(content="a" * size, id=str(size)) for size in (4, 6400)], solve_limit, floors={})
    assert seen == [8, 50]


def damaged(monkeypatch, kind, module, name, function):
    """Return how a kind is judged with a function of a module replaced."""
    monkeypatch.setattr(module, name, function)
    (judged,) = judge(of_kind(kind), solve, floors={kind: FLOORS[kind]}).kinds
    return judged


def test_outline_that_drops_what_is_raised_fails(monkeypatch):
    """The condition is only in the original, which is not asked for where the text has an answer of its own."""
    cut = code_outline.Cut
    judged = damaged(monkeypatch, ContentKind.CODE, code, "render_outline", lambda head, lines, cuts: (
        code_outline.render_outline(head, lines, [cut(c.first, c.last, c.notes and (
            code_outline.Note(c.notes[0].line, c.notes[0].text[c.notes[0].text.index("raise"):]),)) for c in cuts])
    ))  # fmt: skip
    assert (judged.verdict, judged.accuracy < 1) == (Verdict.FAIL, True)


def test_outline_that_moves_signatures_fails(monkeypatch):
    """A name with another's parameters is a wrong answer."""
    encode = code.encode
    judged = damaged(
        monkeypatch, ContentKind.CODE, code, "encode", lambda source: encode(source).replace(": int, *, ", ", *, ")
    )
    assert (judged.verdict, judged.accuracy < 1) == (Verdict.FAIL, True)


def test_prose_that_is_deleted_fails(monkeypatch):
    """As the documented one deleted it, with a solver that trusts what it is shown."""
    monkeypatch.setattr(prose, "encode", lambda *_: "…")
    (judged,) = judge(
        of_kind(ContentKind.PROSE),
        lambda question, sight: solve(question, Sight(sight.text)),
        floors={ContentKind.PROSE: FLOORS[ContentKind.PROSE]},
    ).kinds
    assert (judged.verdict, judged.accuracy) == (Verdict.FAIL, 0.0)


def test_log_that_loses_a_warning_fails(monkeypatch):
    """With a solver that trusts what it is shown."""
    encode = log_severity.encode
    monkeypatch.setattr(
        log_severity,
        "encode",
        lambda parsed, *rest: "\n".join(line for line in encode(parsed, *rest).split("\n") if " is late" not in line),
    )
    (judged,) = judge(
        [case for case in of_kind(ContentKind.LOG) if not case.needs_detail],
        lambda question, sight: solve(question, Sight(sight.text) if sight.expand else sight),
        floors={ContentKind.LOG: FLOORS[ContentKind.LOG]},
    ).kinds
    assert (judged.verdict, judged.accuracy < 1) == (Verdict.FAIL, True)


@pytest.mark.parametrize(("kind", "module"), [(ContentKind.JSON, json_kind), (ContentKind.SEARCH, search)])
def test_form_that_cannot_be_read_back_fails(monkeypatch, kind, module):
    """The proof refuses it, so the contents pass, and nothing is saved."""
    encode = module.encode
    judged = damaged(monkeypatch, kind, module, "encode", lambda parsed, *rest: encode(parsed, *rest).replace("o", "0"))
    assert (judged.verdict, judged.accuracy) == (Verdict.FAIL, 1.0)
    assert judged.savings < FLOORS[kind].savings


LINE = {"id": "a", "kind": "json", "content": "[1]", "question": "?", "expected": "1", "needs_detail": False}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "xml"}, "line 2: there is no kind `xml`"),
        ({"expected": " "}, "line 2: `expected` is to be text, and not empty"),
        ({"content": None}, "line 2: `content` is to be text, and not empty"),
        ({"needs_detail": 1}, "line 2: `needs_detail` is to be true or false"),
        ({"answer": "1"}, "line 2: a case has no `answer`"),
        ({"id": "first"}, "line 2: there is a case `first` before"),
    ],
)
def test_malformed_case_is_an_error_with_its_line(change, words):
    """And no case is skipped."""
    lines = [json.dumps({**LINE, "id": "first"}), json.dumps({**LINE, **change})]
    with pytest.raises(CaseError, match=words):
        read_cases(lines)


@pytest.mark.parametrize("line", ["{", "[]", "3", "[" * 5000])
def test_line_that_is_no_object_is_an_error(line):
    """Deeply nested ones, too."""
    with pytest.raises(CaseError, match="line 1: "):
        read_cases([line])


def test_no_case_is_an_error():
    """An empty file does not pass."""
    with pytest.raises(CaseError, match="there is no case"):
        read_cases(["", " "])


def test_question_out_of_the_grammar_is_an_error():
    """It is not answered with a guess."""
    with pytest.raises(ValueError, match="no question of the grammar: why"):
        solve("why?", Sight("because"))


@pytest.mark.parametrize("case", COMMITTED, ids=lambda case: case.id)
def test_solver_is_wrong_about_another_content(case):
    """It reads: of a content without the answer it does not give it."""
    other = {"paths": "a/b\n" * 9, "diff": "+ none\n"}.get(case.kind, case.content.replace(case.expected, "99999"))
    if case.kind is ContentKind.PATHS and case.expected == "no":
        other = case.question.split("`")[1] + "\n"
    assert case.expected.casefold() not in solve(case.question, Sight(other)).casefold()
