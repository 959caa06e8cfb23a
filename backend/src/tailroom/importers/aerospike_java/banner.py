"""The parameters that the Aerospike Java benchmark prints before it starts."""

import re

from tailroom.importers.parsed_run import Value
from tailroom.importers.printed import parameter_value

_PAIR = re.compile(r"([a-zA-Z][A-Za-z ]{0,40}): ([^,]*)")
_BIN = re.compile(r"bin\[(\d{1,3})\]: (\S+)")
_SHARES = re.compile(r"read: (\d{1,3})% .*write: (\d{1,3})% .*")
_NAMES = {
    "Benchmark": "address",
    "namespace": "namespace",
    "set": "set",
    "threads": "threads",
    "workload": "workload",
    "keys": "keys",
    "start key": "key_start",
    "transactions": "transactions_max",
    "bins": "bins",
    "throughput": "target_operations_per_s",
    "batch size": "batch_size",
    "readModeAP": "read_mode",
    "replica": "read_replica",
    "commitLevel": "commit_level",
    "reportNotFound": "report_not_found",
}
_MAX_TEXT = 200


def banner_values(text: str) -> dict[str, Value] | None:
    """Return the known parameters of one line of the banner by name, perhaps none; None for another line.

    The description of a bin is cut to 200 characters.
    """
    shares = _SHARES.fullmatch(text)
    if shares is not None:
        return {"read_percent": int(shares[1]), "write_percent": int(shares[2])}
    value_bytes = _BIN.fullmatch(text)
    if value_bytes is not None:
        return {f"bin_{value_bytes[1]}": value_bytes[2][:_MAX_TEXT]}
    pairs = _PAIR.findall(text)
    if not pairs and not text.endswith("policy:"):
        return None
    return {_NAMES[name]: parameter_value(value.strip()) for name, value in pairs if name in _NAMES}
