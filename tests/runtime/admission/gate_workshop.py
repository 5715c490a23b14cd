"""Makes the cases of the two-axis gate, `gate_cases.jsonl`: contents of every kind with a question each.

All of it is made up here, the same every time. Write the file anew with `CABLESE_UPDATE=1` and the test beside it.
"""

from __future__ import annotations

import json
from pathlib import Path

CASES = Path(__file__).with_name("gate_cases.jsonl")

NOUNS = (
    "ledger", "order", "store", "basket", "parcel", "route", "driver", "depot", "invoice", "refund", "ticket", "shelf",
    "scanner", "label",
)  # fmt: skip
VERBS = ("load", "check", "merge", "split", "close", "reopen", "count", "sort", "price", "ship", "track", "cancel")
CITIES = ("Aurich", "Bremen", "Celle", "Dessau", "Emden", "Fulda", "Gera", "Husum")
LEVELS = ("INFO", "INFO", "DEBUG", "INFO", "WARN", "INFO", "INFO", "ERROR")


def pick(words, number):
    """Choose a word, spread over the list."""
    return words[(number * 7 + number // 3) % len(words)]


def case(kind, number, content, question, expected, *, needs_detail=False):
    """Return a case."""
    return {
        "id": f"{kind}-{number:02}",
        "kind": kind,
        "content": content,
        "question": question,
        "expected": expected,
        "needs_detail": needs_detail,
    }


def rows(seed, count):
    """Return uniform records."""
    return [
        {
            "id": 1000 + seed * 100 + at,
            "city": pick(CITIES, seed + at),
            "item": f"{pick(NOUNS, seed * 3 + at)}-{at}",
            "active": True,
            "currency": "EUR",
            "total": round(12.5 * at + seed, 2),
        }
        for at in range(count)
    ]


def json_cases():
    """Give lists of records, alone and within an object, compact and indented."""
    for number in range(8):
        found = rows(number, 14 + number)
        asked = found[5 + number]
        value = found if number % 2 else {"count": len(found), "rows": found}
        text = json.dumps(value, indent=2 if number % 3 == 0 else None)
        question = f"which `total` has the row with `item` = `{asked['item']}`?"
        yield case("json", number, text, question, str(asked["total"]))


def jsonl_cases():
    """Give lines of records."""
    for number in range(6):
        found = rows(20 + number, 16)
        asked = found[9 - number]
        text = "".join(json.dumps(row) + "\n" for row in found)
        yield case("jsonl", number, text, f"which `city` has the row with `id` = `{asked['id']}`?", asked["city"])


def table(seed, count):
    """Return the cells of a table, head first."""
    cells = [["NAMESPACE", "NAME", "READY", "STATUS", "AGE", "NODE"]]
    for at in range(count):
        name = f"{pick(NOUNS, seed + at)}-{pick(VERBS, at)}-{seed}{at:02}"
        status = "Pending" if at % 9 == 4 else "Running"
        cells.append(["production-north", name, "1/1", status, f"{at + 3}d", f"worker-{at % 3}.internal.example"])
    return cells


def tabular_cases():
    """Give aligned columns, a table of psql, one of Markdown, and separated values."""
    for number in range(8):
        cells = table(number * 5, 22)
        widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
        padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in cells]
        if number % 4 == 0:
            lines = ["   ".join(row).rstrip() for row in padded]
        elif number % 4 == 1:
            rule = "-+-".join("-" * width for width in widths)
            lines = [" " + " | ".join(row).rstrip() for row in padded]
            lines.insert(1, f"-{rule}-")
            lines.append(f"({len(cells) - 1} rows)")
        elif number % 4 == 2:
            lines = [f"| {' | '.join(row)} |" for row in padded]
            lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
        else:
            lines = ["\t".join(row) for row in cells]
        asked = cells[11]
        question = f"which `NODE` has the row with `NAME` = `{asked[1]}`?"
        yield case("tabular", number, "\n".join(lines) + "\n", question, asked[5])


def search_cases():
    """Give results of a search, with line numbers, and with columns."""
    for number in range(8):
        lines, asked = [], None
        for file in range(5):
            path = f"services/{pick(NOUNS, number + file)}/src/{pick(VERBS, file)}_{pick(NOUNS, file + 1)}_{file}.py"
            for hit in range(5):
                text = f"    {pick(NOUNS, hit + file)} = {pick(VERBS, hit)}_all({number}, {file}, {hit})"
                place = f"{10 + hit * 13}:{5 if number % 2 else 0}" if number % 2 else f"{10 + hit * 13}"
                lines.append(f"{path}:{place}:{text}")
                if (file, hit) == (3, 2):
                    asked = path, text.strip()
        question = f"which file has the line with `{asked[1]}`?"
        yield case("search", number, "\n".join(lines) + "\n", question, asked[0])


def paths_cases():
    """Give lists of files, relative and absolute; half of the questions are for one that is not listed."""
    for number in range(8):
        start = "./" if number % 2 else "/srv/app/"
        folders = [f"{start}{pick(NOUNS, number + at)}/{pick(VERBS, at)}" for at in range(7)]
        paths = [f"{folders[at // 9]}/{pick(NOUNS, at)}_{at}.{'ts' if at % 4 else 'json'}" for at in range(60)]
        asked = paths[17 + number]
        known = number % 3 != 0
        question = f"is `{asked if known else asked.replace('_', '-')}` listed?"
        yield case("paths", number, "\n".join(paths) + "\n", question, "yes" if known else "no")


def source(seed, count):
    """Return a Python module with so many functions, each with a body and a condition under which it raises."""
    text = f'"""What is done with each {pick(NOUNS, seed)}."""\n\nfrom typing import Any\n\nLIMIT = {seed + 10}\n'
    for at in range(count):
        noun, verb, other = pick(NOUNS, seed + at), pick(VERBS, seed + at), pick(NOUNS, seed + at + 1)
        text += f'''

def {verb}_{noun}(self, {noun}: int, *, {other}: str = "none") -> int:
    """{verb.capitalize()} a {noun}, and return how many were {verb}ed."""
    total = {at}
    for step in range({noun}):
        weight = step * {at + 2} + len({other})
        if weight % 3 == {at % 3}:
            total += weight - {seed}
        else:
            total -= weight // {at + 2}
    if total > LIMIT * {at + 5}:
        raise OverflowError("too many of {noun} {at}")
    names = [part.strip() for part in {other}.split(",") if part]
    total += sum(len(name) for name in names) + {seed + at}
    return total
'''
    return text


def code_cases():
    """Ask for signatures, for conditions of errors, and for lines of bodies."""
    for number in range(10):
        text = source(number * 2, 5)
        noun, verb = pick(NOUNS, number * 2 + 2), pick(VERBS, number * 2 + 2)
        name = f"{verb}_{noun}"
        if number % 3 == 0:
            yield case("code", number, text, f"what is the signature of `{name}`?", f"{noun}: int, *, ")
        elif number % 3 == 1:
            yield case("code", number, text, f"when does `{name}` raise `OverflowError`?", "if total > LIMIT * 7:")
        else:
            lines = text.split("\n")
            at = next(at for at, line in enumerate(lines) if f"def {name}(" in line) + 4
            question = f"what is line {at + 1}?"
            yield case("code", number, text, question, lines[at].strip(), needs_detail=True)


def numbered_cases():
    """Give numbered reads."""
    for number in range(6):
        lines = source(number + 40, 4).split("\n")
        mark = "\t" if number % 2 else "→"
        text = "\n".join(f"{at:6}{mark}{line}" for at, line in enumerate(lines, 1))
        asked = 23 + number
        while not lines[asked - 1].strip():
            asked += 1
        yield case("numbered", number, text + "\n", f"what is line {asked}?", lines[asked - 1].strip())


def log_cases():
    """Give logs: a line that matters, and one that may be left out."""
    for number in range(8):
        lines = []
        for at in range(64):
            level = pick(LEVELS, at // 3 + number)
            moment = f"2026-03-{number + 1:02}T10:{at // 6:02}:{at % 6 * 9:02}.{number}{at:02}Z"
            words = f"{pick(NOUNS, at // 4)} {at % 4 + number} was handled by {pick(CITIES, at // 5).lower()}"
            if level in {"WARN", "ERROR"}:
                words = f"{pick(NOUNS, at)} {at} is late: {at * 3} ms over its budget"
            lines.append(f"{moment} {level} service.{pick(VERBS, at // 8)} {words}")
        matters = [line for line in lines if " ERROR " in line or " WARN " in line]
        quiet = [line for line in lines if " INFO " in line]
        asked, needs_detail = (matters[len(matters) // 2], False) if number % 4 else (quiet[len(quiet) // 2], True)
        moment, _, rest = asked.partition(" ")
        yield case(
            "log", number, "\n".join(lines) + "\n", f"which line has `{moment}`?", rest[-24:], needs_detail=needs_detail
        )


BOILERPLATE = (
    "Please keep this message for your records.",
    "Nothing in this message changes the terms that both sides have agreed to.",
    "If you have questions, write to the desk that sent it.",
)
IN_OTHER_WORDS = {
    3: ("这批货物由{0}号仓库发出。", "请保留此信息以备查阅。", "如有疑问请联系发件部门。"),
    4: ("Партия номер {0} отправлена со склада.", "Сохраните это сообщение.", "По вопросам пишите отправителю."),
    5: ("खेप संख्या {0} गोदाम से भेजी गई।", "कृपया यह संदेश संभाल कर रखें।", "प्रश्न हों तो भेजने वाले विभाग को लिखें।"),
}


def prose_cases():
    """Give notices, each with the same closing sentences, in four scripts."""
    for number in range(8):
        parts = []
        first, *closing = IN_OTHER_WORDS.get(number, ("", *BOILERPLATE))
        for at in range(12 if number in IN_OTHER_WORDS else 9):
            words = (
                f"The {pick(NOUNS, number + at)} of {pick(CITIES, at)} left with parcel {number}{at:02}, "
                f"and its {pick(NOUNS, at + 3)} follows on day {at + 2}."
            )
            said = first.format(f"{number}{at:02}") if first else words
            parts.append((" " if number != 3 else "").join([said, *closing]))
        asked = f"{number}07"
        expected = first.format(asked) if first else f"left with parcel {asked}"
        yield case("prose", number, "\n\n".join(parts) + "\n", f"which sentence has `{asked}`?", expected)


def diff_cases():
    """Give diffs, which pass."""
    for number in range(2):
        path = f"src/{pick(NOUNS, number)}.py"
        body = [f"{'+' if at % 5 == 2 else ' '}    step_{at} = {pick(VERBS, at)}({at})" for at in range(40)]
        old = sum(line[0] == " " for line in body)
        head = [f"diff --git a/{path} b/{path}", "index 1111111..2222222 100644", f"--- a/{path}", f"+++ b/{path}"]
        text = "\n".join([*head, f"@@ -1,{old} +1,{len(body)} @@", *body]) + "\n"
        yield case("diff", number, text, "how many lines have `step_12`?", "1")


def render_cases():
    """Return the text of the file."""
    makers = (
        json_cases, jsonl_cases, tabular_cases, search_cases, paths_cases, code_cases, numbered_cases, log_cases,
        prose_cases, diff_cases,
    )  # fmt: skip
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for maker in makers for each in maker())
