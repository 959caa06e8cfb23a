"""API schemas of uploads."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.kit.outside_types import RequestBody
from tailroom.runs.schemas import DisclosureOut, EndState, FileProblemOut, VerdictSummaryOut, Visibility

UploadState = Literal["waiting", "read", "failed"]


class UploadFileOut(BaseModel):
    """A file of an upload, or a member of an archive, and its result.

    Format and tool are null if it was not read or not recognised; `size_bytes` is 0 if its bytes were
    deleted.
    """

    file_no: int
    name: str
    member: str | None = Field(description="name inside the archive; null for other files")
    sha256: str = Field(description="of the raw file, which may be an archive: /api/v1/raw-files/{sha256}")
    size_bytes: int
    format: str | None
    tool: str | None
    tool_version: str | None
    reason: str | None = Field(description="content by which the format was recognised")
    refusal: str | None = Field(description="why nothing could be read; the file is stored")
    read_with: str | None = Field(description="file whose run it belongs to")
    problems: list[FileProblemOut]
    run_ids: list[UUID]


class UploadedSeriesOut(BaseModel):
    """Short form of a series of an uploaded run, with the kind of its buckets."""

    operation: str
    clock: str
    device: str | None
    phase: str
    source_name: str | None
    layout: str = Field(description="`hdr`, `pow2`, `explicit`, or `statement` without buckets")
    interval_count: int


class UploadedRunOut(BaseModel):
    """A run that was read from the upload.

    `outcome_reason` is why the log ended early or the test failed; null for a complete log.
    """

    run_id: UUID
    title: str
    format: str
    tool: str
    tool_version: str | None
    workload: str
    end_state: EndState
    outcome_reason: str | None
    visibility: Visibility
    started_at: datetime
    started_at_known: bool
    measured_duration_ns: int | None
    closed_loop: bool
    series: list[UploadedSeriesOut]
    problems: list[FileProblemOut]
    disclosure: DisclosureOut
    verdicts: list[VerdictSummaryOut] = Field(description="verdicts so far")


class UploadOut(BaseModel):
    """An upload: its files and the runs that were read from them."""

    upload_id: UUID
    created_at: datetime
    read_at: datetime | None = Field(description="null before its files are read")
    state: UploadState = Field(description="`waiting`: a worker will read it")
    failure: str | None = Field(description="why it was given up; sending it again starts another attempt")
    files: list[UploadFileOut]
    runs: list[UploadedRunOut]


class UploadAnswersIn(RequestBody):
    """Facts that the files of an upload do not state."""

    answers: dict[str, str | int | float | bool | None] = Field(
        max_length=200,
        description="by field; null withdraws an answer. `tool.latency_unit` (ns, µs, ms or s) has the "
        "files read again, `tool.operation` names what was timed, `tool.loop` is open or closed",
    )
    run_id: UUID | None = Field(
        None, description="only for this run; null: for each run that does not state the fact"
    )


class UploadSummaryOut(BaseModel):
    """An upload in a list, with the numbers of its files, runs and problems."""

    upload_id: UUID
    created_at: datetime
    read_at: datetime | None = Field(description="null before its files are read")
    state: UploadState
    file_count: int = Field(description="files; members of archives are counted separately")
    run_count: int
    first_name: str = Field(description="name of its first file")
    refused_count: int = Field(description="unreadable files")
    problem_count: int = Field(description="warnings and errors about its files and runs")


class UploadPage(BaseModel):
    """A page of uploads, newest first."""

    uploads: list[UploadSummaryOut]
    next_cursor: str | None = Field(description="give it as `cursor` for the next page; null on the last one")
    total: int = Field(description="uploads on all pages")


class LineOut(BaseModel):
    """A line of a file with visible control characters."""

    number: int = Field(description="counts from 1")
    text: str = Field(description="control characters and invalid UTF-8 are replaced by symbols")
    truncated: bool = Field(description="the line is longer")


class LinesOut(BaseModel):
    """Lines around a requested line."""

    lines: list[LineOut]
    first: int = Field(description="number of the first line shown")
    last: int = Field(description="number of the last line shown")
