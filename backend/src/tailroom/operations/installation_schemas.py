"""Answers to the operator of the installation. Times are ISO 8601 in UTC."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from tailroom.operations.schemas import LimitsOut


class _Out(BaseModel):
    """Base of responses that are validated from the attributes of objects."""

    model_config = ConfigDict(from_attributes=True)


class LaneOut(_Out):
    """Numbers of works in one lane, by state."""

    lane: str
    due: int = Field(description="could be done now")
    claimed: int = Field(description="being worked on")
    later: int
    given_up: int
    oldest_due_s: float = Field(description="seconds that the oldest due work has waited; 0 without due work")


class WorkOut(_Out):
    """Work that is due or was given up."""

    kind: str
    subject: UUID = Field(description="the run, upload or organisation that it is about")
    lane: str
    organisation_id: UUID
    organisation: str
    attempts: int
    error: str = Field(description="why the last attempt failed; empty where none has")
    at: datetime = Field(description="since when it is due, or when it was given up")


class PartitionOut(BaseModel):
    """Size of one partition of the intervals."""

    name: str
    size_bytes: int


class TableOut(_Out):
    """Size of one table with its indexes and partitions."""

    name: str
    size_bytes: int
    estimated_rows: int


class StoredOut(_Out):
    """What one organisation stores, and its limits."""

    organisation_id: UUID
    name: str
    members: int
    runs: int
    running: int = Field(description="of the runs, those that are not finished")
    uploads: int
    raw_files: int
    raw_bytes: int = Field(description="of its uploaded files")
    last_run_at: datetime | None
    limits: LimitsOut


class AgentVersionOut(_Out):
    """Use of one version of the agent."""

    version: str
    serving: int = Field(description="agents of it that asked for work in the last 30 days")
    runs: int = Field(description="runs that it measured in the last 30 days")
    last_at: datetime


class BackupOut(_Out):
    """The last backup that was written to its end."""

    made_at: datetime
    dump_bytes: int
    files_bytes: int
    files_missing: int


class OverviewOut(BaseModel):
    """The installation at one moment: figures without measured data."""

    now: datetime
    concerns: list[str] = Field(description="what needs attention, most urgent first")
    lanes: list[LaneOut]
    due: list[WorkOut] = Field(description="due longest and not being worked on")
    given_up: list[WorkOut] = Field(description="what was given up last")
    partition_days_ahead: int
    partitions: list[PartitionOut]
    tables: list[TableOut] = Field(description="the largest first")
    database_bytes: int
    raw_file_bytes: int
    raw_files: int
    oldest_transaction_s: float
    organisations: list[StoredOut] = Field(description="the largest first, at most 200")
    organisation_count: int
    agents: list[AgentVersionOut]
    backup: BackupOut | None
