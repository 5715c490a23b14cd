"""`cablese import`: manifests in TOML into rule files that `compile` takes."""

from __future__ import annotations

MANIFEST = '[compressor."db_*"]\ncodec = "columnar"\nparams = { heterogeneity_ratio = 2.0 }\n'


def test_an_import_is_written_or_printed_and_compiles(cablese, tmp_path):
    """From a file or standard input, to standard output or a file."""
    manifest, target = tmp_path / "compressors.toml", tmp_path / "compressors.cable"
    manifest.write_text(MANIFEST)
    printed = cablese("import", manifest)
    assert (printed.code, printed.err) == (0, b"")
    assert printed.out.startswith(b'admit "db_*" with columnar {\n')
    assert cablese("import", "-", stdin=MANIFEST.encode()).out == printed.out
    assert cablese("import", manifest, "-o", target).code == 0
    assert target.read_bytes() == printed.out
    again = cablese("import", manifest, "-o", target)
    assert (again.code, again.out) == (2, b"")
    assert b"is there already" in again.err
    assert target.read_bytes() == printed.out
    assert cablese("fmt", "--check", target).code == 0
    assert cablese("compile", target, "-o", tmp_path / "x.cablepack").code == 0


def test_a_malformed_manifest_is_said_with_its_line(cablese, tmp_path):
    """Exit 2, and nothing is written."""
    manifest, target = tmp_path / "compressors.toml", tmp_path / "x.cable"
    manifest.write_text(MANIFEST + "leve = 1\n")
    done = cablese("import", manifest, "-o", target)
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith(f"cablese: {manifest}:4: `leve` is not known".encode())
    assert not target.exists()
    for data in (b"\xff", b"[", b""):
        manifest.write_bytes(data)
        assert cablese("import", manifest).code == 2
    assert cablese("import", tmp_path / "none.toml").code == 2
    manifest.write_text(MANIFEST)
    assert cablese("import", manifest, "-o", manifest / "x.cable").code == 2
