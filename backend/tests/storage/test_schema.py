"""The migrations make exactly the tables that the models describe."""

from collections.abc import Iterator

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, NullPool, UniqueConstraint, create_engine, text

from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.migrations import _config, migrate, schema_is_current
from tailroom.kit.settings import Settings
from tailroom.storage.distribution import foreign_keys_to_drop, tables_of_runs
from tailroom.storage.registry import METADATA

MIGRATIONS = Settings().migrations_dir
_OWN = "tailroom_schema"


@pytest.fixture(scope="module")
def migrated(embedded_postgres: EmbeddedPostgres) -> Iterator[Engine]:
    """A database that the migrations have made, which tests leave as they found it."""
    embedded_postgres.create_database(_OWN)
    engine = create_engine(embedded_postgres.url(_OWN), poolclass=NullPool)
    assert not schema_is_current(engine, MIGRATIONS)
    migrate(engine, MIGRATIONS)
    yield engine
    embedded_postgres.drop_database(_OWN)


def test_models_and_migrations_agree(migrated: Engine) -> None:
    migrate(migrated, MIGRATIONS)
    assert schema_is_current(migrated, MIGRATIONS)
    with migrated.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"include_name": lambda name, kind, _: not (kind == "table" and name == "interval_default")},
        )
        assert compare_metadata(context, METADATA) == []


def test_every_constraint_is_named_by_the_convention(migrated: Engine) -> None:
    expected = {
        str(constraint.name)
        for table in METADATA.tables.values()
        for constraint in table.constraints
        if constraint.name is not None
    }
    with migrated.connect() as connection:
        found = set(
            connection.scalars(
                text(
                    "SELECT conname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid"
                    " WHERE contype IN ('p', 'u', 'f', 'c') AND NOT t.relispartition"
                    " AND t.relname <> 'alembic_version' AND t.relnamespace = 'public'::regnamespace"
                )
            )
        )
    assert found == expected


OF_EVERYBODY = {
    "organisation",
    "catalogue_item",
    "catalogue_alias",
    "catalogue_fact",
    "publication",
    "claim",
    "publication_finding",
    "reference_state",
    "drive_test",
    "test_judgement",
    "rating_revision",
    "board_edition",
    "table_revision",
}
"""Tables of public rows; a private one among them is told by its `organisation_id`, or its parent's."""
OF_OPERATORS = {"backup_made"}
OF_PEOPLE = {
    "person",
    "person_session",
    "person_identity",
    "passkey",
    "sign_in_attempt",
    "mail_code",
    "saved_item",
    "second_factor",
    "recovery_code",
}
"""Who somebody is, whatever organisations they belong to."""


OUTLIVING = {"catalogue_suggestion", "objection"}
"""What became public stays when the organisation that made it is gone; then it names none."""


def test_every_private_table_says_whose_its_rows_are() -> None:
    for table in METADATA.tables.values():
        if table.name not in OF_EVERYBODY | OF_OPERATORS | OF_PEOPLE | OUTLIVING:
            assert not table.columns["organisation_id"].nullable, table.name


def take_back(connection: Connection, revision: str) -> None:
    config = _config(MIGRATIONS)
    config.attributes["connection"] = connection
    command.downgrade(config, revision)
    connection.commit()


def test_the_newest_migrations_can_be_taken_back(migrated: Engine) -> None:
    with migrated.connect() as connection:
        take_back(connection, "0004")
        tables = set(connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")))
    assert "upload" in tables
    assert not tables & {"catalogue_item", "claim", "publication", "publication_finding", "drive_test"}
    migrate(migrated, MIGRATIONS)
    assert schema_is_current(migrated, MIGRATIONS)


def test_without_prices_per_hour_no_price_of_a_machine_is_taken_for_that_of_a_drive(migrated: Engine) -> None:
    with migrated.connect() as connection:
        connection.execute(
            text("INSERT INTO organisation (id, name, created_at) VALUES (gen_random_uuid(), 'x', now())")
        )
        insert_price = text(
            "INSERT INTO price_list (organisation_id, drive_slug, capacity_bytes, price, currency, per,"
            " stated_on, source, stored_at)"
            " SELECT id, :name, 0, 1, 'EUR', :per, now(), 'x', now() FROM organisation"
        )
        for name, per in (("bought", None), ("rented", "hour")):
            connection.execute(insert_price, {"name": name, "per": per})
        connection.commit()
        take_back(connection, "0065")
        assert connection.scalars(text("SELECT drive_slug FROM price_list")).all() == ["bought"]
    migrate(migrated, MIGRATIONS)
    with migrated.connect() as connection:
        assert connection.execute(text("SELECT drive_slug, per FROM price_list")).all() == [("bought", None)]
        for table in ("price_list", "organisation"):
            connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608 - names of ours
        connection.commit()


def test_what_belongs_to_a_run_can_lie_on_the_node_of_the_run() -> None:
    """The rules of a distributed database, which `tailroom db distribute` relies on.

    `access/test_row_level_security.py` looks for triggers and for policies with subqueries.
    """
    distributed = {table.name for table in tables_of_runs()}
    assert {"run", "series", "interval", "slice", "verdict", "run_source"} <= distributed
    for table in METADATA.tables.values():
        key = [column.name for column in table.primary_key.columns]
        assert "run_id" not in key or table.name in distributed, f"{table.name}: run_id is not first"
        for foreign in table.foreign_key_constraints:
            assert foreign.ondelete in {None, "CASCADE"}, foreign.name
            assert foreign.onupdate is None, foreign.name
        if table.name not in distributed:
            continue
        unique = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
        for columns in (
            *(one.columns for one in unique),
            *(one.columns for one in table.indexes if one.unique),
        ):
            assert "run_id" in columns, f"{table.name}: unique without run_id"
    # Of these nothing may rely on the database: they go when it is distributed.
    assert {key.name for key in foreign_keys_to_drop()} == {
        "fk_run_organisation_id_organisation",
        "fk_drive_test_run_id_run",
    }
