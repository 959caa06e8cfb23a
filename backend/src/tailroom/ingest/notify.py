"""Tells pages and workers what a message of an agent has changed, after it was committed. May fail without
harm.
"""

from tailroom.ingest.service import News
from tailroom.kit.notifier import Notifier, sse_frame


def tell(notifier: Notifier, news: News) -> None:
    """Publishes live ticks, then what a page has to fetch again, then asks the workers to look."""
    if news.ticks:
        notifier.publish(news.run_id, sse_frame("ticks", {"run_id": str(news.run_id), "ticks": news.ticks}))
    if news.state_changed:
        notifier.changed(news.run_id, ["state"], news.state)
    if news.has_new_data or news.state_changed:
        notifier.look_at(news.run_id, at_once=news.state_changed)
