"""Refusals about the catalogue and publications."""

from tailroom.kit.errors import HttpProblem


class KindUnknown(
    HttpProblem, status=404, code="catalogue-kind-unknown", title="The catalogue has no such kind"
):
    """The catalogue has no such kind of items."""


class PublicationUnknown(HttpProblem, status=404, title="There is no such publication"):
    """There is no publication with this slug."""


class DriveInvalid(HttpProblem, status=422, title="The drive breaks a rule"):
    """The name of the drive contains no model."""


class DriveLikelyKnown(HttpProblem, status=409, title="The drive may be on record already"):
    """The catalogue has drives that may be the same."""


class DrivesFull(HttpProblem, status=409, title="No more drives can be stored"):
    """The organisation has as many drives as it may have."""


class PriceListInvalid(HttpProblem, status=422, title="The price list has rows that cannot be read"):
    """The price list has entries that are malformed or name no drive."""


class PriceListFull(HttpProblem, status=409, title="No more prices can be stored"):
    """The price list has more entries than it may have."""


class SuggestionUnknown(HttpProblem, status=404, title="There is no such suggestion"):
    """There is no such suggestion, or no such item."""


class SuggestionRefused(HttpProblem, status=409, title="The suggestion cannot be taken like this"):
    """The suggestion cannot be made, withdrawn or decided in its present state, or too many are open."""
