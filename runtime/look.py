"""What the pages of the house share: their look, and the policy under which a browser shows them.

Input: the style, and the script if there is one. Output: text for the head of a page. A page needs nothing else: its
policy lets a browser load nothing, and run nothing but the one script that the policy names by its digest.
"""

from __future__ import annotations


def read_look() -> str:
    """Return the shared style sheet."""
    import os

    with open(os.path.join(os.path.dirname(__file__), "look.css"), encoding="utf-8") as file:
        return file.read()


def render_policy(style: str, script: str | None = None) -> str:
    """Return a Content-Security-Policy that allows this style and this script, each as the whole text of its element.

    Nothing that a page shows can become markup: script may hand no text to a parser of HTML.
    Source: https://www.w3.org/TR/CSP3/ and https://www.w3.org/TR/trusted-types/
    """
    allowed = [f"style-src {_digest(style)}"]
    if script is not None:
        allowed += [f"script-src {_digest(script)}", "require-trusted-types-for 'script'", "trusted-types 'none'"]
    return "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
