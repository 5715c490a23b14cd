"""A Chromium of this machine, and pages in it that may ask and complain about nothing."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from . import sample

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDE = {"width": 1360, "height": 860}
NARROW = {"width": 390, "height": 844}


# Of this folder, not of the session: while Playwright's loop is there, no other test of the process can run one.
@pytest.fixture(scope="package")
def chromium():
    """Start a headless Chromium in a new folder for its data."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=[*FLAGS])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Give a folder for pages, and for what is seen of them."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="package")
def tabs(chromium):
    """Give a page of a context with these options, and the list of what it complains about; the same one each time."""
    opened = {}

    def tab(**options):
        key = tuple(sorted(options.items()))
        if key not in opened:
            context = chromium.new_context(**options)
            context.set_default_timeout(10_000)
            page, complaints = context.new_page(), []
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("dialog", lambda dialog: complaints.append(dialog.message))
            page.on("request", lambda request: complaints.append(request.url))
            opened[key] = page, complaints
        return opened[key]

    return tab


@pytest.fixture
def show(tabs):
    """Give a context that shows a page anew. What it asks for besides itself, and what it complains about, fails the
    test, but for what is `refused` on purpose.
    """

    @contextmanager
    def opened(path: Path, *, theme="light", size=WIDE, refused=(), **options):
        page, complaints = tabs(**options)
        page.emulate_media(media="null", color_scheme=theme)
        page.set_viewport_size(dict(size))
        page.goto("about:blank")
        complaints.clear()
        page.goto(path.as_uri())
        yield page
        assert complaints == [path.as_uri(), *refused]

    return opened


@pytest.fixture(scope="session")
def review(pages):
    """Write a page of 40 results that change."""
    return sample.write_page(pages, 40)


@pytest.fixture(scope="session")
def thousand(pages):
    """Write a page of 1,000 results that change."""
    return sample.write_page(pages, 1000)
