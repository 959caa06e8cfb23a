"""The question which of many histograms of a production system to read, with the choices of the file."""

from collections.abc import Sequence

from tailroom.domain.errors import DomainError
from tailroom.domain.units import count_text
from tailroom.domain.verdicts.other_tools import is_production
from tailroom.importers.parsed_run import ParsedRun

_METRICS_SHOWN = 20
_LABELS_SHOWN = 5


class HistogramOpen(DomainError):
    """A file with several histograms, and no word about which of them is meant; the message lists them."""


def ask_which_histogram(runs: Sequence[ParsedRun]) -> None:
    """Raise HistogramOpen where a production system's file holds more than one histogram."""
    held = [run for run in runs if is_production(run.tool)]
    number = sum(max(1, int(run.parameters.get("labelled_histograms") or 1)) for run in held)
    if number <= 1:
        return
    lines = [_line(run) for run in held[:_METRICS_SHOWN]]
    if len(held) > _METRICS_SHOWN:
        lines.append(f"  and {len(held) - _METRICS_SHOWN} more metrics")
    raise HistogramOpen(
        f"it holds {count_text(number)} histograms:\n"
        + "\n".join(lines)
        + "\nName one with --metric, and its "
        "labels with --match 'name=\"value\"'; several that fit are added up."
    )


def _line(run: ParsedRun) -> str:
    series = run.series[0]
    labels = [series.device for series in run.series[1:] if series.device]
    number = int(run.parameters.get("labelled_histograms") or 1)
    shown = "".join(f"\n      {text}" for text in labels[:_LABELS_SHOWN])
    further = number - min(len(labels), _LABELS_SHOWN)
    more = f"\n      and {further} more" if number > 1 and further > 0 else ""
    return f"  {series.operation}  ({count_text(series.record.total or 0)} operations){shown}{more}"
