"""Required facts about a drive and its load that a result of another tool does not state."""

from collections.abc import Container

from tailroom.catalogue.disclosure import ACT_STORAGE, required_fields


def open_device_fields(stated: Container[str]) -> list[str]:
    """Return the names of required fields of a drive's run, except those in `stated` and about an agent."""
    names = [field.field for field in required_fields(ACT_STORAGE)]
    return [name for name in names if not name.startswith("agent.") and name not in stated]
