"""headroom-ai: `compress(messages)` with its default model and settings, the text as the result of a tool call.

Its `hash=…` markers are followed in the store that its retrieval tool reads.
"""

from __future__ import annotations

import json
import re

from headroom import compress  # pyright: ignore[reportMissingImports]
from protocol import drive

MARKER = re.compile(r"hash=([0-9a-f]{8,})")


def show(text: str, command: str) -> str:
    """Return the content of the tool message after compression of the conversation."""
    call = {"name": "bash", "arguments": json.dumps({"command": command})}
    messages = [
        {"role": "user", "content": f"Run `{command}`."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "call_1", "content": text},
    ]
    return compress(messages).messages[-1]["content"]


def retrieve(shown: str) -> str | None:
    """Return the originals behind all markers."""
    # Imported late: what shows a text has loaded it where it needs it, and only that counts in the time.
    from headroom.cache import compression_store  # noqa: PLC0415  # pyright: ignore[reportMissingImports]

    store = compression_store.get_compression_store()
    found = [store.retrieve(handle) for handle in dict.fromkeys(MARKER.findall(shown))]
    return "\n".join(entry.original_content for entry in found if entry is not None) or None


if __name__ == "__main__":
    drive(show, retrieve)
