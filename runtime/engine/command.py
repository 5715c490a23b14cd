"""Which words a command admits: the first part of a rule, run before anything of its output is looked at.

Input: a COMMAND of `docs/pack-format.md`, checked, and the words of a command line. Output: whether the rule is for it.

Where several readings are possible, one that succeeds is enough. The search visits each state once, and gives up,
which refuses the command, when a hostile pack makes it visit too many.
"""

from __future__ import annotations

from typing import Any, Final

MOST_STATES: Final = 20_000

Option = list[list[Any]]


def accepts(command: dict[str, Any], words: tuple[str, ...] | list[str]) -> bool:
    """Say whether the command admits the words."""
    head: list[str] = command["head"]
    if not words or words[0] != head[0] or _refused(command["refuse"], words):
        return False
    return any(_body(command, words, start)[0] for start in _head_ends(head, command["globals"], words))


def find_obstacle(command: dict[str, Any], words: tuple[str, ...] | list[str]) -> str | None:
    """Say what keeps a command from being admitted, for `why`; None where it is another command altogether.

    The obstacle is the first word that no reading gets past, a refused one before all others.
    """
    return place_obstacle(command, words)[1]


def place_obstacle(command: dict[str, Any], words: tuple[str, ...] | list[str]) -> tuple[int | None, str | None]:
    """Return the number of the word that is the obstacle (None: something is missing), and what is said of it."""
    starts = _head_ends(command["head"], command["globals"], words) if words[0] == command["head"][0] else []
    if not starts:
        return None, None
    refused = next((at for at in range(1, len(words)) if _refused(command["refuse"], words, at)), None)
    if refused is not None:
        return refused, f"`{words[refused]}` is refused"
    furthest = max(_body(command, words, start)[1] for start in starts)
    if furthest < len(words):
        return furthest, f"`{words[furthest]}` is not among what the rule allows"
    lacking = [" | ".join(option[0][0][0] for option in need) for need in command["needs"]]
    return None, f"it needs {', and '.join(lacking)}"


def _refused(options: list[Option], words: tuple[str, ...] | list[str], at: int | None = None) -> bool:
    """Say whether a refused option stands at a word, or anywhere behind the first word, also behind `--`."""
    places = range(1, len(words)) if at is None else (at,)
    return any(_lengths(option, words, place) for option in options for place in places)


def _head_ends(head: list[str], options: list[Option], words: tuple[str, ...] | list[str]) -> list[int]:
    """Return where what follows the head can begin, the reading with the fewest globals first.

    A state is (next word, head words met, mask of the globals used).
    """
    ends: list[int] = []
    seen: set[tuple[int, int, int]] = set()
    waiting = [(1, 1, 0)]
    while waiting and len(seen) < MOST_STATES:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        at, met, used = state
        if met == len(head):
            ends.append(at)
            continue
        for number, option in enumerate(options):
            if not used >> number & 1:
                waiting.extend((at + length, met, used | 1 << number) for length in _lengths(option, words, at))
        if at < len(words) and words[at] == head[met]:
            waiting.append((at + 1, met + 1, used))
    return list(dict.fromkeys(ends))


def _body(command: dict[str, Any], words: tuple[str, ...] | list[str], start: int) -> tuple[bool, int]:
    """Say whether what follows the head is admitted, and the furthest word that a reading reached.

    A state is (next word, mask of the needs met).
    """
    end = next((at for at in range(start, len(words)) if words[at] == "--"), len(words))
    if end < len(words) and not command["after"]:
        return False, end
    needs: list[list[Option]] = command["needs"]
    all_met = (1 << len(needs)) - 1
    seen: set[tuple[int, int]] = set()
    waiting = [(start, 0)]
    while waiting and len(seen) < MOST_STATES:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        at, met = state
        if at == end:
            if met == all_met:
                return True, len(words)
            continue
        if command["operand"] and not words[at].startswith("-"):
            waiting.append((at + 1, met))
        for option in command["options"]:
            waiting.extend((at + length, met) for length in _lengths(option, words, at) if at + length <= end)
        for number, need in enumerate(needs):
            for option in need:
                lengths = _lengths(option, words, at)
                waiting.extend((at + length, met | 1 << number) for length in lengths if at + length <= end)
    furthest = max(at for at, _ in seen)
    return False, len(words) if furthest == end else furthest


def _lengths(option: Option, words: tuple[str, ...] | list[str], at: int) -> list[int]:
    """Return how many words from `at` on each fitting alternative of an option takes."""
    found: list[int] = []
    for alternative in option:
        length = len(alternative)
        if at + length > len(words) or not _fits(alternative[0], words[at]):
            continue
        if length == 2:
            word, value = alternative[1], words[at + 1]
            if (not word[0] and value.startswith("-")) or not _fits(word, value):
                continue
        found.append(length)
    return found


def _fits(word: list[Any], text: str) -> bool:
    """Say whether a WORD admits a text: its prefix, then run after run, each taking all it can."""
    prefix, runs = word
    if not runs:
        return text == prefix
    if not text.startswith(prefix):
        return False
    at = len(prefix)
    for ranges, low, high in runs:
        most = len(text) if high is None else min(len(text), at + high)
        end = at
        while end < most and _admits(ranges, ord(text[end])):
            end += 1
        if end - at < low:
            return False
        at = end
    return at == len(text)


def _admits(ranges: list[list[int]], point: int) -> bool:
    return any(low <= point <= high for low, high in ranges)
