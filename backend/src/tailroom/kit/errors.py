"""Refusals of the API: `application/problem+json`, one class per reason, with its status and code.

`problem_responses(RunUnknown, …)` gives what FastAPI needs for the OpenAPI document. `detail` is a sentence
that states what, where, why and what to do.
"""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, Field

from tailroom.kit.limits import PROBLEMS_NAMED

PROBLEM_MEDIA_TYPE = "application/problem+json"


class LocatedProblem(BaseModel):
    """A broken rule and its place in the request. Fields that do not apply are null."""

    series: int | None = Field(None, description="number of the series")
    seq: int | None = Field(None, description="sequence number of the interval")
    field: str | None = Field(None, description="name of the field, or path inside the request")
    reason: str = Field(description="which rule is broken, and by what")


class ProblemDocument(BaseModel):
    """Body of every refusal."""

    type: str = Field(description="`/problems/<code>`")
    title: str = Field(description="the kind of the refusal, the same for every occurrence")
    status: int = Field(description="HTTP status")
    detail: str = Field(description="what happened, where, why, and what to do")
    code: str = Field(description="short name a program can rely on")
    problems: list[LocatedProblem] = Field(description=f"broken rules, the first {PROBLEMS_NAMED}")
    request_id: str | None = Field(None, description="names this request in the log")


class HttpProblem(Exception):
    """Error that refuses a request; each subclass is one reason, and states what all its answers share.

    `detail`: sentence for this request; `problems`: broken rules, of which the first 20 are stored.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "request-refused"
    title: ClassVar[str] = "The request was refused"
    headers: ClassVar[dict[str, str]] = {}

    def __init_subclass__(
        cls,
        *,
        status: int | None = None,
        code: str | None = None,
        title: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Set the attributes of a subclass that it states; the others are those of its base.

        `code`: None for the name of the class, such as `run-unknown` of `RunUnknown`.
        """
        super().__init_subclass__()
        cls.code = code or re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
        stated = {"status": status, "title": title, "headers": headers}
        for name, value in stated.items():
            if value is not None:
                setattr(cls, name, value)

    def __init__(self, detail: str, problems: Sequence[LocatedProblem] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.problems = list(problems)[:PROBLEMS_NAMED]

    def document(self, request_id: str | None = None) -> ProblemDocument:
        """Return the body of the answer; `request_id` names the request in the log."""
        return problem_document(
            self.status, self.code, self.title, self.detail, self.problems, request_id=request_id
        )


def problem_document(
    status: int,
    code: str,
    title: str,
    detail: str,
    problems: Sequence[LocatedProblem] = (),
    *,
    request_id: str | None = None,
) -> ProblemDocument:
    """Return the body of a refusal as `application/problem+json`. All `problems` are included."""
    return ProblemDocument(
        type=f"/problems/{code}",
        title=title,
        status=status,
        detail=detail,
        code=code,
        problems=list(problems),
        request_id=request_id,
    )


def problem_responses(*errors: type[HttpProblem]) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses of a route by status; errors with the same status share a description."""
    by_status: dict[int, list[type[HttpProblem]]] = {}
    for error in errors:
        by_status.setdefault(error.status, []).append(error)
    schema = {"$ref": "#/components/schemas/ProblemDocument"}
    return {
        status: {
            "description": "; ".join(f"`{error.code}`: {error.title}" for error in group),
            "content": {PROBLEM_MEDIA_TYPE: {"schema": schema}},
        }
        for status, group in sorted(by_status.items())
    }


class RequestInvalid(HttpProblem, status=422, title="The request does not have the documented form"):
    """A parameter or body does not have the documented form."""


class StorageUnavailable(
    HttpProblem, status=503, title="The database cannot be reached", headers={"Retry-After": "2"}
):
    """The database cannot be reached."""
