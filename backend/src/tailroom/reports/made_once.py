"""A document of a run that takes seconds to make: made once, and kept while the run is as it is."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from fastapi import Request, status
from fastapi.responses import RedirectResponse, Response

from tailroom.kit.made_documents import Kind
from tailroom.kit.resources import resources_of


@dataclass(frozen=True, slots=True)
class Document:
    """Which document of which run, what it is made from, and what it is called where it is saved."""

    kind: Kind
    run_id: UUID
    state: bytes
    name: str
    media_type: str

    @property
    def headers(self) -> dict[str, str]:
        """Of the document, wherever it is fetched. A PDF is shown, an archive is saved."""
        how = "inline" if self.kind == "reports" else "attachment"
        return {"Content-Disposition": f"{how}; filename={self.name}"}


def answer(request: Request, document: Document, make: Callable[[], bytes]) -> Response:
    """The document, or an address of the object store that is good for a moment. Whoever asks may have it:
    that was asked before. Raises what `make` does.
    """
    resources = resources_of(request)
    store = resources.made_documents
    kept = store.find(document.kind, document.run_id, document.state)
    content = None
    if kept is not None and (content := store.read(kept)) is None:
        kept = None
    if content is None:
        content = make()
        told = document.headers | {"Content-Type": document.media_type}
        kept = store.keep(document.kind, document.run_id, document.state, content, told)
    # A page may not fetch from elsewhere; a browser that leaves the page may, and a program too.
    may_leave = request.headers.get("sec-fetch-mode", "navigate") == "navigate"
    valid_s = resources.settings.raw_file_address_s if may_leave else None
    if valid_s is not None and kept is not None and (address := store.address(kept, valid_s)) is not None:
        return RedirectResponse(address, status.HTTP_307_TEMPORARY_REDIRECT, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": "private, no-cache"} | document.headers
    return Response(content, media_type=document.media_type, headers=headers)
