"""The database of the installation, for commands that work on it directly."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import UUID

from tailroom.cli.terminal import stop
from tailroom.kit.clock import utc_now

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from tailroom.kit.db import Database
    from tailroom.kit.settings import Settings
    from tailroom.storage.organisation import Organisation


def installation_settings() -> "Settings":
    """Return the settings; the addresses are those of the `make up` that runs in their home, if any."""
    from tailroom.kit.local_services import with_local_services
    from tailroom.kit.settings import get_settings

    return with_local_services(get_settings())


@contextmanager
def open_database(settings: "Settings | None" = None) -> Iterator["Database"]:
    """Open the database of `settings` (None: of the installation), and close it at the end of the context."""
    from tailroom.kit.db import Database

    database = Database.from_settings(settings or installation_settings())
    try:
        yield database
    finally:
        database.dispose()


@contextmanager
def open_transaction() -> Iterator["Session"]:
    """Open a transaction in the installation's database that is bound to no organisation."""
    with open_database() as database, database.transaction() as session:
        yield session


def organisation_named(session: "Session", name_or_id: str) -> "Organisation":
    """Return the organisation with this id, or the operator's with this name; else end the command."""
    from tailroom.access import repository

    organisation = repository.find_organisation(session, name_or_id)
    if organisation is None:
        stop(f"There is no organisation {name_or_id!r}.")
    return organisation


def ensure_organisation_named(session: "Session", name_or_id: str) -> "Organisation":
    """Return the operator's organisation with this name, which is made if missing, or any with this id.

    End the command if no organisation has the id.
    """
    from tailroom.access import repository

    try:
        UUID(name_or_id)
    except ValueError:
        return repository.ensure_organisation(session, name_or_id, utc_now())
    return organisation_named(session, name_or_id)
