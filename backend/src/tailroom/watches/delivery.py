"""Delivery of alerts. A failure is stored with its reason, and workers try again later."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import exists, func, select

from tailroom.domain.errors import DomainError
from tailroom.kit.mail import Mailer, MailNotSent
from tailroom.kit.transactions import Transactions
from tailroom.storage.person import Membership
from tailroom.storage.watch import Alert, Watch
from tailroom.watches.results import WEBHOOK
from tailroom.watches.webhooks import Networks, NotDelivered, post


def deliver(
    transactions: Transactions, mailer: Mailer, networks: Networks, alert_id: UUID, now: datetime
) -> bool:
    """Deliver an alert, store the attempt with its error, and return True; return False for an alert that
    does not exist or was delivered before. No database connection is held during the delivery. Raise
    NotDelivered if it fails for any reason, also of address or mail.
    """
    with transactions() as session:
        alert = session.scalar(select(Alert).where(Alert.alert_id == alert_id))
        if alert is None or alert.delivered_at is not None:
            return False
        watch = session.get_one(Watch, (alert.organisation_id, alert.watch_id))
        is_member = exists().where(
            Membership.organisation_id == watch.organisation_id,
            func.lower(Membership.email) == (watch.email or "").lower(),
        )
        may_get_mail = mailer.is_stored or bool(session.scalar(select(is_member)))
        session.expunge_all()
    error: str | None = None
    try:
        if alert.channel != WEBHOOK and watch.email is not None and not may_get_mail:
            raise NotDelivered(f"{watch.email} is no member of the organisation any more")
        _send(alert, watch, mailer, networks, now)
    except (DomainError, MailNotSent) as failure:
        error = str(failure)
    with transactions() as session:
        locked_alert = session.get(Alert, (alert.organisation_id, alert_id), with_for_update=True)
        if locked_alert is not None:
            locked_alert.attempts += 1
            locked_alert.error = error
            locked_alert.delivered_at = now if error is None else None
    if error is not None:
        raise NotDelivered(error)
    return True


def _send(alert: Alert, watch: Watch, mailer: Mailer, networks: Networks, now: datetime) -> None:
    """Send an alert by webhook or mail; the first sentence, cut to 150 characters, is the subject of a mail.
    Raise NotDelivered if the watch has no such channel any more or the receiver does not accept the alert,
    AddressRefused for a refused address, MailNotSent if the mail fails.
    """
    if alert.channel == WEBHOOK:
        if watch.webhook_url is None or watch.webhook_secret is None:
            raise NotDelivered("the watch has no address any more")
        post(watch.webhook_url, watch.webhook_secret, alert.message, now, networks)
        return
    if watch.email is None:
        raise NotDelivered("the watch has no e-mail address any more")
    subject = " ".join(str(alert.message["text"]).partition(". ")[0].split())
    text = (
        f"{alert.message['text']}\n\nYou get this because “{watch.name}” is watched at Tailroom (/watch).\n"
    )
    mailer.hand_over(watch.email, subject[:150], text)
