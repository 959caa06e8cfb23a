"""Result files of Aerospike's tools."""

from tailroom.domain.tools.tool import Form, Measures, Tool, tool

AEROSPIKE: tuple[Tool, ...] = (
    tool(
        "aerospike-server",
        "Tables of Aerospike (ACT, asloglatency, asadm)",
        "latency_tables.importer:LATENCY_TABLE",
        Measures.RECORDS,
        Form(
            "4.x–6.x",
            "table printed by ACT's `act_latency.py`",
            "shares over each limit: the test lies between its smallest and largest slice; means and worst "
            "slices as printed; rates (`-x`)",
            "number of operations; anything but the row `max` where rows are left out",
        ),
        Form(
            "4.x–6.x",
            "`asloglatency` of a server's log",
            "each stretch, and all of them by their rates, as shares between two ends",
            "number of operations; latencies outside the server",
        ),
        Form(
            "2.x–3.x",
            "`asadm` `show latencies`",
            "each node and histogram at one moment, as shares between two ends",
            "how long it was; the line over all nodes",
        ),
    ),
    tool(
        "act",
        "ACT",
        "act.importer:ACT",
        Measures.ACT,
        Form(
            "6.x",
            "log of `act_storage`",
            "every block of `reads`, `writes`, each device and large blocks as exact counts; configuration, "
            "derived rates, sizes; failed operations as misses; how it ended",
            "when it ran, what the drive is, lag of the threads behind their schedule (not in the log)",
        ),
        Form(
            "6.x",
            "log of `act_index`",
            "the same for `reads`, `writes` and each device",
            "which reads are the cache threads'",
        ),
        Form(
            "5.x",
            "log of `act_storage`, `act_index`",
            "the same, with and without the queue (`reads` or `trans-reads`, `device-reads`); largest "
            "`requests-queued`",
            "`requests-queued` of each block",
        ),
        Form(
            "2.x–4.x",
            "log of `act`",
            "the same; with commit-to-device the second group of device names as writes",
            "",
        ),
        Form(
            "2012, 2013 (no version)",
            "log of `act`",
            "shares between two ends: clocks tick in whole milliseconds and bucket 00 reaches to 2 ms; "
            "pieces of at most a day are kept, 1,500 at most",
            "exact counts over a limit: no such number exists in these logs",
        ),
        Form(
            "all",
            "configuration (`.conf`, `actconfig.txt`)",
            "with the log of the same name (or the only log): what the log does not echo, the unit of a log "
            "without its head",
            "alone it holds no run",
        ),
    ),
    tool(
        "asbench",
        "asbench",
        "asbench.importer:ASBENCH",
        Measures.KEY_VALUE,
        Form(
            "1.x–2.x",
            "standard output",
            "cumulative percentiles (the last line of each operation), time-outs and errors, stages as "
            "phases, rates of periods",
            "stages to the bucket (two ends only); latencies of reads that found nothing; totals of both "
            "operations; settings of connections",
        ),
        Form(
            "1.x–2.x",
            "`--output-file`, histograms in the output",
            "every period as exact counts between explicit edges; appended runs as runs",
            "",
        ),
    ),
    tool(
        "aerospike-java-benchmark",
        "Aerospike Java benchmark",
        "aerospike_java.importer:AEROSPIKE_JAVA",
        Measures.KEY_VALUE,
        Form(
            "3.x–9.x",
            "output, `-latency` columns",
            "shares of each period and of the run, whole per cent as two ends; counts, time-outs, errors",
            "latencies beyond the last column; time zone",
        ),
        Form(
            "5.x–9.x",
            "output, `-latency alt`, `-latency ycsb`",
            "`alt`: exact counts of each period; `ycsb`: count, smallest, largest, mean, 95 and 99 %",
            "failures in the totals of both operations; operations of a period beside its rate",
        ),
    ),
)
