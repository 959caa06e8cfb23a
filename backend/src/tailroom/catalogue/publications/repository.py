"""Queries about publications and their claims; the results are domain objects."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tailroom.domain.claims.claim import (
    ClaimTable,
    Load,
    PrintedNumber,
    Publication,
    PublishedClaim,
    Relation,
)
from tailroom.storage.audit import PublicationFinding
from tailroom.storage.catalogue import ClaimRow, PublicationRow

PUBLICATION_COLUMNS = ("slug", "title", "publisher", "kind", "url", "date_as_printed", "document")
"""Columns of `PublicationRow` with the names of the fields of `Publication`."""
SAME_COLUMNS = (
    *("key", "row", "row_label", "position", "subject", "quantity", "statistic", "threshold_ns"),
    *("operation", "workload", "metric_class", "config", "test_date_as_printed"),
)
"""Columns of `ClaimRow` with the names of the fields of `PublishedClaim`."""
PRINTED_COLUMNS = ("as_printed", "unit_as_printed", "value", "lower", "upper", "unit")
"""Columns of `ClaimRow` with the names of the fields of `PrintedNumber`."""


def publication(session: Session, slug: str) -> Publication | None:
    """Return a publication with its claims in the order of the document; None if there is no such slug."""
    row = session.get(PublicationRow, slug)
    if row is None:
        return None
    claims = session.scalars(
        select(ClaimRow).where(ClaimRow.publication_slug == slug).order_by(ClaimRow.position)
    ).all()
    return _publication(row, claims)


def publications(session: Session) -> list[Publication]:
    """Return every publication with its claims, by slug."""
    rows = session.scalars(select(PublicationRow).order_by(PublicationRow.slug)).all()
    claims: dict[str, list[ClaimRow]] = {row.slug: [] for row in rows}
    for claim in session.scalars(select(ClaimRow).order_by(ClaimRow.publication_slug, ClaimRow.position)):
        claims[claim.publication_slug].append(claim)
    return [_publication(row, claims[row.slug]) for row in rows]


def overview(session: Session) -> Sequence[tuple[PublicationRow, int]]:
    """Return pairs of a publication's row and the number of its claims, by title."""
    counts = (
        select(ClaimRow.publication_slug, func.count().label("claims"))
        .group_by(ClaimRow.publication_slug)
        .subquery()
    )
    query = (
        select(PublicationRow, func.coalesce(counts.c.claims, 0))
        .outerjoin(counts, counts.c.publication_slug == PublicationRow.slug)
        .order_by(PublicationRow.title, PublicationRow.slug)
    )
    return [(row, int(count)) for row, count in session.execute(query)]


def high_findings(session: Session) -> dict[str, list[str]]:
    """Return the kinds of the high-severity findings by publication slug, in order and with repetitions."""
    query = (
        select(PublicationFinding.publication_slug, PublicationFinding.kind)
        .where(PublicationFinding.severity == "high")
        .order_by(PublicationFinding.publication_slug, PublicationFinding.position)
    )
    kinds: dict[str, list[str]] = {}
    for slug, kind in session.execute(query):
        kinds.setdefault(slug, []).append(kind)
    return kinds


def slugs(session: Session) -> list[str]:
    """Return the slugs of all publications, sorted."""
    return list(session.scalars(select(PublicationRow.slug).order_by(PublicationRow.slug)))


def _publication(row: PublicationRow, claims: Sequence[ClaimRow]) -> Publication:
    tables = tuple(ClaimTable(**(table | {"rows": tuple(table["rows"])})) for table in row.tables)
    titles = {table.id: table.title_as_printed for table in tables}
    return Publication(
        **{name: getattr(row, name) for name in PUBLICATION_COLUMNS},
        measurement=row.measurement,
        not_disclosed=tuple(row.not_disclosed),
        tables=tables,
        claims=tuple(_claim(claim, titles.get(claim.table_id)) for claim in claims),
    )


def _claim(row: ClaimRow, table_title: str | None) -> PublishedClaim:
    return PublishedClaim(
        **{name: getattr(row, name) for name in SAME_COLUMNS},
        table=row.table_id,
        table_title=table_title,
        item=row.item_slug,
        load=None if row.load is None else Load(**row.load),
        conditions=row.conditions,
        printed=PrintedNumber(
            **{name: getattr(row, name) for name in PRINTED_COLUMNS}, comparison=Relation(row.comparison)
        ),
    )
