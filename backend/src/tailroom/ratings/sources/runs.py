"""Tests from runs: reads of the ACT workload at one load of one known drive, once for each clock.

A run counts once it is finished and judged, if its load is a multiple of ACT's and nothing else (no index, no
other large blocks, no page cache, no engine without a drive) and its drive is known: by the
model that a person disclosed, or by the inventory of the device that the agent measured itself. A file on a
drive is not the drive. Nothing is guessed: what is not known is not stated. Shares are those of the run's
record: exact counters and hours as its verdicts see them, further thresholds with both ends.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tailroom.catalogue.disclosure import DRIVE_MODEL
from tailroom.catalogue.drives import resolve
from tailroom.domain import act
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.rating.conditions import FULL_LENGTH_NS, EvidenceClass, Generation, MetricClass, OpClass
from tailroom.domain.rating.judging import Doubt
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.domain.verdicts.evidence import HourSlice, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.exceedance import exceedance
from tailroom.domain.verdicts.generator import Generation as Load
from tailroom.domain.verdicts.verdict import Bounds
from tailroom.evidence.run import evidence_of
from tailroom.importers.act.generations import Generation as ActGeneration
from tailroom.importers.act.generations import generation_of
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
"""What the agent's plan says where nothing but the multiple and the record size differs from the load 1x."""
_REAL_ENGINES = (None, "auto", "io_uring", "sync")
_WRITE_RATIO = 1.0 / 3.0
"""Of every multiple of the load: 1,000 writes beside 2,000 reads (docs/method.md 6.1)."""
_READ = "read"
GRID_NS = tuple(
    sorted(
        {NS_PER_US * 2**step for step in range(3, 12)}
        | {NS_PER_MS * 2**step for step in range(13)}
        | {one * NS_PER_MS for one in (3, 5, 7, 10, 20, 50, 100, 200, 250, 500, 1000, 2000)}
    )
)
"""Thresholds at which every run is known; between them its shares lie between two ends."""
_METRIC = {"response": MetricClass.TOTAL, "service": MetricClass.DEVICE}
_GENERATION = {
    ActGeneration.LEGACY: Generation.BEFORE_2,
    ActGeneration.QUEUED: Generation.FROM_2_TO_5,
    ActGeneration.TRANSACTIONS: Generation.FROM_2_TO_5,
    ActGeneration.DIRECT: Generation.FROM_6,
}
_CAPACITY_TOLERANCE_RATIO = 0.03
_DEVICE_TOO_SLOW = "device_too_slow"
_ANY = Bounds(0.0, 1.0)


def tests_of_run(transactions: Transactions, run: Run) -> list[TestOnRecord]:
    """What a run says of a drive; nothing where it says nothing."""
    plan = _plan(run)
    load = _load_multiple(run, plan)
    model = _model(run, plan)
    if not _is_standard(run, plan) or load is None or model is None:
        return []
    with transactions() as session:
        slug = resolve(session, model, run.organisation_id)
        if slug is None:
            return []
        capacities = repository.capacities(session, slug)
    fine, coarse = _evidence(transactions, run, coarse=False), _evidence(transactions, run, coarse=True)
    if fine is None or coarse is None:
        return []
    found: list[TestOnRecord] = []
    for one in fine.operations:
        rough = coarse.of(one.operation, one.clock)
        if one.operation != _READ or one.clock not in _METRIC or rough is None or one.record.total == 0:
            continue
        found.append(_test(run, plan, one, rough, load, slug, _capacity(run, plan, capacities)))
    return found


def _is_standard(run: Run, plan: Mapping[str, Any]) -> bool:
    """Whether the load is ACT's for storage: what differs from it in more than its multiple is no `Nx`."""
    if run.workload != ACT_WORKLOAD:
        return False
    if run.source != AGENT:
        return plan.get("standard_load") is not False
    return plan.get("engine") in _REAL_ENGINES and all(
        plan.get(name, standard) == standard for name, standard in _STANDARD.items()
    )


def _evidence(transactions: Transactions, run: Run, *, coarse: bool) -> RunEvidence | None:
    with transactions() as session:
        record = load_record(session, run, coarse=coarse, only=(_READ,), transactions=transactions)
    try:
        return evidence_of(record, (_READ,))
    except DomainError:
        return None


