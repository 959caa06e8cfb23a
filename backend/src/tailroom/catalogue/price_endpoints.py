"""Endpoints of the price list of the caller's organisation."""

from typing import Annotated

from fastapi import APIRouter, Path

from tailroom.access.capabilities import Capability
from tailroom.access.errors import OriginForeign, TokenScope
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.catalogue import prices
from tailroom.catalogue.errors import PriceListFull, PriceListInvalid
from tailroom.catalogue.price_schemas import PriceListIn, PriceListOut, PublishedPricesOut
from tailroom.catalogue.prices import published_prices
from tailroom.kit.body_limit import RequestTooLarge
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.limits import ANSWERS_BODY_BYTES

router = APIRouter(prefix="/api/v1/price-list", tags=["catalogue"], route_class=GuardedRoute)


@router.get("", summary="The organisation's own prices", responses=problem_responses(StorageUnavailable))
@needs(Capability.READ)
def get_price_list(caller: CallerDep, session: SessionDep) -> PriceListOut:
    """Return price, power and endurance by drive and capacity, each entry with date and source."""
    return prices.price_list(session, caller.organisation_id)


@router.get(
    "/published",
    summary="Prices that documents state",
    responses=problem_responses(StorageUnavailable),
)
@needs(Capability.READ)
def get_published_prices(caller: CallerDep, session: SessionDep) -> PublishedPricesOut:
    """Return the prices of the catalogue, each as an interval with date and source."""
    return published_prices(session, caller.organisation_id)


@router.put(
    "",
    summary="Add prices, by entries or as CSV",
    responses=problem_responses(
        TokenScope,
        OriginForeign,
        PriceListInvalid,
        PriceListFull,
        RequestTooLarge,
        RequestInvalid,
        StorageUnavailable,
    ),
)
@needs(Capability.EDIT_CATALOGUE, body_bytes=ANSWERS_BODY_BYTES)
def store_prices(body: PriceListIn, caller: CallerDep, session: SessionDep) -> PriceListOut:
    """Store entries, replacing those about the same drive and capacity. All entries are stored, or none."""
    return prices.store(session, caller.organisation_id, body, utc_now())


@router.delete(
    "/{slug}/{capacity_bytes}",
    summary="Remove a price",
    responses=problem_responses(TokenScope, OriginForeign, RequestInvalid, StorageUnavailable),
)
@needs(Capability.EDIT_CATALOGUE)
def remove_price(
    slug: Annotated[str, Path(max_length=200, pattern=r"^[a-z0-9-]+$")],
    capacity_bytes: Annotated[int, Path(ge=0, lt=2**60, description="0: of every capacity")],
    caller: CallerDep,
    session: SessionDep,
) -> PriceListOut:
    """Delete an entry, and return the list without it. No error if there is none."""
    return prices.remove(session, caller.organisation_id, slug, capacity_bytes)
