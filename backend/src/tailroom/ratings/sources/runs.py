"""Tests from runs: reads of the ACT workload at one load of a known drive, a test for each clock.

A run counts if it is finished and judged, its load is a multiple of ACT's and nothing else (no index, no
other large blocks, no page cache, no engine without a drive), and its drive is known: by the disclosed model,
or by the inventory of the device that the agent measured itself. A file on a drive is not the drive. Unknown
facts are left unstated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import DRIVE_MODEL
from tailroom.catalogue.drives import resolve
from tailroom.domain import act
from tailroom.domain.drive_counters.of_test import figures_of_drives
from tailroom.domain.errors import DomainError
from tailroom.domain.rating.conditions import (
    FULL_LENGTH_NS,
    ActGeneration,
    EvidenceClass,
    MetricClass,
    OpClass,
)
from tailroom.domain.rating.variant import Traits, traits_of
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.exceedance import exceedance
from tailroom.evidence.run import evidence_of
from tailroom.importers.act.generations import ActLogGeneration, generation_of
from tailroom.judging.drive_counters import drive_summaries
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.sources.tested_load import Share, TestOnRecord
from tailroom.records.run_record import load_record
from tailroom.runs.service import disclosure_of
from tailroom.storage.run import AGENT, PUBLIC, Run

ACT_WORKLOAD = "act-storage"
"""Ratings are about the storage model; an index has other operations under the same multiples."""
_STANDARD: Mapping[str, Any] = {
    "model": "storage",
    "record_bytes_range_max": 0,
    "large_block_bytes": 131_072,
    "replication_factor": 1,
    "update_pct": 0,
    "defrag_lwm_pct": 50,
    "no_defrag_reads": False,
    "compress_pct": 100,
    "commit_to_device": False,
    "tomb_raider": False,
    "read_only": False,
    "direct_io": True,
    "sync_writes": True,
}
"""Settings of the agent's plan if nothing but the multiple and the record size differs from the load 1x."""
_REAL_ENGINES = (None, "auto", "io_uring", "sync")
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
_CAPACITY_TOLERANCE_RATIO = 0.03


@dataclass(frozen=True, slots=True)
class TestOfRun:
    """A tested load of a run, and the evidence for judging it."""

    __test__ = False

    test: TestOnRecord
    evidence: RunEvidence


def tests_of_run(transactions: Transactions, run: Run) -> list[TestOfRun]:
    """Return the tests of a run, one for each clock; none if `why_not_rated` has a reason."""
    with transactions() as session:
        if why_not_rated(session, run) is not None:
            return []
        record = load_record(session, run, coarse=False, only=(_READ,), transactions=transactions)
        counters = figures_of_drives(drive_summaries(session, run))
        plan = _plan(run)
        slug = resolve(session, _model(run, plan) or "", run.organisation_id)
        load = _load_multiple(run, plan)
        assert slug is not None and load is not None  # noqa: PT018, S101 - why_not_rated() has no reason
        capacity_bytes = _capacity(run, plan, repository.capacities(session, slug))
    try:
        evidence = evidence_of(record, (_READ,))
    except DomainError:
        return []
    return [
        TestOfRun(
            replace(_test(run, plan, operation, load, slug, capacity_bytes), counters=counters),
            replace(evidence, operations=(operation,)),
        )
        for operation in evidence.operations
        if operation.operation == _READ and operation.clock in _METRIC and operation.record.total
    ]


@dataclass(frozen=True, slots=True)
class DriveVariant:
    """The drive of a run, with the firmware and capacity that the run states.

    `slug` is the catalogue's; `serial_sha256`: hashes of all serial numbers, separated by spaces.
    """

    slug: str
    firmware: str | None
    capacity_bytes: int | None
    serial_sha256: str | None
    traits: Traits