def _test(  # noqa: PLR0917 - what a run, its plan and one of its clocks say
    run: Run,
    plan: Mapping[str, Any],
    one: OperationEvidence,
    rough: OperationEvidence,
    load: float,
    slug: str,
    capacity_bytes: int | None,
) -> TestOnRecord:
    pins = set(one.record.pins) if isinstance(one.record, LatencyDist) else set()
    exact = sorted(pins | ({*act.LIMITS_NS} if run.source != AGENT or not pins else set()))
    hours = one.full_slices(exact) if one.has_course else ()
    op_class, usable_ratio, op_text = _over_provisioning(
        _told(run, "plan.act_storage.over_provisioning", plan)
    )
    doubt, doubt_text = _doubt(one)
    first = one.effect_at(act.LIMITS_NS[0]) if one.has_course else None
    is_long = one.measured_ns >= FULL_LENGTH_NS
    measured = EvidenceClass.MEASURED_24H if is_long else EvidenceClass.MEASURED
    return TestOnRecord(
        test_id=f"{run.run_id}:{one.operation}:{one.clock}",
        source_title=(run.public_title if run.visibility == PUBLIC else None) or run.title,
        visibility=run.visibility,
        drive_slug=slug,
        op_class=op_class,
        metric_class=_METRIC[one.clock],
        generation=_generation(run),
        load_multiple=load,
        evidence=measured if run.source == AGENT else EvidenceClass.UPLOADED,
        shares=_shares(one, rough, exact, hours),
        organisation_id=run.organisation_id,
        run_id=run.run_id,
        capacity_bytes=capacity_bytes,
        usable_ratio=usable_ratio,
        op_as_printed=op_text,
        load_as_printed=f"{load:g}x",
        duration_ns=one.measured_ns,
        record_bytes=_whole(_told(run, "plan.act_storage.record_bytes", plan)),
        write_ratio=_WRITE_RATIO,
        preconditioned=_preconditioned(_told(run, "plan.act_storage.preconditioning", plan)),
        tool="tailroom-agent" if run.source == AGENT else run.tool,
        tool_version=run.agent.get("version") if run.source == AGENT else run.tool_version,
        tested_at=run.started_at.isoformat() if run.started_at_known else None,
        operation=one.operation,
        clock=one.clock,
        total_count=one.record.total,
        design_factor=1.0 if first is None else float(first.factor),
        full_hours=len(hours) if one.has_course else None,
        doubt=doubt,
        doubt_text=doubt_text,
        device_failed=run.end_state == _DEVICE_TOO_SLOW,
        missing_disclosure=len(disclosure_of(run).missing),
    )


def _shares(
    one: OperationEvidence, rough: OperationEvidence, exact: Sequence[int], hours: Sequence[HourSlice]
) -> tuple[Share, ...]:
    """At exact thresholds from the whole record, with the worst hour; on the grid from the coarse.

    Lower ends are those with every slice in doubt at its best, so that none of these pushes a drive down.
    """
    found: dict[int, Share] = {}
    for threshold_ns in sorted({*exact, *GRID_NS}):
        used = one if threshold_ns in exact else rough
        share = exceedance(used.record, threshold_ns, used.effect_at)
        best = exceedance(used.at_best.record, threshold_ns, used.at_best.effect_at)
        found[threshold_ns] = Share(
            threshold_ns,
            min(share.share_lower, best.share_lower),
            share.share_upper,
            min(share.ratio_lower, best.ratio_lower),
            share.ratio_upper,
        )
    at_best = one.at_best.full_slices(exact) if hours and one.at_best is not one else hours
    for column, threshold_ns in enumerate(exact):
        ends = [
            (_hour_ends(best, column)[0], _hour_ends(piece, column)[1])
            for piece, best in zip(hours, at_best, strict=True)
            if piece.total
        ]
        if ends:
            plain = found[threshold_ns]
            found[threshold_ns] = Share(
                threshold_ns,
                plain.lower,
                plain.upper,
                plain.confident_lower,
                plain.confident_upper,
                max(lower for lower, _ in ends),
                max(upper for _, upper in ends),
            )
    return tuple(found[at] for at in sorted(found))


def _hour_ends(piece: HourSlice, column: int) -> tuple[float, float]:
    certain = piece.certain or piece.over
    return certain[column] / piece.total, piece.over[column] / piece.total


