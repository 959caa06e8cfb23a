"""Semantics of pgbench's latencies, by the kind of load."""

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


def script_name(number: int, *, only: bool) -> str:
    """Return the operation of a script: `transaction` if it is the only one, else `script-{number}`."""
    return TRANSACTION if only else f"script-{number}"
