"""The public price list: every price that a publication states, and whether an own price replaces it."""

from dataclasses import asdict
from itertools import groupby
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.catalogue.price_schemas import PublishedPriceOut, PublishedPricesOut
from tailroom.catalogue.prices import capacity_of, rows_of
from tailroom.catalogue.repository import visible
from tailroom.catalogue.stated_prices import PRICE, prices_of
from tailroom.storage.catalogue import CatalogueFact, CatalogueItem


def published_prices(session: Session, organisation_id: UUID) -> PublishedPricesOut:
    """Return the prices that an organisation sees, by vendor, name and capacity, the newest first."""
    query = (
        select(CatalogueItem, CatalogueFact)
        .join(CatalogueFact, CatalogueFact.item_id == CatalogueItem.item_id)
        .where(CatalogueFact.field == PRICE, visible(organisation_id))
        .order_by(
            CatalogueItem.vendor,
            CatalogueItem.name,
            CatalogueItem.slug,
            CatalogueFact.capacity_bytes,
            CatalogueFact.position,
        )
    )
    own = {(row.drive_slug, capacity_of(row)) for row in rows_of(session, organisation_id)}
    prices: list[PublishedPriceOut] = []
    for (slug, capacity_bytes), facts in groupby(
        session.execute(query).all(), key=lambda row: (row[0].slug, row[1].capacity_bytes)
    ):
        rows = list(facts)
        item = rows[0][0]
        intervals = prices_of(fact for _, fact in rows)
        prices += [
            PublishedPriceOut(
                slug=slug,
                vendor=item.vendor,
                name=item.name,
                capacity_bytes=capacity_bytes,
                is_newest=price.date == intervals[0].date,
                own_price=not own.isdisjoint({(slug, capacity_bytes), (slug, None)}),
                **asdict(price),
            )
            for price in intervals
        ]
    return PublishedPricesOut(prices=prices)
