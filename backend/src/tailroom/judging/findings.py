"""Run the plausibility checks on a run's stored data, and replace its findings."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import ACT_STORAGE
from tailroom.catalogue.finding_schema import RunFindingsOut
from tailroom.domain.drive_counters.summary import DriveSummary
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.layouts import LayoutsDiffer
from tailroom.domain.plausibility.finding import COMPUTED, TITLES, Finding, Severity
from tailroom.domain.plausibility.run import audit_run
from tailroom.domain.plausibility.run_facts import MeasuredOperation, RunFacts, RunStatement
from tailroom.evidence.run import measured_ns, plan_of_measured
from tailroom.kit.limits import RUN_FINDINGS
from tailroom.kit.outside_types import is_digits
from tailroom.records.run_record import OperationRecord, RunRecord
from tailroom.storage.audit import RunFinding
from tailroom.storage.run import FINISHED, UPLOAD, Run
from tailroom.storage.slices import AnalysisState

_BITS_PER_MEGABIT = 1_000_000
_IN_FLIGHT_FACTORS: Mapping[str, tuple[str, ...]] = {
    "memtier_benchmark": ("clients", "threads", "pipeline"),
    "redis-benchmark": ("connections", "pipeline"),
    "sysbench": ("connections",),
    "pgbench": ("connections",),
    "ycsb": ("threads",),
    "aerospike-java-benchmark": ("threads",),
    "asbench": ("threads",),
}
_SEVERITIES: Sequence[Severity] = ("high", "medium", "low", "info")
_SIZES = {"": 1, "b": 1, "k": 1024, "m": 1024**2}


def audit_record(record: RunRecord, drives: tuple[DriveSummary, ...] = ()) -> tuple[Finding, ...]:
    """Return the findings about a run's stored data and the counters of its drives."""
    return audit_run(facts_of(record, drives))


def facts_of(record: RunRecord, drives: tuple[DriveSummary, ...] = ()) -> RunFacts:
    """Return the facts of a run for the checks. Operations whose series contradict each other are in
    `contradictions` only; those with different buckets, and statements without both bounds, are left out.
    """
    run = record.run
    operations: list[MeasuredOperation] = []
    contradictions: list[tuple[str, str]] = []
    for operation in record.operations:
        try:
            operations.append(_operation(operation))
        except LayoutsDiffer:
            continue  # Buckets of different layouts cannot be added; that is no contradiction.
        except DomainError as error:
            contradictions.append((f"{operation.operation} ({operation.clock})", str(error)))
    stated = _parameters(run)
    return RunFacts(
        tool=run.tool if run.source == UPLOAD else None,
        tool_version=run.tool_version or ("1" if stated.get("act_generation") == "1" else None),
        is_certification_test=run.workload == ACT_STORAGE,
        closed_loop=run.closed_loop or "fraud" in run.plan,
        is_finished=run.state == FINISHED,
        measured_ns=int(run.measured_duration_ns or 0) if run.source == UPLOAD else measured_ns(record),
        operations=tuple(operations),
        statements=tuple(
            RunStatement(**{part.name: claim[part.name] for part in dataclasses.fields(RunStatement)})
            for claim in run.claims or ()
            if claim["lower"] is not None and claim["upper"] is not None
        ),
        contradictions=tuple(contradictions),
        in_flight_most=in_flight_most(run, stated),
        operation_bytes=_operation_bytes(run, stated),
        link_bits_per_s=_link(run),
        issued=None if run.source == UPLOAD else plan_of_measured(run),
        drives=drives,
    )


def _operation(record: OperationRecord) -> MeasuredOperation:
    thresholds = {int(at) for part in record.parts for at in part.series.pin_thresholds_ns}
    dist = record.dist
    if dist.total:
        dist.cdf_bounds(1)  # Raise contradictions between buckets and sums here.
    return MeasuredOperation(
        record.operation,
        record.clock,
        dist,
        record.measured_ns,
        record.generation.intended,
        tuple(sorted(thresholds)),
    )


def _parameters(run: Run) -> Mapping[str, Any]:
    parameters = run.plan.get("parameters")
    return parameters if isinstance(parameters, dict) else {}


