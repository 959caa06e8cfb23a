"""Measure the effect of twice the input on readers and pages, and of one organisation on another's pages."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

import httpx
from backend.bench.installation import Installation
from backend.tests.doubled_runs import PAGES, measure_agent, seconds_of_pages, upload
from backend.tests.importers.doubling import MOST_RATIO, Doubled, measure
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.api.app import create_app
from tailroom.kit.limits import RUN_OPERATIONS

GOAL_BESIDE_S = 1.0
LEAST_S = 0.25
_ASKED_AT_ONCE = 3
_OPERATIONS, _DEVICES, _INTERVALS = 100, 50, 2_000


@dataclass(frozen=True, slots=True)
class PageDoubled:
    """Durations of one page, for a run and for a run twice as large."""

    kind: str
    page: str
    once_s: float
    twice_s: float

    @property
    def is_within(self) -> bool:
        """Return whether the time grows no faster than the input; short times always pass."""
        return self.twice_s < LEAST_S or self.twice_s <= MOST_RATIO * self.once_s

    def __str__(self) -> str:
        mark, page = "ok  " if self.is_within else "OVER", self.page or "/"
        return f"{mark} {self.kind:<12} {page:<16} {self.once_s:6.2f} s → {self.twice_s:6.2f} s"


def readers(say: Callable[[Doubled], None], size: int) -> bool:
    """Measure every reader with every sample; return whether all are within the ratio."""
    are_within = True
    for doubled in measure(size=size):
        if not doubled.is_within:
            say(doubled)
            are_within = False
    return are_within


def pages(place: Installation) -> Iterator[PageDoubled]:
    """Measure every page of runs, with twice the operations, devices and intervals."""
    token, agent = place.token("engineer", "doubled"), place.token("agent", "doubled")
    with TestClient(create_app(place.settings), raise_server_exceptions=False) as client:

        def forget() -> None:
            with place.database.transaction() as session:
                session.execute(text("DELETE FROM run_picture"))

        made: dict[str, Callable[[int], str]] = {
            "operations": lambda times: upload(client, token, _OPERATIONS * times),
            "devices": lambda times: measure_agent(client, agent, devices=_DEVICES * times, intervals=2),
            "intervals": lambda times: measure_agent(client, agent, devices=2, intervals=_INTERVALS * times),
        }
        for kind, make in made.items():
            once, twice = (seconds_of_pages(client, token, run_id, forget) for run_id in (make(1), make(2)))
            yield from (PageDoubled(kind, page, once[page], twice[page]) for page in once)


def beside(place: Installation, url: str) -> tuple[float, int]:
    """Return one organisation's longest wait for its own pages in seconds, and the number of these requests.

    Meanwhile, several clients of another organisation request the most expensive pages of its largest run.
    """
    hostile, other = place.token("engineer", "hostile"), place.token("engineer", "beside")
    ended = threading.Event()
    with httpx.Client(base_url=url, timeout=60) as client:
        largest, own = upload(client, hostile, RUN_OPERATIONS), upload(client, other, 5)
        threads = [
            threading.Thread(target=_ask_again_and_again, args=(url, hostile, largest, ended))
            for _ in range(_ASKED_AT_ONCE)
        ]
        for thread in threads:
            thread.start()
        waits: list[float] = []
        headers = {"Authorization": f"Bearer {other}"}
        try:
            for page in PAGES * 3:
                began = time.monotonic()
                answer = client.get(f"/api/v1/runs/{own}{page}", headers=headers)
                waits.append(time.monotonic() - began)
                answer.raise_for_status()
        finally:
            ended.set()
            for thread in threads:
                thread.join()
    return max(waits), len(waits)


def _ask_again_and_again(url: str, token: str, run_id: str, ended: threading.Event) -> None:
    """Request pages that are computed each time; abort every second request before its reply."""
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=url, timeout=60) as client:
        for number in count(1):
            if ended.is_set():
                return
            page = ("report.csv", "report.html", f"timeline?max_points={number % 2_000 + 1}")[number % 3]
            timeout_s = 60.0 if number % 2 else 0.05
            with suppress(httpx.TimeoutException):
                client.get(f"/api/v1/runs/{run_id}/{page}", headers=headers, timeout=timeout_s)
