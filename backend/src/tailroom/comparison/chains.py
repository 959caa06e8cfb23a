"""Chains of linked runs, one for each layer: propose, store and evaluate them.

A run of a chain is a hop. Proposals are based on a common campaign, host, device and time. A person confirms
a chain by sending it; a chain of runs of one campaign counts as confirmed by the campaign. A chain is private
to its organisation, even if its runs are published.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import Session

from tailroom.access.caller import Caller
from tailroom.access.repository import lock_organisation
from tailroom.analysis.schemas import QuantilePointOut
from tailroom.comparison.chain_schemas import (
    LAYERS,
    AddedOut,
    ChainHopOut,
    ChainIn,
    ChainListedOut,
    ChainOut,
    ChainRunOut,
    Layer,
    ProposalOut,
    ProposedRunOut,
)
from tailroom.comparison.errors import ChainsTooMany, ChainUnknown, SubjectsInvalid
from tailroom.comparison.stored_subjects import READ, run_subject
from tailroom.domain.comparison.chain import QuantilePoint, added
from tailroom.domain.tools import TOOLS
from tailroom.domain.tools.aerospike import AEROSPIKE
from tailroom.domain.tools.databases import DATABASES
from tailroom.domain.tools.drives import DRIVES
from tailroom.domain.tools.key_value import KEY_VALUE
from tailroom.domain.units import latency_text
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import CHAINS
from tailroom.kit.private_names import is_neutral
from tailroom.runs.service import get_run
from tailroom.storage.chain import Chain, ChainHop
from tailroom.storage.run import AGENT, Run

WARNING = "Percentiles do not add: the p99 of the hops is not the p99 of the whole."
_QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999)
"""Quantiles at which the time of each hop is calculated."""
_HEADLINE_QUANTILE = 0.99
_LEAST_HOPS = 2
"""Minimum number of runs in a chain."""
_MOST_RUNS = 200
"""Maximum number of runs that are considered for a proposal."""
_MOST_CHAINS = 100
"""Maximum number of chains in a list."""
_DRIVE_WORKLOADS = ("act-storage", "act-index", "device")
_LAYER_OF_TOOL: dict[str, Layer] = {
    **{tool.name: "network" for tool in TOOLS},
    **{tool.name: "database" for tool in (*AEROSPIKE, *KEY_VALUE, *DATABASES)},
    **{tool.name: "device" for tool in DRIVES},
}
"""Layer that a tool measures, by its name."""


def proposal(session: Session, organisation_id: UUID, run_id: UUID) -> ProposalOut:
    """Return the run and, for each other layer, the run of the organisation with the most common properties,
    if any. A run of another organisation is returned alone. Raise RunUnknown, RunRetracted or RunDeleted.
    """
    run = get_run(session, organisation_id, run_id)
    own = _layer(run)
    best: dict[Layer, tuple[Run, list[str]]] = {own: (run, ["this run"])}
    if run.organisation_id == organisation_id:
        for candidate in session.scalars(_overlapping_runs(run)):
            layer, reasons = _layer(candidate), _common_properties(run, candidate)
            if layer == own or not reasons:
                continue
            if layer not in best or len(reasons) > len(best[layer][1]):
                best[layer] = candidate, reasons
    runs = [
        ProposedRunOut(layer=layer, run_id=candidate.run_id, title=candidate.title, reasons=reasons)
        for layer, (candidate, reasons) in best.items()
    ]
    runs.sort(key=lambda proposed: LAYERS.index(proposed.layer))
    return ProposalOut(runs=runs, complete=len(runs) >= _LEAST_HOPS)


def make_chain(session: Session, organisation_id: UUID, chain_in: ChainIn, now: datetime) -> Chain:
    """Store and return a confirmed chain. Raise SubjectsInvalid if a layer or run is repeated, ChainsTooMany
    from `CHAINS` on, RunUnknown or RunRetracted if a run may not be read.
    """
    layers, run_ids = [hop.layer for hop in chain_in.hops], [hop.run_id for hop in chain_in.hops]
    if len(set(layers)) < len(layers) or len(set(run_ids)) < len(run_ids):
        raise SubjectsInvalid("A chain has each layer and each run once.")
    lock_organisation(session, organisation_id)
    count = session.scalar(select(func.count()).where(Chain.organisation_id == organisation_id)) or 0
    if count >= CHAINS:
        raise ChainsTooMany(f"{CHAINS} chains are stored. Remove one first.")
    runs = [get_run(session, organisation_id, run_id) for run_id in run_ids]
    chain = Chain(
        organisation_id=organisation_id,
        chain_id=new_id(),
        title=chain_in.title,
        confirmed_by="campaign" if _are_of_one_campaign(runs) else "person",
        created_at=now,
    )
    session.add(chain)
    session.flush()
    for hop in chain_in.hops:
        session.add(ChainHop(**hop.model_dump(), chain_id=chain.chain_id, organisation_id=organisation_id))
    session.flush()
    return chain


def list_chains(session: Session, organisation_id: UUID) -> list[ChainListedOut]:
    """Return the chains of an organisation for the API, newest first, at most 100."""
    query = select(Chain).where(Chain.organisation_id == organisation_id)
    chains = session.scalars(
        query.order_by(Chain.created_at.desc(), Chain.chain_id).limit(_MOST_CHAINS)
    ).all()
    return [listed(session, chain) for chain in chains]


def listed(session: Session, chain: Chain) -> ChainListedOut:
    """Return a chain for the API; its deleted runs are left out."""
    return ChainListedOut.model_validate(
        {
            "chain_id": chain.chain_id,
            "title": chain.title,
            "confirmed_by": chain.confirmed_by,
            "created_at": chain.created_at,
            "runs": [
                ChainRunOut.model_validate(
                    {"layer": hop.layer, "run_id": hop.run_id, "title": title, "operation": hop.operation}
                )
                for hop, title in _hops(session, chain)
            ],
        }
    )


def remove_chain(session: Session, organisation_id: UUID, chain_id: UUID) -> None:
    """Delete a chain, not its runs; raise ChainUnknown if the organisation has none of this id."""
    chain = _chain(session, organisation_id, chain_id)
    session.execute(
        delete(ChainHop).where(ChainHop.organisation_id == organisation_id, ChainHop.chain_id == chain_id)
    )
    session.delete(chain)
    session.flush()


def chain_out(caller: Caller, chain_id: UUID) -> ChainOut:
    """Return a chain with the latency curves of its runs, and the time that each adds to the run inside it.
    Raise ChainUnknown, and as `run_subject` and `RunSubject.choose`.
    """
    with caller.session() as session:
        chain = listed(session, _chain(session, caller.organisation_id, chain_id))
    hops: list[ChainHopOut] = []
    for chain_run in chain.runs:
        subject = run_subject(caller, f"run:{chain_run.run_id}", chain_run.run_id)
        operation = chain_run.operation or (
            READ if READ in subject.clocks else next(iter(subject.clocks), READ)
        )
        shown = subject.choose(operation, None).out
        hop = ChainHopOut(
            layer=chain_run.layer,
            run_id=chain_run.run_id,
            title=shown.label,
            operation=shown.operation,
            clock=shown.clock,
            curve=shown.curve,
            added=_added_times(hops[-1].curve, shown.curve) if hops else [],
        )
        hops.append(hop)
    return ChainOut(
        **chain.model_dump(exclude={"runs"}),
        sentence=_sentence(hops),
        warning=WARNING,
        hops=hops,
        notes=_notes(hops),
    )


def _chain(session: Session, organisation_id: UUID, chain_id: UUID) -> Chain:
    """Return a chain of the organisation. Raise ChainUnknown if it has none of this id."""
    chain = session.get(Chain, (organisation_id, chain_id))
    if chain is None:
        raise ChainUnknown(f"There is no chain {chain_id} in this organisation.")
    return chain


def _hops(session: Session, chain: Chain) -> list[tuple[ChainHop, str]]:
    """Return the hops of a chain with the titles of their runs, from the innermost layer outwards."""
    query = (
        select(ChainHop, Run.title)
        .join(Run, Run.run_id == ChainHop.run_id)
        .where(ChainHop.organisation_id == chain.organisation_id, ChainHop.chain_id == chain.chain_id)
    )
    hops = [(hop, title) for hop, title in session.execute(query)]
    return sorted(hops, key=lambda row: LAYERS.index(row[0].layer))


def _overlapping_runs(run: Run) -> Select[Run]:
    """Return a query for the 200 earliest other runs of the organisation that overlap in time."""
    end = run.started_at_unix_ns + (run.measured_duration_ns or run.planned_duration_ns)
    lasted = func.coalesce(Run.measured_duration_ns, Run.planned_duration_ns)
    return (
        select(Run)
        .where(
            Run.organisation_id == run.organisation_id,
            Run.run_id != run.run_id,
            Run.visibility != "retracted",
            Run.started_at_known,
            Run.started_at_unix_ns < end,
            Run.started_at_unix_ns + lasted > run.started_at_unix_ns,
        )
        .order_by(Run.started_at, Run.run_id)
        .limit(_MOST_RUNS)
    )


def _common_properties(run: Run, other: Run) -> list[str]:
    """Return the common properties of overlapping runs, such as `same host`; empty if only time is common."""
    reasons = []
    campaign = _campaign(run)
    if campaign is not None and campaign == _campaign(other):
        reasons.append("same campaign")
    if _hosts(run) & _hosts(other):
        reasons.append("same host")
    if _devices(run) & _devices(other):
        reasons.append("same device")
    return [*reasons, "same time"] if reasons else []


def _campaign(run: Run) -> str | None:
    """Return the id of the campaign that a run belongs to; None if it belongs to none."""
    campaign = run.plan.get("campaign")
    name = campaign.get("id") if isinstance(campaign, dict) else None
    return name if isinstance(name, str) and name else None


def _are_of_one_campaign(runs: Sequence[Run]) -> bool:
    """Return whether all runs belong to the same campaign."""
    campaigns = {_campaign(run) for run in runs}
    return len(campaigns) == 1 and None not in campaigns


def _hosts(run: Run) -> set[str]:
    """Return the names of a run's hosts, without neutral names that replace hidden names."""
    names = str(run.host.get("hostname") or "").split(",")
    return {name.strip() for name in names if name.strip() and not is_neutral(name.strip())}


