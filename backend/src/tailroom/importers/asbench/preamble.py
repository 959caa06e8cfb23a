"""The preamble of asbench: parameters, stages, and the percentiles that it will print."""

import re
from dataclasses import dataclass, field
from fractions import Fraction

from tailroom.importers.parsed_run import Value
from tailroom.importers.printed import parameter_value, printed

_LINE = re.compile(r"([A-Za-z][A-Za-z/ -]{0,60}):\s*(.*)")
_STAGE_LINE = re.compile(r"(?:- |  )([a-z-]+): (.*)")
_HDR_FORMAT = "hdr histogram format"
_NAMES = {
    "hosts": "hosts",
    "namespace": "namespace",
    "set": "set",
    "keys/records": "keys",
    "object spec": "object_spec",
    "threads": "threads",
    "read total timeout": "read_timeout",
    "write total timeout": "write_timeout",
    "max retries": "retries_max",
    "send-key": "send_key",
    "read replica": "read_replica",
    "write commit level": "commit_level",
    "enable compression": "compression",
    "async max commands": "async_commands_max",
    "histogram period": "histogram_period",
}
_STAGE_NAMES = {
    "workload": "workload",
    "tps": "target_operations_per_s",
    "batch-size": "batch_size",
    "batch-read-size": "batch_read_size",
    "batch-write-size": "batch_write_size",
    "async": "asynchronous",
    "duration": "duration_s",
    "desc": "stage",
    "object-spec": "object_spec",
    "key-start": "key_start",
    "key-end": "key_end",
}
_MAX_STAGES = 1_000


@dataclass(slots=True)
class Preamble:
    """Parameters of the run, and of each stage in order, by name."""

    parameters: dict[str, Value] = field(default_factory=dict)
    stages: list[dict[str, Value]] = field(default_factory=list)
    quantiles: tuple[Fraction, ...] | None = None
    """Shares (0 to 1) of the percentiles in lines `hdr: …`, in order; None if the file states none."""

    def line(self, text: str) -> bool:
        """Return whether a line has the form `name: value` of the preamble; store it if the name is known."""
        stage = _STAGE_LINE.fullmatch(text)
        if stage is not None:
            if text.startswith("-") and len(self.stages) < _MAX_STAGES:
                self.stages.append({})
            if self.stages and stage[1] in _STAGE_NAMES:
                self.stages[-1].setdefault(_STAGE_NAMES[stage[1]], _value(stage[2]))
            return True
        match = _LINE.fullmatch(text)
        if match is None:
            return False
        if match[1] == _HDR_FORMAT:
            self.quantiles = _quantiles(match[2])
        elif match[1] in _NAMES:
            self.parameters[_NAMES[match[1]]] = _value(match[2])
        return True

    def all_parameters(self) -> dict[str, Value]:
        """Return the parameters by name, those of several stages with a prefix (`stage_2_workload`)."""
        parameters = dict(self.parameters)
        for number, stage in enumerate(self.stages, 1):
            prefix = "" if len(self.stages) == 1 else f"stage_{number}_"
            for name, value in stage.items():
                parameters.setdefault(prefix + name, value)
        return parameters


def _quantiles(text: str) -> tuple[Fraction, ...] | None:
    """Return the shares (0 to 1) in the text of `hdr histogram format:`; None if its form is another."""
    columns = [column.strip() for column in text.split(",")]
    quantiles = []
    for column in columns[5:]:
        number = printed(column.removesuffix("%"))
        if number is None or not column.endswith("%") or not 0 <= number.value <= 100:
            return None
        quantiles.append(number.value / 100)
    return tuple(quantiles) if columns[2:5] == ["total", "min-latency", "max-latency"] else None


def _value(text: str) -> Value:
    """Return the value of a parameter; None for `(null)` and for blank text."""
    return None if text.strip() in ("(null)", "") else parameter_value(text.strip())
