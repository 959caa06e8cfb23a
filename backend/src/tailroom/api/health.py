"""Endpoints that report whether the process lives, and whether it can do its work."""

from typing import Literal

import psycopg
import structlog
from fastapi import APIRouter, Response
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from tailroom.access.capabilities import Capability
from tailroom.access.routing import GuardedRoute, needs
from tailroom.kit.migrations import schema_is_current
from tailroom.kit.resources import ResourcesDep

router = APIRouter(tags=["health"], route_class=GuardedRoute)
_log = structlog.get_logger(__name__)


class Health(BaseModel):
    """The process answers."""

    status: Literal["alive"] = "alive"


class Readiness(BaseModel):
    """Whether each part of the installation can be used, and the state that follows from that.

    Without Valkey everything is stored and shown, only later: that is `degraded`, not unavailable.
    """

    status: Literal["ready", "degraded", "unavailable"]
    database: bool
    migrations: bool
    valkey: bool
    prepared: bool
    """Whether the preparation is complete: under `make up`, the token of the agent."""


@router.get("/healthz", summary="Whether the process lives")
@needs(Capability.NONE)
async def health() -> Health:
    """Answer 200 as long as the process runs."""
    return Health()


@router.get(
    "/readyz",
    summary="Whether the process can do its work",
    responses={503: {"model": Readiness, "description": "the database is away, or not migrated"}},
)
@needs(Capability.NONE)
def readiness(resources: ResourcesDep, response: Response) -> Readiness:
    """Report whether database, schema, Valkey and preparation can be used.

    The status is 503 if one of them other than Valkey cannot.
    """
    database = migrations = False
    try:
        migrations = schema_is_current(resources.database.engine, resources.settings.migrations_dir)
        database = True
    except (SQLAlchemyError, psycopg.Error) as error:
        _log.warning("not_ready", error=str(error).partition("\n")[0])
    valkey = resources.notifier.ping()
    awaited = resources.settings.ready_with
    prepared = awaited is None or awaited.exists()
    usable = database and migrations and prepared
    if not usable:
        response.status_code = 503
    return Readiness(
        status="unavailable" if not usable else "ready" if valkey else "degraded",
        database=database,
        migrations=migrations,
        valkey=valkey,
        prepared=prepared,
    )
