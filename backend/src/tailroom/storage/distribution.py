"""Distribution of the tables over a Citus cluster: rows of a run on its node, other rows on the coordinator.

A table belongs to runs when its primary key begins with `run_id`. Foreign keys between those tables stay;
keys from or to other tables are dropped, because a node cannot check rows of another (docs/adr/0158).
"""

import time
from collections.abc import Sequence

from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, Engine, ForeignKeyConstraint, Table, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.schema import AddConstraint, DropConstraint

from tailroom.kit.db import MEMBER_ROLE
from tailroom.storage.registry import METADATA

KEY = "run_id"
_ROOT = "run"
_LOCK_TIMEOUT = "2s"
_ATTEMPTS = 60


class DistributionRefused(Exception):
    """The database cannot be distributed; the message has the reason and what to do."""


def tables_of_runs() -> list[Table]:
    """Return the tables to distribute: those keyed by run, `run` first."""
    tables = [table for table in METADATA.sorted_tables if _belongs_to_runs(table)]
    return sorted(tables, key=lambda table: table.name != _ROOT)


def foreign_keys_to_drop() -> list[ForeignKeyConstraint]:
    """Return the foreign keys between a table of runs and any other table."""
    return [
        key
        for table in METADATA.sorted_tables
        for key in table.foreign_key_constraints
        if _belongs_to_runs(table) != _belongs_to_runs(key.referred_table)
    ]


def is_distributed(connection: Connection) -> bool:
    """Return whether the tables of runs are distributed by Citus."""
    return _has_citus(connection) and _ROOT in _distributed_tables(connection)


def distribute(engine: Engine, shards: int) -> list[str]:
    """Distribute the tables of runs that are not distributed yet, in one transaction; return their names.

    Local rows that the coordinator still has are truncated afterwards, table by table. `shards`: number of
    shards of each table. Concurrent writers wait, or are asked to retry, as agents do. Raise
    DistributionRefused if the database has no Citus or no nodes, or the tables stay locked.
    """
    with engine.connect() as connection:
        _require_nodes(connection)
        distributed = _distributed_tables(connection)
    tables = [table for table in tables_of_runs() if table.name not in distributed]
    if not tables:
        return []
    _distribute_with_retries(engine, tables, shards)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # The coordinator's copies of the rows are not visible any more.
        for table in tables:
            function = "truncate_local_data_after_distributing_table"
            connection.execute(text(f"SELECT {function}('{table.name}')"))
    return [table.name for table in tables]


def distribute_new(engine: Engine) -> None:
    """Distribute the tables of new migrations, if earlier tables are distributed; else nothing."""
    with engine.connect() as connection:
        if not is_distributed(connection):
            return
    distribute(engine, 1)  # co-located tables have the number of shards of `run`


def _belongs_to_runs(table: Table) -> bool:
    return next(iter(table.primary_key.columns)).name == KEY


def _has_citus(connection: Connection) -> bool:
    return bool(connection.scalar(text("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')")))


def _distributed_tables(connection: Connection) -> set[str]:
    names = "SELECT relname FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid"
    return set(connection.scalars(text(names)))


def _require_nodes(connection: Connection) -> None:
    if not _has_citus(connection):
        raise DistributionRefused(
            "This database has no extension citus. On every node: shared_preload_libraries = 'citus', and"
            " CREATE EXTENSION citus in a database of this name."
        )
    nodes = "SELECT count(*) FROM pg_dist_node WHERE noderole = 'primary' AND shouldhaveshards"
    if not connection.scalar(text(nodes)):
        raise DistributionRefused(
            "The coordinator knows no node that may hold runs. SELECT citus_set_coordinator_host('…'), and"
            " SELECT citus_add_node('…', 5432) for each."
        )


def _distribute_with_retries(engine: Engine, tables: Sequence[Table], shards: int) -> None:
    """Distribute tables; retry if a lock is taken, because waiting for it would block all requests."""
    for attempt in range(_ATTEMPTS):
        try:
            with engine.begin() as connection:
                return _distribute(connection, tables, shards)
        except OperationalError as error:
            if not isinstance(error.orig, LockNotAvailable):
                raise
            time.sleep(0.2 * min(attempt, 10))
    raise DistributionRefused(
        "Somebody has used the tables of runs for two minutes; see pg_stat_activity. Nothing was changed."
    )


def _distribute(connection: Connection, tables: Sequence[Table], shards: int) -> None:
    """Lock and distribute the tables, in the transaction of this connection.

    Foreign keys between tables of runs and other tables are dropped for good; those among tables of runs are
    added again.
    """
    connection.execute(text(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'"))
    keys = [*foreign_keys_to_drop(), *(key for table in tables for key in table.foreign_key_constraints)]
    names = sorted({key.table.name for key in keys} | {table.name for table in tables})
    connection.execute(text(f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE"))
    # The nodes act as the role of the request, so it needs a login there. Roles belong to all databases of a
    # cluster, so an unneeded change could conflict with that of another database.
    can_log_in = text("SELECT rolcanlogin FROM pg_roles WHERE rolname = :name")
    if not connection.scalar(can_log_in, {"name": MEMBER_ROLE}):
        connection.execute(text(f"ALTER ROLE {MEMBER_ROLE} LOGIN"))
    present = set(connection.scalars(text("SELECT conname FROM pg_constraint WHERE contype = 'f'")))
    dropped = {str(key.name): key for key in keys if key.name in present}
    for key in dropped.values():
        connection.execute(DropConstraint(key))
    connection.execute(text("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'"))
    connection.execute(text(f"SET LOCAL citus.shard_count TO {int(shards)}"))
    for table in tables:
        colocation = "" if table.name == _ROOT else f", colocate_with => '{_ROOT}'"
        connection.execute(text(f"SELECT create_distributed_table('{table.name}', '{KEY}'{colocation})"))
    for name in dropped.keys() - {str(key.name) for key in foreign_keys_to_drop()}:
        connection.execute(AddConstraint(dropped[name]))
