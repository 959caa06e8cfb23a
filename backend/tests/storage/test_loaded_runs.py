"""Loaded runs stay what their session makes of them."""

from backend.tests.analysis.recording import add_run
from sqlalchemy import update

from tailroom.kit.db import Database
from tailroom.storage.run import Run


def test_an_update_of_a_loaded_run_is_seen_in_it(database: Database) -> None:
    with database.transaction() as session:
        run = session.get_one(Run, add_run(session, ()))
        session.execute(update(Run).where(Run.run_id == run.run_id).values(title="another"))
        assert run.title == "another"
        session.delete(run)
