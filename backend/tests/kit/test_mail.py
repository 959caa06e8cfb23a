"""What a mail holds, whatever names of organisations, watches and people say."""

import socketserver
import threading
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from tailroom.kit.mail import Mailer, MailNotSent

INJECTED = "=?utf-8?q?hello=0D=0ABcc:_spy@evil.example=0D=0A=0D=0APay_here?="


@pytest.fixture
def mailer(tmp_path: Path) -> Mailer:
    return Mailer(None, "Tailroom <tailroom@localhost>", tmp_path)


class _Conversation(socketserver.StreamRequestHandler):
    """As much of SMTP as a client needs to hand a mail over."""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        taken: list[bytes] = self.server.taken  # type: ignore[attr-defined]
        while line := self.rfile.readline():
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                content = b""
                while (part := self.rfile.readline()) not in (b".\r\n", b""):
                    content += part
                taken.append(content)
            elif line.upper().startswith(b"RCPT"):
                taken.append(line)
            if line.upper().startswith(b"QUIT"):
                self.wfile.write(b"221 bye\r\n")
                return
            self.wfile.write(b"250 fine\r\n")


@pytest.fixture
def server() -> Iterator[socketserver.TCPServer]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Conversation) as found:
        found.taken = []  # type: ignore[attr-defined]
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found
        found.shutdown()


@pytest.mark.parametrize(
    "name",
    [INJECTED, "a\r\nBcc: spy@evil.example", "a\u2028Bcc: spy@evil.example", "=?utf-8?b?YQ0KQmNjOiBi?="],
)
def test_a_name_adds_no_header_and_no_body(mailer: Mailer, tmp_path: Path, name: str) -> None:
    """A name that was stored before names had a type is shown as it stands."""
    mailer.hand_over("ada@people.example", f"An invitation into {name}", "The text.\n")
    (path,) = tmp_path.glob("*.eml")
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert message["Bcc"] is None
    assert message.get_content().strip() == "The text."
    (stored,) = mailer.stored()
    assert stored.subject == " ".join(f"An invitation into {name}".split())
    assert (stored.to, stored.text.strip()) == ("ada@people.example", "The text.")


def test_a_mail_that_is_sent_has_one_recipient_and_the_same_headers(server: socketserver.TCPServer) -> None:
    mailer = Mailer(f"smtp+plain://127.0.0.1:{server.server_address[1]}", "Tailroom <t@x.example>", Path())
    mailer.hand_over("ada@people.example", INJECTED, "Grüße.\n")
    recipient, content = server.taken  # type: ignore[attr-defined]
    assert recipient.upper() == b"RCPT TO:<ADA@PEOPLE.EXAMPLE>\r\n"
    message = message_from_bytes(content, policy=policy.default)
    assert message["Bcc"] is None
    assert str(message["From"]) == "Tailroom <t@x.example>"
    assert str(message["Subject"]).strip() == INJECTED
    assert message.get_content().strip() == "Grüße."


def test_a_mail_that_cannot_be_written_is_named(
    mailer: Mailer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever tries again is told, and so is the log: it is not lost among the tasks after an answer."""
    with pytest.raises(MailNotSent, match="cannot be written"):
        mailer.hand_over("ada@people.example", "A subject", "half of a pair: \ud800")
    logged: list[dict[str, str]] = []
    monkeypatch.setattr(
        "tailroom.kit.mail._log.error", lambda event, **said: logged.append({"": event, **said})
    )
    mailer.send("ada@people.example", "A subject", "half of a pair: \ud800")
    assert [(one[""], one["subject"]) for one in logged] == [("mail_not_sent", "A subject")]
    assert not list(tmp_path.glob("*.eml"))


def test_a_damaged_mail_hides_no_others(mailer: Mailer, tmp_path: Path) -> None:
    mailer.hand_over("ada@people.example", "First", "One.\n")
    (tmp_path / "damaged-1.eml").write_bytes(b"To: a@[x\r\nSubject: \xff\xed\xa0\x80\r\n\r\n\xff\x00")
    (tmp_path / "damaged-2.eml").write_bytes(b"Content-Type: text/plain; charset=none\r\n\r\n\xff")
    (tmp_path / "damaged-3.eml").mkdir()
    subjects = {one.name: one.subject for one in mailer.stored()}
    assert "First" in subjects.values()
    assert {"damaged-1", "damaged-2"} <= set(subjects)
    for one in mailer.stored():
        "".join([one.to, one.subject, one.text]).encode()


def test_an_address_that_no_server_takes_is_written_all_the_same(mailer: Mailer) -> None:
    """As of a watch that was stored before addresses had a type: what becomes of it is said, not raised."""
    mailer.hand_over("a@[x", "A subject", "Text.")
    mailer.hand_over("😀@people.example", "A subject", "Text.")
    assert [one.subject for one in mailer.stored()] == ["A subject", "A subject"]
