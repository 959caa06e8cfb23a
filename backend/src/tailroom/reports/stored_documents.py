"""Storage of run documents that take seconds to make (reports, packs), valid while the run is unchanged."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from fastapi import Request, status
from fastapi.responses import RedirectResponse, Response

from tailroom.kit.made_documents import Kind
from tailroom.kit.resources import resources_of


@dataclass(frozen=True, slots=True)
class RunDocument:
    """A document of a run with its file name; `state` is a hash of everything that it is made from."""

    kind: Kind
    run_id: UUID
    state: bytes
    name: str
    media_type: str

    @property
    def headers(self) -> dict[str, str]:
        """HTTP headers of the document: a report is shown in the browser, other kinds are saved as a file."""
        disposition = "inline" if self.kind == "reports" else "attachment"
        return {"Content-Disposition": f"{disposition}; filename={self.name}"}


def respond(request: Request, document: RunDocument, make: Callable[[], bytes]) -> Response:
    """Return the document, or a redirect to a short-lived address of it in the object store.

    If it is not stored, it is made by `make`, whose errors are raised, and stored. The caller has checked
    access.
    """
    resources = resources_of(request)
    store = resources.made_documents
    stored = store.find(document.kind, document.run_id, document.state)
    content = None
    if stored is not None and (content := store.read(stored)) is None:
        stored = None
    if content is None:
        content = make()
        stored_headers = document.headers | {"Content-Type": document.media_type}
        stored = store.store(document.kind, document.run_id, document.state, content, stored_headers)
    # A page may not fetch from another origin; a browser that leaves the page may, and so may a program.
    may_leave = request.headers.get("sec-fetch-mode", "navigate") == "navigate"
    valid_s = resources.settings.raw_file_address_s if may_leave else None
    if valid_s is not None and stored is not None and (address := store.address(stored, valid_s)) is not None:
        return RedirectResponse(address, status.HTTP_307_TEMPORARY_REDIRECT, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": "private, no-cache"} | document.headers
    return Response(content, media_type=document.media_type, headers=headers)
