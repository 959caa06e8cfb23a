"""Refusals about the catalogue and publications."""

from tailroom.kit.errors import HttpProblem


class KindUnknown(HttpProblem):
    """The catalogue has no such kind of things."""

    status = 404
    code = "catalogue-kind-unknown"
    title = "The catalogue has no such kind"


class PublicationUnknown(HttpProblem):
    """No publication goes by this slug."""

    status = 404
    code = "publication-unknown"
    title = "There is no such publication"


class DriveInvalid(HttpProblem):
    """A drive that names no model."""

    status = 422
    code = "drive-invalid"
    title = "The drive breaks a rule"


class DriveLikelyKnown(HttpProblem):
    """A drive may be one that is on record."""

    status = 409
    code = "drive-likely-known"
    title = "The drive may be on record already"


class DrivesFull(HttpProblem):
    """An organisation has added as many drives as it may."""

    status = 409
    code = "drives-full"
    title = "No more drives can be stored"


class PriceListInvalid(HttpProblem):
    """Entries of a price list that cannot be read."""

    status = 422
    code = "price-list-invalid"
    title = "The price list has rows that cannot be read"


class PriceListFull(HttpProblem):
    """A price list with more entries than it may have."""

    status = 409
    code = "price-list-full"
    title = "No more prices can be stored"


class SuggestionUnknown(HttpProblem):
    """There is no such suggestion, or nothing to suggest something about."""

    status = 404
    code = "suggestion-unknown"
    title = "There is no such suggestion"


class SuggestionRefused(HttpProblem):
    """A suggestion that cannot be made, or not be decided so."""

    status = 409
    code = "suggestion-refused"
    title = "The suggestion cannot be taken like this"
