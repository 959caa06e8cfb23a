"""Resources that all requests of one process share, and the dependency by which an endpoint gets them."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from tailroom.kit.db import Database
from tailroom.kit.made_documents import MadeDocuments
from tailroom.kit.mail import Mailer
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import RawFiles
from tailroom.kit.settings import Settings


@dataclass(frozen=True, slots=True)
class Resources:
    """Resources of one process: created when the application starts, closed when it ends."""

    settings: Settings
    database: Database
    notifier: Notifier
    raw_files: RawFiles
    made_documents: MadeDocuments
    mailer: Mailer

    def close(self) -> None:
        """Close the connections to Valkey and to the database."""
        self.notifier.close()
        self.database.dispose()


def resources_of(request: Request) -> Resources:
    """Return the resources that the application factory has stored in the application of this request."""
    resources = request.app.state.resources
    assert isinstance(resources, Resources)  # noqa: S101 - set by the application factory
    return resources


async def get_resources(request: Request) -> Resources:
    """Return `resources_of` a request; asynchronous, so that FastAPI starts no thread for it."""
    return resources_of(request)


ResourcesDep = Annotated[Resources, Depends(get_resources)]
