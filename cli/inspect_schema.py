"""The published shape of what `cablese inspect --format json` prints, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Bytes = Annotated[int, Field(ge=0)]


class _Record(BaseModel):
    """No field more, no field less."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SignerRecord(_Record):
    """A signature. `key`: 32 bytes of the public key."""

    scheme: Literal["ed25519"]
    key: Digest
    holds: Annotated[bool | None, Field(description="whether it is of this pack; null: `cryptography` is missing")]


class BytesRecord(_Record):
    """What the parts of the file take, line ends included; together `file`."""

    file: Bytes
    first_line: Bytes
    header: Bytes
    rules: Bytes
    admits: Bytes
    source_maps: Bytes


class NoteRecord(_Record):
    """What cannot be told of an output."""

    name: str
    text: str


class RuleRecord(_Record):
    """A rule. `exit` null: any code; null in it: none is known. `path` and `line`: where it stands."""

    id: str
    title: str
    path: str
    line: Annotated[int, Field(ge=0)]
    tools: list[str]
    commands: list[str]
    exit: list[int | None] | None
    streams: list[str]
    notes: list[NoteRecord]
    bytes: Annotated[int, Field(ge=0, description="of its section, without its source map")]
    source_map_bytes: Bytes


class AdmitRecord(_Record):
    """An admission entry."""

    pattern: str
    codec: str
    level: Literal["none", "minimal", "normal", "aggressive"]
    tee: bool
    settings: dict[str, Any]
    path: str
    line: Annotated[int, Field(ge=1)]


class InspectRecord(_Record):
    """What a pack holds."""

    name: str
    version: str
    language: int
    tool: Annotated[str, Field(description="the version of Cablese that made it")]
    runtime: Annotated[str, Field(description="the least version of Cablese that can use it")]
    digest: Digest
    signers: list[SignerRecord]
    roots: Annotated[list[str], Field(description="beginnings of rule ids that are its alone")]
    requires: Annotated[list[str], Field(description="codecs, as `codec:columnar`")]
    features: Annotated[dict[str, list[str]], Field(description="what it makes use of, by the version that brought it")]
    bytes: BytesRecord
    admits: list[AdmitRecord]
    rules: list[RuleRecord]
