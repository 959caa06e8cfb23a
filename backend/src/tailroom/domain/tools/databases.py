"""Result files of benchmarks of databases."""

from tailroom.domain.tools.tool import Form, Measures, Tool, tool

DATABASES: tuple[Tool, ...] = (
    tool(
        "nosqlbench",
        "nosqlbench",
        "nosqlbench.importer:NOSQLBENCH",
        Measures.REQUESTS,
        Form(
            "3.x–5.x",
            "`--report-csv-to`, timers of a folder together",
            "each report as statements, the run as what holds of all of them; where counts are of the "
            "interval (since 5.25), all of them added up",
            "up to 5.21: how many operations a report's percentiles are of; meters, gauges and sizes",
        ),
        Form(
            "3.x–5.x",
            "`--log-histostats`",
            "each interval with its count as statements, and all of them added up",
            "",
        ),
        Form(
            "3.x–5.x",
            "session log (`type=TIMER`), summary on the console",
            "reports as statements; counts and rates",
            "how many operations a report's percentiles are of; gauges and sizes, deviations, rates of "
            "minutes",
        ),
    ),
    tool(
        "db_bench",
        "RocksDB db_bench",
        "db_bench:DB_BENCH",
        Measures.RECORDS,
        Form(
            "5.x–9.x",
            "output, `--histogram`",
            "each benchmark as a run, with exact counts in its buckets, smallest and largest",
            "latencies without `--histogram`; interpolated percentiles are shown, not used; how many keys "
            "were found; estimated sizes",
        ),
    ),
    tool(
        "cassandra-stress",
        "cassandra-stress",
        "stress:CASSANDRA_STRESS",
        Measures.RECORDS,
        Form(
            "2.1–5.x",
            "results, rows while it runs (alone or mixed)",
            "mean, median, percentiles, largest of each operation; operations, where one is one partition; "
            "rows as the course, and all of them together where a test was stopped",
            "number of operations of those that touch several partitions; garbage collection; standard "
            "error and errors of a row",
        ),
    ),
    tool(
        "scylla-bench",
        "scylla-bench",
        "scylla_bench:SCYLLA_BENCH",
        Measures.RECORDS,
        Form(
            "0.1–1.x",
            "results, rows while it runs",
            "`raw` (service) and `c-o fixed` (response) percentiles, mean, largest; settings; rows as claims",
            "number of operations, rows and errors of a row",
        ),
    ),
    tool(
        "pgbench",
        "pgbench",
        "pgbench.importer:PGBENCH",
        Measures.RECORDS,
        Form(
            "9.x–18",
            "summary, progress (alone or mixed)",
            "counts, failures, skipped, share over the latency limit exactly; what mean and deviation "
            "prove; scripts and statements apart",
            "percentiles (pgbench has none); a mean that was not measured; failed, lag, skipped and retried "
            "of progress lines",
        ),
        Form(
            "9.x–18",
            "`--log`, files of all threads together",
            "every transaction: exact to 1 µs up to 262 ms, a piece a second; failures and skipped as "
            "misses; with `--rate` response, service and lag",
            "whether the seventh column is lag or retries, where its values allow both",
        ),
        Form(
            "9.4–18",
            "`--log --aggregate-interval`, 6, 10, 11, 15 or 16 columns",
            "each interval: count, exact mean, what its deviation, smallest and largest prove",
            "the interval in which the run ended (not written); failures without `--failures-detailed`",
        ),
    ),
    tool(
        "sysbench",
        "sysbench",
        "sysbench.importer:SYSBENCH",
        Measures.RECORDS,
        Form(
            "0.4–1.1",
            "report of any test",
            "counts, exact mean from the sum, percentile as a bucket; `--histogram` with exact edges; "
            "intermediate lines as periods; several reports as runs",
            "counts of intermediate lines; `approx.` percentiles of 0.4 and 0.5 (claims only); fairness of "
            "threads",
        ),
    ),
    tool(
        "hammerdb",
        "HammerDB",
        "hammerdb:HAMMERDB",
        Measures.REQUESTS,
        Form(
            "4.x–5.x",
            "log with its results, time profile (`xtprof`) of all users",
            "new orders and transactions a minute; of each procedure calls, mean, smallest and largest; "
            "percentiles as claims",
            "percentiles as statements; profiles of single users; totals, ratios, deviations without a "
            "unit; `etprof`",
        ),
    ),
    tool(
        "benchbase",
        "BenchBase",
        "benchbase:BENCHBASE",
        Measures.REQUESTS,
        Form(
            "2021–2023",
            "`summary.json`",
            "number, mean, ends and percentiles of all transactions as statements; rates; settings",
            "raw and sampled CSV, histograms by outcome; when it ran (it names when it was written)",
        ),
    ),
    tool(
        "openmessaging-benchmark",
        "OpenMessaging Benchmark",
        "openmessaging:OPENMESSAGING",
        Measures.REQUESTS,
        Form(
            "2018–2024",
            "JSON of a test",
            "mean, largest and the shares of all quantiles of publishing, and of how late it was called, as "
            "statements; end-to-end times as claims (two clocks)",
            "rates, backlogs and latencies of each ten seconds; number of messages (not in the file); when "
            "it ran",
        ),
    ),
    tool(
        "kafka-producer-perf-test",
        "kafka-producer-perf-test",
        "kafka_producer:KAFKA_PRODUCER",
        Measures.REQUESTS,
        Form(
            "0.8–4.x",
            "totals",
            "number, mean, largest and percentiles, a millisecond either way; rates; totals of the steady "
            "state as a run",
            "lines of intervals and number of the warm-up; percentiles beyond 500,000 records (of a sample, "
            "shown)",
        ),
    ),
    tool(
        "rados-bench",
        "rados bench",
        "rados_bench:RADOS_BENCH",
        Measures.REQUESTS,
        Form(
            "10–19",
            "totals of `write`, `seq`, `rand`, as text or JSON (`--format json`)",
            "number, mean, deviation, smallest and largest as statements; rates and bandwidths",
            "rows of seconds; cleaning up; deviation of IOPS in JSON (no number that was measured); "
            "percentiles (rados bench has none)",
        ),
    ),
    tool(
        "esrally",
        "Rally (Elasticsearch)",
        "esrally:ESRALLY",
        Measures.REQUESTS,
        Form(
            "0.9–2.x",
            "summary report, Markdown or CSV",
            "of each task the largest latency (from when a request was due) and service time as statements, "
            "where none failed; other percentiles, throughput and error rate as claims",
            "percentiles as statements (they may be of a t-digest); figures of the cluster (indexing, "
            "merges, collections, sizes); number of requests (not in the report); comparisons",
        ),
    ),
)
