"""Every number of the files that hold counts in buckets, or a column for each number: read, or named.

The same as `test_every_number`, for tools whose numbers become buckets, edges and intervals: a number is
compared by its value, and a count may be that of a bucket, of an interval, or a sum of buckets.
"""

import re

import numpy as np
import pytest
from backend.tests.importers.shown_values import NUMBER, is_shown, shown_values
from backend.tests.importers.test_every_number import FOLDER, Printed, tools_of_sources

from tailroom.domain.tools import TOOLS
from tailroom.importers.registry import read
from tailroom.importers.source import from_path

_ACT_ASIDE = r"Copyright.*|\(\d\d:"
_SYSSTAT_ASIDE = r"^Linux .*|^ ?[\d/]+ [\d:]+ PM|^\d\d:\d\d:\d\d|ldavg-\d+"
_PROCESSORS = "shares of processors other than idle and waiting for I/O"

COUNTED = {
    "act_storage.txt": Printed(
        _ACT_ASIDE,
        {},
        source="aerospike/act 1e61500 (6.6): src/storage/act_storage.c, src/storage/cfg_storage.c, "
        "src/common/histogram.c",
    ),
    "act_index.txt": Printed(
        _ACT_ASIDE,
        {},
        source="aerospike/act 1e61500 (6.6): src/index/act_index.c, src/index/cfg_index.c",
    ),
    "act_latency.txt": Printed("(?!)", {}, source="aerospike/act 1e61500 (6.6): analysis/act_latency.py"),
    "asloglatency.txt": Printed(
        r"^Nov.*|^\d\d:\d\d:\d\d",
        {},
    ),
    "asadm.txt": Printed(
        r"^~.*|^Number of rows.*",
        {r"\| +\|[\d. ]+(?:\|[\d. ]+){3}$": "line over all nodes"},
        source="aerospike/aerospike-admin e17f15e: lib/view/templates.py, lib/view/sheet/render",
    ),
    "iostat.txt": Printed(
        _SYSSTAT_ASIDE,
        {
            r"(?<=12:34:50 PM\n)(?:.*\n){6}": "first report",
            r"(?<=%idle\n) +(?:[\d.]+ +){3}|[\d.]+(?= +[\d.]+\n\nDevice)": _PROCESSORS,
            r"(?<=12195\.22) +[\d.]+ +[\d.]+|(?<=24390\.55) +[\d.]+ +[\d.]+": "merged requests",
            r"(?<=0\.41) +[\d.]+|(?<=0\.47) +[\d.]+": "sizes of requests",
            r" 37\.37 .*(?=    4\.15)": "discards and flushes",
        },
        source="sysstat/sysstat c1eb661: iostat.c",
    ),
    "sar.txt": Printed(
        _SYSSTAT_ASIDE,
        {
            r"(?<=  all|    0)(?: +[\d.]+){3}(?= +(?:5\.51|0\.53))": _PROCESSORS,
            r"[\d.]+(?= +(?:91\.23|48\.09)$)": _PROCESSORS,
            r"(?<=6092\.59) +10\.13 +2\.25": "sizes of requests and discards",
            r"^23:58:59 +101001.*(?= 55\.55)|(?<= 55\.55).*": "memory",
            r"^23:58:59 +eth0 .*(?= 204\.04)|(?<= 204\.04).*": "packets, and the smaller direction",
            r"^23:58:59 +3 +511.*": "queues of processes and load averages",
        },
        source="sysstat/sysstat c1eb661: pr_stats.c",
    ),
    "mpstat.txt": Printed(
        _SYSSTAT_ASIDE,
        {r"(?<=  all|    0)(?: +[\d.]+){3}(?= +5\.5)|(?<= 5\.51| 5\.53)(?: +[\d.]+){5}": _PROCESSORS},
        source="sysstat/sysstat c1eb661: mpstat.c",
    ),
    "vmstat.txt": Printed(
        r"[\d-]+ [\d:]+$",
        {
            r"^ +1 .*": "first report",
            r"^ +3 .*(?= 63 )|(?<= 63  8) +2": "other columns of `vmstat`",
        },
    ),
    "prometheus.txt": Printed(
        "(?!)",
        {r"^gc_seconds.*": "summaries"},
        r"_sum\{.*",
        source="prometheus/client_python d0b497f: prometheus_client/exposition.py",
    ),
    "openmetrics.txt": Printed(
        "(?!)",
        {r"# \{trace_id.*": "exemplars", r"^queue_length.*": "gauges"},
        r"_sum\{.*\} [\d.]+",
        source="prometheus/client_python d0b497f: prometheus_client/openmetrics/exposition.py",
    ),
    "prometheus_range.json": Printed(
        "(?!)", {}, source="prometheus/prometheus a0dd146: web/api/v1/json_codec.go"
    ),
    "prometheus_native.json": Printed(
        r"^\[\d,|^\[\[\d,",
        {},
        r'"sum":"[\d.]+"',
        source="prometheus/prometheus a0dd146: web/api/v1/json_codec.go",
    ),
    "otlp.json": Printed(
        r'"(?:spanId|traceId|flags|aggregationTemporality)":"?\w+"?',
        {
            r'"exemplars":\[[^\]]*\]': "exemplars",
            r'"(?:min|max)":[\d.]+': "smallest and largest",
            r'"gauge":.*': "gauges",
            r'"version":"[^"]*"': "version of its scope",
        },
        r'"(?:sum|offset)":[\d.]+',
        source="open-telemetry/opentelemetry-proto ac2c4b5: opentelemetry/proto/metrics/v1/metrics.proto",
    ),
    "ddsketch.json": Printed(
        "(?!)",
        {},
        r'"indexOffset":[\d.]+|"-151"|"contiguousBinIndexOffset":-\d+',
        source="DataDog/sketches-py 0d16e69: ddsketch/pb/ddsketch.proto",
    ),
    "agent.ndjson": Printed(
        r'"(?:HIST[^"]*|series(?:_no)?|seq|last_seq|significant_digits|serial_sha256)":?(?:\d+|\{[^}]*\})?',
        {
            r'\{"series(?:_no)?":0,[^}]*\}': "live ticks",
            r'"(?:lateness_max_ns|in_flight|oldest_in_flight_ns|temperature_millicelsius)":\d+': (
                "largest lateness, operations under way and"
            ),
        },
    ),
    "hdr_log.hlog": Printed(
        r"HIST.*|(?<=epoch\)), .*2015",
        {},
        r"^#\[BaseTime.*|^\d+\.\d+(?=,)",
        source="HdrHistogram/HdrHistogram de84b0a: src/main/java/org/HdrHistogram/HistogramLogWriter.java; "
        "giltene/jHiccup d2e18b8: src/main/java/org/jhiccup/HiccupMeter.java",
    ),
    "hdr_percentiles.txt": Printed(
        r"^Value.*|[01]\.\d{6}|(?<=\d) +[\d.]+$|1/\(1",
        {r"Buckets = +\d+(?=,)": "number of buckets"},
        source="HdrHistogram/HdrHistogram_c 18c7a32: src/hdr_histogram.c",
    ),
    "distribution.json": Printed("(?!)", {r'"timeout_ns": \d+': "`timeout_ns`"}),
}

