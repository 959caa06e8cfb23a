"""Findings about the publications of the package: computed from their claims, and notes of reviewers.

Reviewers add data: notes (findings of their own), assertions (sentences of a document in structured form,
compared with its tables), and a reference list of findings that the checks must compute.
"""

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeVar

import msgspec
from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from tailroom.catalogue import repository
from tailroom.catalogue.finding_schema import FindingOut
from tailroom.catalogue.items import Item, read_items
from tailroom.catalogue.publications.dataset import ReferenceInvalid, read_all, reference_files
from tailroom.domain.claims.claim import Publication, printed_text
from tailroom.domain.plausibility import AUDIT_VERSION
from tailroom.domain.plausibility.assertions import Assertion
from tailroom.domain.plausibility.finding import REVIEWED, TITLES, Finding, Severity
from tailroom.domain.plausibility.material import Fact
from tailroom.domain.plausibility.publication import audit_publication
from tailroom.kit.clock import utc_now
from tailroom.storage.audit import PublicationFinding

_STATE = "findings"
"""Name under which the digest of the stored findings is stored."""
_FOLDER = "audits"
_SAME_COLUMNS = ("severity", "kind", "statement", "origin", "reference")
"""Columns of `PublicationFinding` with the names of the fields of a finding and of its API document."""
Form = TypeVar("Form", bound=msgspec.Struct)