def drive_variant(session: Session, run: Run) -> DriveVariant | None:
    """Return the drive that a run measured; None where it is not in the catalogue."""
    qualified = run.plan.get("qualify")
    plan = {"path": qualified.get("device")} if isinstance(qualified, dict) else _plan(run)
    slug = resolve(session, _model(run, plan) or "", run.organisation_id)
    if slug is None:
        return None
    capacity_bytes = _capacity(run, plan, repository.capacities(session, slug))
    serials, traits = _serials(run, plan), _traits(run, plan)
    return DriveVariant(slug, _firmware(run, plan), capacity_bytes, serials, traits or {})


def why_not_rated(session: Session, run: Run) -> str | None:
    """Return why a run is no test of a drive, and what would make it a test; None if it is."""
    plan = _plan(run)
    if run.workload != ACT_WORKLOAD:
        return (
            f"drives are ranked by the load of ACT ({ACT_WORKLOAD}), and this is a run of {run.workload}; it"
            " can be judged, compared and sized, but not ranked"
        )
    if not _is_standard(run, plan):
        return "its load differs from a multiple of ACT's in more than the multiple"
    if _load_multiple(run, plan) is None:
        return "its load is not stated as a multiple of ACT's; state it among the facts of the run"
    model = _model(run, plan)
    if model is None:
        return "the model of its drive is not known; state it among the facts of the run"
    if resolve(session, model, run.organisation_id) is None:
        return f"the catalogue has no drive “{model[:80]}”; add it, or state another model"
    return None


def _is_standard(run: Run, plan: Mapping[str, Any]) -> bool:
    """Return whether the load is ACT's for storage, differing in its multiple only."""
    if run.workload != ACT_WORKLOAD:
        return False
    if run.source != AGENT:
        return plan.get("standard_load") is not False
    return plan.get("engine") in _REAL_ENGINES and all(
        plan.get(name, standard) == standard for name, standard in _STANDARD.items()
    )


def _test(  # noqa: PLR0917 - parts of a run, its plan and one of its clocks
    run: Run,
    plan: Mapping[str, Any],
    operation: OperationEvidence,
    load: float,
    slug: str,
    capacity_bytes: int | None,
) -> TestOnRecord:
    """Return the test of a run on the clock of `operation`.

    `load` in multiples of 1x, `slug` of its drive.
    """
    op_class, usable_ratio, op_text = _over_provisioning(
        _stated(run, "plan.act_storage.over_provisioning", plan)
    )
    is_long = operation.measured_ns >= FULL_LENGTH_NS
    measured = EvidenceClass.MEASURED_24H if is_long else EvidenceClass.MEASURED
    return TestOnRecord(
        test_id=f"{run.run_id}:{operation.operation}:{operation.clock}",
        source_title=(run.public_title if run.visibility == PUBLIC else None) or run.title,
        visibility=run.visibility,
        drive_slug=slug,
        op_class=op_class,
        metric_class=_METRIC[operation.clock],
        generation=_generation(run),
        load_multiple=load,
        evidence=measured if run.source == AGENT else EvidenceClass.UPLOADED,
        clock=operation.clock,
        exceedances=_shares(operation),
        organisation_id=run.organisation_id,
        run_id=run.run_id,
        capacity_bytes=capacity_bytes,
        usable_ratio=usable_ratio,
        op_as_printed=op_text,
        load_as_printed=f"{load:g}x",
        duration_ns=operation.measured_ns,
        record_bytes=_whole(_stated(run, "plan.act_storage.record_bytes", plan)),
        write_ratio=_WRITE_RATIO,
        preconditioned=_preconditioned(_stated(run, "plan.act_storage.preconditioning", plan)),
        tool="tailroom-agent" if run.source == AGENT else run.tool,
        tool_version=run.agent.get("version") if run.source == AGENT else run.tool_version,
        withdrawn_at=run.retracted_at,
        withdrawal_reason=run.retraction_reason,
        tested_at=run.started_at.isoformat() if run.started_at_known else None,
        operation=operation.operation,
        total_count=operation.record.total,
        design_factor=float(operation.effect_at(act.LIMITS_NS[0]).factor) if operation.has_course else 1.0,
        missing_disclosure=len(disclosure_of(run).missing),
        firmware=_firmware(run, plan),
        serials_sha256=_serials(run, plan),
        traits=_traits(run, plan),
    )


