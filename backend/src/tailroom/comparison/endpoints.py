"""Subjects side by side."""

from typing import Annotated

from fastapi import APIRouter, Query

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.budgets.schemas import NO_NUL
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.schemas import ComparisonOut, PublishedSubjectOut, PublishedSubjectsOut
from tailroom.comparison.service import compare_subjects
from tailroom.comparison.subjects import published_name
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.evidence.publication import published
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/comparisons", tags=["comparisons"], route_class=GuardedRoute)

SubjectName = Annotated[str, Query(min_length=1, max_length=300, pattern=NO_NUL)]


@router.get(
    "",
    operation_id="get_comparison",
    summary="What the differences of two to six subjects show",
    responses=problem_responses(
        *RUN_REFUSALS, SubjectMissing, SubjectsInvalid, RequestInvalid, StorageUnavailable
    ),
)
@needs(Capability.ASK, threads="analysis")
def get_comparison(
    caller: CallerDep,
    subject: Annotated[
        list[SubjectName],
        Query(max_length=20, description="`run:ID` or `publication:SLUG#ROW`; the first is the base"),
    ],
    operation: Annotated[str | None, Query(min_length=1, max_length=100, pattern=NO_NUL)] = None,
    clock: Clock | None = None,
) -> ComparisonOut:
    """The answer of each pair with its interval, what speaks against it, and the curves of all.

    The same calculation as `tailroom compare`.
    """
    return compare_subjects(caller, subject, operation, clock)


@router.get(
    "/published",
    operation_id="list_published_subjects",
    summary="Published configurations that may be compared",
    responses=problem_responses(StorageUnavailable),
)
@needs(Capability.READ)
def list_published_subjects() -> PublishedSubjectsOut:
    """By the name that a comparison takes."""
    return PublishedSubjectsOut(
        subjects=[
            PublishedSubjectOut(
                subject=published_name(one),
                label=one.label,
                publication_slug=one.publication.slug,
                publication_title=one.publication.title,
                of_drive=one.of_drive,
            )
            for one in published()
        ]
    )
