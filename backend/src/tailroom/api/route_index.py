"""Which few routes a path may have, so that a request is not compared with every route that there is.

The framework tries one regular expression after another; with some 300 routes that was a sixth of what an
answer costs. What a route does stays the framework's: the few that are left are a router of its own kind.
"""

from functools import cached_property, lru_cache

from fastapi import APIRouter
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

_MOST_KEPT = 2_048
"""Forms of paths whose routes are remembered; there are as many as routes, and those that nobody serves."""


class RouteIndex:
    """Stands for a router: answers as that would, with only the routes whose fixed segments fit the path."""

    def __init__(self, whole: APIRouter) -> None:
        self._whole = whole
        self._router = lru_cache(_MOST_KEPT)(self._of_form)

    @cached_property
    def _routes(self) -> list[tuple[BaseRoute, tuple[str, ...] | None]]:
        """Those that there are at the first request, with their segments."""
        return [(one, _form(one)) for one in self._whole.routes]

    @cached_property
    def _fixed(self) -> frozenset[tuple[int, str]]:
        forms = (form for _, form in self._routes if form is not None)
        return frozenset(
            (at, one) for form in forms for at, one in enumerate(form) if not one.startswith("{")
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request; what is none, the whole router takes."""
        if scope["type"] != "http":
            await self._whole.app(scope, receive, send)
            return
        await self._router(self._form_of(scope["path"])).app(scope, receive, send)

    def candidates(self, path: str) -> list[BaseRoute]:
        """The routes that a path is compared with, in the order of the whole router."""
        return self._router(self._form_of(path)).routes

    def _form_of(self, path: str) -> tuple[str, ...]:
        return tuple(one if (at, one) in self._fixed else "{}" for at, one in enumerate(path.split("/")))

    def _of_form(self, form: tuple[str, ...]) -> APIRouter:
        fitting = [route for route, own in self._routes if own is None or _fits(own, form)]
        return APIRouter(routes=fitting, default=self._whole.default, redirect_slashes=False)


def _form(route: BaseRoute) -> tuple[str, ...] | None:
    """The segments of a route, parameters in braces; None where it is not one segment to each."""
    if not isinstance(route, Route) or ":" in route.path:
        return None
    return tuple(route.path.split("/"))


def _fits(route: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if len(route) != len(path):
        return False
    return all("{" in mine or mine == theirs for mine, theirs in zip(route, path, strict=True))
