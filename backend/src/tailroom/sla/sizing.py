"""How many nodes a rate of transactions takes, if the record passes at the load at which it was taken.

A record speaks for its own load: `R_pass` is the rate of operations at which it was measured. Where it does
not pass, there is no number; a lower load would have to be measured. Source: docs/method.md section 1.8.
"""

from tailroom.access.caller import Caller
from tailroom.domain.errors import DomainError
from tailroom.domain.transactions import sizing as nodes
from tailroom.domain.transactions.goodput import goodput
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling
from tailroom.domain.transactions.sizing import DemandInvalid, Operations, Part
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.verdict import Strength, Verdict
from tailroom.evidence.reader import KeptRuns
from tailroom.kit.limits import QUESTION_POINTS
from tailroom.sla.answers import Answer, echo
from tailroom.sla.errors import QuestionInvalid
from tailroom.sla.evaluations import answered, bounded, chosen_budget
from tailroom.sla.schemas import SizeIn, SizeOut, SizePartOut
from tailroom.sla.subjects import SubjectReader

_WRITE = "write"


def size(caller: Caller, kept: KeptRuns, asked: SizeIn) -> SizeOut:
    """Nodes by operations, writes and data. Raises QuestionInvalid where a number breaks a rule,
    QuestionTooLarge.
    """
    organisation_id = caller.organisation_id
    with caller.session() as session:
        budget = chosen_budget(session, organisation_id, asked.budget)
    if not isinstance(budget, TransactionBudget):
        raise QuestionInvalid(
            f"“{budget.name}” says nothing about transactions; nodes can be counted for a transaction budget."
        )
    try:
        _check(asked)
        with caller.session() as session:
            reader = SubjectReader(session, kept, budget, beside=frozenset((_WRITE,)))
            subject = reader.asked(organisation_id, asked.subject, coarse=True)
        with bounded(budget, QUESTION_POINTS):
            return _sized(asked, answered(subject, subject.budget))
    except DemandInvalid as error:
        raise QuestionInvalid(f"The question breaks a rule: {error}.") from error


def _sized(asked: SizeIn, answer: Answer) -> SizeOut:
    budget = answer.budget
    assert isinstance(budget, TransactionBudget)  # noqa: S101 - checked where it came in
    operations = _operations(budget.plan, answer)
    parts: list[Part] = []
    reason_text: str | None = answer.summary["reason_text"]
    count: int | None = None
    if answer.verdict is not Verdict.PASS:
        reason_text = (
            f"No number of nodes: the record does not pass ({answer.verdict.value}). {reason_text}."
            " A load at which it passes has to be measured first."
        )
    elif operations is None:
        reason_text = "No number of nodes: the load at which this record was taken is not on record."
    else:
        parts = _parts(asked, answer, operations)
        count = nodes.total(parts)
    leading = operations[0] if operations else None
    return SizeOut(
        nodes=count,
        parts=[SizePartOut(name=one.name, nodes=one.nodes, arithmetic=one.arithmetic) for one in parts],
        reads_per_s_per_node=leading.per_s_per_node if leading else None,
        transactions_per_s_per_node=_transactions_per_s(operations),
        goodput_transactions_per_s=_goodput(operations, answer),
        verdict=answer.verdict.value,
        strength=answer.summary["strength"],
        reason=answer.summary["reason"],
        reason_text=reason_text,
        decided_by=answer.summary["decided_by"],
        assumptions=_assumptions(budget.plan),
        subject=answer.subject.out,
        budget=echo(budget),
    )


