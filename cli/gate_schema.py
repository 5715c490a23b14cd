"""The published shape of what `cablese gate --format json` prints, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Kind = Literal["json", "jsonl", "diff", "numbered", "search", "paths", "tabular", "log", "code", "prose", "unknown"]


class _Record(BaseModel):
    """No field more, no field less."""

    model_config = ConfigDict(extra="forbid", strict=True)


class FloorRecord(_Record):
    """What a kind has to reach."""

    accuracy: Share
    savings: Share


class CaseRecord(_Record):
    """One case. `seen`: what its content was taken for; `form`: in which form it was shown, or `pass-through`."""

    id: str
    outcome: Literal["kept", "recovered", "lost", "unmeasured"]
    savings: Annotated[
        float, Field(le=1, description="share of the tokens that is gone; the smaller of both encodings")
    ]
    seen: Kind
    form: str
    detail: Annotated[str, Field(description="why it was lost, not measured, or passed; else empty")]


class KindRecord(_Record):
    """One kind. `warn`: it has no floor."""

    kind: Kind
    verdict: Literal["pass", "warn", "fail"]
    accuracy: Annotated[Share, Field(description="share of the cases that are kept or recovered")]
    savings: Annotated[float, Field(le=1, description="mean over the cases")]
    floor: FloorRecord | None
    cases: list[CaseRecord]


class GateRecord(_Record):
    """What `cablese gate` says."""

    holds: bool
    level: Literal["exact", "value", "normal", "aggressive"]
    kinds: list[KindRecord]
