"""Verdicts shown for a run: for each budget the verdict by the newest versions of budget and method.

The first verdict is the answer of the run (`domain.verdicts.order.lead`). Other readers of a published run
see only verdicts on built-in budgets, because an organisation's own budgets are private.
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

from tailroom.domain.verdicts.headline import words_of_document
from tailroom.domain.verdicts.order import BUILT_IN_NAMES, Lead, lead
from tailroom.runs.schemas import RoomOut, VerdictSummaryOut
from tailroom.runs.verdict_schemas import VerdictOut
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow

_Item = TypeVar("_Item")
_RUN_IDS: BindParameter[Any] = bindparam("run_ids", expanding=True)


def shown_verdicts(
    session: Session, run_ids: Sequence[UUID], only: str | None = None, *, reader_id: UUID | None = None
) -> Mapping[UUID, list[VerdictOut]]:
    """Return the verdicts of each run by run id, the answer of the run first; runs without are left out.

    `only` is the name of a single budget. `reader_id` is the reader's organisation; with None, the owner of
    each run reads.
    """
    if not run_ids:
        return {}
    by_run: dict[UUID, list[tuple[Lead, VerdictOut]]] = {}
    query, values = _FULL[only is not None, reader_id is not None], _values(run_ids, only, reader_id)
    for row, workload in session.execute(query, values):
        key = _lead(row.verdict, row.budget_name, row.kind, workload)
        by_run.setdefault(row.run_id, []).append((key, verdict_of(row)))
    return {run_id: _sort_by_lead(verdicts) for run_id, verdicts in by_run.items()}


def verdict_summaries(
    session: Session, run_ids: Sequence[UUID], *, reader_id: UUID | None = None
) -> dict[UUID, list[VerdictSummaryOut]]:
    """Return the short form of the verdicts of each run by run id, the answer of the run first.

    Runs without verdicts are left out. `reader_id` as in `shown_verdicts`.
    """
    if not run_ids:
        return {}
    by_run: dict[UUID, list[tuple[Lead, VerdictSummaryOut]]] = {}
    rows = session.execute(_SUMMARIES[reader_id is not None], _values(run_ids, None, reader_id))
    for document in map(dict, rows.mappings()):
        document["words"] = words_of_document(document)
        room = {name: document[name] for name in RoomOut.model_fields}
        document["room"] = None if room["window_ns"] is None else room
        summary = VerdictSummaryOut.model_validate(document)
        key = _lead(summary.verdict, summary.budget_name, document["kind"], document["workload"])
        by_run.setdefault(document["run_id"], []).append((key, summary))
    return {run_id: _sort_by_lead(verdicts) for run_id, verdicts in by_run.items()}


def cached_summaries(
    session: Session, run_ids: Sequence[UUID], reader_id: UUID
) -> Mapping[UUID, Sequence[VerdictSummaryOut]]:
    """Return `verdict_summaries`, from a cache until a run is judged again.

    The state of the judgement is read first, so that no cached entry is newer than its state. A run without
    verdicts is left out, or has an empty list if it was cached.
    """
    if not run_ids:
        return {}
    rows = session.execute(_JUDGED, {"run_ids": run_ids})
    judged = {run_id: state for run_id, *state in rows}
    with _lock:
        cached = {run_id: _cached.get((run_id, reader_id)) for run_id in run_ids}
    current = {
        run_id: entry[1] for run_id, entry in cached.items() if entry and entry[0] == judged.get(run_id)
    }
    missing_ids = [run_id for run_id in run_ids if run_id not in current]
    read = verdict_summaries(session, missing_ids, reader_id=reader_id)
    with _lock:
        for missing_id in missing_ids:
            if (state := judged.get(missing_id)) is not None:
                _cached[missing_id, reader_id] = state, tuple(read.get(missing_id, ()))
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
_cached: LRUCache[tuple[UUID, UUID], tuple[list[Any], tuple[VerdictSummaryOut, ...]]] = LRUCache(2_000)
"""State of the judgement and verdicts, by run and reader: some 8 KB each."""
_lock = Lock()


def _lead(verdict: str, name: str, kind: str, workload: str) -> Lead:
    """Return the key by which the verdicts of a run are sorted, the answer of the run first."""
    return lead(verdict, name, kind, workload=workload, is_built_in=name in BUILT_IN_NAMES)


def _sort_by_lead(verdicts: Sequence[tuple[Lead, _Item]]) -> list[_Item]:
    return [item for _, item in sorted(verdicts, key=itemgetter(0))]


def _newest(
    query: Select[*tuple[Any, ...]], *, by_name: bool = False, for_reader: bool
) -> Select[*tuple[Any, ...]]:
    """Return a query for the newest verdict of each run and budget.

    With `by_name`, only of the budget in parameter `only`. With `for_reader`, only if visible to the
    organisation `reader_id`.
    """
    conditions: list[ColumnElement[bool]] = [VerdictRow.run_id.in_(_RUN_IDS)]
    if by_name:
        conditions.append(VerdictRow.budget_name == bindparam("only"))
    if for_reader:
        is_own = VerdictRow.organisation_id == bindparam("reader_id")
        conditions.append(or_(is_own, VerdictRow.budget_name.in_(BUILT_IN_NAMES)))
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


_FULL = {
    (by_name, for_reader): _newest(select(VerdictRow, Run.workload), by_name=by_name, for_reader=for_reader)
    for by_name in (False, True)
    for for_reader in (False, True)
}
_RESULT = (
    func.jsonb_to_record(VerdictRow.result)
    .table_valued(
        column("budget", JSONB),
        column("words", Text),
        column("reason_text", Text),
        column("headline", JSONB),
        column("meter", JSONB),
        column("validity", JSONB),
        column("transaction", JSONB),
        name="document",
    )
    .render_derived(with_types=True)
)
"""Parts of a result, unpacked once in the database instead of once for each field."""
_SUMMARY_COLUMNS = (
    VerdictRow.run_id,
    Run.workload,
    VerdictRow.kind,
    VerdictRow.budget_name,
    _RESULT.c.budget["title"].astext.label("budget_title"),
    VerdictRow.verdict,
    VerdictRow.strength,
    VerdictRow.reason,
    VerdictRow.provisional,
    _RESULT.c.words,
    _RESULT.c.reason_text,
    _RESULT.c.headline["text"].astext.label("headline"),
    _RESULT.c.meter["share"].astext.label("evidence_share"),
    _RESULT.c.meter["unit"].astext.label("evidence_unit"),
    _RESULT.c.validity["slices"].astext.label("slices"),
    _RESULT.c.validity["doubtful"].astext.label("unreliable_slices"),
    *(_RESULT.c.transaction[name].astext.label(name) for name in RoomOut.model_fields),
)
"""Fields of `VerdictSummaryOut` and `RoomOut`, and the sort key of the verdict."""
_SELECTED = select(*_SUMMARY_COLUMNS).select_from(VerdictRow).join(_RESULT, true())
_SUMMARIES = {for_reader: _newest(_SELECTED, for_reader=for_reader) for for_reader in (False, True)}


def _values(run_ids: Sequence[UUID], only: str | None, reader_id: UUID | None) -> dict[str, Any]:
    parameters = {"run_ids": run_ids, "only": only, "reader_id": reader_id}
    return {name: value for name, value in parameters.items() if value is not None}


def verdict_of(row: VerdictRow) -> VerdictOut:
    """Return a stored verdict for the API, with its words."""
    return VerdictOut.model_validate(
        {
            "verdict_id": row.verdict_id,
            "computed_at": row.computed_at,
            **row.result,
            "words": words_of_document(row.result),
        }
    )
