"""Patterns of the lines of sysbench's report, and the semantics of its latencies."""

import re

MIB = 1 << 20
_RATE = "throughput_ops_per_s"
_BANDWIDTH = "bandwidth_bytes_per_s"
NUMBER = r"(\d{1,20}(?:\.\d{1,9})?)"
OPTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"Number of threads: (\d{1,9})", "connections"),
        (r"Warmup time: (\d{1,9})s", "warmup_s"),
        (r"Target transaction rate: (\d{1,9})/sec", "rate_per_s"),
        (r"Report intermediate results every (\d{1,9}) second\(s\)", "report_interval_s"),
        (r"Prime numbers limit: (\d{1,12})", "prime_limit"),
        (r"Block size (\S{1,20})", "block_size"),
        (r"(\S{1,20}) total file size", "total_file_size"),
        (r"Extra file open flags: (.{1,80})", "file_open_flags"),
        (r"Number of IO requests: (\d{1,18})", "io_requests"),
        (r"Read/Write ratio for combined random IO test: ([\d.]{1,12})", "read_write_ratio"),
        (r"Using (\w[\w ]{0,30}) I/O mode", "io_mode"),
        (r"Doing (.{1,40}) test", "test"),
        (r"\s*block size: (\S{1,20})", "block_size"),
        (r"\s*total size: (\S{1,20})", "total_size"),
        (r"\s*operation: (\S{1,20})", "memory_operation"),
        (r"\s*scope: (\S{1,20})", "memory_scope"),
    )
)
RATES: tuple[tuple[str, re.Pattern[str], str, str, int], ...] = tuple(
    (mark, re.compile(pattern), operation, quantity, unit)
    for mark, pattern, operation, quantity, unit in (
        ("tps:", rf"\btps: {NUMBER}", "event", "throughput_ops_per_s", 1),
        ("eps:", rf"\beps: {NUMBER}", "event", "throughput_ops_per_s", 1),
        ("qps:", rf"\bqps: {NUMBER}", "query", "throughput_ops_per_s", 1),
        ("(r/w", rf"\(r/w/o: {NUMBER}/", "read query", "throughput_ops_per_s", 1),
        ("(r/w", rf"\(r/w/o: [\d.]+/{NUMBER}/", "write query", "throughput_ops_per_s", 1),
        ("(r/w", rf"\(r/w/o: [\d.]+/[\d.]+/{NUMBER}\)", "other query", "throughput_ops_per_s", 1),
        ("err/", rf"\berr/s:? {NUMBER}", "event", "error_rate_per_s", 1),
        ("errors:", rf"\berrors: {NUMBER}", "event", "error_rate_per_s", 1),
        ("reconn/", rf"\breconn/s: {NUMBER}", "event", "reconnect_rate_per_s", 1),
        ("reconnects:", rf"\breconnects:\s+{NUMBER}", "event", "reconnect_rate_per_s", 1),
        ("reads:", rf"\breads: {NUMBER} Mi?B/s", "read", "bandwidth_bytes_per_s", MIB),
        ("writes:", rf"\bwrites: {NUMBER} Mi?B/s", "write", "bandwidth_bytes_per_s", MIB),
        ("reads:", rf"\breads: {NUMBER},", "read query", "throughput_ops_per_s", 1),
        ("writes:", rf"\bwrites: {NUMBER},", "write query", "throughput_ops_per_s", 1),
        ("fsyncs:", rf"\bfsyncs: {NUMBER}/s", "fsync", "throughput_ops_per_s", 1),
        ("B/sec", rf"^{NUMBER} Mi?B/sec", "memory", "bandwidth_bytes_per_s", MIB),
        ("reads/s:", rf"\breads/s: {NUMBER}", "read query", "throughput_ops_per_s", 1),
        ("writes/s:", rf"\bwrites/s: {NUMBER}", "write query", "throughput_ops_per_s", 1),
        ("queue length:", r"\bqueue length: (\d{1,18})", "queue", "queue_length", 1),
    )
)
"""Text that is in every line that fits, pattern, operation, quantity, and unit of the number."""
DATABASE_LINE = re.compile(
    rf"thds: \d{{1,9}} tps: {NUMBER} qps: {NUMBER} \(r/w/o: {NUMBER}/{NUMBER}/{NUMBER}\) "
    rf"lat \(ms,\s?(\d{{1,3}})%\): {NUMBER} err/s:? {NUMBER} reconn/s: {NUMBER}"
)
"""Matched at once, because a week of a database test has 600,000 lines."""
DATABASE_RATES = tuple(
    (operation, quantity)
    for mark, _, operation, quantity, _ in RATES
    if mark in ("tps:", "qps:", "(r/w", "err/", "reconn/")
)
PERCENTILE = re.compile(
    rf"(?:lat(?:ency)? \(ms,\s?(\d{{1,3}})%\)|response time): {NUMBER}(?:ms \((\d{{1,3}})%\))?"
)
TOTALS: tuple[tuple[re.Pattern[str], str, str, int], ...] = tuple(
    (re.compile(pattern), operation, quantity, unit)
    for pattern, operation, quantity, unit in (
        (rf"events per second:\s+{NUMBER}", "event", "throughput_ops_per_s", 1),
        (rf"events/s \(eps\):\s+{NUMBER}", "event", "throughput_ops_per_s", 1),
        (rf"transactions:\s+\d+\s+\({NUMBER} per sec\.\)", "event", "throughput_ops_per_s", 1),
        (rf"queries:\s+\d+\s+\({NUMBER} per sec\.\)", "query", "throughput_ops_per_s", 1),
        (rf"reads/s:\s+{NUMBER}", "read", "throughput_ops_per_s", 1),
        (rf"writes/s:\s+{NUMBER}", "write", "throughput_ops_per_s", 1),
        (rf"fsyncs/s:\s+{NUMBER}", "fsync", "throughput_ops_per_s", 1),
        (rf"read:\s+IOPS={NUMBER}.*", "read", "throughput_ops_per_s", 1),
        (rf"write:\s+IOPS={NUMBER}.*", "write", "throughput_ops_per_s", 1),
        (rf"fsync:\s+IOPS={NUMBER}.*", "fsync", "throughput_ops_per_s", 1),
        (rf"ignored errors:\s+\d+\s+\({NUMBER} per sec\.\)", "event", "error_rate_per_s", 1),
        (rf"reconnects:\s+\d+\s+\({NUMBER} per sec\.\)", "event", "reconnect_rate_per_s", 1),
        (rf"read:\s+IOPS=[\d.]+ {NUMBER} MiB/s.*", "read", _BANDWIDTH, MIB),
        (rf"write:\s+IOPS=[\d.]+ {NUMBER} MiB/s.*", "write", _BANDWIDTH, MIB),
        (rf"read, MiB/s:\s+{NUMBER}", "read", "bandwidth_bytes_per_s", MIB),
        (rf"written, MiB/s:\s+{NUMBER}", "write", "bandwidth_bytes_per_s", MIB),
        (rf"{NUMBER} Mi?B transferred \(.*", "memory", "transferred_bytes", MIB),
        (rf"[\d.]+ Mi?B transferred \({NUMBER} Mi?B/sec\)", "memory", "bandwidth_bytes_per_s", MIB),
        (rf"Total operations: \d+ \(\s*{NUMBER} per second\)", "event", "throughput_ops_per_s", 1),
        (rf"Operations performed: \d+ \(\s*{NUMBER} ops/sec\)", "event", "throughput_ops_per_s", 1),
        (rf"{NUMBER} Requests/sec executed", "event", "throughput_ops_per_s", 1),
        (rf"read/write requests:\s+\d+\s+\({NUMBER} per sec\.\)", "read/write query", _RATE, 1),
        (rf"other operations:\s+\d+\s+\({NUMBER} per sec\.\)", "other query", _RATE, 1),
        *(
            (rf"Read .* Total transferred \S+  ?\({NUMBER}{unit}b/sec\)", "total", _BANDWIDTH, size)
            for unit, size in (("", 1), ("K", 1 << 10), ("M", MIB), ("G", 1 << 30))
        ),
    )
)
COUNTS: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern), operation, quantity)
    for pattern, operation, quantity in (
        (r"read:\s+(\d{1,18})", "read query", "operation_count"),
        (r"write:\s+(\d{1,18})", "write query", "operation_count"),
        (r"other:\s+(\d{1,18})", "other query", "operation_count"),
        (r"total:\s+(\d{1,18})", "query", "operation_count"),
        (r"read/write requests:\s+(\d{1,18}) .*", "read/write query", "operation_count"),
        (r"Operations performed:\s+(\d{1,18}) [Rr]eads?,.*", "read", "operation_count"),
        (r"Operations performed:\s+\d+ [Rr]eads?, (\d{1,18}) [Ww]rites?,.*", "write", "operation_count"),
        (r"Operations performed:.*, (\d{1,18}) Other = \d+ Total", "other", "operation_count"),
        (r"Operations performed:.* Other = (\d{1,18}) Total", "total", "operation_count"),
        (r"ignored errors:\s+(\d{1,18})\b.*", "event", "error_count"),
        (r"deadlocks:\s+(\d{1,18})\b.*", "event", "error_count"),
        (r"reconnects:\s+(\d{1,18})\b.*", "event", "reconnect_count"),
    )
)

SERVICE_SEMANTICS = (
    "from the moment at which a thread began with the event to its end, all tries included; the histogram "
    "behind percentiles has 128 buckets for each factor of ten (1.8 %)"
)
RESPONSE_SEMANTICS = (
    "from the moment at which the event was due by --rate (Poisson) to its end, waiting in the queue "
    "included; the histogram behind percentiles has 128 buckets for each factor of ten (1.8 %)"
)
