"""How many processors a process may use."""

import os
from functools import partial
from pathlib import Path

import pytest

from tailroom.kit.processors import calculation_threads, usable_cores
from tailroom.kit.settings import Settings


@pytest.mark.parametrize(
    ("share", "most"),
    [("max 100000", None), ("50000 100000", 1), ("150000 100000", 1), ("800000 100000", 8), ("", None)],
)
def test_a_container_uses_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: str, most: int | None
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)))
    (tmp_path / "cpu.max").write_text(share)
    assert usable_cores(tmp_path) == (16 if most is None else most)


def test_the_older_way_of_saying_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)))
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000")
    for quota, most in (("-1", 16), ("250000", 2)):
        (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota)
        assert usable_cores(tmp_path) == most


@pytest.mark.parametrize(("cores", "processes"), [(1, 1), (2, 2), (64, 2)])
def test_two_api_processes_where_there_are_processors_for_them(
    monkeypatch: pytest.MonkeyPatch, cores: int, processes: int
) -> None:
    monkeypatch.delenv("TAILROOM_API_PROCESSES", raising=False)
    monkeypatch.setattr("tailroom.kit.settings.usable_cores", lambda: cores)
    assert Settings().api_process_count == processes
    monkeypatch.setenv("TAILROOM_API_PROCESSES", "3")
    assert Settings().api_process_count == 3
    monkeypatch.setenv("TAILROOM_API_PROCESSES", "auto")
    assert Settings().api_process_count == processes


@pytest.mark.parametrize("cores", [1, 2])
def test_results_come_in_the_order_of_the_works(cores: int) -> None:
    with calculation_threads(cores) as processors:
        assert processors.all(partial(pow, number, 2) for number in range(5)) == [0, 1, 4, 9, 16]
        begun = processors.begin(partial(int, "no number"))
        assert processors.begin(partial(int, "7"))() == 7
        with pytest.raises(ValueError, match="no number"):
            begun()
