"""Commands, the orders of a campaign to its agents: signed, numbered, with an expiry.

An agent follows a command only if it is signed with the key that the agent got at its enrolment, names this
agent, has a higher number than any before, and has not expired. The key belongs to the organisation and is
stored in the database, so that every process of the API signs with it.
"""

import base64
import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.kit.clock import unix_ns
from tailroom.storage.campaign import CommandKey, ServingAgent

HOLDS = timedelta(seconds=30)
"""Time from signing to the expiry of a command."""


def key_of(session: Session, organisation_id: UUID) -> Ed25519PrivateKey:
    """Return the signing key of an organisation, created if missing; concurrent callers get the same key."""
    row = session.get(CommandKey, organisation_id)
    if row is None:
        private_key = Ed25519PrivateKey.generate().private_bytes(
            Encoding.Raw, PrivateFormat.Raw, NoEncryption()
        )
        values = {"organisation_id": organisation_id, "private_key": private_key}
        session.execute(insert(CommandKey).values(values).on_conflict_do_nothing())
        row = session.get_one(CommandKey, organisation_id)
    return Ed25519PrivateKey.from_private_bytes(row.private_key)


def public_text(key: Ed25519PrivateKey) -> str:
    """Return the public key as Base64 of its 32 raw bytes; agents verify commands with it."""
    return base64.b64encode(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def sign_command(
    session: Session, agent: ServingAgent, campaign_id: UUID, order: dict[str, Any], now: datetime
) -> dict[str, str]:
    """Return a command with this order as `text` (JSON) and `signature` (Base64), valid for `HOLDS`.

    Its number is the agent's `last_command`, which is increased; the caller's transaction stores that.
    """
    agent.last_command += 1
    text = json.dumps(
        {
            "agent_id": str(agent.agent_id),
            "number": agent.last_command,
            "expires_at_unix_ns": unix_ns(now + HOLDS),
            "campaign_id": str(campaign_id),
            **order,
        },
        sort_keys=True,
    )
    signature = key_of(session, agent.organisation_id).sign(text.encode())
    return {"text": text, "signature": base64.b64encode(signature).decode()}
