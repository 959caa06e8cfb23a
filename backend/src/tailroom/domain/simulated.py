"""Whether latencies were made up: an engine without a drive or server, as the agent's and fio's `null` is."""

from collections.abc import Mapping
from typing import Any

ENGINE_NAMES = ("engine", "driver", "ioengine")
"""Settings in plans and files that name the engine; `storage.run` asks for the same in queries."""
NO_ENGINE = "null"
"""Name of the engine that carries out no operation."""


def is_simulated(plan: Mapping[str, Any]) -> bool:
    """Return whether a section of a run's plan, or of an uploaded file's parameters, names no engine."""
    sections = (section for section in plan.values() if isinstance(section, Mapping))
    return any(section.get(name) == NO_ENGINE for section in sections for name in ENGINE_NAMES)
