"""The server as a process, spoken to in bytes: what is written to it and what it writes, message by message."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time


class Wire:
    """A `cablese lsp` that logs to a file; everything it sends is kept."""

    def __init__(self, folder, *, encodings=("utf-16",), options=None, started=True):
        self.log = folder / "lsp.log"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cablese.cli.main", "lsp", "--log", str(self.log)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
        self.messages = queue.Queue()
        self.seen = []
        self.stray = b""
        self.number = 0
        threading.Thread(target=self._read, daemon=True).start()
        if started:
            capabilities = {"general": {"positionEncodings": list(encodings)}}
            self.answer = self.ask(
                "initialize",
                {
                    "processId": None,
                    "rootUri": folder.as_uri(),
                    "capabilities": capabilities,
                    "initializationOptions": options or {"draft": True},
                },
            )
            self.tell("initialized", {})

    def _read(self):
        out = self.process.stdout
        while True:
            line = out.readline()
            if not line:
                self.messages.put(None)
                return
            name, _, size = line.partition(b": ")
            if name != b"Content-Length":
                self.stray += line
                continue
            while out.readline() != b"\r\n":
                pass
            self.messages.put((time.perf_counter(), json.loads(out.read(int(size)))))

    def send(self, message):
        """Write a message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "surrogatepass"))

    def write(self, body):
        """Write the body of a message as it is."""
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        """Send a notification."""
        self.send({"method": method, "params": params})

    def post(self, method, params):
        """Send a request and return its number."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def ask(self, method, params):
        """Send a request and return its answer."""
        return self.answer_to(self.post(method, params))

    def answer_to(self, number):
        """Return the answer to a request."""
        return self.wait(lambda message: message.get("id") == number and "method" not in message)

    def wait(self, wanted, seconds=90):
        """Return the first message from now on that is wanted."""
        end = time.perf_counter() + seconds
        while True:
            got = self.messages.get(timeout=max(0.1, end - time.perf_counter()))
            assert got is not None, "the server is gone"
            self.seen.append(got)
            if wanted(got[1]):
                return got[1]

    def open(self, uri, text, version=1):
        """Open a document."""
        item = {"uri": uri, "languageId": "cable", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri, version, *changes):
        """Change a document: a text, or `(line, character, line, character, text)`."""
        events = [
            {"text": each}
            if isinstance(each, str)
            else {
                "range": {
                    "start": {"line": each[0], "character": each[1]},
                    "end": {"line": each[2], "character": each[3]},
                },
                "text": each[4],
            }
            for each in changes
        ]
        self.tell(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": events}
        )

    def found(self, uri, version):
        """Return all that is found in a version in the end: what is published once no more comes for it."""
        self.ask("workspace/executeCommand", {"command": "cablese.runExample", "arguments": [uri, "", 0]})
        mine = [m["params"] for _, m in self.seen if m.get("method") == "textDocument/publishDiagnostics"]
        (*_, last) = [each for each in mine if each["uri"] == uri]
        assert last.get("version") == version
        return last["diagnostics"]

    def published(self, uri):
        """Return the versions of all that was published about a document, in order."""
        return [
            message["params"].get("version")
            for _, message in self.seen
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
        ]

    def end(self, *, polite=True):
        """End the session; return the exit code. Nothing but messages, and no fault, was written anywhere."""
        if polite:
            assert self.ask("shutdown", None)["result"] is None
            self.tell("exit", None)
        else:
            self.process.stdin.close()
        code = self.process.wait(60)
        assert self.stray == b""
        assert self.process.stderr.read() == b""
        self.process.stdout.close()
        self.process.stderr.close()
        if not self.process.stdin.closed:
            self.process.stdin.close()
        return code

    @property
    def faults(self):
        """What the log says."""
        return self.log.read_text("utf-8")
