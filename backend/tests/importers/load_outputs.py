"""What load generators print of given requests, written after their sources: peers of the importers.

Latencies are whole nanoseconds. Each function returns the text as the tool would print it.
"""
# ruff: noqa: E501 - lines are as long as the tools print them

import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime

START_NS = 1_770_700_000_250_000_000


def _sorted(latencies: Sequence[int]) -> list[int]:
    return sorted(latencies)


def _later(ordered: Sequence[int], percent: int) -> int | None:
    """The first request of which as many per cent lie before it (hey and ghz of old)."""
    size = len(ordered)
    return next((ordered[at] for at in range(size) if at * 100 // size >= percent), None)


def _histogram(ordered: Sequence[int]) -> list[tuple[float, int]]:
    fastest, slowest = ordered[0] / 1e9, ordered[-1] / 1e9
    edges = [fastest + (slowest - fastest) / 10 * at for at in range(10)] + [slowest]
    counts = [0] * 11
    at = 0
    for latency in ordered:
        while at < 10 and latency / 1e9 > edges[at]:
            at += 1
        counts[at] += 1
    return list(zip(edges, counts, strict=True))


def hey(latencies: Sequence[int], total_ns: int, errors: int = 0) -> str:
    ordered = _sorted(latencies)
    size = len(ordered)
    text = f"\nSummary:\n  Total:\t{total_ns / 1e9:.4f} secs\n  Slowest:\t{ordered[-1] / 1e9:.4f} secs\n"
    text += f"  Fastest:\t{ordered[0] / 1e9:.4f} secs\n  Average:\t{sum(ordered) / size / 1e9:.4f} secs\n"
    text += (
        f"  Requests/sec:\t{(size + errors) / total_ns * 1e9:.4f}\n  \n  Total data:\t{size * 612} bytes\n"
    )
    text += "  Size/request:\t612 bytes\n\nResponse time histogram:\n"
    text += "".join(f"  {mark:.3f} [{count}]\t|■■■\n" for mark, count in _histogram(ordered))
    text += "\n\nLatency distribution:\n"
    for percent in (10, 25, 50, 75, 90, 95, 99):
        found = _later(ordered, percent)
        if found:
            text += f"  {percent}% in {found / 1e9:.4f} secs\n"
    text += "\nDetails (average, fastest, slowest):\n  DNS+dialup:\t0.0001 secs, 0.0000 secs, 0.0021 secs\n"
    text += "  resp wait:\t0.0102 secs, 0.0011 secs, 0.1931 secs\n\nStatus code distribution:\n"
    text += f"  [200]\t{size} responses\n"
    text += f"\nError distribution:\n  [{errors}]\tGet http://a/: timeout\n" if errors else ""
    return text + "\n"


def hey_csv(latencies: Sequence[int]) -> str:
    head = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n"
    rows = (
        f"{one / 1e9:4.4f},0.0004,0.0000,0.0000,0.0100,0.0001,200,0.0{at % 10}00\n"
        for at, one in enumerate(latencies)
    )
    return head + "".join(rows)


def _oha_percentiles(ordered: Sequence[int]) -> dict[str, float]:
    found = {}
    for percent in (10, 25, 50, 75, 90, 95, 99, 99.9, 99.99):
        at = int(percent / 100 * len(ordered))
        found[f"{percent:g}"] = ordered[at] / 1e9
    return found


def oha(latencies: Sequence[int], total_ns: int, errors: int = 0) -> str:
    ordered = _sorted(latencies)
    size = len(ordered)
    text = f"Summary:\n  Success rate:\t{100 * size / (size + errors):.2f}%\n  Total:\t{total_ns / 1e9:.4f} sec\n"
    text += f"  Slowest:\t{ordered[-1] / 1e9:.4f} sec\n  Fastest:\t{ordered[0] / 1e9:.4f} sec\n"
    text += f"  Average:\t{sum(ordered) / size / 1e9:.4f} sec\n  Requests/sec:\t{(size + errors) / total_ns * 1e9:.4f}\n\n"
    text += (
        "  Total data:\t5.84 MiB\n  Size/request:\t612 B\n  Size/sec:\t1.17 MiB\n\nResponse time histogram:\n"
    )
    text += "".join(f"  {mark:>7.3f} sec [{count}] |■■\n" for mark, count in _histogram(ordered))
    text += "\nResponse time distribution:\n"
    for percent, value in _oha_percentiles(ordered).items():
        text += f"  {float(percent):.2f}% in {value:.4f} sec\n"
    text += "\n\nDetails (average, fastest, slowest):\n  DNS+dialup:\t0.0006 sec, 0.0002 sec, 0.0019 sec\n"
    text += f"\nStatus code distribution:\n  [200] {size} responses\n"
    return text + (f"\nError distribution:\n  [{errors}] aborted due to deadline\n" if errors else "")


def oha_json(latencies: Sequence[int], total_ns: int, errors: int = 0) -> str:
    ordered = _sorted(latencies)
    size = len(ordered)
    document = {
        "summary": {
            "successRate": size / (size + errors),
            "total": total_ns / 1e9,
            "slowest": ordered[-1] / 1e9,
            "fastest": ordered[0] / 1e9,
            "average": sum(ordered) / size / 1e9,
            "requestsPerSec": (size + errors) / total_ns * 1e9,
            "totalData": size * 612,
            "sizePerRequest": 612,
            "sizePerSec": size * 612 / total_ns * 1e9,
        },
        "responseTimeHistogram": {str(mark): count for mark, count in _histogram(ordered)},
        "latencyPercentiles": {f"p{key}": value for key, value in _oha_percentiles(ordered).items()},
        "rps": {"mean": 1.5, "stddev": 0.1, "max": 2.0, "min": 1.0, "percentiles": {"p50": 1.4}},
        "details": {"DNSDialup": {"average": 0.0006, "fastest": 0.0002, "slowest": 0.0019}},
        "statusCodeDistribution": {"200": size},
        "errorDistribution": {"aborted due to deadline": errors} if errors else {},
    }
    return json.dumps(document, indent=2)


def oha_csv(latencies: Sequence[int]) -> str:
    head = "request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status\n"
    rows = (
        f"{at * 0.01 + 0.001234567},0.0,0.0,0.0001,{one / 1e9!r},612,200\n"
        for at, one in enumerate(latencies)
    )
    return head + "".join(rows)


def _nano(value: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if value >= size:
            return f"{value / size:4.2f} {unit}"
    return f"{value:4.2f} ns"


def _ordinal(ordered: Sequence[int], percent: int) -> int:
    rank = percent / 100 * len(ordered)
    at = int(rank) - (1 if rank == int(rank) else 0)
    return ordered[max(0, at)]


def ghz(latencies: Sequence[int], total_ns: int, errors: int = 0) -> str:
    ordered = _sorted(latencies)
    size = len(ordered)
    text = f"\nSummary:\n  Count:\t{size + errors}\n  Total:\t{_nano(total_ns)}\n  Slowest:\t{_nano(ordered[-1])}\n"
    text += f"  Fastest:\t{_nano(ordered[0])}\n  Average:\t{_nano(sum(ordered) / size)}\n"
    text += f"  Requests/sec:\t{(size + errors) / total_ns * 1e9:4.2f}\n\nResponse time histogram:\n"
    text += "".join(f"  {mark * 1000:4.3f} [{count}]\t|■■\n" for mark, count in _histogram(ordered))
    text += "\nLatency distribution:"
    for percent in (10, 25, 50, 75, 90, 95, 99):
        text += f"\n  {percent} % in {_nano(_ordinal(ordered, percent))} "
    text += f"\n\nStatus code distribution:\n  [OK]   {size} responses   \n"
    if errors:
        text += f"  [DeadlineExceeded]   {errors} responses   \n\nError distribution:\n"
        text += f"  [{errors}]   rpc error: code = DeadlineExceeded desc = context deadline exceeded   \n"
    return text


def ghz_json(latencies: Sequence[int], total_ns: int, *, details: bool = True) -> str:
    ordered = _sorted(latencies)
    document = {
        "date": "2026-02-10T09:06:40.250000001+01:00",
        "endReason": "normal",
        "options": {"call": "helloworld.Greeter.SayHello", "host": "0.0.0.0:50051", "concurrency": 50},
        "count": len(ordered),
        "total": total_ns,
        "average": sum(ordered) // len(ordered),
        "fastest": ordered[0],
        "slowest": ordered[-1],
        "rps": len(ordered) / total_ns * 1e9,
        "errorDistribution": {},
        "statusCodeDistribution": {"OK": len(ordered)},
        "latencyDistribution": [
            {"percentage": one, "latency": _ordinal(ordered, one)} for one in (10, 25, 50, 75, 90, 95, 99)
        ],
        "histogram": [{"mark": mark, "count": count} for mark, count in _histogram(ordered)],
        "details": [
            {
                "timestamp": f"2026-02-10T09:06:{40 + at % 19}.250000001+01:00",
                "latency": one,
                "error": "",
                "status": "OK",
            }
            for at, one in enumerate(latencies)
        ]
        if details
        else [],
    }
    return json.dumps(document, indent=1)


def ghz_csv(latencies: Sequence[int]) -> str:
    return "duration (ms),status,error\n" + "".join(f"{one / 1e6:4.2f},OK,\n" for one in latencies)


def _go(value_ns: float) -> str:
    """A duration as Go prints it, rounded to three decimals of its unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if value_ns >= size:
            return f"{value_ns / size:.3f}".rstrip("0").rstrip(".") + unit
    return f"{value_ns:.0f}ns"


def vegeta(latencies: Sequence[int], total_ns: int, errors: int = 0) -> str:
    ordered = _sorted(latencies)
    size = len(ordered)
    shares = [ordered[min(size - 1, int(size * one))] for one in (0.5, 0.9, 0.95, 0.99)]
    times = [ordered[0], sum(ordered) / size, *shares, ordered[-1]]
    codes = f"0:{errors}  200:{size - errors}  " if errors else f"200:{size}  "
    return (
        f"Requests      [total, rate, throughput]         {size}, {size / total_ns * 1e9:.2f}, {size / total_ns * 9.9e8:.2f}\n"
        f"Duration      [total, attack, wait]             {_go(total_ns + 3_000_000)}, {_go(total_ns)}, 3ms\n"
        f"Latencies     [min, mean, 50, 90, 95, 99, max]  {', '.join(map(_go, times))}\n"
        f"Bytes In      [total, mean]                     {size * 612}, 612.00\n"
        "Bytes Out     [total, mean]                     0, 0.00\n"
        f"Success       [ratio]                           {100 * (size - errors) / size:.2f}%\n"
        f"Status Codes  [code:count]                      {codes}\n"
        "Error Set:\n"
    )


def vegeta_json(latencies: Sequence[int], total_ns: int) -> str:
    ordered = _sorted(latencies)
    size = len(ordered)
    at = {
        name: ordered[min(size - 1, int(size * share))]
        for name, share in (("50th", 0.5), ("90th", 0.9), ("99th", 0.99))
    }
    document = {
        "latencies": {
            "total": sum(ordered),
            "mean": sum(ordered) // size,
            **at,
            "max": ordered[-1],
            "min": ordered[0],
        },
        "bytes_in": {"total": size * 612, "mean": 612},
        "bytes_out": {"total": 0, "mean": 0},
        "earliest": "2026-02-10T09:06:40.250000001+01:00",
        "latest": "2026-02-10T09:06:50.250000001+01:00",
        "end": "2026-02-10T09:06:50.253000001+01:00",
        "duration": total_ns,
        "wait": 3_000_000,
        "requests": size,
        "rate": size / total_ns * 1e9,
        "throughput": size / total_ns * 9.9e8,
        "success": 1,
        "status_codes": {"200": size},
        "errors": [],
    }
    return json.dumps(document) + "\n"


def vegeta_hist(latencies: Sequence[int]) -> str:
    edges = [0, 2_000_000, 4_000_000, 10_000_000, 50_000_000]
    names = ["0s", "2ms", "4ms", "10ms", "50ms", "+Inf"]
    text = "Bucket         #     %       Histogram\n"
    for at, edge in enumerate(edges):
        after = edges[at + 1] if at + 1 < len(edges) else math.inf
        count = sum(edge <= one < after for one in latencies)
        text += f"[{names[at]},  {names[at + 1]}]  {count}  {100 * count / len(latencies):.2f}%  ####\n"
    return text


def vegeta_plot(latencies: Sequence[int]) -> str:
    ordered = _sorted(latencies)
    text = "Value(ms)  Percentile  TotalCount  1/(1-Percentile)\n"
    for share in (0.0, 0.5, 0.9, 0.99):
        value = ordered[min(len(ordered) - 1, int(share * len(ordered)))] / 1e6
        text += f"{value:.6f}   {share:.6f}    {int(share * len(ordered))}         {1 / (1 - share):.6f}\n"
    return text + f"{ordered[-1] / 1e6:.6f}   1.000000    {len(ordered)}         10000000.000000\n"


def vegeta_csv(latencies: Sequence[int], errors: int = 0) -> str:
    rows = []
    for at, one in enumerate(latencies):
        code, why = (0, "timeout") if at < errors else (200, "")
        rows.append(
            f"{START_NS + at * 10_000_000},{code},{one},0,612,{why},YWJj,,{at},GET,http://a/,Q29ubg==\n"
        )
    return "".join(rows)


def vegeta_results(latencies: Sequence[int]) -> str:
    rows = []
    for at, one in enumerate(latencies):
        moment = datetime.fromtimestamp((START_NS + at * 10_000_000) / 1e9, UTC).isoformat()
        row = {
            "attack": "",
            "seq": at,
            "code": 200,
            "timestamp": moment,
            "latency": one,
            "bytes_out": 0,
            "bytes_in": 612,
        }
        rows.append(
            json.dumps(
                {**row, "error": "", "body": "YWJj", "method": "GET", "url": "http://a/"},
                separators=(",", ":"),
            )
            + "\n"
        )
    return "".join(rows)


def _us(value: float) -> str:
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if value >= size:
            return f"{value / size:.2f}{unit}"
    return f"{value:.2f}us"


def _bombardier(latencies: Sequence[int]) -> tuple[list[int], float, float, dict[int, int]]:
    held = sorted(one // 1_000 for one in latencies)
    mean = sum(held) / len(held)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in held) / max(1, len(held) - 1))
    shares = {one: held[max(0, math.floor(one / 100 * len(held) + 0.5) - 1)] for one in (50, 75, 90, 95, 99)}
    return held, mean, deviation, shares


def bombardier(latencies: Sequence[int], others: int = 0) -> str:
    held, mean, deviation, shares = _bombardier(latencies)
    text = "Bombarding http://10.0.0.7:8080/ for 10s using 125 connection(s)\n[====================] 10s\nDone!\n"
    text += "Statistics        Avg      Stdev        Max\n  Reqs/sec      1234.56      78.90    1500.25\n"
    text += f"  Latency    {_us(mean):>10} {_us(deviation):>10} {_us(held[-1]):>10}\n  Latency Distribution\n"
    text += "".join(f"     {one:2.0f}% {_us(value):>10}\n" for one, value in shares.items())
    text += f"  HTTP codes:\n    1xx - 0, 2xx - {len(held) - others}, 3xx - 0, 4xx - 0, 5xx - 0\n    others - {others}\n"
    text += (
        f"  Errors:\n    dial tcp 10.0.0.7:8080: connect: connection refused - {others}\n" if others else ""
    )
    return text + "  Throughput:     2.92MB/s\n"


def bombardier_json(latencies: Sequence[int]) -> str:
    held, mean, deviation, shares = _bombardier(latencies)
    spec = {
        "numberOfConnections": 125,
        "testType": "timed",
        "testDurationSeconds": 10,
        "method": "GET",
        "url": "http://a/",
    }
    result = {
        "bytesRead": 1024,
        "bytesWritten": 512,
        "timeTakenSeconds": 10.0123,
        "req1xx": 0,
        "req2xx": len(held),
        "req3xx": 0,
        "req4xx": 0,
        "req5xx": 0,
        "others": 0,
        "latency": {
            "mean": mean,
            "stddev": deviation,
            "max": held[-1],
            "percentiles": {str(k): v for k, v in shares.items()},
        },
        "rps": {"mean": 1234.5, "stddev": 78.9, "max": 1500.25, "percentiles": {"50": 1230.5}},
    }
    return json.dumps({"spec": {**spec, "stream": False, "client": "fasthttp"}, "result": result})


def _drawn(ordered: Sequence[int], share: float) -> float:
    """Between the two nearest ranks, as k6 draws it."""
    at = share * (len(ordered) - 1)
    low, high = ordered[math.floor(at)], ordered[math.ceil(at)]
    return low + (high - low) * (at - math.floor(at))


def _cut(value: float) -> str:
    text = f"{math.trunc(value * 100) / 100:.2f}".rstrip("0").rstrip(".")
    return text or "0"


def _k6_time(value_ns: float) -> str:
    ms = value_ns / 1e6
    if ms < 0.001:
        return f"{math.trunc(value_ns)}ns"
    if ms < 1:
        return _cut(ms * 1_000) + "µs"
    if ms < 1_000:
        return _cut(ms) + "ms"
    return _cut(ms / 1_000) + "s"


def _k6_trend(ordered: Sequence[int]) -> dict[str, float]:
    stats = {"avg": sum(ordered) / len(ordered), "min": float(ordered[0]), "med": _drawn(ordered, 0.5)}
    return {
        **stats,
        "max": float(ordered[-1]),
        "p(90)": _drawn(ordered, 0.9),
        "p(95)": _drawn(ordered, 0.95),
        "p(99)": _drawn(ordered, 0.99),
    }


def k6(latencies: Sequence[int], *, is_open: bool = False) -> str:
    ordered = _sorted(latencies)
    size = len(ordered)
    trend = " ".join(f"{name}={_k6_time(value)}" for name, value in _k6_trend(ordered).items())
    load = (
        "* default: 100.00 iterations/s for 30s (maxVUs: 50)"
        if is_open
        else "* default: 20 looping VUs for 30s (gracefulStop: 30s)"
    )
    return (
        "     execution: local\n        script: test.js\n        output: -\n\n"
        f"     scenarios: (100.00%) 1 scenario, 20 max VUs, 1m0s max duration (incl. graceful stop):\n              {load}\n\n\n"
        "     ✓ status is 200\n\n     checks.........................: 100.00% ✓ 100      ✗ 0\n"
        "     data_received..................: 5.9 kB 9.0 kB/s\n"
        "     http_req_blocked...............: avg=1.2ms   min=1µs     med=3µs     max=120.5ms p(90)=5µs p(95)=7µs\n"
        f"     http_req_duration..............: {trend}\n"
        f"       {{ expected_response:true }}...: {trend}\n"
        f"     http_req_failed................: 0.00%   ✓ 0        ✗ {size}\n"
        f"     http_reqs......................: {size}    33.299821/s\n"
        f"     iterations.....................: {size}    33.299821/s\n"
        "     vus............................: 20     min=20     max=20\n"
    )


def k6_json(latencies: Sequence[int]) -> str:
    ordered = _sorted(latencies)
    values = {name: value / 1e6 for name, value in _k6_trend(ordered).items()}
    document = {
        "root_group": {"name": "", "path": "", "groups": [], "checks": []},
        "state": {"isStdOutTTY": False, "testRunDurationMs": 30012.5},
        "metrics": {
            "http_req_duration": {"type": "trend", "contains": "time", "values": values},
            "http_reqs": {
                "type": "counter",
                "contains": "default",
                "values": {"count": len(ordered), "rate": 33.3},
            },
            "http_req_failed": {
                "type": "rate",
                "contains": "default",
                "values": {"rate": 0, "passes": 0, "fails": len(ordered)},
            },
        },
    }
    return json.dumps(document, indent=2)


def k6_points(latencies: Sequence[int]) -> str:
    head = {
        "type": "Metric",
        "data": {"name": "http_req_duration", "type": "trend", "contains": "time", "thresholds": []},
    }
    rows = [json.dumps({"metric": "http_req_duration", **head}, separators=(",", ":"))]
    for at, one in enumerate(latencies):
        data = {
            "time": f"2026-02-10T09:06:{10 + at // 100 % 50}.{at % 100:02d}5742514+01:00",
            "value": one / 1e6,
        }
        tags = {"expected_response": "true", "method": "GET", "status": "200", "url": "http://a/"}
        for name, value in (("http_reqs", 1), ("http_req_duration", one / 1e6)):
            point = {"metric": name, "type": "Point", "data": {**data, "value": value, "tags": tags}}
            rows.append(json.dumps(point, separators=(",", ":")))
    return "\n".join(rows) + "\n"


def k6_csv(latencies: Sequence[int]) -> str:
    text = "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,status,url\n"
    for at, one in enumerate(latencies):
        stamp = 1_770_700_000 + at // 100
        text += f"http_reqs,{stamp},1.000000,,,,true,,GET,http://a/,200,http://a/\n"
        text += f"http_req_duration,{stamp},{one / 1e6:.6f},,,,true,,GET,http://a/,200,http://a/\n"
    return text
