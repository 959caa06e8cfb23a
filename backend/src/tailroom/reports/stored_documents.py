"""Storage of run documents that take seconds to make (reports, packs), valid while the run is unchanged."""

from collections.abc import Callable
from uuid import UUID

from fastapi import Request, status
from fastapi.responses import RedirectResponse, Response

from tailroom.kit.made_documents import Kind
from tailroom.kit.resources import resources_of


def respond(  # noqa: PLR0917 - what a document is found and sent by
    request: Request, kind: Kind, run_id: UUID, state: bytes, media_type: str, make: Callable[[], bytes]
) -> Response:
    """Return the document of a run, or a redirect to a short-lived address of it in the object store.

    `state` is a hash of everything that it is made from. If it is not stored, it is made by `make`, whose
    errors are raised, and stored. A report is shown in the browser, other kinds are saved as a file. The
    caller has checked access.
    """
    resources = resources_of(request)
    store = resources.made_documents
    stored = store.find(kind, run_id, state)
    disposition = "inline" if kind == "reports" else "attachment"
    ending = {"reports": "pdf", "packs": "zip", "pages": "html"}[kind]
    headers = {"Content-Disposition": f"{disposition}; filename=tailroom-run-{run_id}.{ending}"}
    content = None
    if stored is not None and (content := store.read(stored)) is None:
        stored = None
    if content is None:
        content = make()
        stored = store.store(kind, run_id, state, content, headers | {"Content-Type": media_type})
    # A page may not fetch from another origin; a browser that leaves the page may, and so may a program.
    may_leave = request.headers.get("sec-fetch-mode", "navigate") == "navigate"
    valid_s = resources.settings.raw_file_address_s if may_leave else None
    if valid_s is not None and stored is not None and (address := store.address(stored, valid_s)) is not None:
        return RedirectResponse(address, status.HTTP_307_TEMPORARY_REDIRECT, {"Cache-Control": "no-store"})
    return Response(content, media_type=media_type, headers={"Cache-Control": "private, no-cache"} | headers)
