"""Alerts by webhook: signed, never into internal networks, and not for longer than they may take."""

import hashlib
import hmac
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tailroom.kit.outside_types import parse_networks
from tailroom.watches.webhooks import SIGNATURE, AddressRefused, NotDelivered, post, resolve_allowed

LOOPBACK = parse_networks(["127.0.0.0/8"])
AT = datetime(2026, 11, 23, tzinfo=UTC)


class Receiver:
    """A server of one kind: what it got, and where it listens."""

    def __init__(self, answer: bytes, pause_s: float = 0.0, drip_s: float = 0.0) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.got = b""
        self.answer, self.pause_s, self.drip_s = answer, pause_s, drip_s

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}/hook?team=1"

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            with connection:
                self._exchange(connection)

    def _exchange(self, connection: socket.socket) -> None:
        try:
            got = b""
            while b"\r\n\r\n" not in got or not got.endswith(b"}"):
                piece = connection.recv(65_536)
                if not piece:
                    break
                got += piece
            self.got = got
            time.sleep(self.pause_s)
            for place in range(len(self.answer)):
                connection.sendall(self.answer[place : place + 1])
                time.sleep(self.drip_s)
        except OSError:
            return


@contextmanager
def receiving(
    answer: bytes, pause_s: float = 0.0, drip_s: float = 0.0, tls: ssl.SSLContext | None = None
) -> Iterator[Receiver]:
    found = Receiver(answer, pause_s, drip_s)
    if tls is not None:
        found.listening = tls.wrap_socket(found.listening, server_side=True)
    thread = threading.Thread(target=found.serve, daemon=True)
    thread.start()
    yield found
    found.listening.close()


def send(url: str, within_s: float = 60.0) -> None:
    post(url, "secret", {"text": "a change"}, AT, LOOPBACK, within_s)


def test_what_is_sent_is_signed() -> None:
    with receiving(b"HTTP/1.1 204 No Content\r\n\r\n") as receiver:
        send(receiver.url)
    head, _, body = receiver.got.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /hook?team=1 HTTP/1.1\r\n")
    assert json.loads(body) == {"text": "a change"}
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    seconds, digest = (part.partition("=")[2] for part in headers[SIGNATURE].split(","))
    assert int(seconds) == int(AT.timestamp())
    expected = hmac.new(b"secret", seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(digest, expected)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 500 Oops\r\n\r\n", "answers 500"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\n\r\n", "redirects"),
        (b"nonsense\r\n\r\n", "127.0.0.1"),
        (b"", "127.0.0.1"),
    ],
)
def test_what_is_no_answer_is_named(answer: bytes, said: str) -> None:
    with receiving(answer) as receiver, pytest.raises(NotDelivered, match=said):
        send(receiver.url)


@pytest.mark.parametrize(("pause_s", "drip_s"), [(60.0, 0.0), (0.0, 0.3)])
def test_who_answers_after_a_minute_or_byte_by_byte_is_left(pause_s: float, drip_s: float) -> None:
    began = time.monotonic()
    with (
        receiving(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100, pause_s, drip_s) as receiver,
        pytest.raises(NotDelivered, match="no answer within 1 seconds"),
    ):
        send(receiver.url, 1.0)
    assert time.monotonic() - began < 30.0


def test_nothing_is_sent_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.create_connection

    def connect_late(place: tuple[str, int], timeout: float) -> socket.socket:
        time.sleep(timeout + 0.5)
        return connect(place, timeout)

    monkeypatch.setattr(socket, "create_connection", connect_late)
    with (
        receiving(b"HTTP/1.1 204 No Content\r\n\r\n") as receiver,
        pytest.raises(NotDelivered, match="no answer within"),
    ):
        send(receiver.url, 0.5)
    assert receiver.got == b""


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),  # noqa: S104
        *("[::1]", "[fe80::1]", "[fc00::1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"),
        *("224.0.0.1", "255.255.255.255", "localhost", "2130706433", "0x7f.1"),
    ],
)
def test_internal_addresses_are_refused(address: str) -> None:
    with pytest.raises(AddressRefused):
        resolve_allowed(f"https://{address}/hook", [])


@pytest.mark.parametrize(
    "url",
    ["ftp://example.com", "https://", "file:///etc/passwd", "https://a:b@example.com/", "https://x:99999/"],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        resolve_allowed(url, [])


def test_addresses_of_the_internet_need_encryption() -> None:
    assert [str(one) for one in resolve_allowed("https://93.184.215.14/hook", [])] == ["93.184.215.14"]
    with pytest.raises(AddressRefused, match="https"):
        resolve_allowed("http://93.184.215.14/hook", [])


def test_a_certificate_that_nobody_trusts_is_refused(tmp_path: Path) -> None:
    """A server that calls itself by the right address and signs that itself."""
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hook")])
    own = x509.CertificateBuilder(name, name, key.public_key(), 1, AT, AT + timedelta(days=3_650))
    address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = own.add_extension(address, critical=False).sign(key, None).public_bytes(Encoding.PEM)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "server.pem").write_bytes(certificate + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "server.pem")
    with (
        receiving(b"HTTP/1.1 204 No Content\r\n\r\n", tls=context) as receiver,
        pytest.raises(NotDelivered, match="certificate verify failed"),
    ):
        send(receiver.url.replace("http:", "https:"))
    assert receiver.got == b""


def test_a_name_is_asked_for_each_time_and_once_for_each_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere a moment later is not asked twice, and refused the next time."""
    answers, asked_as_address = ["127.0.0.1", "10.0.0.1"], socket.getaddrinfo
    asked: list[Any] = []

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers[len(asked) - 1], port))]

    with receiving(b"HTTP/1.1 200 OK\r\n\r\n") as receiver:
        port = receiver.listening.getsockname()[1]
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        url = f"http://moving.example:{port}/hook"
        made: list[str] = []
        connect = socket.create_connection

        def noted(place: tuple[str, int], timeout: float) -> socket.socket:
            made.append(place[0])
            with monkeypatch.context() as unchanged:
                unchanged.setattr(socket, "getaddrinfo", asked_as_address)
                return connect(place, timeout)

        monkeypatch.setattr(socket, "create_connection", noted)
        send(url)
        assert asked == ["moving.example"]
        assert made == ["127.0.0.1"], "to the address that was checked, not to the name"
        with pytest.raises(AddressRefused, match="internal"):
            send(url)
    assert made == ["127.0.0.1"]
