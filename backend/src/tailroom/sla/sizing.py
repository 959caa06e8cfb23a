"""Number of nodes for a rate of transactions, if the record passes at the load at which it was taken.

A record proves nothing for higher loads than its own. If it does not pass there is no number; a lower load
would have to be measured. Source: docs/method.md section 1.8.
"""

from tailroom.access.caller import Caller
from tailroom.domain.transactions import sizing as nodes
from tailroom.domain.transactions.plan import Plan, Scheduling
from tailroom.domain.transactions.sizing import DemandInvalid, Operations, Part
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.carried_load import load_of_record
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.verdict import Strength, Verdict
from tailroom.evidence.reader import EvidenceCache
from tailroom.sla.answers import Answer, budget_echo
from tailroom.sla.errors import QuestionInvalid
from tailroom.sla.evaluations import chosen_budget, judge_subject, limited_work
from tailroom.sla.question_schemas import SizeIn
from tailroom.sla.schemas import SizeOut, SizePartOut
from tailroom.sla.subjects import SubjectReader

_WRITE = "write"


def size(caller: Caller, cache: EvidenceCache, question: SizeIn) -> SizeOut:
    """Return the number of nodes needed by operations, writes and data, with the verdict that it depends on.
    Raise QuestionInvalid for a number out of range or a budget that is not about transactions, and as
    `evaluate` does.
    """
    organisation_id = caller.organisation_id
    with caller.session() as session:
        budget = chosen_budget(session, organisation_id, question.budget)
    if not isinstance(budget, TransactionBudget):
        raise QuestionInvalid(
            f"“{budget.name}” says nothing about transactions; nodes can be counted for a transaction budget."
        )
    try:
        _validate(question)
        with caller.session() as session:
            reader = SubjectReader(session, cache, budget, further_operations=frozenset((_WRITE,)))
            subject = reader.subject_of(organisation_id, question.subject, coarse=True)
        with limited_work(budget):
            return _answer(question, judge_subject(subject, subject.budget))
    except DemandInvalid as error:
        raise QuestionInvalid(f"The question breaks a rule: {error}.") from error


_NOT_PASSED = {Verdict.FAIL: "fails", Verdict.INDETERMINATE: "is undecided"}


def _answer(question: SizeIn, answer: Answer) -> SizeOut:
    budget = answer.budget
    assert isinstance(budget, TransactionBudget)  # noqa: S101 - checked by size()
    operations = _operations(budget.plan, answer)
    parts: list[Part] = []
    reason_text: str | None = answer.summary["reason_text"]
    count: int | None = None
    if answer.verdict is not Verdict.PASS:
        reason_text = (
            f"No number of nodes: the record {_NOT_PASSED[answer.verdict]}: {reason_text}."
            " A load at which it passes has to be measured first."
        )
    elif operations is None:
        reason_text = "No number of nodes: the load at which this record was taken is not on record."
    else:
        parts = _parts(question, answer, operations)
        count = nodes.total(parts)
    leading = operations[0] if operations else None
    per_s = _transactions_per_s(operations)
    # The lower bound of the share in time includes sampling error if the verdict is proven.
    is_proven = answer.summary["strength"] == Strength.PROVEN.value
    in_time = answer.summary["proven" if is_proven else "observed"]["lower"]
    side_by_side = any(stage.effective is not Scheduling.SEQUENTIAL for stage in budget.plan.stages)
    tail = [nodes.FAN_OUT_TAIL] if side_by_side else []
    return SizeOut(
        nodes=count,
        parts=[SizePartOut(name=part.name, nodes=part.nodes, arithmetic=part.arithmetic) for part in parts],
        reads_per_s_per_node=leading.per_s_per_node if leading else None,
        transactions_per_s_per_node=per_s,
        goodput_transactions_per_s=None if per_s is None or in_time is None else per_s * in_time,
        verdict=answer.verdict.value,
        strength=answer.summary["strength"],
        reason=answer.summary["reason"],
        reason_text=reason_text,
        decided_by=answer.summary["decided_by"],
        assumptions=[nodes.LINEAR_SCALING, nodes.SAME_LOAD, nodes.SAME_MIX, *tail],
        subject=answer.subject.out,
        budget=budget_echo(budget),
    )


def _validate(question: SizeIn) -> None:
    """Raise DemandInvalid for a number out of range, or for one stated without another that it needs."""
    nodes.check_positive("target_transactions_per_s", question.target_transactions_per_s)
    nodes.check_share("headroom_ratio", question.headroom_ratio)
    nodes.check_copies(question.replication_factor)
    nodes.tolerated(question.tolerated_failures)
    if question.writes_per_s is not None:
        nodes.check_not_negative("writes_per_s", question.writes_per_s)
    elif question.writes_per_s_per_node is not None:
        raise DemandInvalid("writes_per_s_per_node needs writes_per_s, the writes to be carried")
    if question.writes_per_s_per_node is not None:
        nodes.check_positive("writes_per_s_per_node", question.writes_per_s_per_node)
    sizes = {
        "data_bytes": question.data_bytes,
        "usable_capacity_bytes": question.usable_capacity_bytes,
        "fill_ratio": question.fill_ratio,
    }
    missing = [name for name, value in sizes.items() if value is None]
    if 0 < len(missing) < len(sizes):
        raise DemandInvalid(f"nodes by data need {' and '.join(missing)} as well")
    _parts_for_data(question)


def _parts_for_data(question: SizeIn) -> list[Part]:
    size, capacity, fill = question.data_bytes, question.usable_capacity_bytes, question.fill_ratio
    if size is None or capacity is None or fill is None:
        return []
    return [nodes.nodes_for_data(size, capacity, question.replication_factor, fill)]


def _parts(question: SizeIn, answer: Answer, operations: list[Operations]) -> list[Part]:
    """Return the number of nodes by each requirement. Raise DemandInvalid if a rate of writes is unknown."""
    target, headroom = question.target_transactions_per_s, question.headroom_ratio
    parts = [nodes.nodes_for_rate(operation, target, headroom) for operation in operations]
    if question.writes_per_s is not None:
        per_node = question.writes_per_s_per_node
        if per_node is None:
            per_node = _rate_per_s(answer.subject.evidence.of(_WRITE))
        if per_node is None:
            raise DemandInvalid("writes_per_s_per_node is needed: the record holds no writes to take it from")
        parts.append(
            nodes.nodes_for_writes(question.writes_per_s, per_node, question.replication_factor, headroom)
        )
    parts += _parts_for_data(question)
    if question.replication_factor > 1:
        parts.append(nodes.nodes_for_copies(question.replication_factor))
    if question.tolerated_failures:
        parts.append(nodes.tolerated(question.tolerated_failures))
    return parts


def _operations(plan: Plan, answer: Answer) -> list[Operations] | None:
    """Return each operation of a plan with its number and its rate; None if a rate is unknown."""
    operations: list[Operations] = []
    for name in plan.operations:
        per_s = _rate_per_s(answer.subject.evidence.of(name))
        if per_s is None:
            return None
        operations.append(Operations(name, plan.mean_count_of(name), per_s))
    return operations


def _rate_per_s(measured: OperationEvidence | None) -> float | None:
    """Return the answered operations per second of a record, else its stated load; None if unknown or 0."""
    load = None if measured is None else load_of_record(measured)
    return load.lower if load is not None and load.lower > 0.0 else None


def _transactions_per_s(operations: list[Operations] | None) -> float | None:
    """Return a node's transactions per second, by the operation that allows the fewest; None if unknown."""
    if not operations:
        return None
    return min(operation.per_s_per_node / operation.per_transaction for operation in operations)
