"""Answers to the operator of the installation. Times are ISO 8601 in UTC."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.operations.schemas import LimitsOut


class LaneOut(BaseModel):
    """Numbers of works in one lane (a queue of due work), by state."""

    lane: str
    due: int = Field(description="could be done now")
    claimed: int = Field(description="being worked on")
    later: int = Field(description="become due later, such as the next attempt after a failure")
    given_up: int = Field(description="failed too often; wait for a retry on request")
    oldest_due_s: float = Field(description="seconds that the oldest due work has waited; 0 without due work")


class WorkOut(BaseModel):
    """Work that is due or was given up."""

    kind: str
    subject: UUID = Field(description="the run, upload or organisation that it is about")
    lane: str
    organisation_id: UUID
    organisation: str
    attempts: int
    error: str = Field(description="why the last attempt failed; empty if none has")
    at: datetime = Field(description="since when it is due, or when it was given up")


class PartitionOut(BaseModel):
    """Size of one partition of the intervals."""

    name: str
    size_bytes: int


class TableOut(BaseModel):
    """Size of one table with its indexes and partitions."""

    name: str
    size_bytes: int
    estimated_rows: int = Field(description="PostgreSQL's estimate of the number of its rows")


class StoredOut(BaseModel):
    """Numbers of objects of an organisation, the size of its uploaded files, and its limits."""

    organisation_id: UUID
    name: str
    members: int
    runs: int
    running: int = Field(description="number of its runs that are not finished")
    uploads: int
    raw_files: int
    raw_bytes: int = Field(description="total size of its uploaded files")
    last_run_at: datetime | None = Field(description="start of its latest run; null: it has no run")
    limits: LimitsOut


class AgentVersionOut(BaseModel):
    """Use of one version of the agent in the last 30 days."""

    version: str
    serving: int = Field(description="agents of it that asked for work in the last 30 days")
    runs: int = Field(description="runs that it measured in the last 30 days")
    last_at: datetime = Field(description="latest run or request for work by an agent of this version")


class BackupOut(BaseModel):
    """The last backup that was written to its end."""

    made_at: datetime
    dump_bytes: int = Field(description="size of the dump of the database")
    files_bytes: int = Field(description="total size of the copied uploaded files")
    files_missing: int = Field(description="number of uploaded files that the store did not have")


class OverviewOut(BaseModel):
    """Work, storage and backups of the installation at one moment; nothing that runs have measured."""

    now: datetime
    concerns: list[str] = Field(description="sentences about what needs attention, most urgent first")
    lanes: list[LaneOut]
    due: list[WorkOut] = Field(description="due and not being worked on, longest due first, at most 50")
    given_up: list[WorkOut] = Field(description="failed too often, given up last first, at most 50")
    partition_days_ahead: int = Field(description="daily partitions of intervals that begin after now")
    partitions: list[PartitionOut] = Field(description="newest day first, the default partition last")
    tables: list[TableOut] = Field(description="the twelve largest, the largest first")
    database_bytes: int = Field(description="size of the whole database")
    raw_file_bytes: int = Field(description="of uploaded files; a file of two organisations counts twice")
    raw_files: int = Field(description="number of uploaded files, counted likewise")
    oldest_transaction_s: float = Field(
        description="seconds for which the oldest database transaction has been open; 0: none is open"
    )
    organisations: list[StoredOut] = Field(description="most bytes of files first, at most 200")
    organisation_count: int = Field(description="number of all organisations")
    agents: list[AgentVersionOut] = Field(description="by version, the latest use first")
    backup: BackupOut | None = Field(description="the last backup; null: none was made")
