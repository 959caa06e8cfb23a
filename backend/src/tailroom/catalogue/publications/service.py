"""Publications for the API: their claims, recalculated numbers, and the findings of the checks."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from tailroom.catalogue import repository as items
from tailroom.catalogue.audits import finding_counts, finding_out, findings_stored
from tailroom.catalogue.errors import PublicationUnknown
from tailroom.catalogue.publications import repository
from tailroom.catalogue.publications.recomputed import RecomputedNumber, recomputed
from tailroom.catalogue.publications.schemas import PublicationOut, PublicationsOut
from tailroom.catalogue.service import fact_of, fact_out, printed_out
from tailroom.domain.claims.claim import ClaimTable, Publication, PublishedClaim


def list_publications(session: Session) -> PublicationsOut:
    """Return every publication with its numbers of claims and of findings, by title."""
    findings = finding_counts(session)
    high = repository.high_findings(session)
    return PublicationsOut.model_validate(
        {
            "publications": [
                {
                    **{name: getattr(row, name) for name in repository.PUBLICATION_COLUMNS},
                    "claim_count": claims,
                    "row_count": sum(len(table["rows"]) for table in row.tables),
                    "finding_count": findings.get(row.slug, 0),
                    "high_count": len(high.get(row.slug, ())),
                    "high_kinds": list(dict.fromkeys(high.get(row.slug, ()))),
                }
                for row, claims in repository.overview(session)
            ]
        }
    )


def publication(session: Session, slug: str) -> PublicationOut:
    """Return a publication for the API. Raise PublicationUnknown if there is none with this slug."""
    publication = repository.publication(session, slug)
    if publication is None:
        offered = ", ".join(repository.slugs(session))
        raise PublicationUnknown(f"There is no publication “{slug[:80]}”. There are: {offered}.")
    return PublicationOut.model_validate(
        {
            **{name: getattr(publication, name) for name in repository.PUBLICATION_COLUMNS},
            "conditions": dict(publication.measurement),
            "not_disclosed": list(publication.not_disclosed),
            "claim_count": len(publication.claims),
            "tables": [_table(publication, table) for table in publication.tables],
            "specs": _specs(session, slug),
            "findings": [finding_out(finding) for finding in findings_stored(session, slug)],
            "recomputed": [_recomputed(value) for value in recomputed(publication)],
        }
    )


def _table(publication: Publication, table: ClaimTable) -> dict[str, Any]:
    by_row: dict[str, list[PublishedClaim]] = {row: [] for row in table.rows}
    for claim in publication.claims:
        if claim.table == table.id:
            by_row[claim.row].append(claim)
    return {
        "id": table.id,
        "title": table.title_as_printed or table.title,
        "title_as_printed": table.title_as_printed,
        "note": table.note,
        "rows": [_row(row, claims) for row, claims in by_row.items()],
    }


def _row(row: str, claims: Sequence[PublishedClaim]) -> dict[str, Any]:
    subjects = list(dict.fromkeys(claim.subject for claim in claims))
    slugs = {claim.item for claim in claims}
    return {
        "row": row,
        "label": claims[0].row_label if claims else None,
        "subject": " · ".join(subjects),
        "item_slug": next(iter(slugs)) if len(slugs) == 1 else None,
        "test_date_as_printed": claims[0].test_date_as_printed if claims else None,
        "claims": [_claim(claim) for claim in claims],
    }


def _claim(claim: PublishedClaim) -> dict[str, Any]:
    return {
        **{name: getattr(claim, name) for name in repository.SAME_COLUMNS},
        "table": claim.table,
        "item_slug": claim.item,
        "load": None if claim.load is None else dataclasses.asdict(claim.load),
        "conditions": dict(claim.conditions),
        "printed": printed_out(claim.printed),
    }


def _specs(session: Session, slug: str) -> list[dict[str, Any]]:
    specs: dict[str, dict[str, Any]] = {}
    for fact, item in items.facts_from(session, slug):
        spec = specs.setdefault(
            item.slug,
            {"slug": item.slug, "kind": item.kind, "vendor": item.vendor, "name": item.name, "facts": []},
        )
        spec["facts"].append(fact_out(fact_of(fact), conflict=False))
    return list(specs.values())


def _recomputed(value: RecomputedNumber) -> dict[str, Any]:
    return {
        "claim_key": value.beside.key,
        "label": value.label,
        "rests_on": list(value.rests_on),
        **dataclasses.asdict(value.number),
        "unit": value.unit,
        "agrees": value.agrees,
        "how": value.how,
    }
