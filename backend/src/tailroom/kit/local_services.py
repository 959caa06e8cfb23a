"""Addresses of the database and the Valkey of a running `make up`, for other commands.

`tailroom up` writes them into a private file of its home folder and removes it when it ends. The command line
reads it if the environment names no database.
"""

import os
from pathlib import Path

import msgspec

from tailroom.kit.settings import Settings

_VARIABLE = "TAILROOM_DATABASE_URL"


class LocalServices(msgspec.Struct, frozen=True):
    """The addresses of a running product."""

    database_url: str
    redis_url: str


def services_file(home: Path) -> Path:
    """Return the file in which `make up` records the addresses of its services."""
    return home / "services.json"


def with_local_services(settings: Settings) -> Settings:
    """Return the settings, with the services of the `make up` that runs in their home unless a database is
    named.
    """
    if _VARIABLE in os.environ:
        return settings
    try:
        services = msgspec.json.decode(services_file(settings.home).read_bytes(), type=LocalServices)
    except (OSError, msgspec.DecodeError):
        return settings
    return settings.model_copy(
        update={"database_url": services.database_url, "redis_url": services.redis_url}
    )
