"""Verdicts: a row for each budget and method version by which a run was judged.

The row of an unfinished run is replaced; a later version of budget or method adds a row.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Integer, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class VerdictRow(Base):
    """A verdict; `result` is its document in the API, without id and time."""

    __tablename__ = "verdict"
    __table_args__ = (
        UniqueConstraint("run_id", "budget_name", "budget_version", "method_version"),
        CheckConstraint("verdict IN ('PASS', 'FAIL', 'INDETERMINATE')", name="verdict_known"),
        CheckConstraint("strength IN ('proven', 'observed')", name="strength_known"),
        CheckConstraint("(verdict = 'INDETERMINATE') = (reason IS NOT NULL)", name="reason_where_undecided"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    verdict_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID]
    budget_name: Mapped[str]
    budget_version: Mapped[int] = mapped_column(Integer)
    method_version: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str]
    verdict: Mapped[str]
    strength: Mapped[str | None]
    """`proven` or `observed`; None if the verdict is INDETERMINATE, and by a method before version 8."""
    reason: Mapped[str | None]
    """Why it is undecided (`domain.verdicts.verdict.Reason`); None if it is decided."""
    provisional: Mapped[bool]
    """Whether the run is unfinished or incomplete, so that a later verdict replaces the row."""
    data_through_ns: Mapped[int]
    """Measured time of the run that the verdict covers."""
    fingerprint: Mapped[bytes]
    """SHA-256 of the inputs of the verdict."""
    result: Mapped[dict[str, Any]]
    computed_at: Mapped[datetime]
