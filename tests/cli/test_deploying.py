"""Packs for deployment on the command line: compile with keys and roots, verify, inspect, trust, and each refusal."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from cablese.cli.schema import SCHEMA_FOLDER, render_schemas
from jsonschema import Draft202012Validator, ValidationError

from .test_workshop import RULE

SCHEMA = json.loads((Path(SCHEMA_FOLDER) / "inspect.schema.json").read_text("utf-8"))


@pytest.fixture
def rules(tmp_path, monkeypatch):
    """Go to a folder with a rule file and two pairs of keys."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "demo.cable").write_text(RULE)
    for name in ("ours", "theirs"):
        words = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", f"{name}.pem"]
        subprocess.run(words, check=True, cwd=tmp_path, capture_output=True)
        words = ["openssl", "pkey", "-in", f"{name}.pem", "-pubout", "-out", f"{name}.pub"]
        subprocess.run(words, check=True, cwd=tmp_path, capture_output=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def compile_pack(cablese, rules):
    """Give a function that compiles the rules to a pack of some name."""

    def run(output, *words):
        done = cablese("compile", "--draft", "-o", output, *words)
        assert done.code == 0, done.err
        return rules / output

    return run


def test_signed_packs_verify_with_one_of_several_keys(cablese, compile_pack):
    """`--sign` and `--key` may be repeated; the digest is that of the unsigned pack."""
    plain, signed = compile_pack("plain", "--name", "x"), compile_pack("signed", "--name", "x", "--sign", "ours.pem")
    digest = cablese("verify", plain).out.split()[-1]
    done = cablese("verify", "--key", "ours.pub", "--digest", digest.decode(), signed)
    assert done.code == 0
    assert b"holds, digest " + digest + b", signed by ed25519:" in done.out
    assert cablese("verify", "--key", "theirs.pub", "--key=ours.pub", signed).code == 0
    both = compile_pack("both", "--name", "x", "--sign", "theirs.pem", "--sign=ours.pem")
    assert cablese("verify", "--key", "theirs.pub", both).code == 0
    assert cablese("verify", signed).out.endswith(digest + b"\n")
    assert compile_pack("again", "--name", "x", "--sign", "ours.pem").read_bytes() == signed.read_bytes()


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        (("verify", "--key", "theirs.pub", "signed"), 1, b"signed by another key"),
        (("verify", "--key", "ours.pub", "plain"), 1, b"plain: not signed: "),
        (("verify", "--key", "ours.pem", "signed"), 1, b"`openssl pkey -pubout` gives the public one"),
        (("verify", "--key", "none", "signed"), 1, b"the signature cannot be checked: none: No such file"),
        (("verify", "--key", "ours.pub", "resigned"), 1, b"the signature does not hold"),
        (("verify", "--key", "ours.pub", "short"), 1, b"the pack is damaged: the file ends"),
        (("compile", "--draft", "-o", "x", "--sign", "ours.pub"), 2, b"ours.pub: no private key in PEM"),
        (("compile", "--draft", "-o", "x", "--sign", "none.pem"), 2, b"none.pem: no such file"),
        (("compile", "--draft", "-o", "x", "--name", "a\nb"), 2, b"--name: a b is not one line that can be shown"),
        (
            ("compile", "--draft", "-o", "x", "--pack-version", "1\x1b[m"),
            2,
            b"--pack-version: 1\\x1b[m is not one line",
        ),
        (("compile", "--draft", "-o", "x", "--root", "acme"), 1, b"`demo.list` is below none of the roots, acme"),
    ],
)
def test_each_refusal_has_its_words_and_writes_nothing(cablese, rules, compile_pack, words, code, fault):
    """One line on standard error, nothing on standard output, no file."""
    compile_pack("plain")
    signed = compile_pack("signed", "--sign", "ours.pem").read_bytes()
    (rules / "short").write_bytes(signed[:-9])
    other = compile_pack("other", "--pack-version", "2.0.0", "--sign", "ours.pem").read_bytes()
    # The signature of one pack in the first line of another, with a check that holds.
    first, second = other.split(b"\n")[0].split(b" "), signed.split(b"\n")[0].split(b" ")
    line = b" ".join([*first[:3], second[3]])
    (rules / "resigned").write_bytes(line + b" " + _check(line) + b"\n" + other.split(b"\n", 1)[1])
    done = cablese(*words)
    assert (done.code, done.out) == (code, b"")
    assert fault in done.err
    assert done.err.count(b"\n") == 1
    assert not (rules / "x").exists()


