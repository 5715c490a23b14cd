"""What the tests of the exact kinds share: recorded outputs, generated texts, and the property that all must have."""

from __future__ import annotations

from pathlib import Path

from cablese.runtime.admission.kinds import DecodeError, NotThisKindError
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[3]
RECORDED = ROOT / "bench" / "corpus" / "recorded"


def recorded(name: str) -> str:
    """Return a recorded output, its line endings as they are."""
    return (RECORDED / f"{name}.txt").read_bytes().decode()


def shown_of(module, text: str) -> str | None:
    """Return the form of a text, which has to be decoded to the same text; None where the module does not take it."""
    try:
        parsed = module.recognise(text)
    except NotThisKindError:
        return None
    shown = module.encode(parsed)
    assert module.decode(shown) == text
    assert shown == module.encode(module.recognise(text))
    return shown


def takes_only_its_own(module, shown: str) -> None:
    """Whatever a decoder takes is what the encoder writes of the text that comes out."""
    try:
        text = module.decode(shown)
    except DecodeError:
        return
    assert module.encode(module.recognise(text)) == shown


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["drop", "double", "swap", "cut", "insert", "blank", "crlf", "unclosed", "number"]),
        st.integers(0, 10_000),
    ),
    min_size=1,
    max_size=4,
)
"""Changes of lines, as `edit` makes them."""

STRANGERS = (
    "",
    "--",
    "src/a.py:3:x",
    "src/a.py-3-x",
    "12:x",
    "     7\tx",
    "total 8",
    "./src:",
    "x/y z",
    "\r",
    "a\\ b/c",
)


def edit(text: str, edits: list[tuple[str, int]]) -> str:
    """Return a text with some of its lines changed."""
    rows = text.split("\n")
    for what, place in edits:
        at = place % len(rows)
        if what == "drop" and len(rows) > 1:
            del rows[at]
        elif what == "double":
            rows.insert(at, rows[at])
        elif what == "swap":
            other = place * 7 % len(rows)
            rows[at], rows[other] = rows[other], rows[at]
        elif what == "cut":
            rows[at] = rows[at][: place % (len(rows[at]) + 1)]
        elif what == "insert":
            rows.insert(at, STRANGERS[place % len(STRANGERS)])
        elif what == "blank":
            rows[at] = ""
        elif what == "crlf":
            rows = [f"{row}\r" for row in rows[:-1]] + rows[-1:]
        elif what == "number":
            rows[at] = rows[at].replace("1", "2", 1)
        elif rows[-1] == "" and len(rows) > 1:
            rows.pop()
    return "\n".join(rows)


LINES = st.text(st.sampled_from("ab:-/.,1209 \t\r\"\\|→#'é"), max_size=14)
"""Lines of the characters that the forms are made of."""
TEXTS = st.lists(LINES, max_size=14).map("\n".join)

OTHERS = {
    "a compiler": "".join(f"src/main.c:{n}:{n % 9 + 1}: error: expected ';' before '}}' token\n" for n in range(3, 60)),
    "mypy": "".join(f'app/views.py:{n}: error: Incompatible types in "x"  [assignment]\n' for n in range(3, 60)),
    "ruff": "".join(f"cli/run.py:{n}:{n % 7 + 1}: F401 [*] `os` imported but unused\n" for n in range(3, 60)),
    "times": "".join(f"12:30:{n:02} the queue is empty\n" for n in range(10, 60)),
    "dates": "".join(f"2024-01-15 12:{n}:45,123 INFO app/main.py:{n} ready\n" for n in range(10, 60)),
    "stamps": "".join(f"2024-01-15T12:{n}:45Z started\n" for n in range(10, 60)),
    "an access log": "".join(
        f'10.0.0.{n} - - [02/Jan/2024:12:{n}:45 +0000] "GET /a/b.html HTTP/1.1" 200 {n}\n' for n in range(10, 60)
    ),
    "a log that names lines": "".join(f"app/db.py:{n * 37 % 90 + 1}:slow query\n" for n in range(60)),
    "URLs": "".join(f"https://example.org/docs/{n}/index.html\n" for n in range(60)),
    "URLs with ports": "".join(f"http://example.org:80{n}:/x\n" for n in range(10, 60)),
    "addresses": "".join(f"10.0.0.{n}:{8000 + n}: open\n" for n in range(60)),
    "YAML": "".join(f"key_{n}:\n  image: repo/name:{n}\n  port: {n}\n" for n in range(30)),
    "settings": "".join(f"PATH_{n}=/usr/local/{n}/bin\n" for n in range(30)),
    "properties": "".join(f"app.part{n}.name:value {n}\n" for n in range(30)),
    "JSON": "{\n" + "".join(f'  "src/{n}.py": {n},\n' for n in range(30)) + '  "x": 1\n}\n',
    "a diff": "--- a/x\n+++ b/x\n@@ -1,30 +1,30 @@\n" + "".join(f"-{n}\n+{n + 1}\n" for n in range(30)),
    "a Python trace": "".join(f'  File "/app/src/m{n}.py", line {n}, in run\n    run()\n' for n in range(30)),
    "a JavaScript trace": "".join(f"    at Object.<anonymous> (/app/src/m.js:{n}:{n % 9 + 1})\n" for n in range(1, 60)),
    "a Rust trace": "".join(f"   {n}: core::panicking::panic\n             at /rustc/x.rs:{n}:5\n" for n in range(30)),
    "a short Rust trace": "".join(f"  {n:2}: std::rt::lang_start\n" for n in range(30)),
    "base64": "".join(f"{n:02}aGVsbG8/d29ybGQ+{n * 7919:06}Zm9v/YmFy{n * 31:04}==\n" for n in range(60)),
    "prose": "He came and/or went. Nobody, as they say, was the wiser.\nIt rained: again.\n" * 20,
    "a numbered list": "".join(f"{n}. Do this, and then that\n" for n in range(1, 40)),
    "a table that counts": "".join(f"{n}\tname {n}\tactive\n" for n in range(1, 60)),
    "a CSV that counts": "".join(f"{n}|name|{n * 7}\n" for n in range(1, 60)),
    "a CSV of paths": "".join(f"src/part_{n}.py,sha256={n * 7919:x},{n}\n" for n in range(60)),
    "counts of lines": "".join(f"src/part_{n}.py:{n}\n" for n in range(60)),
    "wc": "".join(f"{n * 37:8} src/part_{n}.py\n" for n in range(60)),
    "code": "".join(f"def part_{n}(a, b):\n    return a / b  # see x/{n}\n\n\n" for n in range(30)),
    "checksums": "".join(f"{n * 7919:064x}  src/part_{n}.py\n" for n in range(30)),
    "times of one day": "".join(f"{n}:{n + 1}:{n + 2}\n" for n in range(1, 60)),
    "domains": "".join(f"host{n}.example.org\n" for n in range(60)),
    "words": "".join(f"word{n}\n" for n in range(60)),
    "status": "".join(f" M src/part_{n}.py\n" for n in range(60)),
    "shell errors": "".join(f"./run.sh: line {n}: foo: command not found\n" for n in range(1, 60)),
    "nothing": "",
    "empty lines": "\n" * 60,
}
"""Outputs that are none of the three kinds."""
