"""Refusals of comparisons."""

from tailroom.kit.errors import HttpProblem


class SubjectsInvalid(HttpProblem):
    """The subjects cannot be compared for their number or form, or because they have nothing in common."""

    status = 422
    code = "subjects-invalid"
    title = "These cannot be compared"


class SubjectMissing(HttpProblem):
    """There is no such drive, campaign, publication or row that the organisation sees."""

    status = 404
    code = "subject-unknown"
    title = "A subject of the comparison is not there"


class ChainUnknown(HttpProblem):
    """The organisation has no such chain."""

    status = 404
    code = "chain-unknown"
    title = "There is no such chain"


class ChainsTooMany(HttpProblem):
    """The organisation has as many chains as it may have."""

    status = 409
    code = "chains-too-many"
    title = "Too many chains"
