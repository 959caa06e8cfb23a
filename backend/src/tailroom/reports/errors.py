"""Refusals about reports."""

from tailroom.kit.errors import HttpProblem


class PdfUnavailable(
    HttpProblem, status=503, title="There is no PDF of the report", headers={"Retry-After": "60"}
):
    """This installation cannot make PDFs, or the PDF took too long; the report as HTML is available."""


class LinkUnknown(HttpProblem, status=404, title="There is no such link"):
    """The run does not have this link."""


class LinksTooMany(HttpProblem, status=409, title="The run has too many links"):
    """The run has as many links as it may have."""


class PackRefused(HttpProblem, status=409, title="There is no evidence pack of this run"):
    """No evidence pack can be made of the run, for a reason in its files."""


class PackTooLong(
    HttpProblem, status=503, title="The evidence pack took too long", headers={"Retry-After": "60"}
):
    """The pack was not ready within the time of a request."""
