"""OpenID Connect client of the configured provider: authorization code flow with PKCE.

An ID token is accepted only from the provider, for this installation, fresh, and for the same attempt.
Metadata and keys of the provider are cached for an hour; an unknown key causes one new request.
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
from tailroom.people.errors import ProviderUnavailable, SingleSignOnRefused

SECONDS = 5.0
"""Time limit of a request to the provider."""
CACHE_S = 3600.0
"""Time after which cached metadata and keys are requested again."""
LEEWAY_S = 60
"""Tolerated difference of the two servers' clocks, in seconds."""
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
"""Signatures with a key pair: with a shared secret this server could make tokens, and with `none` anyone."""
_LARGEST_ANSWER_BYTES = 2**20
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sign-in at the provider, with the values that protect it.

    The provider's answer repeats `state`, its ID token `nonce`; `verifier` (PKCE) proves who began it.
    """

    state: str
    nonce: str
    verifier: str
    redirect_uri: str

    @staticmethod
    def begin(redirect_uri: str) -> "Attempt":
        """Return a new attempt; `state`, `nonce` and `verifier` have 256 random bits each."""
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return Attempt(state, nonce, verifier, redirect_uri)


class _Metadata(NamedTuple):
    """Metadata and keys of the provider; `at`: time of the request by `time.monotonic`, in seconds."""

    metadata: Mapping[str, Any]
    keys: KeySet
    at: float


class Provider:
    """The configured provider; one instance per process."""

    def __init__(self, settings: Settings) -> None:
        assert settings.oidc_issuer is not None  # noqa: S101 - checked by the application factory
        self.issuer: str = settings.oidc_issuer
        self._client_id = settings.oidc_client_id or ""
        secret = settings.oidc_client_secret
        self._secret = None if secret is None else secret.get_secret_value()
        self._scopes = settings.oidc_scopes
        self._lock = Lock()
        self._cached: _Metadata | None = None

    def address(self, attempt: Attempt) -> str:
        """Return the URL where the browser signs in. Raise ProviderUnavailable for unusable metadata."""
        with self._client(attempt) as client:
            url, _ = client.create_authorization_url(
                self._endpoint_url("authorization_endpoint"),
                state=attempt.state,
                nonce=attempt.nonce,
                code_verifier=attempt.verifier,
            )
        return str(url)

    def claims(self, attempt: Attempt, code: str) -> Mapping[str, Any]:
        """Return the claims about the signed-in person, in exchange for the code that the browser brought.

        Raise ProviderUnavailable without an answer of the expected form, SingleSignOnRefused if the provider
        rejects the code, or its ID token is missing or not valid for this attempt.
        """
        endpoint = self._endpoint_url("token_endpoint")
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
                raise self._unexpected_answer(error) from None
        text = token.get("id_token")
        if not isinstance(text, str):
            raise SingleSignOnRefused("The provider sent no ID token.")
        claims = self._verify(text, attempt, token.get("access_token"))
        return claims | self._user_info(claims, token.get("access_token"))

    def _verify(self, text: str, attempt: Attempt, access_token: object) -> dict[str, Any]:
        """Return the claims of an ID token. Raise SingleSignOnRefused if it is not valid for this attempt."""
        try:
            token = self._decode(text)
            id_token = CodeIDToken(
                token.claims,
                token.header,
                {
                    "iss": {"essential": True, "value": self.issuer},
                    "aud": {"essential": True, "value": self._client_id},
                    "sub": {"essential": True},
                },
                {"nonce": attempt.nonce, "client_id": self._client_id, "access_token": access_token},
            )
            id_token.validate(leeway=LEEWAY_S)
        except (JoseError, ValueError, TypeError) as error:
            raise SingleSignOnRefused(
                f"The provider’s answer is not valid ({_short(error)}). Nobody was signed in."
            ) from None
        if not isinstance(id_token["sub"], str) or not id_token["sub"]:
            raise SingleSignOnRefused("The provider’s answer names nobody (sub).")
        return dict(id_token)

    def _decode(self, text: str) -> Token:
        """Return the ID token with its signature verified, by new keys if the cached keys fail."""
        cached = self._fetch_metadata()
        try:
            return jwt.decode(text, cached.keys, algorithms=ALGORITHMS)
        except JoseError:
            if cached.at == self._fetch_metadata(after=cached.at).at:
                raise
        return jwt.decode(text, self._fetch_metadata().keys, algorithms=ALGORITHMS)

    def _user_info(self, claims: Mapping[str, Any], access_token: object) -> dict[str, Any]:
        """Return the claims of the user-info endpoint that the ID token lacks.

        Empty if the ID token has an e-mail address, or there is no access token or no safe endpoint. Raise
        ProviderUnavailable if the endpoint gives no JSON object, SingleSignOnRefused for another `sub`.
        """
        endpoint = self._fetch_metadata().metadata.get("userinfo_endpoint")
        if (
            "email" in claims
            or not isinstance(access_token, str)
            or not isinstance(endpoint, str)
            or not is_safe(endpoint)
        ):
            return {}
        info = self._get(endpoint, {"Authorization": f"Bearer {access_token}"})
        if info.get("sub") != claims["sub"]:
            raise SingleSignOnRefused("The provider’s two answers name different people.")
        return {name: value for name, value in info.items() if name not in claims}

    def _client(self, attempt: Attempt) -> OAuth2Session:
        """Return an OAuth client for this attempt; it authenticates with the secret if there is one."""
        methods = self._fetch_metadata().metadata.get("token_endpoint_auth_methods_supported") or [
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

    def _endpoint_url(self, name: str) -> str:
        endpoint = self._fetch_metadata().metadata.get(name)
        if not isinstance(endpoint, str) or not is_safe(endpoint):
            raise ProviderUnavailable(f"The provider {self.issuer} names no usable {name}.")
        return endpoint

    def _fetch_metadata(self, after: float | None = None) -> _Metadata:
        """Return metadata and keys, from the cache or the provider.

        They are requested if the cache is empty, older than `CACHE_S`, or was filled at the time `after`.
        Raise ProviderUnavailable if they cannot be read, or are of another issuer.
        """
        with self._lock:
            cached = self._cached
            if cached is None or time.monotonic() - cached.at > CACHE_S or cached.at == after:
                metadata = self._get(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
                if metadata.get("issuer") != self.issuer:
                    raise ProviderUnavailable(
                        f"The provider's issuer is {str(metadata.get('issuer'))[:200]!r}, the setting has"
                        f" {self.issuer!r}; both must be the same."
                    )
                keys_url = metadata.get("jwks_uri")
                if not isinstance(keys_url, str) or not is_safe(keys_url):
                    raise ProviderUnavailable(f"The provider {self.issuer} names no usable jwks_uri.")
                try:
                    keys = KeySet.import_key_set(self._get(keys_url))  # type: ignore[arg-type]
                except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
                    raise self._unexpected_answer(error) from None
                cached = self._cached = _Metadata(metadata, keys, time.monotonic())
            return cached

    def _get(self, url: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the JSON object at a URL.

        Raise ProviderUnavailable if there is none, for a redirect, for more than 1 MiB, and after 5 s without
        data.
        """
        try:
            with requests.get(
                url, headers=headers, timeout=SECONDS, allow_redirects=False, stream=True
            ) as answer:
                answer.raise_for_status()
                body = answer.raw.read(_LARGEST_ANSWER_BYTES + 1, decode_content=True)
                if answer.status_code != requests.codes.ok or len(body) > _LARGEST_ANSWER_BYTES:
                    raise self._unexpected_answer(f"status {answer.status_code}, {len(body):,} bytes")
                document = json.loads(body)
        except (requests.RequestException, OSError, ValueError) as error:
            raise self._unexpected_answer(error) from None
        if not isinstance(document, dict):
            raise self._unexpected_answer("no object")
        return document

    def _unexpected_answer(self, why: object) -> ProviderUnavailable:
        return ProviderUnavailable(f"The provider {self.issuer} gives an unexpected answer ({_short(why)}).")


def is_safe(url: str) -> bool:
    """Return whether a URL is protected against eavesdropping: https, or any scheme to a loopback host."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (parts.scheme == "https" or parts.hostname in _LOOPBACK)


def _short(error: object) -> str:
    """Return the first line of an error, at most 200 characters; the name of its class if it has no text."""
    return (str(error).partition("\n")[0] or type(error).__name__)[:200]
