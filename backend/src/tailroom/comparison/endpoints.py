"""Subjects side by side."""

from fastapi import APIRouter

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.query import AskedQuery
from tailroom.comparison.schemas import ComparisonOut, PublishedSubjectOut, PublishedSubjectsOut
from tailroom.comparison.service import compare_subjects
from tailroom.comparison.subjects import published_name
from tailroom.evidence.publication import published
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/comparisons", tags=["comparisons"], route_class=GuardedRoute)


@router.get(
    "",
    operation_id="get_comparison",
    summary="What the differences of two to six subjects show",
    responses=problem_responses(
        *RUN_REFUSALS, SubjectMissing, SubjectsInvalid, RequestInvalid, StorageUnavailable
    ),
)
@needs(Capability.ASK, threads="analysis", packs=True)
def get_comparison(asked: AskedQuery, caller: CallerDep) -> ComparisonOut:
    """The answer of each pair with its interval, what stands in its way, and the curves of all.

    The same calculation as `tailroom compare`.
    """
    return compare_subjects(caller, asked)


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
