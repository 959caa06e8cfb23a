"""Make runs due whose results are older than the method, the checks, their budgets or their data.

Called once an hour and when reference data are loaded, for new versions and lost work. Other work is made due
where it arises (`tailroom.work.outbox`).
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    LargeBinary,
    Select,
    Text,
    Uuid,
    and_,
    case,
    column,
    func,
    literal,
    or_,
    select,
    text,
    values,
)
from sqlalchemy.orm import Session

from tailroom.budgets.service import WorkloadDigests, digests_of_workloads
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.plausibility import AUDIT_VERSION
from tailroom.kit.lanes import RENEWAL
from tailroom.storage.run import Run
from tailroom.storage.series import HISTOGRAM, Series
from tailroom.storage.slices import RUN, AnalysisState, RollupState, Slice
from tailroom.work.kinds import AUDIT, JUDGE
from tailroom.work.outbox import make_many_due, runs_without


def make_stale_due(session: Session, now: datetime) -> None:
    """Make runs due whose results are older than the method, the checks, their budgets or their data, in the
    lane for renewal. The rest of this transaction has no time limit for statements.
    """
    # A new method makes every run due, which may take minutes.
    session.execute(text("SET LOCAL statement_timeout = 0"))
    make_many_due(session, JUDGE, runs_to_judge(digests_of_workloads(session)), now, RENEWAL)
    make_many_due(session, AUDIT, runs_to_audit(), now, RENEWAL)


def runs_to_judge(digests: WorkloadDigests) -> Select[UUID, UUID]:
    """Return the query of runs with stale verdicts by the `digests` of current budgets: (subject,
    organisation_id).
    """
    behind = (
        select(Series.run_id)
        .outerjoin(
            RollupState, and_(RollupState.run_id == Series.run_id, RollupState.series_no == Series.series_no)
        )
        .where(
            Series.run_id == Run.run_id,
            Series.kind == HISTOGRAM,
            Series.contiguous_seq > func.coalesce(RollupState.through_seq, -1),
        )
        .exists()
    )
    # Intervals in the slices, to compare with the intervals at the last judgement.
    rolled = (
        select(func.coalesce(func.sum(Slice.__table__.c.interval_count), 0))
        .where(Slice.run_id == Run.run_id, Slice.width == RUN)
        .scalar_subquery()
    )
    stale = or_(
        AnalysisState.run_id.is_(None),
        AnalysisState.method_version != METHOD_VERSION,
        AnalysisState.budgets_digest.is_distinct_from(_digest_of_run(digests)),
        and_(
            ~AnalysisState.is_final,
            or_(
                AnalysisState.judged_state.is_distinct_from(Run.state),
                behind,
                AnalysisState.judged_intervals != rolled,
            ),
        ),
    )
    return runs_without(JUDGE).outerjoin(AnalysisState, AnalysisState.run_id == Run.run_id).where(stale)


def runs_to_audit() -> Select[UUID, UUID]:
    """Return the query of judged runs with stale findings and no audit due; columns as of `runs_to_judge`."""
    return (
        runs_without(AUDIT)
        .join(AnalysisState, AnalysisState.run_id == Run.run_id)
        .where(AnalysisState.audit_version != AUDIT_VERSION, AnalysisState.computed_at.is_not(None))
    )


def _digest_of_run(digests: WorkloadDigests) -> ColumnElement[bytes]:
    plain: ColumnElement[bytes] = literal(digests.of_none, LargeBinary)
    if digests.plain:
        plain = case(digests.plain, value=Run.workload, else_=plain)
    if not digests.own:
        return plain
    columns = (column("organisation_id", Uuid), column("workload", Text), column("digest", LargeBinary))
    own = values(*columns, name="own").data([(*key, digest) for key, digest in digests.own.items()])
    own_digest = (
        select(own.c.digest)
        .where(own.c.organisation_id == Run.organisation_id, own.c.workload == Run.workload)
        .scalar_subquery()
    )
    return func.coalesce(own_digest, plain)
