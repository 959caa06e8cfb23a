"""Variants of a drive: whether drives of one model, capacity and firmware may differ in their hardware.

Makers change controller and flash under one name. Traits are facts that a drive states of itself; two drives
that differ in a trait which both state are two variants. A trait that only one of them states proves nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

Trait = str | Sequence[float]
"""A stated text, or a measured lower and upper bound in bytes."""
Traits = Mapping[str, Trait]
"""Traits by their name for the reader, such as `Controller`."""

_USUAL_BYTES = 4_096
"""Largest unit that depends on the drive's format, which its owner may change: such units are no traits."""
_CACHE = "End of the cache"
_OTHER_RATIO = 1.5
"""Ratio of the bounds of two caches beyond which they differ: a fuller drive has a shorter cache."""
_PAGES = {"extended": "C0h", "latency_monitor": "C3h"}
"""Log pages that not every drive has, by the names of their counters."""
_ID_TRAITS = (
    ("Controller", "pci_vendor", "pci_device"),
    ("Maker", "pci_subsystem_vendor", "pci_subsystem_device"),
)
_UNIT_TRAITS = (
    ("Unit that is erased", "discard_granularity_bytes"),
    ("Unit that is written best", "optimal_io_bytes"),
)


@dataclass(frozen=True, slots=True)
class StatedDrive:
    """A tested drive: SHA-256 of its serial number, the traits that it states, its number of tests."""

    serial_sha256: str
    traits: Traits
    tests: int = 1


@dataclass(frozen=True, slots=True)
class Variant:
    """Drives that may have equal hardware, the traits that any of them states, and their number of tests."""

    serials: tuple[str, ...]
    traits: Traits
    tests: int


def traits_of(
    device: Mapping[str, Any], counters: Mapping[str, Any] | None, cache_end: Mapping[str, Any] | None = None
) -> dict[str, Trait]:
    """Return the traits that a drive states, by name; missing or malformed facts are left out. `device` is
    its entry in the host's inventory, `counters` are the drive counters of a run, and `cache_end` has
    `lower_bytes` and `upper_bytes`, between which the rate of writes fell for good.
    """
    nvme = device.get("nvme")
    nvme = nvme if isinstance(nvme, Mapping) else {}
    traits: dict[str, Trait] = {}
    for label, *names in _ID_TRAITS:
        ids = [nvme.get(name) for name in names]
        if all(isinstance(each, str) and each for each in ids):
            traits[label] = ":".join(str(each).removeprefix("0x") for each in ids)
    for label, name in _UNIT_TRAITS:
        unit_bytes = device.get(name)
        if isinstance(unit_bytes, int) and unit_bytes > _USUAL_BYTES:
            traits[label] = f"{unit_bytes:,} bytes"
    speed, width = nvme.get("max_link_speed"), nvme.get("max_link_width")
    if isinstance(speed, str) and isinstance(width, int):
        traits["Link"] = f"{speed} ×{width}"
    ends = [(cache_end or {}).get(f"{end}_bytes") for end in ("lower", "upper")]
    if all(isinstance(each, int) and each > 0 for each in ends):
        traits[_CACHE] = [float(each) for each in ends if each is not None]
    return traits | _log_pages(str(device.get("name")), counters)


def _log_pages(disk: str, counters: Mapping[str, Any] | None) -> dict[str, Trait]:
    """Return whether a drive offers each log page, by name; empty if its SMART log was not read."""
    drives = (counters or {}).get("drives") or ()
    drive: Mapping[str, Any] = next((each for each in drives if each.get("disk") == disk), {})
    names = {name.partition(".")[0] for reading in drive.get("readings") or () for name in reading["values"]}
    if "smart" not in names:
        return {}
    absent = drive.get("absent") or {}
    stated = {page: source in names for source, page in _PAGES.items() if source in names or source in absent}
    return {
        f"Log page {page}": "offered" if is_offered else "not offered" for page, is_offered in stated.items()
    }


def differences(first: Traits, second: Traits) -> list[str]:
    """Return the names of the traits that both drives state differently, in the order of `first`."""
    return [name for name, trait in first.items() if name in second and _traits_differ(trait, second[name])]


def _traits_differ(first: Trait, second: Trait) -> bool:
    """Return whether two traits are unequal; measurements only if a factor over 1.5 lies between them."""
    if isinstance(first, str) or isinstance(second, str):
        return first != second
    return first[0] > _OTHER_RATIO * second[1] or second[0] > _OTHER_RATIO * first[1]


def trait_text(trait: Trait) -> str:
    """Return a trait as text; measured bounds in GB, such as `after 120 to 140 GB`."""
    return trait if isinstance(trait, str) else f"after {trait[0] / 1e9:.3g} to {trait[1] / 1e9:.3g} GB"


def variants_of(drives: Iterable[StatedDrive]) -> list[Variant]:
    """Return the variants among drives of one model, capacity and firmware, the most tested first. A drive
    joins the first variant that it does not differ from, beginning with the drives that state most traits.
    """
    variants: list[Variant] = []
    for drive in sorted(
        _merge_by_serial(drives), key=lambda drive: (-len(drive.traits), drive.serial_sha256)
    ):
        for number, variant in enumerate(variants):
            if not differences(drive.traits, variant.traits):
                traits, tests = {**variant.traits, **drive.traits}, variant.tests + drive.tests
                variants[number] = Variant((*variant.serials, drive.serial_sha256), traits, tests)
                break
        else:
            variants.append(Variant((drive.serial_sha256,), drive.traits, drive.tests))
    return sorted(variants, key=lambda variant: (-variant.tests, variant.serials))


def differing(variants: Sequence[Variant]) -> list[str]:
    """Return the names of the traits in which any two of the variants differ, each once."""
    pairs = combinations((variant.traits for variant in variants), 2)
    return list(dict.fromkeys(name for pair in pairs for name in differences(*pair)))


def _merge_by_serial(drives: Iterable[StatedDrive]) -> list[StatedDrive]:
    """Return each drive once, its tests added up, without the traits in which its own tests differ."""
    merged: dict[str, StatedDrive] = {}
    unsteady: dict[str, set[str]] = {}
    for drive in drives:
        before = merged.get(drive.serial_sha256)
        if before is None:
            merged[drive.serial_sha256] = drive
            continue
        unsteady.setdefault(drive.serial_sha256, set()).update(differences(before.traits, drive.traits))
        traits = {**before.traits, **drive.traits}
        merged[drive.serial_sha256] = replace(drive, traits=traits, tests=before.tests + drive.tests)
    for serial, names in unsteady.items():
        steady = {name: text for name, text in merged[serial].traits.items() if name not in names}
        merged[serial] = replace(merged[serial], traits=steady)
    return list(merged.values())
