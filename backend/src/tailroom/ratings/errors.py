"""Refusals of questions about ratings."""

from tailroom.kit.errors import HttpProblem, LocatedProblem


class FilterInvalid(HttpProblem, status=422, title="A filter has a value that there is not"):
    """A parameter has a value that is not allowed; the answer names parameter and reason."""

    @classmethod
    def of(cls, field: str, reason: str) -> "FilterInvalid":
        """Return the error for the parameter `field`, with the reason why its value is refused."""
        return cls(f"`{field}`: {reason}", [LocatedProblem(field=field, reason=reason)])


class DriveUnknown(HttpProblem, status=404, title="There is no such drive"):
    """There is no drive with this slug that the organisation sees."""


class TestUnknown(HttpProblem, status=404, title="There is no such test"):
    """There is no such test, or it belongs to another organisation."""

    __test__ = False


class EditionUnknown(HttpProblem, status=404, title="There is no such edition"):
    """There is no edition with this name."""


class ObjectionUnknown(HttpProblem, status=404, title="There is no such objection"):
    """There is no such objection, or it belongs to another organisation."""


class ObjectionRefused(HttpProblem, status=409, title="The objection cannot be taken like this"):
    """The objection cannot be made, withdrawn or decided now, or the organisation has too many open."""
