"""Commands to agents: signed, numbered, and with an end.

An agent follows a command only if it is signed with the key that it got when it enrolled, names this agent,
has a higher number than any before, and has not expired. The key belongs to the organisation and stands in
the database, so that every process of the API signs alike.
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

from tailroom.storage.campaign import CommandKey, ServingAgent

HOLDS = timedelta(seconds=30)
"""How long an agent may follow a command that it got late."""


def key_of(session: Session, organisation_id: UUID) -> Ed25519PrivateKey:
    """The key of an organisation; made where there is none, and two at once get the same."""
    found = session.get(CommandKey, organisation_id)
    if found is None:
        fresh = Ed25519PrivateKey.generate().private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        row = {"organisation_id": organisation_id, "private_key": fresh}
        session.execute(insert(CommandKey).values(row).on_conflict_do_nothing())
        found = session.get_one(CommandKey, organisation_id)
    return Ed25519PrivateKey.from_private_bytes(found.private_key)


def public_text(key: Ed25519PrivateKey) -> str:
    """What an agent gets to check commands with."""
    return base64.b64encode(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def signed(
    session: Session, agent: ServingAgent, campaign_id: UUID, order: dict[str, Any], now: datetime
) -> dict[str, str]:
    """The command as the agent gets it. The caller's transaction counts the agent's commands."""
    agent.last_command += 1
    text = json.dumps(
        {
            "agent_id": str(agent.agent_id),
            "number": agent.last_command,
            "expires_at_unix_ns": int((now + HOLDS).timestamp() * 1_000_000) * 1_000,
            "campaign_id": str(campaign_id),
            **order,
        },
        sort_keys=True,
    )
    signature = key_of(session, agent.organisation_id).sign(text.encode())
    return {"text": text, "signature": base64.b64encode(signature).decode()}