def _check(asked: SizeIn) -> None:
    """Every number before anything is read, so that a refusal does not depend on the record."""
    nodes.check_positive("target_transactions_per_s", asked.target_transactions_per_s)
    nodes.check_share("headroom_ratio", asked.headroom_ratio)
    nodes.check_copies(asked.replication_factor)
    nodes.tolerated(asked.tolerated_failures)
    if asked.writes_per_s is not None:
        nodes.check_not_negative("writes_per_s", asked.writes_per_s)
    elif asked.writes_per_s_per_node is not None:
        raise DemandInvalid("writes_per_s_per_node needs writes_per_s, the writes to be carried")
    if asked.writes_per_s_per_node is not None:
        nodes.check_positive("writes_per_s_per_node", asked.writes_per_s_per_node)
    sizes = {
        "data_bytes": asked.data_bytes,
        "usable_capacity_bytes": asked.usable_capacity_bytes,
        "fill_ratio": asked.fill_ratio,
    }
    missing = [name for name, value in sizes.items() if value is None]
    if 0 < len(missing) < len(sizes):
        raise DemandInvalid(f"nodes by data need {' and '.join(missing)} as well")
    if (
        asked.data_bytes is not None
        and asked.usable_capacity_bytes is not None
        and asked.fill_ratio is not None
    ):
        nodes.nodes_for_data(
            asked.data_bytes, asked.usable_capacity_bytes, asked.replication_factor, asked.fill_ratio
        )


def _parts(asked: SizeIn, answer: Answer, operations: list[Operations]) -> list[Part]:
    target, headroom = asked.target_transactions_per_s, asked.headroom_ratio
    parts = [nodes.nodes_for_rate(one, target, headroom) for one in operations]
    if asked.writes_per_s is not None:
        per_node = asked.writes_per_s_per_node
        if per_node is None:
            measured = answer.subject.evidence.of(_WRITE)
            per_node = _per_s(measured) if measured else None
        if per_node is None:
            raise DemandInvalid("writes_per_s_per_node is needed: the record holds no writes to take it from")
        parts.append(nodes.nodes_for_writes(asked.writes_per_s, per_node, asked.replication_factor, headroom))
    if (
        asked.data_bytes is not None
        and asked.usable_capacity_bytes is not None
        and asked.fill_ratio is not None
    ):
        parts.append(
            nodes.nodes_for_data(
                asked.data_bytes, asked.usable_capacity_bytes, asked.replication_factor, asked.fill_ratio
            )
        )
    if asked.replication_factor > 1:
        parts.append(nodes.nodes_for_copies(asked.replication_factor))
    if asked.tolerated_failures:
        parts.append(nodes.tolerated(asked.tolerated_failures))
    return parts


def _operations(plan: Plan, answer: Answer) -> list[Operations] | None:
    """How often each operation is needed, and how often per second it was measured; none where unknown."""
    found: list[Operations] = []
    for name in plan.operations:
        measured = answer.subject.evidence.of(name)
        per_s = _per_s(measured) if measured else None
        if per_s is None:
            return None
        often = sum(
            stage.count.mean if isinstance(stage.count, RandomCount) else float(stage.count)
            for stage in plan.stages
            if stage.operation == name
        )
        found.append(Operations(name, often, per_s))
    return found


def _per_s(measured: OperationEvidence) -> float | None:
    """Operations per second that were answered."""
    total = measured.record.total
    if total is None or measured.measured_ns <= 0:
        return measured.load_per_s
    rate = (total - measured.record.misses.total) / (measured.measured_ns / 1e9)
    return rate if rate > 0.0 else None


def _transactions_per_s(operations: list[Operations] | None) -> float | None:
    """Transactions that the measured load is worth: the scarcest operation decides."""
    if not operations:
        return None
    return min(one.per_s_per_node / one.per_transaction for one in operations)


def _goodput(operations: list[Operations] | None, answer: Answer) -> float | None:
    within = _certain_share(answer)
    per_s = _transactions_per_s(operations)
    if per_s is None or within is None:
        return None
    try:
        return goodput((per_s, per_s), 1.0, (within, within, within)).lower
    except DomainError:
        return None


def _certain_share(answer: Answer) -> float | None:
    """Share of transactions in time at least, in the scope in which the record passes."""
    proven = answer.summary["strength"] == Strength.PROVEN.value
    certain: float | None = answer.summary["proven" if proven else "observed"]["lower"]
    return certain


def _assumptions(plan: Plan) -> list[str]:
    side_by_side = any(stage.effective is not Scheduling.SEQUENTIAL for stage in plan.stages)
    tail = [nodes.FAN_OUT_TAIL] if side_by_side else []
    return [nodes.LINEAR_SCALING, nodes.SAME_LOAD, nodes.SAME_MIX, *tail]
