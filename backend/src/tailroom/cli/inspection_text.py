"""The text output of `tailroom inspect --verbose`, and the choice between it and the brief output."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tailroom.cli.inspection_brief import brief_lines
from tailroom.importers.inspection import InspectionResult


def text_lines(files: Iterable[InspectionResult], *, verbose: bool) -> Iterator[str]:
    """Yield lines about files: with `verbose` all, else at most ten for each file."""
    for position, file in enumerate(files):
        if position:
            yield ""
        yield from _file_lines(file) if verbose else brief_lines(file.document, file.refusal)


def _file_lines(file: InspectionResult) -> Iterator[str]:
    document = file.document
    yield file.name
    if file.refusal is not None:
        yield f"  not readable: {file.refusal}"
        yield from _problem_lines(document["problems"][:-1])
        return
    version = f" {document['tool_version']}" if document["tool_version"] else ""
    yield f"  {document['format']}: {document['tool']}{version} ({document['reason']})"
    if document["state"] is None:
        beside = document.get("read_with")
        yield f"  read with {beside}" if beside else "  holds no run of its own"
        yield from _problem_lines(document["problems"])
        return
    yield from _run_lines(document)
    for number, further in enumerate(document.get("further_runs", ()), 2):
        yield f"  run {number} in the same file"
        yield from _run_lines(further)


def _run_lines(run: Mapping[str, Any]) -> Iterator[str]:
    ended = f"  {run['state'].replace('_', ' ')}"
    yield f"{ended}: {run['state_text']}" if run["state_text"] else ended
    if run["closed_loop"]:
        yield "  closed loop: the next operation waits for the answer, so the response time is not known"
    for series in run["series"]:
        yield from _series_lines(series)
    for claim in run["claims"][:12]:
        where = "" if claim["line"] is None else f", line {claim['line']}"
        quantile = "" if claim["quantile"] is None else f" {claim['quantile']:g}"
        yield f"  states {claim['operation']} {claim['quantity']}{quantile}: {claim['printed']}{where}"
    if len(run["claims"]) > 12:
        yield f"  and {len(run['claims']) - 12} more statements"
    yield from _problem_lines(run["problems"])
    if run["missing"]:
        yield f"  not in the file: {', '.join(run['missing'])}"


def _series_lines(series: Mapping[str, Any]) -> Iterator[str]:
    what = " ".join(
        str(part)
        for part in (series["operation"], series["clock"], series["device"], series["phase"])
        if part
    )
    count = "number unknown" if series["count"] is None else f"{series['count']:,} operations"
    misses = sum(series["misses"].values())
    failed = f", {misses:,} missed" if misses else ""
    name = f" [{series['name']}]" if series["name"] else ""
    yield f"  {what}{name}: {count}{failed}; {series['layout']}"
    shown = [f"{float(at) * 100:g} % {_range_text(ends)}" for at, ends in series["quantiles"].items()]
    if shown:
        yield f"    {'; '.join(shown)}"
    for each in series["exceedance"]:
        line = _exceedance_line(each)
        if line:
            yield line
    official = series.get("official")
    if official:
        yield from _official_lines(official)


def _range_text(ends: Mapping[str, float | None]) -> str:
    lower, upper = ends["lower_us"], ends["upper_us"]
    if upper is None:
        return f"from {lower:g} µs"
    return f"{lower:g} µs" if lower == upper else f"{lower:g} to {upper:g} µs"


def _exceedance_line(document: Mapping[str, Any]) -> str | None:
    """Return a line about the shares over a limit; None without a share of the whole run."""
    if document["whole"] is None:
        return None
    parts = [f"{_share_text(document['whole'])} of all"]
    if document["slices"]:
        length = f"{len(document['slices'])} full slices of {document['slice_s']:g} s"
        parts.append(f"{length}: mean {_share_text(document['average'])}" if document["average"] else length)
        if document["worst"]:
            parts.append(f"worst {_share_text(document['worst'])} (from {document['worst']['start_s']:g} s)")
        if document["rolling_worst"]:
            start_s = document["rolling_worst"]["start_s"]
            parts.append(f"worst window {_share_text(document['rolling_worst'])} (from {start_s:g} s)")
    elif document["rest"]:
        parts.append(f"no full slice of {document['slice_s']:g} s")
    return f"    {document['threshold_us'] / 1000:g} ms or longer: {'; '.join(parts)}"


def _share_text(share: Mapping[str, Any]) -> str:
    lower, upper = share["lower_ratio"], share["upper_ratio"]
    if lower is None or upper is None:
        return "nothing"
    if lower == upper:
        return f"{100 * lower:.4f} %"
    return f"{100 * lower:.4f} to {100 * upper:.4f} %"


def _official_lines(official: Mapping[str, Any]) -> Iterator[str]:
    """Yield the figures of the tool's own script, or why it gives none, and differences from ours."""
    if official["refusal"]:
        yield f"    the tool's own script: {official['refusal']}"
    if official["rows"]:
        shown = official["thresholds"][:7] if official["unit"] == "ms" else official["thresholds"]
        size = len(shown)
        yield (
            f"    the tool's own script, per cent over {', '.join(str(each) for each in shown)} "
            f"{official['unit']} in {len(official['rows'])} slices:"
        )
        yield f"      avg {' '.join(f'{each:.2f}' for each in official['avg'][:size])}"
        yield f"      max {' '.join(f'{each:.2f}' for each in official['max'][:size])}"
    for difference in official["differences"][:5]:
        yield f"      {difference}"


def _problem_lines(problems: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for problem in problems:
        where = "" if problem["line"] is None else f" line {problem['line']}:"
        yield f"  {problem['severity']}:{where} {problem['reason']}"
