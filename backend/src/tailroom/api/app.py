"""The composition root: which routers there are, what they share, and what the API says about itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio import CapacityLimiter
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from tailroom.accounts.endpoints import router as session_router
from tailroom.accounts.session_cookie import load_or_make_key
from tailroom.analysis.endpoints import router as analysis_router
from tailroom.api import health
from tailroom.api.error_handlers import install_error_handlers
from tailroom.api.middleware import Surroundings
from tailroom.api.pages import Pages
from tailroom.budgets.endpoints import router as budgets_router
from tailroom.catalogue.endpoints import router as catalogue_router
from tailroom.catalogue.publications.endpoints import router as publications_router
from tailroom.ingest import openapi as ingest_openapi
from tailroom.ingest.endpoints import router as ingest_router
from tailroom.kit.db import Database
from tailroom.kit.errors import ProblemDocument
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import open_raw_files
from tailroom.kit.resources import Resources
from tailroom.kit.settings import Settings, get_settings
from tailroom.live.endpoints import router as live_router
from tailroom.live.hub import Hub
from tailroom.ratings.endpoints import router as ratings_router
from tailroom.ratings.service import KeptRatings
from tailroom.ratings.warming import Warming
from tailroom.runs.endpoints import router as runs_router
from tailroom.sla.endpoints import router as sla_router
from tailroom.uploads.endpoints import router as uploads_router

API_VERSION = "1"
ROUTERS = (
    session_router,
    runs_router,
    analysis_router,
    budgets_router,
    catalogue_router,
    publications_router,
    sla_router,
    ingest_router,
    uploads_router,
    live_router,
    ratings_router,
    health.router,
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application with these settings. Connections are made when it starts, or at first use."""
    chosen = settings if settings is not None else get_settings()
    app = FastAPI(
        title="Tailroom",
        version=API_VERSION,
        lifespan=_lifespan(chosen),
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    for router in ROUTERS:
        app.include_router(router)
    install_error_handlers(app)
    app.add_middleware(Surroundings, allowed_hosts=(*chosen.allowed_hosts, chosen.host.lower()))
    app.router.default = Pages(chosen.ui_dist)
    app.openapi = lambda: openapi_document(app)  # type: ignore[method-assign]
    return app


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the messages of agents and the form of every refusal."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description="Units: integer nanoseconds, ratios from 0 to 1, ISO 8601 in UTC."
            " Every refusal is `application/problem+json`.",
            routes=app.routes,
        )
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.update(ingest_openapi.components())
        problem = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas.update(problem.pop("$defs", {}))
        schemas["ProblemDocument"] = problem
        document["components"]["schemas"] = dict(sorted(schemas.items()))
        app.openapi_schema = document
    return app.openapi_schema


def _lifespan(settings: Settings) -> Any:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        resources = make_resources(settings)
        hub = Hub(settings.redis_url)
        app.state.resources = resources
        app.state.hub = hub
        app.state.ingest_limiter = CapacityLimiter(settings.ingest_threads)
        app.state.upload_limiter = CapacityLimiter(settings.upload_threads)
        app.state.kept_ratings = KeptRatings()
        warming = Warming(resources.database, app.state.kept_ratings)
        await hub.start()
        warming.start()
        try:
            yield
        finally:
            warming.close()
            await hub.close()
            resources.close()

    return lifespan


def make_resources(settings: Settings) -> Resources:
    """What the requests of one process share."""
    key = settings.secret_key
    return Resources(
        settings=settings,
        database=Database.from_settings(settings),
        notifier=Notifier(settings.redis_url),
        session_key=load_or_make_key(settings.home) if key is None else key.get_secret_value().encode(),
        raw_files=open_raw_files(settings.raw_files, settings.home),
    )
