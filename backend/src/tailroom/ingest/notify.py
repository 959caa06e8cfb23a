"""Notification of pages about changes by an agent's message, after the commit; a failure harms nothing."""

from tailroom.ingest.service import RunNotification
from tailroom.kit.notifier import Notifier, sse_frame


def publish(notifier: Notifier, notification: RunNotification) -> None:
    """Publish the live ticks, then which parts of the run a page has to fetch again."""
    if notification.ticks:
        notifier.publish(
            notification.run_id,
            sse_frame("ticks", {"run_id": str(notification.run_id), "ticks": notification.ticks}),
        )
    if notification.state_changed:
        notifier.changed(notification.run_id, ["state"], notification.state)
