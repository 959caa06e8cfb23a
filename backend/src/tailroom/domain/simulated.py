"""Whether a run was simulated: by an engine without a drive or server, such as `null` of the agent and of
fio.
"""

from collections.abc import Mapping
from typing import Any

ENGINE_NAMES = ("engine", "driver", "ioengine")
"""Settings in plans and files that name the engine; `storage.run` uses the same names in its queries."""
NO_ENGINE = "null"
"""Name of the engine that carries out no operation."""


def is_simulated(plan: Mapping[str, Any]) -> bool:
    """Return whether any section of a run's plan, or of a file's parameters, states the engine `null`."""
    sections = (section for section in plan.values() if isinstance(section, Mapping))
    return any(section.get(name) == NO_ENGINE for section in sections for name in ENGINE_NAMES)
