"""Refusals about observations."""

from tailroom.kit.errors import HttpProblem


class ObservationUnknown(HttpProblem, status=404, title="No such observation"):
    """There is no such observation."""


class ObservationConflict(HttpProblem, status=409, title="The observation began with other content"):
    """The id belongs to an observation that began with other content."""


class ObservationEnded(HttpProblem, status=409, title="The observation has ended"):
    """The observation has ended: nothing is added to it any more."""
