"""Form, content and response of reports that are available as an HTML page and as a PDF of that page."""

from typing import Annotated, Any, Literal

from fastapi import Path
from fastapi.responses import Response

from tailroom.reports.endpoints import MEDIA_TYPES, as_pdf

PageForm = Literal["html", "pdf"]
PageFormPath = Annotated[PageForm, Path(description="html: holds all it needs; pdf: on A4")]
PAGE_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/html": {"schema": {"type": "string"}},
            "application/pdf": {"schema": {"type": "string", "format": "binary"}},
        }
    }
}


def page_response(page: str, form: PageForm, name: str) -> Response:
    """Return the response with an HTML page or its PDF; raise PdfUnavailable if no PDF can be made.

    `name` is the file name without extension.
    """
    headers = {"Cache-Control": "private, no-cache"}
    if form == "pdf":
        headers["Content-Disposition"] = f"inline; filename={name}.pdf"
    return Response(as_pdf(page) if form == "pdf" else page, media_type=MEDIA_TYPES[form], headers=headers)
