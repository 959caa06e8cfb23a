"""What a cluster refuses is refused here too, where no cluster is (docs/adr/0158)."""

from typing import Any
from uuid import UUID

import pytest
from backend.tests.one_node import problem_of
from sqlalchemy import select, update

from tailroom.ratings import repository
from tailroom.storage.run import Run
from tailroom.storage.series import Series
from tailroom.storage.slices import AnalysisState
from tailroom.storage.work import WorkRow
from tailroom.work.kinds import RATE
from tailroom.work.outbox import runs_without

_RUN_ID = UUID(int=1)
_DUE = select(WorkRow.subject).where(WorkRow.subject == Run.run_id)
_OF_RUN = select(Series.run_id).where(Series.run_id == Run.run_id)

# Each was tried on Citus 13.2.2.
_REFUSED: dict[str, Any] = {
    "exists": select(Run.run_id).where(~_DUE.exists()),
    "scalar": select(Run.run_id, _DUE.limit(1).scalar_subquery()),
    "in": select(Run.run_id).where(Run.run_id.in_(_DUE)),
    "deep": select(select(Run.run_id).where(~_DUE.exists()).subquery()),
    "update": update(Run).where(_DUE.exists()).values(title=""),
    "lock of all": select(Run).with_for_update(),
    "lock of several": select(Run).where(Run.run_id.in_([_RUN_ID])).with_for_update(),
}
_TAKEN: dict[str, Any] = {
    "lock of one": select(Run).where(Run.run_id == _RUN_ID).with_for_update(),
    "beside the run": select(Run.run_id).where(_OF_RUN.exists()),
    "looked up first": select(Run.run_id).where(Run.run_id.in_(select(WorkRow.subject))),
    "joined": runs_without(RATE),
    "ratings": repository.untested_runs("x"),
    "key": select(repository.source_key(_RUN_ID)).select_from(Run).join(AnalysisState),
    "of the coordinator": select(WorkRow).with_for_update(),
}


@pytest.mark.parametrize("name", _REFUSED)
def test_what_a_cluster_refuses_is_found(name: str) -> None:
    assert problem_of(_REFUSED[name])


@pytest.mark.parametrize("name", _TAKEN)
def test_what_a_cluster_takes_is_left_alone(name: str) -> None:
    assert problem_of(_TAKEN[name]) == ""
