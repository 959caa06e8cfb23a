"""A provider of OpenID Connect over HTTP, made of the server half of Authlib: it checks PKCE and the client's
secret by itself, and can be told to lie in one thing at a time.
"""

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Flask, Response, jsonify, request
from joserfc import jwt
from joserfc.jwk import RSAKey
from werkzeug.serving import make_server

CLIENT_ID, CLIENT_SECRET = "tailroom", "a secret of two"


class _Client(SimpleNamespace):
    """The one client that is known."""

    client_id = CLIENT_ID

    def get_client_id(self) -> str:
        return CLIENT_ID

    def get_default_redirect_uri(self) -> None:
        return None

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri == "http://testserver/sign-in/return"

    def check_client_secret(self, secret: str) -> bool:
        return secret == CLIENT_SECRET

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        return method == "client_secret_basic"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


class _Code(SimpleNamespace):
    """A code that was given out."""

    def get_redirect_uri(self) -> str:
        return str(self.redirect_uri)

    def get_scope(self) -> str:
        return str(self.scope)


@dataclass
class OidcProvider:
    """What it says; tests change it."""

    issuer: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    lies: dict[str, Any] = field(default_factory=dict)
    """Claims of the ID token that are not true."""
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "first"}))
    signs_with: RSAKey | None = None
    """Another key than the one that it publishes."""
    algorithm: str = "RS256"
    tells_later: bool = False
    """The address is told by the userinfo endpoint alone."""
    codes: dict[str, _Code] = field(default_factory=dict)

    def rotate(self) -> None:
        """Signs with another key from now on, and publishes it."""
        self.key = RSAKey.generate_key(2048, {"kid": secrets.token_hex(4)})

    def id_token(self, code: _Code) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": code.nonce,
            **({"sub": self.person["sub"]} if self.tells_later else self.person),
            **self.lies,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.algorithm == "none":
            return jwt.encode({"alg": "none"}, claims, self.key, ["none"])
        key = self.signs_with or self.key
        return jwt.encode({"alg": self.algorithm, "kid": self.key.kid}, claims, key, [self.algorithm])


def _application(provider: OidcProvider) -> Flask:
    app = Flask(__name__)
    server = AuthorizationServer(app, lambda _: _Client(), lambda _token, _request: None)

    class Grant(grants.AuthorizationCodeGrant):  # type: ignore[misc]
        """The only grant."""

        TOKEN_ENDPOINT_AUTH_METHODS = ("client_secret_basic",)

        def save_authorization_code(self, code: str, asked: Any) -> None:
            data = asked.payload.data
            provider.codes[code] = _Code(
                redirect_uri=asked.payload.redirect_uri,
                scope=asked.payload.scope,
                nonce=data.get("nonce"),
                code_challenge=data.get("code_challenge"),
                code_challenge_method=data.get("code_challenge_method"),
            )

        def query_authorization_code(self, code: str, _client: Any) -> _Code | None:
            return provider.codes.get(code)

        def delete_authorization_code(self, code: Any) -> None:
            for name in [name for name, one in provider.codes.items() if one is code]:
                del provider.codes[name]

        def authenticate_user(self, code: Any) -> Any:
            self.code = code
            return SimpleNamespace(id="somebody")

    class IdToken:
        """Adds the ID token."""

        def __call__(self, grant: Any) -> None:
            grant.register_hook("after_create_token_response", self.add)

        def add(self, grant: Any, answer: Any) -> None:
            answer[1]["id_token"] = provider.id_token(grant.code)

    server.register_grant(Grant, [CodeChallenge(required=True), IdToken()])

    @app.get("/.well-known/openid-configuration")
    def metadata() -> Response:
        return jsonify(
            issuer=provider.issuer,
            authorization_endpoint=f"{provider.issuer}/authorize",
            token_endpoint=f"{provider.issuer}/token",
            jwks_uri=f"{provider.issuer}/keys",
            userinfo_endpoint=f"{provider.issuer}/userinfo",
        )

    @app.get("/keys")
    def keys() -> Response:
        return jsonify(keys=[provider.key.as_dict(private=False)])

    @app.get("/authorize")
    def authorize() -> Any:
        grant = server.get_consent_grant(end_user=SimpleNamespace(id="somebody"))
        return server.create_authorization_response(grant_user=SimpleNamespace(id="somebody"), grant=grant)

    @app.post("/token")
    def token() -> Any:
        return server.create_token_response()

    @app.get("/userinfo")
    def userinfo() -> Response:
        assert request.headers["Authorization"].startswith("Bearer ")
        return jsonify(provider.person)

    return app


@contextmanager
def serving_provider() -> Iterator[OidcProvider]:
    """One on a port of this machine."""
    provider = OidcProvider()
    http = make_server("127.0.0.1", 0, _application(provider), threaded=True)
    provider.issuer = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        http.shutdown()
        thread.join(10.0)
        http.server_close()
