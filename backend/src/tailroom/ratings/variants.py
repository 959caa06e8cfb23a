"""Comparison of a run's drive with the tested drives of its model.

A model is sold with several firmwares and capacities, and with other controllers and flash under the same of
both. A test of one variant proves nothing of another.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field
from sqlalchemy import Row
from sqlalchemy.orm import Session

from tailroom.catalogue.drives import resolve
from tailroom.domain.rating.variant import (
    StatedDrive,
    Variant,
    differences,
    differing,
    trait_text,
    variants_of,
)
from tailroom.ratings import repository
from tailroom.ratings.drives import capacity_text
from tailroom.ratings.schemas import DriveNameOut
from tailroom.ratings.sources.run_conditions import RunConditions
from tailroom.runs.service import get_run
from tailroom.storage.drive_test import DriveTest


class RatedVariantOut(BaseModel):
    """Number of tests of a firmware and capacity; null: not stated."""

    firmware: str | None
    capacity_bytes: int | None
    tests: int


class DriveVariantOut(BaseModel):
    """Firmware and capacity of the drive of a run, beside those of the tests of its model."""

    drive: DriveNameOut | None = Field(description="null: not in the catalogue, or the run measured no drive")
    firmware: str | None
    capacity_bytes: int | None
    rated: list[RatedVariantOut] = Field(description="of other runs and publications that you may see")
    warnings: list[str] = Field(description="how this drive differs from every tested one")


def drive_variant_of_run(session: Session, organisation_id: UUID, run_id: UUID) -> DriveVariantOut:
    """Return the drive of a run, the tested firmwares and capacities of its model, and warnings if it differs
    from all.

    The drive is None if it is unknown or not visible. Raise RunUnknown, RunRetracted or RunDeleted if the
    organisation may not read the run.
    """
    run = get_run(session, organisation_id, run_id)
    suite = run.plan.get("qualify")
    own = (
        RunConditions(run, {"path": suite.get("device")})
        if isinstance(suite, dict)
        else RunConditions.of(run)
    )
    slug = resolve(session, own.model or "", run.organisation_id)
    # A private drive of the owner of a published run is not disclosed to other organisations.
    visible = {row.slug: row for row in repository.drives(session, organisation_id)}
    if slug is None or slug not in visible:
        return DriveVariantOut(drive=None, firmware=None, capacity_bytes=None, rated=[], warnings=[])
    drive = visible[slug]
    tests = repository.tests(session, repository.rateable(organisation_id), DriveTest.drive_slug == slug)
    # Both clocks of a run are one test of the drive.
    others = {
        (test.run_id or test.test_id, test.firmware, test.capacity_bytes)
        for test in tests
        if test.run_id != run_id
    }
    counted = Counter((firmware, capacity) for _, firmware, capacity in others)
    rated = [
        RatedVariantOut(firmware=firmware, capacity_bytes=capacity, tests=count)
        for (firmware, capacity), count in sorted(counted.items(), key=lambda item: (-item[1], str(item[0])))
    ]
    capacity_bytes = own.capacity_bytes(repository.capacities(session, slug))
    return DriveVariantOut(
        drive=DriveNameOut(slug=drive.slug, vendor=drive.vendor, name=drive.name),
        firmware=own.firmware,
        capacity_bytes=capacity_bytes,
        rated=rated,
        warnings=_warnings(own.firmware, capacity_bytes, rated)
        + _warnings_of_traits(own, capacity_bytes, [test for test in tests if test.run_id != run_id]),
    )


def _warnings_of_traits(
    own: RunConditions, capacity_bytes: int | None, tests: Sequence[Row[Any]]
) -> list[str]:
    """Return a warning if the drive's hardware traits differ from those of every tested drive of its firmware
    and capacity. Empty if a tested drive has equal traits, the drive itself was tested, no such drive was
    tested, or the serial number is unknown.
    """
    if own.serials_sha256 is None:
        return []
    same = variant_groups(tests).get((own.firmware, capacity_bytes), ())
    each = [differences(own.traits or {}, variant.traits) for variant in same]
    if not each or not all(each) or any(own.serials_sha256 in variant.serials for variant in same):
        return []
    names = ", ".join(dict.fromkeys(name.lower() for of_variant in each for name in of_variant))
    sentence = f"This drive has firmware and capacity of tested ones, and differs from each ({names})."
    return [f"{sentence} It may hold other flash, so their latencies are not proven for it."]


def variant_groups(tests: Iterable[Row[Any]]) -> dict[tuple[str | None, int | None], Sequence[Variant]]:
    """Return the variants by firmware and capacity, of runs of a single drive with known traits."""
    drives: dict[tuple[str | None, int | None], dict[UUID, StatedDrive]] = {}
    for test in tests:
        if test.run_id is None or not test.traits or not test.serials_sha256 or " " in test.serials_sha256:
            continue
        # Both clocks of a run are one test of the drive.
        stated = StatedDrive(test.serials_sha256, test.traits)
        drives.setdefault((test.firmware, test.capacity_bytes), {})[test.run_id] = stated
    ordered = sorted(drives.items(), key=lambda item: str(item[0]))
    return {group: variants_of(of_group.values()) for group, of_group in ordered}


def variants_out(tests: Iterable[Row[Any]]) -> list[dict[str, Any]]:
    """Return the variants of each firmware and capacity for the API; left out if no two drives differ."""
    shown = []
    for (firmware, capacity_bytes), variants in variant_groups(tests).items():
        names = differing(variants)
        if not names:
            continue
        for number, variant in enumerate(variants, 1):
            traits = [
                {"label": name, "text": trait_text(variant.traits[name])}
                for name in names
                if name in variant.traits
            ]
            shown.append(
                {
                    "number": number,
                    "firmware": firmware,
                    "capacity_bytes": capacity_bytes,
                    "drives": len(variant.serials),
                    "tests": variant.tests,
                    "traits": traits,
                }
            )
    return shown


def _warnings(firmware: str | None, capacity_bytes: int | None, rated: list[RatedVariantOut]) -> list[str]:
    firmwares = sorted({variant.firmware for variant in rated if variant.firmware})
    capacities = sorted({variant.capacity_bytes for variant in rated if variant.capacity_bytes})
    warnings = []
    if firmware and firmwares and firmware not in firmwares:
        warnings.append(
            f"This drive has firmware {firmware}; tests of its model that state one were made with"
            f" {', '.join(firmwares)}. Firmware can change latencies, so they are not proven for this drive."
        )
    if capacity_bytes and capacities and capacity_bytes not in capacities:
        texts = ", ".join(capacity_text(capacity) for capacity in capacities)
        warnings.append(
            f"This drive has {capacity_text(capacity_bytes)}; tests of its model are about {texts}."
        )
    return warnings
