"""The checks of a rule: its commands, names, facts, claims and summary.

INVARIANT: what passes here, the engine evaluates without looking at a shape again. Whether facts go in a circle, and
whether values have the type that their use asks for, the evaluation itself bounds: a step on something of another type
gives missing, and a circle runs out of depth.
"""

from __future__ import annotations

from typing import Any, Final

from .streams import MOST_REPEATS, check_stream
from .strict_json import (
    fail,
    take_bool,
    take_int,
    take_list,
    take_name,
    take_object,
    take_ranges,
    take_row,
    take_text,
    take_texts,
    take_word,
)

_RULE_KEYS: Final = frozenset(
    {"id", "title", "tools", "commands", "exit", "streams", "kinds", "facts", "fields", "ensure", "summary"}
)
_COMMAND_KEYS: Final = frozenset({"head", "globals", "needs", "options", "refuse", "operand", "after"})
_STREAM_NAMES: Final = frozenset({"stdout", "stderr", "merged"})
_RECORD_KEYS: Final = ("open", "inside", "own")
_STEPS: Final = {"kind": 2, "all": 2, "field": 2, "line": 1, "key": 1, "count": 1, "first": 1, "rows": 1}
_VALUES: Final = {
    "count": 3,
    "sum": 3,
    "distinct": 2,
    "each": 3,
    "group": 4,
    "cap": 5,
    "pick": 4,
    "sorted": 3,
    "trimmed": 2,
    "alt": 2,
}
_NODES: Final = {"text": 2, "out": 4, "for": 5, "if": 3}
_FILTERS: Final = {"clip": 1, "join": 2, "length": 1, "more": 1, "earlier": 1}
_CONDITIONS: Final = {"exit": 3, "some": 2, "no": 2}
_ENDS: Final = frozenset({"first", "last"})
_COMPARISONS: Final = frozenset({"=", "!=", "<", ">"})
_RELATIONS: Final = frozenset({"=", "<=", ">="})
_NOTHING: Final[frozenset[str]] = frozenset()


def check_rule(value: Any, where: str) -> dict[str, Any]:
    """Check a rule. Raises PackOutOfBounds."""
    rule = take_object(value, _RULE_KEYS, where)
    take_text(rule["id"], where, empty=False)
    where = rule["id"]
    take_text(rule["title"], where)
    take_texts(rule["tools"], where, least=1)
    for command in take_list(rule["commands"], where, least=1):
        _check_command(command, f"{where} command")
    if rule["exit"] is not None:
        _check_codes(rule["exit"], f"{where} exit")
    streams = rule["streams"]
    if not isinstance(streams, dict) or not streams.keys() <= _STREAM_NAMES:
        raise fail(where, "streams of another name")
    for name, stream in streams.items():
        if stream != "empty":
            check_stream(stream, f"{where} {name}")
    _check_kinds(rule, where)
    _Checker(rule, where).check()
    return rule


def _check_codes(value: Any, where: str) -> None:
    for code in take_list(value, where):
        if code is not None:
            take_int(code, where)


# --- commands -------------------------------------------------------------------------------------------------------


def _check_command(value: Any, where: str) -> None:
    command = take_object(value, _COMMAND_KEYS, where)
    take_texts(command["head"], where, least=1)
    take_bool(command["operand"], where)
    take_bool(command["after"], where)
    for need in take_list(command["needs"], where, most=64):
        _check_options(need, where)
    for key in ("globals", "options", "refuse"):
        _check_options(command[key], where)


def _check_options(value: Any, where: str) -> None:
    for option in take_list(value, where, most=10_000):
        for alternative in take_list(option, where, most=64):
            for word in take_list(alternative, where, least=1, most=2):
                _check_word(word, where)


def _check_word(value: Any, where: str) -> None:
    prefix, runs = take_row(value, 2, where)
    take_text(prefix, where)
    for run in take_list(runs, where, most=1_000):
        ranges, low, high = take_row(run, 3, where)
        take_ranges(ranges, where)
        take_int(low, where, 0, MOST_REPEATS)
        if high is not None:
            take_int(high, where, low, MOST_REPEATS)


