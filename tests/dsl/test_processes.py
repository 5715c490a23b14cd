"""Work shared out to processes: the results, in the order of the items, whatever becomes of a process."""

import os

import pytest
from cablese.dsl import processes
from cablese.dsl.format import Formatted, format_source, many
from cablese.dsl.format.many import format_many
from cablese.dsl.processes import map_on_all_processors
from cablese.dsl.source import Source

HERE = os.getpid()


@pytest.fixture(autouse=True)
def two_processors(monkeypatch):
    """Share out on any machine."""
    monkeypatch.setattr(processes.os, "sched_getaffinity", lambda _process: {0, 1})


def process_of(_item: int) -> int:
    """Return the process that this ran in."""
    return os.getpid()


def square(item: int) -> int:
    """Return a square; in another process, end it at 30."""
    if item == 30 and os.getpid() != HERE:
        os._exit(1)
    return item * item


def refuse(item: int) -> int:
    """Raise for 3."""
    if item == 3:
        raise ValueError("3")
    return item


def test_items_are_done_in_other_processes():
    """None of them here, and by no more processes than processors."""
    assert HERE not in set(map_on_all_processors(process_of, range(20)))
    assert len(set(map_on_all_processors(process_of, range(20)))) <= 2


@pytest.mark.parametrize("count", [0, 1, 2, 7, 40])
def test_results_keep_the_order_of_the_items(count):
    """Also where a process dies: the rest is done here."""
    assert list(map_on_all_processors(square, range(count))) == [item * item for item in range(count)]


def test_what_the_function_raises_is_raised():
    """As if it had been called here."""
    with pytest.raises(ValueError, match="3"):
        list(map_on_all_processors(refuse, range(9)))


def test_many_files_are_laid_out_as_one_by_one(monkeypatch):
    """Layouts, findings and their order; a failed proof is that of its file."""
    monkeypatch.setattr(many, "LEAST", 0)
    sources = {f"{number}.cable": f'phrase p{number}  =   "x"\n' for number in range(9)} | {
        "broken.cable": "phrase =\n"
    }
    made = list(format_many(sources))
    assert made == [(name, format_source(Source(name, text))) for name, text in sources.items()]
    assert all(isinstance(formatted, Formatted) for _, formatted in made)
