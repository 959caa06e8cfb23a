"""The services that other tests rely on: reachable, migrated, apart from each other."""

import redis
from sqlalchemy import create_engine, text

from tailroom.embedded.valkey import EmbeddedValkey


def test_migrated_database_has_the_tables_and_is_separate(fresh_postgres_url: str, postgres_url: str) -> None:
    assert fresh_postgres_url != postgres_url
    engine = create_engine(fresh_postgres_url)
    with engine.begin() as connection:
        assert connection.execute(text("SELECT to_regclass('run') IS NOT NULL")).scalar_one()
    engine.dispose()


def test_empty_database_has_no_tables(empty_postgres_url: str) -> None:
    engine = create_engine(empty_postgres_url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT to_regclass('run')")).scalar_one() is None
    engine.dispose()


def test_valkey_of_the_session_and_a_throw_away_one_are_separate(
    redis_url: str, throw_away_valkey: EmbeddedValkey
) -> None:
    shared, own = redis.Redis.from_url(redis_url), redis.Redis.from_url(throw_away_valkey.url)
    shared.set("only here", 1)
    assert own.get("only here") is None
    shared.close()
    own.close()
