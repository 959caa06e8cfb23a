"""Decides whether an ID token is the provider's, for this installation, fresh, and of this very attempt.

Speaks OpenID Connect with the provider that the settings name: the authorization code flow with PKCE. What
the provider says of itself and its keys are kept for an hour; a key that is not among them is looked for once
more.
"""

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import Token

from tailroom.kit.settings import Settings
from tailroom.people.errors import ProviderAway, SingleSignOnRefused

SECONDS = 5.0
KEPT_S = 3600.0
LEEWAY_S = 60
"""Clocks of two servers differ."""
ALGORITHMS = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "Ed25519",
    "EdDSA",
)
"""Signatures with a key pair: a shared secret would let this server make tokens, and `none` anybody."""
_LARGEST_ANSWER_BYTES = 2**20
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Attempt:
    """Of one way to the provider and back, what both ends of it must agree on."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str

    @staticmethod
    def begin(redirect_uri: str) -> "Attempt":
        """A new one; each value has 256 random bits."""
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return Attempt(state, nonce, verifier, redirect_uri)


class _Known(NamedTuple):
    """What the provider says of itself."""

    metadata: Mapping[str, Any]
    keys: KeySet
    at: float


class Provider:
    """The provider of one process."""

    def __init__(self, settings: Settings) -> None:
        assert settings.oidc_issuer is not None  # noqa: S101 - whoever makes it has looked
        self.issuer: str = settings.oidc_issuer
        self._client_id = settings.oidc_client_id or ""
        secret = settings.oidc_client_secret
        self._secret = None if secret is None else secret.get_secret_value()
        self._scopes = settings.oidc_scopes
        self._lock = Lock()
        self._known: _Known | None = None

    def address(self, attempt: Attempt) -> str:
        """Where the browser goes to sign in. Raises ProviderAway."""
        with self._client(attempt) as client:
            url, _ = client.create_authorization_url(
                self._metadata("authorization_endpoint"),
                state=attempt.state,
                nonce=attempt.nonce,
                code_verifier=attempt.verifier,
            )
        return str(url)

    def claims(self, attempt: Attempt, code: str) -> Mapping[str, Any]:
        """Who has signed in there. Raises ProviderAway, SingleSignOnRefused."""
        endpoint = self._metadata("token_endpoint")
        with self._client(attempt) as client:
            try:
                token = client.fetch_token(
                    endpoint,
                    grant_type="authorization_code",
                    code=code,
                    code_verifier=attempt.verifier,
                    timeout=SECONDS,
                    allow_redirects=False,
                )
            except AuthlibBaseError as error:
                raise SingleSignOnRefused(
                    f"The provider rejects the code ({_short(error)}). Sign in once more."
                ) from None
            except (requests.RequestException, ValueError, KeyError) as error:
                raise self._away(error) from None
        text = token.get("id_token")
        if not isinstance(text, str):
            raise SingleSignOnRefused("The provider sent no ID token.")
        claims = self._checked(text, attempt, token.get("access_token"))
        return claims | self._more(claims, token.get("access_token"))

    def _checked(self, text: str, attempt: Attempt, access_token: object) -> dict[str, Any]:
        try:
            token = self._decoded(text)
            found = CodeIDToken(
                token.claims,
                token.header,
                {
                    "iss": {"essential": True, "value": self.issuer},
                    "aud": {"essential": True, "value": self._client_id},
                    "sub": {"essential": True},
                },
                {"nonce": attempt.nonce, "client_id": self._client_id, "access_token": access_token},
            )
            found.validate(leeway=LEEWAY_S)
        except (JoseError, ValueError, TypeError) as error:
            raise SingleSignOnRefused(
                f"The provider’s answer is not valid ({_short(error)}). Nobody was signed in."
            ) from None
        if not isinstance(found["sub"], str) or not found["sub"]:
            raise SingleSignOnRefused("The provider’s answer names nobody (sub).")
        return dict(found)

    def _decoded(self, text: str) -> Token:
        known = self._about()
        try:
            return jwt.decode(text, known.keys, algorithms=ALGORITHMS)
        except JoseError:
            if known.at == self._about(after=known.at).at:
                raise
        return jwt.decode(text, self._about().keys, algorithms=ALGORITHMS)

    def _more(self, claims: Mapping[str, Any], access_token: object) -> dict[str, Any]:
        """What the provider tells only when asked for it: many keep the address out of the ID token."""
        endpoint = self._about().metadata.get("userinfo_endpoint")
        if (
            "email" in claims
            or not isinstance(access_token, str)
            or not isinstance(endpoint, str)
            or not is_safe(endpoint)
        ):
            return {}
        found = self._get(endpoint, {"Authorization": f"Bearer {access_token}"})
        if found.get("sub") != claims["sub"]:
            raise SingleSignOnRefused("The provider’s two answers name different people.")
        return {name: value for name, value in found.items() if name not in claims}

    def _client(self, attempt: Attempt) -> OAuth2Session:
        methods = self._about().metadata.get("token_endpoint_auth_methods_supported") or [
            "client_secret_basic"
        ]
        by_secret = "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"
        return OAuth2Session(
            self._client_id,
            self._secret,
            token_endpoint_auth_method="none" if self._secret is None else by_secret,
            scope=self._scopes,
            redirect_uri=attempt.redirect_uri,
            code_challenge_method="S256",
        )

    def _metadata(self, name: str) -> str:
        found = self._about().metadata.get(name)
        if not isinstance(found, str) or not is_safe(found):
            raise ProviderAway(f"The provider {self.issuer} names no usable {name}.")
        return found

    def _about(self, after: float | None = None) -> _Known:
        """What is known of the provider, asked for anew when it is old, or not newer than `after`."""
        with self._lock:
            known = self._known
            if known is None or time.monotonic() - known.at > KEPT_S or known.at == after:
                metadata = self._get(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
                if metadata.get("issuer") != self.issuer:
                    raise ProviderAway(
                        f"The provider's issuer is {str(metadata.get('issuer'))[:200]!r}, the setting has"
                        f" {self.issuer!r}; both must be the same."
                    )
                place = metadata.get("jwks_uri")
                if not isinstance(place, str) or not is_safe(place):
                    raise ProviderAway(f"The provider {self.issuer} names no usable jwks_uri.")
                try:
                    keys = KeySet.import_key_set(self._get(place))  # type: ignore[arg-type]
                except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
                    raise self._away(error) from None
                known = self._known = _Known(metadata, keys, time.monotonic())
            return known

    def _get(self, url: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        try:
            with requests.get(
                url, headers=headers, timeout=SECONDS, allow_redirects=False, stream=True
            ) as answer:
                answer.raise_for_status()
                body = answer.raw.read(_LARGEST_ANSWER_BYTES + 1, decode_content=True)
                if answer.status_code != requests.codes.ok or len(body) > _LARGEST_ANSWER_BYTES:
                    raise self._away(f"status {answer.status_code}, {len(body):,} bytes")
                found = json.loads(body)
        except (requests.RequestException, OSError, ValueError) as error:
            raise self._away(error) from None
        if not isinstance(found, dict):
            raise self._away("no object")
        return found

    def _away(self, why: object) -> ProviderAway:
        return ProviderAway(f"The provider {self.issuer} gives an unexpected answer ({_short(why)}).")


def is_safe(url: str) -> bool:
    """Whether nobody between can read along: TLS, or the same machine."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (parts.scheme == "https" or parts.hostname in _LOOPBACK)


def _short(error: object) -> str:
    return (str(error).partition("\n")[0] or type(error).__name__)[:200]
