"""Refusals of what an agent sends; codes as docs/contracts/wire.md lists them."""

from tailroom.kit.errors import HttpProblem


class BodyUnreadable(HttpProblem, status=400, title="The body cannot be read"):
    """The body is not what its headers announce."""


class BodyDamaged(HttpProblem, status=400, title="The body was damaged on its way"):
    """The body changed in transit; the same body, sent again, may arrive intact."""


class BodyTooLarge(HttpProblem, status=413, title="The body is too large"):
    """The body has more bytes than the limit."""


class FormatUnsupported(HttpProblem, status=415, title="The format of the body is not supported"):
    """The content type or encoding is not supported."""


class BatchInvalid(HttpProblem, status=422, title="The batch breaks a rule of the wire contract"):
    """A batch breaks at least one rule of the wire contract."""


class RunConflict(HttpProblem, status=409, title="The run was announced with other content"):
    """The run's id is taken by another announcement."""


class SeriesConflict(HttpProblem, status=409, title="The series was defined otherwise"):
    """The series number already has another definition."""


class IntervalConflict(HttpProblem, status=409, title="The interval was stored with other content"):
    """An interval was stored with other content."""


class FinishConflict(HttpProblem, status=409, title="The run was finished with other content"):
    """The run was finished with other content."""
