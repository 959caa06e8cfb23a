"""Every route with the capability that it asks for, and every scope tried on a route of each capability."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from backend.tests.agent import Agent
from fastapi import APIRouter
from fastapi.testclient import TestClient

from tailroom.access.capabilities import (
    ALLOWED,
    OF_LOCAL_OWNER,
    OF_OPERATORS,
    OF_PEOPLE,
    OF_THIS_MACHINE,
    SCOPES,
    Capability,
    Scope,
)
from tailroom.access.routing import GuardedRoute, RouteUnguarded
from tailroom.api.app import ROUTERS
from tailroom.kit.identifiers import new_id

ROUTES = {
    "GET /api/v1/session": "know-oneself",
    "POST /api/v1/session": "none",
    "DELETE /api/v1/session": "none",
    "GET /api/v1/sign-in-options": "none",
    "POST /api/v1/people": "none",
    "POST /api/v1/people/password-reset": "none",
    "PUT /api/v1/people/password": "none",
    "POST /api/v1/session/person": "none",
    "GET /api/v1/mail": "read-mail",
    "GET /api/v1/me": "own-account",
    "PATCH /api/v1/me": "own-account",
    "PUT /api/v1/me/password": "own-account",
    "GET /api/v1/me/second-factor": "own-account",
    "POST /api/v1/me/second-factor": "own-account",
    "PUT /api/v1/me/second-factor": "own-account",
    "POST /api/v1/me/second-factor/recovery-codes": "own-account",
    "POST /api/v1/me/second-factor/off": "own-account",
    "POST /api/v1/me/delete": "own-account",
    "POST /api/v1/session/local": "none",
    "POST /api/v1/session/passkey": "none",
    "POST /api/v1/session/passkey/challenge": "none",
    "GET /api/v1/me/passkeys": "own-account",
    "POST /api/v1/me/passkeys": "own-account",
    "POST /api/v1/me/passkey-challenge": "own-account",
    "PATCH /api/v1/me/passkeys/{passkey_id}": "own-account",
    "POST /api/v1/me/passkeys/{passkey_id}/remove": "own-account",
    "POST /api/v1/session/oidc": "none",
    "POST /api/v1/session/oidc/return": "none",
    "GET /api/v1/me/identities": "own-account",
    "POST /api/v1/me/identities": "own-account",
    "DELETE /api/v1/me/identities/{identity_id}": "own-account",
    "PUT /api/v1/organisation/second-factor": "manage-organisation",
    "GET /api/v1/me/saved": "own-account",
    "PATCH /api/v1/me/saved": "own-account",
    "GET /api/v1/me/sessions": "own-account",
    "DELETE /api/v1/me/sessions": "own-account",
    "DELETE /api/v1/me/sessions/{session_id}": "own-account",
    "GET /api/v1/members": "read-members",
    "GET /api/v1/second-factors": "manage-members",
    "PATCH /api/v1/members/{person_id}": "manage-members",
    "DELETE /api/v1/members/{person_id}": "manage-members",
    "POST /api/v1/invitations": "manage-members",
    "DELETE /api/v1/invitations/{invitation_id}": "manage-members",
    "POST /api/v1/invitation/look-up": "none",
    "POST /api/v1/invitation/accept": "own-account",
    "PUT /api/v1/session/organisation": "own-account",
    "DELETE /api/v1/me/organisations/{organisation_id}": "own-account",
    "POST /api/v1/organisations": "own-account",
    "PATCH /api/v1/organisation": "manage-organisation",
    "POST /api/v1/organisation/hand-over": "manage-organisation",
    "PUT /api/v1/organisation/deletion": "manage-organisation",
    "DELETE /api/v1/organisation/deletion": "manage-organisation",
    "GET /api/v1/organisation/export": "manage-organisation",
    "GET /api/v1/organisation/retention": "read",
    "PUT /api/v1/organisation/retention": "manage-organisation",
    "GET /api/v1/tokens": "manage-tokens",
    "POST /api/v1/tokens": "manage-tokens",
    "POST /api/v1/tokens/{token_id}/rotate": "manage-tokens",
    "DELETE /api/v1/tokens/{token_id}": "manage-tokens",
    "GET /api/v1/trail": "read-trail",
    "GET /api/v1/trail.csv": "read-trail",
    "GET /api/v1/runs": "read",
    "GET /api/v1/runs/{run_id}": "read-run",
    "GET /api/v1/runs/{run_id}/beside": "read-run",
    "GET /api/v1/runs/{run_id}/ladder": "read-run",
    "POST /api/v1/runs/{run_id}/stop": "stop",
    "PATCH /api/v1/runs/{run_id}/disclosure": "publish",
    "POST /api/v1/runs/{run_id}/publish": "publish",
    "GET /api/v1/runs/{run_id}/names": "publish",
    "POST /api/v1/runs/{run_id}/retract": "publish",
    "GET /api/v1/runs/{run_id}/timeline": "read-run",
    "GET /api/v1/runs/{run_id}/heatmap": "read-run",
    "GET /api/v1/runs/{run_id}/intervals": "read-run",
    "GET /api/v1/runs/{run_id}/course": "read-run",
    "GET /api/v1/runs/{run_id}/drive-counters": "read-run",
    "GET /api/v1/runs/{run_id}/percentiles": "read-run",
    "GET /api/v1/runs/{run_id}/exceedance": "read-run",
    "GET /api/v1/runs/{run_id}/figures": "read-run",
    "GET /api/v1/runs/{run_id}/findings": "read-run",
    "GET /api/v1/runs/{run_id}/report.{form}": "read-run",
    "GET /api/v1/runs/{run_id}/pack.zip": "read-run",
    "GET /api/v1/runs/{run_id}/page.html": "read-run",
    "GET /api/v1/comparisons/report.{form}": "ask",
    "GET /api/v1/chains": "read",
    "GET /api/v1/chain-proposal": "read",
    "POST /api/v1/chains": "publish",
    "GET /api/v1/chains/{chain_id}": "ask",
    "DELETE /api/v1/chains/{chain_id}": "publish",
    "GET /api/v1/comparisons/baseline": "ask",
    "GET /api/v1/watches": "read",
    "POST /api/v1/watches": "watch",
    "DELETE /api/v1/watches/{watch_id}": "watch",
    "POST /api/v1/watches/{watch_id}/trial": "watch",
    "GET /api/v1/watches/{watch_id}/trend": "read",
    "GET /api/v1/runs/{run_id}/embed/{picture}": "show",
    "GET /api/v1/runs/{run_id}/links": "publish",
    "POST /api/v1/runs/{run_id}/links": "publish",
    "DELETE /api/v1/runs/{run_id}/links/{link_id}": "publish",
    "GET /shared/{secret}": "none",
    "GET /shared/{secret}/{name}": "none",
    "GET /api/v1/runs/{run_id}/events": "read-run",
    "POST /api/v1/runs": "send",
    "POST /api/v1/runs/{run_id}/intervals": "send",
    "POST /api/v1/runs/{run_id}/finish": "send",
    "POST /api/v1/runs/{run_id}/retry": "retry",
    "DELETE /api/v1/runs/{run_id}": "delete",
    "POST /api/v1/uploads/{upload_id}/retry": "retry",
    "DELETE /api/v1/uploads/{upload_id}": "delete",
    "GET /api/v1/work/given-up": "read",
    "GET /api/v1/budgets": "read",
    "POST /api/v1/budgets": "edit-budgets",
    "GET /api/v1/drives": "read",
    "POST /api/v1/drives": "edit-catalogue",
    "GET /api/v1/catalogue/{kind}": "read",
    "GET /api/v1/drives/{slug}/objections": "read",
    "POST /api/v1/objections": "object",
    "DELETE /api/v1/objections/{objection_id}": "object",
    "GET /api/v1/operations/objections": "operate",
    "POST /api/v1/operations/objections/{objection_id}": "operate",
    "GET /api/v1/suggestions": "read",
    "POST /api/v1/suggestions": "edit-catalogue",
    "DELETE /api/v1/suggestions/{suggestion_id}": "edit-catalogue",
    "GET /api/v1/operations/suggestions": "operate",
    "POST /api/v1/operations/suggestions/{suggestion_id}": "operate",
    "GET /api/v1/price-list": "read",
    "GET /api/v1/price-list/published": "read",
    "PUT /api/v1/price-list": "edit-catalogue",
    "DELETE /api/v1/price-list/{slug}/{capacity_bytes}": "edit-catalogue",
    "GET /api/v1/publications": "read",
    "GET /api/v1/publications/{slug}": "read",
    "GET /api/v1/comparisons": "ask",
    "GET /api/v1/comparisons/published": "read",
    "POST /api/v1/sla/evaluate": "ask",
    "POST /api/v1/sla/match": "ask",
    "POST /api/v1/sla/relax": "ask",
    "POST /api/v1/sla/size": "ask",
    "POST /api/v1/sla/carry": "ask",
    "GET /api/v1/sla/carry/report.{form}": "ask",
    "GET /api/v1/sla/load-search/{run_id}": "ask",
    "GET /api/v1/sla/load-searches": "ask",
    "POST /api/v1/uploads": "upload",
    "POST /api/v1/otlp/v1/metrics": "upload",
    "GET /api/v1/uploads": "read",
    "GET /api/v1/uploads/{upload_id}": "read",
    "GET /api/v1/raw-files/{sha256}/lines": "read",
    "GET /api/v1/raw-files/{sha256}": "read",
    "GET /api/v1/editions": "read",
    "GET /api/v1/editions/{name}": "read",
    "GET /api/v1/edition-changes": "read",
    "GET /api/v1/leaderboard": "read",
    "GET /api/v1/qualifications": "read",
    "GET /api/v1/qualifications/{suite_id}": "read",
    "GET /api/v1/runs/{run_id}/drive-variant": "read-run",
    "GET /api/v1/qualifications/{suite_id}/report.{form}": "read",
    "GET /api/v1/leaderboard.csv": "read",
    "GET /api/v1/drives/{slug}": "read",
    "GET /api/v1/drives/{slug}/badge.svg": "read",
    "GET /api/v1/comparability": "read",
    "GET /api/v1/formats": "read",
    "PATCH /api/v1/uploads/{upload_id}/answers": "publish",
    "GET /api/v1/clock": "none",
    "POST /api/v1/agents": "none",
    "POST /api/v1/agent/token": "none",
    "POST /api/v1/agent/poll": "serve",
    "POST /api/v1/agent/codes": "manage-agents",
    "GET /api/v1/agents": "read",
    "DELETE /api/v1/agents/{agent_id}": "manage-agents",
    "POST /api/v1/observations": "send",
    "POST /api/v1/observations/{observation_id}/samples": "send",
    "POST /api/v1/observations/{observation_id}/finish": "send",
    "GET /api/v1/observations/{observation_id}": "read",
    "DELETE /api/v1/observations/{observation_id}": "delete",
    "GET /api/v1/runs/{run_id}/observations": "read",
    "GET /api/v1/campaigns/{campaign_id}/observations": "read",
    "POST /api/v1/campaigns": "run-campaigns",
    "GET /api/v1/campaigns": "read",
    "GET /api/v1/campaigns/{campaign_id}": "read",
    "GET /api/v1/campaigns/{campaign_id}/siblings": "read",
    "GET /api/v1/campaigns/{campaign_id}/siblings.csv": "read",
    "POST /api/v1/campaigns/{campaign_id}/stop": "run-campaigns",
    "POST /api/v1/campaigns/{campaign_id}/repeat": "run-campaigns",
    "GET /api/v1/operations": "operate",
    "POST /api/v1/operations/retry": "operate",
    "POST /api/v1/operations/retry/{subject}": "operate",
    "PUT /api/v1/operations/organisations/{organisation_id}/quota": "operate",
    "POST /api/v1/operations/organisations/import": "operate",
    "GET /api/v1/quota": "read",
    "GET /metrics": "operate",
    "GET /healthz": "none",
    "GET /readyz": "none",
}
"""Whoever adds a route says here what it takes."""


def routes() -> Iterator[tuple[str, str, GuardedRoute]]:
    for router in ROUTERS:
        for route in router.routes:
            assert isinstance(route, GuardedRoute)
            for method in route.methods or ():
                yield method, route.path, route


def of_each_capability() -> list[tuple[str, str, GuardedRoute]]:
    """A route of each capability: one function refuses for all routes, which `ROUTES` names."""
    found = {
        route.needs.capability: (method, path, route)
        for method, path, route in reversed(list(routes()))
        if not path.endswith(("/events", "/pack.zip", "/page.html", "/report.{form}"))
    }
    return [one for capability, one in found.items() if capability is not Capability.NONE]


def with_unknown_ids(path: str) -> str:
    """The address of a route about things that are not there."""
    where = path.replace("{sha256}", "0" * 64).replace("{slug}", "none").replace("{kind}", "drive")
    return re.sub(r"{\w+}", lambda _: str(new_id()), where)


def withdraw(client: TestClient, agent: Agent, token: str) -> None:
    """Other tests count what is public."""
    path, headers = f"/api/v1/runs/{agent.run_id}/retract", {"Authorization": f"Bearer {token}"}
    # Whoever may delete has done so.
    assert client.post(path, json={}, headers=headers).json().get("visibility") != "public"


def test_every_route_names_its_capability() -> None:
    assert {f"{method} {path}": route.needs.capability.value for method, path, route in routes()} == ROUTES


def test_a_route_without_a_capability_cannot_be_made() -> None:
    router = APIRouter(route_class=GuardedRoute)

    def unguarded() -> dict[str, Any]:
        return {}

    with pytest.raises(RouteUnguarded, match="/unguarded: unguarded names no capability"):
        router.get("/unguarded")(unguarded)


def test_what_the_scopes_may_do() -> None:
    edits = {
        "manage-agents",
        "run-campaigns",
        "stop",
        "upload",
        "publish",
        "edit-budgets",
        "edit-catalogue",
        "delete",
        "retry",
        "watch",
    }
    reads = {"know-oneself", "read-run", "read", "show", "ask", "object"}
    manages = {"manage-members", "manage-tokens", "read-trail"}
    assert {scope: {one.value for one in allowed} for scope, allowed in ALLOWED.items()} == {
        "agent": {"know-oneself", "read-run", "send", "serve"},
        "viewer": reads,
        "engineer": reads | edits,
        "admin": reads | edits | manages,
        "owner": reads | edits | manages | {"manage-organisation"},
    }
    assert {one.value for one in OF_PEOPLE} == {"own-account", "read-members"}
    assert {one.value for one in OF_THIS_MACHINE} == {"operate"}
    assert {one.value for one in OF_LOCAL_OWNER} == {"read-mail"}
    assert {one.value for one in OF_OPERATORS} == {"operate"}


@pytest.mark.parametrize("scope", SCOPES)
def test_every_scope_on_a_route_of_each_capability(
    client: TestClient, make_token: Callable[..., str], scope: Scope
) -> None:
    """403 exactly where the table says so; `test_isolation` asks every route that refuses."""
    headers = {"Authorization": f"Bearer {make_token(scope)}"}
    for method, path, route in of_each_capability():
        answer = client.request(method, with_unknown_ids(path), headers=headers, content=b"")
        refused = answer.status_code == 403
        assert refused == (route.needs.capability not in ALLOWED[scope]), (method, path, answer.text[:300])
        if refused and route.needs.capability in OF_PEOPLE:
            assert "No token allows this" in answer.json()["detail"], (method, path)


def test_an_agent_reads_the_runs_of_agents_alone(
    client: TestClient, make_token: Callable[..., str], organisation: str
) -> None:
    agent, stranger = Agent(client, make_token()), Agent(client, make_token(owner=f"not {organisation}"))
    agent.announce()
    stranger.announce()
    engineer = {"Authorization": f"Bearer {make_token('engineer', f'not {organisation}')}"}
    assert client.post(f"/api/v1/runs/{stranger.run_id}/publish", headers=engineer).status_code == 200
    assert agent.get().status_code == 200
    viewer = {"Authorization": f"Bearer {make_token('viewer')}"}
    assert client.get(f"/api/v1/runs/{stranger.run_id}", headers=viewer).status_code == 200
    for run_id in (stranger.run_id, str(new_id())):
        for what in ("", "/findings", "/timeline", "/events"):
            answer = client.get(
                f"/api/v1/runs/{run_id}{what}", headers={"Authorization": f"Bearer {agent.token}"}
            )
            assert (answer.status_code, answer.json()["code"]) == (404, "run-unknown"), what
    withdraw(client, stranger, make_token("engineer", f"not {organisation}"))


def test_the_id_of_somebody_elses_run_is_unknown(
    client: TestClient, make_token: Callable[..., str], organisation: str
) -> None:
    agent = Agent(client, make_token())
    stranger = Agent(client, make_token(owner=f"not {organisation}"))
    agent.announce()
    stranger.run_id = agent.run_id
    for answer in (stranger.announce(), stranger.send([]), stranger.finish({})):
        assert (answer.status_code, answer.json()["code"]) == (404, "run-unknown")
