"""Refusals about qualification suites."""

from tailroom.kit.errors import HttpProblem


class SuiteUnknown(HttpProblem, status=404, title="No such qualification suite"):
    """No run that the caller may read belongs to this suite."""
