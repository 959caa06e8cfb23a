"""Tells pages what a message of an agent has changed, after it was committed. May fail without harm."""

from tailroom.ingest.service import News
from tailroom.kit.notifier import Notifier, sse_frame


def tell(notifier: Notifier, news: News) -> None:
    """Publishes live ticks, then what a page has to fetch again."""
    if news.ticks:
        notifier.publish(news.run_id, sse_frame("ticks", {"run_id": str(news.run_id), "ticks": news.ticks}))
    if news.state_changed:
        notifier.changed(news.run_id, ["state"], news.state)
