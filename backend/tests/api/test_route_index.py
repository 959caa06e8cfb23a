"""The index of routes finds what the framework finds by trying all of them, and tries few."""

import re
from collections.abc import Sequence

import pytest
from starlette.routing import BaseRoute, Match, Route

from tailroom.api.app import create_app
from tailroom.api.route_index import RouteIndex

_APP = create_app()
_INDEX = RouteIndex(_APP.router)
_ROUTES = [one for one in _APP.routes if isinstance(one, Route)]
_PATHS = sorted({re.sub(r"\{[^}]+\}", "0192f0c1-0000-7000-8000-000000000000", one.path) for one in _ROUTES})


def _found(routes: Sequence[BaseRoute], path: str, method: str) -> BaseRoute | None:
    scope = {"type": "http", "method": method, "path": path, "headers": []}
    return next((one for one in routes if one.matches(dict(scope))[0] is Match.FULL), None)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_every_address_has_the_route_that_trying_all_of_them_finds(method: str) -> None:
    strange = [
        *(f"{path}/" for path in _PATHS),
        *(f"{path}/more" for path in _PATHS),
        "/",
        "",
        "//",
        "/api/v1",
    ]
    for path in [*_PATHS, *strange]:
        few = _INDEX.candidates(path)
        assert _found(few, path, method) is _found(_ROUTES, path, method), path


def test_few_routes_are_left_to_try() -> None:
    assert max(len(_INDEX.candidates(path)) for path in _PATHS) <= 12
    assert _INDEX.candidates("/assets/index.js") == []


def test_a_parameter_that_looks_like_a_fixed_segment_finds_its_route() -> None:
    """`/runs/runs` is a run by the name of “runs”, which nobody has: its route refuses it."""
    route = _found(_INDEX.candidates("/api/v1/runs/runs"), "/api/v1/runs/runs", "GET")
    assert isinstance(route, Route)
    assert route.path == "/api/v1/runs/{run_id}"
