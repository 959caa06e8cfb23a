"""Which required facts about a drive and its load a result of another tool leaves open."""

from collections.abc import Container

from tailroom.catalogue.disclosure import ACT_STORAGE, required_fields


def open_device_fields(stated: Container[str]) -> list[str]:
    """Return the fields that a run of a drive must state without those in `stated` and those of an agent."""
    names = [field.field for field in required_fields(ACT_STORAGE)]
    return [name for name in names if not name.startswith("agent.") and name not in stated]
