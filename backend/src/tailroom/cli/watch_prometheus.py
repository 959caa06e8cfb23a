"""`tailroom watch-prometheus URL --query …`: ask a Prometheus for a histogram and judge what it counted.

Once, or repeatedly with `--every`. Exits by the last answer with 0 for PASS, 1 for FAIL, 3 for INDETERMINATE,
2 if the question or the answer cannot be used, and 70 if the server is unavailable.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import requests
import typer

from tailroom.cli.faults import connection_problem
from tailroom.cli.judge import Required, exit_code_of
from tailroom.cli.terminal import echo, stop
from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_S
from tailroom.kit.exit_codes import ExitCode

if TYPE_CHECKING:
    from tailroom.domain.verdicts.assessment import BudgetAssessment
    from tailroom.domain.verdicts.budget_kinds import Budget

_TIMEOUT_S = 120.0
_ANSWER_BYTES_MAX = 1 << 28
_CHUNK_BYTES = 1 << 20
_POINTS_MAX = 11_000
"""Prometheus refuses queries with more points for each series (`max_points` of its API)."""
_OK, _SERVER_ERROR = 200, 500


class PrometheusUnavailable(DomainError):
    """The server did not answer, or answered with a status of 500 or more."""


class QueryRefused(DomainError):
    """The server refuses this query; the message has its reason."""


@dataclass(frozen=True, slots=True)
class RangeQuery:
    """A range query for counters: the last `last_s` seconds in steps of `step_s`."""

    url: str
    query: str
    """Counters of a histogram in PromQL."""
    step_s: float
    last_s: float
    token: str | None = None
    """Bearer token for the server; None: none is sent."""

    def fetch(self, now_s: float) -> bytes:
        """Return the body of the answer for the time up to `now_s` (Unix seconds).

        Raise PrometheusUnavailable without an answer or for a status of 500 or more, QueryRefused for another
        status than 200 and for an answer over 256 MiB.
        """
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        parameters: Mapping[str, str] = {
            "query": self.query,
            "start": f"{now_s - self.last_s:.3f}",
            "end": f"{now_s:.3f}",
            "step": f"{self.step_s:g}",
        }
        address = f"{self.url.rstrip('/')}/api/v1/query_range"
        body = bytearray()
        try:
            # Redirects are not followed: the token is for this server.
            with requests.post(
                address,
                data=parameters,
                headers=headers,
                timeout=_TIMEOUT_S,
                stream=True,
                allow_redirects=False,
            ) as response:
                status = response.status_code
                for chunk in response.iter_content(_CHUNK_BYTES):
                    body += chunk
                    if len(body) > _ANSWER_BYTES_MAX:
                        raise QueryRefused(
                            f"the answer has more than {_ANSWER_BYTES_MAX:,} bytes; ask for fewer of them, "
                            "or by a larger --step"
                        )
        except (requests.RequestException, ValueError) as error:
            raise PrometheusUnavailable(f"{self.url} does not answer: {connection_problem(error)}") from None
        if status != _OK:
            message = f"{self.url} answers {status}: {_reason(bytes(body))}"
            raise PrometheusUnavailable(message) if status >= _SERVER_ERROR else QueryRefused(message)
        return bytes(body)


def watch_prometheus(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Address of a Prometheus, or of what speaks its API.")
    ],
    *,
    query: Annotated[
        str,
        typer.Option(metavar="PROMQL", help='Counters of the histogram: shop_seconds_bucket{route="/pay"}.'),
    ],
    objective: Annotated[str, typer.Option(metavar="TEXT", help='What is asked, such as "99.9% < 300ms".')],
    step: Annotated[str, typer.Option(metavar="TIME", help="Time between two states.")] = "15s",
    last: Annotated[str, typer.Option(metavar="TIME", help="Stretch that is judged; it ends now.")] = "1h",
    every: Annotated[
        str | None, typer.Option(metavar="TIME", help="Ask again after this time, until Ctrl-C.")
    ] = None,
    times: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="With --every: end after N answers.")
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="PROMETHEUS_TOKEN", help="Bearer token for the server.")
    ] = None,
    match: Annotated[
        str | None, typer.Option(metavar="LABELS", help='Which histograms of the answer: route="/pay".')
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of text.")] = False,
) -> None:
    """Ask a Prometheus for a histogram and judge what it counted: PASS (0), FAIL (1), undecided (3)."""
    from tailroom.cli.judge_options import OptionsUnusable, budget_of_options
    from tailroom.domain.units import duration_ns

    try:
        budget = budget_of_options({"--objective": objective}, None, None, None)
        step_s, last_s = duration_ns(step) / NS_PER_S, duration_ns(last) / NS_PER_S
        every_s = None if every is None else duration_ns(every) / NS_PER_S
    except (OptionsUnusable, DomainError) as error:
        stop(str(error))
    if budget is None or step_s <= 0:
        stop("--objective and --step say what is asked; both are needed")
    if last_s / step_s > _POINTS_MAX:
        stop(f"--last {last} has more than {_POINTS_MAX:,} states of --step {step}, the most of one answer")
    range_query = RangeQuery(url, query, step_s, last_s, token)
    number = 0
    while True:
        code = _judge_once(range_query, budget, match, as_json=as_json)
        number += 1
        if every_s is None or number == times:
            raise typer.Exit(int(code))
        time.sleep(every_s)


def _judge_once(range_query: RangeQuery, budget: "Budget", match: str | None, *, as_json: bool) -> ExitCode:
    """Fetch, judge and print once; return the exit code.

    Errors are printed to standard error: FAULT if the server is unavailable, UNUSABLE for the others.
    """
    from tailroom.cli.verdict_text import verdict_lines

    asked_at = datetime.now(UTC)
    moment = f"{asked_at:%Y-%m-%d %H:%M:%S} UTC"
    try:
        answer = range_query.fetch(asked_at.timestamp())
        assessment, label = _judge_answer(answer, budget, match)
    except PrometheusUnavailable as error:
        echo(f"{moment}  {error}", err=True)
        return ExitCode.FAULT
    except (DomainError, RecursionError, UnicodeError) as error:
        echo(f"{moment}  {error}", err=True)
        return ExitCode.UNUSABLE
    if as_json:
        echo(json.dumps({"asked_at": asked_at.isoformat(), **assessment.summary()}, allow_nan=False))
    else:
        echo("\n".join([moment, *verdict_lines(assessment, range_query.query, [label])]))
    return exit_code_of(assessment.judgement, Required.OBSERVED)


def _judge_answer(answer: bytes, budget: "Budget", match: str | None) -> "tuple[BudgetAssessment, str]":
    """Return the verdict on the sum of an answer's histograms, and the label of that series."""
    from tailroom.cli.histograms import require_one_histogram
    from tailroom.evidence.file import judge_runs
    from tailroom.importers.metric_choice import MetricChoice
    from tailroom.importers.registry import runs_together
    from tailroom.importers.source import from_bytes

    source = from_bytes("the answer", answer)
    source.metric = MetricChoice.of(None, match)
    runs = runs_together([source])
    if len(runs) > 1:
        require_one_histogram(runs)
    assessment, used = judge_runs(runs, budget)
    return assessment, used[0].label if used else ""


def _reason(body: bytes) -> str:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    error = document.get("error") if isinstance(document, dict) else None
    return str(error or body[:200].decode("utf-8", "replace"))[:500]
