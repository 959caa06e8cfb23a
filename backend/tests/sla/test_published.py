"""Published figures as configurations: judged by what they show and prove, marked as claims."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from backend.tests.sla.conftest import documents, every_item, sequential

from tailroom.catalogue.publications.dataset import read_all
from tailroom.domain.claims.claim import (
    NoStatement,
    PublishedClaim,
    bounds_of_part,
    record_of_exceedances,
    record_of_latencies,
)
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.evidence.publication import published

CLAIMS = {(one.slug, claim.key): claim for one in read_all() for claim in one.claims}


def claims(slug: str, *keys: str) -> list[PublishedClaim]:
    return [CLAIMS[slug, key] for key in keys]


def test_percentiles_and_mean_become_knots_with_their_rounding() -> None:
    record = record_of_latencies(
        claims("kioxia-cd8p-ycsb-2025", "test3-r1/new", "test3-r2/new", "test3-r3/new")
    )
    assert record.mean_ns == pytest.approx((70_925, 70_935))
    # 129.00 us stands for 128.995 to 129.005 us.
    assert record.cdf_bounds(129_006)[0] == pytest.approx(0.95)
    assert record.cdf_bounds(129_005)[0] < 0.95
    assert record.cdf_bounds(128_995)[1] == pytest.approx(0.95)
    assert record.cdf_bounds(128_996)[1] == pytest.approx(0.99)
    # Beyond p99 only the mean limits the tail: c = 64.17 us.
    lower, upper = record.cdf_bounds(10 * NS_PER_MS)
    assert upper == 1.0
    assert 1.0 - lower == pytest.approx(64_170 / (10 * NS_PER_MS - 160_000), rel=2e-3)


def test_exceedances_of_old_act_mean_twice_their_label() -> None:
    keys = [f"t2-r14/exceedance/{limit}ms/total" for limit in (1, 8, 64)]
    record = record_of_exceedances(claims("aerospike-act-blog-2012", *keys))
    assert record.total is None
    assert record.cdf_bounds(2 * NS_PER_MS)[0] == pytest.approx(1 - 0.05385)
    assert record.cdf_bounds(1 * NS_PER_MS + 1)[1] == pytest.approx(1 - 0.05375)
    assert record.cdf_bounds(1 * NS_PER_MS)[0] == 0.0
    assert "whole-millisecond" in record.semantics


def test_exceedances_of_later_act_mean_what_they_say() -> None:
    keys = [f"nvme-r05/exceedance/{limit}ms" for limit in (1, 8, 64)]
    record = record_of_exceedances(claims("aerospike-certification-2019", *keys), count=1_000)
    assert record.cdf_bounds(1 * NS_PER_MS) == pytest.approx((1 - 0.04645, 1 - 0.04635))
    assert record.cdf_bounds(64 * NS_PER_MS) == pytest.approx((1 - 0.00005, 1.0))
    assert record.total == 1_000


def test_at_most_within_is_one_nanosecond_more_than_under() -> None:
    within = record_of_latencies(claims("demartek-fraud-r730xd-2015", "c02/share-within"))
    assert within.cdf_bounds(5 * NS_PER_MS) == (0.0, 1.0)
    assert within.cdf_bounds(5 * NS_PER_MS + 1) == (0.95, 1.0)
    under = record_of_latencies(claims("demartek-fraud-r730xd-2015", "c01/share-below"))
    assert under.cdf_bounds(7 * NS_PER_MS) == pytest.approx((0.945, 0.955))


def test_a_part_may_have_all_the_misses_of_the_whole() -> None:
    whole = record_of_latencies(claims("redis-pm1725", "results-1/latency-mean", "results-1/below-1ms"))
    part = bounds_of_part(whole, 0.8)
    assert part.cdf_bounds(NS_PER_MS) == pytest.approx((1 - 0.00015 / 0.8, 1.0))
    mean = part.mean_ns
    assert mean is not None
    assert mean[1] == pytest.approx(825_000 / 0.8)
    for nothing in (0.0, 1.1):
        with pytest.raises(NoStatement):
            bounds_of_part(whole, nothing)


def test_claims_that_say_nothing_of_a_latency_give_no_record() -> None:
    only_mean = claims("kioxia-cd8p-ycsb-2025", "test3-r1/new")
    with pytest.raises(NoStatement):
        record_of_latencies(only_mean)
    with pytest.raises(NoStatement):
        record_of_exceedances(only_mean)


def test_every_document_gives_configurations() -> None:
    found = published()
    by_document: dict[str, int] = {}
    for one in found:
        by_document[one.publication.slug] = by_document.get(one.publication.slug, 0) + 1
    assert by_document == {
        "aerospike-act-blog-2012": 32,
        "aerospike-certification-2019": 53,
        "demartek-fraud-r730xd-2015": 2,
        "kioxia-cd8p-ycsb-2025": 10,
        "redis-pm1725": 2,
    }
    assert len({one.identifier for one in found}) == len({one.label for one in found}) + 1
    assert sum(one.closed_loop for one in found) == 12


def test_the_reads_of_a_drive_are_its_load_over_the_stated_hours() -> None:
    by_row = {one.row: one for one in published() if one.of_drive}
    (reads,) = by_row["nvme-r05"].operations
    assert (reads.clock, reads.load_per_s, reads.measured_ns) == ("operation", 211_000.0, 86_400 * NS_PER_S)
    assert reads.record.total == 211_000 * 86_400
    unstated = by_row["t2-r14"]
    assert [read.clock for read in unstated.operations] == ["response", "service"]
    assert {(read.measured_ns, read.record.total) for read in unstated.operations} == {(0, None)}
    assert unstated.parameters["load_multiple"] == 3.0


@pytest.mark.parametrize(
    ("label", "least"),
    [
        ("KIOXIA CD8P-R · YCSB A", 0.982),
        ("KIOXIA CD6-R · YCSB A", 0.967),
        ("KIOXIA CD8P-R · YCSB C", 0.972),
        ("KIOXIA CD6-R · YCSB C", 0.926),
    ],
)
def test_percentiles_up_to_p99_guarantee_less_than_is_asked(
    post: Callable[..., Any], label: str, least: float
) -> None:
    items = every_item(post, {"budget": {"name": "fraud-250-sequential"}, "limit": 200})
    item = next(one for one in items if one["subject"]["label"] == label)
    assert (item["verdict"], item["reason"]) == ("INDETERMINATE", "resolution")
    assert item["p_lower"] == pytest.approx(least, abs=5e-4)
    assert item["p_upper"] > 0.999
    assert "p99.9996" in item["decided_by"]
    subject = item["subject"]
    assert subject["note"].startswith("The source gives no percentile above p99.")
    assert (subject["source"], subject["run_id"]) == ("publication", None)
    assert (subject["publication_slug"], subject["closed_loop"]) == ("kioxia-cd8p-ycsb-2025", True)
    assert subject["publication_row"].startswith("test")


def test_drives_under_act_are_judged_like_every_record(post: Callable[..., Any]) -> None:
    by_limits = documents(every_item(post, {"budget": {"name": "act-limits"}, "limit": 200}))
    assert len(by_limits) == 99
    words = {one["subject"]["label"]: one["words"] for one in by_limits}
    assert words["Samsung SM1715 3.2 TB · ACT 64x · not over-provisioned"] == "PASS, proven"
    assert words["Micron P400e 200 GB · ACT 3x"] == "FAIL, proven"
    # Old ACT counted whole milliseconds: from 1.3 % on may have taken longer than one.
    assert words["OCZ Vertex 4 256 GB · ACT 1x · over-provisioned"] == "Undecided: buckets too coarse"
    by_transactions = documents(every_item(post, {"budget": {"name": "fraud-250-sequential"}, "limit": 200}))
    drives = [one for one in by_transactions if one["subject"]["kind"] == "drive_test"]
    assert len(drives) == 85
    assert all("reads of a drive" in one["subject"]["note"] for one in drives)
    assert drives[-1]["words"] == "FAIL, proven"
    assert drives[-1]["subject"]["href"] == f"/drives/{drives[-1]['subject']['drive_slug']}"


@pytest.mark.parametrize("objective", [0.9, 0.999])
def test_documents_that_count_nothing_prove_nothing(post: Callable[..., Any], objective: float) -> None:
    asked = {"budget": {"document": sequential(objective_ratio=objective)}, "limit": 200}
    items = documents(every_item(post, asked))
    counted = [one for one in items if one["subject"]["samples"] is not None]
    assert len(items) == 99
    assert {one["strength"] for one in items if one not in counted} <= {"observed", None}
    assert all("reads of a drive" in one["subject"]["note"] for one in counted)
    assert any(one["group"] == "proven" for one in counted) == (objective < 0.999)


def test_the_list_goes_from_proven_to_too_slow_and_counts_every_group(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    store([SeriesSpec("read", steady(100, 24))])
    asked = {"budget": {"document": sequential(objective_ratio=0.9)}}
    items = every_item(post, asked | {"limit": 200})
    groups = [one["group"] for one in items]
    assert list(dict.fromkeys(groups)) == ["proven", "observed", "undecided", "too_slow"]
    assert groups == sorted(groups, key=["proven", "observed", "undecided", "too_slow"].index)
    counts = post("match", asked)["counts"]
    assert (counts["proven"], counts["observed"]) == (groups.count("proven"), groups.count("observed"))
    assert counts["meets"] == counts["proven"] + counts["observed"]
    assert counts["misses"] == groups.count("too_slow")
    reasons = [one["reason"] for one in items if one["group"] == "undecided"]
    assert counts["undecided_by"] == {name: reasons.count(name) for name in dict.fromkeys(reasons)}
    assert set(reasons) == {"resolution", "samples"}
    assert reasons == sorted(reasons)
    assert every_item(post, asked | {"limit": 30}) == items


def test_only_records_of_some_kinds_are_listed_and_all_are_counted(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    run_id = str(store([SeriesSpec("read", steady(100, 24))]))
    summed = str(store([SeriesSpec("read", steady(100, 24))], plan={"campaign": {"id": "x", "merged": 2}}))
    asked = {"budget": {"document": sequential()}, "kinds": ["drive_test"]}
    every = {"run": 1, "campaign": 1, "publication": 14, "drive_test": len(every_item(post, asked))}
    assert every["drive_test"] >= 85
    for kinds, expected in ((["run"], [run_id]), (["campaign"], [summed]), (["upload"], [])):
        answer = post("match", {"budget": {"document": sequential()}, "kinds": kinds})
        assert [one["subject"]["run_id"] for one in answer["items"]] == expected
        assert (answer["counts"]["kinds"], answer["not_looked_at"]) == (every, 0)
    items = every_item(post, {"budget": {"document": sequential()}, "kinds": ["publication"]})
    assert len(items) == 14
    assert {one["subject"]["kind"] for one in items} == {"publication"}


def test_a_listed_document_can_be_asked_about_by_its_name(post: Callable[..., Any]) -> None:
    budget = {"document": sequential(objective_ratio=0.9)}
    for item in documents(post("match", {"budget": budget, "limit": 200})["items"])[::9]:
        alone = post(
            "evaluate", {"subject": {"publication": item["subject"]["publication"]}, "budget": budget}
        )
        assert {name: alone[name] for name in item} == item
        assert alone["subject"]["source"] == "publication"


def test_a_tested_load_of_a_drive_is_asked_about_by_its_id(post: Callable[..., Any]) -> None:
    test_id = "aerospike-certification-2019:nvme-r05:unstated"
    for subject in ({"drive_test": test_id}, {"drive_test": "aerospike-certification-2019:none:total"}):
        asked = {"subject": subject, "budget": {"name": "act-limits"}}
        if subject["drive_test"] != test_id:
            assert "tested load" in post("evaluate", asked, 422)["detail"]
            continue
        answer = post("evaluate", asked)
        assert answer["subject"]["publication_row"] == "nvme-r05"
        assert (answer["subject"]["kind"], answer["subject"]["clock"]) == ("drive_test", "operation")
    for beside in ({"operation": "read"}, {"clock": "service"}, {"run_id": str(UUID(int=1))}):
        asked = {"subject": {"drive_test": test_id, **beside}, "budget": {"name": "act-limits"}}
        assert post("evaluate", asked, 422)["code"] == "request-invalid"
