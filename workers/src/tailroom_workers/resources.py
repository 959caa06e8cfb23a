"""What one worker process shares between its tasks: one database pool and one connection to Valkey."""

from dataclasses import dataclass

from tailroom.kit.db import Database
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import RawFiles, open_raw_files
from tailroom.kit.settings import Settings, get_settings

_POOL_SIZE = 2


@dataclass(frozen=True, slots=True)
class Resources:
    """Made when the first task of a process needs them."""

    settings: Settings
    database: Database
    notifier: Notifier
    raw_files: RawFiles


_resources: Resources | None = None


def get_resources() -> Resources:
    """The resources of this process."""
    global _resources  # noqa: PLW0603 - one for each process
    if _resources is None:
        settings = get_settings()
        _resources = Resources(
            settings,
            Database(settings.database_url, pool_size=_POOL_SIZE),
            Notifier(settings.redis_url),
            open_raw_files(settings.raw_files, settings.home),
        )
    return _resources


def forget_inherited() -> None:
    """Drops what a parent process made: connections must not be shared across a fork."""
    global _resources  # noqa: PLW0603 - one for each process
    if _resources is not None:
        _resources.database.engine.dispose(close=False)
    _resources = None


def close() -> None:
    """Gives the connections back."""
    global _resources  # noqa: PLW0603 - one for each process
    if _resources is not None:
        _resources.notifier.close()
        _resources.database.dispose()
    _resources = None
