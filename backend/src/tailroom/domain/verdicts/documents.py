"""Budgets as JSON documents: read strictly, written with every default, described by a JSON schema.

A refusal names the place and the rule: unknown keys and wrong types by `msgspec`, everything else by the
budgets themselves (`budget_kinds`). Equal budgets give equal documents, so a fingerprint identifies a budget.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

import msgspec

from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    BudgetInvalid,
    Certification,
    Clock,
    CompletionBudget,
    Criterion,
    ExceedanceBudget,
    Floor,
    Limit,
    PercentileBudget,
    QuantileLimit,
    RuleSet,
    ThroughputBudget,
    TransactionBudget,
)


def _shown(description: str | None = None, **rules: Any) -> msgspec.Meta:
    """Return rules that the schema shows and the budgets check, so that a refusal names the value."""
    return msgspec.Meta(description=description, extra_json_schema=rules)


_Nanoseconds = Annotated[int, _shown("whole nanoseconds", exclusiveMinimum=0)]
_NanosecondsOrNone = Annotated[int, _shown("whole nanoseconds", minimum=0)]
_Share = Annotated[float, _shown("ratio between 0 and 1", exclusiveMinimum=0, exclusiveMaximum=1)]
_Name = Annotated[
    str, _shown("lower-case words joined by hyphens", pattern="^[a-z0-9]+(-[a-z0-9]+)*$", maxLength=100)
]
_Operation = Annotated[str, msgspec.Meta(max_length=100, extra_json_schema={"minLength": 1})]


class RandomCountStruct(msgspec.Struct, forbid_unknown_fields=True):
    """A count that differs from transaction to transaction: share of all transactions by count."""

    weights: dict[str, float]


class StageStruct(msgspec.Struct, forbid_unknown_fields=True):
    """`count` operations of one kind; stages follow each other."""

    count: Annotated[int, _shown(minimum=1)] | RandomCountStruct
    operation: _Operation = "read"
    fan_out: Annotated[int, _shown("operations under way at the same time", minimum=1)] = 1
    scheduling: Literal["sequential", "parallel", "waves", "pool"] | None = None
    overhead_ns: _NanosecondsOrNone = 0


class PlanStruct(msgspec.Struct, forbid_unknown_fields=True):
    """The operations of a transaction."""

    stages: Annotated[list[StageStruct], msgspec.Meta(max_length=32, extra_json_schema={"minItems": 1})]


class LimitStruct(msgspec.Struct, forbid_unknown_fields=True):
    """Strictly less than `ratio` of the operations may take `threshold_ns` or longer."""

    threshold_ns: _Nanoseconds
    ratio: _Share


class QuantileLimitStruct(msgspec.Struct, forbid_unknown_fields=True):
    """At least the share `quantile` of the operations must take less than `below_ns`."""

    quantile: _Share
    below_ns: _Nanoseconds


class FloorStruct(msgspec.Struct, forbid_unknown_fields=True):
    """A rate that must be exceeded."""

    quantity: Literal["operations_per_s", "disk_bytes_per_s", "network_bits_per_s"]
    above: Annotated[float, _shown(minimum=0)]


class CertificationStruct(msgspec.Struct, forbid_unknown_fields=True):
    """Every full slice must keep the limits, for this long; `decides`: the verdict itself asks for it."""

    duration_ns: _Nanoseconds
    slice_ns: _Nanoseconds = 3_600_000_000_000
    decides: bool = False


class _NamedDocument(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    name: _Name
    version: Annotated[int, _shown(minimum=1)] = 1
    title: Annotated[str, msgspec.Meta(max_length=200)] = ""
    question: Annotated[str, msgspec.Meta(max_length=1000)] = ""


class TransactionStruct(_NamedDocument, tag="transaction"):
    """A share `objective_ratio` of transactions must end within the window less the reserve."""

    plan: PlanStruct
    window_ns: _Nanoseconds
    objective_ratio: _Share
    reserve_ns: _NanosecondsOrNone = 0


class ExceedanceStruct(_NamedDocument, tag="exceedance"):
    """Limits on the shares of slow operations; operation `*`: each recorded operation."""

    operation: _Operation
    limits: Annotated[list[LimitStruct], msgspec.Meta(max_length=32, extra_json_schema={"minItems": 1})]
    clock: Clock | None = None
    certification: CertificationStruct | None = None


class PercentileStruct(_NamedDocument, tag="percentile"):
    """Times below which given shares of the operations must lie; operation `*`: each recorded operation."""

    operation: _Operation
    limits: Annotated[
        list[QuantileLimitStruct], msgspec.Meta(max_length=32, extra_json_schema={"minItems": 1})
    ]
    clock: Clock | None = None


class ThroughputStruct(_NamedDocument, tag="throughput"):
    """Rates that must be exceeded."""

    floors: Annotated[list[FloorStruct], msgspec.Meta(max_length=16, extra_json_schema={"minItems": 1})]


class CompletionStruct(_NamedDocument, tag="completion"):
    """The run must reach its end at its load, and last this long."""

    duration_ns: _Nanoseconds


class RuleSetStruct(_NamedDocument, tag="rule_set"):
    """Several demands, all of which must be kept."""

    criteria: Annotated[
        list[TransactionStruct | ExceedanceStruct | PercentileStruct | ThroughputStruct | CompletionStruct],
        msgspec.Meta(max_length=32, extra_json_schema={"minItems": 1}),
    ]


_Document = (
    TransactionStruct
    | ExceedanceStruct
    | PercentileStruct
    | ThroughputStruct
    | CompletionStruct
    | RuleSetStruct
)


class BudgetDocumentInvalid(BudgetInvalid):
    """A document that is no budget; the message names the place and the rule."""


def budget_from_document(document: object) -> Budget:
    """Return the budget of a parsed JSON document.

    Raises `BudgetInvalid` or `PlanInvalid`, which name the broken rule.
    """
    if not isinstance(document, Mapping):
        raise BudgetDocumentInvalid(f"a budget is a JSON object, not {type(document).__name__}")
    if document.get("kind") not in _KINDS:
        raise BudgetDocumentInvalid(
            f"the kind of a budget is one of {', '.join(_KINDS)}, not {document.get('kind')!r}"
        )
    try:
        parsed = msgspec.convert(dict(document), _Document)
    except msgspec.ValidationError as error:
        raise BudgetDocumentInvalid(f"the budget breaks a rule: {error}") from error
    return _rule_set(parsed) if isinstance(parsed, RuleSetStruct) else _criterion(parsed)


def document_of(budget: Budget) -> dict[str, Any]:
    """Return the document of a budget, defaults written out."""
    if isinstance(budget, RuleSet):
        return {
            **_head("rule_set", budget),
            "criteria": [document_of(criterion) for criterion in budget.criteria],
        }
    match budget:
        case ExceedanceBudget():
            return _exceedance_document(budget)
        case PercentileBudget():
            limits = [{"quantile": limit.quantile, "below_ns": limit.below_ns} for limit in budget.limits]
            return {
                **_head("percentile", budget),
                "operation": budget.operation,
                **({"clock": budget.clock} if budget.clock else {}),
                "limits": limits,
            }
        case TransactionBudget():
            return {
                **_head("transaction", budget),
                "plan": plan_document(budget.plan),
                "window_ns": budget.window_ns,
                "reserve_ns": budget.reserve_ns,
                "objective_ratio": budget.objective_ratio,
            }
        case ThroughputBudget():
            floors = [{"quantity": floor.quantity, "above": floor.above} for floor in budget.floors]
            return {**_head("throughput", budget), "floors": floors}
        case CompletionBudget():
            return {**_head("completion", budget), "duration_ns": budget.duration_ns}


def plan_document(plan: Plan) -> dict[str, Any]:
    """Return the plan part of a document."""
    return {
        "stages": [
            {
                "operation": stage.operation,
                "count": {"weights": {str(count): weight for count, weight in stage.count.weights.items()}}
                if isinstance(stage.count, RandomCount)
                else stage.count,
                "fan_out": stage.fan_out,
                "scheduling": stage.scheduling.value,
                "overhead_ns": stage.overhead_ns,
            }
            for stage in plan.stages
        ]
    }


def fingerprint(budget: Budget) -> str:
    """Return the SHA-256 of the document in canonical form, as hexadecimal digits."""
    canonical = json.dumps(document_of(budget), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


@cache
def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a budget document."""
    schema = msgspec.json.schema(_Document)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Budget", **schema}


