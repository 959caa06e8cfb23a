"""Tests from runs: reads of the ACT workload at one load of a known drive, a test for each clock.

A run counts if it is finished and judged, its load is a multiple of ACT's and nothing else (no index, no
other large blocks, no page cache, no engine without a drive), and its drive is known. Unknown facts are left
unstated.
"""

from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import ACT_STORAGE
from tailroom.catalogue.drives import resolve
from tailroom.domain import act
from tailroom.domain.drive_counters.of_test import figures_document, figures_of_drives
from tailroom.domain.errors import DomainError
from tailroom.domain.rating.conditions import FULL_LENGTH_NS, ActGeneration, EvidenceClass, MetricClass
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.exceedance import exceedance
from tailroom.evidence.run import evidence_of
from tailroom.importers.act.generations import ActLogGeneration, generation_of
from tailroom.judging.drive_counters import drive_summaries
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.sources.run_conditions import RunConditions
from tailroom.ratings.sources.tested_load import share_document
from tailroom.records.run_record import load_record
from tailroom.runs.service import disclosure_of
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import AGENT, PUBLIC, Run

_WRITE_RATIO = 1.0 / 3.0
"""Share of writes at every multiple of the load: 1,000 beside 2,000 reads (docs/method.md 6.1)."""
_READ = "read"
_METRIC = {"response": MetricClass.TOTAL, "service": MetricClass.DEVICE}
_GENERATION = {
    ActLogGeneration.LEGACY: ActGeneration.BEFORE_2,
    ActLogGeneration.QUEUED: ActGeneration.FROM_2_TO_5,
    ActLogGeneration.TRANSACTIONS: ActGeneration.FROM_2_TO_5,
    ActLogGeneration.DIRECT: ActGeneration.FROM_6,
}


def tests_of_run(transactions: Transactions, run: Run) -> list[tuple[DriveTest, RunEvidence]]:
    """Return a test of the run for each clock that counted reads, with the evidence for judging it. Empty if
    `why_not_rated` has a reason, or if the evidence contradicts itself.
    """
    with transactions() as session:
        if why_not_rated(session, run) is not None:
            return []
        record = load_record(session, run, coarse=False, only=(_READ,), transactions=transactions)
        counters = figures_of_drives(drive_summaries(session, run))
        conditions = RunConditions.of(run)
        slug = resolve(session, conditions.model or "", run.organisation_id)
        assert slug is not None  # noqa: S101 - why_not_rated() has no reason
        capacity_bytes = conditions.capacity_bytes(repository.capacities(session, slug))
    try:
        evidence = evidence_of(record, (_READ,))
    except DomainError:
        return []
    return [
        (
            _test(conditions, operation, slug, capacity_bytes, figures_document(counters)),
            replace(evidence, operations=(operation,)),
        )
        for operation in evidence.operations
        if operation.operation == _READ and operation.clock in _METRIC and operation.record.total
    ]


def why_not_rated(session: Session, run: Run) -> str | None:
    """Return why a run is no test of a drive, with the remedy if there is one; None if it is a test."""
    conditions = RunConditions.of(run)
    if run.workload != ACT_STORAGE:
        return (
            f"drives are ranked by the load of ACT ({ACT_STORAGE}), and this is a run of {run.workload}; it"
            " can be judged, compared and sized, but not ranked"
        )
    if not conditions.is_standard_load:
        return "its load differs from a multiple of ACT's in more than the multiple"
    if conditions.load_multiple is None:
        return "its load is not stated as a multiple of ACT's; state it among the facts of the run"
    model = conditions.model
    if model is None:
        return "the model of its drive is not known; state it among the facts of the run"
    if resolve(session, model, run.organisation_id) is None:
        return f"the catalogue has no drive “{model[:80]}”; add it, or state another model"
    return None


def _test(
    conditions: RunConditions,
    operation: OperationEvidence,
    slug: str,
    capacity_bytes: int | None,
    counters: list[dict[str, Any]] | None,
) -> DriveTest:
    run, load = conditions.run, conditions.load_multiple
    assert load is not None  # noqa: S101 - why_not_rated() has no reason
    op_class, usable_ratio, op_text = conditions.over_provisioning
    is_long = operation.measured_ns >= FULL_LENGTH_NS
    measured = EvidenceClass.MEASURED_24H if is_long else EvidenceClass.MEASURED
    by_agent = run.source == AGENT
    return DriveTest(
        test_id=f"{run.run_id}:{operation.operation}:{operation.clock}",
        source_title=(run.public_title if run.visibility == PUBLIC else None) or run.title,
        visibility=run.visibility,
        drive_slug=slug,
        op_class=op_class,
        metric_class=_METRIC[operation.clock],
        generation=ActGeneration.FROM_6 if by_agent else _GENERATION[generation_of(run.tool_version)],
        load_multiple=load,
        evidence=measured if by_agent else EvidenceClass.UPLOADED,
        clock=operation.clock,
        exceedances=_shares(operation),
        organisation_id=run.organisation_id,
        run_id=run.run_id,
        capacity_bytes=capacity_bytes,
        usable_ratio=usable_ratio,
        op_as_printed=op_text,
        load_as_printed=f"{load:g}x",
        duration_ns=operation.measured_ns,
        record_bytes=conditions.record_bytes,
        write_ratio=_WRITE_RATIO,
        preconditioned=conditions.is_preconditioned,
        tool="tailroom-agent" if run.source == AGENT else run.tool,
        tool_version=run.agent.get("version") if run.source == AGENT else run.tool_version,
        withdrawn_at=run.retracted_at,
        withdrawal_reason=run.retraction_reason,
        tested_at=run.started_at.isoformat() if run.started_at_known else None,
        operation=operation.operation,
        total_count=operation.record.total,
        design_factor=float(operation.effect_at(act.LIMITS_NS[0]).factor) if operation.has_course else 1.0,
        missing_disclosure=len(disclosure_of(run).missing),
        firmware=conditions.firmware,
        serials_sha256=conditions.serials_sha256,
        traits=conditions.traits,
        counters=counters,
        claim_keys=[],
        marks=[],
        mark_notes=[],
    )


def _shares(operation: OperationEvidence) -> list[dict[str, Any]]:
    shares = []
    for threshold_ns in sorted({*operation.counted_at_ns, *act.LIMITS_NS}):
        share = exceedance(operation.record, threshold_ns, operation.effect_at)
        is_exact = share.over_lower == share.over_upper and share.is_counted
        shares.append(
            share_document(
                threshold_ns,
                share.share_lower,
                share.share_upper,
                over_count=share.over_upper if is_exact else None,
                total_count=operation.record.total,
            )
        )
    return shares
