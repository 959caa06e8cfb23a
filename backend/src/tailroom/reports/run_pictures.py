"""Pictures of a run for other sites, with the figures that others may see: badge, chart, preview."""

from typing import Literal, NamedTuple
from uuid import UUID

from markupsafe import escape
from sqlalchemy.orm import Session

from tailroom.access.caller import NO_ORGANISATION
from tailroom.access.errors import RunUnknown
from tailroom.analysis.pictures import PERCENTILES, picture_of
from tailroom.analysis.schemas import PercentilesOut
from tailroom.domain.units import count_text
from tailroom.kit.transactions import Transactions
from tailroom.reports.badge import SVG, badge_of, ended_badge
from tailroom.reports.drawing import colour, percentile_chart
from tailroom.reports.preview import PNG, preview_of
from tailroom.runs.errors import RunRetracted
from tailroom.runs.service import get_run
from tailroom.runs.verdict_schemas import VerdictOut
from tailroom.runs.verdicts import shown_verdicts
from tailroom.storage.public_reading import as_others
from tailroom.storage.run import PUBLIC, Run

Picture = Literal["badge.svg", "chart.svg", "chart", "preview.png"]
HTML = "text/html; charset=utf-8"
_NOTHING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="40" role="img"><title>No latency</title>'
    '<text x="8" y="24" font-family="sans-serif" font-size="12">No latency is on record.</text></svg>'
)


class Drawing(NamedTuple):
    """A picture or page with its media type and HTTP status."""

    body: str | bytes
    media_type: str
    status: int = 200


class PictureHead(NamedTuple):
    """Heading of a picture: the run's name, and its lead verdict by built-in budgets (None: not judged)."""

    title: str
    lead: VerdictOut | None


def picture_of_published(
    transactions: Transactions, reader_id: UUID, run_id: UUID, picture: Picture
) -> Drawing:
    """Return a picture of a published run with the figures that `reader_id`, another organisation, may see.

    For a withdrawn or deleted run it is the badge `withdrawn`, with status 410. Raise RunUnknown if the run
    is not published.
    """
    try:
        head = published_head(transactions, reader_id, run_id)
    except RunRetracted:
        return Drawing(ended_badge("withdrawn"), SVG, RunRetracted.status)
    return draw(as_others(transactions), reader_id, run_id, picture, head)


def published_head(transactions: Transactions, reader_id: UUID, run_id: UUID) -> PictureHead:
    """Return the heading of a published run.

    Raise RunUnknown if it is not published, RunRetracted if it was withdrawn, RunDeleted if it was deleted.
    """
    with as_others(transactions)() as session:
        run = get_run(session, reader_id, run_id)
        if run.visibility != PUBLIC:
            raise RunUnknown(
                f"Run {run_id} is not published. Publish it, or make a link that others may follow."
            )
        return head_of(session, run)


def head_of(session: Session, run: Run) -> PictureHead:
    """Return the heading of a run, with its lead verdict by built-in budgets."""
    verdicts = shown_verdicts(session, [run.run_id], reader_id=NO_ORGANISATION).get(run.run_id, [])
    return PictureHead(run.title or str(run.run_id), verdicts[0] if verdicts else None)


def draw(
    transactions: Transactions, reader_id: UUID, run_id: UUID, picture: Picture, head: PictureHead
) -> Drawing:
    """Return the picture of a run that the organisation `reader_id` may read; `chart` is an HTML page.

    Without latencies, the chart is a picture that states so.
    """
    lead = None if head.lead is None else head.lead.model_dump(mode="json")
    if picture == "badge.svg":
        return Drawing(badge_of(head.title, lead), SVG)
    if picture == "preview.png":
        return Drawing(preview_of(head.title, lead), PNG)
    percentiles = PercentilesOut.model_validate_json(picture_of(transactions, reader_id, run_id, PERCENTILES))
    chart = percentile_chart(percentiles.curves) or _NOTHING
    if picture == "chart.svg":
        return Drawing(chart, SVG)
    return Drawing(_chart_page(head.title, percentiles, chart), HTML)


def _chart_page(title: str, percentiles: PercentilesOut, chart: str) -> str:
    """Return an HTML page with the chart and a legend of its first six curves, which are those drawn."""
    keys = "".join(
        f'<li><i style="background:{colour(number)}"></i>{escape(curve.operation)}, {curve.clock} time'
        f"{'' if curve.count is None else f' ({count_text(curve.count)})'}</li>"
        for number, curve in enumerate(percentiles.curves[:6])
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex">'
        f"<title>{escape(title)}</title><style>body{{margin:8px;font:13px Inter,DejaVu Sans,sans-serif;"
        "background:#fff;color:#11161c}svg{width:100%;height:auto}ul{list-style:none;padding:0;display:flex;"
        "gap:12px;flex-wrap:wrap}i{display:inline-block;width:10px;height:10px;margin-right:4px}h1{font-size:15px}"
        f"</style><h1>{escape(title)}</h1>{chart}<ul>{keys}</ul></html>"
    )
