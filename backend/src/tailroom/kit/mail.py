"""Mail by SMTP, or into a private folder if no server is set: one machine needs none.

Mails contain secrets. Stored mails are readable for their owner alone, and deleted after a week. Headers are
encoded here and written unchanged: the newer interface of the standard library decodes encoded words in them
and makes headers of their line ends (Python 3.11).
"""

import smtplib
import ssl
import time
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.charset import QP, Charset
from email.errors import MessageError
from email.header import decode_header, make_header
from email.mime.text import MIMEText
from email.parser import BytesHeaderParser
from email.utils import format_datetime, make_msgid, parseaddr
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import structlog

from tailroom.kit.clock import utc_now
from tailroom.kit.encodings import mail_header
from tailroom.kit.identifiers import new_id
from tailroom.kit.outside_types import clean_text
from tailroom.kit.settings import Settings

MOST_SHOWN = 50
_TIMEOUT_S = 20.0
_STORED_S = 7 * 24 * 3600
_DEFAULT_PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
_LINES = policy.compat32.clone(linesep="\r\n")
_TEXT = Charset("utf-8")
_TEXT.body_encoding = QP
_UNREADABLE = "This mail cannot be shown"
_log = structlog.get_logger(__name__)


class StoredMail(NamedTuple):
    """A mail in the folder; `name`: its file name without suffix, `written_at`: when it was stored."""

    name: str
    to: str
    subject: str
    text: str
    written_at: datetime


class MailNotSent(Exception):
    """The mail server did not accept a mail, or it could not be stored."""


class Mailer:
    """Sends mails by SMTP, or stores them in `folder` without `smtp_url`.

    Raise ValueError if the URL has an unknown scheme.
    """

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
        """Whether mails are stored in the folder instead of sent."""
        return self._smtp_url is None

    def send(self, to: str, subject: str, text: str) -> None:
        """Send or store a mail. A failure is logged without the text, and not raised."""
        try:
            self.hand_over(to, subject, text)
        except MailNotSent as error:
            _log.error("mail_not_sent", subject=subject, error=str(error))

    def hand_over(self, to: str, subject: str, text: str) -> None:
        """Send or store a mail. Raise MailNotSent if that fails."""
        try:
            content = _encode_mail(self._sender, to, subject, text)
            if self._smtp_url is None:
                self._store(content)
            else:
                self._deliver(to, content)
        except (OSError, smtplib.SMTPException) as error:
            raise MailNotSent(type(error).__name__) from error
        except (ValueError, LookupError, MessageError) as error:
            # Of the mail itself: another attempt would end in the same way.
            raise MailNotSent(f"it cannot be written ({type(error).__name__})") from error

    def stored(self) -> list[StoredMail]:
        """Return the mails in the folder, the newest first, at most `MOST_SHOWN`; empty without a folder.

        A damaged mail is replaced by a notice; a file that cannot be read is left out.
        """
        if not self._folder.is_dir():
            return []
        newest = sorted(self._folder.glob("*.eml"), reverse=True)[:MOST_SHOWN]
        return [mail for path in newest if (mail := _read(path)) is not None]

    def _deliver(self, to: str, content: bytes) -> None:
        """Send a mail by the SMTP server. Raise OSError or SMTPException if the server does not accept it."""
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
            connection.sendmail(parseaddr(self._sender)[1], [to], content)

    def _store(self, content: bytes) -> None:
        """Write a mail into the folder, and delete mails older than a week. Raise OSError if that fails."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{new_id()}.eml"
        path.touch(mode=0o600)
        path.write_bytes(content)
        oldest = time.time() - _STORED_S
        for older in self._folder.glob("*.eml"):
            if older.stat().st_mtime < oldest:
                older.unlink(missing_ok=True)


def _encode_mail(sender: str, to: str, subject: str, text: str) -> bytes:
    """Return a mail as bytes. Raise ValueError or MessageError if its headers would be read differently."""
    headers = {
        "From": mail_header(sender),
        "To": mail_header(to),
        "Subject": mail_header(subject),
        "Date": format_datetime(utc_now()),
        "Message-ID": make_msgid(domain="tailroom.invalid"),
        "Auto-Submitted": "auto-generated",
    }
    message = MIMEText(text, "plain", _TEXT)  # type: ignore[arg-type] # it takes a Charset as well
    names = message.keys()
    for name, value in headers.items():
        message[name] = value
    content = message.as_bytes(policy=_LINES)
    if BytesHeaderParser(policy=policy.compat32).parsebytes(content).keys() != [*names, *headers]:
        raise ValueError("a header would be read as several")
    return content


def _read(path: Path) -> StoredMail | None:
    """Return a mail of the folder; None if its file cannot be read. A damaged mail becomes a notice."""
    try:
        content, written_s = path.read_bytes(), path.stat().st_mtime
    except OSError:
        return None
    written_at = datetime.fromtimestamp(written_s, tz=UTC)
    try:
        message = message_from_bytes(content)
        to, subject = (_decode_header(str(message[name] or "")) for name in ("To", "Subject"))
        plain = next((part for part in message.walk() if part.get_content_type() == "text/plain"), message)
        payload = plain.get_payload(decode=True)
        charset = plain.get_content_charset("utf-8")
        text = payload.decode(charset, "replace").replace("\r\n", "\n") if isinstance(payload, bytes) else ""
    except Exception as error:  # noqa: BLE001 - whatever the parser makes of a damaged file
        _log.warning("mail_unreadable", name=path.stem, error=type(error).__name__)
        return StoredMail(path.stem, "", _UNREADABLE, "", written_at)
    return StoredMail(path.stem, clean_text(to), clean_text(subject), clean_text(text), written_at)


def _decode_header(header: str) -> str:
    return " ".join(str(make_header(decode_header(header))).split())
