"""Result files that several tools write, and our own."""

from tailroom.domain.tools.tool import Form, Measures, Tool

ANY_TOOL: tuple[Tool, ...] = (
    Tool(
        "tailroom-agent",
        "Tailroom agent",
        "agent_result.importer:AGENT_RESULT",
        Measures.AGENT,
        (
            Form(
                "result file 1",
                "what `run --result` writes",
                "every interval of the histograms: exact counts, counts over the limits, "
                "misses, sum, smallest, largest, intended operations; plan and host; how it "
                "ended; missing sequence numbers",
                "live ticks (they count the same operations); largest lateness, operations under way and "
                "temperature of an interval",
            ),
        ),
    ),
    Tool(
        "hdrhistogram",
        "HdrHistogram",
        "hdr_log.importer:HDR_LOG",
        Measures.RECORDS,
        (
            Form(
                "log format 1.0–1.3, payloads V0, V1, V2",
                "log (`.hdr`, `.hgrm`, `.hdrhist`, `.hlog`) of YCSB, memtier, asbench, jHiccup "
                "or any library",
                "every interval as exact counts in its own buckets; tags as series; start and base time",
                "the unit where the tool is not named (taken by convention and asked for); "
                "fractions (DoubleHistogram)",
            ),
            Form(
                "any",
                "percentile table (`Value Percentile TotalCount`)",
                "exact cumulative counts; with two digits, shares between two ends; mean, deviation, largest",
                "the unit (taken by convention and asked for); the operation (from the name of "
                "the file, noted); the number of buckets",
            ),
        ),
    ),
    Tool(
        "distribution",
        "Distribution document",
        "distribution_file:DISTRIBUTION_FILE",
        Measures.RECORDS,
        (
            Form(
                "1",
                "JSON with a layout and counts, percentiles or knots",
                "everything, strictly",
                "after which time an operation was given up (`timeout_ns`)",
            ),
        ),
    ),
)
