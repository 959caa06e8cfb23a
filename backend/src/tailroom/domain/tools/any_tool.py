"""Result files that several tools write, our own, and histograms of production systems."""

from tailroom.domain.tools.tool import Form, Measures, Tool, tool

ANY_TOOL: tuple[Tool, ...] = (
    tool(
        "tailroom-agent",
        "Tailroom agent",
        "agent_result.importer:AGENT_RESULT",
        Measures.AGENT,
        Form(
            "result file 1",
            "what `run --result` writes",
            "every interval of the histograms: exact counts, counts over the limits, misses, sum, smallest, "
            "largest, intended operations; plan and host; how it ended; missing sequence numbers",
            "live ticks (they count the same operations); largest lateness, operations under way and "
            "temperature of an interval",
        ),
    ),
    tool(
        "hdrhistogram",
        "HdrHistogram",
        "hdr_log.importer:HDR_LOG",
        Measures.RECORDS,
        Form(
            "log format 1.0–1.3, payloads V0, V1, V2",
            "log (`.hdr`, `.hgrm`, `.hdrhist`, `.hlog`) of YCSB, memtier, asbench, jHiccup or any library",
            "every interval as exact counts in its own buckets; tags as series; start and base time",
            "the unit where the tool is not named (taken by convention and asked for); fractions "
            "(DoubleHistogram)",
        ),
        Form(
            "any",
            "percentile table (`Value Percentile TotalCount`)",
            "exact cumulative counts; with two digits, shares between two ends; mean, deviation, largest",
            "the unit (taken by convention and asked for); the operation (from the name of the file, "
            "noted); the number of buckets",
        ),
    ),
    tool(
        "distribution",
        "Distribution document",
        "distribution_file:DISTRIBUTION_FILE",
        Measures.RECORDS,
        Form(
            "1",
            "JSON with a layout and counts, percentiles or knots",
            "everything, strictly",
            "after which time an operation was given up (`timeout_ns`)",
        ),
    ),
)


PRODUCTION: tuple[Tool, ...] = (
    tool(
        "prometheus",
        "Prometheus",
        "production.prometheus:PROMETHEUS",
        Measures.PRODUCTION,
        Form(
            "text 0.0.4, OpenMetrics 1.0",
            "page of a program (`/metrics`), one or several in a file",
            "each histogram of times, by labels and together: exact counts at most each `le`; two pages "
            "make the stretch between them, counters that fell have started again; the mean of the sum; "
            "since when they count (`_created`)",
            "summaries (no certain ends), gauge histograms, counters, gauges, histograms of no times, "
            "exemplars",
        ),
        Form(
            "protobuf (`io.prometheus.client`), each family behind its length",
            "page of a program, one or several in a file",
            "classic buckets, native ones of schemas −4 to 8 and the bucket of zeros: exact counts at most "
            "each edge, of both where a histogram has both; else as pages of text",
            "summaries, gauge histograms, counters, gauges, negative and fractional counts, exemplars; "
            "files beyond 32 MiB",
        ),
        Form(
            "2.x, 3.x",
            "answer of the query API: instant, range, range selector",
            "counters of `le` buckets and native histograms (edges exact): each stretch between two times "
            "as exact counts, counters that fell have started again; the mean of the sum",
            "`rate()`, `increase()` (they extrapolate), quantiles, negative values",
        ),
    ),
    tool(
        "opentelemetry",
        "OpenTelemetry",
        "production.opentelemetry:OPENTELEMETRY",
        Measures.PRODUCTION,
        Form(
            "OTLP 1.x",
            "metrics as JSON (document, or one a line) and protobuf (alone, or behind its length)",
            "explicit and exponential histograms of times, cumulative and delta: exact counts at most each "
            "edge, each point a stretch; the mean from the sum",
            "summaries (no certain ends), sums, gauges, histograms of no times, smallest and largest, "
            "exemplars, the version of its scope",
        ),
    ),
    tool(
        "ddsketch",
        "DDSketch",
        "production.ddsketch:DDSKETCH",
        Measures.PRODUCTION,
        Form(
            "1.x–4.x",
            "message of the library, protobuf or JSON",
            "exact counts below each edge, which is between those of the libraries' two numberings",
            "interpolated mappings, weights and negative values (refused); the unit (taken and asked for); "
            "when it was",
        ),
    ),
)
