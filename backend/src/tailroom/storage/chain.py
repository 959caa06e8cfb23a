"""Chains: linked runs that measured the same operations at a device, a server, a database and a network."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class Chain(Base):
    """Runs linked by a person, or by the campaign that made them."""

    __tablename__ = "chain"
    __table_args__ = (CheckConstraint("confirmed_by IN ('person', 'campaign')", name="confirmed_by_known"),)

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    chain_id: Mapped[UUID] = mapped_column(primary_key=True)
    title: Mapped[str]
    confirmed_by: Mapped[str]
    created_at: Mapped[datetime]


class ChainHop(Base):
    """A run of a chain with the layer that it measured. It is deleted with its run."""

    __tablename__ = "chain_hop"
    __table_args__ = (
        CheckConstraint("layer IN ('device', 'server', 'database', 'network')", name="layer_known"),
        Index("ix_chain_hop_organisation_id_chain_id", "organisation_id", "chain_id"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    chain_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID]
    layer: Mapped[str]
    operation: Mapped[str | None]
    """Operation to compare; None: reads, or the operation that is used for reads in this run."""