def _shares(operation: OperationEvidence) -> tuple[Share, ...]:
    """Return the shares at ACT's limits and wherever reads were counted exactly."""
    shares = []
    for threshold_ns in sorted({*operation.counted_at_ns, *act.LIMITS_NS}):
        share = exceedance(operation.record, threshold_ns, operation.effect_at)
        is_exact = share.over_lower == share.over_upper and share.is_counted
        shares.append(
            Share(
                threshold_ns,
                share.share_lower,
                share.share_upper,
                over_count=share.over_upper if is_exact else None,
                total_count=operation.record.total,
            )
        )
    return tuple(shares)


def _plan(run: Run) -> Mapping[str, Any]:
    """Return the plan's storage settings, in the words of an agent's plan; empty if there are none."""
    stated = run.plan.get("act_storage")
    if isinstance(stated, dict):
        return stated
    parameters = run.plan.get("parameters")
    return parameters if isinstance(parameters, dict) else {}


def _stated(run: Run, field: str, plan: Mapping[str, Any]) -> Any:
    """Return a fact from the plan, else from a person's answer; None if neither has it.

    `field` is its full name, such as `plan.act_storage.record_bytes`.
    """
    name = field.rpartition(".")[2]
    stated = plan.get(name, plan.get(name.replace("_", "-")))
    if stated is not None:
        return stated
    answer = run.disclosed.get(field)
    return None if answer is None else answer.get("value")


def _load_multiple(run: Run, plan: Mapping[str, Any]) -> float | None:
    """Return the load of each device in multiples of 1x; None if it is not a multiple, or not stated."""
    reads, writes = plan.get("read_requests_per_s"), plan.get("write_requests_per_s")
    if run.source == AGENT and (reads is not None or writes is not None):
        if not isinstance(reads, int) or not isinstance(writes, int) or reads != 2 * writes or writes <= 0:
            return None
        return writes / 1_000.0 / (1 + len(plan.get("further_paths") or ()))
    multiple = _stated(run, "plan.act_storage.load_multiple", plan)
    if multiple is None and run.source == AGENT and plan:
        return 1.0  # the agent's default
    number = _number(multiple)
    return number if number is not None and 0.0 < number < 1e6 else None


def _number(value: Any) -> float | None:
    """Return a number, also from a text such as `6x`; None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    try:
        return float(str(value).strip().removesuffix("x").removesuffix("X"))
    except ValueError:
        return None


def _whole(value: Any) -> int | None:
    """Return a positive whole number; None if the value is none."""
    number = _number(value) if value is not None else None
    return None if number is None or not 0 < number < 2**62 else round(number)


def _model(run: Run, plan: Mapping[str, Any]) -> str | None:
    """Return the model of the measured drive, as disclosed by a person, else from the inventory."""
    answer = run.disclosed.get(DRIVE_MODEL)
    if answer is not None:
        return str(answer["value"])
    device = _device(run, plan)
    model = None if device is None else device.get("model")
    return model.strip() if isinstance(model, str) and model.strip() else None


def _device(run: Run, plan: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the inventory of the measured device; None for a file, or if several models were measured."""
    measured = _devices(run, plan)
    models = {str(device.get("model")) for device in measured}
    return measured[0] if len(models) == 1 else None


