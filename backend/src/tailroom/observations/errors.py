"""Refusals about observations."""

from tailroom.kit.errors import HttpProblem


class ObservationUnknown(HttpProblem):
    """There is no such observation."""

    status = 404
    code = "observation-unknown"
    title = "No such observation"


class ObservationConflict(HttpProblem):
    """The id belongs to an observation that began with other content."""

    status = 409
    code = "observation-conflict"
    title = "The observation began with other content"


class ObservationEnded(HttpProblem):
    """The observation has ended: nothing is added to it any more."""

    status = 409
    code = "observation-ended"
    title = "The observation has ended"
