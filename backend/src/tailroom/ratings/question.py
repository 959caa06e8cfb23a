"""Questions that tests are judged by: a rule set, own thresholds, or an own SLA about transactions.

A rule set is a budget with limits on shares of reads.
"""

import hashlib
import json
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.budgets.service import find_budget
from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.units import duration_text, exact_percent, latency_text
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, Limit, TransactionBudget, document_of
from tailroom.ratings.errors import FilterInvalid
from tailroom.ratings.judgements import RULE_SETS
from tailroom.ratings.query import LeaderboardQuery

OWN_LIMITS = "own-limits"
OWN_TRANSACTION = "own-transaction"
_MOST_LIMITS = 16
_OF_TRANSACTION = ("reads", "scheduling", "fan_out", "window_ns", "reserve_ns", "objective_ratio")


@dataclass(frozen=True, slots=True)
class Question:
    """A question by which tests are judged. `own`: the visitor's own SLA replaces the rule set."""

    rule_set: ExceedanceBudget
    budget: ExceedanceBudget | TransactionBudget
    own: bool
    fingerprint: str
    """SHA-256, in hexadecimal, of everything besides the tests that judgements depend on."""

    @property
    def is_stored(self) -> bool:
        """Whether every test has a stored judgement by the budget, which is then a built-in rule set."""
        return self.budget in RULE_SETS

    @property
    def limits(self) -> tuple[Limit, ...]:
        """Limits on the share of slow reads, or a single limit on the share of late transactions."""
        if isinstance(self.budget, ExceedanceBudget):
            return self.budget.limits
        return (Limit(self.budget.window_ns, 1.0 - self.budget.objective_ratio),)

    @property
    def title(self) -> str:
        """Title of the budget; for own limits or an own transaction, a sentence that states them."""
        budget = self.budget
        if not self.own or budget.name not in {OWN_LIMITS, OWN_TRANSACTION}:
            return budget.title
        if isinstance(budget, ExceedanceBudget):
            return ", ".join(
                f"less than {exact_percent(limit.ratio)} at or over {latency_text(limit.threshold_ns)}"
                for limit in budget.limits
            )
        return (
            f"{budget.reads} reads within {duration_text(budget.window_ns)} for "
            f"{exact_percent(budget.objective_ratio)} of transactions"
        )


def question_of(session: Session, organisation_id: UUID, query: LeaderboardQuery) -> Question:
    """Return the question that the query asks. Raise BudgetUnknown if a budget does not exist, FilterInvalid
    if parameters are invalid or state an own SLA in two forms.
    """
    rule_set = rule_set_of(session, organisation_id, query.rule_set)
    transaction = [name for name in _OF_TRANSACTION if getattr(query, name) is not None]
    own_forms = [name for name in ("limits", "budget") if getattr(query, name) is not None] + transaction[:1]
    if len(own_forms) > 1:
        raise FilterInvalid.of(
            own_forms[1], f"an own SLA is asked by one of its forms; `{own_forms[0]}` is another"
        )
    own: ExceedanceBudget | TransactionBudget | None = None
    if query.limits is not None:
        own = _own_limits(query.limits)
    elif query.budget is not None:
        own = _own_budget(session, organisation_id, query.budget)
    elif transaction:
        own = _own_transaction(query)
    return rule_set_question(rule_set, own)


def rule_set_of(session: Session, organisation_id: UUID, name: str) -> ExceedanceBudget:
    """Return a budget about shares of reads, by name. Raise BudgetUnknown, or FilterInvalid for another."""
    budget = find_budget(session, organisation_id, name, None)
    if not isinstance(budget, ExceedanceBudget):
        raise FilterInvalid.of(
            "rule_set", f"“{name}” sets no limits on shares of reads; ratings need a budget that does"
        )
    return budget


def rule_set_question(
    rule_set: ExceedanceBudget, own: ExceedanceBudget | TransactionBudget | None = None
) -> Question:
    """Return the question of a rule set, or of the visitor's `own` budget in its place."""
    budget = rule_set if own is None else own
    content = json.dumps([document_of(budget), own is not None, METHOD_VERSION], sort_keys=True)
    return Question(rule_set, budget, own is not None, hashlib.sha256(content.encode()).hexdigest())


def _own_budget(session: Session, organisation_id: UUID, name: str) -> ExceedanceBudget | TransactionBudget:
    budget = find_budget(session, organisation_id, name, None)
    if not isinstance(budget, ExceedanceBudget | TransactionBudget):
        raise FilterInvalid.of("budget", f"“{name}” is neither about shares of reads nor about transactions")
    return budget


def _own_limits(text: str) -> ExceedanceBudget:
    limits: list[Limit] = []
    for part in text.split(","):
        time, _, ratio = part.partition(":")
        try:
            limits.append(Limit(int(time), float(ratio)))
        except (ValueError, OverflowError, DomainError) as error:
            reason = f"“{part[:40]}” is not `ns:ratio`, such as `1000000:0.05` ({error})"
            raise FilterInvalid.of("limits", reason) from None
    if len(limits) > _MOST_LIMITS:
        raise FilterInvalid.of("limits", f"{len(limits)} limits; {_MOST_LIMITS} are the most")
    try:
        return ExceedanceBudget(
            name=OWN_LIMITS,
            version=1,
            title="Own thresholds",
            question="Do few enough reads reach the thresholds?",
            operation="read",
            limits=tuple(sorted(limits, key=lambda limit: limit.threshold_ns)),
        )
    except DomainError as error:
        raise FilterInvalid.of("limits", str(error)) from None


def _own_transaction(query: LeaderboardQuery) -> TransactionBudget:
    reads = query.reads
    if reads is None:
        raise FilterInvalid.of("reads", "an own SLA about transactions says how many reads one has")
    try:
        return TransactionBudget(
            name=OWN_TRANSACTION,
            version=1,
            title="Own transaction",
            question="Do enough transactions end in time?",
            plan=_plan(reads, query),
            window_ns=1_000_000_000 if query.window_ns is None else query.window_ns,
            objective_ratio=0.999 if query.objective_ratio is None else query.objective_ratio,
            reserve_ns=query.reserve_ns or 0,
        )
    except DomainError as error:
        raise FilterInvalid.of("reads", str(error)) from None


def _plan(reads: int, query: LeaderboardQuery) -> Plan:
    """Return the plan of the reads; `fan_out` without a scheduling means a pool."""
    if query.scheduling is None or query.scheduling == "sequential":
        if (query.fan_out or 1) > 1 and query.scheduling == "sequential":
            raise FilterInvalid.of("fan_out", "reads one after another are not under way together")
        if (query.fan_out or 1) == 1:
            return Plan.sequential("read", reads)
    scheduling = Scheduling(query.scheduling or "pool")
    fan_out = reads if scheduling is Scheduling.PARALLEL else query.fan_out
    if fan_out is None:
        raise FilterInvalid.of("fan_out", f"`scheduling={scheduling.value}` needs how many reads are at once")
    return Plan((Stage("read", reads, fan_out=min(fan_out, reads), scheduling=scheduling),))
