"""What a run has on record, as the plausibility checks take it; and storing what they find.

Findings are replaced as a whole, soon after each judgement of the run and whenever the checks change.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import ACT_STORAGE
from tailroom.catalogue.finding_schema import RunFindingsOut
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.layouts import LayoutsDiffer
from tailroom.domain.plausibility.finding import COMPUTED, TITLES, Finding, Severity
from tailroom.domain.plausibility.run import MeasuredOperation, RunFacts, RunStatement, audit_run
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
"""Parameters whose product is what a tool's client can have in flight."""
_WEIGHTS: Mapping[Severity, int] = {"high": 0, "medium": 1, "low": 2, "info": 3}
_SIZES = {"": 1, "b": 1, "k": 1024, "m": 1024**2}


def audit_record(record: RunRecord) -> tuple[Finding, ...]:
    """Findings about a run as it is on record."""
    return audit_run(facts_of(record))


def facts_of(record: RunRecord) -> RunFacts:
    """What a run has on record. Series that contradict themselves are said and left out."""
    run = record.run
    operations: list[MeasuredOperation] = []
    contradictions: list[tuple[str, str]] = []
    for one in record.operations:
        try:
            operations.append(_operation(one))
        except LayoutsDiffer:
            continue  # Buckets that cannot be added up say nothing against each other.
        except DomainError as error:
            contradictions.append((f"{one.operation} ({one.clock})", str(error)))
    stated = _parameters(run)
    most = in_flight_most(run, stated)
    return RunFacts(
        tool=run.tool if run.source == UPLOAD else None,
        tool_version=run.tool_version or ("1" if stated.get("act_generation") == "1" else None),
        is_certification_test=run.workload == ACT_STORAGE,
        closed_loop=run.closed_loop or "fraud" in run.plan,
        is_finished=run.state == FINISHED,
        measured_ns=int(run.measured_duration_ns or 0) if run.source == UPLOAD else measured_ns(record),
        operations=tuple(operations),
        statements=tuple(
            RunStatement(
                claim["operation"],
                claim["quantity"],
                claim["printed"],
                claim["lower"],
                claim["upper"],
                claim["quantile"],
            )
            for claim in run.claims or ()
            if claim["lower"] is not None and claim["upper"] is not None
        ),
        contradictions=tuple(contradictions),
        in_flight_most=most,
        operation_bytes=_operation_bytes(run, stated),
        link_bits_per_s=_link(run),
        issued=None if run.source == UPLOAD else plan_of_measured(run),
    )


def _operation(record: OperationRecord) -> MeasuredOperation:
    thresholds = {int(at) for part in record.parts for at in part.series.pin_thresholds_ns}
    dist = record.dist
    if dist.total:
        dist.cdf_bounds(1)  # Cells are made when they are asked for: a contradiction shows now or never.
    return MeasuredOperation(
        record.operation,
        record.clock,
        dist,
        record.measured_ns,
        record.generation.intended,
        tuple(sorted(thresholds)),
    )


def _parameters(run: Run) -> Mapping[str, Any]:
    found = run.plan.get("parameters")
    return found if isinstance(found, dict) else {}


def in_flight_most(run: Run, stated: Mapping[str, Any]) -> float | None:
    """Operations that the client can have in flight; none where one factor of it is not stated.

    Tools that send several requests before they read an answer say so only where `pipeline` is a parameter.
    """
    factors = _IN_FLIGHT_FACTORS.get(run.tool or "")
    if factors is None or stated.get("asynchronous") is True:
        return None
    return _product(stated, *factors)


def _product(stated: Mapping[str, Any], *names: str) -> float | None:
    whole = 1.0
    for name in names:
        value = _whole(stated.get(name))
        if value is None:
            return None
        whole *= value
    return whole


def _whole(value: object) -> float | None:
    if isinstance(value, str) and is_digits(value):
        return float(value)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _operation_bytes(run: Run, stated: Mapping[str, Any]) -> dict[str, float]:
    """Size of an operation where it is one and known."""
    fraud = run.plan.get("fraud")
    if isinstance(fraud, dict) and (size := _whole(fraud.get("value_bytes"))) is not None:
        return {"read": size}
    block = stated.get("bs")
    if run.tool == "fio" and isinstance(block, str):
        size = _block_bytes(block)
        return {} if size is None else dict.fromkeys(("read", "write"), size)
    return {}


def _block_bytes(text: str) -> float | None:
    """fio's block size: a number with a binary unit; ranges and lists have none."""
    lowered = text.strip().lower()
    digits = lowered.rstrip("bkm")
    unit = lowered[len(digits) :]
    return float(digits) * _SIZES[unit] if is_digits(digits) and unit in _SIZES else None


def _link(run: Run) -> float | None:
    """The fastest network interface of the client; none where it is not known, or no network was used."""
    fraud = run.plan.get("fraud")
    address = str(fraud.get("address", "")) if isinstance(fraud, dict) else ""
    if not address or address.startswith(("127.", "localhost", "[::1]", "/")):
        return None
    interfaces = run.host.get("network_interfaces")
    speeds = [
        one.get("speed_mbit_per_s")
        for one in (interfaces if isinstance(interfaces, list) else ())
        if isinstance(one, dict)
    ]
    known = [float(speed) for speed in speeds if isinstance(speed, int | float) and speed > 0]
    return max(known) * _BITS_PER_MEGABIT if known else None


def store_findings(session: Session, run: Run, found: Sequence[Finding]) -> None:
    """Store findings in the place of those before; of too many the weightiest, in the order of the checks."""
    if len(found) > RUN_FINDINGS:
        weightiest = sorted(range(len(found)), key=lambda place: _WEIGHTS[found[place].severity])[
            :RUN_FINDINGS
        ]
        found = [found[place] for place in sorted(weightiest)]
    session.execute(delete(RunFinding).where(RunFinding.run_id == run.run_id))
    rows = [
        {
            "run_id": run.run_id,
            "position": position,
            "organisation_id": run.organisation_id,
            "check_id": one.check,
            "severity": one.severity,
            "kind": one.kind,
            "statement": one.statement,
            "figures": [dataclasses.asdict(number) for number in one.figures],
        }
        for position, one in enumerate(found)
    ]
    if rows:
        session.execute(insert(RunFinding), rows)


_AUDITED = select(AnalysisState.audit_version).where(AnalysisState.run_id == bindparam("run_id"))
_STORED = select(RunFinding).where(RunFinding.run_id == bindparam("run_id")).order_by(RunFinding.position)


def stored_findings(session: Session, run_id: UUID) -> Sequence[RunFinding]:
    """Findings of a run, in the order of the checks."""
    return session.scalars(_STORED, {"run_id": run_id}).all()


def findings_out(session: Session, run: Run) -> RunFindingsOut:
    """Findings of a run as they are told, and whether the run was audited at all."""
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
