"""Strict reading of budget documents (types in `schemas.py`), and the built-in budgets by workload."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tailroom.budgets.schemas import (
    BudgetDocument,
    CompletionDocument,
    CriterionDocument,
    ExceedanceDocument,
    PercentileDocument,
    RandomCountDocument,
    RuleSetDocument,
    StageDocument,
    ThroughputDocument,
    TransactionDocument,
)
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage, default_scheduling
from tailroom.domain.verdicts.budget import BUDGETS, budgets_for
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    BudgetInvalid,
    Certification,
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
from tailroom.domain.verdicts.other_tools import UPLOADED_WORKLOADS, budgets_for_uploads

BUILT_IN = BUDGETS
WORKLOADS = UPLOADED_WORKLOADS
"""Workloads with built-in budgets."""
_KINDS = ("transaction", "exceedance", "percentile", "throughput", "completion", "rule_set")
_DOCUMENT: TypeAdapter[BudgetDocument] = TypeAdapter(BudgetDocument)


class BudgetDocumentInvalid(BudgetInvalid):
    """A document that is no budget; the message names the broken rule and, if known, the field."""


def built_in_for(workload: str, *, uploaded: bool) -> tuple[Budget, ...]:
    """Return the built-in budgets of a workload for measured runs, or for uploaded runs if `uploaded`."""
    return budgets_for_uploads(workload) if uploaded else budgets_for(workload)


def all_built_in_for(workload: str) -> tuple[Budget, ...]:
    """Return the built-in budgets of a workload: for measured runs, then those for uploaded runs only."""
    both = (*budgets_for(workload), *budgets_for_uploads(workload))
    return tuple(dict.fromkeys(both))


def parse(document: object) -> Budget:
    """Return the budget of a parsed JSON document. Raise BudgetInvalid or PlanInvalid if it breaks a rule of
    types, names or values, which the message names.
    """
    if not isinstance(document, dict):
        raise BudgetDocumentInvalid(f"a budget is a JSON object, not {type(document).__name__}")
    if document.get("kind") not in _KINDS:
        raise BudgetDocumentInvalid(
            f"the kind of a budget is one of {', '.join(_KINDS)}, not {document.get('kind')!r}"
        )
    try:
        return budget_from_document(_DOCUMENT.validate_python(document))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"] if part not in _KINDS)
        raise BudgetDocumentInvalid(f"{first['msg']}, at `{place}` of the budget") from error


def budget_from_document(document: BudgetDocument) -> Budget:
    """Return the budget of a document; raise BudgetInvalid or PlanInvalid if its values break a rule."""
    if isinstance(document, RuleSetDocument):
        criteria = tuple(_criterion(criterion) for criterion in document.criteria)
        return RuleSet(document.name, document.version, document.title, document.question, criteria)
    return _criterion(document)


@cache
def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a budget document; the cached object, which callers must not change."""
    schema = _DOCUMENT.json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Budget", **schema}


def _criterion(document: CriterionDocument) -> Criterion:
    """Return the budget of a document that is no rule set; raise as `budget_from_document` does."""
    head = (document.name, document.version, document.title, document.question)
    match document:
        case TransactionDocument():
            plan = Plan(tuple(_stage(stage) for stage in document.plan.stages))
            return TransactionBudget(
                *head, plan, document.window_ns, document.objective_ratio, reserve_ns=document.reserve_ns
            )
        case ExceedanceDocument():
            limits = tuple(Limit(limit.threshold_ns, limit.ratio) for limit in document.limits)
            stated = document.certification
            certification = None if stated is None else Certification(**stated.model_dump())
            return ExceedanceBudget(*head, document.operation, limits, certification, document.clock)
        case PercentileDocument():
            quantiles = tuple(QuantileLimit(limit.quantile, limit.below_ns) for limit in document.limits)
            return PercentileBudget(*head, document.operation, quantiles, document.clock)
        case ThroughputDocument():
            floors = tuple(Floor(floor.quantity, floor.above) for floor in document.floors)
            return ThroughputBudget(*head, floors)
        case CompletionDocument():
            return CompletionBudget(*head, document.duration_ns)


def _stage(document: StageDocument) -> Stage:
    """Return a stage of a plan, with the default scheduling for its fan-out and count."""
    count = document.count if isinstance(document.count, int) else _random_count(document.count)
    largest = count if isinstance(count, int) else count.largest
    scheduling = document.scheduling or default_scheduling(document.fan_out, largest)
    return Stage(document.operation, count, document.fan_out, Scheduling(scheduling), document.overhead_ns)


def _random_count(document: RandomCountDocument) -> RandomCount:
    """Return a random number of operations. Raise BudgetDocumentInvalid if a count is no whole number."""
    wrong = [key for key in document.weights if not (key.isascii() and key.isdecimal() and len(key) <= 18)]
    if wrong:
        raise BudgetDocumentInvalid(f"the counts of a random count are whole numbers, not {wrong[0][:40]!r}")
    return RandomCount({int(key): weight for key, weight in document.weights.items()})
