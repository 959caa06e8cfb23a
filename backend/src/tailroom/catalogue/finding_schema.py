"""API schemas of findings about publications and runs."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field


class FindingFigureOut(BaseModel):
    """One number of a finding with its bounds, in `unit`."""

    model_config = ConfigDict(from_attributes=True)

    label: str
    value: float | None = Field(description="in `unit`")
    lower: float | None = Field(description="null: no lower end is known")
    upper: float | None = Field(description="null: no upper end is known")
    unit: str = Field(description="ns, ratio, ops/s, bytes, bytes/s, bits/s, count, x, s, h")
    as_printed: str | None


class FindingOut(BaseModel):
    """A finding of a check; `info` with the kind `consistent` means that the check has passed."""

    id: str
    check: str = Field(description="P1 to P20")
    check_title: str
    severity: Literal["high", "medium", "low", "info"]
    kind: str
    statement: str
    figures: list[FindingFigureOut]
    claim_keys: list[str] = Field(description="claims of the publication that it rests on")
    origin: Literal["computed", "reviewed"] = Field(
        description="reviewed: a reader's note, not a calculation"
    )
    reference: str | None = Field(
        description="number in the list of findings of a person who reviewed the publication"
    )


class RunFindingsOut(BaseModel):
    """Findings of the checks about one run, in the order of the checks."""

    run_id: UUID
    audit_version: int | None = Field(description="version of the checks; null: not audited yet")
    findings: list[FindingOut]
