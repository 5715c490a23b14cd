"""What the pages need to become a site: they are written for a reader of the repository, and stay as they are.

Fences have attributes behind the language, which only the tests read; anchors are those of GitHub; links lead out of
`docs/`, where a site has nothing to show. Here each is brought into the form that MkDocs knows.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

from mkdocs.structure.files import File
from pygments.formatters import HtmlFormatter

_FENCE = re.compile(r"^(?P<ticks>```+)(?P<language>\w+)[^`\n]*$", re.MULTILINE)
_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_SPELLED = {"console": "console", "sh": "bash"}


def on_config(config: Any) -> Any:
    """Give headings the anchors that they have on GitHub, and the pages the colours of Pygments."""
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slugify
    config["extra_css"].append("pygments.css")
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the style sheet of Pygments, which nobody has to keep."""
    light = HtmlFormatter(style="default").get_style_defs(".highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs('[data-bs-theme="dark"] .highlight')
    files.append(File.generated(config, "pygments.css", content=f"{light}\n{dark}\n"))
    return files


def on_page_markdown(markdown: str, page: Any, files: Any, **_: Any) -> str:
    """Return a page with fences and links in the form that MkDocs knows."""
    parts = re.split(r"(^```+\w.*?^```+$)", markdown, flags=re.MULTILINE | re.DOTALL)
    known = {file.src_uri for file in files}
    folder = posixpath.dirname(page.file.src_uri)
    for at, part in enumerate(parts):
        parts[at] = _FENCE.sub(_plain_fence, part, count=1) if at % 2 else _inside(part, folder, known)
    return "".join(parts)


def slugify(text: str, separator: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)


def _plain_fence(fence: re.Match[str]) -> str:
    return fence["ticks"] + _SPELLED.get(fence["language"], fence["language"])


def _inside(text: str, folder: str, known: set[str]) -> str:
    """Keep the links that lead to a page of the site; of others, only their words."""

    def shown(link: re.Match[str]) -> str:
        target = link["target"]
        if "://" in target or posixpath.normpath(posixpath.join(folder, target)) in known:
            return link[0]
        return link["text"]

    return _LINK.sub(shown, text)
