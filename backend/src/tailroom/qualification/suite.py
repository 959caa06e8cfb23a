"""A qualification suite from its stored runs, under the standard's headings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from tailroom.analysis.drive_counters import figure_out
from tailroom.domain.drive_counters.of_test import figures_of_tests
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.simulated import is_simulated
from tailroom.kit.transactions import Transactions
from tailroom.qualification.answers import ACT, answers_of, has_result
from tailroom.qualification.errors import SuiteUnknown
from tailroom.qualification.loads import MeasuredLoad, measured_load
from tailroom.qualification.plots import plots_of
from tailroom.qualification.recovery import idle_gains_of, is_saturated, recovery_of, saturation_end
from tailroom.qualification.schemas import (
    SteadyAnswer,
    SuiteAnswerOut,
    SuiteCacheEndOut,
    SuiteFactOut,
    SuiteIdleGainOut,
    SuiteLoadOut,
    SuiteOut,
    SuiteRecoveryOut,
    SuiteSteadyStateOut,
    SuiteStepOut,
)
from tailroom.qualification.steady import steady_state_of
from tailroom.runs import repository
from tailroom.runs.service import describe_run
from tailroom.storage.run import FINISHED, Run

HEADINGS = {
    "settle": "Steady state",
    "iops": "IOPS test",
    "throughput": "Throughput test",
    "latency": "Latency test",
    "saturation": "Write saturation test",
    "outstanding": "Outstanding operations",
    "cross-stimulus": "Cross stimulus recovery test",
    "host-idle": "Host idle recovery test",
    "sync-writes": "Synchronous writes",
    "act": "ACT",
}
"""Headings of the measured steps, in the order of the report; most have the names of SNIA's specification."""
_WITHOUT_STEADY_STATE = frozenset({"settle", "saturation"})
"""Steps whose loads are measured before the rate is steady."""
_PREPARING = ("purge", "prepare")
_MODEL = "a model of a drive: its figures say nothing of any drive"
_DEVICE_FIELDS = (
    ("model", "Model"),
    ("firmware", "Firmware"),
    ("serial_sha256", "Hash of the serial number"),
    ("size_bytes", "Capacity in bytes"),
    ("logical_block_bytes", "Logical block in bytes"),
    ("scheduler", "Scheduler"),
    ("write_cache", "Write cache"),
)


def suite_of(transactions: Transactions, organisation_id: UUID, suite_id: UUID) -> SuiteOut:
    """Return the report of a suite from runs that the organisation may read; raise SuiteUnknown if none."""
    with transactions() as session:
        runs = repository.runs_of_suite(session, organisation_id, suite_id)
        if not runs:
            raise SuiteUnknown(f"No run that you may see belongs to the suite {suite_id}.")
        first = describe_run(session, runs[0], organisation_id)
        measured = _measured(runs)
        answers = answers_of(session, organisation_id, measured)
    loads = [
        load
        for run in measured
        if run.plan["qualify"]["step"] != ACT
        and (load := measured_load(transactions, organisation_id, run)) is not None
    ]
    shown_runs = len(loads) + len(answers.get(ACT, ()))
    by_step = {step: [load for load in loads if load.step == step] for step in HEADINGS}
    rounds = by_step["settle"]
    stated = runs[-1].plan["qualify"]
    requested: Sequence[str] = stated.get("steps") or ()
    steady = steady_state_of(rounds) if rounds or "settle" in requested else None
    size_bytes = stated.get("size_bytes")
    steps = [
        _step(step, of_step, steady, size_bytes, answers.get(step, []))
        for step, of_step in by_step.items()
        if of_step or step in requested or step in answers
    ]
    shown = {step.step: step.loads for step in steps}
    end, recovery = saturation_end(shown.get("saturation", ())), recovery_of(shown.get("cross-stimulus", ()))
    return SuiteOut(
        suite_id=suite_id,
        title=suite_title(first.host, stated["device"]),
        answer=_answer(steady, steps),
        began_at=runs[0].started_at,
        is_complete=_is_complete(requested, steps, steady, stated),
        unfinished=len(runs) - shown_runs,
        device=_device(first.host, stated),
        host=_host(first.host, first.agent),
        preparation=_preparation(stated["preparation"], is_settled=steady is not None),
        steady_state=steady,
        cache_end=None if end is None else SuiteCacheEndOut(**asdict(end)),
        recovery=None if recovery is None else SuiteRecoveryOut(**asdict(recovery)),
        idle_gains=[SuiteIdleGainOut(**asdict(gain)) for gain in idle_gains_of(shown.get("host-idle", ()))],
        steps=steps,
        method_version=METHOD_VERSION,
    )


def _measured(runs: Sequence[Run]) -> list[Run]:
    """Return the newest run with a result for each load of each step; `runs` are in order of their start."""
    by_load = {
        (run.plan["qualify"]["step"], run.plan["qualify"]["number"]): run
        for run in runs
        if run.state == FINISHED and has_result(run)
    }
    return [by_load[key] for key in sorted(by_load, key=lambda key: key[1])]


def _step(
    step: str,
    loads: Sequence[MeasuredLoad],
    steady: SuiteSteadyStateOut | None,
    size_bytes: int | None,
    answers: list[SuiteAnswerOut],
) -> SuiteStepOut:
    shown = [load.out for load in loads]
    planned = next((load.planned for load in loads if load.planned is not None), None)
    measured = len(loads)
    if step == ACT:
        planned, measured = 1, len(answers)
    figures = figures_of_tests(load.counters for load in loads)
    return SuiteStepOut(
        step=step,
        heading=HEADINGS[step],
        measured=measured,
        planned=planned,
        missed=sum(load.missed for load in loads),
        answers=answers,
        loads=shown,
        plots=plots_of(step, shown, steady, size_bytes),
        counters=[figure_out(figure) for figure in figures],
    )


