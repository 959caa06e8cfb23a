"""Addresses of the database and the Valkey of a running `make up`, for other commands.

`tailroom up` writes them into a private file of its home folder and removes it when it ends.
"""

import os
from pathlib import Path

import msgspec

from tailroom.kit.settings import Settings

_VARIABLE = "TAILROOM_DATABASE_URL"


class LocalServices(msgspec.Struct, frozen=True):
    """Addresses of a running `make up`: URLs of its database and its Valkey, and its pages."""

    database_url: str
    redis_url: str
    origin: str = ""
    """Address of the pages and the API, such as http://127.0.0.1:8400; empty: not recorded."""


def services_file(home: Path) -> Path:
    """Return the file in which `make up` records the addresses of its services."""
    return home / "services.json"


def with_local_services(settings: Settings) -> Settings:
    """Return the settings with the services of a running `make up`; unchanged if set, or without any."""
    if _VARIABLE in os.environ:
        return settings
    running = find_running(settings.home)
    if running is None:
        return settings
    home, services = running
    return settings.model_copy(
        update={"database_url": services.database_url, "redis_url": services.redis_url, "home": home}
    )


def find_running(home: Path) -> tuple[Path, LocalServices] | None:
    """Return the absolute home and the addresses that a running `make up` has recorded in `home`.

    A relative `home` is searched for in the current folder, then in those above it. None if there is no
    readable record; whether its processes still run is not checked.
    """
    folders = [Path.cwd(), *Path.cwd().parents] if not home.is_absolute() else [Path()]
    for folder in folders:
        try:
            services = msgspec.json.decode(services_file(folder / home).read_bytes(), type=LocalServices)
        except (OSError, msgspec.DecodeError):
            continue
        return folder / home, services
    return None


def local_origin(home: Path) -> str | None:
    """Return the address of the pages of the `make up` that runs in `home`; None if none is recorded."""
    running = find_running(home)
    return None if running is None else running[1].origin or None
