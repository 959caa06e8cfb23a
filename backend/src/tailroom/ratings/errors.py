"""Refusals of questions about ratings."""

from tailroom.kit.errors import HttpProblem, LocatedProblem


class FilterInvalid(HttpProblem):
    """A parameter has an unknown value; the answer names parameter and value."""

    status = 422
    code = "filter-invalid"
    title = "A filter has a value that there is not"

    @classmethod
    def of(cls, field: str, reason: str) -> "FilterInvalid":
        """Return the error for the parameter `field`, with the reason why its value is refused."""
        return cls(f"`{field}`: {reason}", [LocatedProblem(field=field, reason=reason)])


class DriveUnknown(HttpProblem):
    """There is no drive by this slug."""

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
    """There is no edition by this name."""

    status = 404
    code = "edition-unknown"
    title = "There is no such edition"


class ObjectionUnknown(HttpProblem):
    """There is no such objection, or it belongs to another organisation."""

    status = 404
    code = "objection-unknown"
    title = "There is no such objection"


class ObjectionRefused(HttpProblem):
    """The objection cannot be made, or not be decided like this."""

    status = 409
    code = "objection-refused"
    title = "The objection cannot be taken like this"
