"""The client: a connection to an installation, for reading."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import quote
from uuid import UUID

import httpx

from tailroom_client.models import (
    BaselineComparison,
    Comparison,
    Curve,
    Figures,
    LeaderboardRow,
    Run,
    RunPage,
    RunSummary,
    Trend,
    Watch,
    WithdrawnTest,
)

_SERVER = "http://127.0.0.1:8400"
_PAGE = 200


class Refused(Exception):
    """A refusal by the server: HTTP status, error code, and a text with the remedy."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status, self.code, self.detail = status, code, detail


class Client:
    """A reader of an installation, by default `TAILROOM_SERVER` with the token `TAILROOM_TOKEN`."""

    def __init__(
        self,
        server: str | None = None,
        token: str | None = None,
        *,
        timeout_s: float = 120.0,
        http: httpx.Client | None = None,
    ) -> None:
        chosen = token if token is not None else os.environ.get("TAILROOM_TOKEN")
        headers = {"Authorization": f"Bearer {chosen}"} if chosen else {}
        place = server or os.environ.get("TAILROOM_SERVER") or _SERVER
        self._http = http or httpx.Client(base_url=place, timeout=timeout_s, follow_redirects=True)
        self._http.headers.update(headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def address(self) -> str:
        """Return the address of the installation, without a trailing slash."""
        return str(self._http.base_url).rstrip("/")

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def runs(
        self,
        *,
        state: str | None = None,
        workload: str | None = None,
        q: str | None = None,
        scope: Literal["all", "public", "mine"] = "all",
        sort: str = "-started",
        page: int = _PAGE,
    ) -> Iterator[RunSummary]:
        """Yield runs in the order `sort`, by default the newest first; pages are fetched as needed."""
        parameters: dict[str, Any] = {
            "state": state,
            "workload": workload,
            "q": q,
            "scope": scope,
            "sort": sort,
        }
        parameters |= {"limit": page}
        while True:
            document = self._json("/api/v1/runs", parameters)
            yield from (RunSummary.of(run) for run in document["runs"])
            if document["next_cursor"] is None:
                return
            parameters["cursor"] = document["next_cursor"]

    def run_page(self, *, q: str, limit: int) -> RunPage:
        """Return the latest runs that match a text, at most `limit` of them."""
        document = self._json("/api/v1/runs", {"q": q or None, "limit": limit, "sort": "-started"})
        runs = tuple(RunSummary.of(run) for run in document["runs"])
        return RunPage(runs, document["next_cursor"] is not None)

    def drive(self, slug: str) -> Any:
        """Return the API's document of a drive."""
        return self._json(f"/api/v1/drives/{quote(slug, safe='')}")

    def run(self, run_id: UUID | str) -> Run:
        """Return a run with its verdicts."""
        return Run.of(self._json(f"/api/v1/runs/{run_id}"))

    def figures(self, run_id: UUID | str) -> Figures:
        """Return the figures of a run for comparisons."""
        return Figures.of(self._json(f"/api/v1/runs/{run_id}/figures"))

    def percentiles(self, run_id: UUID | str) -> list[Curve]:
        """Return the percentile curves of each operation and clock."""
        return [Curve.of(curve) for curve in self._json(f"/api/v1/runs/{run_id}/percentiles")["curves"]]

    def compare(
        self, *subjects: UUID | str, operation: str | None = None, clock: str | None = None
    ) -> Comparison:
        """Compare two to six subjects with the first: run IDs, `run:ID` or `publication:SLUG#ROW`."""
        names = [str(subject) if ":" in str(subject) else f"run:{subject}" for subject in subjects]
        parameters = {"subject": names, "operation": operation, "clock": clock}
        return Comparison.of(self._json("/api/v1/comparisons", parameters))

    def compare_with_baseline(
        self, branch: str, run_id: UUID | str, operation: str | None = None
    ) -> BaselineComparison:
        """Compare a run with the runs of a branch, as `tailroom compare --baseline` does."""
        parameters = {"branch": branch, "run": str(run_id), "operation": operation}
        return BaselineComparison.of(self._json("/api/v1/comparisons/baseline", parameters))

    def leaderboard(self, *, page: int = _PAGE, **filters: Any) -> Iterator[LeaderboardRow]:
        """Yield drives by the load that they hold; pages are fetched as needed.

        `filters` are parameters of the API: `rule_set`, `limits`, `vendor`, `drive`, `search`, `equal`,
        `sort` ….
        """
        parameters: dict[str, Any] = {**filters, "limit": page}
        while True:
            document = self._json("/api/v1/leaderboard", parameters)
            if document["tests_waiting"]:
                continue  # the server judges for a limited time per request; repeating the request continues
            yield from (LeaderboardRow.of(row) for row in document["rows"])
            if document["next_cursor"] is None:
                return
            parameters["cursor"] = document["next_cursor"]

    def withdrawn(self, **filters: Any) -> list[WithdrawnTest]:
        """Return withdrawn tests of the leaderboard: drive, load, time and reason."""
        document = self._json("/api/v1/leaderboard", {**filters, "limit": 1})
        return [WithdrawnTest.of(test) for test in document["withdrawn"]]

    def watches(self) -> list[Watch]:
        """Return the watches of the organisation."""
        return [Watch.of(watch) for watch in self._json("/api/v1/watches")["watches"]]

    def trend(self, watch_id: UUID | str, operation: str | None = None) -> Trend:
        """Return the trend of a watched configuration over its runs."""
        return Trend.of(self._json(f"/api/v1/watches/{watch_id}/trend", {"operation": operation}))

    def report(self, run_id: UUID | str, form: Literal["html", "pdf", "csv", "jsonld"] = "html") -> bytes:
        """Return the report of a run."""
        return self._get(f"/api/v1/runs/{run_id}/report.{form}").content

    def save_pack(self, run_id: UUID | str, path: Path | str) -> Path:
        """Write the evidence pack of a run to a file, which `tailroom verify` checks; return its path."""
        target = Path(path)
        target.write_bytes(self._get(f"/api/v1/runs/{run_id}/pack.zip").content)
        return target

    def save_page(self, run_id: UUID | str, path: Path | str) -> Path:
        """Write a page of a run to a file; it opens offline and computes its verdicts. Return its path."""
        target = Path(path)
        target.write_bytes(self._get(f"/api/v1/runs/{run_id}/page.html").content)
        return target

    def _json(self, place: str, parameters: Mapping[str, Any] | None = None) -> Any:
        return self._get(place, parameters).json()

    def _get(self, place: str, parameters: Mapping[str, Any] | None = None) -> httpx.Response:
        """Send a request without parameters that are None; return the response. Raise Refused on an error."""
        query = {name: value for name, value in (parameters or {}).items() if value is not None}
        answer = self._http.get(place, params=query)
        if answer.is_success:
            return answer
        try:
            problem = answer.json()
        except ValueError:
            problem = {}
        if not isinstance(problem, dict):
            problem = {}
        detail = problem.get("detail") or problem.get("title") or answer.reason_phrase
        raise Refused(answer.status_code, str(problem.get("code", "unknown")), str(detail))
