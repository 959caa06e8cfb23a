"""Many who ask for a line far inside a packed file: some are searched for, the rest come back."""

import gzip
import threading
from collections import Counter
from collections.abc import Callable

import httpx
import pytest
from backend.tests.listening import serving

from tailroom.api import app
from tailroom.kit.settings import Settings
from tailroom.uploads import lines

REQUESTS = 24
THREADS, WAITING = 1, 4
"""Places for searches: each takes the processor for half a second."""


def test_searches_for_far_lines_keep_no_page_waiting(
    settings: Settings, make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LINE_SECONDS", 0.5)
    monkeypatch.setattr(app, "ORGANISATION_WAITING", WAITING)
    narrow = settings.model_copy(update={"question_threads": THREADS})
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    content = gzip.compress(b"a line of text\n" * 15_000_000, compresslevel=1)
    statuses: Counter[int] = Counter()
    with serving(narrow) as (url, _), httpx.Client(base_url=url, timeout=60, headers=headers) as client:
        client.post("/api/v1/uploads", files={"files": ("a.log.gz", content)})
        upload_id = client.get("/api/v1/uploads").json()["uploads"][0]["upload_id"]
        sha256 = client.get(f"/api/v1/uploads/{upload_id}").json()["files"][0]["sha256"]

        def ask(number: int) -> None:
            path = f"{url}/api/v1/raw-files/{sha256}/lines?line={10**12 - number}"
            statuses[httpx.get(path, headers=headers, timeout=60).status_code] += 1

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(REQUESTS)]
        for thread in threads:
            thread.start()
        pages = 0
        while any(thread.is_alive() for thread in threads):
            assert client.get("/api/v1/runs").status_code == 200
            pages += 1
        for thread in threads:
            thread.join()
    searched = THREADS + WAITING
    # A search ends after its time (422), or, on a fast machine, at the end of the file (404). A late request
    # may get a place that has become free, so a few more may be searched for.
    assert set(statuses) <= {404, 422, 503}
    assert statuses.total() == REQUESTS
    assert searched <= statuses[422] + statuses[404] < REQUESTS
    # A page that waited for them would be the only one.
    assert pages > 1
