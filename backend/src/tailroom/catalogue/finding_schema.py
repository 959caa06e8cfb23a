"""What findings look like over HTTP, about publications and about runs."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field


class FindingFigureOut(BaseModel):
    """One number of a finding."""

    model_config = ConfigDict(from_attributes=True)

    label: str
    value: float | None = Field(description="in `unit`")
    lower: float | None = Field(description="null: no lower end is known")
    upper: float | None = Field(description="null: no upper end is known")
    unit: str = Field(description="ns, ratio, ops/s, bytes, bytes/s, bits/s, count, x, s, h")
    as_printed: str | None


class FindingOut(BaseModel):
    """What one check found. `info` with the kind `consistent` says that it was made and found nothing."""

    id: str
    check: str = Field(description="P1 to P19")
    check_title: str
    severity: Literal["high", "medium", "low", "info"]
    kind: str
    statement: str
    figures: list[FindingFigureOut]
    claim_keys: list[str] = Field(description="claims of the publication that it rests on")
    origin: Literal["computed", "reviewed"] = Field(
        description="reviewed: a reader's note, not a calculation"
    )
    reference: str | None = Field(description="number in the readers' list of findings")


class RunFindingsOut(BaseModel):
    """Findings of the checks about one run."""

    run_id: UUID
    audit_version: int | None = Field(description="version of the checks; null: not audited yet")
    findings: list[FindingOut]
