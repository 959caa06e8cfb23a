"""What numbers of series that run at the same time are of all of them together."""

from tailroom.domain.latency.interval import COLUMNS

COLUMN_OF = {one.name: one for one in COLUMNS}


def together(name: str, *parts: tuple[int, int | None]) -> int | None:
    return COLUMN_OF[name].at_once(parts)


def test_what_each_counted_is_added_up_and_unknown_as_soon_as_one_does_not_know() -> None:
    for name in ("count", "errors", "target_count", "in_flight"):
        assert together(name, (3, 3), (0, 4)) == 7, name
    for name in ("target_count", "in_flight"):
        assert together(name, (3, 3), (0, None)) is None, name


def test_of_extremes_the_worst_that_is_known_counts() -> None:
    for name in ("lateness_max_ns", "lateness_p99_ns", "busy_ns", "oldest_in_flight_ns", "duration_ns"):
        assert together(name, (1, 9), (1, None), (1, 4)) == 9, name
        assert together(name, (1, None)) is None, name
    assert together("temperature_millicelsius", (1, -9), (1, -4)) == -4
    assert together("start_ns", (1, 9), (1, 4)) == 4


def test_who_completed_nothing_says_nothing_about_latencies() -> None:
    assert together("min_ns", (2, 5), (0, None), (1, 8)) == 5
    assert together("max_ns", (2, 5), (0, None), (1, 8)) == 8
    assert together("sum_ns", (2, 10), (0, 0), (1, 8)) == 18
    assert together("min_ns", (0, None)) is None
    assert together("min_ns", (2, 5), (1, None)) is None
