"""Find the few routes that may match a path, so that a request is not compared with all routes.

The framework tries one regular expression after another; with some 300 routes that was a sixth of the cost of
a response. The candidates form a router of the framework, which handles the request.
"""

from functools import cached_property, lru_cache

from fastapi import APIRouter
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

_MOST_CACHED = 2_048
"""Path forms whose routes are cached; there are as many as routes, and those without a route."""


class RouteIndex:
    """A router that answers like the full router, but tries only routes whose fixed segments match the
    path.
    """

    def __init__(self, router: APIRouter) -> None:
        self._full_router = router
        self._router = lru_cache(_MOST_CACHED)(self._of_form)

    @cached_property
    def _routes(self) -> list[tuple[BaseRoute, tuple[str, ...] | None]]:
        """The routes at the first request, with their segments."""
        return [(route, _form(route)) for route in self._full_router.routes]

    @cached_property
    def _fixed(self) -> frozenset[tuple[int, str]]:
        forms = (form for _, form in self._routes if form is not None)
        return frozenset(
            (at, segment) for form in forms for at, segment in enumerate(form) if not segment.startswith("{")
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; the full router handles other scopes."""
        if scope["type"] != "http":
            await self._full_router.app(scope, receive, send)
            return
        await self._router(self._form_of(scope["path"])).app(scope, receive, send)

    def candidates(self, path: str) -> list[BaseRoute]:
        """Return the routes that a path is compared with, in the order of the full router."""
        return self._router(self._form_of(path)).routes

    def _form_of(self, path: str) -> tuple[str, ...]:
        return tuple(
            segment if (at, segment) in self._fixed else "{}" for at, segment in enumerate(path.split("/"))
        )

    def _of_form(self, form: tuple[str, ...]) -> APIRouter:
        fitting = [route for route, segments in self._routes if segments is None or _fits(segments, form)]
        return APIRouter(routes=fitting, default=self._full_router.default, redirect_slashes=False)


def _form(route: BaseRoute) -> tuple[str, ...] | None:
    """Return the segments of a route, parameters in braces; None where a parameter may span segments."""
    if not isinstance(route, Route) or ":" in route.path:
        return None
    return tuple(route.path.split("/"))


def _fits(route: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if len(route) != len(path):
        return False
    return all("{" in expected or expected == actual for expected, actual in zip(route, path, strict=True))
