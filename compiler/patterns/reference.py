"""The meaning of a program, character by character: slow, direct, and the judge of everything else.

Used to verify witness lines, and by tests as the oracle for the runtime's lowering. Counts the characters it reads, so
that growth can be tested without a clock. It is the definition in `docs/pack-format.md`, sentence by sentence.
"""

from __future__ import annotations

from .program import (
    OPEN,
    RAW,
    TEXT,
    CString,
    Enum,
    Fit,
    Group,
    Lit,
    Op,
    Opt,
    Program,
    Quoted,
    Ranges,
    Raw,
    Rest,
    Run,
    caps,
    walk,
)


def match_line(program: Program, line: str) -> dict[str, str | int] | None:
    """Return the captures of a line, or None when the pattern does not claim it. Absent captures are left out."""
    return Matcher(program, line).run()


def count_steps(program: Program, line: str) -> int:
    """Return how many characters are read to decide a line, each reading counted."""
    matcher = Matcher(program, line)
    matcher.run()
    return matcher.steps


def admits(ranges: Ranges, char: str) -> bool:
    """Say whether a character lies in the ranges."""
    code = ord(char)
    return any(low <= code <= high for low, high in ranges)


class Matcher:
    """One attempt of one program at one line."""

    def __init__(self, program: Program, line: str) -> None:
        self.program = program
        self.line = line
        self.steps = 0
        self.found: dict[str, str] = {}

    def run(self) -> dict[str, str | int] | None:
        """Match the whole line."""
        if self.sequence(self.program, (), 0) != len(self.line):
            return None
        result: dict[str, str | int] = {}
        for cap, _ in caps(self.program):
            if cap.name in self.found:
                text = self.found[cap.name]
                result[cap.name] = int(text) if cap.type == "int" else text
            elif cap.default is not None:
                result[cap.name] = cap.default
        return result

    def sequence(self, ops: Program, follow: Program, pos: int) -> int | None:
        """Match operations in a row, each choice final; `follow` stands behind them. Return where they end."""
        for index, op in enumerate(ops):
            end = self.single(op, ops[index + 1 :] + follow, pos)
            if end is None:
                return None
            if not isinstance(op, Lit | Opt) and op.cap is not None:
                self.found[op.cap.name] = self.line[pos:end]
            pos = end
        return pos

    def single(self, op: Op, follow: Program, pos: int) -> int | None:
        """Match one operation; return where it ends."""
        match op:
            case Lit(text):
                return pos + len(text) if self.stands(text, pos) else None
            case Run(ranges, low, high):
                end = self.take(ranges, pos, high)
                return end if end - pos >= low else None
            case Group(runs):
                return self.sequence(runs, (), pos)
            case Enum(choices):
                return next((pos + len(choice) for choice in choices if self.stands(choice, pos)), None)
            case Opt(ops):
                before = dict(self.found)
                end = self.sequence(ops, follow, pos)
                if end is None:
                    self.found = before
                    return pos
                return end
            case Fit():
                end = pos
                while self.is_in(op.ranges, end):
                    end += 1
                    if self.look(follow, end):
                        return end
                return None
            case Rest() | Raw():
                end = self.take(TEXT if isinstance(op, Rest) else RAW, pos, None)
                return end if end == len(self.line) else None
            case CString():
                return self.inside(pos)
            case Quoted():
                if not self.stands('"', pos):
                    return None
                end = self.inside(pos + 1)
                return end + 1 if self.stands('"', end) else None

    def look(self, ops: Program, pos: int) -> bool:
        """Say whether the operations fit here, up to the next open hole or the end of the line."""
        if not ops:
            return pos == len(self.line)
        first, rest = ops[0], ops[1:]
        if isinstance(first, OPEN):
            return True
        if isinstance(first, Opt) and any(isinstance(op, OPEN) for op, _ in walk(first.ops)):
            return self.look(first.ops + rest, pos) or self.look(rest, pos)
        before = dict(self.found)
        end = self.single(first, (), pos)
        self.found = before
        return end is not None and self.look(rest, end)

    def inside(self, pos: int) -> int:
        """Return where the inside of a C string ends."""
        while pos < len(self.line):
            if self.stands("\\", pos) and self.is_in(TEXT, pos + 1):
                pos += 2
            elif self.is_in(TEXT, pos) and self.line[pos] not in '"\\':
                pos += 1
            else:
                break
        return pos

    def take(self, ranges: Ranges, pos: int, high: int | None) -> int:
        """Return the end of as many characters of the ranges as stand here, `high` at most."""
        start = pos
        while (high is None or pos - start < high) and self.is_in(ranges, pos):
            pos += 1
        return pos

    def stands(self, text: str, pos: int) -> bool:
        """Say whether a text stands here."""
        self.steps += len(text)
        return self.line.startswith(text, pos)

    def is_in(self, ranges: Ranges, pos: int) -> bool:
        """Say whether the character here lies in the ranges; the end of the line does not."""
        self.steps += 1
        return pos < len(self.line) and admits(ranges, self.line[pos])
