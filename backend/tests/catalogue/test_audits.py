"""What readers found in the documents comes out of the checks where numbers allow it; the rest is marked."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tailroom.catalogue import audits
from tailroom.catalogue.audits import findings_of, findings_stored, reviewed_notes, store_findings
from tailroom.catalogue.loading import load_reference
from tailroom.catalogue.publications.dataset import read_all
from tailroom.domain.plausibility import AUDIT_VERSION
from tailroom.domain.plausibility.finding import CONSISTENT, TITLES, Finding
from tailroom.kit.db import Database
from tailroom.storage.audit import PublicationFinding

KNOWN: list[dict[str, Any]] = msgspec.yaml.decode(
    Path(__file__).with_name("known_findings.yaml").read_bytes(), type=list[dict[str, Any]]
)
SLUGS = [publication.slug for publication in read_all()]


def found_as(known: dict[str, Any]) -> list[Finding]:
    return [
        finding
        for finding in findings_of(known["about"])
        if known["id"] in (finding.reference or "").split(", ")
    ]


def test_every_number_of_the_list_is_known_once() -> None:
    groups = {"D": 17, "A": 14, "K": 15, "R": 9, "C": 6, "X": 4}
    wanted = {f"{letter}{number:02}" for letter, count in groups.items() for number in range(1, count + 1)}
    ids = [one["id"] for one in KNOWN]
    assert len(ids) == len(set(ids)) == 65
    assert set(ids) == wanted


@pytest.mark.parametrize("known", KNOWN, ids=lambda one: str(one["id"]))
def test_each_finding_of_the_readers_is_found(known: dict[str, Any]) -> None:
    found = found_as(known)
    assert found, "nothing answers it"
    assert {one.origin for one in found} == {known["how"]}
    (main, *_) = [one for one in found if one.check == known["check"] and one.severity == known["severity"]]
    assert known.get("words", "") in main.statement
    figures = {one.label: one.value for one in main.figures}
    for label, value in known.get("figures", {}).items():
        assert figures[label] == pytest.approx(value, rel=2e-3, abs=1e-12), label


def test_most_of_them_are_computed() -> None:
    how = [one["how"] for one in KNOWN]
    assert (how.count("computed"), how.count("reviewed")) == (47, 18)


def test_gains_of_the_two_systems_are_recomputed_from_the_printed_numbers() -> None:
    (gains,) = [one for one in findings_of("kioxia-cd8p-ycsb-2025") if one.check == "P4"]
    figures = {one.label: one for one in gains.figures}
    assert figures["largest recomputed gain"].value == pytest.approx(1.0940, abs=1e-4)
    truncated = [one for one in gains.figures if one.as_printed is not None]
    assert len(truncated) == 21
    for one in truncated:
        printed = float((one.as_printed or "").rstrip(" %"))
        assert one.value is not None
        assert printed + 0.5 < 100 * one.value < printed + 1


def test_the_boundary_row_of_the_page_is_named_as_undecided() -> None:
    about = [one for one in findings_of("aerospike-certification-2019") if one.reference == "C01"]
    failing, boundary = sorted(about, key=lambda one: one.kind)
    assert "L16sv2" not in failing.statement
    assert boundary.kind == "undecided"
    assert "L16sv2" in boundary.statement


def test_the_row_below_one_millisecond_is_undecided_where_the_tail_may_be_wide_enough() -> None:
    tails = [one for one in findings_of("redis-pm1725") if one.check == "P10"]
    assert [one.kind for one in tails] == ["undecided", "implausible tail"]
    assert next(
        one.value for one in tails[0].figures if one.label == "operations in flight"
    ) == pytest.approx(1016.8)


@pytest.mark.parametrize("slug", SLUGS)
def test_findings_name_claims_that_exist_and_checks_that_have_names(slug: str) -> None:
    publication = next(one for one in read_all() if one.slug == slug)
    keys = {claim.key for claim in publication.claims}
    for finding in findings_of(slug):
        assert set(finding.claim_keys) <= keys
        assert finding.check in TITLES
        assert (finding.kind == CONSISTENT) <= (finding.severity == "info")


def test_notes_of_readers_are_marked_and_have_no_figures() -> None:
    assert {note.origin for _, note in reviewed_notes()} == {"reviewed"}
    assert all(not note.figures for _, note in reviewed_notes())


def test_findings_are_stored_once_and_again_when_they_are_others(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as session:
        load_reference(session)
        store_findings(session)
        assert not store_findings(session), "nothing has changed"
        assert _count(session) == sum(len(findings_of(slug)) for slug in SLUGS)
        stored = findings_stored(session, "kioxia-cd8p-ycsb-2025")
        assert [row.statement for row in stored] == [
            one.statement for one in findings_of("kioxia-cd8p-ycsb-2025")
        ]
        monkeypatch.setattr(audits, "AUDIT_VERSION", AUDIT_VERSION + 1)
        assert store_findings(session), "other checks store findings again"
        assert _count(session) == sum(len(findings_of(slug)) for slug in SLUGS)
        monkeypatch.undo()
        store_findings(session)


def _count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(PublicationFinding)) or 0
