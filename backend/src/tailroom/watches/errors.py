"""Refusals about watched configurations."""

from tailroom.kit.errors import HttpProblem


class WatchUnknown(HttpProblem):
    """The organisation has no such watch."""

    status = 404
    code = "watch-unknown"
    title = "There is no such watch"


class WatchInvalid(HttpProblem):
    """The watch states no run to select, its address is refused, or it lacks a channel or a finished run."""

    status = 422
    code = "watch-invalid"
    title = "This cannot be watched"


class WatchesTooMany(HttpProblem):
    """The organisation has as many watches as the limit allows."""

    status = 409
    code = "watches-too-many"
    title = "There are too many watches"
