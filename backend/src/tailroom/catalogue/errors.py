"""Refusals about the catalogue and publications."""

from tailroom.kit.errors import HttpProblem


class KindUnknown(HttpProblem):
    """The catalogue has no such kind of items."""

    status = 404
    code = "catalogue-kind-unknown"
    title = "The catalogue has no such kind"


class PublicationUnknown(HttpProblem):
    """There is no publication with this slug."""

    status = 404
    code = "publication-unknown"
    title = "There is no such publication"


class DriveInvalid(HttpProblem):
    """The name of the drive contains no model."""

    status = 422
    code = "drive-invalid"
    title = "The drive breaks a rule"


class DriveLikelyKnown(HttpProblem):
    """The catalogue has drives that may be the same."""

    status = 409
    code = "drive-likely-known"
    title = "The drive may be on record already"


class DrivesFull(HttpProblem):
    """The organisation has as many drives as it may have."""

    status = 409
    code = "drives-full"
    title = "No more drives can be stored"


class PriceListInvalid(HttpProblem):
    """The price list has entries that are malformed or name no drive."""

    status = 422
    code = "price-list-invalid"
    title = "The price list has rows that cannot be read"


class PriceListFull(HttpProblem):
    """The price list has more entries than it may have."""

    status = 409
    code = "price-list-full"
    title = "No more prices can be stored"


class SuggestionUnknown(HttpProblem):
    """There is no such suggestion, or no such item."""

    status = 404
    code = "suggestion-unknown"
    title = "There is no such suggestion"


class SuggestionRefused(HttpProblem):
    """The suggestion cannot be made, withdrawn or decided in its present state, or too many are open."""

    status = 409
    code = "suggestion-refused"
    title = "The suggestion cannot be taken like this"