def _check(line):
    import hashlib

    return hashlib.sha256(line).hexdigest()[:16].encode()


def test_without_the_extra_it_is_named(process, rules, compile_pack, tmp_path):
    """Signing, and checking a signature that is asked for; what asks for none works."""
    compile_pack("signed", "--sign", "ours.pem")
    (tmp_path / "hidden" / "cryptography").mkdir(parents=True)
    (tmp_path / "hidden" / "cryptography" / "__init__.py").write_text("raise ImportError")
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path / "hidden"), os.environ.get("PYTHONPATH", "")])}
    missing = b"the package `cryptography` is not installed: pip install 'cablese[sign]'"
    done = process("compile", "--draft", "-o", "x", "--sign", "ours.pem", cwd=rules, env=env)
    assert (done.code, missing in done.err) == (2, True)
    done = process("verify", "--key", "ours.pub", "signed", cwd=rules, env=env)
    assert (done.code, missing in done.err) == (1, True)
    assert process("verify", "signed", cwd=rules, env=env).code == 0
    done = process("inspect", "--json", "signed", cwd=rules, env=env)
    assert json.loads(done.out)["signers"][0]["holds"] is None


def test_inspect_says_what_a_pack_is_and_needs(cablese, compile_pack, rules):
    """For people and as JSON, which the published schema holds for; sizes add up to the file."""
    pack = compile_pack("signed", "--sign", "ours.pem", "--root", "demo", "--name", "x")
    done = cablese("inspect", "--format", "json", pack)
    assert done == cablese("inspect", "--json", pack)
    record = json.loads(done.out)
    Draft202012Validator(SCHEMA).validate(record)
    key = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", "ours.pub", "-outform", "DER"], check=True, capture_output=True
    ).stdout[-32:]
    assert record["signers"] == [{"scheme": "ed25519", "key": key.hex(), "holds": True}]
    assert (record["roots"], record["runtime"]) == (["demo"], "0.1.0")
    assert record["features"]["0.1.0"] == ["node.out", "node.text", "pattern.fit", "pattern.lit", "value.count"]
    size = record["bytes"].pop("file")
    assert size == sum(record["bytes"].values()) == pack.stat().st_size
    assert record["rules"][0]["bytes"] + 1 == record["bytes"]["rules"]
    text = cablese("inspect", pack).out.decode()
    for line in (f"signed    ed25519:{key.hex()}, holds", "owns      demo", "runtime   cablese 0.1.0 or newer"):
        assert f"{line}\n" in text
    assert "signed    by nobody\n" in cablese("inspect", compile_pack("plain")).out.decode()
    with pytest.raises(ValidationError):
        Draft202012Validator(SCHEMA).validate(record)


def test_the_schema_is_that_of_the_models():
    """`runtime/schemas/inspect.schema.json` is what `python -m cablese.cli.schema` writes."""
    assert json.loads(render_schemas()["inspect.schema.json"]) == SCHEMA


def test_trust_holds_versions_against_the_last_one(cablese, compile_pack):
    """A lower version is refused unless told so; then it is the one that later ones are held against."""
    new, old = compile_pack("new", "--name", "x", "--pack-version", "1.10.0"), compile_pack("old", "--name", "x")
    other = compile_pack("other", "--name", "y", "--pack-version", "0.1.0")
    assert cablese("trust", new).code == 0
    done = cablese("trust", old)
    assert (done.code, done.out) == (1, b"")
    assert b"old: an older version: x 1.0.0, and 1.10.0 was trusted before\n" in done.err
    assert cablese("trust", other).code == 0
    assert cablese("trust", "--allow-downgrade", old).code == 0
    assert cablese("trust", old).code == 0
    assert cablese("trust", new).code == 0
    assert cablese("trust", old).code == 1


def test_a_version_without_an_order_is_remarked(cablese, rules):
    """The pack is written all the same."""
    done = cablese("compile", "--draft", "-o", "x", "--pack-version", "next")
    assert (done.code, done.out) == (0, b"x: 1 rule, %d bytes\n" % (rules / "x").stat().st_size)
    assert done.err.startswith(b"cablese: note: `next` is no version such as 1.4.2, ")
    assert cablese("compile", "--draft", "-o", "x", "--pack-version", "1.0.0-rc.1+5").err == b""


