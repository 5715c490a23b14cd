"""Many files checked on all processors: the findings of one process."""

import pytest
from cablese.bench.corpus.rule_files import generate_rules
from cablese.compiler import check_sources, parallel
from cablese.compiler.parallel import check_many
from cablese.dsl import processes


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    """Return a few files for each share."""
    return generate_rules(6)


@pytest.fixture(autouse=True)
def two_processors(monkeypatch):
    """Share out on any machine, and few files too."""
    monkeypatch.setattr(parallel, "LEAST", 2)
    monkeypatch.setattr(processes.os, "sched_getaffinity", lambda _process: {0, 1})


def test_generated_rules_are_without_findings(generated, monkeypatch):
    """What is clean is seen by the shares alone."""
    monkeypatch.setattr(parallel, "check_sources", lambda *_, **__: pytest.fail("compiled once more"))
    assert check_many(generated) == ()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda text: text.replace("total  =", "total  :="), "E0101"),
        (lambda text: text.replace("tool0.", "tool1."), None),
        (lambda text: text.replace("good = total.n", "bad = total.n"), "E0802"),
    ],
)
def test_a_fault_in_one_share_is_found_as_alone(generated, change, code):
    """The findings are those of one process, in its order."""
    first = min(generated)
    sources = {**generated, first: change(generated[first])}
    found = check_many(sources)
    assert found == check_sources(sources)
    assert code is None or code in {diagnostic.code for diagnostic in found}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_what_files_of_different_shares_do_to_each_other_is_found(generated, number):
    """A rule for a command of another, in whichever share it stands; an id twice; an entry twice."""
    paths = sorted(generated)
    copied = generated[paths[0]].replace("tool0.", "copy.").replace("code0", "code999")
    for twin in (copied, generated[paths[0]], 'admit "x" with columnar { level none }\n'):
        twins = {paths[number]: twin, "generated/z.cable": 'admit "x" with columnar { level none }\n'}
        sources = {**generated, **twins}
        found = check_many(sources)
        assert found
        assert found == check_sources(sources)


def test_files_that_are_taken_in_stay_with_those_that_take_them_in(generated):
    """A shared file resolves in whichever share."""
    paths = sorted(generated)
    word = "word shared = [A-Z] [0-9]+\n"
    first = generated[paths[3]].replace("word code3 = [A-Z] [0-9]+\n", 'use "words.cable"\n').replace("code3", "shared")
    sources = {**generated, paths[3]: first, "generated/words.cable": word}
    assert check_many(sources) == check_sources(sources) == ()