_TOOL_OF_FORMAT = {"act-latency": "aerospike-server"}
"""Where a table of one tool is read by the importer of another."""


def _tool_of(name: str) -> str:
    (run, *_) = read(from_path(FOLDER / name)).runs
    return {"jhiccup": "hdrhistogram"}.get(run.tool, _TOOL_OF_FORMAT.get(run.format, run.tool))


@pytest.mark.parametrize("name", COUNTED)
def test_every_number_of_a_file_of_counts_is_read_or_named(name: str) -> None:
    printed = COUNTED[name]
    runs = read(from_path(FOLDER / name)).runs
    shown = np.array(sorted({float(number) for run in runs for number in shown_values(run)}))
    (tool,) = [tool for tool in TOOLS if tool.name == _tool_of(name)]
    leaves = "; ".join(form.leaves for form in tool.forms)
    text = (FOLDER / name).read_text()
    for pattern, words in printed.not_read.items():
        assert words in leaves
        assert re.search(pattern, text, re.MULTILINE), pattern
        text = re.sub(pattern, " ", text, flags=re.MULTILINE)
    text = re.sub(f"{printed.used}|{printed.aside}", " ", text, flags=re.MULTILINE)
    lost = [
        (line.strip(), number)
        for line in text.splitlines()
        for number in NUMBER.findall(line)
        if float(number) > 0 and not is_shown(float(number), shown)
    ]
    assert lost == []


def test_every_tool_has_its_list() -> None:
    assert {tool.name for tool in TOOLS} <= tools_of_sources() | {_tool_of(name) for name in COUNTED}
