"""An agent with a key of its own, as a test enrols one."""

import base64
from typing import Any
from uuid import UUID

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tailroom.access.agent_keys import signed_text


class Enrolled:
    """The key, the credential, and short tokens."""

    def __init__(self, client: httpx.Client, code: str, name: str = "a", **more: Any) -> None:
        self._client, self._key = client, Ed25519PrivateKey.generate()
        self.answer = client.post("/api/v1/agents", json=self.asked(code, name, **more))
        if self.answer.status_code == 201:
            self.agent_id = UUID(self.answer.json()["agent_id"])
            self.credential_id = UUID(self.answer.json()["credential_id"])

    def asked(self, code: str, name: str, **more: Any) -> dict[str, Any]:
        """The body of enrolling."""
        public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        version = {"version": "1"}
        key = base64.b64encode(public).decode()
        return {"code": code, "name": name, "version": version, "public_key": key, **more}

    def proof(self, unix_ns: int | None = None) -> dict[str, Any]:
        """A signature for now, or for another moment."""
        now_ns: int = self._client.get("/api/v1/clock").json()["unix_ns"] if unix_ns is None else unix_ns
        signature = base64.b64encode(self._key.sign(signed_text(self.credential_id, now_ns))).decode()
        return {"credential_id": str(self.credential_id), "unix_ns": now_ns, "signature": signature}

    def ask(self, proof: dict[str, Any] | None = None) -> httpx.Response:
        """Asks for a short token."""
        body = self.proof() if proof is None else proof
        found: httpx.Response = self._client.post("/api/v1/agent/token", json=body)
        return found

    def headers(self) -> dict[str, str]:
        """What lets it in for some minutes."""
        answer = self.ask()
        assert answer.status_code == 200, answer.text
        return {"Authorization": f"Bearer {answer.json()['token']}"}
