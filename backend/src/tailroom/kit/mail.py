"""Mail by SMTP, or into a private folder if no server is set: one machine needs none.

Mails hold secrets. They are written for their owner alone, and what is stored is forgotten after a week.
"""

import smtplib
import ssl
import time
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import structlog

from tailroom.kit.clock import utc_now
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings

MOST_SHOWN = 50
_TIMEOUT_S = 20.0
_STORED_S = 7 * 24 * 3600
_DEFAULT_PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
_log = structlog.get_logger(__name__)


class StoredMail(NamedTuple):
    """A mail in the folder."""

    name: str
    to: str
    subject: str
    text: str
    written_at: datetime


class MailNotSent(Exception):
    """The mail server did not take a mail, or it could not be stored."""


class Mailer:
    """Sends the mails of this installation."""

    def __init__(self, smtp_url: str | None, sender: str, folder: Path) -> None:
        self._smtp_url = None if smtp_url is None else urlsplit(smtp_url)
        if self._smtp_url is not None and self._smtp_url.scheme not in _DEFAULT_PORTS:
            raise ValueError(
                f"TAILROOM_SMTP_URL begins with {self._smtp_url.scheme}://; it must be one of"
                f" {', '.join(f'{scheme}://' for scheme in _DEFAULT_PORTS)}"
            )
        self._sender = sender
        self._folder = folder

    @classmethod
    def from_settings(cls, settings: Settings) -> "Mailer":
        """Return a mailer from the settings. Raise ValueError if they are invalid."""
        url = "" if settings.smtp_url is None else settings.smtp_url.get_secret_value()
        return cls(url or None, settings.mail_from, settings.home / "mail")

    @property
    def is_stored(self) -> bool:
        """Whether mails stay on this machine."""
        return self._smtp_url is None

    def send(self, to: str, subject: str, text: str) -> None:
        """Send a mail, or store it. A failure is logged without the text; the person can ask again."""
        try:
            self.hand_over(to, subject, text)
        except MailNotSent as error:
            _log.error("mail_not_sent", subject=subject, error=str(error))

    def hand_over(self, to: str, subject: str, text: str) -> None:
        """Send a mail, or store it. Raise MailNotSent, so that the caller can retry."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message["Date"] = format_datetime(utc_now())
        message["Message-ID"] = make_msgid(domain="tailroom.invalid")
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        try:
            if self._smtp_url is None:
                self._store(message)
            else:
                self._deliver(message)
        except (OSError, smtplib.SMTPException) as error:
            raise MailNotSent(type(error).__name__) from error

    def stored(self) -> list[StoredMail]:
        """Return the mails in the folder, newest first."""
        if not self._folder.is_dir():
            return []
        newest = sorted(self._folder.glob("*.eml"), reverse=True)[:MOST_SHOWN]
        return [_read(path) for path in newest]

    def _deliver(self, message: EmailMessage) -> None:
        url = self._smtp_url
        assert url is not None  # noqa: S101 - asked before
        host, port = url.hostname or "localhost", url.port or _DEFAULT_PORTS[url.scheme]
        context = ssl.create_default_context()
        if url.scheme == "smtps":
            connection: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=_TIMEOUT_S, context=context)
        else:
            connection = smtplib.SMTP(host, port, timeout=_TIMEOUT_S)
        with connection:
            if url.scheme == "smtp":
                connection.starttls(context=context)
            if url.username:
                connection.login(unquote(url.username), unquote(url.password or ""))
            connection.send_message(message)

    def _store(self, message: EmailMessage) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{new_id()}.eml"
        path.touch(mode=0o600)
        path.write_bytes(message.as_bytes(policy=policy.SMTP))
        oldest = time.time() - _STORED_S
        for older in self._folder.glob("*.eml"):
            if older.stat().st_mtime < oldest:
                older.unlink(missing_ok=True)


def _read(path: Path) -> StoredMail:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    return StoredMail(
        path.stem,
        str(message["To"]),
        str(message["Subject"]).lstrip(),  # a long one begins on the next line
        "" if body is None else str(body.get_content()),
        datetime.fromtimestamp(path.stat().st_mtime, tz=UTC),
    )
