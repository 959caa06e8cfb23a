"""Compose the application: its routers, what they share, and the OpenAPI document."""

import asyncio
import contextlib
import json
import math
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager
from typing import Any

import structlog
from anyio import to_thread
from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from tailroom.access.authenticator import Authenticator
from tailroom.access.compression import (
    Coding,
    EncodedResponse,
    accepted_coding,
    compressed,
    encode_response,
    restore_response,
)
from tailroom.access.endpoints import agent_router as agent_token_router
from tailroom.access.endpoints import router as session_router
from tailroom.access.routing import GuardedRoute, RouteUnguarded
from tailroom.analysis.endpoints import router as analysis_router
from tailroom.api import health
from tailroom.api.error_handlers import install_error_handlers
from tailroom.api.forwarded import ProxyHeaders
from tailroom.api.middleware import RequestMiddleware
from tailroom.api.pages import Pages
from tailroom.api.port import Port
from tailroom.api.warm_up import warm_up
from tailroom.budgets.endpoints import router as budgets_router
from tailroom.campaigns.endpoints import router as campaigns_router
from tailroom.campaigns.waiting import WaitingAgents
from tailroom.catalogue.endpoints import router as catalogue_router
from tailroom.catalogue.price_endpoints import router as prices_router
from tailroom.catalogue.publications.endpoints import router as publications_router
from tailroom.catalogue.suggestion_endpoints import router as suggestions_router
from tailroom.comparison.chain_endpoints import router as chains_router
from tailroom.comparison.endpoints import router as comparison_router
from tailroom.comparison.sibling_endpoints import router as siblings_router
from tailroom.ingest import openapi as ingest_openapi
from tailroom.ingest.endpoints import router as ingest_router
from tailroom.kit import tracing
from tailroom.kit.body_limit import BodyLimit
from tailroom.kit.db import Database
from tailroom.kit.errors import ProblemDocument
from tailroom.kit.limits import ANALYSIS_SECONDS, ORGANISATION_WAITING
from tailroom.kit.made_documents import open_made_documents
from tailroom.kit.mail import Mailer
from tailroom.kit.metrics import ARE_SEVERAL, RequestMetrics
from tailroom.kit.notifier import Notifier
from tailroom.kit.outside_types import parse_networks
from tailroom.kit.raw_files import SWEEP_EVERY_S, open_raw_files
from tailroom.kit.resources import Resources
from tailroom.kit.settings import Settings, get_settings
from tailroom.kit.threads import ThreadPool
from tailroom.live.endpoints import router as live_router
from tailroom.live.hub import Hub
from tailroom.live.rights import StreamRight, valid_rights
from tailroom.observations.endpoints import router as observations_router
from tailroom.operations.endpoints import router as operations_router
from tailroom.operations.import_endpoints import IMPORT_PATH
from tailroom.operations.import_endpoints import router as import_router
from tailroom.operations.installation_endpoints import router as installation_router
from tailroom.operations.lifecycle_endpoints import router as lifecycle_router
from tailroom.operations.metrics import note_moment
from tailroom.operations.metrics import router as metrics_router
from tailroom.operations.retention_endpoints import router as retention_router
from tailroom.people.account_endpoints import router as account_router
from tailroom.people.endpoints import router as people_router
from tailroom.people.guard import SignInGuard
from tailroom.people.member_endpoints import router as members_router
from tailroom.people.oidc.endpoints import router as oidc_router
from tailroom.people.oidc.provider import Provider
from tailroom.people.passkey_endpoints import router as passkey_router
from tailroom.people.second_factor_endpoints import router as second_factor_router
from tailroom.people.token_endpoints import router as tokens_router
from tailroom.qualification.endpoints import router as qualification_router
from tailroom.ratings.edition_endpoints import router as editions_router
from tailroom.ratings.endpoints import router as ratings_router
from tailroom.ratings.judgements import JudgementCache
from tailroom.ratings.objection_endpoints import router as objections_router
from tailroom.records.cache import LIMIT_BYTES as RECORDS_BYTES
from tailroom.records.cache import RecordCache
from tailroom.reports.endpoints import router as reports_router
from tailroom.reports.link_endpoints import router as links_router
from tailroom.reports.page_endpoints import router as page_reports_router
from tailroom.reports.page_endpoints import suite_router as suite_reports_router
from tailroom.runs.endpoints import router as runs_router
from tailroom.sla.endpoints import router as sla_router
from tailroom.sla.matches import MatchOutcomeCache
from tailroom.uploads.endpoints import router as uploads_router
from tailroom.uploads.formats import router as formats_router
from tailroom.uploads.otlp import PATH as OTLP_PATH
from tailroom.uploads.otlp import router as otlp_router
from tailroom.watches.endpoints import baselines_router
from tailroom.watches.endpoints import router as watches_router

