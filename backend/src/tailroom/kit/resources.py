"""What one process shares between its requests, and how a request gets at it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from tailroom.kit.db import Database
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import RawFiles
from tailroom.kit.settings import Settings


@dataclass(frozen=True, slots=True)
class Resources:
    """Made once when the application starts, closed when it ends."""

    settings: Settings
    database: Database
    notifier: Notifier
    session_key: bytes
    raw_files: RawFiles

    def close(self) -> None:
        """Gives back every connection."""
        self.notifier.close()
        self.database.dispose()


def get_resources(request: Request) -> Resources:
    """The resources of the process that answers this request."""
    resources = request.app.state.resources
    assert isinstance(resources, Resources)  # noqa: S101 - set by the application factory
    return resources


def get_session(resources: Annotated[Resources, Depends(get_resources)]) -> Iterator[Session]:
    """The one transaction of this request: committed before the answer is sent, rolled back on an error."""
    with resources.database.transaction() as session:
        yield session


ResourcesDep = Annotated[Resources, Depends(get_resources)]
SessionDep = Annotated[Session, Depends(get_session, scope="function")]
