"""Cases of tools for key-value stores."""
# ruff: noqa: E501 - lines are as long as the tools print them

from backend.tests.importers.meaning_cases import MS, ONE_UNIT, US, Case, Meaning, edited


def _nosqlbench(rows: str) -> str:
    head = "t,count,max,mean,min,stddev,p50,p75,p95,p98,p99,p999,mean_rate,m1_rate,m5_rate,m15_rate,"
    return f"{head}rate_unit,duration_unit\n{rows}"


def _timer(t: int, p50: float, most: float, unit: str = "NANOSECONDS") -> str:
    return f"{t},1,{most},{p50},{p50},0.0,{p50},{p50},{p50},{p50},{p50},{p50},0.1,0.0,0.0,0.0,calls/SECONDS,{unit}\n"


def _asadm(first: str, second: str) -> str:
    return (
        "~~~~~~~~~~~~~~~~~~Latency  (2026-11-20 12:30:00 UTC)~~~~~~~~~~~~~~~~~~\n"
        "Namespace|Histogram|          Node|ops/sec|>1ms|>8ms|>64ms\n"
        f"test     |read     |10.0.0.1:3000 |12000.1|{first}|{second}| 0.0\n"
    )


def _go(count: str, us: str) -> str:
    shares = ", ".join(f"{one}th(us): {us}" for one in ("50", "90", "95", "99", "99.9", "99.99"))
    return f"READ   - Takes(s): 1.0, Count: {count}, OPS: 1.0, Avg(us): {us}, Min(us): {us}, Max(us): {us}, {shares}\n"


def _redis(rows: str, requests: str) -> str:
    return (
        f"====== GET ======\n  {requests} requests completed in 0.48 seconds\n  1 parallel clients\n"
        f"\nLatency by percentile distribution:\n{rows}\n\nCumulative distribution of latencies:\n"
        "\nSummary:\n  throughput summary: 2.00 requests per second\n"
    )


def _cassandra(count: str, ms: str) -> str:
    rows = "".join(
        f"Latency {name:<18}:    {ms} ms [READ: {ms} ms]\n"
        for name in ("mean", "median", "95th percentile", "99th percentile", "99.9th percentile", "max")
    )
    return (
        "Results:\nOp rate                   :   1 op/s  [READ: 1 op/s]\n"
        f"Partition rate            :   1 pk/s  [READ: 1 pk/s]\n{rows}"
        f"Total partitions          :   {count} [READ: {count}]\nTotal errors              :   0 [READ: 0]\n"
        "Total operation time      : 00:00:01\nEND\n"
    )


_SCYLLA_SAME = ((r"(max|99\.9th|99th|95th|90th|median|mean):\t(\t?) \S+", r"\1:\t\2 851.967µs"),)


