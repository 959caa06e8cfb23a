"""Endpoints of comparisons."""

from fastapi import APIRouter

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.query import ComparisonQueryDep
from tailroom.comparison.schemas import ComparisonOut, PublishedSubjectOut, PublishedSubjectsOut
from tailroom.comparison.service import compare_subjects
from tailroom.comparison.subjects import published_name
from tailroom.evidence.publication import published
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/comparisons", tags=["comparisons"], route_class=GuardedRoute)


@router.get(
    "",
    summary="Comparison of two to six subjects",
    responses=problem_responses(
        *RUN_REFUSALS, SubjectMissing, SubjectsInvalid, RequestInvalid, StorageUnavailable
    ),
)
@needs(Capability.ASK, threads="analysis", compress=True)
def get_comparison(query: ComparisonQueryDep, caller: CallerDep) -> ComparisonOut:
    """Return every subject compared with the first: verdicts with bounds, reasons against it, latency curves.

    The calculation is the same as in `tailroom compare`.
    """
    return compare_subjects(caller, query)


@router.get(
    "/published",
    summary="Published configurations that may be compared",
    responses=problem_responses(StorageUnavailable),
)
@needs(Capability.READ)
def list_published_subjects() -> PublishedSubjectsOut:
    """Return the rows of publications that can be compared, with their subject names."""
    return PublishedSubjectsOut(
        subjects=[
            PublishedSubjectOut(
                subject=published_name(configuration),
                label=configuration.label,
                publication_slug=configuration.publication.slug,
                publication_title=configuration.publication.title,
                of_drive=configuration.of_drive,
            )
            for configuration in published()
        ]
    )
