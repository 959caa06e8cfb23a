"""Budgets as objectives of OpenSLO v1: both ways, for budgets on shares of operations below a time.

A threshold objective is a limit on one operation's latency, a ratio objective the share of good operations:
below the time of the `le` of its good buckets, or answered at all. Objectives that count slices of time
instead of operations, or compare a rate, are refused: they are other questions. Source: the OpenSLO
specification, v1.
"""

import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_S, exact_percent, latency_text
from tailroom.domain.verdicts.budget_kinds import (
    OWN_OPERATION,
    Budget,
    ExceedanceBudget,
    PercentileBudget,
    QuantileLimit,
)

VERSION = "openslo/v1"
OPERATION, BUDGET_VERSION, UNIT = "tailroom/operation", "tailroom/version", "tailroom/unit"
_ANSWERED_NS = 24 * 3_600 * NS_PER_S
"""Time in ns below which every answered operation lies; failed operations are over any time."""
_UNITS_NS = {
    **dict.fromkeys(("ns", "nanoseconds"), 1),
    **dict.fromkeys(("us", "microseconds"), 1000),
    **dict.fromkeys(("ms", "milliseconds"), 1000000),
    **dict.fromkeys(("s", "seconds"), NS_PER_S),
}
_UNIT_OF_NAME = re.compile(r"_(nanoseconds|microseconds|milliseconds|seconds)(?:_bucket)?\b")
_EDGE = re.compile(r'\ble\s*=~?\s*"([0-9.eE+-]+)"')
_DIGITS = 10
_NO_NAME = re.compile(r"[^a-z0-9]+")


class OpenSloInvalid(DomainError):
    """The document is no supported objective, or needs more than bucket counts; the message states why."""


def openslo_of(budget: Budget) -> dict[str, Any]:
    """Return the OpenSLO document of a budget on shares of operations. A limit of less than 5 % over a time
    is written as at least 95 % below; a certification is left out. Raise OpenSloInvalid for other kinds.
    """
    if isinstance(budget, PercentileBudget):
        shares = [(Decimal(str(limit.quantile)), limit.below_ns) for limit in budget.limits]
    elif isinstance(budget, ExceedanceBudget):
        shares = [(1 - Decimal(str(limit.ratio)), limit.threshold_ns) for limit in budget.limits]
    else:
        raise OpenSloInvalid(
            f"{budget.name} asks for more than a share of operations below a time, which is all that an "
            "objective of OpenSLO can say"
        )
    source = {"operation": budget.operation, **({"clock": budget.clock} if budget.clock else {}), "unit": "s"}
    return {
        "apiVersion": VERSION,
        "kind": "SLO",
        "metadata": {
            "name": budget.name[:63].rstrip("-"),
            "displayName": budget.title,
            "annotations": {
                OPERATION: budget.operation,
                BUDGET_VERSION: str(budget.version),
                UNIT: "s",
            },
        },
        "spec": {
            "description": budget.question,
            "service": "tailroom",
            "indicator": {
                "metadata": {"name": f"{budget.name[:55].rstrip('-')}-latency"},
                "spec": {"thresholdMetric": {"metricSource": {"type": "tailroom", "spec": source}}},
            },
            "timeWindow": [{"duration": "1d", "isRolling": True}],
            "budgetingMethod": "Occurrences",
            "objectives": [
                {
                    "displayName": f"{exact_percent(float(share))} below {latency_text(time_ns)}",
                    "op": "lt",
                    "value": float(Decimal(time_ns) / NS_PER_S),
                    "target": float(share),
                }
                for share, time_ns in shares
            ],
        },
    }


def budget_from_openslo(documents: Sequence[object]) -> PercentileBudget:
    """Return the budget of the only SLO among documents; its indicator may be one of the others. Raise
    OpenSloInvalid if they state no supported objective, BudgetInvalid for limits out of range.
    """
    objects = [document for document in documents if isinstance(document, Mapping)]
    slos = [each for each in objects if each.get("kind") == "SLO"]
    if len(slos) != 1:
        raise OpenSloInvalid(f"one document of the kind SLO is needed, not {len(slos)}")
    slo = slos[0]
    if slo.get("apiVersion") != VERSION:
        raise OpenSloInvalid(f"apiVersion is {slo.get('apiVersion')!r}, and only {VERSION} is read")
    metadata, spec = _required_mapping(slo, "metadata"), _required_mapping(slo, "spec")
    method = spec.get("budgetingMethod", "Occurrences")
    if method != "Occurrences":
        raise OpenSloInvalid(f"budgetingMethod {method} counts slices of time; buckets count operations")
    indicator = _find_indicator(spec, objects)
    annotations = _required_mapping(metadata, "annotations") if metadata.get("annotations") else {}
    objectives = spec.get("objectives")
    if not (isinstance(objectives, list) and all(isinstance(each, Mapping) for each in objectives)):
        raise OpenSloInvalid("spec.objectives is no list of objectives")
    if not objectives:
        raise OpenSloInvalid("spec.objectives has no objective")
    threshold = indicator.get("thresholdMetric")
    if isinstance(threshold, Mapping):
        source = _source_spec(threshold)
        unit_ns = _unit_ns(source, annotations)
        limits = [_limit_of_threshold(objective, unit_ns) for objective in objectives]
    elif isinstance(indicator.get("ratioMetric"), Mapping):
        source, below_ns = _ratio_source(indicator["ratioMetric"], annotations)
        limits = [QuantileLimit(_target_share(objective), below_ns) for objective in objectives]
    else:
        raise OpenSloInvalid("the indicator has neither a thresholdMetric nor a ratioMetric")
    version = str(annotations.get(BUDGET_VERSION, 1))
    if not (version.isascii() and version.isdigit() and len(version) < _DIGITS):
        raise OpenSloInvalid(f"the annotation {BUDGET_VERSION} is a whole number, not {version!r}")
    operation = str(source.get("operation") or annotations.get(OPERATION) or OWN_OPERATION)
    name = _NO_NAME.sub("-", str(metadata.get("name", "")).lower()).strip("-")
    title = str(metadata.get("displayName") or metadata.get("name") or name)
    return PercentileBudget(
        name=name or "objective",
        version=int(version),
        title=title,
        question=str(spec.get("description") or _question(limits, operation)),
        operation=operation,
        limits=tuple(limits),
        clock=source.get("clock"),
    )


