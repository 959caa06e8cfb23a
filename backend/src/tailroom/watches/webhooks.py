"""Webhooks: alerts sent to addresses that users enter, without access to the installation's own network.

A name is resolved for every attempt, and every resolved address must be on the Internet, or in a network that
the operator allows. The connection is to a resolved address, so that a later answer of the name server has no
effect. Redirects are not followed. A delivery has ten seconds in all.
"""

import hashlib
import hmac
import http.client
import ipaddress
import json
import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from threading import Event, Timer
from typing import Any
from urllib.parse import urlsplit

from tailroom.domain.errors import DomainError

SECONDS = 10.0
"""Time limit of a delivery."""
SIGNATURE = "Tailroom-Signature"
"""Name of the header with the signature."""
_PORTS = {"https": 443, "http": 80}
_OK, _REDIRECT, _REFUSED = 200, 300, 400
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that NAT64 translates to the IPv4 address in their last 32 bits."""
_LAST_32_BITS = (1 << 32) - 1

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Networks = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]


class AddressRefused(DomainError):
    """Alerts are not sent to this address; the message states the reason."""


class NotDelivered(DomainError):
    """An alert was not delivered; the message states the reason, such as the status of the receiver."""


def resolve_allowed(url: str, networks: Networks) -> list[Address]:
    """Return the addresses that the host of a URL resolves to, not empty.

    `networks` are internal networks that are allowed. Raise AddressRefused if the host cannot be resolved, an
    address is internal and not allowed, or a public address is used without TLS.
    """
    scheme, host, port = _parts(url)
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise AddressRefused(f"the host “{host}” cannot be found ({_error_text(error)})") from None
    addresses = list(
        dict.fromkeys(ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries)
    )
    allowed = [address for address in addresses if any(address in network for network in networks)]
    inside = [address for address in addresses if address not in allowed and not _is_public(address)]
    if inside or not addresses:
        raise AddressRefused(
            f"“{host}” leads to an internal address. Alerts go to addresses of the Internet; the operator"
            " can allow a network (TAILROOM_ALERT_NETWORKS)"
        )
    if scheme == "http" and len(allowed) < len(addresses):
        raise AddressRefused("an address of the Internet needs https://, or others can read the alert")
    return addresses


def signature(secret: str, body: bytes, at: datetime) -> str:
    """Return the signature of a body, `t=SECONDS,v1=HEX`: the Unix time, and an HMAC-SHA256 by `secret`.

    The HMAC is of this time, a full stop, and the body.
    """
    seconds = str(int(at.timestamp()))
    digest = hmac.new(secret.encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def post(  # noqa: PLR0917 - message, address and limits
    url: str,
    secret: str,
    message: Mapping[str, Any],
    at: datetime,
    networks: Networks,
    within_s: float = SECONDS,
) -> None:
    """Send a message as signed JSON, within `within_s` seconds for connection and answer together. `networks`
    are internal networks that are allowed. Raise AddressRefused for an address that is not allowed,
    NotDelivered if the answer is late, missing or not a 2xx status.
    """
    address = resolve_allowed(url, networks)[0]
    parts = urlsplit(url)
    body = json.dumps(message).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Tailroom",
        SIGNATURE: signature(secret, body, at),
    }
    connection = _connection(url, address, within_s)
    is_over = Event()
    timer = Timer(within_s, _shut_down, [connection, is_over])
    timer.daemon = True
    timer.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.connect()
        if is_over.is_set():  # it found no open connection to shut down
            raise TimeoutError
        connection.request("POST", path, body=body, headers=headers)
        response = connection.getresponse()
        status = response.status
    except (OSError, http.client.HTTPException, ValueError) as error:
        is_late = is_over.is_set() or isinstance(error, TimeoutError)
        reason = f"no answer within {within_s:g} seconds" if is_late else _error_text(error)
        raise NotDelivered(f"{parts.hostname}: {reason}") from None
    finally:
        timer.cancel()
        connection.close()
    if is_over.is_set():
        raise NotDelivered(f"{parts.hostname}: no whole answer within {within_s:g} seconds")
    if _REDIRECT <= status < _REFUSED:
        raise NotDelivered(
            f"{parts.hostname} redirects ({status}), which is not followed: enter the address it leads to"
        )
    if not _OK <= status < _REDIRECT:
        raise NotDelivered(f"{parts.hostname} answers {status}")


def _parts(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of a URL. Raise AddressRefused if alerts cannot be sent to it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise AddressRefused(f"it is no address ({error})") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise AddressRefused("it begins neither with https:// nor with http://, or names no host")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("it holds a name or a password; the signature shows who sends")
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme]


def _is_public(address: Address) -> bool:
    """Return whether an address is on the Internet, or the IPv4 address that an IPv6 address embeds."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in _TRANSLATED:
            return _is_public(ipaddress.IPv4Address(int(address) & _LAST_32_BITS))
        embedded = address.ipv4_mapped or address.sixtofour
        if embedded is not None:
            return _is_public(embedded)
    return address.is_global and not address.is_multicast and not address.is_reserved


class _PlainConnection(http.client.HTTPConnection):
    """An HTTP connection to a checked address, which does not resolve the name again."""

    address = ""
    """The resolved address, set before the connection opens."""

    def connect(self) -> None:
        """Connect to `address`."""
        self.sock = socket.create_connection((self.address, self.port), self.timeout)


class _SecureConnection(http.client.HTTPSConnection):
    """A TLS connection to a checked address; the certificate must match the host name."""

    address = ""
    """The resolved address, set before the connection opens."""

    def connect(self) -> None:
        """Connect to `address` and start TLS."""
        plain = socket.create_connection((self.address, self.port), self.timeout)
        self.sock = ssl.create_default_context().wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock.do_handshake()


def _connection(url: str, address: Address, within_s: float) -> http.client.HTTPConnection:
    scheme, host, port = _parts(url)
    kind = _SecureConnection if scheme == "https" else _PlainConnection
    connection = kind(host, port, timeout=within_s)
    connection.address = str(address)
    return connection


def _shut_down(connection: http.client.HTTPConnection, is_over: Event) -> None:
    """Set `is_over`, because the time limit is exceeded, and shut down the connection if it is open."""
    is_over.set()
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _error_text(error: BaseException) -> str:
    return str(error).partition("\n")[0][:200] or type(error).__name__
