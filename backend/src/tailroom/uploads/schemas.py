"""What the API says about uploads."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.runs.schemas import DisclosureOut, EndState, FileProblemOut, VerdictSummaryOut, Visibility


class UploadFileOut(BaseModel):
    """A file of an upload, or a member of an archive, and what was made of it."""

    file_no: int
    name: str
    sha256: str = Field(description="of the raw file that it is, or is packed in: /api/v1/raw-files/{sha256}")
    size_bytes: int
    format: str | None
    tool: str | None
    tool_version: str | None
    reason: str | None = Field(description="what in the file says that it is of this format")
    refusal: str | None = Field(description="why nothing could be read; the file is kept all the same")
    read_with: str | None = Field(description="the file whose run it went into")
    problems: list[FileProblemOut]
    run_ids: list[UUID]


class UploadedSeriesOut(BaseModel):
    """A series in a word."""

    operation: str
    clock: str
    device: str | None
    phase: str
    source_name: str | None
    layout: str = Field(description="`hdr`, `pow2`, `explicit`, or `statement`: no buckets are known")
    interval_count: int


class UploadedRunOut(BaseModel):
    """A run that was read from the upload."""

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
    verdicts: list[VerdictSummaryOut] = Field(description="those reached so far")


class UploadOut(BaseModel):
    """An upload: its files and the runs that were read from them."""

    upload_id: UUID
    created_at: datetime
    read_at: datetime | None = Field(description="null where reading was interrupted: send the files again")
    files: list[UploadFileOut]
    runs: list[UploadedRunOut]
