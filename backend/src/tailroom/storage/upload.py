"""Uploaded files, and the sources of runs.

A run may be read from several files: a log, its configuration, and a longer copy of the log.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, UniqueConstraint, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class RawFile(Base):
    """Content that an organisation sent; the bytes are in the store of raw files."""

    __tablename__ = "raw_file"
    __table_args__ = (
        CheckConstraint("octet_length(sha256) = 32", name="sha256_length"),
        CheckConstraint("size_bytes >= 0", name="size_counts"),
    )

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    sha256: Mapped[bytes] = mapped_column(primary_key=True)
    size_bytes: Mapped[int]
    name: Mapped[str]
    """Name of the file when it was first uploaded."""
    stored_at: Mapped[datetime]


class Upload(Base):
    """Files that were sent together. The same files again are the same upload."""

    __tablename__ = "upload"
    __table_args__ = (
        UniqueConstraint("organisation_id", "content_sha256"),
        CheckConstraint("octet_length(content_sha256) = 32", name="content_sha256_length"),
        Index("ix_upload_organisation_id_created_at_upload_id", "organisation_id", "created_at", "upload_id"),
    )

    upload_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"))
    content_sha256: Mapped[bytes]
    """SHA-256 of the sorted SHA-256 of its files."""
    created_at: Mapped[datetime]
    read_at: Mapped[datetime | None]
    """Time at which its files were last read completely; None: not yet."""
    waiting: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict, server_default=text("'{}'::jsonb"))
    """Files to read, and the sender's options.

    They are `{files: [{name, sha256, size_bytes}], public, answers, title, labels, join, metric, match}`.
    After reading only the last three stay.
    """
    failure: Mapped[str | None]
    """Reason why reading was given up, else None; sending the files again restarts it."""


class UploadFile(Base):
    """A file of an upload, or a member of an archive, and the result of reading it."""

    __tablename__ = "upload_file"

    upload_id: Mapped[UUID] = mapped_column(
        ForeignKey("upload.upload_id", ondelete="CASCADE"), primary_key=True
    )
    file_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    organisation_id: Mapped[UUID]
    name: Mapped[str]
    member: Mapped[str] = mapped_column(default="", server_default="")
    """Name inside the archive; empty for other files."""
    sha256: Mapped[bytes]
    """SHA-256 of the raw file, which may be an archive."""
    format: Mapped[str | None]
    tool: Mapped[str | None]
    tool_version: Mapped[str | None]
    reason: Mapped[str | None]
    """Reason why the content has this format."""
    refusal: Mapped[str | None]
    """Reason why nothing could be read; None if something was."""
    read_with: Mapped[str | None]
    """Name of the file to whose run it belongs; None if it has runs of its own, or none."""
    problems: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    """Problems in the file: `{file, line, reason, severity}`."""
    run_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid))


class RunSource(Base):
    """Content from which a run was read. A longer copy of a log adds a row, and the largest is shown."""

    __tablename__ = "run_source"
    __table_args__ = (
        CheckConstraint("octet_length(sha256) = 32", name="sha256_length"),
        Index("ix_run_source_organisation_id_sha256", "organisation_id", "sha256", "member", "run_no"),
        Index("ix_run_source_organisation_id_content_sha256", "organisation_id", "content_sha256"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    sha256: Mapped[bytes] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID]
    member: Mapped[str]
    """Name inside the archive; empty for other files."""
    run_no: Mapped[int] = mapped_column(Integer)
    """Position of the run in the file, from 1."""
    chosen: Mapped[str] = mapped_column(default="", server_default="")
    """The metric and labels of histograms that the sender selected; empty for all."""
    size_bytes: Mapped[int]
    content_bytes: Mapped[int]
    """Uncompressed size. With the hash below, it shows whether one file is a longer copy of another."""
    content_sha256: Mapped[bytes]
    name: Mapped[str]
    beside: Mapped[list[bytes]] = mapped_column(ARRAY(BYTEA))
    """SHA-256 of the files that were read with it, sorted."""
    read_at: Mapped[datetime]