def test_why_names_a_pack_that_was_downgraded(cablese, compile_pack, rules):
    """The file of a pack is exchanged for an older one that was trusted once."""
    words = ("why", "--command", "demo list", "--stdout", "out")
    (rules / "out").write_text("item of a list that is very long\n" * 99)
    pack = compile_pack("team", "--name", "x")
    older = pack.read_bytes()
    assert cablese("trust", pack).code == 0
    assert cablese(*words).code == 0
    compile_pack("team", "--name", "x", "--pack-version", "1.1.0")
    assert cablese("trust", pack).code == 0
    assert cablese(*words).code == 0
    pack.write_bytes(older)
    done = cablese(*words)
    assert done.code == 3
    assert b"note      team: an older version: x 1.0.0, and 1.1.0 was trusted before\n" in done.out
    assert b"note: team: an older version" in cablese("check", "--draft").err


def test_a_signature_is_checked_when_a_pack_is_trusted_and_noted(cablese, process, compile_pack, rules, tmp_path):
    """`view` then needs no arithmetic, and no library; without the demand nothing is checked or noted."""
    config = rules / "config.toml"
    env = {"CABLESE_CONFIG": str(config), "XDG_CONFIG_HOME": str(rules / "home")}
    plain, signed = compile_pack("plain", "--name", "x"), compile_pack("signed", "--name", "x", "--sign", "ours.pem")
    config.write_text(f'[packs]\nrequire_signature = true\nkeys = ["{rules}/ours.pub"]\n')
    done = process("trust", plain, cwd=rules, env=env)
    assert (done.code, b"plain: not signed: " in done.err) == (1, True)
    assert not (rules / "home" / "cablese" / "trusted").exists()
    assert process("trust", signed, cwd=rules, env=env).code == 0
    listed = (rules / "home" / "cablese" / "trusted").read_text().splitlines()
    assert [line.split()[0] for line in listed[1:]] == ["version", "signed"]
    (rules / "out").write_text("item of a list that is very long\n" * 99)
    (tmp_path / "hidden" / "cryptography").mkdir(parents=True)
    (tmp_path / "hidden" / "cryptography" / "__init__.py").write_text("raise ImportError")
    env["PYTHONPATH"] = os.pathsep.join([str(tmp_path / "hidden"), os.environ.get("PYTHONPATH", "")])
    view = process("view", "--command", "demo list", "--stdout", "out", "--json", cwd=rules, env=env)
    assert json.loads(view.out)["rule"] == "demo.list"
    config.write_text(f'[packs]\nrequire_signature = true\nkeys = ["{rules}/theirs.pub"]\n')
    view = process("view", "--command", "demo list", "--stdout", "out", "--json", cwd=rules, env=env)
    assert json.loads(view.out)["rule"] is None


def test_a_pack_given_by_hand_must_be_signed_where_that_is_demanded(cablese, compile_pack, rules, monkeypatch):
    """`view --pack` with an unsigned one is exit 2, and nothing is shown."""
    (rules / "config.toml").write_text(f'[packs]\nrequire_signature = true\nkeys = ["{rules}/ours.pub"]\n')
    monkeypatch.setenv("CABLESE_CONFIG", str(rules / "config.toml"))
    (rules / "out").write_text("item of a list that is very long\n" * 99)
    words = ("view", "--command", "demo list", "--stdout", "out", "--pack")
    done = cablese(*words, compile_pack("plain"))
    assert (done.code, done.out) == (2, b"")
    assert b"not signed" in done.err
    assert b"items: 99" in cablese(*words, compile_pack("signed", "--sign", "ours.pem")).out


@pytest.mark.parametrize("line", ["version", "version ", "version x", "version []", 'version ["a", "b", 1]'])
def test_a_list_that_cannot_be_understood_turns_everything_off(cablese, compile_pack, rules, line):
    """A line that may speak of a downgrade is not passed over."""
    (rules / "home" / "cablese").mkdir(parents=True)
    (rules / "home" / "cablese" / "trusted").write_text(f"{line}\n")
    done = cablese("trust", compile_pack("team"))
    if line.startswith("version "):
        assert (done.code, done.out) == (2, b"")
        assert b"trusted:1: not the name, version and file of a pack" in done.err
    else:
        assert done.code == 0
