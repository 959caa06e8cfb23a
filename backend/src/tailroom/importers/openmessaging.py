"""The importer of the OpenMessaging Benchmark: the JSON that it writes when a test has ended.

Each producer sends by a schedule. `PublishLatency` (ms) is timed from the call that sends a message to its
acknowledgement, `PublishDelayLatency` (µs) is how late that call came; both are cut to whole microseconds and
counted by an HdrHistogram of five digits. `EndToEndLatency` compares the clocks of two machines and omits
times that seem to be 0 or less, so that it is only shown. Source: OpenMessaging Benchmark `WorkerStats.java`,
`WorkloadGenerator.java`, `TestResult.java`.
"""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.importer import Detection
from tailroom.importers.json_documents import (
    exact_time,
    json_document,
    json_number,
    json_object,
    json_settings,
)
from tailroom.importers.parsed_run import Claim, ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS, hdr_bucket_ns
from tailroom.importers.summaries import Summary, Time, all_series
from tailroom.importers.text_runs import PrintedRun, ToolImporter, finished

FORM = TOOL = "openmessaging-benchmark"
_LAYOUT = HdrLayout(NS_PER_US, 5)
_LONGEST_NS = 60 * NS_PER_S
"""Longer times are counted as this."""
_MEAN_SLACK = Fraction(1, 100_000)
"""Largest relative error of a mean, because it is calculated from the middles of buckets."""
_PERCENTILE = re.compile(r"(\d{2})(9{0,3})pct")
_SHARE = re.compile(r"\d{1,3}(?:\.\d{1,20})?(?:E-\d)?")
_MOST_QUANTILES = 5_000
_SEMANTICS = "one message, whole microseconds: from the call that sends it to its acknowledgement"
_FACTS = {
    "workload": "workload",
    "driver": "driver",
    "messageSize": "value_bytes",
    "topics": "topics",
    "partitions": "partitions",
    "producersPerTopic": "producers_per_topic",
    "consumersPerTopic": "consumers_per_topic",
}


