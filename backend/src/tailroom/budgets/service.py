"""The budgets of an organisation, and the budgets that its runs are judged by.

A stored version never changes; a change is a new version. Runs of a workload are judged by its built-in
budgets and by the newest version of each stored budget that names the workload. A version that names none
withdraws the budget from runs; earlier verdicts stay.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.budgets import repository
from tailroom.budgets.documents import (
    BUILT_IN,
    WORKLOADS,
    all_built_in_for,
    budget_from_document,
    built_in_for,
    json_schema,
    parse,
)
from tailroom.budgets.errors import (
    BudgetConflict,
    BudgetInvalidProblem,
    BudgetNameTaken,
    BudgetsFull,
    BudgetUnknownProblem,
)
from tailroom.budgets.schemas import BudgetDocument, BudgetIn, BudgetItemOut, BudgetsOut
from tailroom.domain.errors import DomainError, sentence
from tailroom.domain.verdicts.budget_kinds import Budget, PercentileBudget, document_of
from tailroom.domain.verdicts.objective_text import objective_of
from tailroom.domain.verdicts.order import (
    OWN_QUESTION,
    OWN_QUESTION_VERSION,
    TRANSACTION_WORKLOADS,
    own_question,
    parameters_in,
)
from tailroom.kit.lanes import RENEWAL
from tailroom.kit.limits import BUDGET_VERSIONS, BUDGETS_BYTES
from tailroom.storage.budget import BudgetRow
from tailroom.storage.run import UPLOAD, Run
from tailroom.work.kinds import JUDGE
from tailroom.work.outbox import make_many_due

_log = structlog.get_logger(__name__)


def list_budgets(session: Session, organisation_id: UUID) -> BudgetsOut:
    """Return the built-in budgets, then every version of the organisation's, by name, newest first."""
    items = [_built_in_item(budget) for budget in BUILT_IN]
    seen: set[str] = set()
    for row in repository.all_of(session, organisation_id):
        items.append(_item(row, is_newest=row.name not in seen))
        seen.add(row.name)
    return BudgetsOut(items=items, json_schema=json_schema())


def store_budget(
    session: Session, organisation_id: UUID, new_budget: BudgetIn, now: datetime
) -> tuple[BudgetItemOut, bool]:
    """Store a version of a budget; return it, and whether it is new. The same content again changes nothing.
    A new version makes runs of its workloads, and of those of the version before, due to be judged. Raise
    BudgetInvalidProblem for a broken rule, BudgetNameTaken for a built-in name, BudgetConflict if the version
    has other content, and BudgetsFull at a limit of the organisation.
    """
    budget = budget_of(new_budget.document)
    if budget.name in built_in_names():
        raise BudgetNameTaken(
            f"“{budget.name}” is a built-in budget; give yours another name, for example “my-{budget.name}”."
        )
    lock_organisation(session, organisation_id)
    values = _values(organisation_id, budget, new_budget.applies_to, now)
    before = repository.versions_of(session, organisation_id, budget.name)
    versions = {row.version for row in before}
    if budget.version not in versions:
        _check_room(session, organisation_id, values["document"])
    is_new = repository.insert_if_new(session, values)
    after = repository.versions_of(session, organisation_id, budget.name)
    row = next(row for row in after if row.version == budget.version)
    if row.content_sha256 != values["content_sha256"]:
        raise BudgetConflict(
            f"Version {budget.version} of “{budget.name}” is on record with other content, and a version "
            f"never changes; store this one as version {after[0].version + 1}."
        )
    if is_new:
        applied = {workload for row in before[:1] for workload in row.applies_to}
        _make_runs_due(session, organisation_id, applied | set(row.applies_to), now)
    return _item(row, is_newest=row is after[0]), is_new


def _check_room(session: Session, organisation_id: UUID, document: Mapping[str, Any]) -> None:
    if repository.count_of(session, organisation_id) >= BUDGET_VERSIONS:
        raise BudgetsFull(
            f"This organisation has {BUDGET_VERSIONS:,} versions of budgets on record, the most it may."
        )
    stored_bytes = repository.document_bytes_of(session, organisation_id)
    if stored_bytes + len(json.dumps(document)) > BUDGETS_BYTES:
        raise BudgetsFull(
            f"This organisation's budgets would exceed {BUDGETS_BYTES:,} bytes together, the most they may."
        )


def _make_runs_due(
    session: Session, organisation_id: UUID, workloads: Collection[str], now: datetime
) -> None:
    if workloads:
        subjects = select(Run.run_id.label("subject"), Run.organisation_id)
        subjects = subjects.where(Run.organisation_id == organisation_id, Run.workload.in_(workloads))
        make_many_due(session, JUDGE, subjects, now, RENEWAL)


def find_budget(session: Session, organisation_id: UUID, name: str, version: int | None) -> Budget:
    """Return a budget by name and version (None: the newest), built-in or of the organisation. Raise
    BudgetUnknownProblem if there is none.
    """
    offered = [budget for budget in BUILT_IN if budget.name == name]
    offered += [parse(row.document) for row in repository.versions_of(session, organisation_id, name)]
    if not offered:
        names = sorted(built_in_names() | {row.name for row in repository.newest(session, organisation_id)})
        raise BudgetUnknownProblem(f"There is no budget “{name}” here. There are: {', '.join(names)}.")
    if version is None:
        return max(offered, key=lambda budget: budget.version)
    by_version = {budget.version: budget for budget in reversed(offered)}
    if version in by_version:
        return by_version[version]
    versions = ", ".join(str(number) for number in sorted(by_version))
    raise BudgetUnknownProblem(f"There is no version {version} of “{name}” here. There are: {versions}.")


