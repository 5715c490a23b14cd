"""`npm install`: projects of our own that need packages of our own registry."""

from __future__ import annotations

import json

from .catalogue import Builder, Catalogue, Entry, Facts, no_truth
from .node_tools import NODE
from .npm_registry import open_registry
from .scratch import Captured, Workshop


def listed(shop: Workshop, _entry: Entry, _captured: Captured) -> Facts:
    """Return how many packages `npm ls` finds in the project, the project itself included."""
    said = shop.capture("npm ls --all --parseable")
    return {"audited": len(said.stdout.splitlines())} if said.stdout else {}


run = Catalogue("npm_install", listed)


def project(*, installed: str = "", **needs: str) -> Builder:
    """Return a builder of a project with these dependencies (`_` for `-`); `installed` are options of a first run."""

    def build(shop: Workshop) -> None:
        shop.environment |= {
            "PATH": f"{NODE}:/usr/local/bin:/usr/bin:/bin",
            "NPM_CONFIG_REGISTRY": open_registry(),
            "NPM_CONFIG_UPDATE_NOTIFIER": "false",
        }
        names = {name.replace("_", "-"): version for name, version in needs.items()}
        shop.write("package.json", json.dumps({"name": "demo", "version": "1.0.0", "dependencies": names}) + "\n")
        if installed:
            shop.capture(f"npm install --silent {installed}")
            shop.capture("rm -rf node_modules")

    return build


def add(name: str, command: str, about: str, build: Builder, **options: object) -> None:
    """Add one entry."""
    run.add(build, name, command, about, **options)


LEAVES = " ".join(f"leaf-{row}" for row in range(12))
add("deprecated", "npm install", "Fourteen packages that are no longer kept.", project(museum="1"))
add("deprecated-merged", "npm install 2>&1", "The same on one stream.", project(museum="1"))
add("deprecated-one-stream", "npm i", "The same, captured as one.", project(museum="1"), merged=True)
add("deprecated-named", "npm install museum funded", "By name.", project())
add("deprecated-dev", "npm i -D museum", "For development.", project())
add("deprecated-no-audit", "npm install --no-audit --no-fund", "Without audit and funding.", project(museum="1"))
add("deprecated-ci", "npm ci", "From a lock file.", project(museum="1", installed="--no-audit"))
add("engines", "npm install", "Six packages for a later node.", project(future="1"))
add("engines-merged", "npm install future 2>&1", "The same on one stream.", project())
peers = {"core": "1", "bundle_of_peers": "1", "leaky": "1.0.0"}
add("peers-ci", "npm ci", "Six peer dependencies overridden.", project(**peers, installed="--legacy-peer-deps"))
add(
    "peers-ci-merged",
    "npm ci 2>&1",
    "The same on one stream.",
    project(**peers, installed="--legacy-peer-deps"),
)
add("peers-forced", "npm install --force", "A conflict, forced.", project(core="1", plugin_two="1"))
add("peers-forced-many", "npm install --force", "Many conflicts, forced.", project(**peers))
add("all-at-once", "npm install", "Old packages, engines and faults.", project(museum="1", future="1", holes="1"))
add(
    "all-at-once-merged",
    "npm install 2>&1",
    "The same on one stream.",
    project(museum="1", future="1", holes="1"),
)
add("plain", "npm install", "Thirty packages.", project(forest="1"), passes="no_gain")
add("faults", "npm install", "A fault in two packages.", project(holes="1"), passes="no_gain")
add("faults-fixable", "npm install", "A fault that can be mended.", project(leaky="1.0.0"), passes="no_gain")
add("up-to-date", "npm install", "Nothing to do.", project(forest="1", installed="--no-audit"), passes="no_gain")
add("many-names", f"npm install {LEAVES}", "A dozen by name.", project(), passes="no_gain")
add("legacy-peers", "npm install --legacy-peer-deps", "No word of conflicts.", project(**peers), passes="no_gain")
add("old-attic", "npm install @scope/attic", "A scoped package, no longer kept.", project(), passes="no_gain")
add("one-tiny", "npm i -E tiny@1.0.0", "One package, exactly.", project(), passes="no_gain")
add("no-dependencies", "npm install", "Nothing is needed.", project(), passes="no_gain")
for name, command, about, build in (
    ("conflict", "npm install", "A conflict that cannot be resolved.", project(core="1", plugin_two="1")),
    ("not-found", "npm install nowhere", "A package that is not there.", project()),
    ("no-such-version", "npm install tiny@9", "A version that is not there.", project()),
    ("no-lock", "npm ci", "No lock file.", project(tiny="1")),
    ("offline", "npm install --offline forest", "Nothing in the cache.", project()),
):
    add(name, command, about, build, passes="invalid_output", truth=no_truth)
add(
    "cut-by-the-host",
    "npm install",
    "The host kept the first bytes.",
    project(museum="1", holes="1"),
    limit=60,
    passes="invalid_output",
    truth=no_truth,
)
run.refuse(
    project(museum="1"),
    [
        ("refused-json", "npm install --json"),
        ("refused-silent", "npm install --silent"),
        ("refused-verbose", "npm install --verbose"),
        ("refused-dry-run", "npm install --dry-run"),
        ("refused-update", "npm update"),
        ("refused-pipe", "npm install 2>&1 | tail -3"),
        ("refused-then", "npm install && npm ls"),
        ("refused-quoted", 'npm install "tiny@^1.0.0"'),
    ],
)
