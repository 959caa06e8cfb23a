"""Observations of a machine, second by second: busy processors, disks, network, watts."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

_EMPTY_LIST = text("'[]'::jsonb")


class Observation(Base):
    """Data of one observer on one machine; second k begins k seconds after the start."""

    __tablename__ = "observation"
    __table_args__ = (
        CheckConstraint("samples >= 0", name="samples_counted"),
        Index("ix_observation_organisation_id_started_at_unix_ns", "organisation_id", "started_at_unix_ns"),
    )

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    observation_id: Mapped[UUID] = mapped_column(primary_key=True)
    host_name: Mapped[str]
    servers: Mapped[list[str]] = mapped_column(JSONB, default=list, server_default=_EMPTY_LIST)
    """Addresses of servers on the machine, as runs name them."""
    started_at_unix_ns: Mapped[int]
    """By the clock of this installation if `clock_error_ns` is known; else by the machine's own."""
    clock_error_ns: Mapped[int | None]
    """Error bound of the observer's estimate of this installation's clock; None: unknown."""
    gauges: Mapped[list[dict[str, str]]] = mapped_column(JSONB)
    """`{group, name, of, unit}`, in the order of the numbers."""
    unknown: Mapped[list[dict[str, str]]] = mapped_column(JSONB, default=list, server_default=_EMPTY_LIST)
    """`{group, reason}` of unreadable gauges."""
    agent: Mapped[dict[str, Any]] = mapped_column(JSONB)
    samples: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    """Number of stored seconds, without gaps."""
    ended_at_sample: Mapped[int | None]
    """Total number of seconds, once the observer has ended."""
    created_at: Mapped[datetime]
    last_data_at: Mapped[datetime | None]


class ObservationPart(Base):
    """Consecutive seconds of one group of gauges: `samples` seconds from number `first_sample`."""

    __tablename__ = "observation_part"

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    observation_id: Mapped[UUID] = mapped_column(primary_key=True)
    gauge_group: Mapped[str] = mapped_column(primary_key=True)
    first_sample: Mapped[int] = mapped_column(primary_key=True)
    samples: Mapped[int] = mapped_column(Integer)
    numbers: Mapped[list[list[float | None]]] = mapped_column(JSONB)
    """A list for each gauge of the group, in their order, with a number for each second; None if not read."""