def _devices(run: Run, plan: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the inventory of every measured device; empty where one of them is a file or not listed."""
    paths = [plan.get("path"), *(plan.get("further_paths") or ())]
    names = [
        path.removeprefix("/dev/") for path in paths if isinstance(path, str) and path.startswith("/dev/")
    ]
    devices = run.host.get("block_devices")
    if not names or len(names) != len(paths) or not isinstance(devices, list):
        return []
    measured: list[Mapping[str, Any]] = [
        device
        for name in names
        for device in devices
        if isinstance(device, dict) and isinstance(device.get("name"), str) and _is_on(name, device["name"])
    ]
    return measured if len(measured) == len(names) else []


def _firmware(run: Run, plan: Mapping[str, Any]) -> str | None:
    """Return the firmware that all measured devices have; None where it is not known of each, or differs."""
    stated = {device.get("firmware") for device in _devices(run, plan)}
    firmware = stated.pop() if len(stated) == 1 else None
    return firmware.strip() or None if isinstance(firmware, str) else None


def _serials(run: Run, plan: Mapping[str, Any]) -> str | None:
    """Return the hashes of the serial numbers of all measured devices, sorted and separated by spaces.

    None where one is not known.
    """
    stated = [device.get("serial_sha256") for device in _devices(run, plan)]
    hashes = [serial for serial in stated if isinstance(serial, str) and serial and " " not in serial]
    return " ".join(sorted(hashes)) if hashes and len(hashes) == len(stated) else None


def _traits(run: Run, plan: Mapping[str, Any]) -> Traits | None:
    """Return the traits of the measured device; None if several were measured, or nothing is known."""
    devices = _devices(run, plan)
    if len(devices) != 1:
        return None
    # Plans are written freely: each part may be something else.
    suite = run.plan.get("qualify")
    preparation = suite.get("preparation") if isinstance(suite, dict) else None
    cache_end = preparation.get("cache_end") if isinstance(preparation, dict) else None
    return (
        traits_of(devices[0], run.drive_counters, cache_end if isinstance(cache_end, dict) else None) or None
    )


def _is_on(name: str, device: str) -> bool:
    """Return whether a name is the device itself or a partition of it."""
    rest = name.removeprefix(device).removeprefix("p")
    return name.startswith(device) and (rest == "" or rest.isdigit())


def _capacity(run: Run, plan: Mapping[str, Any], capacities: Sequence[int]) -> int | None:
    """Return the catalogue's capacity in bytes within 3 % of the device's size, else that size.

    `capacities` are those of the catalogue; None if the size is unknown.
    """
    device = _device(run, plan)
    answer = run.disclosed.get("host.block_devices.*.size_bytes")
    size = _whole(device.get("size_bytes") if device else answer and answer.get("value"))
    if size is None:
        return None
    near = [
        capacity for capacity in capacities if abs(capacity - size) <= _CAPACITY_TOLERANCE_RATIO * capacity
    ]
    return min(near, key=lambda capacity: abs(capacity - size), default=size)


def _over_provisioning(value: Any) -> tuple[OpClass, float | None, str | None]:
    """Return class, usable share and text of a statement: a share, a percentage, or a word."""
    if value is None:
        return OpClass.UNSTATED, None, None
    text = str(value).strip()
    if isinstance(value, bool):
        return (OpClass.OVER_PROVISIONED if value else OpClass.NONE), None if value else 1.0, text
    if text.lower() in {"none", "no", "not over-provisioned"}:
        return OpClass.NONE, 1.0, text
    percent = text.endswith("%")
    number = _number(text.removesuffix("%"))
    if number is None or number < 0.0 or number >= 100.0:
        return OpClass.UNSTATED, None, text
    share = number / 100.0 if percent or number >= 1.0 else number
    return (OpClass.OVER_PROVISIONED if share > 0.0 else OpClass.NONE), 1.0 - share, text


def _preconditioned(value: Any) -> bool | None:
    """Return whether the drive was prepared before the test; None if not stated."""
    if value is None:
        return None
    return str(value).strip().lower() not in {"", "no", "none", "false"}


def _generation(run: Run) -> ActGeneration:
    """Return the generation of the tool; the agent follows the rules of the newest."""
    return ActGeneration.FROM_6 if run.source == AGENT else _GENERATION[generation_of(run.tool_version)]