def budget_of(document: BudgetDocument) -> Budget:
    """Return the budget of a document; raise BudgetInvalidProblem, with the rule, if it breaks one."""
    try:
        return budget_from_document(document)
    except DomainError as error:
        raise BudgetInvalidProblem(f"The budget “{document.name}” breaks a rule: {error}.") from error


def budget_of_objective(text: str) -> PercentileBudget:
    """Return the budget of a latency objective in one line; raise BudgetInvalidProblem if it is malformed."""
    try:
        return objective_of(text)
    except DomainError as error:
        raise BudgetInvalidProblem(sentence(error)) from error


def built_in_names() -> set[str]:
    """Return the names that organisations cannot use: those of built-in budgets and `own-transactions`."""
    return {OWN_QUESTION, *(budget.name for budget in BUILT_IN)}


@dataclass(frozen=True, slots=True)
class RunBudgets:
    """Budgets by which a run is judged, and the SHA-256 of names and versions of all for its workload."""

    budgets: tuple[Budget, ...]
    digest: bytes


def budgets_for_run(session: Session, run: Run) -> RunBudgets:
    """Return the budgets by which a run is judged: that of its own plan, built-in budgets, stored budgets. A
    stored document that the current rules refuse is left out and logged, but is part of the digest.
    """
    workload = run.workload
    stored = [row for row in repository.newest(session, run.organisation_id) if workload in row.applies_to]
    budgets = list(_public_budgets(run, uploaded=run.source == UPLOAD))
    for row in stored:
        try:
            budgets.append(parse(row.document))
        except DomainError as error:
            _log.warning("budget_left_out", name=row.name, version=row.version, error=str(error))
    keys = [*_built_in_keys(workload), *((row.name, row.version) for row in stored)]
    return RunBudgets(tuple(budgets), _digest(keys))


def budgets_shown(session: Session, run: Run, organisation_id: UUID) -> tuple[Budget, ...]:
    """Return the budgets of a run that an organisation sees: all of its own run; of another run, the public
    budgets of a measured run of the workload.
    """
    if run.organisation_id == organisation_id:
        return budgets_for_run(session, run).budgets
    return _public_budgets(run, uploaded=False)


def _public_budgets(run: Run, *, uploaded: bool) -> tuple[Budget, ...]:
    """Return the budgets whose verdicts every reader sees: of the run's own plan, then the built-in ones."""
    own = own_question(run.workload, parameters_in(run.plan))
    built_in = built_in_for(run.workload, uploaded=uploaded)
    return built_in if own is None else tuple(dict.fromkeys((own, *built_in)))


@dataclass(frozen=True, slots=True)
class WorkloadDigests:
    """The digests of `RunBudgets` for any run, without reading it: `own` by organisation and workload if the
    organisation adds budgets, else `plain` by workload, else `of_none` for workloads without budgets.
    """

    plain: Mapping[str, bytes]
    own: Mapping[tuple[UUID, str], bytes]
    of_none: bytes


def digests_of_workloads(session: Session) -> WorkloadDigests:
    """Return digests of the budgets that apply now to each workload, built-in and by organisation."""
    plain = {workload: _built_in_keys(workload) for workload in WORKLOADS}
    own: dict[tuple[UUID, str], list[tuple[str, int]]] = {}
    for row in repository.newest(session):
        for workload in dict.fromkeys(row.applies_to):
            keys = own.setdefault((row.organisation_id, workload), list(plain.get(workload, [])))
            keys.append((row.name, row.version))
    return WorkloadDigests(
        {workload: _digest(keys) for workload, keys in plain.items()},
        {key: _digest(keys) for key, keys in own.items()},
        _digest([]),
    )


def _built_in_keys(workload: str) -> list[tuple[str, int]]:
    """Return name and version of the built-in budgets of a workload, that of the run's own plan first."""
    own = [(OWN_QUESTION, OWN_QUESTION_VERSION)] if workload in TRANSACTION_WORKLOADS else []
    return [*own, *((budget.name, budget.version) for budget in all_built_in_for(workload))]


def _digest(keys: Sequence[tuple[str, int]]) -> bytes:
    return hashlib.sha256("\n".join(f"{name} {version}" for name, version in keys).encode()).digest()


def _values(
    organisation_id: UUID, budget: Budget, applies_to: Sequence[str], now: datetime
) -> dict[str, Any]:
    document = document_of(budget)
    workloads = sorted(set(applies_to))
    content: Mapping[str, Any] = {"document": document, "applies_to": workloads}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {
        "organisation_id": organisation_id,
        "name": budget.name,
        "version": budget.version,
        "document": document,
        "applies_to": workloads,
        "content_sha256": hashlib.sha256(canonical.encode()).digest(),
        "created_at": now,
    }


def _item(row: BudgetRow, *, is_newest: bool) -> BudgetItemOut:
    columns = {"document": row.document, "applies_to": row.applies_to, "created_at": row.created_at}
    return BudgetItemOut.model_validate(columns | {"built_in": False, "is_newest": is_newest})


@cache
def _built_in_item(budget: Budget) -> BudgetItemOut:
    newest = max(built_in.version for built_in in BUILT_IN if built_in.name == budget.name)
    return BudgetItemOut.model_validate(
        {
            "document": document_of(budget),
            "built_in": True,
            "applies_to": [name for name in WORKLOADS if budget in all_built_in_for(name)],
            "is_newest": budget.version == newest,
            "created_at": None,
        }
    )
