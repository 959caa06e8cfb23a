"""Endpoint of the supported result files."""

from dataclasses import asdict

from fastapi import APIRouter
from pydantic import BaseModel, Field

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.domain.tools import TOOLS
from tailroom.kit.errors import StorageUnavailable, problem_responses

router = APIRouter(prefix="/api/v1", tags=["uploads"], route_class=GuardedRoute)


class FormatOut(BaseModel):
    """A kind of file of a tool, and which of its content is read.

    `versions`: versions of the tool that write it, such as `2.x–3.x`; `kind`: its name, such as `log of
    act_storage`.
    """

    versions: str
    kind: str
    reads: str = Field(description="content that is read")
    leaves: str = Field(description="content that is not read; empty for none")


class FormatToolOut(BaseModel):
    """A tool and its kinds of files."""

    tool: str = Field(description="as its runs name it")
    title: str
    forms: list[FormatOut]


class FormatsOut(BaseModel):
    """Every tool whose result files are read."""

    tools: list[FormatToolOut]


_FORMATS = FormatsOut(
    tools=[
        FormatToolOut(
            tool=tool.name, title=tool.title, forms=[FormatOut(**asdict(form)) for form in tool.forms]
        )
        for tool in TOOLS
    ]
)


@router.get(
    "/formats",
    summary="Result files that can be read",
    responses=problem_responses(StorageUnavailable),
)
@needs(Capability.READ)
def list_formats(caller: CallerDep) -> FormatsOut:  # noqa: ARG001 - equal for all callers
    """Return the table of `tailroom formats`: tools, versions, kinds of files, and their content."""
    return _FORMATS
