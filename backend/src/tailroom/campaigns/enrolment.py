"""Enrolment of a machine as an agent, by a code that is valid once; and removal of agents."""

import base64
import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access import quotas, trail
from tailroom.access import service as access
from tailroom.access.repository import lock_organisation
from tailroom.access.tokens import hash_token
from tailroom.campaigns import commands, repository
from tailroom.campaigns.errors import CampaignRefused, EnrolmentCodeUnknown
from tailroom.campaigns.schemas import EnrolledOut, EnrolmentIn
from tailroom.kit.errors import LocatedProblem, RequestInvalid
from tailroom.kit.free_documents import problems_of
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import ENROLMENT_CODES
from tailroom.storage.campaign import EnrolmentCode, ServingAgent

CODE_HOLDS = timedelta(hours=1)
"""Time until a code expires."""


def make_code(
    session: Session, organisation_id: UUID, issuer_id: UUID | None, now: datetime
) -> tuple[str, datetime]:
    """Store the hash of a new code; return the code and its expiry.

    Raise CampaignRefused if too many codes of the organisation are unused.
    """
    lock_organisation(session, organisation_id)
    if repository.open_codes(session, organisation_id, now) >= ENROLMENT_CODES:
        raise CampaignRefused(f"{ENROLMENT_CODES} codes wait for their agents. Use one, or wait an hour.")
    # Letters and digits only: in a command line, a leading hyphen would begin an option.
    code, expires_at = secrets.token_hex(24), now + CODE_HOLDS
    row = EnrolmentCode(code_sha256=hash_token(code), created_at=now, expires_at=expires_at)
    row.organisation_id, row.issuer_id = organisation_id, issuer_id
    session.add(row)
    return code, expires_at


def enrol(session: Session, enrolment: EnrolmentIn, address: str, now: datetime) -> EnrolledOut:
    """Enrol an agent with its machine's public key; return its id, its token's id, and the key for commands.

    The session must not be bound to an organisation: the code decides which the agent belongs to. Raise
    EnrolmentCodeUnknown if the code is unknown, used or expired, RequestInvalid for an inventory that may not
    be stored, QuotaReached if the organisation has its most agents.
    """
    code_sha256 = hash_token(enrolment.code)
    if (owner := repository.organisation_of_code(session, code_sha256)) is not None:
        lock_organisation(session, owner)
    used = repository.use_code(session, code_sha256, now)
    if used is None:
        raise EnrolmentCodeUnknown(
            "The code is not known, was used before, or has expired. Make another under Agents."
        )
    organisation_id = used.organisation_id
    quotas.require_agent(session, organisation_id)
    token, _ = access.add_token(session, organisation_id, f"agent {enrolment.name}"[:200], "agent", now)
    token.issuer_id = used.issuer_id
    token.public_key = base64.b64decode(enrolment.public_key)
    key = commands.key_of(session, organisation_id)
    agent = ServingAgent(
        organisation_id=organisation_id,
        agent_id=new_id(),
        token_id=token.id,
        name=enrolment.name,
        version=enrolment.version.model_dump(),
        inventory=validate_inventory(enrolment.inventory),
        enrolled_at=now,
        seen_at=now,
        last_command=0,
        refusals=[],
    )
    session.add(agent)
    session.flush()
    enrolled = {"agent": enrolment.name, "key_sha256": hashlib.sha256(token.public_key).hexdigest()}
    actor = trail.Actor("token", token.name, token.id, address)
    trail.record(
        session, organisation_id, actor, "enrol_agent", trail.Note(str(agent.agent_id), after=enrolled)
    )
    return EnrolledOut(agent_id=agent.agent_id, credential_id=token.id, public_key=commands.public_text(key))


def validate_inventory(inventory: dict[str, Any]) -> dict[str, Any]:
    """Return the inventory unchanged. Raise RequestInvalid if it may not be stored."""
    problems = [
        LocatedProblem(field=place, reason=reason) for place, reason in problems_of("host", inventory)
    ]
    if problems:
        raise RequestInvalid("The inventory cannot be stored.", problems)
    return inventory


def remove(session: Session, agent: ServingAgent, now: datetime) -> None:
    """Revoke an agent and its token from its next request on; the row stays, with the time of removal.

    The session must not be bound to an organisation.
    """
    agent.removed_at = agent.removed_at or now
    access.revoke_token(session, agent.token_id, now)