class _StrictYaml(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the schemas of the files: unknown keys are errors."""


class _NoteIn(_StrictYaml, frozen=True, kw_only=True):
    """A finding written by a reviewer, as in the file."""

    reference: str
    publication: str
    check: str
    severity: Severity
    kind: str
    statement: str
    claim_keys: tuple[str, ...] = ()


class _NotesIn(_StrictYaml, frozen=True, kw_only=True):
    """Content of `reviewed_notes.yaml`."""

    format: Literal["tailroom-reviewed-notes/1"]
    notes: list[_NoteIn]


class _AssertionsIn(_StrictYaml, frozen=True, kw_only=True):
    """Content of `assertions.yaml`."""

    format: Literal["tailroom-assertions/1"]
    assertions: tuple[Assertion, ...]


class _ReferenceIn(_StrictYaml, frozen=True, kw_only=True):
    """An entry of the reference list: a finding by its number, and which computed finding must match it."""

    reference: str
    publication: str
    check: str
    kind: str
    claim: str | None = None

    def answered_by(self, finding: Finding) -> bool:
        """Return whether a computed finding corresponds to this entry of the reference list."""
        return (
            finding.check == self.check
            and finding.kind == self.kind
            and (self.claim is None or self.claim in finding.claim_keys)
        )


class _ReferencesIn(_StrictYaml, frozen=True, kw_only=True):
    """Content of `references.yaml`, the reference list."""

    format: Literal["tailroom-references/1"]
    references: list[_ReferenceIn]


def name_of(item: Item) -> str:
    """Return vendor and name of an item; the name alone if it starts with the vendor or has none."""
    vendor, name = item.named.vendor, item.named.name
    return name if name.startswith(vendor or "") else f"{vendor} {name}"


@cache
def facts() -> tuple[Fact, ...]:
    """Return every fact of the items of the package, in the form that the checks need."""
    return tuple(
        Fact(
            item.named.slug,
            fact.field,
            fact.number if fact.number is not None else printed_text(fact.as_printed),
            fact.conditions,
            fact.source_slug,
            name_of(item),
        )
        for item in read_items()
        for fact in item.facts
    )


@cache
def assertions() -> tuple[Assertion, ...]:
    """Return the assertions of all documents. Raise ReferenceInvalid for a malformed file."""
    return _read("assertions.yaml", _AssertionsIn).assertions


@cache
def reviewed_notes() -> tuple[tuple[str, Finding], ...]:
    """Return pairs of a publication's slug and a reviewer's note, in file order.

    Raise ReferenceInvalid if the file is malformed or names an unknown check.
    """
    notes = _read("reviewed_notes.yaml", _NotesIn).notes
    unknown = {note.check for note in notes} - TITLES.keys()
    if unknown:
        raise ReferenceInvalid(f"reviewed_notes.yaml: unknown checks: {', '.join(sorted(unknown))}")
    return tuple(
        (
            note.publication,
            Finding(
                note.check,
                note.severity,
                note.kind,
                note.statement,
                claim_keys=note.claim_keys,
                origin=REVIEWED,
                reference=note.reference,
            ),
        )
        for note in notes
    )


@cache
def findings_of(slug: str) -> tuple[Finding, ...]:
    """Return the computed findings about a publication of the package, then the reviewers' notes.

    Computed findings have their numbers in the reference list. Raise ReferenceInvalid if a finding names a
    claim that does not exist, or no computed finding matches an entry of the reference list.
    """
    publications = read_all()
    publication = next(candidate for candidate in publications if candidate.slug == slug)
    references = [
        reference
        for reference in _read("references.yaml", _ReferencesIn).references
        if reference.publication == slug
    ]
    computed = [
        _add_references(finding, references)
        for finding in audit_publication(publication, publications, facts(), assertions())
    ]
    for entry in references:
        if not any(entry.answered_by(finding) for finding in computed):
            raise ReferenceInvalid(f"references.yaml: {entry.reference}: no finding of {slug} answers it")
    computed = [_capitalise(finding) for finding in computed]
    notes = [note for about, note in reviewed_notes() if about == slug]
    _check_claims(publication, [*computed, *notes])
    return (*computed, *notes)


def _capitalise(finding: Finding) -> Finding:
    """Return the finding with a capital at its start, unless that is a name such as `memtier_benchmark`."""
    statement = finding.statement
    if not statement.partition(" ")[0].isalpha():
        return finding
    return dataclasses.replace(finding, statement=statement[:1].upper() + statement[1:])


def _add_references(finding: Finding, references: Sequence[_ReferenceIn]) -> Finding:
    """Return the finding with the numbers of its entries in the reference list; unchanged if it has none."""
    answered = sorted({reference.reference for reference in references if reference.answered_by(finding)})
    return dataclasses.replace(finding, reference=", ".join(answered)) if answered else finding


def _check_claims(publication: Publication, findings: Sequence[Finding]) -> None:
    keys = {claim.key for claim in publication.claims}
    for finding in findings:
        # Findings between publications name claims of both.
        unknown = [key for key in finding.claim_keys if key not in keys]
        if unknown:
            raise ReferenceInvalid(
                f"{publication.slug}: a finding of {finding.check} names no claim: {unknown[0]}"
            )


def store_findings(session: Session) -> bool:
    """Replace the stored findings if claims, notes or checks have changed; return whether they have.

    The publications must be in the database already. Raise ReferenceInvalid as `findings_of` does.
    """
    slugs = [publication.slug for publication in read_all()]
    rows = [row for slug in slugs for row in finding_rows(slug)]
    plain = json.dumps([AUDIT_VERSION, rows], sort_keys=True)
    digest = hashlib.sha256(plain.encode()).digest()
    repository.lock_reference(session)
    stored = session.scalar(select(func.count()).select_from(PublicationFinding))
    if repository.loaded_digest(session, _STATE) == digest and stored == len(rows):
        return False
    session.execute(delete(PublicationFinding))
    if rows:
        session.execute(insert(PublicationFinding), rows)
    repository.set_loaded(session, _STATE, digest, utc_now())
    return True


def finding_rows(slug: str) -> list[dict[str, object]]:
    """Return the rows of `PublicationFinding` (column → value) for a publication of the package, in order.

    Raise ReferenceInvalid as `findings_of` does.
    """
    return [
        {
            "publication_slug": slug,
            "position": position,
            "check_id": finding.check,
            **{name: getattr(finding, name) for name in _SAME_COLUMNS},
            "figures": [dataclasses.asdict(figure) for figure in finding.figures],
            "claim_keys": list(finding.claim_keys),
        }
        for position, finding in enumerate(findings_of(slug))
    ]


def findings_stored(session: Session, slug: str) -> Sequence[PublicationFinding]:
    """Return the stored findings about a publication, in order."""
    return session.scalars(
        select(PublicationFinding)
        .where(PublicationFinding.publication_slug == slug)
        .order_by(PublicationFinding.position)
    ).all()


def finding_counts(session: Session) -> dict[str, int]:
    """Return the number of stored findings by publication slug, without passed checks; 0 is left out."""
    rows = session.execute(
        select(PublicationFinding.publication_slug, func.count())
        .where(PublicationFinding.severity != "info")
        .group_by(PublicationFinding.publication_slug)
    )
    return {slug: int(count) for slug, count in rows}


def _read(name: str, form: type[Form]) -> Form:
    """Return a file of the folder of audits, decoded as `form`. Raise ReferenceInvalid if it is malformed."""
    content = next(file for file in reference_files(_FOLDER) if file.name == name).read_bytes()
    try:
        return msgspec.yaml.decode(content, type=form)
    except msgspec.MsgspecError as error:
        raise ReferenceInvalid(f"{name}: {error}") from error


def finding_out(row: PublicationFinding) -> FindingOut:
    """Return a stored finding for the API."""
    return FindingOut.model_validate(
        {
            "id": f"{row.publication_slug}-{row.position}",
            "check": row.check_id,
            "check_title": TITLES[row.check_id],
            **{name: getattr(row, name) for name in (*_SAME_COLUMNS, "figures", "claim_keys")},
        }
    )
