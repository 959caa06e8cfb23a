"""Refusals about reports."""

from typing import ClassVar

from tailroom.kit.errors import Problem


class PdfUnavailable(Problem):
    """This installation cannot set pages, or one took too long; the report as HTML is there."""

    status = 503
    code = "pdf-unavailable"
    title = "There is no PDF of the report"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "60"}
