"""P8: rows that must be what their labels say.

A row contains the operation that its label names, and a read-modify-write its read. Latencies in ns. Source:
docs/method.md 7 and 4.5 (YCSB counts RMW = read + update); findings K01, K02, D05.
"""

from collections.abc import Iterator, Sequence

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import (
    Finding,
    FindingFigure,
    bounds_of,
    consistent,
    figure,
    keys_of,
)
from tailroom.domain.plausibility.material import RunSeries, claims_about, label_of

READ, UPDATE, INSERT, READ_MODIFY_WRITE = "READ", "UPDATE", "INSERT", "READ-MODIFY-WRITE"
_LABEL_WORDS = (
    (READ_MODIFY_WRITE, ("read-modify-write", "read modify write", "rmw")),
    (UPDATE, ("update",)),
    (INSERT, ("insert",)),
    (READ, ("read",)),
)


def operation_named(label: str) -> str | None:
    """Return the operation that a row label names, as `READ`, the most specific if several; None if none."""
    text = label.lower()
    return next((name for name, words in _LABEL_WORDS if any(word in text for word in words)), None)


def row_labels(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield a finding for each table with rows that name another operation than the table, or the finding
    that no table has such rows. Mean latencies of reads and of the labelled operation may show which it is.
    """
    titles = {table.id: table.title_as_printed or table.title for table in publication.tables}
    tables: dict[tuple[str, str], dict[str, PublishedClaim]] = {}
    for claim in publication.claims:
        if claim.operation in dict(_LABEL_WORDS) and claim.row_label and claim.config is not None:
            tables.setdefault((claim.table, claim.operation), {}).setdefault(claim.row, claim)
    are_right = True
    for (table, operation), rows in tables.items():
        named = {row: operation_named(claim.row_label or "") for row, claim in rows.items()}
        wrong = [rows[row] for row, name in named.items() if name not in {None, operation}]
        if wrong:
            are_right = False
            workload = next(iter(rows.values())).workload
            runs = [run for run in series if run.workload == workload]
            yield _mislabelled(titles[table], operation, str(named[wrong[0].row]), wrong, runs)
    if tables and are_right:
        yield consistent("P8", "Row labels name the operations of their tables.")


def _mislabelled(
    table: str, stated: str, named: str, wrong: Sequence[PublishedClaim], series: Sequence[RunSeries]
) -> Finding:
    figures: list[FindingFigure] = []
    differences = []
    above = False
    for run in series:
        read, other = run.claim("latency", "mean", READ), run.claim("latency", "mean", stated)
        if read is None or other is None:
            continue
        read_mean, labelled_mean = bounds_of(read), bounds_of(other)
        figures += [
            figure(f"{run.config}: read", read_mean, "ns"),
            figure(f"{run.config}: labelled {named}", labelled_mean, "ns"),
            figure(f"{run.config}: difference", labelled_mean.minus(read_mean), "ns"),
        ]
        differences.append(f"{((labelled_mean.value or 0) - (read_mean.value or 0)) / 1e3:,.2f} µs")
        above = above or labelled_mean.surely_above(read_mean)
    tells = (
        f" The values lie above the reads by {' and '.join(differences)}, as a read with an update does and "
        "an update alone does not."
        if above and stated == READ_MODIFY_WRITE
        else ""
    )
    statement = f"{table}: the title says {stated.lower()}, {len(wrong)} rows say {named.lower()}.{tells}"
    keys = tuple(claim.key for claim in wrong)
    return Finding("P8", "high", "mislabelled table", statement, tuple(figures), keys)


def read_modify_writes(series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings on whether read-modify-writes take at least as long as reads, by their means."""
    for run in series:
        read = run.claim("latency", "mean", READ)
        modify = run.claim("latency", "mean", READ_MODIFY_WRITE)
        if read is None or modify is None:
            continue
        siblings = (other.claim("latency", "mean", UPDATE) for other in series if other.config == run.config)
        update = next((claim for claim in siblings if claim is not None), None)
        part, whole, keys = bounds_of(read), bounds_of(modify), keys_of((read, modify))
        figures = (
            figure("read", part, "ns"),
            figure("read-modify-write", whole, "ns"),
            figure("update part", whole.minus(part), "ns"),
            *([figure("update elsewhere", bounds_of(update), "ns")] if update is not None else []),
        )
        if whole.surely_below(part):
            statement = (
                f"{run.label}: a read-modify-write contains a read, but its mean is printed below that of "
                "the reads."
            )
            yield Finding("P8", "high", "read-modify-write below read", statement, figures, keys)
        else:
            words = f"{run.label}: the read-modify-write takes longer than its read."
            yield consistent("P8", words, figures, keys)


def unnamed_statistics(publication: Publication) -> Iterator[Finding]:
    """Yield the finding on latencies of operations without a named statistic, if any."""
    unnamed = [
        claim
        for claim in claims_about(publication, "latency")
        if claim.statistic is None and claim.operation is not None
    ]
    if unnamed:
        yield Finding(
            "P8",
            "medium",
            "undefined statistic",
            f"{len(unnamed)} latencies name neither mean nor percentile nor maximum: "
            + ", ".join(map(label_of, unnamed))
            + ".",
            tuple(figure(label_of(claim), bounds_of(claim), "ns") for claim in unnamed),
            tuple(claim.key for claim in unnamed),
        )
