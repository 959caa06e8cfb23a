"""The client: one connection to one installation, for reading."""

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
    """The refusal of the server, and the remedy."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status, self.code, self.detail = status, code, detail


class Client:
    """Reads one installation, by default the one of `TAILROOM_SERVER` with the token of `TAILROOM_TOKEN`."""

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
        """The address of the installation, without a slash at its end."""
        return str(self._http.base_url).rstrip("/")

    def close(self) -> None:
        """Gives the connection back."""
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
        """Runs in an order, the newest first; pages are read as they are gone through."""
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
        """Return everything on record about a drive, as the API has it."""
        return self._json(f"/api/v1/drives/{quote(slug, safe='')}")

    def run(self, run_id: UUID | str) -> Run:
        """A run with its verdicts."""
        return Run.of(self._json(f"/api/v1/runs/{run_id}"))

    def figures(self, run_id: UUID | str) -> Figures:
        """Return the figures of a run for comparisons."""
        return Figures.of(self._json(f"/api/v1/runs/{run_id}/figures"))

    def percentiles(self, run_id: UUID | str) -> list[Curve]:
        """Percentile curves, of each operation and clock."""
        return [Curve.of(curve) for curve in self._json(f"/api/v1/runs/{run_id}/percentiles")["curves"]]

    def compare(
        self, *subjects: UUID | str, operation: str | None = None, clock: str | None = None
    ) -> Comparison:
        """Two to six subjects against the first: ids of runs, `run:ID` or `publication:SLUG#ROW`."""
        names = [str(subject) if ":" in str(subject) else f"run:{subject}" for subject in subjects]
        parameters = {"subject": names, "operation": operation, "clock": clock}
        return Comparison.of(self._json("/api/v1/comparisons", parameters))

    def compare_with_baseline(
        self, branch: str, run_id: UUID | str, operation: str | None = None
    ) -> BaselineComparison:
        """A run against the runs of a branch, as `tailroom compare --baseline` does."""
        parameters = {"branch": branch, "run": str(run_id), "operation": operation}
        return BaselineComparison.of(self._json("/api/v1/comparisons/baseline", parameters))

    def leaderboard(self, *, page: int = _PAGE, **filters: Any) -> Iterator[LeaderboardRow]:
        """Drives by the load that they hold, page by page; `asked` as the API takes it: `rule_set`, `limits`,
        `vendor`, `drive`, `search`, `equal`, `sort` ….
        """
        parameters: dict[str, Any] = {**filters, "limit": page}
        while True:
            document = self._json("/api/v1/leaderboard", parameters)
            if document["tests_waiting"]:
                continue  # one answer judges for a moment; the same question goes on with it
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
        """A watched configuration over its runs."""
        return Trend.of(self._json(f"/api/v1/watches/{watch_id}/trend", {"operation": operation}))

    def report(self, run_id: UUID | str, form: Literal["html", "pdf", "csv", "jsonld"] = "html") -> bytes:
        """The report of a run."""
        return self._get(f"/api/v1/runs/{run_id}/report.{form}").content

    def save_pack(self, run_id: UUID | str, path: Path | str) -> Path:
        """Writes the evidence pack of a run into a file, which `tailroom verify` checks."""
        target = Path(path)
        target.write_bytes(self._get(f"/api/v1/runs/{run_id}/pack.zip").content)
        return target

    def save_page(self, run_id: UUID | str, path: Path | str) -> Path:
        """Writes a page of a run that opens without a server and works its verdicts out."""
        target = Path(path)
        target.write_bytes(self._get(f"/api/v1/runs/{run_id}/page.html").content)
        return target

    def _json(self, place: str, parameters: Mapping[str, Any] | None = None) -> Any:
        return self._get(place, parameters).json()

    def _get(self, place: str, parameters: Mapping[str, Any] | None = None) -> httpx.Response:
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
