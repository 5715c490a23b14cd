"""A small pack of its own for tests of the walk, so that they do not depend on what the curated rules say."""

from __future__ import annotations

import pytest
from cablese.compiler import compile_sources
from cablese.runtime import MemoryStore, ToolResult
from cablese.runtime.decision.walk import Context
from cablese.runtime.packs import catalogue
from cablese.runtime.packs.catalogue import Catalogue
from cablese.runtime.settings import Settings

RULES = '''
rule demo.list "items" {
  tool     bash, shell
  command  demo list {
    option  --all
    operand any
  }
  stderr   empty
  stdout   item+ total?
  lines {
    item  = "item {name}"
    total = "total {n:int}"
  }
  facts {
    items  = count item
    shown  = first 2 of each item
  }
  ensure {
    when some total: items = sum total.n
  }
  summary """
  items: {{ items }}
  {% for i in shown %}
  - {{ i.name | clip }}
  {% endfor %}
  {{ shown | more }}
  """
}

rule demo.test "tests" {
  tool     bash
  command  demo test { operand any }
  exit     0, 1, unknown
  stdout   (passed | failed)+
  stderr   note*
  merged   (passed | failed | note)+
  lines {
    passed = "ok {name}"
    failed = "FAILED {name}"
    note   = "note: {}"
  }
  facts {
    bad   = count failed
    good  = count passed
  }
  ensure {
    when exit 0: no failed
  }
  summary """
  passed: {{ good }}
  failed: {{ bad }}
  """
}
'''


def compile_pack(text=RULES, name="demo"):
    """Compile rules without evidence; fail with the findings."""
    done = compile_sources({f"{name}.cable": text}, name=name, version="1.0.0", draft=True)
    assert done.pack is not None, done.diagnostics
    return done.pack


@pytest.fixture(scope="session")
def pack_file(tmp_path_factory):
    """Write the pack of the rules above."""
    path = tmp_path_factory.mktemp("packs") / "demo.cablepack"
    path.write_bytes(compile_pack())
    return str(path)


@pytest.fixture
def curated(pack_file, monkeypatch):
    """Put the small pack in the place of the curated one."""
    monkeypatch.setattr(catalogue, "CURATED_PACK", pack_file)
    return pack_file


@pytest.fixture
def make_context(curated):
    """Give a function that makes a context in which all rules are on and originals are kept in memory."""

    def make(store="memory", given=(), *, unrecoverable_ok=False, counted=False, **changes):
        settings = Settings(**{"enabled": frozenset({"curated"}), **changes})
        store = MemoryStore(bytes(32)) if store == "memory" else store
        return Context(settings, Catalogue(settings, given), store, unrecoverable_ok, counted)

    return make


@pytest.fixture
def listing():
    """Give a function that makes results which `demo.list` summarises."""
    return _listing


@pytest.fixture
def compile_rules():
    """Give the function that compiles rules without evidence."""
    return compile_pack


def _listing(count=200, *, command="demo list", stderr="", **fields):
    """Make a result that `demo.list` summarises."""
    stdout = "".join(f"item number {n} of the list\n" for n in range(count))
    metadata = {"stdout": stdout, "stderr": stderr, "exit_code": 0, **fields.pop("metadata", {})}
    fields = {"tool": "bash", "arguments": {"command": command}, "content": stdout + stderr, **fields}
    return ToolResult(metadata=metadata, **fields)
