"""Numbers that tools print of a stretch or of a table are shown as they stand."""

from backend.tests.importers.reading import run_of, run_of_text

from tailroom.importers.parsed_run import Claim, ParsedRun

SYSBENCH = """sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)

Running the test with following options:
Number of threads: 4

[ 2s ] thds: 4 tps: 959.52 qps: 19203.97 (r/w/o: 13441.33/3843.59/1919.05) lat (ms,100%): 27.17 err/s: 0.00
[ 4s ] thds: 4 tps: 913.49 qps: 18221.83 (r/w/o: 12751.88/3642.97/1826.98) lat (ms,100%): 104.84 err/s: 0.00

General statistics:
    total time:                          4.0003s
    total number of events:              3746

Latency (ms):
         min:                                    1.20
         avg:                                    4.26
         max:                                  104.00
        100th percentile:                      104.84
         sum:                                15957.96
"""


def _printed(run: ParsedRun, quantity: str) -> list[Claim]:
    return [one for one in run.claims if one.quantity == quantity]


def test_percentiles_of_intermediate_lines() -> None:
    """Also the hundredth, which is the bucket of the largest latency."""
    run = run_of_text(SYSBENCH)
    found = _printed(run, "latency_quantile_ns")
    assert [(one.printed, one.quantile, one.start_ns) for one in found] == [
        ("27.17", 1.0, 0),
        ("104.84", 1.0, 2_000_000_000),
        ("104.84", 1.0, None),
    ]
    (series,) = run.series
    assert series.record.quantile_bounds(1.0).lower_ns >= 100_000_000


def test_means_and_worst_slices_of_a_server() -> None:
    run = run_of("latency_tables/asloglatency.txt")
    means = [one for one in run.claims if one.quantity.endswith("_mean_ratio")]
    worst = [one for one in run.claims if one.quantity.endswith("_worst_ratio")]
    assert [one.printed for one in means] == ["15.00 %", "2.00 %", "0.00 %"]
    assert [one.printed for one in worst] == ["20.00 %", "3.00 %", "0.00 %"]
