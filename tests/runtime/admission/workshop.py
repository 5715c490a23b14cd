"""The folder in which the corpus is recorded: a database, small packages and programs that log, all of our own."""

# ruff: noqa: E501 - programs of one line

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

_GO_CODE = {
    "go.mod": "module example.org/depot\n\ngo 1.21\n",
    "stock/stock.go": """package stock

import "errors"

// ErrEmpty says that there is nothing left.
var ErrEmpty = errors.New("empty shelf")

// Take removes count parts.
func Take(have, count int) (int, error) {
	if count > have {
		return have, ErrEmpty
	}
	return have - count, nil
}

// Unused is never called.
func Unused() string { return "unused" }
""",
    "stock/stock_test.go": """package stock

import "testing"

func TestTake(t *testing.T) {
	for _, count := range []int{1, 2, 3, 9} {
		t.Run("count", func(t *testing.T) {
			if _, err := Take(5, count); err != nil {
				t.Logf("refused: %v", err)
			}
		})
	}
}

func TestSkipped(t *testing.T) { t.Skip("needs a depot") }
""",
}
_GO_LOGGER = """package main

import (
	{imports}
	"os"
)

func main() {{
	{make}
	for turn := 0; turn < 30; turn++ {{
		{say}
	}}
}}
"""
_SLOG = """if turn%7 == 6 {
			log.Warn("shelf is low", "shelf", turn%4, "left", 30-turn)
		} else {
			log.Info("part taken", "shelf", turn%4, "order", 4100+turn)
		}"""
_LOGS = '''"""Logs of a made-up depot, in a few usual formats."""
import logging, sys
FORMATS = {
    "basic": "%(levelname)s:%(name)s:%(message)s",
    "iso": "%(asctime)s,%(msecs)03d - %(name)s - %(levelname)s - %(message)s",
    "traceback": "%(asctime)s %(levelname)-8s [%(threadName)s] %(name)s: %(message)s",
    "brackets": "[%(asctime)s] [%(process)d] [%(levelname)s] %(message)s",
}
form = sys.argv[1]
logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format=FORMATS[form])
orders, shelves = logging.getLogger("depot.orders"), logging.getLogger("depot.shelves")
for number in range(36):
    orders.info("order %d accepted for %d parts", 5200 + number, number % 5 + 1)
    if number % 9 == 8:
        shelves.warning("shelf %s has %d parts left", "ABCD"[number % 4], 36 - number)
    if number % 12 == 11 and form == "traceback":
        try:
            {}["shelf"]
        except KeyError:
            shelves.exception("shelf is not known")
    if number % 5 == 4:
        shelves.debug("counted again, nothing is missing")
'''
_JAVA = """import java.util.logging.*;
public class Logs {
    public static void main(String[] words) {
        Logger logger = Logger.getLogger("depot");
        for (int turn = 0; turn < 20; turn++) {
            logger.log(turn % 6 == 5 ? Level.WARNING : Level.INFO, "order {0} packed", 6000 + turn);
        }
    }
}
"""
_HTTP = """python3 -m http.server 8947 --bind 127.0.0.1 > http.log 2>&1 &
server=$!
sleep 2
for page in 1 2 3 4 5 6 7 8 9 10 11 12; do
  python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8947/one/').read()" 2>/dev/null
  python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8947/missing$page').read()" 2>/dev/null
done
kill $server
tail -n +2 http.log
"""
_SAMPLE = """import os, sys
def take(have,count):
    l = have-count
    if l == None: return 0
    return l
class Shelf:
    def fill(self, parts): self.parts=parts; return   parts
    def empty(self):
        x=1
        return self.parts == None
"""
_TESTS = """def fail():
    shelf = {"left": 3}
    return shelf["right"]

def test_passes():
    assert 1 + 1 == 2

def test_fails():
    assert fail() == 3

def test_order():
    assert [1, 2, 3] == [1, 3, 2]
"""
_RUST = """pub fn take(have: u32, count: u32) -> u32 {
    let unused = 1;
    have - count
}

pub fn fill(parts: Vec<u32>) -> usize {
    let mut total = 0;
    parts.len()
}
"""


def furnish(scratch: Path) -> None:
    """Make everything that the recipes use, and start the database."""
    files = {
        "sample.py": _SAMPLE,
        "test_sample.py": _TESTS,
        "logs.py": _LOGS,
        "Logs.java": _JAVA,
        "http.sh": _HTTP,
        "rust/Cargo.toml": '[package]\nname = "depot"\nversion = "0.1.0"\nedition = "2021"\n',
        "rust/src/lib.rs": _RUST,
        "node/package.json": '{"name": "depot", "version": "1.2.0", "scripts": {"test": "node test.js"}, "license": "MIT"}\n',
        "one/sub/parts.txt": "".join(f"part {number}\n" for number in range(40)),
        "two/sub/parts.txt": "".join(f"part {number}{' (new)' * (number % 13 == 5)}\n" for number in range(42)),
        "one/gone.txt": "left behind\n",
        "two/added.txt": "arrived\nlater\n",
        "one/same.txt": "same\n",
        "two/same.txt": "same\n",
        **{f"go/{name}": text for name, text in _GO_CODE.items()},
        "go/cmd/slogjson/main.go": _go_logger('"log/slog"', "log := slog.New(slog.NewJSONHandler(os.Stdout, nil))", _SLOG),
        "go/cmd/slogtext/main.go": _go_logger('"log/slog"', "log := slog.New(slog.NewTextHandler(os.Stdout, nil))", _SLOG),
        "go/cmd/golog/main.go": _go_logger('"log"', "log.SetOutput(os.Stdout)", 'log.Printf("worker %d: packed order %d", turn%3, 4100+turn)'),
    }  # fmt: skip
    for name, text in files.items():
        path = scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _start_database(scratch)


def _go_logger(imports: str, make: str, say: str) -> str:
    return _GO_LOGGER.format(imports=imports, make=make, say=say)


def _start_database(scratch: Path) -> None:
    """Start a PostgreSQL of our own on a socket in the folder, with a log of a few statements and errors."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
    folder = scratch / "pg"
    folder.mkdir()
    shutil.chown(folder, "postgres")
    log = scratch / "pg.log"
    log.touch()
    shutil.chown(log, "postgres")
    options = f"-k {folder} -c listen_addresses= -c log_statement=all -c log_timezone=UTC"
    _as_postgres(str(programs / "initdb"), "-D", f"{folder}/data", "-U", "dev", "-A", "trust")
    _as_postgres(str(programs / "pg_ctl"), "-D", f"{folder}/data", "-l", str(log), "-o", options, "-w", "start")
    psql = ["psql", "-h", str(folder), "-U", "dev", "postgres", "-c"]
    for number in range(20):
        statement = "select * from missing" if number % 5 == 4 else f"select {number} as part, now()"
        subprocess.run([*psql, statement], capture_output=True, check=False)
    time.sleep(0.5)


def clear(scratch: Path) -> None:
    """Stop the database and remove the folder."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
    _as_postgres(str(programs / "pg_ctl"), "-D", f"{scratch}/pg/data", "-m", "immediate", "stop")
    shutil.rmtree(scratch, ignore_errors=True)


def _as_postgres(*words: str) -> None:
    subprocess.run(["runuser", "-u", "postgres", "--", *words], capture_output=True, check=False, cwd="/")
