"""Load and drive of a run, as its plan, its inventory or a person states them.

The drive is known by the disclosed model, or by the inventory of the device that the agent measured itself. A
file on a drive is not the drive.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.catalogue.disclosure import ACT_STORAGE, DRIVE_MODEL
from tailroom.domain.rating.conditions import OpClass
from tailroom.domain.rating.variant import Traits, traits_of
from tailroom.storage.run import AGENT, Run

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
"""Settings in an agent's plan of ACT's standard load; a missing setting is standard."""
_REAL_ENGINES = (None, "auto", "io_uring", "sync")
"""Engines that do input and output on a device; None: not stated."""
_CAPACITY_TOLERANCE_RATIO = 0.03
"""Largest difference between a device's size and the capacity of its model, as a share of the capacity."""


@dataclass(frozen=True, slots=True)
class RunConditions:
    """Conditions of an ACT run, None if not stated; `plan` has its stated settings, named as in a plan."""

    run: Run
    plan: Mapping[str, Any]

    @classmethod
    def of(cls, run: Run) -> "RunConditions":
        """Return the conditions of an ACT run."""
        parts = (run.plan.get("act_storage"), run.plan.get("parameters"))
        return cls(run, next((part for part in parts if isinstance(part, dict)), {}))

    @property
    def is_standard_load(self) -> bool:
        """Whether the load differs from ACT's storage load only in its multiple and record size. Of an
        agent's run, settings that are not stated are standard, but its engine must do real input and output.
        Another run is standard unless its plan denies it. Other workloads never are.
        """
        if self.run.workload != ACT_STORAGE:
            return False
        if self.run.source != AGENT:
            return self.plan.get("standard_load") is not False
        return self.plan.get("engine") in _REAL_ENGINES and all(
            self.plan.get(name, standard) == standard for name, standard in _STANDARD.items()
        )

    @property
    def load_multiple(self) -> float | None:
        """Load of each device in multiples of 1x; None if not stated, or no multiple of ACT's. An agent's
        plan that states no load has its default, 1.
        """
        reads, writes = self.plan.get("read_requests_per_s"), self.plan.get("write_requests_per_s")
        if self.run.source == AGENT and (reads is not None or writes is not None):
            if not isinstance(reads, int) or not isinstance(writes, int):
                return None
            if reads != 2 * writes or writes <= 0:
                return None
            return writes / 1_000.0 / (1 + len(self.plan.get("further_paths") or ()))
        multiple = self._stated("load_multiple")
        if multiple is None and self.run.source == AGENT and self.plan:
            return 1.0  # the agent's default
        number = _number(multiple)
        return number if number is not None and 0.0 < number < 1e6 else None

    @property
    def record_bytes(self) -> int | None:
        """Size of a record in bytes; None if it is not stated."""
        return _whole_number(self._stated("record_bytes"))

    @property
    def is_preconditioned(self) -> bool | None:
        """Whether the drive was prepared; no for an empty text, `no`, `none`, `false`; None if unstated."""
        value = self._stated("preconditioning")
        return None if value is None else str(value).strip().lower() not in {"", "no", "none", "false"}

    @property
    def over_provisioning(self) -> tuple[OpClass, float | None, str | None]:
        """Class, usable ratio of the raw capacity, and the statement as text; None for what is unknown. The
        statement is a share set aside, a percentage, a word, or true or false.
        """
        value = self._stated("over_provisioning")
        if value is None:
            return OpClass.UNSTATED, None, None
        text = str(value).strip()
        if isinstance(value, bool):
            return (OpClass.OVER_PROVISIONED if value else OpClass.NONE), None if value else 1.0, text
        if text.lower() in {"none", "no", "not over-provisioned"}:
            return OpClass.NONE, 1.0, text
        number = _number(text.removesuffix("%"))
        if number is None or number < 0.0 or number >= 100.0:
            return OpClass.UNSTATED, None, text
        share = number / 100.0 if text.endswith("%") or number >= 1.0 else number
        return (OpClass.OVER_PROVISIONED if share > 0.0 else OpClass.NONE), 1.0 - share, text

    @property
    def model(self) -> str | None:
        """Model of the drive as a person disclosed it, else from the inventory; None if unknown."""
        answer = self.run.disclosed.get(DRIVE_MODEL)
        if answer is not None:
            return str(answer["value"])
        model = None if self._device is None else self._device.get("model")
        return model.strip() if isinstance(model, str) and model.strip() else None

    def capacity_bytes(self, capacities: Sequence[int]) -> int | None:
        """Return the nearest of `capacities` within 3 % of the device's size, else the size, or None."""
        device = self._device
        answer = self.run.disclosed.get("host.block_devices.*.size_bytes")
        size = _whole_number(device.get("size_bytes") if device else answer and answer.get("value"))
        if size is None:
            return None
        near = [each for each in capacities if abs(each - size) <= _CAPACITY_TOLERANCE_RATIO * each]
        return min(near, key=lambda capacity: abs(capacity - size), default=size)

    @property
    def firmware(self) -> str | None:
        """Firmware of all measured devices; None if they differ or it is not stated."""
        stated = {device.get("firmware") for device in self._devices}
        firmware = stated.pop() if len(stated) == 1 else None
        return firmware.strip() or None if isinstance(firmware, str) else None

    @property
    def serials_sha256(self) -> str | None:
        """Hashes of the serial numbers of all devices, sorted, joined by spaces; None if any has none."""
        stated = [device.get("serial_sha256") for device in self._devices]
        hashes = [serial for serial in stated if isinstance(serial, str) and serial and " " not in serial]
        return " ".join(sorted(hashes)) if hashes and len(hashes) == len(stated) else None

    @property
    def traits(self) -> Traits | None:
        """Traits of the measured device; None without any, and unless exactly one device is known."""
        devices = self._devices
        if len(devices) != 1:
            return None
        # Plans are written freely: each part may have any type.
        suite = self.run.plan.get("qualify")
        preparation = suite.get("preparation") if isinstance(suite, dict) else None
        cache_end = preparation.get("cache_end") if isinstance(preparation, dict) else None
        cache_end = cache_end if isinstance(cache_end, dict) else None
        return traits_of(devices[0], self.run.drive_counters, cache_end) or None

    def _stated(self, name: str) -> Any:
        stated = self.plan.get(name, self.plan.get(name.replace("_", "-")))
        if stated is not None:
            return stated
        answer = self.run.disclosed.get(f"plan.act_storage.{name}")
        return None if answer is None else answer.get("value")

    @property
    def _device(self) -> Mapping[str, Any] | None:
        """Inventory of the first measured device; None without any, or if they are of several models."""
        devices = self._devices
        return devices[0] if len({str(device.get("model")) for device in devices}) == 1 else None

    @property
    def _devices(self) -> list[Mapping[str, Any]]:
        """Inventory of every measured device; empty if any of them is a file or not listed."""
        paths = [self.plan.get("path"), *(self.plan.get("further_paths") or ())]
        names = [
            path.removeprefix("/dev/") for path in paths if isinstance(path, str) and path.startswith("/dev/")
        ]
        listed = self.run.host.get("block_devices")
        if not names or len(names) != len(paths) or not isinstance(listed, list):
            return []
        devices: list[Mapping[str, Any]] = [
            each for each in listed if isinstance(each, dict) and isinstance(each.get("name"), str)
        ]
        measured = [
            device for name in names for device in devices if _is_device_or_partition(name, device["name"])
        ]
        return measured if len(measured) == len(names) else []


def _is_device_or_partition(name: str, device: str) -> bool:
    """Return whether the block device `name` is `device` itself or a partition of it.

    The kernel puts a `p` before the number of a partition if the name of the device ends in a digit.
    """
    separator = "p" if device[-1:].isdigit() else ""
    return re.fullmatch(rf"{re.escape(device)}({separator}\d+)?", name) is not None


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    try:
        return float(str(value).strip().removesuffix("x").removesuffix("X"))
    except ValueError:
        return None


def _whole_number(value: Any) -> int | None:
    number = _number(value) if value is not None else None
    return None if number is None or not 0 < number < 2**62 else round(number)