API_VERSION = "1"
_RECORDING_INTERVAL_S = 1.0
_log = structlog.get_logger(__name__)
ROUTERS = (
    session_router,
    agent_token_router,
    people_router,
    account_router,
    second_factor_router,
    oidc_router,
    passkey_router,
    members_router,
    tokens_router,
    runs_router,
    analysis_router,
    reports_router,
    page_reports_router,
    links_router,
    budgets_router,
    catalogue_router,
    suggestions_router,
    publications_router,
    prices_router,
    sla_router,
    comparison_router,
    watches_router,
    baselines_router,
    chains_router,
    siblings_router,
    ingest_router,
    uploads_router,
    otlp_router,
    formats_router,
    campaigns_router,
    observations_router,
    operations_router,
    installation_router,
    import_router,
    lifecycle_router,
    retention_router,
    metrics_router,
    live_router,
    ratings_router,
    editions_router,
    objections_router,
    qualification_router,
    suite_reports_router,
    health.router,
)


def create_app(settings: Settings | None = None, processes: int = 1) -> FastAPI:
    """Return the application for `processes` processes that are forked with it.

    `settings` None: those of the environment. Connections are made when the application starts, or at first
    use. Raise RouteUnguarded for a route without authentication.
    """
    chosen = settings if settings is not None else get_settings()
    app = FastAPI(
        title="Tailroom",
        version=API_VERSION,
        lifespan=_lifespan(chosen, processes),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    for router in ROUTERS:
        unguarded = [route for route in router.routes if not isinstance(route, GuardedRoute)]
        if unguarded:
            raise RouteUnguarded(f"routes without authentication: {unguarded}; use GuardedRoute")
        app.router.routes.extend(router.routes)
    app.state.openapi_responses = {}
    app.state.warms_up = False
    app.state.port = Port(chosen, processes)
    app.state.routes = [route for router in ROUTERS for route in router.routes]
    install_error_handlers(app)
    app.add_middleware(
        BodyLimit,
        limit_bytes=chosen.body_limit_bytes,
        unlimited=dict.fromkeys(("/api/v1/uploads", OTLP_PATH, IMPORT_PATH), "POST"),
    )
    app.add_middleware(RequestMiddleware, allowed_hosts=(*chosen.allowed_hosts, chosen.host.lower()))
    app.add_middleware(RequestMetrics)
    app.add_middleware(ProxyHeaders, proxies=parse_networks(chosen.trusted_proxies))
    app.add_route("/api/v1/openapi.json", _serve_openapi, include_in_schema=False)
    app.router.default = Pages(chosen.ui_dist)
    return app


async def _serve_openapi(request: Request) -> Response:
    """Return the OpenAPI document in the coding that the request accepts; each coding is made once."""
    coding = accepted_coding(request.headers.get("accept-encoding"))
    responses: dict[Coding | None, EncodedResponse] = request.app.state.openapi_responses
    if coding not in responses:
        responses[coding] = await to_thread.run_sync(_encode_openapi, request.app, coding)
    return restore_response(responses[coding])


def _encode_openapi(app: FastAPI, coding: Coding | None) -> EncodedResponse:
    body = json.dumps(openapi_document(app)).encode()
    return compressed(encode_response(Response(body, media_type="application/json")), coding)


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document with the messages of agents and the schema of refusals, built once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description="Units: integer nanoseconds, ratios from 0 to 1, ISO 8601 in UTC."
            " Every refusal is `application/problem+json`; 429 and 503 name in `Retry-After` after how many"
            " seconds to ask again.",
            routes=app.routes,
        )
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.update(ingest_openapi.components())
        problem = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas.update(problem.pop("$defs", {}))
        schemas["ProblemDocument"] = problem
        document["components"]["schemas"] = dict(sorted(schemas.items()))
        document["components"]["securitySchemes"] = {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "An access token of the page of tokens, or of `tailroom token create`.",
            }
        }
        document["security"] = [{"token": []}]
        app.openapi_schema = document
    return app.openapi_schema


