"""Refusals of questions about ratings."""

from tailroom.kit.errors import HttpProblem, LocatedProblem


class FilterInvalid(HttpProblem):
    """A parameter has a value that is not allowed; the answer names parameter and reason."""

    status = 422
    code = "filter-invalid"
    title = "A filter has a value that there is not"

    @classmethod
    def of(cls, field: str, reason: str) -> "FilterInvalid":
        """Return the error for the parameter `field`, with the reason why its value is refused."""
        return cls(f"`{field}`: {reason}", [LocatedProblem(field=field, reason=reason)])


class DriveUnknown(HttpProblem):
    """There is no drive with this slug that the organisation sees."""

    status = 404
    code = "drive-unknown"
    title = "There is no such drive"


class TestUnknown(HttpProblem):
    """There is no such test, or it belongs to another organisation."""

    __test__ = False
    status = 404
    code = "test-unknown"
    title = "There is no such test"


class EditionUnknown(HttpProblem):
    """There is no edition with this name."""

    status = 404
    code = "edition-unknown"
    title = "There is no such edition"


class ObjectionUnknown(HttpProblem):
    """There is no such objection, or it belongs to another organisation."""

    status = 404
    code = "objection-unknown"
    title = "There is no such objection"


class ObjectionRefused(HttpProblem):
    """The objection cannot be made, withdrawn or decided now, or the organisation has too many open."""

    status = 409
    code = "objection-refused"
    title = "The objection cannot be taken like this"
