"""The organisation of one machine; without SQLAlchemy, because a command shows its name as a default."""

LOCAL_ORGANISATION = "local"
"""Name of the organisation that owns the measurements of this machine."""
