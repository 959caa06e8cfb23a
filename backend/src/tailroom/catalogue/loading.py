"""Loading of the reference data of the package into the database, once for each version of the data.

Rows of organisations are never changed. Of two processes that start together, the second waits for the first.
"""

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid5

import structlog
from sqlalchemy.orm import Session

from tailroom.catalogue import repository, suggestions
from tailroom.catalogue.items import Item, aliases_of, duplicates_among, fact_values, read_items
from tailroom.catalogue.publications.dataset import ReferenceInvalid, read_all
from tailroom.catalogue.publications.repository import PRINTED_COLUMNS, PUBLICATION_COLUMNS, SAME_COLUMNS
from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.kit.clock import utc_now

_log = structlog.get_logger(__name__)
_NAMESPACE = UUID("5f0a4c4e-0c5c-5b8e-9d0e-7a11a0000005")
"""Namespace of the ids of the package's items, which are the same in every database."""
_FORM = 1
"""Version of the way rows are made from the files; to be increased whenever that changes."""
_STATE = "reference"
"""Name under which the digest of the loaded data is stored."""


def load_reference(session: Session) -> bool:
    """Load the reference data of the package if they have changed; return whether they have.

    Accepted suggestions are applied again. Raise ReferenceInvalid if the data are malformed or contradict
    themselves.
    """
    items, publications = read_items(), read_all()
    digest = _digest(items, publications)
    repository.lock_reference(session)
    if repository.loaded_digest(session, _STATE) == digest:
        return False
    check(items, publications)
    now = utc_now()
    ids = {item.named.slug: uuid5(_NAMESPACE, item.named.slug) for item in items}
    repository.replace_items(
        session,
        items=[
            {
                "item_id": ids[item.named.slug],
                "slug": item.named.slug,
                "kind": item.kind,
                "vendor": item.named.vendor,
                "name": item.named.name,
                "organisation_id": None,
                "created_at": now,
            }
            for item in items
        ],
        aliases=[
            {"normalised": key, "item_id": ids[item.named.slug], "as_printed": spelling}
            for item in items
            for key, spelling in aliases_of(item.named).items()
        ],
        facts=[
            fact_values(ids[item.named.slug], position, fact)
            for item in items
            for position, fact in enumerate(item.facts)
        ],
        publications=[_publication_values(publication) for publication in publications],
        claims=[
            _claim_values(publication.slug, claim)
            for publication in publications
            for claim in publication.claims
        ],
        keep=suggestions.accepted_slugs(session),
    )
    suggestions.apply_accepted(session)
    repository.set_loaded(session, _STATE, digest, now)
    _log.info("reference_loaded", items=len(items), publications=len(publications))
    return True


def check(items: Sequence[Item], publications: Sequence[Publication]) -> None:
    """Raise ReferenceInvalid for an unknown item of a claim, unknown publication of a fact, or duplicates."""
    slugs = {item.named.slug for item in items}
    sources = {publication.slug for publication in publications}
    for publication in publications:
        for claim in publication.claims:
            if claim.item is not None and claim.item not in slugs:
                raise ReferenceInvalid(f"{publication.slug}: {claim.key}: there is no item {claim.item!r}")
    for item in items:
        for fact in item.facts:
            if fact.source_slug is not None and fact.source_slug not in sources:
                raise ReferenceInvalid(f"{item.named.slug}: there is no publication {fact.source_slug!r}")
    pairs = duplicates_among(items)
    if pairs:
        raise ReferenceInvalid(f"items are likely the same: {' and '.join(pairs[0])}")


def _publication_values(publication: Publication) -> dict[str, Any]:
    return {
        **{name: getattr(publication, name) for name in PUBLICATION_COLUMNS},
        "measurement": dict(publication.measurement),
        "not_disclosed": list(publication.not_disclosed),
        "tables": [dataclasses.asdict(table) for table in publication.tables],
        "content_sha256": _digest(publication),
    }


def _claim_values(slug: str, claim: PublishedClaim) -> dict[str, Any]:
    return {
        **{name: getattr(claim, name) for name in SAME_COLUMNS},
        **{name: getattr(claim.printed, name) for name in PRINTED_COLUMNS},
        "publication_slug": slug,
        "table_id": claim.table,
        "item_slug": claim.item,
        "load": None if claim.load is None else dataclasses.asdict(claim.load),
        "conditions": dict(claim.conditions),
        "comparison": str(claim.printed.comparison),
    }


def _digest(*parts: Any) -> bytes:
    """Return the SHA-256 of the version `_FORM` and these parts."""
    plain = json.dumps([_FORM, *parts], default=dataclasses.asdict, sort_keys=True)
    return hashlib.sha256(plain.encode()).digest()