def in_flight_most(run: Run, stated: Mapping[str, Any]) -> float | None:
    """Return the most operations that the client can have in flight: the product of its tool's parameters;
    None if it is unknown or the client is asynchronous.
    """
    names = _IN_FLIGHT_FACTORS.get(run.tool or "")
    if names is None or stated.get("asynchronous") is True:
        return None
    factors = [_integer(stated.get(name)) for name in names]
    positive = [factor for factor in factors if factor is not None]
    return math.prod(positive) if len(positive) == len(factors) else None


def _integer(value: object) -> float | None:
    """Return a positive integer, or a text of digits (also 0), as a float; None for anything else."""
    if isinstance(value, str) and is_digits(value):
        return float(value)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _operation_bytes(run: Run, stated: Mapping[str, Any]) -> dict[str, float]:
    """Return the size in bytes of each operation of a fraud check or of fio; empty if not fixed."""
    fraud = run.plan.get("fraud")
    if isinstance(fraud, dict) and (size := _integer(fraud.get("value_bytes"))) is not None:
        return {"read": size}
    block = stated.get("bs")
    if run.tool == "fio" and isinstance(block, str):
        size = _block_bytes(block)
        return {} if size is None else dict.fromkeys(("read", "write"), size)
    return {}


def _block_bytes(text: str) -> float | None:
    """Return fio's block size in bytes from a number with a binary unit; None for ranges and lists."""
    lowered = text.strip().lower()
    digits = lowered.rstrip("bkm")
    unit = lowered[len(digits) :]
    return float(digits) * _SIZES[unit] if is_digits(digits) and unit in _SIZES else None


def _link(run: Run) -> float | None:
    """Return the speed in bit/s of the fastest interface to the remote server of a fraud check, if known."""
    fraud = run.plan.get("fraud")
    address = str(fraud.get("address", "")) if isinstance(fraud, dict) else ""
    if not address or address.startswith(("127.", "localhost", "[::1]", "/")):
        return None
    interfaces = run.host.get("network_interfaces")
    speeds = [
        interface.get("speed_mbit_per_s")
        for interface in (interfaces if isinstance(interfaces, list) else ())
        if isinstance(interface, dict)
    ]
    positive = [float(speed) for speed in speeds if isinstance(speed, int | float) and speed > 0]
    return max(positive) * _BITS_PER_MEGABIT if positive else None


def store_findings(session: Session, run: Run, findings: Sequence[Finding]) -> None:
    """Replace the findings of a run, in order of the checks, by at most `RUN_FINDINGS`, the most severe."""
    by_severity = sorted(range(len(findings)), key=lambda index: _SEVERITIES.index(findings[index].severity))
    findings = [findings[index] for index in sorted(by_severity[:RUN_FINDINGS])]
    session.execute(delete(RunFinding).where(RunFinding.run_id == run.run_id))
    rows = [
        {
            "run_id": run.run_id,
            "position": position,
            "organisation_id": run.organisation_id,
            "check_id": finding.check,
            "severity": finding.severity,
            "kind": finding.kind,
            "statement": finding.statement,
            "figures": [dataclasses.asdict(number) for number in finding.figures],
        }
        for position, finding in enumerate(findings)
    ]
    if rows:
        session.execute(insert(RunFinding), rows)


_AUDITED = select(AnalysisState.audit_version).where(AnalysisState.run_id == bindparam("run_id"))
_STORED = select(RunFinding).where(RunFinding.run_id == bindparam("run_id")).order_by(RunFinding.position)


def stored_findings(session: Session, run_id: UUID) -> Sequence[RunFinding]:
    """Return the stored findings of a run, in the order of the checks."""
    return session.scalars(_STORED, {"run_id": run_id}).all()


def findings_out(session: Session, run: Run) -> RunFindingsOut:
    """Return the findings of a run for the API; the version of the checks is None if it was not audited."""
    version = session.scalar(_AUDITED, {"run_id": run.run_id})
    return RunFindingsOut.model_validate(
        {
            "run_id": run.run_id,
            "audit_version": version or None,
            "findings": [
                {
                    "id": f"{run.run_id}-{row.position}",
                    "check": row.check_id,
                    "check_title": TITLES[row.check_id],
                    "severity": row.severity,
                    "kind": row.kind,
                    "statement": row.statement,
                    "figures": row.figures,
                    "claim_keys": [],
                    "origin": COMPUTED,
                    "reference": None,
                }
                for row in stored_findings(session, run.run_id)
            ],
        }
    )
