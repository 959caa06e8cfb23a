"""Deletion of an organisation on request of an owner, after a period of grace in which it works as usual."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tailroom.access import trail
from tailroom.kit.mail import Mailer
from tailroom.kit.transactions import Transactions
from tailroom.operations.removal import delete_organisation
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import Membership
from tailroom.work import outbox
from tailroom.work.kinds import DISSOLVE

REMINDER_BEFORE = timedelta(days=2)
"""Time between the reminder and the deletion."""


class MailRecipients(NamedTuple):
    """Name of an organisation, and the e-mail addresses of its members."""

    name: str
    emails: Sequence[str]


def request(session: Session, organisation_id: UUID, now: datetime, grace: timedelta) -> datetime:
    """Schedule the deletion after `grace`, unless it is already; return when it is due."""
    organisation = session.get_one(Organisation, organisation_id, with_for_update={"key_share": True})
    if organisation.deletion_due_at is None:
        due_at = now + grace
        organisation.deletion_due_at = due_at
        session.flush()
        outbox.make_due(
            session,
            DISSOLVE,
            organisation_id,
            organisation_id,
            max(now, due_at - REMINDER_BEFORE),
            reset=True,
        )
        trail.note(session, organisation.name, after={"deletion_due_at": due_at.isoformat()})
    return organisation.deletion_due_at


def withdraw(session: Session, organisation_id: UUID) -> bool:
    """Withdraw the request for deletion; return whether there was one."""
    organisation = session.get_one(Organisation, organisation_id, with_for_update={"key_share": True})
    due_at = organisation.deletion_due_at
    if due_at is None:
        return False
    session.execute(
        update(Organisation).where(Organisation.id == organisation_id).values(deletion_due_at=None)
    )
    outbox.drop_one(session, DISSOLVE, organisation_id)
    trail.note(session, organisation.name, before={"deletion_due_at": due_at.isoformat()})
    return True


def recipients_of(session: Session, organisation_id: UUID) -> MailRecipients:
    """Return the organisation's name (empty if it is gone) and its members' e-mail addresses."""
    name = session.scalar(select(Organisation.name).where(Organisation.id == organisation_id)) or ""
    query = select(Membership.email).where(Membership.organisation_id == organisation_id)
    return MailRecipients(name, session.scalars(query.order_by(Membership.email)).all())


def advance(
    installation: Transactions, mailer: Mailer, organisation_id: UUID, now: datetime
) -> datetime | None:
    """Delete the organisation if that is due, otherwise remind its members; each gets a mail.

    Return the time of the deletion after a reminder, None after the deletion. Return None without a mail if
    the request was withdrawn or the organisation is gone. `installation`: transactions bound to no
    organisation.
    """
    with installation() as session:
        organisation = session.get(Organisation, organisation_id, with_for_update=True)
        if organisation is None or organisation.deletion_due_at is None:
            return None
        due_at = organisation.deletion_due_at
        recipients = recipients_of(session, organisation_id)
        is_over = due_at <= now
        if is_over:
            delete_organisation(session, organisation_id, now)
    name = recipients.name
    subject, text = mail_about_deletion(name) if is_over else mail_about_reminder(name, due_at)
    for email in recipients.emails:
        mailer.send(email, subject, text)
    return None if is_over else due_at


def mail_about_request(name: str, due_at: datetime, by: str, base: str) -> tuple[str, str]:
    """Return subject and text of the mail that a deletion was requested.

    `by`: e-mail address or token name of the caller who requested it; `base`: URL of the installation.
    """
    text = (
        f"{by} asked that {name} is deleted, with its runs, files, budgets and tokens.\n\n"
        f"It will be deleted on {due_at:%d %B %Y at %H:%M} UTC. Until then everything works as before.\n\n"
        f"An owner takes it back or exports everything here: {base}/settings?tab=organisation\n"
    )
    return f"{name} will be deleted on {due_at:%d %B %Y}", text


def mail_about_reminder(name: str, due_at: datetime) -> tuple[str, str]:
    """Return subject and text of the reminder shortly before the deletion."""
    text = (
        f"{name} will be deleted on {due_at:%d %B %Y at %H:%M} UTC, with its runs, files, budgets and"
        " tokens.\n\n"
        "An owner takes it back in the settings of the organisation, where everything can be exported too.\n"
    )
    return f"{name} will be deleted soon", text


def mail_about_withdrawal(name: str, by: str) -> tuple[str, str]:
    """Return subject and text of the mail that `by` withdrew the request for deletion."""
    return f"{name} stays", f"{by} took back that {name} is deleted. Nothing was deleted.\n"


def mail_about_deletion(name: str) -> tuple[str, str]:
    """Return subject and text of the mail to former members that the organisation was deleted."""
    text = (
        f"{name} was deleted, as one of its owners had asked. Its runs, files, budgets and tokens are gone.\n"
        "Whoever opens the link of a published run reads that it was deleted.\n"
    )
    return f"{name} was deleted", text