def _answer(steady: SuiteSteadyStateOut | None, steps: Sequence[SuiteStepOut]) -> str:
    tests = [step for step in steps if step.step not in _WITHOUT_STEADY_STATE]
    count = sum(step.measured for step in tests)
    measured = "1 load was measured" if count == 1 else f"{count} loads were measured"
    saturation = next((step.measured for step in steps if step.step == "saturation"), 0)
    if steady is None and not tests and saturation:
        return f"{saturation} rounds of write saturation were measured"
    if steady is None:
        return f"{measured} without proof of a steady state"
    results: Mapping[SteadyAnswer, str] = {
        "steady": f"{measured} in steady state",
        "throttled": "The drive slowed itself down by heat, so nothing further was measured",
        "not_steady": "The drive did not settle, so nothing further was measured",
        "unsettled": "The suite has not reached a steady state yet",
    }
    return results[steady.answer]


def _is_complete(
    requested: Sequence[str],
    steps: Sequence[SuiteStepOut],
    steady: SuiteSteadyStateOut | None,
    stated: Mapping[str, Any],
) -> bool | None:
    """Return whether every requested step is measured; None if the plan does not name them. True also if the
    rate did not get steady, after which nothing is measured; False while it is unsettled.
    """
    if not requested:
        return None
    if steady is not None and steady.answer != "steady":
        return steady.answer != "unsettled"
    by_name = {step.step: step for step in steps}
    if "saturation" in requested and not _is_saturated(by_name["saturation"].loads, stated):
        return False
    tests = [by_name.get(name) for name in requested if name not in {*_PREPARING, *_WITHOUT_STEADY_STATE}]
    return all(step is not None and step.planned == step.measured for step in tests)


def _is_saturated(loads: Sequence[SuiteLoadOut], stated: Mapping[str, Any]) -> bool:
    """Return whether write saturation reached its end, by the written bytes and the rate of each load."""
    measured_s = sum(load.written_bytes / load.bytes_per_s for load in loads if load.bytes_per_s > 0.0)
    return is_saturated(loads, stated["size_bytes"], round(measured_s))


def _inventory(host: Mapping[str, Any], device: str) -> Mapping[str, Any]:
    devices = host.get("block_devices")
    name = device.removeprefix("/dev/")
    entries = [entry for entry in devices or () if isinstance(entry, dict)]
    return next((entry for entry in entries if entry.get("name") == name), {})


def suite_title(host: Mapping[str, Any], device: str) -> str:
    """Return the title of a suite, with the model of its drive, or its device if the model is unknown."""
    model = _inventory(host, device).get("model")
    name = model.strip() if isinstance(model, str) else ""
    return f"Qualification of {name or device}"


def _device(host: Mapping[str, Any], stated: Mapping[str, Any]) -> list[SuiteFactOut]:
    device: str = stated["device"]
    if is_simulated({"qualify": stated}):
        model = stated.get("simulated_drive") or {}
        values = {name: value for name, value in model.items() if value is not None}
        settings = [SuiteFactOut(label=name, text=str(value)) for name, value in values.items()]
        return [SuiteFactOut(label="Device", text=_MODEL), *settings]
    inventory = _inventory(host, device)
    facts = [SuiteFactOut(label="Device", text=device)]
    for field, label in _DEVICE_FIELDS:
        value = inventory.get(field)
        facts.append(SuiteFactOut(label=label, text="not stated" if value is None else str(value).strip()))
    return facts


def _host(host: Mapping[str, Any], agent: Mapping[str, Any]) -> list[SuiteFactOut]:
    cpu, memory, system = (
        part if isinstance(part := host.get(name), dict) else {} for name in ("cpu", "memory", "os")
    )
    stated = (
        ("Host", host.get("hostname")),
        ("Processor", cpu.get("model")),
        ("Memory in bytes", memory.get("total_bytes")),
        ("Operating system", system.get("name")),
        ("Kernel", system.get("kernel")),
        ("Tool", f"tailroom-agent {agent.get('version')}"),
    )
    return [SuiteFactOut(label=label, text=str(value or "not stated")) for label, value in stated]


def _preparation(stated: Mapping[str, Any], *, is_settled: bool) -> list[SuiteFactOut]:
    """Return how the drive was purged and preconditioned, by the preparation in the plan."""
    purges = {
        "trim": "TRIM of the whole drive",
        "format": "format that erased user data",
        "sanitize": "sanitize that erased all flash",
    }
    fill: Mapping[str, Any] = stated.get("fill") or {}
    if not stated.get("is_filled"):
        filled = "not filled by this suite"
    elif fill.get("order") == "one_pass":
        spare = fill["spare_ratio"]
        filled = f"one pass of 4 KiB in random order, {1 + spare:.2f} full writes, for a spare of {spare:g}"
    else:
        filled = "two full sequential writes of 128 KiB"
    return [
        SuiteFactOut(label="Purge", text=purges.get(stated.get("purged") or "", "not purged by this suite")),
        SuiteFactOut(label="Workload-independent preconditioning", text=filled),
        SuiteFactOut(
            label="Workload-dependent preconditioning",
            text="rounds of random writes of 4 KiB, 32 under way; one steady state for all tests"
            if is_settled
            else "none by this suite",
        ),
    ]
