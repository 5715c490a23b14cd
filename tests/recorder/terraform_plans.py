"""`terraform plan`: states of our own, of resources that terraform itself brings along.

Needs terraform: on the path, or where TERRAFORM says (`go install github.com/hashicorp/terraform@v1.5.7` builds it).
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from .catalogue import Builder, Catalogue, Entry, Facts, no_truth
from .scratch import Captured, Workshop

TERRAFORM = Path(os.environ.get("TERRAFORM") or shutil.which("terraform") or "/usr/local/bin/terraform")


def reported(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Plan once more, into a file, and read that as JSON: actions by address."""
    words = [word for word in entry.command.split() if word != "2>&1" and not word.startswith("-out")]
    if "plan" not in words or "|" in words:
        return {}
    shop.capture(f"{' '.join(words)} -out=../tmp/plan.bin")
    said = shop.capture("terraform show -json ../tmp/plan.bin")
    if said.exit_code:
        return {}
    actions = {
        change["address"]: "+".join(change["change"]["actions"])
        for change in json.loads(said.stdout).get("resource_changes", [])
    }
    return {"actions": {name: action for name, action in sorted(actions.items()) if action != "no-op"}}


run = Catalogue("terraform_plan", reported)

SERVER = """\
resource "terraform_data" "server" {
  for_each = toset([%(names)s])
  input = {
    name = each.key
    size = "%(size)s"
    tags = ["web", "%(tag)s"]
  }
  triggers_replace = "%(image)s"
}
"""
PLAIN = """\
resource "terraform_data" "%(name)s" {
  count = %(count)d
  input = "%(text)s ${count.index}"
}
"""
OUTPUT = 'output "%s" { value = %s }\n'
NAMES = ", ".join(f'"web-{row}"' for row in range(8))
OLD = SERVER % {"names": NAMES, "size": "small", "tag": "blue", "image": "v1"}


def plain(name: str, count: int, text: str = "number") -> str:
    """Return resources by number."""
    return PLAIN % {"name": name, "count": count, "text": text}


def state(before: str, after: str) -> Builder:
    """Return a builder of a configuration that was applied, and then became another."""

    def build(shop: Workshop) -> None:
        shop.environment |= {"PATH": f"{TERRAFORM.parent}:/usr/local/bin:/usr/bin:/bin", "CHECKPOINT_DISABLE": "1"}
        shop.write("main.tf", before or "\n")
        for command in ("terraform init", "terraform apply -auto-approve"):
            done = shop.capture(command)
            if done.exit_code:
                raise RuntimeError(done.stderr.decode())
        shop.write("main.tf", after)

    return build


CREATED = state("", OLD + plain("disk", 12) + OUTPUT % ("names", "keys(terraform_data.server)"))
CHANGED = state(
    OLD + plain("disk", 6) + OUTPUT % ("size", '"small"'),
    SERVER % {"names": NAMES, "size": "large", "tag": "green", "image": "v1"}
    + plain("disk", 3, "disk")
    + plain("extra", 4)
    + OUTPUT % ("size", '"large"'),
)
REPLACED = state(OLD, SERVER % {"names": NAMES, "size": "small", "tag": "blue", "image": "v2"})
MANY = state("", plain("disk", 60))
run.table(
    CREATED,
    [
        ("created", "terraform plan -no-color", "Twenty resources are new."),
        ("created-merged", "terraform plan -no-color 2>&1", "Standard error joins standard output."),
        ("created-out", "terraform plan -no-color -out=../tmp/saved.bin", "The plan is saved."),
        (
            "created-exit-code",
            "terraform plan -no-color -detailed-exitcode",
            "Exit code 2 says that there are changes.",
        ),
        ("created-target", "terraform plan -input=false -lock=false -no-color", "Other options."),
    ],
)
run.table(
    CHANGED,
    [
        ("changed", "terraform plan -no-color", "Created, changed and destroyed."),
        ("changed-no-refresh", "terraform plan -no-color -refresh=false", "Without looking."),
        ("destroyed", "terraform plan -no-color -destroy", "All of it goes."),
    ],
)
run.add(REPLACED, "replaced", "terraform plan -no-color", "Eight are to be replaced.")
run.add(MANY, "sixty", "terraform plan -no-color", "Sixty resources are new: more than are shown.")
run.add(CHANGED, "one-stream", "terraform plan -no-color", "Both streams captured as one.", merged=True)
run.add(state(plain("disk", 1), plain("disk", 2)), "one", "terraform plan -no-color", "One is new.")
run.add(
    state("", plain("poem", 8, "a\\nPlan: 9 to add, 9 to change, 9 to destroy.\\n  # x will be created\\n")),
    "imitations",
    "terraform plan -no-color",
    "Values that look like a plan.",
)
run.add(
    state("", 'resource "terraform_data" "secret" {\n  count = 9\n  input = sensitive("s${count.index}")\n}\n'),
    "sensitive",
    "terraform plan -no-color",
    "Values that are not shown.",
)
run.add(
    state(plain("old", 9), plain("new", 9) + "moved {\n  from = terraform_data.old\n  to = terraform_data.new\n}\n"),
    "moved",
    "terraform plan -no-color",
    "Moved, and not changed.",
    passes="invalid_output",
)
run.add(state(OLD, OLD), "no-changes", "terraform plan -no-color", "Nothing to do.", passes="invalid_output")
run.add(
    state(OLD, OLD + OUTPUT % ("size", '"large"')),
    "outputs-only",
    "terraform plan -no-color",
    "Only an output changes.",
    passes="invalid_output",
)
run.add(
    state(OLD, OLD + 'resource "terraform_data" "bad" {\n  input = nowhere.at_all\n}\n'),
    "error",
    "terraform plan -no-color",
    "A name that is not there.",
    passes="stderr_present",
    truth=no_truth,
)
run.add(
    state(
        OLD,
        OLD
        + plain("disk", 12)
        + 'check "health" {\n  assert {\n    condition = 1 == 2\n    error_message = "down"\n  }\n}\n',
    ),
    "warning",
    "terraform plan -no-color",
    "A check that fails: a warning behind the plan.",
    passes="stderr_present",
)
run.add(
    CREATED,
    "cut-by-the-host",
    "terraform plan -no-color",
    "The host kept the first bytes.",
    limit=1500,
    passes="invalid_output",
    truth=no_truth,
)
run.refuse(
    CHANGED,
    [
        ("refused-colour", "terraform plan"),
        ("refused-json", "terraform plan -no-color -json"),
        ("refused-generate", "terraform plan -no-color -generate-config-out=../tmp/made.tf"),
        ("refused-refresh-only", "terraform plan -no-color -refresh-only"),
        ("refused-pipe", "terraform plan -no-color | tail -20"),
        ("refused-quoted", 'terraform plan -no-color -var "a=b"'),
        ("refused-index", "terraform plan -no-color -replace=terraform_data.disk[0]"),
        ("refused-chdir", "terraform -chdir=. plan -no-color"),
        ("refused-validate", "terraform validate -no-color"),
    ],
)
