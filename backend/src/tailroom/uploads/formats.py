"""Which result files are read: the table of tools, as the API says it."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.domain.tools import TOOLS
from tailroom.kit.errors import StorageUnavailable, problem_responses

router = APIRouter(prefix="/api/v1", tags=["uploads"], route_class=GuardedRoute)


class FormatOut(BaseModel):
    """A kind of file of a tool."""

    versions: str
    kind: str
    reads: str = Field(description="what of it is read")
    leaves: str = Field(description="what is not; empty where nothing is left")


class FormatToolOut(BaseModel):
    """A tool and its kinds of files."""

    tool: str = Field(description="as its runs name it")
    title: str
    forms: list[FormatOut]


class FormatsOut(BaseModel):
    """Every tool whose result files are read."""

    tools: list[FormatToolOut]


_FORMATS = FormatsOut.model_validate(
    {
        "tools": [
            {
                "tool": one.name,
                "title": one.title,
                "forms": [
                    {"versions": form.versions, "kind": form.kind, "reads": form.reads, "leaves": form.leaves}
                    for form in one.forms
                ],
            }
            for one in TOOLS
        ]
    }
)


@router.get(
    "/formats",
    operation_id="list_formats",
    summary="Result files that can be read",
    responses=problem_responses(StorageUnavailable),
)
@needs(Capability.READ)
def list_formats(caller: CallerDep) -> FormatsOut:  # noqa: ARG001 - whoever asks gets the same
    """The table of `tailroom formats`: tools, versions, kinds of files, what is read and what is not."""
    return _FORMATS
