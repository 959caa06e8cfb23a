"""Answers of the API about work that failed. Times are ISO 8601 in UTC."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field


class FailureOut(BaseModel):
    """Work that failed too often and was given up."""

    work: str = Field(description="judge, audit, rate, read_upload or erase")
    subject: UUID = Field(description="the run or upload that it is about")
    attempts: int
    error: str = Field(description="why the last attempt failed")
    given_up_at: datetime


class FailuresOut(BaseModel):
    """Work that was given up, newest first."""

    failures: list[FailureOut]


class RetryOut(BaseModel):
    """Result of a retry."""

    works: int = Field(description="how many works are due again; 0: nothing had failed")


_Limit = Annotated[int | None, Field(ge=0, le=1 << 60)]


class _Limits(BaseModel):
    """Limits of an organisation, each None if there is none."""

    runs: _Limit = None
    stored_bytes: _Limit = Field(None, description="of uploaded files")
    uploads_per_day: _Limit = Field(None, description="in the 24 hours before")
    agents: _Limit = Field(None, description="that enrolled and were not removed")
    requests_per_minute: Annotated[int | None, Field(ge=1, le=1_000_000)] = Field(
        None, description="in each API process; what agents send is not counted"
    )


class LimitsIn(_Limits):
    """Limits of an organisation; null means no limit."""

    model_config = ConfigDict(extra="forbid")


class LimitsOut(_Limits):
    """Limits of an organisation; null means no limit."""

    model_config = ConfigDict(from_attributes=True)


class UsageOut(BaseModel):
    """Current amounts of what an organisation's limits apply to."""

    model_config = ConfigDict(from_attributes=True)

    runs: int
    stored_bytes: int = Field(description="size of its uploaded files")
    uploads_per_day: int = Field(description="number of its uploads in the last 24 hours")
    agents: int = Field(description="number of its agents that were not removed")


class QuotaOut(BaseModel):
    """Limits of an organisation, and its usage."""

    limits: LimitsOut
    usage: UsageOut
