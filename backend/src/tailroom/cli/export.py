"""`tailroom export FILE --to bencher`: the figures of a run in formats that other tools read.

`bencher` is Bencher Metric Format, `github` the JSON of github-action-benchmark (smaller is better, so
without rates), `prometheus` text for a textfile collector. `openslo` prints a budget as an SLO of OpenSLO v1.
`parquet` writes all intervals into a file.
"""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tailroom.cli.options import LoopOption, UnitOption
from tailroom.cli.terminal import echo, stop

if TYPE_CHECKING:
    from tailroom.comparison.subjects import Subject
    from tailroom.domain.comparison.figures import Figure


class Format(StrEnum):
    """Formats of the output."""

    BENCHER = "bencher"
    GITHUB = "github"
    PROMETHEUS = "prometheus"
    OPENSLO = "openslo"
    PARQUET = "parquet"


def export(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A result file, or the address of a run; for openslo, a budget."),
    ],
    *,
    to: Annotated[Format, typer.Option("--to", help="Format of the figures.")],
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Of parquet: the file that is written.")
    ] = None,
    unit: UnitOption = None,
    loop: LoopOption = None,
) -> None:
    """Print the figures of a run for another tool."""
    from tailroom.cli.result_files import UNREADABLE, reason_of
    from tailroom.cli.subjects import subject_named
    from tailroom.domain.comparison.comparison import measured

    if to is Format.OPENSLO:
        echo(_openslo(file))
        return
    subject = subject_named(file, None, loop, unit)
    if to is Format.PARQUET:
        _parquet(subject, output)
        return
    try:
        figures = {
            operation: [
                figure for figure in measured(subject.side(operation)).figures if figure.upper is not None
            ]
            for operation in subject.operations
        }
    except UNREADABLE as error:
        stop(f"{file} cannot be exported: {reason_of(error)}")
    if not figures:
        stop(f"{file} has no latencies to export.")
    writers = {Format.BENCHER: _bencher, Format.GITHUB: _github, Format.PROMETHEUS: _prometheus}
    echo(writers[to](figures))


def _parquet(subject: "Subject", output: Path | None) -> None:
    from tailroom.cli.parquet import write_intervals
    from tailroom.domain.errors import DomainError

    if output is None:
        stop("--to parquet needs --output FILE, because it writes no text.")
    try:
        rows = write_intervals(subject.runs, output)
    except DomainError as error:
        stop(f"{subject.name} cannot be exported: {error}")
    except OSError as error:
        stop(f"{output} cannot be written: {error.strerror or error}")
    echo(f"{output}: {rows:,} intervals", err=True)


def _openslo(budget: str) -> str:
    import yaml

    from tailroom.cli.budgets import budget_named
    from tailroom.domain.errors import DomainError
    from tailroom.domain.verdicts.openslo import openslo_of

    try:
        document = openslo_of(budget_named(budget))
    except DomainError as error:
        stop(f"{budget} cannot be exported: {error}")
    return str(yaml.safe_dump(document, sort_keys=False, allow_unicode=True)).rstrip("\n")


def _bencher(figures: "dict[str, list[Figure]]") -> str:
    """Return the figures by operation as Bencher Metric Format, times in nanoseconds.

    Each must have an upper bound: an open bound would be written as 0.
    """
    document: dict[str, dict[str, dict[str, float]]] = {}
    for operation, of_operation in figures.items():
        document[operation] = {
            figure.quantity: {
                "value": figure.middle,
                "lower_value": figure.lower,
                "upper_value": figure.upper or 0.0,
            }
            for figure in of_operation
        }
    return json.dumps(document, allow_nan=False)


def _github(figures: "dict[str, list[Figure]]") -> str:
    """Return the figures by operation as JSON of github-action-benchmark, in nanoseconds or as shares.

    Throughput is left out, because there a smaller value counts as better. Each figure must have an upper
    bound.
    """
    from tailroom.domain.comparison.answer import quantity_text
    from tailroom.domain.comparison.figures import THROUGHPUT, is_share

    rows: list[dict[str, Any]] = [
        {
            "name": f"{operation} {quantity_text(figure.quantity)}",
            "unit": "share" if is_share(figure.quantity) else "ns",
            "value": figure.middle,
            "range": f"{figure.lower!r}–{figure.upper!r}",
        }
        for operation, of_operation in figures.items()
        for figure in of_operation
        if figure.quantity != THROUGHPUT
    ]
    return json.dumps(rows, allow_nan=False, ensure_ascii=False)


def _prometheus(figures: "dict[str, list[Figure]]") -> str:
    """Return the figures by operation as gauges of lower and upper bounds, in seconds, 1/s and shares."""
    from tailroom.domain.comparison.figures import THROUGHPUT, is_share
    from tailroom.domain.units import NS_PER_S

    lines = ["# TYPE tailroom_run gauge"]
    for operation, of_operation in figures.items():
        for figure in of_operation:
            is_time = figure.quantity != THROUGHPUT and not is_share(figure.quantity)
            name = figure.quantity.removesuffix("_ns") + ("_seconds" if is_time else "")
            scale = NS_PER_S if is_time else 1
            for end, value in (("lower", figure.lower), ("upper", figure.upper or 0.0)):
                labels = f'operation={json.dumps(operation)},quantity="{name}",end="{end}"'
                lines.append(f"tailroom_run{{{labels}}} {value / scale!r}")
    return "\n".join(lines)
