"""Lowers the values of facts and claims: counts, sums, lists, picks.

Input: a value of the syntax tree and its scope (a record, or None for the whole output). Output: a `Typed` VALUE of
`docs/pack-format.md`, or None after a diagnostic. Reports unknown names (E0501), wrong types (E0503) and kinds that
never occur where they are read (E0507).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..dsl import ast
from ..dsl.diagnostics import Report
from ..dsl.source import Span
from .diagnose import error, unknown
from .grammar import Target
from .kinds import INT, TEXT, Grouped, Listed, Node, Plain, Type
from .paths import Names, Typed


@dataclass(frozen=True, slots=True)
class KindPath:
    """`K.L.f`: occurrences of `kinds`, each within the one before, and the field of the last (None: its line)."""

    kinds: tuple[str, ...]
    field: str | None
    type: Type
    target: Target

    @property
    def json(self) -> list[Any]:
        """The pair of KINDPATH and field that the pack holds."""
        return [list(self.kinds), self.field]


@dataclass(slots=True)
class Values:
    """Lowers values for one rule."""

    names: Names
    report: Report

    def lower(self, value: ast.Value, scope: str | None) -> Typed | None:
        """Lower any value."""
        match value:
            case ast.Count(kinds=kinds, where=where):
                return self._over(kinds, where, scope, "count", INT)
            case ast.Each(kinds=kinds, where=where):
                return self._over(kinds, where, scope, "each", None)
            case ast.Group():
                return self._group(value, scope)
            case ast.Sum(path=path):
                return self._sum(path, scope)
            case ast.Distinct(paths=paths):
                return self._distinct(paths, scope)
            case ast.Cap():
                return self._cap(value, scope)
            case ast.Pick():
                return self._pick(value, scope)
            case ast.Sorted(value=inner, by=by):
                return self._sorted(inner, by, scope)
            case ast.Trimmed(value=inner):
                typed = self._records(inner, scope, "trimmed")
                return typed and Typed(["trimmed", typed.json], typed.type)
            case ast.Alternatives(items=items):
                return self._alternatives(items, scope)

    # --- kinds --------------------------------------------------------------------------------------------------

    def kinds(self, names: Iterable[ast.Name], scope: str | None) -> tuple[str, ...] | None:
        """Return the kinds that names stand for, each of which can occur in the scope."""
        grammar = self.names.grammar
        below = grammar.below(scope)
        found: dict[str, None] = {}
        for name in names:
            if name.text not in below:
                if name.text in grammar.below(None):
                    self._say(
                        "E0507", f"`{name.text}` never occurs within `{scope}`", name.span, f"not part of `{scope}`"
                    )
                else:
                    unknown(self.report, "E0501", "kind", name, below, self.names.source)
                return None
            members = grammar.members(name.text)
            if members is None:
                self._say(
                    "E0503",
                    f"`{name.text}` is a part of the grammar, no kind",
                    name.span,
                    "cannot be counted",
                    help_="name the kinds in it, or make it a record by writing it as a sequence",
                )
                return None
            doubled = next((member for member in members if member in found), None)
            if doubled is not None:
                self._say("E0503", f"`{doubled}` is named twice", name.span, "would be taken once")
                return None
            found.update(dict.fromkeys(members))
        self.names.demand.kinds.update(found)
        return tuple(found)

    def where(self, where: ast.Where | None, kinds: tuple[str, ...]) -> tuple[bool, list[Any] | None]:
        """Lower a condition on the fields of kinds; the first result is False after a diagnostic."""
        if where is None:
            return True, None
        left = self._field(where.field, kinds)
        if left is None:
            return False, None
        match where.value:
            case ast.Text(value=text):
                right, operand = TEXT, ["const", text]
            case ast.Number(value=number):
                right, operand = INT, ["const", number]
            case ast.Name() as name:
                other = self._field(name, kinds, compared=True)
                if other is None:
                    return False, None
                right, operand = other, ["field", name.text]
        if left != right:
            self._say(
                "E0503",
                f"`{where.field.text}` is {left}, compared with {right}",
                where.span,
                "these are never equal",
                help_=f"capture it as an int: `{{{where.field.text}:int}}`" if right == INT else None,
            )
            return False, None
        if where.operator in "<>" and left != INT:
            self._say("E0503", f"`{where.operator}` compares numbers", where.span, f"`{where.field.text}` is {left}")
            return False, None
        return True, [where.field.text, where.operator, operand]

    def _field(
        self, name: ast.Name, kinds: tuple[str, ...], *, certain: bool = False, compared: bool = False
    ) -> Plain | None:
        """Return the type of a field that each of the kinds has. `compared`: it stands where a text may be meant."""
        types: set[Type] = set()
        for kind in kinds:
            found = self.names.field_of(kind, name.text)
            if found is None:
                known = [*self.names.field_names(kind), *self.names.grammar.field_names(kind), "line"]
                hint = f'if a text is meant, quote it: `"{name.text}"`' if compared else None
                unknown(self.report, "E0501", f"field of `{kind}`:", name, known, self.names.source, hint=hint)
                return None
            if found[1].high > 1:
                self._say(
                    "E0503",
                    f"`{name.text}` is captured by several lines of `{kind}`",
                    name.span,
                    "which of them?",
                    help_="give the captures different names",
                )
                return None
            if certain and found[1].low == 0:
                self._say(
                    "E0502",
                    f"`{kind}.{name.text}` may be missing",
                    name.span,
                    "every one of them needs it",
                    help_="give the kind a line shape of its own that always has it",
                )
                return None
            types.add(found[0])
        if len(types) != 1 or not isinstance(only := types.pop(), Plain):
            self._say("E0503", f"`{name.text}` is not the same type in all of these", name.span, "differs")
            return None
        return only

    def _over(
        self, names: tuple[ast.Name, ...], where: ast.Where | None, scope: str | None, operation: str, kind: Type | None
    ) -> Typed | None:
        kinds = self.kinds(names, scope)
        if kinds is None:
            return None
        good, condition = self.where(where, kinds)
        return Typed([operation, list(kinds), condition], kind or Listed(Node(kinds))) if good else None

    def _group(self, value: ast.Group, scope: str | None) -> Typed | None:
        kinds = self.kinds(value.kinds, scope)
        if kinds is None:
            return None
        good, condition = self.where(value.where, kinds)
        key = self._field(value.by, kinds, certain=True)
        if not good or key is None:
            return None
        return Typed(["group", list(kinds), condition, value.by.text], Listed(Grouped(kinds, key)))

    # --- paths over occurrences -----------------------------------------------------------------------------------

    def kind_paths(self, path: ast.Path, scope: str | None) -> list[KindPath] | None:
        """Resolve `K.L.f` in a scope; a group as first name gives one path for each of its kinds."""
        first = self.kinds(path.names[:1], scope)
        if first is None:
            return None
        found = [self._kind_path(path, (kind,), 1) for kind in first]
        return None if None in found else [each for each in found if each is not None]

    def _kind_path(self, path: ast.Path, kinds: tuple[str, ...], index: int) -> KindPath | None:
        if index == len(path.names):
            return KindPath(kinds, None, TEXT, Target(kinds))
        name = path.names[index]
        last = kinds[-1]
        below = self.names.grammar.below(last)
        found = self.names.field_of(last, name.text)
        if found is not None and index == len(path.names) - 1:
            field = None if name.text == "line" else name.text
            return KindPath(kinds, field, found[0], Target(kinds, field, found[1] if field else None))
        if name.text in below:
            inner = self.kinds((name,), last)
            if inner is None:
                return None
            if len(inner) != 1:
                self._say("E0503", f"`{name.text}` stands for several kinds", name.span, "name one of them")
                return None
            return self._kind_path(path, (*kinds, inner[0]), index + 1)
        if found is not None:
            self._say(
                "E0503", f"`{last}.{name.text}` has no parts", path.names[index + 1].span, "a part of it is asked for"
            )
            return None
        known = [*self.names.field_names(last), *self.names.grammar.field_names(last), *below, "line"]
        unknown(self.report, "E0501", f"part of `{last}`:", name, known, self.names.source)
        return None

    def _sum(self, path: ast.Path, scope: str | None) -> Typed | None:
        paths = self.kind_paths(path, scope)
        if paths is None:
            return None
        for each in paths:
            if each.field is None or each.type != INT:
                self._say(
                    "E0503",
                    f"`{path}` is {each.type}, not a number" if each.field else f"`{path}` is a line, not a number",
                    path.span,
                    "only numbers add up",
                    help_=f"capture it as an int: `{{{path.names[-1].text}:int}}`"
                    if each.field
                    else "to count lines say `count`",
                )
                return None
        if len(paths) > 1:
            self._say("E0503", f"`{path.names[0].text}` stands for several kinds", path.span, "name one of them")
            return None
        return Typed(["sum", *paths[0].json], INT)

    def _distinct(self, paths: tuple[ast.Path, ...], scope: str | None) -> Typed | None:
        found: list[KindPath] = []
        for path in paths:
            resolved = self.kind_paths(path, scope)
            if resolved is None:
                return None
            found += resolved
        if any(not isinstance(each.type, Plain) for each in found):
            self._say("E0503", "a list is no text", paths[0].span, "only texts and numbers can be distinct")
            return None
        return Typed(["distinct", [each.json for each in found]], Listed(TEXT))

    def _pick(self, value: ast.Pick, scope: str | None) -> Typed | None:
        found: list[KindPath] = []
        for path in value.paths:
            resolved = self.kind_paths(path, scope)
            if resolved is None:
                return None
            found += resolved
        if any(not isinstance(each.type, Plain) for each in found):
            self._say("E0503", "a list is no text", value.span, "only texts and numbers can be picked")
            return None
        alternatives = self._items(value.alternatives, scope)
        if alternatives is None:
            return None
        types = {each.type for each in found} | {each.type for each in alternatives}
        often = self.names.grammar.occurs(scope, frozenset(each.target for each in found))
        present = often.low > 0 or any(each.present for each in alternatives)
        json = ["pick", value.end, [each.json for each in found], [each.json for each in alternatives]]
        return Typed(json, types.pop() if len(types) == 1 else TEXT, present)

    # --- lists ----------------------------------------------------------------------------------------------------

    def _list(self, value: ast.Value, scope: str | None, what: str) -> Typed | None:
        typed = self.lower(value, scope)
        if typed is None:
            return None
        if not isinstance(typed.type, Listed):
            self._say(
                "E0503", f"`{what}` needs a list", value.span, f"this is {typed.type}", help_="for records say `each K`"
            )
            return None
        if typed.type.capped:
            self._say(
                "E0503",
                "a capped list can only be shown",
                value.span,
                "already capped",
                notes=("what a cap left out would be lost to what comes after it",),
                help_="put `first N of` outermost",
            )
            return None
        return typed

    def _records(self, value: ast.Value, scope: str | None, what: str) -> Typed | None:
        typed = self._list(value, scope, what)
        if typed is None:
            return None
        assert isinstance(typed.type, Listed)
        if not isinstance(typed.type.element, Node):
            self._say("E0503", f"`{what}` needs records", value.span, f"a list of {typed.type.element}")
            return None
        return typed

    def _cap(self, value: ast.Cap, scope: str | None) -> Typed | None:
        if value.limit.value < 1:
            self._say("E0503", "a cap shows at least one element", value.limit.span, "shows nothing")
            return None
        what = f"{value.end} {value.limit.value} of"
        inner = self._records(value.value, scope, what) if value.in_order else self._list(value.value, scope, what)
        if inner is None:
            return None
        assert isinstance(inner.type, Listed)
        json = ["cap", value.end, value.limit.value, inner.json, value.in_order]
        return Typed(json, Listed(inner.type.element, capped=True))

    def _sorted(self, value: ast.Value, by: ast.Name, scope: str | None) -> Typed | None:
        typed = self._records(value, scope, "sorted")
        if typed is None:
            return None
        assert isinstance(typed.type, Listed)
        assert isinstance(typed.type.element, Node)
        key = self._field(by, typed.type.element.kinds, certain=True)
        if key is None:
            return None
        if key != TEXT:
            self._say("E0503", "lists are sorted by text", by.span, f"`{by.text}` is {key}")
            return None
        return Typed(["sorted", typed.json, by.text], typed.type)

    # --- alternatives -----------------------------------------------------------------------------------------------

    def _alternatives(self, items: tuple[ast.Path | ast.Text | ast.Number, ...], scope: str | None) -> Typed | None:
        if len(items) == 1 and isinstance(items[0], ast.Path):
            typed = self.names.resolve(items[0].names, scope, self.report)
            return typed and Typed(["alt", [["path", typed.json]]], typed.type, typed.present)
        found = self._items(items, scope)
        if found is None:
            return None
        types = {each.type for each in found}
        json = ["alt", [each.json for each in found]]
        return Typed(json, types.pop() if len(types) == 1 else TEXT, any(each.present for each in found))

    def _items(self, items: tuple[ast.Path | ast.Text | ast.Number, ...], scope: str | None) -> list[Typed] | None:
        found = []
        for item in items:
            match item:
                case ast.Text(value=text):
                    found.append(Typed(["const", text], TEXT))
                case ast.Number(value=number):
                    found.append(Typed(["const", number], INT))
                case ast.Path():
                    typed = self.names.resolve(item.names, scope, self.report)
                    if typed is None:
                        return None
                    if not isinstance(typed.type, Plain):
                        list_help = f"say which: `last of {item}`"
                        self._say(
                            "E0503",
                            f"`{item}` is {typed.type}, not text",
                            item.span,
                            "cannot stand for a text",
                            help_=list_help if isinstance(typed.type, Listed) else f"its text is `{item}.line`",
                        )
                        return None
                    found.append(Typed(["path", typed.json], typed.type, typed.present))
        return found

    def _say(
        self,
        code: str,
        message: str,
        span: Span,
        label: str,
        *,
        notes: tuple[str, ...] = (),
        help_: str | None = None,
    ) -> None:
        error(self.report, code, message, self.names.source, span, label, notes=notes, help=help_)
