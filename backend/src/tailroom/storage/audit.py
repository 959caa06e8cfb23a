"""Findings of the plausibility checks: about publications, and about runs.

Findings are replaced as a whole when their data or the checks change; `position` is their order. A run whose
`analysis_state.audit_version` is another than that of the checks is audited again.
"""

from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Integer, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

_SEVERITIES = "severity IN ('high', 'medium', 'low', 'info')"


class PublicationFinding(Base):
    """A finding of a check, or of a person, about a publication. Publications belong to no organisation."""

    __tablename__ = "publication_finding"
    __table_args__ = (
        CheckConstraint(_SEVERITIES, name="severity_known"),
        CheckConstraint("origin IN ('computed', 'reviewed')", name="origin_known"),
    )

    publication_slug: Mapped[str] = mapped_column(
        ForeignKey("publication.slug", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    check_id: Mapped[str]
    """Id of the check: `P1` to `P20`."""
    severity: Mapped[str]
    kind: Mapped[str]
    statement: Mapped[str]
    figures: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    claim_keys: Mapped[list[str]] = mapped_column(ARRAY(Text))
    origin: Mapped[str]
    """`computed`: by a check of Tailroom; `reviewed`: by a person who read the publication."""
    reference: Mapped[str | None]


class RunFinding(Base):
    """A finding of a check about a run."""

    __tablename__ = "run_finding"
    __table_args__ = (CheckConstraint(_SEVERITIES, name="severity_known"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    organisation_id: Mapped[UUID]
    check_id: Mapped[str]
    severity: Mapped[str]
    kind: Mapped[str]
    statement: Mapped[str]
    figures: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
