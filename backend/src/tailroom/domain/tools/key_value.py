"""Result files of benchmarks of key-value stores, and of requests to servers."""

from tailroom.domain.tools.tool import Form, Measures, Tool, tool

KEY_VALUE: tuple[Tool, ...] = (
    tool(
        "wrk",
        "wrk and wrk2",
        "wrk:WRK",
        Measures.REQUESTS,
        Form(
            "wrk 1.x–4.x",
            "output, `--latency`, percentiles of the CSV script",
            "percentiles and the largest as statements; requests, errors, rates",
            "of how many values the percentiles are: wrk adds some (`stats_correct`); rates of threads, "
            "shares within a deviation, bytes that were read",
        ),
        Form(
            "wrk2",
            "output, `--latency`, `--u_latency`",
            "the detailed spectrum as exact counts, from the schedule; without it percentiles",
            "what was measured while it calibrated; rates of threads, shares within a deviation, bytes that "
            "were read; the lines below the spectrum, which say the same",
        ),
    ),
    tool(
        "memtier_benchmark",
        "memtier_benchmark",
        "memtier.importer:MEMTIER",
        Measures.KEY_VALUE,
        Form(
            "1.4–2.x",
            "JSON",
            "the exact histogram of each command; each second as statements; several runs (`RUN #n`) as runs",
            "averages over runs (noted: no measurement); redirections of a cluster, bytes by direction, "
            "sums of latencies, rates of connection errors",
        ),
        Form(
            "1.2.9–1.3",
            "JSON",
            "shares at times rounded to two digits, between two ends",
            "number of operations (not in the file)",
        ),
        Form(
            "1.2.6–2.x",
            "text, standard error",
            "table with any set of columns, `--command` rows by name, distribution; totals of the progress",
            "number of operations of each command; rates and latencies of the progress; a table in one "
            "bucket `nan` (1.2.6)",
        ),
    ),
    tool(
        "ycsb-cpp",
        "YCSB-cpp",
        "ycsb_ports:YCSB_CPP",
        Measures.KEY_VALUE,
        Form(
            "1.x",
            "output with `-s`",
            "the last state of each operation: count, ends, mean, percentiles; load and run as two runs",
            "latencies without `-s`; the course (states count from the beginning)",
        ),
    ),
    tool(
        "go-ycsb",
        "go-ycsb",
        "ycsb_ports:GO_YCSB",
        Measures.KEY_VALUE,
        Form(
            "1.x",
            "lines, table and JSON",
            "the last state of each operation; `…_ERROR` as misses",
            "the course; properties; latencies of `…_ERROR`",
        ),
        Form(
            "1.x",
            "`measurementtype=raw` (or `csv`)",
            "every operation: exact to 1 µs up to 262 ms, to 0.00076 % beyond, one piece a second; "
            "`…_ERROR` as misses",
            "order within a second",
        ),
    ),
    tool(
        "ycsb",
        "YCSB",
        "ycsb.importer:YCSB",
        Measures.KEY_VALUE,
        Form(
            "0.1.4–0.18",
            "summary, JSON and JSONArray export",
            "counts, percentiles as statements, buckets of `histogram` and of verbose `hdrhistogram` "
            "exactly, means of a time series, return codes",
            "",
        ),
        Form(
            "any",
            "status lines (`-s`)",
            "each period as statements; without a summary, all of them together",
            "time zone",
        ),
        Form(
            "any",
            "raw lines, alone or in the output",
            "every operation: exact to 1 µs up to 262 ms, to 0.00076 % beyond, one piece a second",
            "order within a second",
        ),
    ),
    tool(
        "redis-benchmark",
        "redis-benchmark",
        "redis_benchmark:REDIS_BENCHMARK",
        Measures.KEY_VALUE,
        Form("6.2–7.x", "text", "exact cumulative counts in steps of 8 µs", "rates and means while it runs"),
        Form(
            "6.2–7.x",
            "`--csv`, `-q`, the summary without its beginning",
            "percentiles as statements, rates",
            "number of requests; of a summary alone, which command it was",
        ),
        Form("up to 6.0", "text, `--csv`, `-q`", "shares at whole milliseconds; rates", ""),
    ),
)
