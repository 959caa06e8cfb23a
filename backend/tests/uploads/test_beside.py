"""Logs of iostat and sar are found beside the runs whose time they speak of."""

from datetime import UTC, datetime

from backend.tests.uploads.conftest import SAMPLES, Json, Uploader

from tailroom.domain.units import NS_PER_S

IOSTAT = (SAMPLES / "sysstat/iostat_x.txt").read_text()
BEGIN = datetime(2026, 11, 20, 12, 34, 50, tzinfo=UTC)


def iostat(day: int = 20) -> bytes:
    """The sample as `S_TIME_FORMAT=ISO iostat -x -t` prints it."""
    text = IOSTAT.replace("11/20/2026 12:", f"2026-11-{day}T12:").replace(" PM\n", "+0000\n")
    return text.encode()


def pgbench(begin: datetime, seconds: int) -> bytes:
    """A log of intervals of a second."""
    first = int(begin.timestamp())
    rows = [f"{first + second} 100 50000 30000000 300 900" for second in range(seconds)]
    return ("\n".join(rows) + "\n").encode()


def beside(uploader: Uploader, run: Json) -> list[Json]:
    """What the API names beside a run."""
    found: list[Json] = uploader.get(f"/runs/{run['run_id']}/beside")["logs"]
    return found


def run_of(answer: Json, tool: str) -> Json:
    """The one run of a tool in an upload."""
    found: Json
    (found,) = [one for one in answer["runs"] if one["tool"] == tool]
    return found


def test_a_log_of_the_same_time_is_beside_the_run_on_its_axis(uploader: Uploader, stranger: Uploader) -> None:
    log = run_of(uploader.send([("iostat.txt", iostat())]), "sysstat")
    run = run_of(uploader.send([("pgbench_log.7", pgbench(BEGIN, 3))]), "pgbench")
    (found,) = beside(uploader, run)
    assert (found["run_id"], found["clock"], found["came_together"]) == (log["run_id"], "zone", False)
    assert (found["host_name"], found["same_host"]) == ("bench-1", None)
    # The first report is of the time since the machine started; the log counts from it on.
    assert found["start_ns"] == 0
    assert found["shared_ns"] == 3 * NS_PER_S
    busiest = {one["device"]: one["busy_percent_max"] for one in found["devices"]}
    assert busiest["nvme0n1"] == "97.31"
    (itself,) = beside(uploader, log)
    assert itself["run_id"] == log["run_id"]
    by_name = {(one["subject"], one["quantity"]): one for one in found["courses"]}
    busy = by_name["nvme0n1", "device_busy_percent"]
    assert max(busy["values"]) == 97.31
    assert all(0 <= start < 3 * NS_PER_S for start in busy["start_ns"])
    assert ("CPU", "cpu_busy_percent") in by_name
    stranger.get(f"/runs/{run['run_id']}/beside", 404)


def test_a_log_of_another_day_is_not(uploader: Uploader) -> None:
    uploader.send([("iostat.txt", iostat(21))])
    run = run_of(uploader.send([("pgbench_log.7", pgbench(BEGIN, 3))]), "pgbench")
    assert beside(uploader, run) == []


def test_a_log_without_a_zone_is_beside_what_it_came_with(uploader: Uploader) -> None:
    answer = uploader.send([("iostat.txt", IOSTAT.encode()), ("pgbench_log.7", pgbench(BEGIN, 3))])
    (found,) = beside(uploader, run_of(answer, "pgbench"))
    assert (found["clock"], found["came_together"]) == ("unknown", True)
    assert (found["start_ns"], found["shared_ns"], found["courses"]) == (None, None, [])
