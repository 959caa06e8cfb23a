"""Alembic environment: run the migrations on the connection of `tailroom.kit.migrations`.

Without such a connection, use the database of the settings. Run migrations with `tailroom db migrate`, not
with `alembic -c`. Each statement is executed separately, because Citus requires it.
"""

from alembic import context
from sqlalchemy import Connection

from tailroom.kit.db import make_engine
from tailroom.kit.settings import get_settings
from tailroom.storage.registry import METADATA


def _run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=METADATA, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


connection = context.config.attributes.get("connection")
if isinstance(connection, Connection):
    _run(connection)
else:
    with make_engine(get_settings().database_url).connect() as new_connection:
        _run(new_connection)
