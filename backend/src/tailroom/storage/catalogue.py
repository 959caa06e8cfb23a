"""Catalogue of drives, servers, networks, databases and workloads, and the claims of documents.

A claim is one printed number. Rows of the reference data have no organisation and come from the package; an
organisation may add drives. Two facts that disagree are two rows.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, Integer, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class CatalogueItem(Base):
    """A drive model, server, network, database with its configuration, or workload."""

    __tablename__ = "catalogue_item"
    __table_args__ = (
        UniqueConstraint("slug"),
        CheckConstraint("kind IN ('drive', 'server', 'network', 'database', 'workload')", name="kind_known"),
        Index("ix_catalogue_item_kind_slug", "kind", "slug"),
    )

    item_id: Mapped[UUID] = mapped_column(primary_key=True)
    slug: Mapped[str]
    kind: Mapped[str]
    vendor: Mapped[str]
    name: Mapped[str]
    organisation_id: Mapped[UUID | None] = mapped_column(ForeignKey("organisation.id"))
    created_at: Mapped[datetime]


class CatalogueAlias(Base):
    """Another name of an item, normalised by `catalogue.names`."""

    __tablename__ = "catalogue_alias"
    __table_args__ = (
        Index("ix_catalogue_alias_item_id", "item_id"),
        CheckConstraint("normalised <> ''", name="says_something"),
    )

    normalised: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[UUID] = mapped_column(
        ForeignKey("catalogue_item.item_id", ondelete="CASCADE"), primary_key=True
    )
    as_printed: Mapped[str]


class CatalogueFact(Base):
    """A fact about an item, or about one of its capacities, as one source states it."""

    __tablename__ = "catalogue_fact"
    __table_args__ = (
        CheckConstraint("num_nonnulls(value_number, value_text) = 1", name="one_value"),
        CheckConstraint("num_nonnulls(source_slug, source_text) >= 1", name="has_source"),
        Index("ix_catalogue_fact_source_slug", "source_slug"),
    )

    item_id: Mapped[UUID] = mapped_column(
        ForeignKey("catalogue_item.item_id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    capacity_bytes: Mapped[int | None]
    """Capacity that the fact is about; None: every capacity of the item."""
    field: Mapped[str]
    value_number: Mapped[float | None] = mapped_column(Double)
    """Value in `unit`, like `lower` and `upper`; None if the fact is a text."""
    value_text: Mapped[str | None]
    unit: Mapped[str | None]
    unit_as_printed: Mapped[str | None]
    as_printed: Mapped[str]
    comparison: Mapped[str]
    """Sign of the printed value: `=`, `<`, `<=`, `>`, `>=` or `~`."""
    lower: Mapped[float | None] = mapped_column(Double)
    upper: Mapped[float | None] = mapped_column(Double)
    conditions: Mapped[dict[str, Any]]
    source_slug: Mapped[str | None]
    """Publication that states the fact."""
    source_text: Mapped[str | None]
    """Another source: an address, or the person who entered it."""


class PublicationRow(Base):
    """A published document, without its text."""

    __tablename__ = "publication"
    __table_args__ = (CheckConstraint("octet_length(content_sha256) = 32", name="content_sha256_length"),)

    slug: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str]
    publisher: Mapped[str]
    kind: Mapped[str]
    url: Mapped[str | None]
    date_as_printed: Mapped[str | None]
    document: Mapped[str]
    measurement: Mapped[dict[str, Any]]
    not_disclosed: Mapped[list[str]] = mapped_column(ARRAY(Text))
    tables: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    """Tables in the order of the document, each with its rows in order."""
    content_sha256: Mapped[bytes]
    """SHA-256 of the publication with its claims."""


class ClaimRow(Base):
    """A printed number of a publication: `as_printed`, and its value with bounds in `unit`."""

    __tablename__ = "claim"
    __table_args__ = (Index("ix_claim_item_slug", "item_slug"),)

    publication_slug: Mapped[str] = mapped_column(
        ForeignKey("publication.slug", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(Integer)
    row: Mapped[str]
    """Key of the table row in the publication, by which claims about one test belong together."""
    table_id: Mapped[str]
    row_label: Mapped[str | None]
    subject: Mapped[str]
    item_slug: Mapped[str | None] = mapped_column(ForeignKey("catalogue_item.slug"))
    quantity: Mapped[str]
    statistic: Mapped[str | None]
    threshold_ns: Mapped[int | None]
    """Latency threshold of a share of slow operations; None for other numbers."""
    operation: Mapped[str | None]
    workload: Mapped[str | None]
    metric_class: Mapped[str | None]
    config: Mapped[str | None]
    load: Mapped[dict[str, Any] | None]
    conditions: Mapped[dict[str, Any]]
    as_printed: Mapped[str]
    unit_as_printed: Mapped[str]
    value: Mapped[float | None] = mapped_column(Double)
    lower: Mapped[float | None] = mapped_column(Double)
    upper: Mapped[float | None] = mapped_column(Double)
    unit: Mapped[str]
    comparison: Mapped[str]
    """Sign of the printed value: `=`, `<`, `<=`, `>`, `>=` or `~`."""
    test_date_as_printed: Mapped[str | None]


class ReferenceState(Base):
    """SHA-256 of reference data of the package as last loaded into the database, by name of the data."""

    __tablename__ = "reference_state"
    __table_args__ = (CheckConstraint("octet_length(content_sha256) = 32", name="content_sha256_length"),)

    name: Mapped[str] = mapped_column(primary_key=True)
    content_sha256: Mapped[bytes]
    loaded_at: Mapped[datetime]
