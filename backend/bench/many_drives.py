"""Fill a database with generated drives, for measurements and browser tests with many rows.

    python backend/bench/many_drives.py --url postgresql+psycopg://… [--drives 1000] [--loads 3]

The drives are the same each time. Every drive has one capacity and tests at every load, from one of three
sources: its vendor, a third party, or an upload with counts at many thresholds. All rows are marked as
generated. `fill` stores and judges them in the caller's transaction; the tests exist until the product starts
again, which removes tests that are not of its own publications.
"""

import argparse
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid5

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from sqlalchemy import insert
from sqlalchemy.orm import Session

from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.ratings import repository
from tailroom.ratings.sources.refresh import judge_published
from tailroom.ratings.sources.tested_load import column_values, record_document, share_document
from tailroom.storage.base import upsert
from tailroom.storage.catalogue import CatalogueFact, CatalogueItem
from tailroom.storage.drive_test import PUBLIC_SCOPE, DriveTest, count_change
from tailroom.storage.registry import METADATA

LOADS = (6.0, 24.0, 60.0)
VENDORS = (
    "Amber",
    "Basalt",
    "Cobalt",
    "Dolomite",
    "Emerald",
    "Flint",
    "Garnet",
    "Hematite",
    "Iolite",
    "Jasper",
)
INTERFACES = ("PCIe 4.0 x4", "PCIe 5.0 x4", "SATA", "SAS")
FORM_FACTORS = ("U.2 2.5-inch", "E3.S", "M.2", "PCIe card")
TB = 10**12
EVIDENCE = ("vendor", "third_party", "uploaded")
_NAMESPACE = UUID("5f0a4c4e-0c5c-5b8e-9d0e-7a11a0000999")
_SEED = 20_261_121
_DECIMALS = 4
_LIMITS_NS = NS_PER_MS * np.array([1.0, 8.0, 64.0])
_GRID_NS = (NS_PER_MS * 2.0 ** np.arange(-6, 13)).astype(np.float64)


def fill(session: Session, drives: int = 1_000, loads: int = len(LOADS)) -> int:
    """Store the drives, their facts and their tests; return the number of tests. Repeating is harmless."""
    chosen = LOADS[:loads]
    items, facts = [], []
    tests: list[DriveTest] = []
    rng = np.random.default_rng(_SEED)
    for number in range(drives):
        item, own_facts = _drive(number, rng)
        items.append(item)
        facts += own_facts
        tests += _tests(number, item["slug"], own_facts, chosen, rng)
    slugs = {row.slug for row in repository.drives(session, None)}
    fresh = [item for item in items if item["slug"] not in slugs]
    if fresh:
        session.execute(insert(CatalogueItem), fresh)
        item_ids = {item["item_id"] for item in fresh}
        session.execute(insert(CatalogueFact), [fact for fact in facts if fact["item_id"] in item_ids])
    upsert(session, DriveTest, [column_values(test) for test in tests])
    judge_published(session, tests)
    count_change(session, PUBLIC_SCOPE)
    return len(tests)


def _drive(number: int, rng: np.random.Generator) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the row of a drive, and its facts."""
    vendor = VENDORS[number % len(VENDORS)]
    slug = f"made-up-{vendor.lower()}-{number:04d}"
    item_id = uuid5(_NAMESPACE, slug)
    item = {
        "item_id": item_id,
        "slug": slug,
        "kind": "drive",
        "vendor": f"{vendor} (made up)",
        "name": f"Series {number // 100} {number:04d}",
        "organisation_id": None,
        "created_at": utc_now(),
    }
    capacity = int(rng.choice([1, 2, 4, 8, 16])) * TB
    numbers: tuple[tuple[str, float, str, dict[str, str]], ...] = (
        ("capacity", float(capacity), "bytes", {}),
        ("endurance", float(rng.choice([0.5, 1, 3, 10])), "DWPD", {}),
        ("power", float(rng.integers(5, 26)), "W", {}),
        ("price", float(rng.integers(80, 4_000)), "USD", {"currency": "USD", "date": "2026-01-15"}),
    )
    texts = (
        ("interface", INTERFACES[int(rng.integers(len(INTERFACES)))]),
        ("form_factor", FORM_FACTORS[int(rng.integers(len(FORM_FACTORS)))]),
    )
    facts = [
        _fact(item_id, place, name, number=(value, unit), conditions=conditions)
        for place, (name, value, unit, conditions) in enumerate(numbers)
    ]
    facts += [
        _fact(item_id, len(numbers) + place, name, text=text) for place, (name, text) in enumerate(texts)
    ]
    return item, facts


def _fact(
    item_id: UUID,
    position: int,
    name: str,
    *,
    number: tuple[float, str] | None = None,
    text: str | None = None,
    conditions: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Return the row of a fact that applies to all capacities."""
    value, unit = number if number is not None else (None, None)
    return {
        "item_id": item_id,
        "position": position,
        "capacity_bytes": None,
        "field": name,
        "value_number": value,
        "value_text": text,
        "unit": unit,
        "unit_as_printed": unit,
        "as_printed": text or f"{value:g}",
        "comparison": "=",
        "lower": value,
        "upper": value,
        "conditions": conditions or {},
        "source_slug": None,
        "source_text": "made up for measurements",
    }


