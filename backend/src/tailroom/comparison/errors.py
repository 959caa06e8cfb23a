"""Refusals of comparisons."""

from tailroom.kit.errors import HttpProblem


class SubjectsInvalid(HttpProblem, status=422, title="These cannot be compared"):
    """The subjects cannot be compared for their number or form, or because they have nothing in common."""


class SubjectMissing(
    HttpProblem, status=404, code="subject-unknown", title="A subject of the comparison is not there"
):
    """There is no such drive, campaign, publication or row that the organisation sees."""


class ChainUnknown(HttpProblem, status=404, title="There is no such chain"):
    """The organisation has no such chain."""


class ChainsTooMany(HttpProblem, status=409, title="Too many chains"):
    """The organisation has as many chains as it may have."""
