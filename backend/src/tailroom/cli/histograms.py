"""Refusal of a file from a production system that has several histograms, with a list of them."""

from collections.abc import Sequence

from tailroom.domain.errors import DomainError
from tailroom.domain.units import count_text
from tailroom.domain.verdicts.other_tools import is_production
from tailroom.importers.parsed_run import ParsedRun

_METRICS_SHOWN = 20
_LABELS_SHOWN = 5


class HistogramAmbiguous(DomainError):
    """The file has several histograms, and none was chosen; the message lists them."""


def require_one_histogram(runs: Sequence[ParsedRun]) -> None:
    """Raise HistogramAmbiguous if a file of a production system holds more than one histogram."""
    production_runs = [run for run in runs if is_production(run.tool)]
    number = sum(max(1, int(run.parameters.get("labelled_histograms") or 1)) for run in production_runs)
    if number <= 1:
        return
    lines = [_line(run) for run in production_runs[:_METRICS_SHOWN]]
    if len(production_runs) > _METRICS_SHOWN:
        lines.append(f"  and {len(production_runs) - _METRICS_SHOWN} more metrics")
    raise HistogramAmbiguous(
        f"it holds {count_text(number)} histograms:\n"
        + "\n".join(lines)
        + "\nName one with --metric, and its "
        "labels with --match 'name=\"value\"'; several that fit are added up."
    )


def _line(run: ParsedRun) -> str:
    """Return lines about the histograms of one metric: its number of operations, and at most five labels."""
    series = run.series[0]
    labels = [series.device for series in run.series[1:] if series.device]
    number = int(run.parameters.get("labelled_histograms") or 1)
    shown = "".join(f"\n      {text}" for text in labels[:_LABELS_SHOWN])
    hidden = number - min(len(labels), _LABELS_SHOWN)
    more = f"\n      and {hidden} more" if number > 1 and hidden > 0 else ""
    return f"  {series.operation}  ({count_text(series.record.total or 0)} operations){shown}{more}"
