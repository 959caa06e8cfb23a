"""Refusals about observations."""

from tailroom.kit.errors import HttpProblem


class ObservationUnknown(HttpProblem, status=404, code="observation-unknown", title="No such observation"):
    """There is no such observation."""


class ObservationConflict(
    HttpProblem, status=409, code="observation-conflict", title="The observation began with other content"
):
    """The id belongs to an observation that began with other content."""


class ObservationEnded(HttpProblem, status=409, code="observation-ended", title="The observation has ended"):
    """The observation has ended: nothing is added to it any more."""
