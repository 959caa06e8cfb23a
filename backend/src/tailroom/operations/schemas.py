"""What the API says about work that failed. Times are ISO 8601 in UTC."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field


class FailureOut(BaseModel):
    """Work that was given up."""

    work: str = Field(description="judge, audit, rate, read_upload or erase")
    subject: UUID = Field(description="the run or upload that it is about")
    attempts: int
    error: str = Field(description="why the last attempt failed")
    given_up_at: datetime


class FailuresOut(BaseModel):
    """What was given up last, newest first."""

    failures: list[FailureOut]


class RetryOut(BaseModel):
    """What is tried again."""

    works: int = Field(description="how many works are due again; 0: nothing had failed")
