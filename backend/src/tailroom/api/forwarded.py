"""Determine the address of the caller of a request that came through a proxy.

Headers count only from a peer inside the networks of `TAILROOM_TRUSTED_PROXIES`: the last address of its
`X-Forwarded-For` is the caller's, and `X-Forwarded-Proto` is http or https.
"""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from tailroom.kit.outside_types import canonical_address

Networks = Sequence[IPv4Network | IPv6Network]


class ProxyHeaders:
    """Apply the headers of trusted proxies; pure ASGI, outside all other middleware."""

    def __init__(self, app: ASGIApp, *, proxies: Networks) -> None:
        self._app, self._proxies = app, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set caller and scheme from the headers of a trusted proxy, then pass the request on."""
        if scope["type"] == "http" and self._proxies and self._is_proxy(scope):
            headers = Headers(scope=scope)
            last = ",".join(headers.getlist("x-forwarded-for")).rpartition(",")[2]
            if address := canonical_address(last):
                scope["client"] = (address, 0)
            if (scheme := headers.get("x-forwarded-proto", "").strip().lower()) in {"http", "https"}:
                scope["scheme"] = scheme
        await self._app(scope, receive, send)

    def _is_proxy(self, scope: Scope) -> bool:
        address = canonical_address(scope["client"][0] if scope.get("client") else "")
        return bool(address) and any(ip_address(address) in network for network in self._proxies)
