"""Runs and files that the command line compares: both sides, or a baseline and new runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tailroom.cli.options import DisplayUnit, Loop
from tailroom.cli.terminal import stop

if TYPE_CHECKING:
    from tailroom.cli.baselines import Baseline
    from tailroom.comparison.subjects import Subject
    from tailroom.domain.comparison.comparison import Comparison
    from tailroom.domain.comparison.history import HistoryComparison


def compare_subjects(
    bases: "Sequence[Subject]",
    news: "Sequence[Subject]",
    operation: str | None,
    *,
    smallest: float,
    baseline: "Baseline | None",
    quantile: str | None,
    clock: str | None = None,
    series: str | None = None,
) -> "tuple[str, Comparison, list[HistoryComparison]]":
    """Return the compared operation, the comparison, and the differences from the baseline's runs.

    There are no differences without a baseline for the same operation and measured time (`clock`).
    `smallest`: differences below this ratio count as none; `quantile`: as `p99.9`. Raise QuantityInvalid if
    it cannot be read, another DomainError if no operation is clear, or a side lacks it or has several series
    of it.
    """
    from tailroom.comparison.subjects import common_operation, sides
    from tailroom.domain.comparison.comparison import compare, measured
    from tailroom.domain.comparison.history import compare_with_history
    from tailroom.domain.comparison.repeats import compare_repeats, quantile_asked

    asked_quantile = quantile_asked(quantile)
    compared = operation or common_operation(bases[0], news[0])
    base_side, new_side = sides(bases[0], news[0], compared, clock=clock, series=series)
    clock = clock or new_side.operation.clock
    if baseline is None and len(bases) == len(news) == 1:
        return compared, compare(base_side, new_side, smallest_change=smallest), []
    base_runs = [measured(base_side), *(measured(each.side(compared, clock, series)) for each in bases[1:])]
    new_runs = [measured(new_side), *(measured(each.side(compared, clock, series)) for each in news[1:])]
    if baseline is None or (baseline.operation, baseline.clock) != (compared, clock):
        return compared, compare_repeats(base_runs, new_runs, smallest, asked_quantile=asked_quantile), []
    comparison, differences = compare_with_history(
        base_runs[0], baseline.history, new_runs, smallest, asked_quantile=asked_quantile
    )
    return compared, comparison, differences


def subject_named(name: str, operation: str | None, loop: Loop | None, unit: DisplayUnit | None) -> "Subject":
    """Return the result file, run or publication that an argument names, or end the command.

    `operation`, `loop`, `unit`: facts for files that do not state them.
    """
    from tailroom.cli.result_files import UNREADABLE, reason_of, runs_of, with_answers
    from tailroom.comparison.subjects import PUBLICATION, Subject, published_subject

    try:
        if name.startswith(PUBLICATION):
            return published_subject(name)
        runs = tuple(with_answers(run, operation, loop, unit) for run in runs_of(name, unit))
    except UNREADABLE as error:
        stop(f"{name} cannot be read: {reason_of(error)}")
    return Subject(name, runs)