def _question(limits: Sequence[QuantileLimit], operation: str) -> str:
    shares = ", ".join(
        f"{exact_percent(each.quantile)} below {latency_text(each.below_ns)}" for each in limits
    )
    return f"Are {shares} of the operations `{operation}`?"


def _required_mapping(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = document.get(key)
    if not isinstance(value, Mapping):
        raise OpenSloInvalid(f"{key} is missing")
    return value


def _find_indicator(spec: Mapping[str, Any], objects: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the spec of an SLO's indicator: its own, or of the SLI document that it names."""
    if isinstance(spec.get("indicator"), Mapping):
        return _required_mapping(spec["indicator"], "spec")
    name = spec.get("indicatorRef")
    for each in objects:
        if each.get("kind") == "SLI" and _required_mapping(each, "metadata").get("name") == name:
            return _required_mapping(each, "spec")
    raise OpenSloInvalid(f"the indicator {name!r} is in none of the documents")


def _source_spec(metric: Mapping[str, Any]) -> Mapping[str, Any]:
    source = metric.get("metricSource")
    spec = source.get("spec") if isinstance(source, Mapping) else None
    return spec if isinstance(spec, Mapping) else {}


def _unit_ns(source: Mapping[str, Any], annotations: Mapping[str, Any]) -> int:
    """Return the unit of a metric's values in ns, as stated, else from the metric's name."""
    stated = source.get("unit") or annotations.get(UNIT)
    if stated is None:
        names = {match for text in source.values() for match in _UNIT_OF_NAME.findall(str(text))}
        stated = names.pop() if len(names) == 1 else None
    if stated not in _UNITS_NS:
        raise OpenSloInvalid(
            f"the unit of its values is {'not stated' if stated is None else repr(stated)}: "
            f"write the annotation {UNIT}: ms, or s, us, ns"
        )
    return _UNITS_NS[stated]


def _target_share(objective: Any) -> float:
    target, percent = objective.get("target"), objective.get("targetPercent")
    if _is_number(percent) and target is None:
        return float(Decimal(str(percent)) / 100)
    if _is_number(target):
        return float(target)
    raise OpenSloInvalid("an objective needs target or targetPercent")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _limit_of_threshold(objective: Any, unit_ns: int) -> QuantileLimit:
    """Return the limit of a threshold objective in units of `unit_ns`; `lte` becomes a limit of 1 ns more."""
    comparison, value = objective.get("op"), objective.get("value")
    if comparison not in {"lt", "lte"} or not _is_number(value):
        raise OpenSloInvalid(
            f"an objective needs op lt or lte and a value; {comparison!r} {value!r} is no limit of a latency"
        )
    exact = Decimal(str(value)) * unit_ns
    if exact != exact.to_integral_value():
        raise OpenSloInvalid(f"{value} is not a whole number of nanoseconds")
    return QuantileLimit(_target_share(objective), int(exact) + (comparison == "lte"))


def _ratio_source(metric: Mapping[str, Any], annotations: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
    """Return the source that a ratioMetric queries, and the time in ns below which an operation is good: 1 ns
    after the query's `le`. Without `good` or `le` every answered operation is good.
    """
    good, bad = metric.get("good"), metric.get("bad")
    if not isinstance(good, Mapping):
        if not isinstance(bad, Mapping):
            raise OpenSloInvalid("a ratioMetric needs good and total, or bad and total")
        return _source_spec(bad), _ANSWERED_NS
    source = _source_spec(good)
    edges = {edge for text in source.values() for edge in _EDGE.findall(str(text))}
    if not edges:
        return source, _ANSWERED_NS
    if len(edges) > 1:
        raise OpenSloInvalid(f"good has several values of le: {', '.join(sorted(edges))}")
    edge = edges.pop()
    try:
        exact = Decimal(edge) * _unit_ns(source, annotations)
    except InvalidOperation as error:
        raise OpenSloInvalid(f"le is {edge!r}, which is no number") from error
    return source, int(exact) + 1
