"""The published shapes of result and view records, as pydantic models and as JSON Schemas.

Output: `runtime/schemas/*.json`, written by `python -m cablese.cli.schema`. The run path reads records by a strict
reader of its own (`runtime.records`); tests hold the two to the same answers.
"""

from __future__ import annotations

import json
import os
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ..runtime.reasons import Reason
from ..runtime.records import Outcome

SCHEMA_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "runtime", "schemas")


class _Record(BaseModel):
    """Unknown fields are kept, never an error; known ones have exactly their type."""

    model_config = ConfigDict(extra="allow", strict=True)


class MetadataRecord(_Record):
    """What the host knows of a run. `merged` stands in place of `stdout` and `stderr`."""

    exit_code: Annotated[int | None, Field(description="exit code of the process")] = None
    stdout: Annotated[Any, Field(description="captured standard output, text")] = None
    stderr: Annotated[Any, Field(description="captured standard error, text")] = None
    merged: Annotated[Any, Field(description="both streams interleaved, text")] = None
    stdout_truncated: Annotated[Any, Field(description="anything but false: stdout was cut")] = None
    stderr_truncated: Annotated[Any, Field(description="anything but false: stderr was cut")] = None
    timed_out: Annotated[Any, Field(description="anything but false: the run was stopped")] = None
    return_direct: Annotated[Any, Field(description="anything but false: the result goes to the user")] = None


class ResultRecord(_Record):
    """A result as it comes from a tool."""

    tool: Annotated[str, Field(min_length=1)]
    content: Annotated[Any, Field(description="text or any JSON value")]
    arguments: Annotated[dict[str, Any] | None, Field(description="`command` or `cmd` of a shell tool")] = None
    success: bool | None = None
    status: Annotated[str | None, Field(description="`success`, or anything else for a failure")] = None
    metadata: MetadataRecord | None = None
    untrusted: bool | None = None
    tenant: str | None = None
    run: str | None = None


class ViewRecord(_Record):
    """What the model sees of a result, and why."""

    content: Any
    outcome: Outcome
    reason: Reason | None = None
    detail: str | None = None
    tool: str
    rule: str | None = None
    codec: str | None = None
    kind: str | None = None
    level: str | None = None
    guarantee: str | None = None
    handle: Annotated[str | None, Field(pattern="^([0-9]{15}|[0-9]{18})$")] = None
    pack: str | None = None
    untrusted: bool = False
    bytes: Annotated[list[int], Field(min_length=2, max_length=2, description="UTF-8 bytes: original, shown")]
    tokens: Annotated[dict[str, list[int]] | None, Field(description="per encoding: original, shown")] = None
    ms: float


def render_schemas() -> dict[str, str]:
    """Return the text of each schema file by its name."""
    models = {"result.schema.json": ResultRecord, "view.schema.json": ViewRecord}
    return {
        name: json.dumps(
            {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()},
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
        for name, model in models.items()
    }


def main() -> None:
    """Write the schema files."""
    for name, text in render_schemas().items():
        with open(os.path.join(SCHEMA_FOLDER, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
