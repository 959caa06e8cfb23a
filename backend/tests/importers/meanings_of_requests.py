"""Cases of tools for databases and requests to servers."""
# ruff: noqa: E501 - lines are as long as the tools print them

from backend.tests.importers import load_outputs
from backend.tests.importers.meaning_cases import ONE_UNIT, US, Case, Meaning, S, edited


def _hammerdb(calls: str, ms: str) -> str:
    return (
        "Vuser 1:2 Active Virtual Users configured\n"
        "Vuser 1:TEST RESULT : System achieved 1785 NOPM from 4109 PostgreSQL TPM\n"
        ">>>>> SUMMARY OF 2 ACTIVE VIRTUAL USERS : MEDIAN ELAPSED TIME : 127146ms\n>>>>> PROC: NEWORD\n"
        f"CALLS: {calls}\tMIN: {ms}ms\tAVG: {ms}ms\tMAX: {ms}ms\tTOTAL: {ms}ms\n"
        f"P99: {ms}ms\tP95: {ms}ms\tP75: {ms}ms\tP50: {ms}ms\tP25: {ms}ms\tSD: 0.000ms\tRATIO: 48.963%\n"
    )


def _benchbase(count: int, us: int) -> str:
    names = ("Minimum", "Average", "Median", "25th Percentile", "99th Percentile", "Maximum")
    times = ", ".join(f'"{name} Latency (microseconds)": {us}' for name in names)
    return (
        '{"Benchmark Type": "tpcc", "DBMS Type": "POSTGRES", "Final State": "EXIT", "terminals": "8", '
        f'"Measured Requests": {count}, "Elapsed Time (nanoseconds)": 60000123456, "Goodput (requests/second)": 99.5, '
        f'"Throughput (requests/second)": 100.25, "Latency Distribution": {{{times}}}}}\n'
    )


def _openmessaging(ms: str, median: str | None = None) -> str:
    shares = f'"50.0": {median or ms}, "100.0": {ms}'
    return (
        '{"workload": "w", "driver": "Kafka", "messageSize": 100, "publishRate": [9.5], '
        f'"aggregatedPublishLatencyAvg": {ms}, "aggregatedPublishLatency50pct": {median or ms}, '
        f'"aggregatedPublishLatencyMax": {ms}, "aggregatedPublishLatencyQuantiles": {{{shares}}}}}\n'
    )


def _kafka(count: str, ms: str) -> str:
    return (
        f"{count} records sent, 600.0 records/sec (0.29 MB/sec), {ms}.00 ms avg latency, {ms}.00 ms max latency.\n"
        f"{count} records sent, 599.880024 records/sec (0.29 MB/sec), {ms}.00 ms avg latency, {ms}.00 ms max latency, "
        f"{ms} ms 50th, {ms} ms 95th, {ms} ms 99th, {ms} ms 99.9th.\n"
    )


def _sockperf(count: str, us: str) -> str:
    rows = "".join(
        f"sockperf: ---> percentile {share} = {us:>8}\n" for share in ("99.900", "99.000", "50.000")
    )
    return (
        "sockperf: == version #3.10-23.gited92afb185e6 == \n"
        "sockperf: ========= Printing statistics for Server No: 0\n"
        f"sockperf: [Valid Duration] RunTime=0.550 sec; SentMessages={count}; ReceivedMessages={count}\n"
        f"sockperf: ====> avg-latency={us} (std-dev=0.000, mean-ad=0.000)\n"
        "sockperf: # dropped messages = 0; # duplicated messages = 0; # out-of-order messages = 0\n"
        f"sockperf: Summary: Latency is {us} usec\nsockperf: Total {count} observations; each percentile contains 0.01 observations\n"
        f"sockperf: ---> <MAX> observation = {us:>8}\n{rows}sockperf: ---> <MIN> observation = {us:>8}\n"
    )


def _rally(value: str, half: str | None = None) -> str:
    rows = "".join(
        f"{share} percentile {kind},search,{time},ms\n"
        for kind in ("latency", "service time")
        for share, time in (("50th", half or value), ("100th", value))
    )
    return f"Metric,Task,Value,Unit\nMean Throughput,search,50.5,ops/s\n{rows}error rate,search,0.0,%\n"


