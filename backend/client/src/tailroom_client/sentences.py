"""Answers as a sentence each, with links to pages. Every number comes from the API."""

from dataclasses import dataclass
from typing import Any

from tailroom_client.client import Client
from tailroom_client.models import Figure, Json, Run, VerdictWord

_MOST_LETTERS = 600
"""Maximum characters of an answer; the rest is cut."""
_MOST_LISTED = 10
_WORD_OF_DRIVE = "no load is known that it holds"


@dataclass(frozen=True, slots=True)
class SentenceAnswer:
    """A sentence, and the paths of the pages that show its evidence."""

    text: str
    paths: tuple[str, ...]


def runs_found(client: Client, text: str) -> SentenceAnswer:
    """Return the latest runs whose title or facts contain a text, with their verdicts."""
    page = client.run_page(q=text, limit=_MOST_LISTED)
    names = [f"{run.title}: {_verdicts_text(run.verdicts)}" for run in page.runs]
    paths = tuple(f"/runs/{run.run_id}" for run in page.runs)
    if not names:
        return _answer(f"No run that you may see matches “{text}”", "/runs")
    more = ", and there are more" if page.has_more else ""
    return _answer(f"{'; '.join(names)}{more}", *paths)


def verdicts_of_run(client: Client, run_id: str) -> SentenceAnswer:
    """Return the verdicts of a run, with the measured values and the limits."""
    run = client.run(run_id)
    texts = [
        " ".join(
            part
            for part in (
                f"{verdict.words or verdict.verdict} by {verdict.budget_name}",
                f"({verdict.headline.text})" if verdict.headline else None,
                f"because {verdict.reason_text}" if verdict.reason_text else None,
                "so far" if verdict.provisional else None,
            )
            if part is not None
        )
        for verdict in run.verdicts
    ]
    return _answer(f"{run.title}: {'; '.join(texts) or 'no verdict'}", _run_path(run))


def figure_of_run(client: Client, run_id: str, operation: str, quantity: str) -> SentenceAnswer:
    """Return the bounds of a quantity of a run. Raise MissingFromRun."""
    run, of_operation = client.run(run_id), client.figures(run_id).of_operation(operation)
    figure = of_operation.figure(quantity)
    name = f"{quantity} of {operation} ({of_operation.clock} time) in {run.title}"
    return _answer(f"{name} {_ends(figure)}", _run_path(run))


def drive_in_words(client: Client, slug: str) -> SentenceAnswer:
    """Return the load that a drive holds, the conditions, the tester and the year."""
    page = client.drive(slug)
    name = f"{page['drive']['vendor']} {page['drive']['name']}"
    rows = [_row_text(row) for row in page["rows"]]
    if not rows:
        return _answer(f"No test of {name} is on record", f"/drives/{slug}")
    return _answer(f"{name}: {'; '.join(rows)}", f"/drives/{slug}")


def comparison_of_runs(client: Client, base: str, other: str) -> SentenceAnswer:
    """Return the comparison of a run with a base run."""
    compared = client.compare(base, other)
    (pair,) = compared.pairs
    reasons = f" ({'; '.join(pair.reasons)})" if pair.reasons else ""
    path = f"/compare?of=run:{base},run:{other}"
    return _answer(f"{compared.operation}: {pair.headline}{reasons}", path)


def _answer(text: str, *paths: str) -> SentenceAnswer:
    """Return the text as a sentence of limited length, with the paths."""
    plain = " ".join(text.split()).rstrip(".")
    if len(plain) > _MOST_LETTERS:
        # Cut a long answer between words, so that no number is cut; the page has the rest.
        plain = plain[:_MOST_LETTERS].rpartition(" ")[0] + " … (the rest is on the page)"
    return SentenceAnswer(f"{plain}.", paths)


def _run_path(run: Run) -> str:
    return f"/runs/{run.run_id}"


def _verdicts_text(verdicts: tuple[VerdictWord, ...]) -> str:
    texts = [f"{verdict.words or verdict.verdict} by {verdict.budget_name}" for verdict in verdicts]
    return ", ".join(texts) or "no verdict"


def _ends(figure: Figure) -> str:
    """Return the bounds of a figure in the run, and its confidence limits."""
    unit = " ns" if figure.quantity.endswith("_ns") else ""
    if figure.upper is None:
        record = f"is at least {_number(figure.lower)}{unit}"
    else:
        record = f"lies between {_number(figure.lower)}{unit} and {_number(figure.upper)}{unit}"
    if figure.lower_limit is None or figure.upper_limit is None:
        why = f" ({figure.why_no_limits})" if figure.why_no_limits else ""
        return f"{record} in its record, and nothing is proven about another run{why}"
    limits = f"{_number(figure.lower_limit)}{unit} and {_number(figure.upper_limit)}{unit}"
    return f"{record} in its record, and between {limits} with chance"


def _number(value: float) -> str:
    """Return a number without loss: an integer without a fraction, any other in its shortest form."""
    return str(int(value)) if value == int(value) else repr(value)


def _row_text(row: Json) -> str:
    """Return the loads that a drive holds and fails under these conditions, and the tests' origin."""
    rating: Any = row["rating"]
    holds = _WORD_OF_DRIVE if rating["passed_load"] is None else f"holds {_number(rating['passed_load'])}x"
    if rating["failed_load"] is not None:
        holds += f", fails {_number(rating['failed_load'])}x"
    published = f"by {row['published_year']}" if row["published_year"] else "year not stated"
    origin = f"{', '.join(row['tested_by']) or 'tester not stated'}, {row['tested_year'] or published}"
    conditions = f"{row['metric_class']} time, over-provisioning {row['over_provisioning']['class']}"
    standing = row["standing"]["standing"]
    return f"{holds} ({conditions}, ACT {row['generation']}; {origin}; {standing})"