def _tests(
    number: int, slug: str, facts: list[dict[str, Any]], loads: tuple[float, ...], rng: np.random.Generator
) -> Iterator[DriveTest]:
    """Yield a test for each load: log-normal latencies whose spread grows with the load."""
    knee = float(rng.choice([4.0, 9.0, 20.0, 40.0, 75.0, 150.0])) * float(rng.uniform(0.8, 1.2))
    median_ns = float(rng.uniform(80_000, 300_000))
    capacity = round(facts[0]["value_number"])
    metric = ("total", "device")[number % 2]
    op_class = ("none", "over_provisioned")[number // 2 % 2]
    evidence = EVIDENCE[number % len(EVIDENCE)]
    for load in loads:
        spread = 0.5 + 0.9 * min(load / knee, 2.0) * float(rng.uniform(0.97, 1.03))
        total = round(2_000 * load * 24 * 3_600) if evidence == "uploaded" else None
        shares = _printed(median_ns, spread) if total is None else _counted(median_ns, spread, total)
        knots = tuple(
            (share["threshold_ns"], 1.0 - share["upper_ratio"], 1.0 - share["lower_ratio"])
            for share in shares
        )
        yield DriveTest(
            test_id=f"made-up:{slug}:{load:g}",
            source_title="Made-up tests for measurements",
            visibility="public",
            drive_slug=slug,
            op_class=op_class,
            metric_class=metric,
            generation="6+" if number % 5 else "2-5",
            load_multiple=load,
            evidence=evidence,
            clock="response" if metric == "total" else "service",
            exceedances=shares,
            record=record_document(KnotsRecord(knots, total)),
            publication_slug="made-up",
            publication_row=f"{slug}-{load:g}",
            capacity_bytes=capacity,
            usable_ratio=0.79 if op_class == "over_provisioned" else 1.0,
            load_as_printed=f"{load:g}x",
            duration_ns=24 * NS_PER_HOUR,
            record_bytes=1536,
            write_ratio=1 / 3,
            tool="act",
            operation="read",
            total_count=total,
            design_factor=1.0,
            missing_disclosure=0,
            claim_keys=[],
            marks=[],
            mark_notes=[],
        )


def _over(median_ns: float, spread: float, thresholds_ns: npt.NDArray[np.float64]) -> list[float]:
    """Return the shares of a log-normal latency at or over each threshold."""
    shares: list[float] = ndtr(-np.log(thresholds_ns / median_ns) / spread).tolist()
    return shares


def _printed(median_ns: float, spread: float) -> list[dict[str, Any]]:
    """Return the shares at ACT's limits, with the bounds that percent with two decimals imply."""
    half, shares = 0.5 * 10.0**-_DECIMALS, []
    for at, share in zip(_LIMITS_NS.tolist(), _over(median_ns, spread, _LIMITS_NS), strict=True):
        shown = round(share, _DECIMALS)
        printed = f"{shown * 100:.2f}"
        ends = max(0.0, shown - half), min(1.0, shown + half)
        shares.append(share_document(round(at), *ends, as_printed=printed))
    return shares


def _counted(median_ns: float, spread: float, total: int) -> list[dict[str, Any]]:
    """Return the exact shares at powers of two of a millisecond, from 1/64 ms up."""
    counts = [round(share * total) for share in _over(median_ns, spread, _GRID_NS)]
    return [
        share_document(round(at), count / total, count / total, over_count=count, total_count=total)
        for at, count in zip(_GRID_NS.tolist(), counts, strict=True)
    ]


def main() -> None:
    """Fill the database at `--url`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="SQLAlchemy URL of a migrated database")
    parser.add_argument("--drives", type=int, default=1_000)
    parser.add_argument("--loads", type=int, default=len(LOADS))
    arguments = parser.parse_args()
    if not METADATA.tables:  # foreign keys refer to tables that must be registered
        parser.error("no tables are known")
    database = Database(arguments.url, pool_size=1)
    with database.transaction() as session:
        print(f"{fill(session, arguments.drives, arguments.loads):,} tests")
    database.dispose()


if __name__ == "__main__":
    main()
