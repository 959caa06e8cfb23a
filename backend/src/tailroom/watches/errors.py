"""Refusals about watched configurations."""

from tailroom.kit.errors import HttpProblem


class WatchUnknown(HttpProblem, status=404, title="There is no such watch"):
    """The organisation has no such watch."""


class WatchInvalid(HttpProblem, status=422, title="This cannot be watched"):
    """The watch states no run to select, its address is refused, or it lacks a channel or a finished run."""


class WatchesTooMany(HttpProblem, status=409, title="There are too many watches"):
    """The organisation has as many watches as the limit allows."""
