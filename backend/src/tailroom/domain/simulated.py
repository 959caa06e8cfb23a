"""Whether latencies were made up: an engine without a drive or server, as the agent's and fio's `null` is."""

from collections.abc import Mapping
from typing import Any

ENGINE_NAMES = ("engine", "driver", "ioengine")
"""Settings in plans and files that name the engine; `storage.run` asks for the same in queries."""
NO_ENGINE = "null"
"""Name of the engine that carries out no operation."""


def is_simulated(plan: Mapping[str, Any]) -> bool:
    """Return whether a run was simulated, by a section of the agent's plan, or the parameters of an uploaded
    file.
    """
    sections = (section for section in plan.values() if isinstance(section, Mapping))
    return any(section.get(name) == NO_ENGINE for section in sections for name in ENGINE_NAMES)
