"""Refusals about watched configurations."""

from tailroom.kit.errors import Problem


class WatchUnknown(Problem):
    """A watch was named that the organisation does not have."""

    status = 404
    code = "watch-unknown"
    title = "There is no such watch"


class WatchInvalid(Problem):
    """A watch that cannot be: no run is meant, a budget that is unknown, an address that is refused."""

    status = 422
    code = "watch-invalid"
    title = "This cannot be watched"


class WatchesTooMany(Problem):
    """The organisation watches as much as it may."""

    status = 409
    code = "watches-too-many"
    title = "There are too many watches"