def _devices(run: Run) -> set[str]:
    """Return the serial numbers of all drives of a run's host, without values that replace hidden numbers."""
    devices = run.host.get("block_devices")
    serials = (
        [device.get("serial") for device in devices if isinstance(device, dict)]
        if isinstance(devices, list)
        else []
    )
    return {str(serial) for serial in serials if serial and not is_neutral(str(serial))}


def _layer(run: Run) -> Layer:
    """Return the layer that a run measured, `network` for an unknown tool."""
    if run.source == AGENT:
        return "device" if run.workload in _DRIVE_WORKLOADS else "database"
    return _LAYER_OF_TOOL.get(run.tool or "", "network")


def _added_times(inner: Sequence[QuantilePointOut], outer: Sequence[QuantilePointOut]) -> list[AddedOut]:
    """Return the time that the outer hop adds, at each of `_QUANTILES` that both curves have."""
    within, outermost = (
        [QuantilePoint(point.quantile, point.lower_ns, point.upper_ns) for point in curve]
        for curve in (inner, outer)
    )
    additions = added(within, outermost, _QUANTILES)
    return [AddedOut.model_validate(addition, from_attributes=True) for addition in additions]


def _sentence(hops: Sequence[ChainHopOut]) -> str:
    """Return a sentence with the p99 of the outermost hop and what each hop adds, or why it is unknown."""
    if len(hops) < _LEAST_HOPS:
        return "Nothing is linked any more: add another run."
    outermost = next((point for point in hops[-1].curve if point.quantile == _HEADLINE_QUANTILE), None)
    if outermost is None:
        return "What each hop adds at p99 is not known: too few operations."
    parts = []
    for hop in hops[1:]:
        at = next((addition for addition in hop.added if addition.quantile == _HEADLINE_QUANTILE), None)
        if at is not None and at.contradicts:
            parts.append(f"the {hop.layer} is faster than the hop inside it")
        elif at is not None:
            parts.append(f"the {hop.layer} adds {_bounds_text(at.lower_ns, at.upper_ns)}")
    return (
        f"At p99 the whole takes {_bounds_text(outermost.lower_ns, outermost.upper_ns)}: {', '.join(parts)}."
    )


def _bounds_text(lower_ns: float | None, upper_ns: float | None) -> str:
    """Return bounds of a time as text, the lower at least 0; None is open."""
    low = "0 ns" if not lower_ns or lower_ns < 0.0 else latency_text(int(lower_ns))
    if upper_ns is None:
        return f"at least {low}"
    high = latency_text(round(upper_ns))
    return low if low == high else f"{low} to {high}"


def _notes(hops: Sequence[ChainHopOut]) -> list[str]:
    """Return sentences on different clocks, and on hops proven faster than the hop inside them, if any."""
    notes = []
    clocks = {hop.clock for hop in hops}
    if len(clocks) > 1:
        notes.append(f"Different clocks were read: {', '.join(sorted(clocks))}.")
    notes += [
        f"The {hop.layer} is proven faster than the hop inside it: the two do not time the same operations."
        for hop in hops
        if any(at.contradicts for at in hop.added)
    ]
    return notes
