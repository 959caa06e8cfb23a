"""A run: an execution of a workload on a configuration, announced by an agent or read from a result file."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Boolean, CheckConstraint, ForeignKey, Index, SmallInteger, Text, literal_column, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.domain.simulated import ENGINE_NAMES, NO_ENGINE
from tailroom.storage.base import Base
from tailroom.storage.free_document import FreeDocument

RUNNING = "running"
FINISHING = "finishing"
FINISHED = "finished"

AGENT = "agent"
UPLOAD = "upload"

PRIVATE = "private"
PUBLIC = "public"
RETRACTED = "retracted"

LADDER_ID = literal_column("((run.plan -> 'ladder') ->> 'id')", Text)
"""SQL of the id of a run's search for the highest load (ladder), as in the index; NULL without a search."""

SUITE_ID = literal_column("((run.plan -> 'qualify') ->> 'id')", Text)
"""SQL of the id of the qualification suite in a run's plan, as in the index; NULL without a suite."""

_NAMES_NULL = "jsonb_path_exists({plan}, '$.* ? ({any_null})')"
_ANY_NULL = " || ".join(f'@.{name} == "{NO_ENGINE}"' for name in ENGINE_NAMES)
SIMULATED_INDEXED = _NAMES_NULL.format(plan="plan", any_null=_ANY_NULL)
SIMULATED = literal_column(_NAMES_NULL.format(plan="run.plan", any_null=_ANY_NULL), Boolean)
"""`domain.simulated.is_simulated` in a query; the expression is that of the index."""


_EMPTY_LIST, _EMPTY_OBJECT = text("'[]'::jsonb"), text("'{}'::jsonb")


class Run(Base):
    """A run; its state goes from `running` to `finishing` (intervals are missing) to `finished`."""

    __tablename__ = "run"
    __table_args__ = (
        CheckConstraint("state IN ('running', 'finishing', 'finished')", name="state_known"),
        CheckConstraint("outcome IN ('completed', 'stopped', 'failed', 'interrupted')", name="outcome_known"),
        CheckConstraint("source IN ('agent', 'upload')", name="source_known"),
        CheckConstraint("visibility IN ('private', 'public', 'retracted')", name="visibility_known"),
        Index("ix_run_organisation_id_started_at_run_id", "organisation_id", "started_at", "run_id"),
        Index("ix_run_started_at_run_id", "started_at", "run_id", postgresql_where="visibility = 'public'"),
        Index("ix_run_expired_classes_last_data_at", "expired_classes", "last_data_at"),
        Index("ix_run_state", "state", postgresql_where="state <> 'finished'"),
        Index(
            "ix_run_organisation_id_simulated", "organisation_id", postgresql_where=text(SIMULATED_INDEXED)
        ),
        Index(
            "ix_run_organisation_id_ladder_id",
            "organisation_id",
            text("((plan -> 'ladder') ->> 'id')"),
            postgresql_where="((plan -> 'ladder') ->> 'id') IS NOT NULL",
        ),
        Index(
            "ix_run_suite_id",
            text("((plan -> 'qualify') ->> 'id')"),
            postgresql_where="((plan -> 'qualify') ->> 'id') IS NOT NULL",
        ),
    )

    run_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"))
    title: Mapped[str]
    workload: Mapped[str]
    state: Mapped[str] = mapped_column(default=RUNNING)
    outcome: Mapped[str | None]
    outcome_reason: Mapped[str | None]
    started_at: Mapped[datetime]
    started_at_unix_ns: Mapped[int]
    planned_duration_ns: Mapped[int]
    measured_duration_ns: Mapped[int | None]
    """Duration by the finish message or the file; None before it, or if not stated."""
    agent: Mapped[dict[str, Any]]
    host: Mapped[dict[str, Any]] = mapped_column(FreeDocument("host"))
    plan: Mapped[dict[str, Any]] = mapped_column(FreeDocument("plan"))
    content_sha256: Mapped[bytes]
    """SHA-256 of the announcement in canonical form, by which a repetition is recognised."""
    finish: Mapped[dict[str, Any] | None]
    """The finish message: outcome, reason, duration_ns, last_seq, and a hash of `drive_counters`, if any.

    None before it.
    """
    drive_counters: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True), deferred=True)
    """Counters of the measured drives, as domain.drive_counters.document; large, so loaded on demand."""
    stop_requested_at: Mapped[datetime | None]
    last_data_at: Mapped[datetime | None]
    """When the last new interval was stored."""
    data_through_ns: Mapped[int] = mapped_column(default=0)
    """Largest end of a stored interval, in ns since the start of the run."""
    created_at: Mapped[datetime]
    source: Mapped[str] = mapped_column(default=AGENT, server_default=AGENT)
    """`agent`: measured by an agent; `upload`: read from uploaded files."""
    tool: Mapped[str | None]
    tool_version: Mapped[str | None]
    format: Mapped[str | None]
    """Importer and kind of file, such as `act-storage`."""
    end_state: Mapped[str | None]
    """End of the run by the content of its file (importers.parsed_run.EndState); see `outcome_reason`."""
    closed_loop: Mapped[bool] = mapped_column(default=False, server_default=text("false"))
    """Whether each operation waited for the answer before it (closed loop), so response times are unknown."""
    started_at_known: Mapped[bool] = mapped_column(default=True, server_default=text("true"))
    """False: `started_at` is the time of the upload, because the start of the run is not known."""
    problems: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list, server_default=_EMPTY_LIST)
    """Problems of the file: `{file, line, reason, severity}`."""
    missing: Mapped[list[str]] = mapped_column(JSONB, default=list, server_default=_EMPTY_LIST)
    """Disclosure fields that the file does not state."""
    disclosed: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict, server_default=_EMPTY_OBJECT)
    """Answers of a person by field: `{value, answered_at}`, apart from the contents of the file."""
    claims: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list, server_default=_EMPTY_LIST)
    """Figures printed in the file, as importers.parsed_run.Claim."""
    courses: Mapped[list[dict[str, Any]]] = mapped_column(
        JSONB, default=list, server_default=_EMPTY_LIST, deferred=True
    )
    """Figures over time from a machine's log, as importers.parsed_run.MachineCourse; loaded on demand."""
    visibility: Mapped[str] = mapped_column(default=PRIVATE, server_default=PRIVATE)
    published_at: Mapped[datetime | None]
    shown_names: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list, server_default=text("'{}'"))
    """Kinds of names that other readers see (`kit.private_names.KINDS`); others are made neutral."""
    public_title: Mapped[str | None]
    """The title for other readers if it has a hidden name; None: `title`."""
    expired_classes: Mapped[int] = mapped_column(SmallInteger, default=0, server_default=text("0"))
    """Number of classes of data that retention has removed (operations.retention)."""
    worst_verdict: Mapped[int | None] = mapped_column(SmallInteger)
    """Rank of the worst of the newest verdicts (`domain.verdicts.order`); None: not judged."""
    worst_built_in_verdict: Mapped[int | None] = mapped_column(SmallInteger)
    """Rank of the worst verdict by built-in budgets only, by which other readers sort published runs."""
    retracted_at: Mapped[datetime | None]
    retraction_reason: Mapped[str | None]
