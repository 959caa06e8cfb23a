"""P8: whether a row contains the operation that its label names.

A read-modify-write contains its read, so it is never the faster of the two on average, and the rest without
the read must be a plausible update. A row label that names another operation than its table is wrong in one
of the two places. A latency without a named statistic may be a mean or a guarantee. Latencies in ns. Source:
docs/method.md 7 and 4.5 (YCSB counts RMW = read + update); findings K01, K02, D05.
"""

from collections.abc import Sequence

from tailroom.domain.plausibility.finding import Finding, consistent, figure
from tailroom.domain.plausibility.number_bounds import NumberBounds

UPDATE = "UPDATE"
INSERT = "INSERT"
READ_MODIFY_WRITE = "READ-MODIFY-WRITE"
_LABEL_WORDS = (
    (READ_MODIFY_WRITE, ("read-modify-write", "read modify write", "rmw")),
    (UPDATE, ("update",)),
    (INSERT, ("insert",)),
    ("READ", ("read",)),
)


def operation_named(label: str) -> str | None:
    """Return the operation that a row's label names, the most specific if several; None if it names none."""
    text = label.lower()
    return next((name for name, words in _LABEL_WORDS if any(word in text for word in words)), None)


def row_labels(
    table: str,
    stated: str,
    rows: Sequence[tuple[str, str]],
    parts: Sequence[tuple[str, NumberBounds, NumberBounds]] = (),
) -> list[Finding]:
    """Return one finding on all rows of a table whose labels name another operation than the table does;
    empty if none does. `stated`: the operation in the table's title; `rows`: `(label, key)`; `parts`: name of
    each system, and its mean latencies of the read and of the labelled operation, by which the true operation
    may be seen.
    """
    wrong = [(label, key) for label, key in rows if operation_named(label) not in {None, stated}]
    if not wrong:
        return []
    named = operation_named(wrong[0][0])
    figures = []
    above = False
    for system, read, other in parts:
        left = other.minus(read)
        figures += [
            figure(f"{system}: read", read, "ns"),
            figure(f"{system}: labelled {named}", other, "ns"),
            figure(f"{system}: difference", left, "ns"),
        ]
        above = above or other.surely_above(read)
    differences = " and ".join(
        f"{((other.value or 0) - (read.value or 0)) / 1e3:,.2f} µs" for _, read, other in parts
    )
    tells = (
        f" The values lie above the reads by {differences}, as a read with an update does and an update "
        "alone does not."
        if above and stated == READ_MODIFY_WRITE
        else ""
    )
    return [
        Finding(
            "P8",
            "high",
            "mislabelled table",
            f"{table}: the title says {stated.lower()}, {len(wrong)} rows say {str(named).lower()}.{tells}",
            tuple(figures),
            tuple(key for _, key in wrong),
        )
    ]


def contains_read(
    label: str, read: NumberBounds, modify: NumberBounds, usual: NumberBounds | None, keys: Sequence[str]
) -> Finding:
    """Return the finding on whether the mean of read-modify-writes is at least that of reads on the same
    system, in ns. `usual`: mean of updates in another workload of the system, None if unknown; it is only
    shown.
    """
    left = modify.minus(read)
    figures = [
        figure("read", read, "ns"),
        figure("read-modify-write", modify, "ns"),
        figure("update part", left, "ns"),
    ]
    if usual is not None:
        figures.append(figure("update elsewhere", usual, "ns"))
    if modify.surely_below(read):
        return Finding(
            "P8",
            "high",
            "read-modify-write below read",
            f"{label}: a read-modify-write contains a read, but its mean is printed below that of the reads.",
            tuple(figures),
            tuple(keys),
        )
    return consistent("P8", f"{label}: the read-modify-write takes longer than its read.", figures, keys)


def no_statistic(claims: Sequence[tuple[str, str, NumberBounds]]) -> list[Finding]:
    """Return a finding on latencies that name no statistic, each given as `(where, key, number)`; empty for
    none.
    """
    if not claims:
        return []
    return [
        Finding(
            "P8",
            "medium",
            "undefined statistic",
            f"{len(claims)} latencies name neither mean nor percentile nor maximum: "
            + ", ".join(where for where, _, _ in claims)
            + ".",
            tuple(figure(where, number, "ns") for where, _, number in claims),
            tuple(key for _, key, _ in claims),
        )
    ]
