"""Objectives of OpenSLO v1: the same budget after writing and reading, and refusals of other questions."""

import copy
from typing import Any

import pytest
import yaml

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget import budget_of
from tailroom.domain.verdicts.budget_kinds import OWN_OPERATION, PercentileBudget, QuantileLimit
from tailroom.domain.verdicts.objective_text import objective_of
from tailroom.domain.verdicts.openslo import OpenSloInvalid, budget_from_openslo, openslo_of

RATIO = """
apiVersion: openslo/v1
kind: SLO
metadata: {name: Checkout_Latency, displayName: Checkout}
spec:
  service: shop
  indicatorRef: checkout
  timeWindow: [{duration: 28d, isRolling: true}]
  budgetingMethod: Occurrences
  objectives: [{targetPercent: 99.9}]
---
apiVersion: openslo/v1
kind: SLI
metadata: {name: checkout}
spec:
  ratioMetric:
    counter: true
    good:
      metricSource: {type: Prometheus, spec: {query: 'http_seconds_bucket{route="/pay",le="0.3"}'}}
    total:
      metricSource: {type: Prometheus, spec: {query: 'http_seconds_count{route="/pay"}'}}
"""


def documents() -> list[Any]:
    return list(yaml.safe_load_all(RATIO))


def test_a_percentile_budget_is_the_same_after_writing_and_reading() -> None:
    budget = objective_of("p99.9 get < 10ms")
    assert budget_from_openslo([yaml.safe_load(yaml.safe_dump(openslo_of(budget)))]) == budget


def test_limits_on_slow_operations_are_written_as_shares_below_them() -> None:
    document = openslo_of(budget_of("act-limits"))
    objectives = document["spec"]["objectives"]
    assert [(each["op"], each["value"], each["target"]) for each in objectives] == [
        ("lt", 0.001, 0.95),
        ("lt", 0.008, 0.99),
        ("lt", 0.064, 0.999),
    ]
    assert document["spec"]["budgetingMethod"] == "Occurrences"
    read = budget_from_openslo([document])
    assert read.limits[0] == QuantileLimit(0.95, NS_PER_MS)


def test_empty_documents_are_left_out() -> None:
    assert budget_from_openslo([None, *documents()]) == budget_from_openslo(documents())


def test_a_transaction_is_no_objective_of_openslo() -> None:
    with pytest.raises(OpenSloInvalid, match="fraud-250-sequential asks for more than a share"):
        openslo_of(budget_of("fraud-250-sequential"))


def test_a_ratio_of_buckets_is_a_limit_at_their_edge() -> None:
    assert budget_from_openslo(documents()) == PercentileBudget(
        name="checkout-latency",
        version=1,
        title="Checkout",
        question=f"Are 99.9 % below 300 ms of the operations `{OWN_OPERATION}`?",
        operation=OWN_OPERATION,
        limits=(QuantileLimit(0.999, 300 * NS_PER_MS + 1),),
    )


def test_a_ratio_of_answers_asks_for_any_time() -> None:
    slo, indicator = documents()
    good = {"metricSource": {"spec": {"query": 'http_requests_total{code!~"5.."}'}}}
    indicator["spec"]["ratioMetric"]["good"] = good
    (limit,) = budget_from_openslo([slo, indicator]).limits
    assert limit == QuantileLimit(0.999, 86_400 * NS_PER_S)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("apiVersion",), "openslo/v1alpha", "only openslo/v1 is read"),
        (("spec", "budgetingMethod"), "Timeslices", "counts slices of time"),
        (("spec", "indicatorRef"), "another", "'another' is in none"),
        (("spec", "objectives"), [], "no objective"),
        (("spec", "objectives"), ["p99"], "no list of objectives"),
        (("metadata", "annotations"), "x", "annotations is missing"),
        (("metadata", "annotations"), {"tailroom/version": "b"}, "a whole number, not 'b'"),
        (("spec", "indicatorRef"), {"a": 1}, "is in none"),
        (("spec", "objectives"), [{"op": "lt"}], "target or targetPercent"),
        (("kind",), "Service", "one document of the kind SLO"),
    ],
)
def test_what_is_no_such_objective_is_refused_with_the_reason(
    path: tuple[str, ...], value: object, why: str
) -> None:
    slo, indicator = documents()
    place = slo
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(OpenSloInvalid, match=why):
        budget_from_openslo([slo, indicator])


@pytest.mark.parametrize(
    ("objective", "why"),
    [
        ({"op": "gt", "value": 1, "target": 0.9}, "no limit of a latency"),
        ({"op": "lt", "value": float("inf"), "target": 0.9}, "no limit of a latency"),
        ({"op": "lt", "value": 1e-10, "target": 0.9}, "whole number of nanoseconds"),
    ],
)
def test_a_threshold_that_is_no_latency_is_refused(objective: dict[str, object], why: str) -> None:
    document = copy.deepcopy(openslo_of(objective_of("p99 < 10ms")))
    document["spec"]["objectives"] = [objective]
    with pytest.raises(OpenSloInvalid, match=why):
        budget_from_openslo([document])


def test_a_value_without_a_unit_is_refused_with_what_to_write() -> None:
    document = copy.deepcopy(openslo_of(objective_of("p99 < 10ms")))
    del document["metadata"]["annotations"]["tailroom/unit"]
    del document["spec"]["indicator"]["spec"]["thresholdMetric"]["metricSource"]["spec"]["unit"]
    with pytest.raises(OpenSloInvalid, match=r"not stated: write the annotation tailroom/unit: ms"):
        budget_from_openslo([document])
    document["spec"]["indicator"]["spec"]["thresholdMetric"]["metricSource"]["spec"]["query"] = (
        "histogram_quantile(0.99, rate(latency_milliseconds_bucket[5m]))"
    )
    document["spec"]["objectives"][0]["value"] = 10
    assert budget_from_openslo([document]).limits == (QuantileLimit(0.99, 10 * NS_PER_MS),)
