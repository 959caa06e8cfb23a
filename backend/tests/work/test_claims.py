"""Work is claimed once, in fair turns, tried again after pauses, and given up in the end."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from backend.tests.analysis.recording import MOMENT, SeriesSpec, add_intervals, add_run, finish, steady
from sqlalchemy import delete, select, text

from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.judging import findings, judgement, run_verdicts
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.lanes import JUDGING
from tailroom.kit.transactions import ChangedMeanwhile, Transactions, transactions_of
from tailroom.records.repository import RunInUse
from tailroom.storage.run import Run
from tailroom.storage.verdicts import VerdictRow
from tailroom.storage.work import WorkRow, WorkTurn
from tailroom.work import claims, failures, outbox
from tailroom.work.claims import ENDED, WorkClaim
from tailroom.work.executor import Executor
from tailroom.work.kinds import CLAIM_HOLDS, JUDGE

SPECS = [SeriesSpec("read", steady(2_000, 14))]
SOON = timedelta(milliseconds=1)


@pytest.fixture(scope="module")
def own_database(embedded_postgres: EmbeddedPostgres, migrated_template: str) -> Iterator[Database]:
    embedded_postgres.create_database("tailroom_claims", template=migrated_template)
    found = Database(embedded_postgres.url("tailroom_claims"))
    yield found
    found.dispose()
    embedded_postgres.drop_database("tailroom_claims")


@pytest.fixture
def database(own_database: Database) -> Database:
    """A database without work, in which no organisation had its turn."""
    with own_database.transaction() as session:
        session.execute(delete(WorkRow))
        session.execute(delete(WorkTurn))
    return own_database


def due(database: Database, organisation_id: UUID, count: int = 1, at: datetime = MOMENT) -> list[UUID]:
    """So many subjects with work that is due, the first one first."""
    subjects = [new_id() for _ in range(count)]
    with database.transaction() as session:
        for number, subject in enumerate(subjects):
            outbox.make_due(session, JUDGE, subject, organisation_id, at + number * SOON)
    return subjects


def claim(database: Database, now: datetime | None = None, processes: int = 1) -> WorkClaim | None:
    with database.transaction() as session:
        return claims.claim_next(session, JUDGING, now or utc_now(), processes)


def row(database: Database, subject: UUID) -> WorkRow | None:
    with database.transaction() as session:
        return session.get(WorkRow, (subject, JUDGE.name))


def test_what_is_claimed_is_nobody_elses_until_the_claim_runs_out(database: Database) -> None:
    (subject,) = due(database, new_id())
    first = claim(database)
    assert first is not None
    assert (first.subject, first.attempts) == (subject, 1)
    assert claim(database) is None
    again = claim(database, utc_now() + CLAIM_HOLDS + SOON)
    assert again is not None
    assert again.attempts == 2
    with database.transaction() as session:
        assert not claims.finish(session, first, utc_now()), "the claim is lost"
        assert claims.finish(session, again, utc_now())
    assert row(database, subject) is None


def test_what_becomes_due_while_it_is_worked_on_is_done_again(database: Database) -> None:
    organisation_id = new_id()
    (subject,) = due(database, organisation_id)
    working = claim(database)
    assert working is not None
    with database.transaction() as session:
        outbox.make_due(session, JUDGE, subject, organisation_id, utc_now())
    assert claim(database) is None, "being worked on"
    with database.transaction() as session:
        claims.finish(session, working, utc_now(), again_at=utc_now() + timedelta(hours=1))
    again = claim(database)
    assert again is not None
    assert again.attempts == 1


def test_a_claim_holds_longer_when_it_is_extended(database: Database) -> None:
    due(database, new_id())
    now = utc_now()
    first = claim(database, now)
    assert first is not None
    with database.transaction() as session:
        assert claims.extend(session, first, now + CLAIM_HOLDS / 2)
    assert claim(database, now + CLAIM_HOLDS) is None
    assert claim(database, now + 1.5 * CLAIM_HOLDS) is not None
    with database.transaction() as session:
        assert not claims.extend(session, first, now), "the claim is lost"
        assert not claims.fail(session, first, "ValueError: broken", now)
        assert not claims.release(session, first, now)


def test_a_released_attempt_does_not_count(database: Database) -> None:
    (subject,) = due(database, new_id())
    first, later = claim(database), utc_now() + timedelta(hours=1)
    assert first is not None
    with database.transaction() as session:
        assert claims.release(session, first, later)
    released = row(database, subject)
    assert released is not None
    assert (released.attempts, released.due_at) == (0, later)
    assert (released.claim_id, released.claimed_until) == (None, None)
    assert claim(database, later - SOON) is None
    assert claim(database, later) is not None


def test_one_subject_is_claimed_before_it_is_due(database: Database) -> None:
    now, organisation_id = utc_now(), new_id()
    (subject,) = due(database, organisation_id, at=now + timedelta(hours=1))

    def claim_one(at: datetime) -> WorkClaim | None:
        with database.transaction() as session:
            return claims.claim_one(session, JUDGE.name, subject, at)

    first = claim_one(now)
    assert first is not None
    assert (first.kind, first.subject, first.organisation_id, first.lane, first.attempts, first.details) == (
        *(JUDGE.name, subject, organisation_id, JUDGING),
        *(1, None),
    )
    assert claim_one(now + CLAIM_HOLDS - SOON) is None
    assert claim_one(now + CLAIM_HOLDS) is not None


def test_a_claim_of_another_process_is_seen_in_a_row_that_was_read_before(database: Database) -> None:
    (subject,) = due(database, new_id())
    with database.transaction() as session:
        assert session.get_one(WorkRow, (subject, JUDGE.name)).claimed_until is None
        assert claim(database) is not None
        assert claims.claim_one(session, JUDGE.name, subject, utc_now()) is None


def test_finished_work_is_due_again_at_its_time(database: Database) -> None:
    (subject,) = due(database, new_id())
    working, later = claim(database), utc_now() + timedelta(hours=1)
    assert working is not None
    with database.transaction() as session:
        assert claims.finish(session, working, utc_now(), again_at=later)
    finished = row(database, subject)
    assert finished is not None
    assert (finished.due_at, finished.attempts, finished.claim_id, finished.claimed_until) == (
        later,
        0,
        None,
        None,
    )


def test_failing_work_waits_longer_each_time_is_given_up_and_begins_anew_on_request(
    database: Database,
) -> None:
    organisation_id = new_id()
    (subject,) = due(database, organisation_id)
    now, pauses = utc_now(), []
    for _ in range(JUDGE.most_attempts):
        found = claim(database, now)
        assert found is not None
        with database.transaction() as session:
            is_given_up = claims.fail(session, found, "ValueError: broken" + "!" * 3_000, now)
        after = row(database, subject)
        assert after is not None
        if not is_given_up:
            with database.transaction() as session:
                outbox.make_due(session, JUDGE, subject, organisation_id, now)
            assert claim(database, now) is None, "new data do not shorten the pause"
            pauses.append(after.due_at - now)
            now = after.due_at
    assert pauses == sorted(set(pauses))
    assert claim(database, now + timedelta(days=1)) is None
    with database.transaction() as session:
        (failure,) = failures.by_subject(session, [subject])[subject]
        error = ("ValueError: broken" + "!" * 3_000)[:2_000]
        assert (failure.attempts, failure.error) == (JUDGE.most_attempts, error)
        assert failures.newest(session, organisation_id, 10) == [failure]
        assert failures.newest(session, new_id(), 10) == []
        assert outbox.retry(session, subject, now) == 1
    again = claim(database, now)
    assert again is not None
    assert again.attempts == 1


def test_what_ends_every_process_that_works_on_it_is_given_up(database: Database) -> None:
    """By SIGKILL, each time after the claim was committed."""
    (subject,) = due(database, new_id())
    url = database.engine.url.render_as_string(hide_password=False)
    for number in range(JUDGE.most_attempts):
        pid = os.fork()
        if not pid:
            # The connections of the parent are not this process's.
            claim(Database(url, pool_size=1), utc_now() + 2 * CLAIM_HOLDS * number)
            os.kill(os.getpid(), signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
        claimed = row(database, subject)
        assert claimed is not None
        assert (claimed.attempts, claimed.claim_id is None) == (number + 1, False)
    assert claim(database, utc_now() + timedelta(days=1)) is None
    given_up = row(database, subject)
    assert given_up is not None
    assert given_up.error == ENDED
    assert given_up.given_up_at is not None


def test_organisations_take_turns(database: Database) -> None:
    many, few = new_id(), new_id()
    due(database, many, 20)
    late = due(database, few, 3, MOMENT + timedelta(hours=1))
    served = []
    for _ in range(6):
        found = claim(database)
        assert found is not None
        served.append(found.organisation_id)
        with database.transaction() as session:
            claims.finish(session, found, utc_now())
    assert served.count(few) == len(late), "however many the other one has, and however early they were due"


def test_one_process_stays_free_for_others(database: Database) -> None:
    many, few = new_id(), new_id()
    due(database, many, 20)
    assert claim(database, processes=3) is not None
    assert claim(database, processes=3) is not None
    assert claim(database, processes=3) is not None, "as long as there is nobody else"
    (subject,) = due(database, few)
    found = claim(database, processes=3)
    assert found is not None
    assert found.subject == subject
    with database.transaction() as session:
        session.execute(
            text("UPDATE work SET claim_id = NULL, claimed_until = NULL, due_at = :at"), {"at": MOMENT}
        )
    taken = [claim(database, processes=3) for _ in range(3)]
    assert sorted(str(one.organisation_id) for one in taken if one) != [str(many)] * 3


def test_a_thousand_poisonous_runs_delay_no_other_organisation(database: Database) -> None:
    """The others' work is due last, and one process does everything."""
    poison, healthy = new_id(), new_id()
    due(database, poison, 1_000)
    (wanted,) = due(database, healthy, 1, utc_now())
    order: list[UUID] = []

    def handle(found: WorkClaim, _: Transactions) -> None:
        order.append(found.subject)
        if found.organisation_id == poison:
            raise ArithmeticError("poison")

    executor = Executor(database, {JUDGE.name: handle}, {})
    deadline = time.monotonic() + 60
    while wanted not in order and time.monotonic() < deadline:
        executor.work_through(JUDGING, 0.05)
    assert order.index(wanted) <= 1, "it has the second turn at the latest"
    later = due(database, healthy, 1, utc_now())[0]
    before = len(order)
    while later not in order and time.monotonic() < deadline:
        executor.work_through(JUDGING, 0.05)
    assert order.index(later) - before <= 1