# --- kinds ----------------------------------------------------------------------------------------------------------


def _check_kinds(rule: dict[str, Any], where: str) -> None:
    kinds = rule["kinds"]
    if not isinstance(kinds, dict):
        raise fail(where, "kinds are no object")
    for name, kind in kinds.items():
        place = f"{where} kind `{name}`"
        if isinstance(kind, dict) and kind.keys() == {"lines"}:
            parts = [kind["lines"]]
        else:
            parts = [take_object(kind, frozenset(_RECORD_KEYS), place)[key] for key in _RECORD_KEYS]
        for part in parts:
            if not isinstance(part, dict):
                raise fail(place, "not labels by stream")
            for stream, labels in part.items():
                program = rule["streams"].get(stream)
                if not isinstance(program, dict):
                    raise fail(place, "labels of a stream that has none")
                for label in take_list(labels, place):
                    take_int(label, place, 0, len(program["labels"]) - 1)


# --- facts, claims, summary -----------------------------------------------------------------------------------------


class _Checker:
    """One walk over what a rule computes; it knows the names that may be used."""

    def __init__(self, rule: dict[str, Any], where: str) -> None:
        self.rule = rule
        self.kinds: dict[str, Any] = rule["kinds"]
        self.where = where
        self.facts: frozenset[str] = _NOTHING

    def check(self) -> None:
        rule = self.rule
        self.facts = frozenset(self._named(rule["facts"], "facts"))
        for _, value in rule["facts"]:
            self._value(value)
        fields = rule["fields"]
        if not isinstance(fields, dict):
            raise fail(self.where, "fields are no object")
        for kind, named in fields.items():
            take_name(kind, self.kinds, f"{self.where} fields")
            self._named(named, f"fields of `{kind}`")
            for _, value in named:
                self._value(value)
        for claim in take_list(rule["ensure"], self.where):
            self._claim(claim)
        self._nodes(rule["summary"], _NOTHING)

    def _named(self, value: Any, what: str) -> list[str]:
        where = f"{self.where} {what}"
        names = [take_text(take_row(pair, 2, where)[0], where, empty=False) for pair in take_list(value, where)]
        if len(set(names)) != len(names):
            raise fail(where, "a name is defined twice")
        return names

    def _tagged(self, value: Any, sizes: dict[str, int], what: str) -> str:
        """Take a list whose first element names what it is and how long."""
        if not isinstance(value, list) or not value:
            raise fail(self.where, f"not {what}")
        name = take_word(value[0], sizes, f"{self.where} {what}")
        take_row(value, sizes[name], f"{self.where} {what} `{name}`")
        return name

    def _kinds(self, value: Any) -> None:
        for kind in take_list(value, self.where, least=1, most=1_000):
            take_name(kind, self.kinds, f"{self.where} kinds")

    def _path(self, value: Any, variables: frozenset[str]) -> None:
        root, *steps = take_list(value, f"{self.where} path", least=1, most=64)
        name = self._tagged(root, {"scope": 1, "exit": 1, "fact": 2, "var": 2}, "a root")
        if name in ("fact", "var"):
            take_name(root[1], self.facts if name == "fact" else variables, f"{self.where} path")
        for step in steps:
            name = self._tagged(step, _STEPS, "a step")
            if name == "kind":
                take_name(step[1], self.kinds, f"{self.where} path")
            elif name == "all":
                self._kinds(step[1])
            elif name == "field":
                take_text(step[1], f"{self.where} path", empty=False)

    def _constant(self, value: Any) -> None:
        if type(value) is not int:
            take_text(value, f"{self.where} constant")

    def _alternative(self, value: Any, variables: frozenset[str] = _NOTHING) -> None:
        if self._tagged(value, {"path": 2, "const": 2}, "a path or constant") == "path":
            self._path(value[1], variables)
        else:
            self._constant(value[1])

    def _where(self, value: Any) -> None:
        if value is None:
            return
        field, operator, right = take_row(value, 3, f"{self.where} where")
        take_text(field, f"{self.where} where", empty=False)
        take_word(operator, _COMPARISONS, f"{self.where} where")
        if self._tagged(right, {"const": 2, "field": 2}, "a field or constant") == "field":
            take_text(right[1], f"{self.where} where", empty=False)
        else:
            self._constant(right[1])

    def _field_paths(self, value: Any) -> None:
        for pair in take_list(value, self.where, least=1, most=1_000):
            kinds, field = take_row(pair, 2, self.where)
            self._kinds(kinds)
            if field is not None:
                take_text(field, self.where, empty=False)

    def _value(self, value: Any) -> None:
        name = self._tagged(value, _VALUES, "a value")
        if name in ("count", "each", "group"):
            self._kinds(value[1])
            self._where(value[2])
            if name == "group":
                take_text(value[3], self.where, empty=False)
        elif name == "sum":
            self._kinds(value[1])
            take_text(value[2], self.where, empty=False)
        elif name == "distinct":
            self._field_paths(value[1])
        elif name == "cap":
            take_word(value[1], _ENDS, self.where)
            take_int(value[2], self.where, 0, 1_000_000)
            self._value(value[3])
            take_bool(value[4], self.where)
        elif name == "pick":
            take_word(value[1], _ENDS, self.where)
            self._field_paths(value[2])
            for alternative in take_list(value[3], self.where):
                self._alternative(alternative)
        elif name == "alt":
            for alternative in take_list(value[1], self.where, least=1):
                self._alternative(alternative)
        else:
            self._value(value[1])
            if name == "sorted":
                take_text(value[2], self.where, empty=False)

    def _claim(self, value: Any) -> None:
        where = f"{self.where} ensure"
        when, each, body = take_row(value, 3, where)
        if when is not None:
            if self._tagged(when, _CONDITIONS, "a condition") == "exit":
                take_bool(when[1], where)
                _check_codes(when[2], where)
            else:
                self._kinds(when[1])
        if each is not None:
            take_name(each, self.kinds, where)
        name = self._tagged(body, {"rel": 4, "within": 3, "some": 3, "no": 3}, "a claim")
        if name == "rel":
            take_word(body[1], _RELATIONS, where)
            for side in body[2:]:
                for term in take_list(side, where, least=1):
                    self._term(term)
        elif name == "within":
            self._value(body[1])
            self._value(body[2])
        else:
            self._kinds(body[1])
            self._where(body[2])

    def _term(self, value: Any) -> None:
        if isinstance(value, list) and value and value[0] in ("const", "path"):
            self._alternative(value)
        else:
            self._value(value)

    def _nodes(self, value: Any, variables: frozenset[str]) -> None:
        for node in take_list(value, f"{self.where} summary"):
            name = self._tagged(node, _NODES, "a node")
            if name == "text":
                take_text(node[1], f"{self.where} summary")
            elif name == "out":
                for expression in take_list(node[1], self.where, least=1):
                    self._alternative(expression, variables)
                for each in take_list(node[2], self.where):
                    if self._tagged(each, _FILTERS, "a filter") == "join":
                        take_text(each[1], self.where)
                if node[3] is not None:
                    take_text(node[3], self.where)
            elif name == "for":
                variable = take_text(node[1], self.where, empty=False)
                self._alternative(node[2], variables)
                self._nodes(node[3], variables | {variable})
                self._nodes(node[4], variables)
            else:
                for branch in take_list(node[1], self.where, least=1):
                    test, body = take_row(branch, 2, self.where)
                    self._test(test, variables)
                    self._nodes(body, variables)
                self._nodes(node[2], variables)

    def _test(self, value: Any, variables: frozenset[str]) -> None:
        name = self._tagged(value, {"path": 2, "const": 2, "not": 2, "and": 2, "or": 2}, "a test")
        if name in ("path", "const"):
            self._alternative(value, variables)
        elif name == "not":
            self._test(value[1], variables)
        else:
            for test in take_list(value[1], self.where, least=1):
                self._test(test, variables)
