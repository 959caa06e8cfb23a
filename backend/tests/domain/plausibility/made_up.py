"""A made-up publication in which everything agrees, and ways to plant one error into it."""

from collections.abc import Callable
from dataclasses import replace

from tailroom.domain.claims.claim import (
    ClaimTable,
    Load,
    PrintedNumber,
    Publication,
    PublishedClaim,
    Relation,
    printed_number,
)

Value = str | float | bool | None
SLUG = "made-up"


def claim(
    key: str,
    quantity: str,
    printed: str,
    unit: str,
    *,
    table: str = "t",
    subject: str = "system",
    label: str | None = None,
    item: str | None = None,
    statistic: str | None = None,
    threshold_ns: int | None = None,
    operation: str | None = None,
    workload: str | None = None,
    metric_class: str | None = None,
    config: str | None = None,
    load: Load | None = None,
    conditions: dict[str, Value] | None = None,
    comparison: Relation = Relation.EQUAL,
    date: str | None = None,
) -> PublishedClaim:
    """One printed number; its row is what stands before the slash of its key."""
    return PublishedClaim(
        key=key,
        row=key.partition("/")[0],
        table=table,
        table_title=None,
        row_label=label,
        position=0,
        subject=subject,
        item=item,
        quantity=quantity,
        statistic=statistic,
        threshold_ns=threshold_ns,
        operation=operation,
        workload=workload,
        metric_class=metric_class,
        config=config,
        load=load,
        conditions=conditions or {},
        printed=printed_number(printed, unit, comparison=comparison),
        test_date_as_printed=date,
    )


def publication(claims: list[PublishedClaim], **measurement: Value) -> Publication:
    """A publication of claims, in tables by their `table`."""
    tables: dict[str, list[str]] = {}
    for one in claims:
        rows = tables.setdefault(one.table, [])
        if one.row not in rows:
            rows.append(one.row)
    return Publication(
        SLUG,
        "Made up",
        "nobody",
        "vendor",
        None,
        None,
        "a test",
        measurement,
        (),
        tuple(ClaimTable(name, name, name, None, tuple(rows)) for name, rows in tables.items()),
        tuple(claims),
    )


MILLISECONDS = (1, 8, 64)
SHARES = {
    (1, "total"): ("2.00", "0.50", "0.00"),
    (1, "device"): ("1.50", "0.30", "0.00"),
    (3, "total"): ("4.00", "0.60", "0.05"),
    (3, "device"): ("3.00", "0.40", "0.02"),
}


def drive_tests() -> list[PublishedClaim]:
    """Two loads of one drive by both clocks, a day apart, within criteria that the document sets."""
    found = [
        claim(
            f"load{load}/{at}ms/{clock}",
            "exceedance",
            share,
            "%",
            table="drives",
            subject="Drive",
            item="maker-drive",
            threshold_ns=at * 1_000_000,
            operation="READ",
            metric_class=clock,
            load=Load(multiple=float(load), operations_per_s=load * 3000.0, as_printed=f"{load}x"),
            conditions={"tool": "act", "over_provisioned": True, "capacity_as_printed": "100G"},
            date=f"11/{load}/2020",
        )
        for (load, clock), shares in SHARES.items()
        for at, share in zip(MILLISECONDS, shares, strict=True)
    ]
    limits = zip(MILLISECONDS, ("5", "1", "0.1"), strict=True)
    return found + [
        claim(
            f"limits/{at}ms",
            "criterion",
            limit,
            "%",
            table="criteria",
            subject="ACT",
            threshold_ns=at * 1_000_000,
            comparison=Relation.LESS,
        )
        for at, limit in limits
    ]


def runs() -> list[PublishedClaim]:
    """One workload on two systems with equal concurrency, a published tail, and gains that are rounded."""
    found: list[PublishedClaim] = [
        claim("run/operations", "operation_count", "1,000,000", "count", table="workload"),
        claim("run/runs", "run_count", "3", "count", table="workload"),
    ]

    def row(name: str, quantity: str, unit: str, values: tuple[str, str], **more: object) -> None:
        for config, value in zip(("new", "old"), values, strict=True):
            found.append(
                claim(
                    f"{name}/{config}",
                    quantity,
                    value,
                    unit,
                    table="results",
                    label=f"{name} Read latency" if quantity == "latency" else name,
                    item="maker-drive",
                    workload="C",
                    config=config,
                    conditions={
                        "workload_as_printed": "100% Read",
                        "averaged_runs": 3,
                        "tool": "bench",
                        "tool_version": "1.0",
                    },
                    **more,  # type: ignore[arg-type]
                )
            )

    row("throughput", "throughput", "ops/s", ("100,000", "50,000"), operation="ALL", statistic="mean")
    row("runtime", "runtime", "s", ("10.0", "20.0"), operation="ALL", statistic="mean")
    row("mean", "latency", "us", ("100.12", "200.31"), operation="READ", statistic="mean")
    row("p99", "latency", "us", ("250.37", "500.12"), operation="READ", statistic="p99")
    row("tail", "latency", "us", ("900.41", "1800.67"), operation="READ", statistic="p99.9999")
    found.append(
        claim(
            "throughput/gain",
            "gain",
            "100",
            "%",
            table="results",
            conditions={"gain_kind": "increase"},
        )
    )
    return found


def consistent() -> list[PublishedClaim]:
    """All of it."""
    return drive_tests() + runs()


def planted(key: str, printed: str, unit: str, **change: object) -> Publication:
    """The consistent publication with another number at one key."""
    claims = consistent()
    assert any(one.key == key for one in claims), key
    number: PrintedNumber = printed_number(printed, unit)
    return publication([replace(one, printed=number, **change) if one.key == key else one for one in claims])  # type: ignore[arg-type]


def changed(change: Callable[[PublishedClaim], PublishedClaim]) -> Publication:
    """The consistent publication with every claim changed by a function."""
    return publication([change(one) for one in consistent()])
