"""Endpoints of chains: linked runs of one test, each at another layer from the drive to the network."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response

from tailroom.access.capabilities import Capability
from tailroom.access.errors import OriginForeign, TokenScope
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.comparison import chains
from tailroom.comparison.chain_schemas import ChainIn, ChainListedOut, ChainOut, ChainsOut, ProposalOut
from tailroom.comparison.errors import ChainsTooMany, ChainUnknown, SubjectsInvalid
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1", tags=["comparisons"], route_class=GuardedRoute)

ChainIdPath = Annotated[UUID, Path(description="of the list of chains")]
_CHANGES = (TokenScope, OriginForeign, RequestInvalid, StorageUnavailable)


@router.get(
    "/chains",
    summary="Linked runs of the organisation",
    responses=problem_responses(TokenScope, StorageUnavailable),
)
@needs(Capability.READ)
def list_chains(caller: CallerDep, session: SessionDep) -> ChainsOut:
    """Return the 100 latest chains of the organisation, newest first, each with its innermost layer first."""
    return ChainsOut(chains=chains.list_chains(session, caller.organisation_id))


@router.get(
    "/chain-proposal",
    summary="Which runs may belong to this one",
    responses=problem_responses(*RUN_REFUSALS, TokenScope, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ)
def propose_chain(
    run: Annotated[UUID, Query(description="run to propose others for")],
    caller: CallerDep,
    session: SessionDep,
) -> ProposalOut:
    """Return the run and, for each other layer, the run that most probably is of the same test, if any.

    Nothing is stored.
    """
    return chains.proposal(session, caller.organisation_id, run)


@router.post(
    "/chains",
    summary="Confirm that runs belong together",
    status_code=201,
    responses=problem_responses(*RUN_REFUSALS, SubjectsInvalid, ChainsTooMany, *_CHANGES),
)
@needs(Capability.PUBLISH)
def make_chain(chain_in: ChainIn, caller: CallerDep, session: SessionDep) -> ChainListedOut:
    """Store runs as a chain and return it; only the organisation sees it.

    A chain has each layer and each run at most once.
    """
    chain = chains.make_chain(session, caller.organisation_id, chain_in, utc_now())
    return chains.listed(session, chain)


@router.get(
    "/chains/{chain_id}",
    summary="What each hop adds, at equal quantiles of the whole",
    responses=problem_responses(
        ChainUnknown, SubjectsInvalid, *RUN_REFUSALS, RequestInvalid, StorageUnavailable
    ),
)
@needs(Capability.ASK, threads="analysis")
def get_chain(chain_id: ChainIdPath, caller: CallerDep) -> ChainOut:
    """Return the latency curves of the runs, and bounds of the time that each run adds to the run inside it.

    The bounds hold whatever the dependence between the runs.
    """
    return chains.chain_out(caller, chain_id)


@router.delete(
    "/chains/{chain_id}",
    summary="Remove the links; the runs stay",
    status_code=204,
    responses=problem_responses(ChainUnknown, *_CHANGES),
)
@needs(Capability.PUBLISH)
def remove_chain(chain_id: ChainIdPath, caller: CallerDep, session: SessionDep) -> Response:
    """Delete the chain; its runs are not changed."""
    chains.remove_chain(session, caller.organisation_id, chain_id)
    return Response(status_code=204)