KEY_VALUE_MEANINGS: dict[str, Meaning] = {
    "latency-table": Meaning(
        one="its tables have no counts",
        contradiction=Case(_asadm("1.00", "5.00")),
        units=Case(_asadm("60.00", "1.00").replace(">1ms", ">64us"), "read", (100 * US, 100 * US)),
        rounding=Case(_asadm(" 0.00", " 0.00"), "read", None),
    ),
    "asbench": Meaning(
        one=Case(
            "hdr histogram format:\n UTC-time, seconds-running, total, min-latency, max-latency, 50%, 99%\n"
            "2026-11-20 12:30:54.821 INFO write(tps=0 (hit=0 miss=0) timeouts=0 errors=0) "
            "read(tps=1 (hit=1 miss=0) timeouts=0 errors=0) total(tps=1 (hit=1 miss=0) timeouts=0 errors=0)\n"
            "hdr: read  2026-11-20T12:30:54Z 1, 1, 90, 90, 90, 90\n",
            "read",
            (90 * US, 91 * US - 1),
            count=1,
        ),
        contradiction=Case(
            "hdr histogram format:\n UTC-time, seconds-running, total, min-latency, max-latency, 50%, 99%\n"
            "hdr: read  2026-11-20T12:30:54Z 1, 1000, 90, 900, 5000, 6000\n"
        ),
        units=ONE_UNIT,
        rounding=Case(
            "hdr histogram format:\n UTC-time, seconds-running, total, min-latency, max-latency, 50%, 99%\n"
            "2026-11-20 12:30:54.821 INFO write(tps=0 (hit=0 miss=0) timeouts=0 errors=0) "
            "read(tps=1 (hit=1 miss=0) timeouts=0 errors=0) total(tps=1 (hit=1 miss=0) timeouts=0 errors=0)\n"
            "hdr: read  2026-11-20T12:30:54Z 1, 1, 0, 0, 0, 0\n",
            "read",
            (0, US - 1),
            count=1,
        ),
    ),
    "aerospike-java": Meaning(
        one=Case(
            edited(
                "aerospike_java/alternate.stdout.txt",
                (r"total\(4\)", "total(1)"),
                (
                    r"<=1ms\(1:25%\) >1ms\(3:75%\) >2ms\(2:50%\) >4ms\(1:25%\)",
                    "<=1ms(0:0%) >1ms(1:100%) >2ms(0:0%) >4ms(0:0%)",
                ),
            ),
            "read",
            (MS + 1, 2 * MS),
            count=1,
        ),
        contradiction=Case(edited("aerospike_java/alternate.stdout.txt", (r">2ms\(2:50%\)", ">2ms(9:50%)"))),
        units=Case(
            edited(
                "aerospike_java/alternate.stdout.txt",
                (r"total\(4\)", "total(1)"),
                (
                    r"<=1ms\(1:25%\) >1ms\(3:75%\) >2ms\(2:50%\) >4ms\(1:25%\)",
                    "<=900us(0:0%) >900us(1:100%) >2ms(0:0%) >4ms(0:0%)",
                ),
                (r"<=1ms(.*) >1ms", r"<=900us\1 >900us"),
            ),
            "read",
            (900 * US + 1, 2 * MS),
            count=1,
        ),
        rounding=Case(
            edited(
                "aerospike_java/j3.stdout.txt",
                (r"Avg Latency:\d+us", "Avg Latency:0us"),
                (r"\(avg:\d+us Min:\d+us Max:\d+us\)", "(avg:0us Min:0us Max:0us)"),
                (r"Latency:\d+ms", "Latency:0ms"),
            ),
            "",
            (0, US - 1),
        ),
    ),
    "memtier": Meaning(
        one="its tables of shares have no counts",
        contradiction=Case(
            edited(
                "memtier/command.stdout.txt",
                (r"HSET      0\.391       50\.000", "HSET      0.391      150.000"),
            )
        ),
        units=ONE_UNIT,
        rounding=Case(
            edited("memtier/command.stdout.txt", (r"HSET      0\.391", "HSET      0.103")), "hset", None
        ),
    ),
    "ycsb-cpp": Meaning(
        one=Case(
            "2026-11-20 12:30:02 1 sec: 1 operations; [READ: Count=1 Max=90.12 Min=90.12 Avg=90.12 90=90.12 99=90.12]\n"
            "Run runtime(sec): 1.0\nRun operations(ops): 1\nRun throughput(ops/sec): 1\n",
            "read",
            (90_120, 90_130),
            count=1,
        ),
        contradiction=Case(
            "2026-11-20 12:30:02 1 sec: 9 operations; [READ: Count=9 Max=5.12 Min=90.12 Avg=3.00 90=80.12 99=7.12]\n"
            "Run throughput(ops/sec): 1\n"
        ),
        units=ONE_UNIT,
        rounding=Case(
            "2026-11-20 12:30:02 1 sec: 1 operations; [READ: Count=1 Max=0.00 Min=0.00 Avg=0.00 90=0.00 99=0.00]\n"
            "Run throughput(ops/sec): 1\n",
            "read",
            (0, 9),
        ),
    ),
    "go-ycsb": Meaning(
        one=Case(_go("1", "801"), "read", (801 * US, 802 * US - 1), count=1),
        contradiction=Case(_go("9", "801").replace("Max(us): 801", "Max(us): 7")),
        units=ONE_UNIT,
        rounding=Case(_go("1", "0"), "read", (0, US - 1)),
    ),
    "ycsb": Meaning(
        one=Case(
            "[OVERALL], Throughput(ops/sec), 1.0\n[READ], Operations, 1\n[READ], AverageLatency(us), 90.0\n"
            "[READ], MinLatency(us), 90\n[READ], MaxLatency(us), 90\n[READ], 95thPercentileLatency(us), 90\n"
            "[READ], 99thPercentileLatency(us), 90\n[READ], Return=OK, 1\n",
            "read",
            (90 * US, 91 * US - 1),
            count=1,
        ),
        contradiction=Case(
            "[OVERALL], Throughput(ops/sec), 1.0\n[READ], Operations, 9\n[READ], AverageLatency(us), 90.0\n"
            "[READ], MaxLatency(us), 90\n[READ], 95thPercentileLatency(us), 95\n[READ], Return=OK, 90\n"
        ),
        units=Case(
            "[OVERALL], Throughput(ops/sec), 1.0\n[READ], Operations, 9\n[READ], AverageLatency(us), 5500.0\n"
            "[READ], MinLatency(us), 5000\n[READ], MaxLatency(us), 5999\n[READ], 95thPercentileLatency(ms), 5\n",
            "read",
            (5_500 * US, 5_500 * US),
        ),
        rounding=Case(
            "[OVERALL], Throughput(ops/sec), 1.0\n[READ], Operations, 9\n[READ], MaxLatency(us), 1999\n"
            "[READ], 95thPercentileLatency(ms), 0\n[READ], 99thPercentileLatency(ms), 1\n",
            "read",
            (0, 900 * US),
        ),
    ),
    "redis-benchmark": Meaning(
        one=Case(
            _redis("100.000% <= 0.063 milliseconds (cumulative count 1)", "1"),
            "get",
            (56 * US, 63 * US),
            count=1,
        ),
        contradiction=Case(
            _redis(
                "50.000% <= 0.063 milliseconds (cumulative count 9)\n"
                "100.000% <= 0.095 milliseconds (cumulative count 5)",
                "9",
            )
        ),
        units=ONE_UNIT,
        # Up to 6.0 whole milliseconds, cut.
        rounding=Case(
            "====== GET ======\n  1 requests completed in 0.48 seconds\n  1 parallel clients\n  3 bytes payload\n"
            "  keep alive: 1\n\n100.00% <= 0 milliseconds\n2.08 requests per second\n\n",
            "get",
            (0, MS - 1),
        ),
    ),
    "nosqlbench": Meaning(
        one=Case(_nosqlbench(_timer(100, 90_111.0, 90_111.0)), "result", (90_000, 90_111), "main_result.csv"),
        contradiction=Case(_nosqlbench(_timer(100, 90_111.0, 1_000.0)), name="main_result.csv"),
        units=Case(
            _nosqlbench(_timer(100, 90_111.0, 90_111.0) + _timer(110, 3.0, 3.0, "MILLISECONDS")),
            "result",
            (90_000, 90_111),
            "main_result.csv",
        ),
        rounding=Case(_nosqlbench(_timer(100, 0.4, 1.0)), "result", (0, 1), "main_result.csv"),
    ),
    "db_bench": Meaning(
        one=Case(
            "fillrandom   :      71.379 micros/op 24677 ops/sec 1.621 seconds 1 operations;    2.7 MB/s\n"
            "Microseconds per write:\nCount: 1 Average: 8.0000  StdDev: 0.00\nMin: 8  Median: 8.0000  Max: 8\n"
            "Percentiles: P50: 8.00 P75: 8.00 P99: 8.00 P99.9: 8.00 P99.99: 8.00\n"
            "------------------------------------------------------\n"
            "(       6,      10 ]        1 100.000% 100.000% ####################\n",
            "",
            (8 * US, 8 * US),
            count=1,
        ),
        contradiction=Case(
            "fillrandom   :      71.379 micros/op 24677 ops/sec 1.621 seconds 9 operations;    2.7 MB/s\n"
            "Microseconds per write:\nCount: 9 Average: 8.0000  StdDev: 0.00\nMin: 8  Median: 8.0000  Max: 8\n"
            "Percentiles: P50: 8.00 P75: 8.00 P99: 8.00 P99.9: 8.00 P99.99: 8.00\n"
            "------------------------------------------------------\n"
            "(       6,      10 ]        1 100.000% 100.000% ####################\n"
        ),
        units=ONE_UNIT,
        rounding=Case(
            "fillrandom   :      71.379 micros/op 24677 ops/sec 1.621 seconds 1 operations;    2.7 MB/s\n"
            "Microseconds per write:\nCount: 1 Average: 0.0000  StdDev: 0.00\nMin: 0  Median: 0.0000  Max: 0\n"
            "Percentiles: P50: 0.00 P75: 0.00 P99: 0.00 P99.9: 0.00 P99.99: 0.00\n"
            "------------------------------------------------------\n"
            "[       0,       1 ]        1 100.000% 100.000% ####################\n",
            "",
            (0, US - 1),
            count=1,
        ),
    ),
    "cassandra-stress": Meaning(
        one=Case(_cassandra("1", "0.9"), "read", (850 * US, 950 * US)),
        contradiction=Case(
            _cassandra("9", "0.9").replace(
                "max               :    0.9 ms [READ: 0.9", "max               :    0.1 ms [READ: 0.1"
            )
        ),
        units=ONE_UNIT,
        rounding=Case(_cassandra("1", "0.0"), "read", (0, 50 * US)),
    ),
    "scylla-bench": Meaning(
        one=Case(
            edited("stress/scylla.txt", (r"Total ops:\t 50010", "Total ops:\t 1"), *_SCYLLA_SAME),
            "read",
            (851_967, 851_967),
        ),
        contradiction=Case(edited("stress/scylla.txt", (r"median:\t 851\.967µs", "median:	 99ms"))),
        units=Case(
            edited("stress/scylla.txt", (r"median:\t 851\.967µs", "median:	 900ns")), "read", (900, 900)
        ),
        rounding=Case(edited("stress/scylla.txt", (_SCYLLA_SAME[0][0], r"\1:\t\2 0s")), "read", (0, 999_999)),
    ),
}