def _lifespan(settings: Settings, processes: int) -> Any:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        tracing.begin(settings.otlp_url, "tailroom-api")
        resources = make_resources(settings)
        threads = make_threads(settings)

        async def still_valid(rights: Collection[StreamRight]) -> Collection[StreamRight]:
            return await threads["live"].run(lambda: valid_rights(resources.database, rights))

        port: Port = app.state.port
        hub = Hub(settings.redis_url, still_valid, port.streams)
        app.state.resources = resources
        app.state.threads = threads
        app.state.authenticator = Authenticator(
            resources.database,
            threads["door"],
            local_access=settings.local_access,
            open_previews=settings.open_previews,
            operator_token=None
            if settings.operator_token is None
            else settings.operator_token.get_secret_value(),
            operators=settings.operators,
            open_browsing=settings.open_browsing,
            requests_per_minute=settings.requests_per_minute,
            buckets=port.buckets,
        )
        # Processes share the memory for caches equally, because none knows what another has cached.
        app.state.evidence_cache = RecordCache(RECORDS_BYTES // processes)
        app.state.link_guesses = port.buckets.of("links that do not exist")
        app.state.sign_in_guard = SignInGuard(settings.redis_url, port.buckets)
        app.state.sending = app.state.sign_in_guard.sending
        app.state.provider = None if settings.oidc_issuer is None else Provider(settings)
        app.state.waiting_agents = WaitingAgents(resources.database, threads["live"])
        app.state.hub = hub
        app.state.judged_tests = JudgementCache(app.state.evidence_cache)
        app.state.match_outcomes = MatchOutcomeCache()
        if app.state.warms_up:
            await to_thread.run_sync(warm_up, resources.database, settings)
        await hub.start()
        regular = [asyncio.create_task(_sweep_regularly(resources, threads["live"]))]
        if ARE_SEVERAL:
            regular.append(asyncio.create_task(_record_regularly(resources, threads.values())))
        try:
            yield
        finally:
            for task in regular:
                task.cancel()
            app.state.waiting_agents.close()
            await hub.close()
            app.state.sign_in_guard.close()
            resources.close()
            await to_thread.run_sync(tracing.end)

    return lifespan


async def _sweep_regularly(resources: Resources, threads: ThreadPool) -> None:
    """Remove staging files of killed processes, at the start and then every `SWEEP_EVERY_S` seconds."""
    while True:
        with contextlib.suppress(OSError):
            removed = await threads.run_unlimited(resources.raw_files.sweep)
            if removed:
                _log.info("uploads_left_behind_removed", files=removed)
        await asyncio.sleep(SWEEP_EVERY_S)


async def _record_regularly(resources: Resources, threads: Iterable[ThreadPool]) -> None:
    while True:
        note_moment(resources, threads)
        await asyncio.sleep(_RECORDING_INTERVAL_S)


def make_threads(settings: Settings) -> dict[str, ThreadPool]:
    """Return the thread pools of one process, by kind of work: see `ThreadPoolName`.

    One more, `door`, looks up the credentials of requests.
    """
    counts = {
        "door": 1,
        "pages": settings.page_threads,
        "analysis": settings.analysis_threads,
        "ratings": settings.rating_threads,
        "questions": settings.question_threads,
        "reports": settings.report_threads,
        "ingest": settings.ingest_threads,
        "uploads": settings.upload_threads,
        "live": 1,
        "passwords": 1,
        "provider": 2,
    }
    waiting = {
        "questions": ORGANISATION_WAITING,
        "reports": ORGANISATION_WAITING,
        "uploads": ORGANISATION_WAITING,
    }
    long = {"analysis", "reports"}
    return {
        name: ThreadPool(
            name,
            count,
            wait_s=settings.wait_s,
            most_waiting=waiting.get(name),
            # The longest answers of an organisation leave a thread to other organisations.
            most_of_owner=max(1, count - 1) if name in long else None,
            answer_s=ANALYSIS_SECONDS if name in long else math.inf,
        )
        for name, count in counts.items()
    }


def make_resources(settings: Settings) -> Resources:
    """Return the resources that the requests of one process share."""
    notifier = Notifier(settings.redis_url)
    return Resources(
        settings=settings,
        database=Database.from_settings(settings, hint=notifier.hint),
        notifier=notifier,
        raw_files=open_raw_files(settings.raw_files, settings.home),
        made_documents=open_made_documents(settings.raw_files, settings.home),
        mailer=Mailer.from_settings(settings),
    )