def _bonnie(latency: str) -> str:
    rates, files = "711,99," * 6, "21044,61," * 6
    return f"1.97,1.97,node,1,1732105845,16G,,{rates}16,,,,,{files}{','.join([latency] * 12)}\n"


REQUESTS_MEANINGS: dict[str, Meaning] = {
    "wrk": Meaning(
        one=Case(
            edited("wrk/latency.txt", (r"96 requests in", "1 requests in")),
            "request",
            (43_965 * US, 43_975 * US),
        ),
        contradiction=Case(edited("wrk/latency.txt", (r"75%   44.01ms", "75%   33.01ms"))),
        units=Case(edited("wrk/latency.txt", (r"43\.97ms", "900.00us")), "request", (899_995, 900_005)),
        rounding=Case(edited("wrk/latency.txt", (r"43\.97ms", "0.00us")), "request", (0, 5)),
    ),
    "pgbench": Meaning(
        one=Case("0 1 90 0 1795178090 2241\n", "transaction", (90 * US, 91 * US - 1), "pgbench_log.1", 1),
        contradiction=Case(edited("pgbench/aggr.txt", (r"542/2108", "9542/2108"))),
        units=ONE_UNIT,
        rounding=Case(
            edited(
                "pgbench/aggr.txt",
                (r"latency average = 12\.846", "latency average = 0.000"),
                (r"stddev = 11\.541", "stddev = 0.000"),
            ),
            "transaction",
            None,
        ),
    ),
    "sysbench": Meaning(
        one=Case(
            edited(
                "sysbench/s1_cpu.txt",
                (r"events: +24830", "events:   1"),
                (r"(min:|avg:|max:|95th percentile:|sum:) +[\d.]+", r"\1    0.40"),
            ),
            "event",
            (400 * US, 400 * US),
            count=1,
        ),
        contradiction=Case(edited("sysbench/s1_cpu.txt", (r"max: +57\.04", "max:   0.10"))),
        units="milliseconds, whatever the test",
        rounding=Case(
            edited(
                "sysbench/s1_cpu.txt",
                (r"events: +24830", "events:   1"),
                (r"(min:|avg:|max:|95th percentile:|sum:) +[\d.]+", r"\1    0.00"),
            ),
            "event",
            (0, 4_999),
        ),
    ),
    "k6": Meaning(
        one=Case(load_outputs.k6([7_501_000]), "request", (7_500_000, 7_510_000), count=1),
        contradiction=Case(load_outputs.k6([7_500_000] * 9).replace("max=7.5ms", "max=0.5ms")),
        units=Case(load_outputs.k6([900_500]), "request", (900_500, 900_500), count=1),
        rounding=Case(load_outputs.k6([4]), "request", (4, 4), count=1),
    ),
    "hey": Meaning(
        one=Case(load_outputs.hey([7_501_000], S), "request", (7_450_001, 7_549_999), count=1),
        contradiction=Case(load_outputs.hey([7_500_000] * 9, S).replace("50% in 0.0075", "50% in 0.9075")),
        units=ONE_UNIT,
        rounding=Case(load_outputs.hey([40_000], S), "request", (0, 49_999), count=1),
    ),
    "oha": Meaning(
        one=Case(load_outputs.oha_json([7_501_000], S), "request", (7_501_000, 7_501_000), "o.json", 1),
        contradiction=Case(
            load_outputs.oha([7_500_000] * 9, S).replace("50.00% in 0.0075", "50.00% in 0.9075")
        ),
        units=Case(
            load_outputs.oha([7_500_000], S).replace("50.00% in 0.0075 sec", "50.00% in 7.5000 ms"),
            "request",
            (7_500_000, 7_500_000),
        ),
        rounding=Case(load_outputs.oha([40_000], S), "request", (0, 49_999), count=1),
    ),
    "ghz": Meaning(
        one=Case(load_outputs.ghz([7_501_000], S), "request", (7_501_000, 7_501_000), count=1),
        contradiction=Case(load_outputs.ghz([7_500_000] * 9, S).replace("50 % in 7.50", "50 % in 9.50")),
        units=Case(load_outputs.ghz([900_500], S), "request", (900_500, 900_500), count=1),
        rounding=Case(load_outputs.ghz_csv([4_000]), "request", (0, 4_999), count=1),
    ),
    "vegeta": Meaning(
        one=Case(load_outputs.vegeta([7_501_000], S), "request", (7_501_000, 7_501_000), count=1),
        contradiction=Case(
            load_outputs.vegeta([7_500_000] * 9, S).replace("  7.5ms, 7.5ms", "  7.5ms, 9.5ms")
        ),
        units=Case(load_outputs.vegeta([900_500], S), "request", (900_500, 900_500), count=1),
        rounding="durations of Go have three decimals of a unit that goes with the size",
    ),
    "bombardier": Meaning(
        one=Case(load_outputs.bombardier([7_501_300]), "request", (7_501_000, 7_501_999), count=1),
        contradiction=Case(
            load_outputs.bombardier([7_500_000] * 9).replace("50%     7.50ms", "50%     9.50ms")
        ),
        units=Case(load_outputs.bombardier([900_500]), "request", (900_000, 900_999), count=1),
        rounding=Case(load_outputs.bombardier([400]), "request", (0, 999), count=1),
    ),
    "hammerdb": Meaning(
        one=Case(_hammerdb("1", "36.332"), "neword", (36_332_000, 36_332_000), count=1),
        contradiction=Case(_hammerdb("9", "36.332").replace("AVG: 36.332", "AVG: 99.332")),
        units="milliseconds, whatever the size",
        rounding=Case(_hammerdb("1", "0.000"), "neword", (0, 499)),
    ),
    "benchbase": Meaning(
        one=Case(_benchbase(1, 4051), "transaction", (4_051_000, 4_051_999), "a.summary.json", 1),
        contradiction=Case(
            _benchbase(9, 4051).replace(
                '"Median Latency (microseconds)": 4051', '"Median Latency (microseconds)": 9999'
            )
        ),
        units=ONE_UNIT,
        rounding=Case(_benchbase(1, 0), "transaction", (0, 999), "a.summary.json", 1),
    ),
    "openmessaging-benchmark": Meaning(
        one=Case(_openmessaging("4.051"), "publish", (4_051_000, 4_051_999), "a.json"),
        contradiction=Case(_openmessaging("4.051", "9.999"), name="a.json"),
        units="milliseconds for messages, microseconds for how late they were sent, whatever the size",
        rounding=Case(_openmessaging("0.001"), "publish", (1_000, 1_999), "a.json"),
    ),
    "kafka-producer": Meaning(
        one=Case(_kafka("1", "3"), "request", (2_000_000, 3_999_999), count=1),
        contradiction=Case(_kafka("9", "3").replace("3 ms 50th", "30 ms 50th")),
        units="milliseconds by its words",
        rounding=Case(_kafka("1", "0"), "request", (0, 999_999), count=1),
    ),
    "esrally": Meaning(
        one=Case(_rally("9.25"), "search", (0, 9_255_000)),
        contradiction="percentiles below the 100th are not used",
        units=ONE_UNIT,
        rounding=Case(_rally("0.001"), "search", (0, 1_500)),
    ),
    "bonnie++": Meaning(
        one=Case(_bonnie("12031us"), "rewrite", (0, 12_031_999)),
        contradiction="of each test a single time is printed",
        units=Case(_bonnie("112ms"), "rewrite", (0, 112_999_999)),
        rounding=Case(_bonnie("1us"), "rewrite", (0, 1_999)),
    ),
    "sockperf": Meaning(
        one=Case(_sockperf("1", "5.975"), "message", (5_975, 5_975), count=1),
        contradiction=Case(_sockperf("9", "5.975").replace("avg-latency=5.975", "avg-latency=9.975")),
        units="microseconds by its words",
        rounding=Case(_sockperf("1", "0.000"), "message", (0, 0), count=1),
    ),
}
