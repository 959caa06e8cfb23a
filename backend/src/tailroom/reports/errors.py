"""Refusals about reports."""

from typing import ClassVar

from tailroom.kit.errors import HttpProblem


class PdfUnavailable(HttpProblem):
    """This installation cannot make PDFs, or the PDF took too long; the report as HTML is available."""

    status = 503
    code = "pdf-unavailable"
    title = "There is no PDF of the report"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "60"}


class LinkUnknown(HttpProblem):
    """The run does not have this link."""

    status = 404
    code = "link-unknown"
    title = "There is no such link"


class LinksTooMany(HttpProblem):
    """The run has as many links as it may have."""

    status = 409
    code = "links-too-many"
    title = "The run has too many links"


class PackRefused(HttpProblem):
    """No evidence pack can be made of the run, for a reason in its files."""

    status = 409
    code = "pack-refused"
    title = "There is no evidence pack of this run"


class PackTooLong(HttpProblem):
    """The pack was not ready within the time of a request."""

    status = 503
    code = "pack-too-long"
    title = "The evidence pack took too long"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "60"}
