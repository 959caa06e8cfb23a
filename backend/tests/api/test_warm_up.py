"""A process that warms up holds the connections of its pages, and starts without a database."""

from sqlalchemy import text
from structlog.testing import capture_logs

from tailroom.api.warm_up import warm_up
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings


def test_connections_of_pages_are_open_and_have_asked(fresh_postgres_url: str, redis_url: str) -> None:
    settings = Settings(database_url=fresh_postgres_url, redis_url=redis_url)
    database = Database.from_settings(settings)

    warm_up(database, settings)

    pages = settings.page_threads + settings.analysis_threads + settings.rating_threads
    assert database.engine.pool.checkedin() == pages  # type: ignore[attr-defined]
    assert database.engine.pool.checkedout() == 0  # type: ignore[attr-defined]
    with database.transaction() as session:
        # Nobody's role has ended with the transactions.
        assert session.scalar(text("SELECT current_user")) != "tailroom_member"
    database.dispose()


def test_a_process_starts_without_its_database_or_its_tables(empty_postgres_url: str, redis_url: str) -> None:
    for url in (empty_postgres_url, "postgresql+psycopg://nobody@127.0.0.1:9/nothing"):
        settings = Settings(database_url=url, redis_url=redis_url)
        database = Database.from_settings(settings)
        with capture_logs() as logs:
            warm_up(database, settings)
        database.dispose()
        assert [entry["event"] for entry in logs] == ["not_warmed_up"]
