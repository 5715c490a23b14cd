"""Small packs, keys that openssl makes, and a home with a configuration."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

from cablese.compiler import compile_sources
from cablese.compiler.signing import load_private_key, sign_pack

RULE = '''
rule {id} "items" {{
  tool     bash
  command  {command} {{ operand any }}
  stderr   empty
  stdout   item+
  lines {{
    item = "item {{}}"
  }}
  facts {{
    items = count item
  }}
  summary """
  {word}: {{{{ items }}}}
  """
}}
'''
OUTPUT = "item of a list that is very long\n" * 99


class Key(NamedTuple):
    """A pair of keys: their files, and the public one as the first line of a pack holds it."""

    private: Path
    public: Path
    hex: str


def make_key(folder: Path, name: str) -> Key:
    """Make a pair of keys with openssl."""
    private, public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
    run = subprocess.run
    run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True, capture_output=True)
    run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True, capture_output=True)
    der = run(["openssl", "pkey", "-pubin", "-in", public, "-outform", "DER"], check=True, capture_output=True).stdout
    return Key(private, public, der[-32:].hex())


def make_pack(rule="demo.list", name="team", version="1.0.0", word="items", command="demo list", roots=(), keys=()):
    """Return the bytes of a pack of one rule, signed with these keys."""
    text = RULE.format(id=rule, word=word, command=command)
    data = compile_sources({"a.cable": text}, name=name, version=version, roots=roots, draft=True).pack
    return sign_pack(data, [load_private_key(key.private.read_bytes()) for key in keys]) if keys else data