def test_two_workers_on_one_run_waste_one_calculation_at_most(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both read the same; one writes, and the other finds that somebody was faster or is at it."""
    with database.transaction() as session:
        run_id = add_run(session, SPECS)
        add_intervals(session, run_id, SPECS)
        finish(session, run_id, SPECS)
        organisation_id = session.get_one(Run, run_id).organisation_id
    calculations, both = [], threading.Barrier(2, timeout=60)
    judge_run = run_verdicts.judge_run

    def together(*args: object) -> object:
        calculations.append(1)
        if len(calculations) <= 2:
            both.wait()
        return judge_run(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(judgement, "judge_run", together)
    transactions, outcomes = transactions_of(database, organisation_id), []

    def work() -> None:
        while True:
            try:
                outcomes.append(judgement.judge(transactions, run_id, utc_now()))
            except ChangedMeanwhile:
                continue
            return

    workers = [threading.Thread(target=work) for _ in range(2)]
    for one in workers:
        one.start()
    for one in workers:
        one.join(120)
    assert len(outcomes) == 2
    assert len(calculations) <= 2
    with database.transaction() as session:
        rows = session.scalars(select(VerdictRow).where(VerdictRow.run_id == run_id)).all()
        assert len(rows) == len({(one.budget_name, one.budget_version) for one in rows}) > 0
        assert not any(one.provisional for one in rows)


def test_verdicts_do_not_wait_for_a_transaction_that_changes_the_run(database: Database) -> None:
    with database.transaction() as session:
        run_id = add_run(session, SPECS)
        add_intervals(session, run_id, SPECS)
        finish(session, run_id, SPECS)
    with database.transaction() as session:
        session.execute(text("SELECT FROM run WHERE run_id = :id FOR NO KEY UPDATE"), {"id": run_id})
        with pytest.raises(RunInUse, match="is being changed"):
            judgement.judge(transactions_of(database, None), run_id, utc_now())


def test_no_connection_is_held_while_a_run_is_calculated(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as session:
        run_id = add_run(session, SPECS)
        add_intervals(session, run_id, SPECS)
        finish(session, run_id, SPECS)
    held: list[int] = []
    judge_run, audit_record = run_verdicts.judge_run, findings.audit_record

    def watched(what: object) -> object:
        def call(*args: object) -> object:
            held.append(database.engine.pool.checkedout())  # type: ignore[attr-defined]
            return what(*args)  # type: ignore[operator]

        return call

    monkeypatch.setattr(judgement, "judge_run", watched(judge_run))
    monkeypatch.setattr(judgement, "audit_record", watched(audit_record))
    transactions = transactions_of(database, None)
    judged = judgement.judge(transactions, run_id, utc_now())
    assert judged is not None
    assert judged.judged
    assert judgement.audit(transactions, run_id) == "finished"
    assert held == [0, 0]
