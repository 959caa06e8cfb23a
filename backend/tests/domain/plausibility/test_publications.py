"""The checks find nothing where everything agrees, and each finds the error that was planted for it."""

from dataclasses import replace

import pytest
from backend.tests.domain.plausibility.made_up import (
    changed,
    claim,
    consistent,
    drive_tests,
    planted,
    publication,
)

from tailroom.domain.claims.claim import Load, Publication, Relation
from tailroom.domain.plausibility.assertions import Assertion
from tailroom.domain.plausibility.finding import Finding
from tailroom.domain.plausibility.publication import audit_publication


def against(found: Publication, others: tuple[Publication, ...] = ()) -> list[Finding]:
    """What contradicts."""
    return [one for one in audit_publication(found, others) if one.contradicts]


def test_nothing_is_found_in_a_consistent_publication() -> None:
    found = audit_publication(publication(consistent()), ())
    assert [(one.check, one.statement) for one in found if one.kind != "consistent"] == []
    made = {one.check for one in found}
    assert made >= {"P1", "P2", "P3", "P4", "P5", "P6", "P9", "P14", "P16"}, "they were made at all"


PLANTED = {
    "P1": planted("mean/old", "300.31", "us"),
    "P2": planted("runtime/new", "10.2", "s"),
    "P3": planted("p99/new", "950.00", "us"),
    "P4": planted("throughput/gain", "101", "%"),
    "P5": planted("load1/1ms/device", "2.40", "%"),
    "P6": planted("load3/8ms/total", "0.45", "%"),
    "P12": changed(
        lambda one: (
            replace(one, load=Load(1.0, operations_per_s=3100.0, as_printed="3,100"))
            if one.key.startswith("load1")
            else one
        )
    ),
    "P14": changed(lambda one: replace(one, test_date_as_printed="11/1/2020" if "ms/" in one.key else None)),
    "P16": planted("load3/1ms/total", "5.10", "%"),
    "P17": changed(
        lambda one: replace(one, conditions={**one.conditions, "tool": "ycsb", "tool_version": "0.18.0"})
    ),
}


@pytest.mark.parametrize("check", PLANTED)
def test_each_check_finds_its_own_planted_error(check: str) -> None:
    found = against(PLANTED[check])
    assert check in {one.check for one in found}


def test_a_later_share_that_is_larger_breaks_the_order_of_thresholds() -> None:
    (found,) = [one for one in against(planted("load1/8ms/total", "2.50", "%")) if one.check == "P3"]
    assert found.kind == "thresholds out of order"
    assert found.claim_keys == ("load1/1ms/total", "load1/8ms/total")


def test_a_mean_that_its_percentiles_do_not_allow_is_found() -> None:
    (found, *_) = [one for one in against(planted("p99/new", "11000.00", "us")) if one.check == "P3"]
    assert found.kind in {"percentiles out of order", "mean below its percentiles"}
    alone = publication([one for one in consistent() if not one.key.startswith("tail")])
    claims = [
        replace(one, printed=replace(one.printed, value=1.1e7, lower=1.1e7, upper=1.1e7))
        if one.key == "p99/new"
        else one
        for one in alone.claims
    ]
    (below,) = [one for one in against(publication(claims)) if one.check == "P3"]
    assert below.kind == "mean below its percentiles"
    # One read in a hundred lasts 11 ms or longer.
    assert below.figures[1].value == pytest.approx(110_000)


def test_rounding_hides_what_it_may_hide() -> None:
    # 2.0 and 1.95 to 2.05: the device may still lie below the total.
    assert "P5" not in {one.check for one in against(planted("load1/1ms/device", "2.0", "%"))}
    # 0.50 at 1x and 0.5 at 3x: nothing says that it fell.
    assert "P6" not in {one.check for one in against(planted("load3/8ms/total", "0.5", "%"))}


def test_a_share_that_equals_its_limit_is_undecided_and_not_a_failure() -> None:
    found = audit_publication(planted("load3/64ms/total", "0.1", "%"), ())
    (open_row,) = [one for one in found if one.kind == "undecided"]
    assert open_row.check == "P16"
    assert "listed although failing" not in {one.kind for one in found}


def test_one_quantity_with_two_values_is_found_and_with_one_is_not() -> None:
    def twice(second: str) -> list[Finding]:
        extra = [
            claim("here/share", "read_share", "67", "%", subject="test"),
            claim("there/share", "read_share", second, "%", subject="test"),
        ]
        return [one for one in against(publication(consistent() + extra)) if one.check == "P7"]

    assert [one.kind for one in twice("33")] == ["contradiction"]
    assert twice("67") == []


def test_a_load_that_was_not_reached_is_told_from_one_that_was() -> None:
    def at(rate: str) -> list[str]:
        load = Load(reads_per_s=3e6, writes_per_s=5e5)
        only = Load(reads_per_s=3e6)
        extra = [
            claim(
                "c1/latency", "share_below", "95", "%", threshold_ns=5_000_000, operation="READ", load=load
            ),
            claim(
                "c2/rate",
                "update_rate",
                rate,
                "ops/s",
                statistic="supportable",
                load=only,
                comparison=Relation.ABOUT,
            ),
        ]
        return [one.kind for one in against(publication(extra)) if one.check == "P7"]

    assert at("250,000") == ["load not reached"]
    assert at("450,000") == [], "about 450,000 may be 500,000"


def test_row_labels_that_name_another_operation_are_found() -> None:
    def rows(label: str) -> list[Finding]:
        claims = [
            claim(
                f"t7-r1/{config}",
                "latency",
                "180.00",
                "us",
                table="Test 7: Insert latency",
                label=label,
                operation="INSERT",
                statistic="mean",
                workload="D",
                config=config,
            )
            for config in ("new", "old")
        ]
        return [one for one in against(publication(claims)) if one.check == "P8"]

    assert [one.kind for one in rows("Update Latency")] == ["mislabelled table"]
    assert rows("Insert Latency") == []


def test_the_same_drive_in_two_publications_is_compared_at_equal_load() -> None:
    here = publication(drive_tests())
    there = replace(here, slug="other", title="Other")
    assert [one.kind for one in audit_publication(here, (there,)) if one.check == "P7"] == ["agreement"] * 2
    swapped = replace(
        there,
        claims=tuple(
            replace(one, load=Load(multiple=6.0 if one.row == "load3" else 3.0))
            if one.quantity == "exceedance"
            else one
            for one in there.claims
        ),
    )
    (found,) = [one for one in against(here, (swapped,)) if one.check == "P7"]
    assert found.kind == "two publications"
    assert "They fit 6x there" in found.statement


def test_what_a_text_asserts_is_held_against_the_table() -> None:
    here = publication(drive_tests())
    wrong = Assertion("none_over", here.slug, subject="maker-drive")
    (found,) = audit_publication(here, (), (), (wrong,))[-1:]
    kinds = {one.kind for one in audit_publication(here, (), (), (wrong,)) if one.check == "P15"}
    assert kinds == {"contradiction text/table"}
    cited = Assertion("cited", here.slug, subject="maker-drive", subject_as_printed="Drive", value=0.02)
    kinds = {one.kind for one in audit_publication(here, (), (), (cited,)) if one.check == "P15"}
    assert kinds == {"consistent"}
    assert found is not None
