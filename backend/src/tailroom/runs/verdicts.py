"""Verdicts shown for a run: of each budget the verdict by the newest versions of budget and method.

The first verdict is the answer of the run (`domain.verdicts.order.lead`), on its page and in lists. Other
readers of a published run see verdicts on built-in budgets alone: an organisation's own budgets are private.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from threading import Lock
from typing import Any, TypeVar
from uuid import UUID

from cachetools import LRUCache
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    Text,
    bindparam,
    column,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB, distinct_on
from sqlalchemy.orm import Session

from tailroom.domain.verdicts.budget import BUDGETS
from tailroom.domain.verdicts.headline import words_of_document
from tailroom.domain.verdicts.order import Lead, lead
from tailroom.domain.verdicts.own_question import OWN_QUESTION
from tailroom.runs.schemas import RoomOut, VerdictSummaryOut
from tailroom.runs.verdict_schema import VerdictOut
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow

_Item = TypeVar("_Item")
_RUN_IDS: BindParameter[Any] = bindparam("run_ids", expanding=True)

BUILT_IN_NAMES = (*dict.fromkeys(budget.name for budget in BUDGETS), OWN_QUESTION)
"""Budgets whose verdicts others see of a published run: also what its own plan asks, which they see too."""


def shown_verdicts(
    session: Session, run_ids: Sequence[UUID], only: str | None = None, *, to: UUID | None = None
) -> Mapping[UUID, list[VerdictOut]]:
    """Return the verdicts of each run by run, the answer first; `only`: of the budget of this name.

    `to` is the organisation of the reader; None: each run's own organisation.
    """
    if not run_ids:
        return {}
    by_run: dict[UUID, list[tuple[Lead, VerdictOut]]] = {}
    query, values = _WHOLE[only is not None, to is not None], _values(run_ids, only, to)
    for row, workload in session.execute(query, values):
        place = _lead(row.verdict, row.budget_name, row.kind, workload)
        by_run.setdefault(row.run_id, []).append((place, verdict_of(row)))
    return {run_id: _in_order(verdicts) for run_id, verdicts in by_run.items()}


def verdicts_in_a_word(
    session: Session, run_ids: Sequence[UUID], *, to: UUID | None = None
) -> dict[UUID, list[VerdictSummaryOut]]:
    """Return the short form of the verdicts of each run, by run, the answer first, as lists show it.

    It does not read the whole documents. `to` as in `shown_verdicts`.
    """
    if not run_ids:
        return {}
    by_run: dict[UUID, list[tuple[Lead, VerdictSummaryOut]]] = {}
    for (
        run_id,
        workload,
        kind,
        name,
        title,
        verdict,
        strength,
        reason,
        provisional,
        *shown,
    ) in session.execute(_IN_A_WORD[to is not None], _values(run_ids, None, to)):
        words, why, headline, share, unit, slices, unreliable, *room = shown
        of_document = {"verdict": verdict, "reason": reason, "words": words, "provisional": provisional}
        summary = VerdictSummaryOut(
            budget_name=name,
            budget_title=title,
            verdict=verdict,
            strength=strength,
            words=words_of_document(of_document),
            reason=reason,
            provisional=provisional,
            reason_text=why,
            headline=headline,
            room=None if room[0] is None else RoomOut(**dict(zip(RoomOut.model_fields, room, strict=True))),
            evidence_share=share,
            evidence_unit=unit,
            slices=slices,
            unreliable_slices=unreliable,
        )
        by_run.setdefault(run_id, []).append((_lead(verdict, name, kind, workload), summary))
    return {run_id: _in_order(verdicts) for run_id, verdicts in by_run.items()}


def listed_verdicts(
    session: Session, run_ids: Sequence[UUID], to: UUID
) -> Mapping[UUID, Sequence[VerdictSummaryOut]]:
    """Return `verdicts_in_a_word`, cached until a run is judged again.

    Stored verdicts change in no other way. The state of the judgement is read first, so that no cached entry
    is newer than recorded.
    """
    if not run_ids:
        return {}
    rows = session.execute(_JUDGED, {"run_ids": run_ids})
    judged = {run_id: state for run_id, *state in rows}
    with _lock:
        cached = {run_id: _listed.get((run_id, to)) for run_id in run_ids}
    current = {
        run_id: entry[1] for run_id, entry in cached.items() if entry and entry[0] == judged.get(run_id)
    }
    missing_ids = [run_id for run_id in run_ids if run_id not in current]
    read = verdicts_in_a_word(session, missing_ids, to=to)
    with _lock:
        for missing_id in missing_ids:
            if (state := judged.get(missing_id)) is not None:
                _listed[missing_id, to] = state, tuple(read.get(missing_id, ()))
    return current | read


_JUDGED = select(
    AnalysisState.run_id,
    AnalysisState.computed_at,
    AnalysisState.judged_intervals,
    AnalysisState.judged_state,
    AnalysisState.budgets_digest,
    AnalysisState.method_version,
    AnalysisState.is_final,
).where(AnalysisState.run_id.in_(_RUN_IDS))
_listed: LRUCache[tuple[UUID, UUID], tuple[list[Any], tuple[VerdictSummaryOut, ...]]] = LRUCache(2_000)
"""Cached verdicts by run and by reader: some 8 KB each."""
_lock = Lock()


def _lead(verdict: str, name: str, kind: str, workload: str) -> Lead:
    return lead(verdict, name, kind, workload=workload, is_built_in=name in BUILT_IN_NAMES)


def _in_order(verdicts: Sequence[tuple[Lead, _Item]]) -> list[_Item]:
    """Return the items in the order of their keys."""
    return [item for _, item in sorted(verdicts, key=itemgetter(0))]


def _newest(
    query: Select[*tuple[Any, ...]], *, of_one: bool = False, to_one: bool
) -> Select[*tuple[Any, ...]]:
    """Return a query restricted to the newest verdict of each run and budget.

    `of_one`: on the budget in parameter `only`; `to_one`: as the organisation in parameter `to` sees them.
    """
    conditions: list[ColumnElement[bool]] = [VerdictRow.run_id.in_(_RUN_IDS)]
    if of_one:
        conditions.append(VerdictRow.budget_name == bindparam("only"))
    if to_one:
        seen = VerdictRow.organisation_id == bindparam("to")
        conditions.append(or_(seen, VerdictRow.budget_name.in_(BUILT_IN_NAMES)))
    return (
        query.join(Run, Run.run_id == VerdictRow.run_id)
        .where(*conditions)
        .ext(distinct_on(VerdictRow.run_id, VerdictRow.budget_name))
        .order_by(
            VerdictRow.run_id,
            VerdictRow.budget_name,
            VerdictRow.budget_version.desc(),
            VerdictRow.method_version.desc(),
        )
    )


_WHOLE = {
    (of_one, to_one): _newest(select(VerdictRow, Run.workload), of_one=of_one, to_one=to_one)
    for of_one in (False, True)
    for to_one in (False, True)
}
_SAID = (
    func.jsonb_to_record(VerdictRow.result)
    .table_valued(
        column("budget", JSONB),
        column("words", Text),
        column("reason_text", Text),
        column("headline", JSONB),
        column("meter", JSONB),
        column("validity", JSONB),
        column("transaction", JSONB),
        name="said",
    )
    .render_derived(with_types=True)
)
"""Parts of a result, unpacked by the database once instead of once for each field."""
_WORDS = (
    VerdictRow.run_id,
    Run.workload,
    VerdictRow.kind,
    VerdictRow.budget_name,
    _SAID.c.budget["title"].astext,
    VerdictRow.verdict,
    VerdictRow.strength,
    VerdictRow.reason,
    VerdictRow.provisional,
    _SAID.c.words,
    _SAID.c.reason_text,
    _SAID.c.headline["text"].astext,
    _SAID.c.meter["share"].astext,
    _SAID.c.meter["unit"].astext,
    _SAID.c.validity["slices"].astext,
    _SAID.c.validity["doubtful"].astext,
    *(_SAID.c.transaction[name].astext for name in RoomOut.model_fields),
)
_SELECTED = select(*_WORDS).select_from(VerdictRow).join(_SAID, true())
_IN_A_WORD = {to_one: _newest(_SELECTED, to_one=to_one) for to_one in (False, True)}


def _values(run_ids: Sequence[UUID], only: str | None, to: UUID | None) -> dict[str, Any]:
    """Return the parameters of the statements in `_WHOLE` and `_IN_A_WORD`."""
    parameters = {"run_ids": run_ids, "only": only, "to": to}
    return {name: value for name, value in parameters.items() if value is not None}


def verdict_of(row: VerdictRow) -> VerdictOut:
    """Return a stored verdict for the API."""
    return VerdictOut.model_validate(
        {
            "verdict_id": row.verdict_id,
            "computed_at": row.computed_at,
            **row.result,
            "words": words_of_document(row.result),
        }
    )