def _doubt(one: OperationEvidence) -> tuple[int, str | None]:
    load: Load = one.load
    if load.closed_loop:
        return int(Doubt.NO_PASS), "closed loop: requests that would have waited are not in the record"
    if not (load.is_too_little or load.is_too_much):
        if one.at_best is one:
            return int(Doubt.NONE), None
        return int(Doubt.NO_FAIL), one.validity.text
    kind = Doubt.NO_VERDICT if load.is_too_much or load.missing_intervals else Doubt.NO_PASS
    from_load = load.causes(_ANY)
    return int(kind), from_load[0].text if from_load else "the load was not the one that was intended"


def _plan(run: Run) -> Mapping[str, Any]:
    """What the run was asked to do, in the words of an agent's plan, where it says so."""
    stated = run.plan.get("act_storage")
    if isinstance(stated, dict):
        return stated
    parameters = run.plan.get("parameters")
    return parameters if isinstance(parameters, dict) else {}


def _told(run: Run, field: str, plan: Mapping[str, Any]) -> Any:
    """A fact by what the run states, else by what a person has disclosed."""
    name = field.rpartition(".")[2]
    stated = plan.get(name, plan.get(name.replace("_", "-")))
    if stated is not None:
        return stated
    answer = run.disclosed.get(field)
    return None if answer is None else answer.get("value")


def _load_multiple(run: Run, plan: Mapping[str, Any]) -> float | None:
    reads, writes = plan.get("read_requests_per_s"), plan.get("write_requests_per_s")
    if run.source == AGENT and (reads is not None or writes is not None):
        if not isinstance(reads, int) or not isinstance(writes, int) or reads != 2 * writes or writes <= 0:
            return None
        return writes / 1_000.0 / (1 + len(plan.get("further_paths") or ()))
    told = _told(run, "plan.act_storage.load_multiple", plan)
    if told is None and run.source == AGENT and plan:
        return 1.0  # what the agent does by default
    number = _number(told)
    return number if number is not None and 0.0 < number < 1e6 else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    try:
        return float(str(value).strip().removesuffix("x").removesuffix("X"))
    except ValueError:
        return None


def _whole(value: Any) -> int | None:
    number = _number(value) if value is not None else None
    return None if number is None or not 0 < number < 2**62 else round(number)


def _model(run: Run, plan: Mapping[str, Any]) -> str | None:
    answer = run.disclosed.get(DRIVE_MODEL)
    if answer is not None:
        return str(answer["value"])
    device = _device(run, plan)
    model = None if device is None else device.get("model")
    return model.strip() if isinstance(model, str) and model.strip() else None


def _device(run: Run, plan: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The inventory of the measured device; none for a file, and where several models were measured."""
    paths = [plan.get("path"), *(plan.get("further_paths") or ())]
    names = [one.removeprefix("/dev/") for one in paths if isinstance(one, str) and one.startswith("/dev/")]
    devices = run.host.get("block_devices")
    if not names or len(names) != len(paths) or not isinstance(devices, list):
        return None
    found = [
        device
        for name in names
        for device in devices
        if isinstance(device, dict) and isinstance(device.get("name"), str) and _is_on(name, device["name"])
    ]
    models = {str(device.get("model")) for device in found}
    return found[0] if len(found) == len(names) and len(models) == 1 else None


def _is_on(name: str, device: str) -> bool:
    """The device itself or a partition of it."""
    rest = name.removeprefix(device).removeprefix("p")
    return name.startswith(device) and (rest == "" or rest.isdigit())


def _capacity(run: Run, plan: Mapping[str, Any], known: Sequence[int]) -> int | None:
    """The capacity that the catalogue has for the drive, where the size of the device is near one of them."""
    device = _device(run, plan)
    answer = run.disclosed.get("host.block_devices.*.size_bytes")
    size = _whole(device.get("size_bytes") if device else answer and answer.get("value"))
    if size is None:
        return None
    near = [one for one in known if abs(one - size) <= _CAPACITY_TOLERANCE_RATIO * one]
    return min(near, key=lambda one: abs(one - size), default=size)


def _over_provisioning(value: Any) -> tuple[OpClass, float | None, str | None]:
    """Class, usable share and text of what was said: a share, percent, or a word."""
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
    if value is None:
        return None
    return str(value).strip().lower() not in {"", "no", "none", "false"}


def _generation(run: Run) -> Generation:
    """The agent keeps the rules of the newest generation."""
    return Generation.FROM_6 if run.source == AGENT else _GENERATION[generation_of(run.tool_version)]
