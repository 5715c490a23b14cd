"""Examples, checks and mutations notice a rule that lies."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cablese.compiler import compile_sources
from cablese.compiler.mutations import check_mutants, mutants
from cablese.compiler.selection import check_selection
from cablese.compiler.significance import significant_kinds
from cablese.compiler.trials import Bench, Trial
from cablese.dsl.codes import CODES

from .rules import compiled, sketch

OUTPUT = (
    "".join(f"[{number}] Running the nightly import of archive {number} from the north\n" for number in range(1, 21))
    + "20 jobs\n"
)


def trial() -> Trial:
    """Return an output that the sketched rule accepts and that saves tokens."""
    return Trial("bash", "jobs", OUTPUT)


def test_the_six_checks_hold_for_a_plain_rule():
    """Disabled, non-match, match, missing stream, short result, compound commands."""
    bench, rule = compiled(sketch())
    checks = list(check_selection(bench, rule.id, trial(), saves=True))
    assert [check.name for check in checks if not check.holds] == []
    assert len(checks) == 8


def test_a_check_can_fail():
    """A rule that is said to save, and does not, fails the check for its match."""
    bench, rule = compiled(sketch())
    checks = check_selection(bench, rule.id, Trial("bash", "jobs", "1 jobs\n"), saves=True)
    assert [check.name for check in checks if not check.holds] == ["match"]


def test_mutants_of_an_honest_rule_change_the_result():
    """Each mutant passes or shows another text."""
    bench, rule = compiled(sketch(ensure="running = sum done.n"))
    count, silent = check_mutants(bench, rule, trial())
    assert count > 80
    assert silent == []


class Deaf(Bench):
    """An engine that shows the same text whatever it reads."""

    def decide(self, trial):
        """Keep the body of the first decision."""
        verdict = super().decide(trial)
        if verdict.body is None:
            return verdict
        self.first = getattr(self, "first", verdict.body)
        return replace(verdict, body=self.first)


def test_of_mutants_every_so_many_th_can_be_tried():
    """The thinned ones are among all, in their order."""
    bench, rule = compiled(sketch(ensure="running = sum done.n"))
    count, _ = check_mutants(bench, rule, trial())
    assert check_mutants(bench, rule, trial(), 7)[0] == (count + 6) // 7


def test_a_silent_result_is_found():
    """Where lines that count are fewer or more and the text stays, the mutant is reported."""
    done = compile_sources({"a": sketch()}, name="t", version="1", draft=True)
    assert done.pack is not None
    _, silent = check_mutants(Deaf(done.pack), done.rules[0], trial())
    assert any("deleted" in each.mutant.name for each in silent)
    assert any("doubled" in each.mutant.name for each in silent)


def test_mutants_are_the_same_every_time():
    """Mutants depend on the case alone."""
    assert list(mutants(trial(), uncoloured=frozenset())) == list(mutants(trial(), uncoloured=frozenset()))


def test_mutants_of_joined_streams_are_those_of_the_one():
    """A host may capture both streams as one: its lines are changed just so, and what is silent is found."""
    bench, rule = compiled(sketch(ensure="running = sum done.n"))
    joined = replace(trial(), stdout="", metadata={"merged": OUTPUT})
    assert bench.decide(joined).body == bench.decide(trial()).body
    count, silent = check_mutants(bench, rule, joined)
    assert (count, silent) == (check_mutants(bench, rule, trial())[0], [])
    done = compile_sources({"a": sketch()}, name="t", version="1", draft=True)
    _, silent = check_mutants(Deaf(done.tried), done.rules[0], joined)
    assert any(each.mutant.name == "merged line 1 deleted" for each in silent)


def test_a_text_with_carriage_returns_of_its_own_may_be_shown():
    """What CRLF adds is no other text, whatever returns a `raw` hole let into the text before."""
    bench, rule = compiled(
        sketch(
            stdout="job+",
            lines='job = "{what:raw}"',
            facts="jobs = each job",
            summary="{% for j in jobs %}\n  {{ j.what }}\n  {% endfor %}",
        )
    )
    assert check_mutants(bench, rule, Trial("bash", "jobs", "10 %\r100 %\ndone\n"))[1] == []


@pytest.mark.parametrize(
    ("facts", "summary", "kinds"),
    [
        ("f = count job", "{{ f }}", ("job",)),
        ("f = count job where n > 1", "{{ f }}", ()),
        ("f = first 3 of each job, done", "{% for j in f %}{{ j.line }}{% endfor %}{{ f | more }}", ("done", "job")),
        ("f = count job", "{{ exit_code }}{% if f %}{{ f }}{% endif %}", ("job",)),
        ("f = count job\n    g = count done", "{{ g }}{% if g %}{{ f }}{% endif %}", ("done",)),
        ("f = distinct job.name", "{{ f | join(' ') }}", ()),
    ],
)
def test_significant_is_what_the_summary_always_counts(facts, summary, kinds):
    """Only kinds whose number the text cannot hide are held against a silent result."""
    _, rule = compiled(sketch(facts=facts, summary=summary))
    assert significant_kinds(rule.section) == kinds


def test_evidence_is_demanded_of_rules_that_are_shipped():
    """Without `draft`, a rule needs an example of each kind, and one that saves."""
    for code in ("E0803", "E0804"):
        found = compile_sources({"a": CODES[code].bad}, name="t", version="1").diagnostics
        assert [each.code for each in found] == [code]
        assert compile_sources({"a": CODES[code].bad}, name="t", version="1", draft=True).pack is not None


def test_examples_may_expect_no_gain():
    """An output that the rule accepts, and the gate does not, passes for `no_gain`."""
    text = sketch(examples='example "short" { command "jobs"  stdout "1 jobs\\n"  passes no_gain }')
    assert compile_sources({"a": text}, name="t", version="1", draft=True).diagnostics == ()


def test_examples_stay_within_the_folder_of_the_rules():
    """A rule file cannot show a file of somewhere else through its examples."""
    asked = []

    def read(path: str) -> bytes:
        asked.append(path)
        return b"secret"

    example = '  example "elsewhere" { command "jobs"  stdout file "x/../../secret"  passes invalid_output }\n}'
    text = example.join(sketch().rsplit("}", 1))
    done = compile_sources({"a.cable": text}, name="x", version="1", draft=True, read=read)
    assert [(found.code, asked) for found in done.diagnostics] == [("E0805", [])]
