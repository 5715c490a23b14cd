"""What the rules for `kubectl get pods` and `docker ps` say of recorded tables is what their columns hold.

The truth is read without the rules: cells lie between the places where the titles begin.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..curated import ROOT, Said, evaluate

RECORDED = ROOT / "tests" / "runtime" / "admission" / "tables"
EXAMPLES = ROOT / "rules" / "extra" / "examples"
PODS = {
    "kubectl get pods -A": RECORDED / "kubectl_get_pods.txt",
    "kubectl get pods -A -o wide": RECORDED / "kubectl_get_pods_wide.txt",
    "kubectl get pods -n shop": EXAMPLES / "kubectl_get_pods" / "states.txt",
    "kubectl get pods -n shop -o wide": EXAMPLES / "kubectl_get_pods" / "states-wide.txt",
}
CONTAINERS = {
    "docker ps": RECORDED / "docker_ps_short.txt",
    "docker ps --no-trunc": RECORDED / "docker_ps.txt",
    "docker ps -a": EXAMPLES / "docker_ps" / "all.txt",
}


def cells(text: str) -> list[dict[str, str]]:
    """Return the rows of a table, by title."""
    head, *rows = text.splitlines()
    titles = [(found.start(), found.group()) for found in re.finditer(r"\S+(?: \S+)*", head)]
    ends = [start for start, _ in titles[1:]] + [None]
    return [
        {title: row[start:end].strip() for (start, title), end in zip(titles, ends, strict=True)} | {"": row}
        for row in rows
    ]


def told(rule: str, command: str, text: str) -> Said:
    """Return what a rule says, which has to be something."""
    said = evaluate(rule, command, text, "", 0)
    assert isinstance(said, Said), said
    return said


def counted(said: Said, label: str) -> Counter[str]:
    """Return what `- key xN` lines say right below a line that begins with a label."""
    lines = iter(said.text.split("\n"))
    next(line for line in lines if line.startswith(label))
    found = Counter()
    for line in lines:
        if (read := re.fullmatch(r"- (\S+) x(\d+)", line)) is None:
            break
        found[read[1]] = int(read[2])
    return found


@pytest.mark.parametrize("command", PODS)
def test_pods_are_those_of_the_table(command):
    """Every pod is counted once, by status and namespace; each that is not well is there as kubectl printed it."""
    text = PODS[command].read_text("utf-8")
    rows = cells(text)
    said = told("bash.kubectl_get_pods", command, text)
    assert said.number("pods") == len(rows)
    assert said.number("restarted") == sum(row["RESTARTS"] != "0" for row in rows)
    assert counted(said, "restarted:") == Counter(row["STATUS"] for row in rows)
    if "-A" in command:
        assert counted(said, "by namespace:") == Counter(row["NAMESPACE"] for row in rows)
    unwell = [row[""] for row in rows if row["STATUS"] != "Running" or len(set(row["READY"].split("/"))) > 1]
    assert 0 < len(unwell) <= 20
    assert sorted(line for line in said.text.split("\n") if line in text.split("\n")) == sorted(unwell)


@pytest.mark.parametrize("command", CONTAINERS)
def test_containers_are_those_of_the_table(command):
    """Every container is counted once, by state; each that is not up and well is there as docker printed it."""
    text = CONTAINERS[command].read_text("utf-8")
    rows = cells(text)
    said = told("bash.docker_ps", command, text)
    assert said.number("containers") == len(rows)
    assert counted(said, "containers:") == Counter(row["STATUS"].split()[0] for row in rows)
    well = re.compile(r"Up [^()]+(?: \(healthy\))?")
    unwell = [row[""] for row in rows if not well.fullmatch(row["STATUS"])]
    assert [line for line in said.text.split("\n") if line in text.split("\n")] == unwell
    for row in [row for row in rows if well.fullmatch(row["STATUS"])][:20]:
        since = row["STATUS"].removeprefix("Up ").removesuffix(" (healthy)")
        assert f"- {row['NAMES']} {row['IMAGE']} {since} {row['PORTS']}".rstrip() in said.text.split("\n")


@given(st.lists(st.sampled_from(("Completed", "Error", "Running")), min_size=1, max_size=70))
def test_what_is_done_never_hides_what_failed(states):
    """However many pods have completed, the first 20 that failed are shown, and what is left out is counted."""
    rows = [f"p{at}   {int(state == 'Running')}/1   {state}   0   3h" for at, state in enumerate(states)]
    said = told(
        "bash.kubectl_get_pods", "kubectl get pods", "\n".join(["NAME   READY   STATUS   RESTARTS   AGE", *rows])
    )
    failed = [row for row in rows if "Error" in row]
    lines = said.text.split("\n")
    assert [line for line in lines if line in failed] == failed[:20]
    shown = sum(line in rows or line.endswith(" 0 3h") for line in lines)
    assert shown + sum(map(int, re.findall(r"- \(\+(\d+) more\)", said.text))) == len(rows)
