"""Pages of a run take time in proportion to what is stored of it."""

from collections.abc import Callable

import pytest
from backend.tests.doubled_runs import measure_agent, seconds_of_pages, upload
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.kit.db import Database

MOST_RATIO, LEAST_S = 2.5, 0.25
"""Less than this is as much the garbage collector as the page."""
RUNS: dict[str, Callable[[TestClient, str, int], str]] = {
    "operations": lambda client, token, times: upload(client, token, 80 * times),
    "devices": lambda client, token, times: measure_agent(client, token, devices=40 * times, intervals=2),
    "intervals": lambda client, token, times: measure_agent(client, token, devices=1, intervals=800 * times),
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_page_of_twice_the_run_takes_no_more_than_two_and_a_half_times_as_long(
    client: TestClient, database: Database, make_token: Callable[..., str], kind: str
) -> None:
    token = make_token("agent" if kind != "operations" else "engineer")
    reader = make_token("viewer")

    def forget() -> None:
        with database.transaction() as session:
            session.execute(text("DELETE FROM run_picture"))

    ids = [RUNS[kind](client, token, times) for times in (1, 2)]
    best: dict[str, float] = {}
    for _ in range(3):
        once, twice = (seconds_of_pages(client, reader, run_id, forget) for run_id in ids)
        for page in once:
            ratio = 0.0 if twice[page] < LEAST_S else twice[page] / max(once[page], 1e-9)
            best[page] = min(ratio, best.get(page, ratio))
        if max(best.values()) <= MOST_RATIO:
            return
    assert not {page: ratio for page, ratio in best.items() if ratio > MOST_RATIO}
