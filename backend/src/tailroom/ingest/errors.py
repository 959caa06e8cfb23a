"""Refusals of what an agent sends; codes as docs/contracts/wire.md lists them."""

from tailroom.kit.errors import HttpProblem


class BodyUnreadable(HttpProblem):
    """The body is not what its headers announce."""

    status = 400
    code = "body-unreadable"
    title = "The body cannot be read"


class BodyDamaged(HttpProblem):
    """The body changed in transit; the same body, sent again, may arrive intact."""

    status = 400
    code = "body-damaged"
    title = "The body was damaged on its way"


class BodyTooLarge(HttpProblem):
    """The body has more bytes than the limit."""

    status = 413
    code = "body-too-large"
    title = "The body is too large"


class FormatUnsupported(HttpProblem):
    """The content type or encoding is not supported."""

    status = 415
    code = "format-unsupported"
    title = "The format of the body is not supported"


class BatchInvalid(HttpProblem):
    """A batch breaks at least one rule of the wire contract."""

    status = 422
    code = "batch-invalid"
    title = "The batch breaks a rule of the wire contract"


class RunConflict(HttpProblem):
    """The run's id is taken by another announcement."""

    status = 409
    code = "run-conflict"
    title = "The run was announced with other content"


class SeriesConflict(HttpProblem):
    """The series number already has another definition."""

    status = 409
    code = "series-conflict"
    title = "The series was defined otherwise"


class IntervalConflict(HttpProblem):
    """An interval was stored with other content."""

    status = 409
    code = "interval-conflict"
    title = "The interval was stored with other content"


class FinishConflict(HttpProblem):
    """The run was finished with other content."""

    status = 409
    code = "finish-conflict"
    title = "The run was finished with other content"