def _detect(head: Head) -> Detection | None:
    marks = ('"workload"', '"driver"', '"publishRate"')
    if head.text.lstrip().startswith("{") and all(mark in head.text for mark in marks):
        return Detection(FORM, TOOL, None, "JSON with `workload`, `driver` and `publishRate`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    """Yield the only run, or nothing without latencies. Raise ContentUnreadable if it is no JSON object."""
    document = json_document(source, "OpenMessaging Benchmark")
    run = PrintedRun(1, json_settings(document, _FACTS))
    published = _summary(document, "PublishLatency", "publish", NS_PER_MS, "ms")
    delayed = _summary(document, "PublishDelayLatency", "publish", NS_PER_US, "µs")
    delayed.clock = "queue"
    delivered = _summary(document, "EndToEndLatency", "end-to-end", NS_PER_MS, "ms")
    used = [published, delayed]
    run.claims = [*_percentile_claims(document), *delivered.claims()]
    if not any([*run.claims, *published.claims(), *delayed.claims()]):
        return
    is_untimed = _report_untimed(document, run.problems)
    series = () if is_untimed else all_series(used, run.problems, _SEMANTICS)
    ending = finished("the file is written when the test has ended")
    stated = [name for name in ("value_bytes",) if name in run.parameters]
    yield run.parsed(FORM, TOOL, used, series, ending, closed_loop=False, stated=stated)


def _summary(document: Mapping[str, Any], key: str, operation: str, unit_ns: int, unit: str) -> Summary:
    """Return the numbers below 60 s under `aggregated{key}…`; empty if the largest is missing or 0."""
    name = f"aggregated{key}"
    summary = Summary(operation, 1, name=name)
    most = _time(document.get(f"{name}Max"), unit_ns, unit)
    if most is None or most.upper_ns == 0:
        return summary
    summary.most = most if most.upper_ns < _LONGEST_NS else None
    summary.mean = _mean(exact_time(document.get(f"{name}Avg"), unit_ns, unit))
    quantiles = json_object(document.get(f"{name}Quantiles"))
    if not quantiles:
        summary.quantiles = list(_percentiles(document, name, unit_ns, unit))
    for text, value in list(quantiles.items())[:_MOST_QUANTILES]:
        time = _time(value, unit_ns, unit)
        # These are the shares of all messages that took at most so long, exactly.
        if time is not None and time.upper_ns < _LONGEST_NS and _SHARE.fullmatch(text):
            share = Fraction(text) / 100
            summary.quantiles += [(share, time)] if 0 < share <= 1 else []
    return summary


def _percentiles(
    document: Mapping[str, Any], name: str, unit_ns: int, unit: str
) -> Iterator[tuple[Fraction, Time]]:
    """Yield share and time of each percentile below 60 s, such as `{name}99pct`, printed in `unit`."""
    for key, value in document.items():
        match = _PERCENTILE.fullmatch(key.removeprefix(name)) if key.startswith(name) else None
        time = _time(value, unit_ns, unit)
        if match is not None and time is not None and time.upper_ns < _LONGEST_NS:
            yield Fraction(f"{match[1]}.{match[2] or 0}") / 100, time


def _percentile_claims(document: Mapping[str, Any]) -> Iterator[Claim]:
    """Yield claims of percentiles (`…99pct`) beside finer quantiles: their rank may be rounded either way."""
    for key, operation, unit_ns, unit in (
        ("PublishLatency", "publish", NS_PER_MS, "ms"),
        ("PublishDelayLatency", "publish delay", NS_PER_US, "µs"),
        ("EndToEndLatency", "end-to-end", NS_PER_MS, "ms"),
    ):
        name = f"aggregated{key}"
        if not json_object(document.get(f"{name}Quantiles")):
            continue
        for share, time in _percentiles(document, name, unit_ns, unit):
            yield time.claim(operation, "latency_quantile_ns", quantile=float(share))


def _time(value: object, unit_ns: int, unit: str) -> Time | None:
    """Return the bucket whose last µs is the stated time; None for no number, and from MAX_TIME_NS on."""
    stated = json_number(value)
    if stated is None or stated.value * unit_ns >= MAX_TIME_NS:
        return None
    lower_ns, upper_ns = hdr_bucket_ns(_LAYOUT, round(stated.value * unit_ns / NS_PER_US))
    return Time(f"{stated.text} {unit}", lower_ns, upper_ns - 1)


def _mean(time: Time | None) -> Time | None:
    """Return the bounds of a mean of bucket middles, of latencies cut to microseconds; None for None."""
    if time is None:
        return None
    slack_ns = int(time.upper_ns * _MEAN_SLACK) + NS_PER_US
    return Time(time.text, max(0, time.lower_ns - slack_ns), time.upper_ns + slack_ns)


def _report_untimed(document: Mapping[str, Any], problems: Problems) -> bool:
    """Return whether messages failed or an interval acknowledged none, and add a problem about it."""
    rates = _rates(document.get("publishRate"))
    still = sum(1 for rate in rates if rate == 0)
    failed = any(_rates(document.get("publishErrorRate")))
    if not still and not failed:
        return False
    stalls = f"{still} of {len(rates)} intervals of 10 s acknowledged no message"
    why = "messages failed" if failed else stalls
    problems.add(
        "untimed",
        f"{why}; how many messages have no latency is not in the file, so that its figures are of those that "
        "were acknowledged, and are only shown",
    )
    return True


def _rates(values: object) -> list[Fraction]:
    """Return the numbers of a list, without its other elements; an empty list for any other value."""
    numbers = [json_number(value) for value in values] if isinstance(values, list) else []
    return [each.value for each in numbers if each is not None]


OPENMESSAGING = ToolImporter(FORM, "OpenMessaging Benchmark", _detect, _runs)
