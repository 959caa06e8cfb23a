"""Result files of load generators for HTTP and gRPC."""

from tailroom.domain.tools.tool import Form, Measures, Tool, tool

WEB_LOAD: tuple[Tool, ...] = (
    tool(
        "k6",
        "k6",
        "web_load.k6:K6",
        Measures.REQUESTS,
        Form(
            "0.2x–1.x",
            "summary at the end; `--summary-export`, JSON of `handleSummary`",
            "requests as statements with their number, mean, smallest and largest; percentiles lie between "
            "two ranks; failed requests; other trends and counters as claims",
            "checks, thresholds, gauges and groups; bytes of the text; trends of a script that are no "
            "times; when it ran",
        ),
        Form(
            "0.2x–1.x",
            "`--out json` (lines), `--out csv`",
            "every request exactly, a piece a second",
            "metrics other than `http_req_duration` and `grpc_req_duration`; tags (status, name, group)",
        ),
    ),
    tool(
        "hey",
        "hey",
        "web_load.hey:HEY",
        Measures.REQUESTS,
        Form(
            "0.1.x",
            "report",
            "number, errors, mean, ends, percentiles and the histogram as statements; statuses, bytes",
            "the details (DNS, connecting, writing, waiting, reading); size of an answer; beyond a million "
            "requests the percentiles, which are of the first million (shown)",
        ),
        Form(
            "0.1.x",
            "`-o csv`",
            "every request, each between the two ends of its rounding (0.1 ms)",
            "when a request began; its parts; requests without an answer (not in the file)",
        ),
    ),
    tool(
        "oha",
        "oha",
        "web_load.oha:OHA",
        Measures.REQUESTS,
        Form(
            "0.4–1.x",
            "report, JSON",
            "number, errors, mean, ends and percentiles as statements; statuses, bytes, success",
            "the histogram of eleven buckets; parts of a request; sizes of answers; the rate over time and "
            "its percentiles; whether times begin at the schedule; breakdown by success",
        ),
        Form(
            "1.x",
            "CSV",
            "every answered request exactly, a piece a second",
            "parts of a request; requests without an answer (not in the file)",
        ),
    ),
    tool(
        "ghz",
        "ghz",
        "web_load.ghz:GHZ",
        Measures.REQUESTS,
        Form(
            "0.2x–0.1xx",
            "summary, JSON, CSV",
            "JSON with its details: every call exactly; else number, errors, ends, percentiles and the "
            "histogram as statements; CSV: each call between the two ends of its rounding",
            "the average where calls failed (it is of all); the histogram of the JSON; tags and options "
            "beyond the load; HTML, InfluxDB and Prometheus outputs",
        ),
    ),
    tool(
        "vegeta",
        "vegeta",
        "web_load.vegeta:VEGETA",
        Measures.REQUESTS,
        Form(
            "6–12.x",
            "results as CSV and JSON (`vegeta encode`)",
            "every request exactly, a piece a second; requests without an answer as misses",
            "the binary results (gob); bodies, headers, methods and addresses",
        ),
        Form(
            "6–12.x",
            "report (text, JSON), `hdrplot`",
            "number, mean, smallest and largest; statuses, rates, bytes; percentiles as claims",
            "percentiles as statements: they are estimates of a t-digest without certain ends; the sum and "
            "the buckets of the JSON; the error set",
        ),
        Form("6–12.x", "`hist[…]`", "exact counts between the edges that were asked for", ""),
    ),
    tool(
        "bombardier",
        "bombardier",
        "web_load.bombardier:BOMBARDIER",
        Measures.REQUESTS,
        Form(
            "1.x",
            "text, JSON (`-p r -o json`)",
            "number with the failed, mean, deviation, largest, percentiles (`-l`) as statements; statuses, "
            "rates, bytes",
            "percentiles of the rate; headers and bodies; which latencies are of failed requests",
        ),
    ),
    tool(
        "sockperf",
        "sockperf",
        "sockperf:SOCKPERF",
        Measures.REQUESTS,
        Form(
            "2.x–3.x",
            "statistics of the client, of each server",
            "number, mean, deviation, ends and percentiles of half round trips as statements",
            "other measures of spread, warm-up; duplicates and order; raw results (`--full-log`); whether "
            "it waited for echoes",
        ),
    ),
)