def default_scheduling(fan_out: int, count: int) -> Scheduling:
    """Return sequential, parallel, or else a pool, whose bounds contain those of waves."""
    if fan_out <= 1:
        return Scheduling.SEQUENTIAL
    return Scheduling.PARALLEL if fan_out >= count else Scheduling.POOL


def _head(kind: str, budget: Budget) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": budget.name,
        "version": budget.version,
        "title": budget.title,
        "question": budget.question,
    }


def _exceedance_document(budget: ExceedanceBudget) -> dict[str, Any]:
    certification = budget.certification
    return {
        **_head("exceedance", budget),
        "operation": budget.operation,
        **({"clock": budget.clock} if budget.clock else {}),
        "limits": [{"threshold_ns": limit.threshold_ns, "ratio": limit.ratio} for limit in budget.limits],
        **(
            {
                "certification": {
                    "duration_ns": certification.duration_ns,
                    "slice_ns": certification.slice_ns,
                    "decides": certification.decides,
                }
            }
            if certification
            else {}
        ),
    }


def _rule_set(parsed: RuleSetStruct) -> RuleSet:
    criteria = tuple(_criterion(criterion) for criterion in parsed.criteria)
    return RuleSet(parsed.name, parsed.version, parsed.title, parsed.question, criteria)


