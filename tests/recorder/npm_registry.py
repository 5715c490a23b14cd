"""A package registry of our own on this machine, for recordings of `npm install`.

Role: serves invented packages as any registry would: what there is, archives, and which versions have known faults.
Input: the table below. INVARIANT: nothing that npm prints here depends on the network.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import io
import json
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PORT = 48730
ADDRESS = f"http://127.0.0.1:{PORT}"

Manifest = dict[str, Any]


def package(**fields: Any) -> Manifest:
    """Return what a package's manifest holds besides its name and version."""
    return fields


OLD = "This package is no longer supported. Please move to its successor, which is a drop-in replacement."
PACKAGES: dict[str, dict[str, Manifest]] = {
    "tiny": {"1.0.0": package(), "2.0.0": package()},
    "funded": {"1.0.0": package(funding={"type": "individual", "url": "https://example.org/fund"})},
    **{
        f"leaf-{row}": {"1.0.0": package(funding={"url": "https://example.org/fund"} if row % 2 else None)}
        for row in range(30)
    },
    "forest": {"1.0.0": package(dependencies={f"leaf-{row}": "^1.0.0" for row in range(30)})},
    **{f"old-{row}": {"1.0.0": package(deprecated=f"{OLD} (See note {row}: it leaks memory.)")} for row in range(14)},
    "museum": {"1.0.0": package(dependencies={f"old-{row}": "^1.0.0" for row in range(14)})},
    "@scope/attic": {"1.0.0": package(deprecated="Use @scope/cellar instead: https://example.org/move (soon)")},
    "core": {"1.0.0": package(), "2.0.0": package(), "3.0.0": package()},
    "plugin-one": {"1.0.0": package(peerDependencies={"core": "^1.0.0"})},
    "plugin-two": {"1.0.0": package(peerDependencies={"core": "^2.0.0"})},
    **{
        f"needs-peer-{row}": {
            "1.0.0": package(dependencies={"plugin-two": "^1.0.0"}, peerDependencies={"core": "^2.0.0"})
        }
        for row in range(6)
    },
    "bundle-of-peers": {"1.0.0": package(dependencies={f"needs-peer-{row}": "^1.0.0" for row in range(6)})},
    **{f"modern-{row}": {"1.0.0": package(engines={"node": ">=99", "npm": ">=98"})} for row in range(6)},
    "future": {"1.0.0": package(dependencies={f"modern-{row}": "^1.0.0" for row in range(6)})},
    "leaky": {"1.0.0": package(), "1.0.1": package()},
    "holes": {"1.0.0": package(dependencies={"leaky": "1.0.0"})},
    "scripted": {"1.0.0": package(scripts={"postinstall": "echo ran; exit 3"})},
}
FAULTY = {
    "leaky": [
        {
            "id": 1,
            "url": "https://example.org/advisories/1",
            "title": "leaky forgets to close its files",
            "severity": "high",
            "vulnerable_versions": "<1.0.1",
        }
    ]
}


@functools.cache
def archive(name: str, version: str) -> bytes:
    """Return the archive of one version."""
    manifest = {"name": name, "version": version, **{k: v for k, v in PACKAGES[name][version].items() if v is not None}}
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as files:
        data = json.dumps(manifest).encode()
        entry = tarfile.TarInfo("package/package.json")
        entry.size = len(data)
        files.addfile(entry, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), mtime=0)


def described(name: str) -> dict[str, Any]:
    """Return the document of a package with all its versions."""
    versions = {}
    for version, manifest in PACKAGES[name].items():
        digest = base64.b64encode(hashlib.sha512(archive(name, version)).digest()).decode()
        versions[version] = {
            "name": name,
            "version": version,
            **{key: value for key, value in manifest.items() if value is not None},
            "hasInstallScript": "scripts" in manifest,
            "dist": {"tarball": f"{ADDRESS}/{name}/-/{version}.tgz", "integrity": f"sha512-{digest}"},
        }
    return {"name": name, "dist-tags": {"latest": list(versions)[-1]}, "versions": versions}


class Registry(BaseHTTPRequestHandler):
    """Answers npm."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a document or an archive."""
        path = self.path.replace("%2f", "/").strip("/")
        name, mark, version = path.partition("/-/")
        if mark and name in PACKAGES:
            self.answer(200, archive(name, version.removesuffix(".tgz")), "application/octet-stream")
        elif name in PACKAGES:
            self.answer(200, json.dumps(described(name)).encode())
        else:
            self.answer(404, b'{"error": "Not found"}')

    def do_POST(self) -> None:
        """Send what is known of the versions that npm asks about."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked = json.loads(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
        faults = {
            name: advisories
            for name, advisories in FAULTY.items()
            if isinstance(asked, dict) and "1.0.0" in asked.get(name, [])
        }
        self.answer(200, json.dumps(faults).encode())

    def answer(self, code: int, body: bytes, kind: str = "application/json") -> None:
        """Send one answer."""
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""


@functools.cache
def open_registry() -> str:
    """Start the registry once; return its address. It ends with the process."""
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return ADDRESS
