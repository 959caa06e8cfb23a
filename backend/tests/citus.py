"""Databases on the distributed PostgreSQL whose coordinator `TAILROOM_TEST_CITUS` names, as a URL of a
superuser; in place of the embedded one where it is set (`make test-cluster`).
"""

import os
from collections.abc import Sequence

import psycopg
from psycopg import sql
from sqlalchemy import URL, create_engine
from sqlalchemy.engine import make_url

from tailroom.storage.distribution import distribute

COORDINATOR = os.environ.get("TAILROOM_TEST_CITUS")
SHARDS = 4
"""Few, because a test waits for each of them."""


class CitusCluster:
    """Makes each database on every node; a copy of a database has its shards and its nodes."""

    def __init__(self, coordinator: str) -> None:
        self._coordinator = make_url(coordinator).set(drivername="postgresql")
        self._prefix = f"p{os.getpid()}_"
        with psycopg.connect(self._conninfo(self._coordinator), autocommit=True) as connection:
            rows = connection.execute(
                "SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 AND noderole = 'primary'"
            ).fetchall()
        self._workers = [self._coordinator.set(host=host, port=port) for host, port in rows]
        self._made: list[str] = []

    def url(self, database: str) -> str:
        """The SQLAlchemy URL of a database."""
        named = self._coordinator.set(drivername="postgresql+psycopg", database=self._prefix + database)
        return named.render_as_string(hide_password=False)

    def create_database(self, name: str, *, template: str | None = None) -> None:
        """Creates a database, optionally as a copy of another."""
        made = sql.Identifier(self._prefix + name)
        statement = sql.SQL("CREATE DATABASE {}").format(made)
        if template is not None:
            copied = sql.Identifier(self._prefix + template)
            statement += sql.SQL(" TEMPLATE {} STRATEGY file_copy").format(copied)
        for node in (*self._workers, self._coordinator):
            with psycopg.connect(self._conninfo(node), autocommit=True) as connection:
                connection.execute("SET citus.enable_create_database_propagation TO off")
                connection.execute(statement)
        self._made.append(name)

    @property
    def nodes(self) -> list[URL]:
        """The nodes that hold runs."""
        return [*self._workers]

    def name(self, database: str) -> str:
        """What a database is called on each node."""
        return self._prefix + database

    def join_nodes(self, name: str, nodes: Sequence[URL] | None = None) -> None:
        """Tells a database's coordinator of all nodes, or of these."""
        for node in (*self._workers, self._coordinator):
            there = node.set(database=self._prefix + name)
            with psycopg.connect(self._conninfo(there), autocommit=True) as connection:
                connection.execute("CREATE EXTENSION citus")
        with psycopg.connect(self._conninfo(there), autocommit=True) as connection:
            connection.execute(
                "SELECT citus_set_coordinator_host(%s, %s)", [self._coordinator.host, self._coordinator.port]
            )
            for node in self._workers if nodes is None else nodes:
                connection.execute("SELECT citus_add_node(%s, %s)", [node.host, node.port])

    def distribute(self, name: str, nodes: Sequence[URL] | None = None) -> None:
        """Makes a migrated database a distributed one, on all nodes or on these."""
        self.join_nodes(name, nodes)
        engine = create_engine(self.url(name))
        distribute(engine, SHARDS)
        engine.dispose()

    def drop_database(self, name: str) -> None:
        """Drops a database, ending the sessions that still use it, those of the cluster itself too."""
        self.close(name)
        for node in (self._coordinator, *self._workers):
            with psycopg.connect(self._conninfo(node), autocommit=True) as connection:
                connection.execute("SET citus.enable_create_database_propagation TO off")
                dropped = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
                connection.execute(dropped.format(sql.Identifier(self._prefix + name)))
        self._made.remove(name)

    def stop(self) -> None:
        """Drops everything that was made."""
        for name in list(self._made):
            self.drop_database(name)

    def close(self, name: str) -> None:
        """Lets nobody in any more: a template is copied, and a database dropped, while nobody uses it, the
        cluster included.
        """
        for node in (self._coordinator, *self._workers):
            with psycopg.connect(self._conninfo(node), autocommit=True) as connection:
                named = sql.Identifier(self._prefix + name)
                connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(named))
                connection.execute(
                    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s",
                    [self._prefix + name],
                )

    @staticmethod
    def _conninfo(url: object) -> str:
        return url.render_as_string(hide_password=False)  # type: ignore[attr-defined, no-any-return]
