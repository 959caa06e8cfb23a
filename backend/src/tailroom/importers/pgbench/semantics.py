"""What pgbench's latency is, by how its load was offered, and which facts its files leave open."""

from tailroom.importers.server_disclosure import not_stated

TRANSACTION = "transaction"
_UNIT = "both ends on clocks of whole microseconds; every try of a retried transaction is part of it"
RESPONSE = f"from the scheduled start of the transaction (--rate) to its end, waiting included; {_UNIT}"
SERVICE = f"from the start of the transaction to its end; {_UNIT}"
SERVICE_OF_RATE = f"latency less schedule lag: from the actual start of the transaction to its end; {_UNIT}"
LAG = f"schedule lag: from the scheduled start of the transaction to its actual start; {_UNIT}"
UNKNOWN = (
    "latency of a log whose seventh column may be schedule lag or retries, so that its beginning is unknown; "
    f"{_UNIT}"
)


def open_facts(*, version: bool, connections: bool, started: bool) -> tuple[str, ...]:
    """Return the disclosure fields that the file does not state, given whether it states version, connections
    and start.
    """
    facts = ["address", "keys", "value_bytes"]
    facts += [] if version else ["tool_version"]
    facts += [] if connections else ["connections"]
    facts += [] if started else ["started_at"]
    return not_stated(*facts)


def script_name(number: int, *, only: bool) -> str:
    """Return the operation of a script; that of the only script is simply `transaction`."""
    return TRANSACTION if only else f"script-{number}"