def _criterion(
    parsed: TransactionStruct | ExceedanceStruct | PercentileStruct | ThroughputStruct | CompletionStruct,
) -> Criterion:
    head = (parsed.name, parsed.version, parsed.title, parsed.question)
    match parsed:
        case TransactionStruct():
            plan = Plan(tuple(_stage(stage) for stage in parsed.plan.stages))
            return TransactionBudget(
                *head, plan, parsed.window_ns, parsed.objective_ratio, reserve_ns=parsed.reserve_ns
            )
        case ExceedanceStruct():
            limits = tuple(Limit(limit.threshold_ns, limit.ratio) for limit in parsed.limits)
            certificate = parsed.certification
            certification = (
                Certification(certificate.duration_ns, certificate.slice_ns, certificate.decides)
                if certificate
                else None
            )
            return ExceedanceBudget(*head, parsed.operation, limits, certification, parsed.clock)
        case PercentileStruct():
            quantiles = tuple(QuantileLimit(limit.quantile, limit.below_ns) for limit in parsed.limits)
            return PercentileBudget(*head, parsed.operation, quantiles, parsed.clock)
        case ThroughputStruct():
            floors = tuple(Floor(floor.quantity, floor.above) for floor in parsed.floors)
            return ThroughputBudget(*head, floors)
        case CompletionStruct():
            return CompletionBudget(*head, parsed.duration_ns)


def _stage(parsed: StageStruct) -> Stage:
    count = parsed.count if isinstance(parsed.count, int) else _random_count(parsed.count)
    largest = count if isinstance(count, int) else count.largest
    scheduling = parsed.scheduling or default_scheduling(parsed.fan_out, largest)
    return Stage(parsed.operation, count, parsed.fan_out, Scheduling(scheduling), parsed.overhead_ns)


def _random_count(parsed: RandomCountStruct) -> RandomCount:
    wrong = [key for key in parsed.weights if not (key.isascii() and key.isdecimal() and len(key) <= 18)]
    if wrong:
        raise BudgetDocumentInvalid(f"the counts of a random count are whole numbers, not {wrong[0][:40]!r}")
    return RandomCount({int(key): weight for key, weight in parsed.weights.items()})


_KINDS = ("transaction", "exceedance", "percentile", "throughput", "completion", "rule_set")
