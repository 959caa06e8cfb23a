"""Processor time, memory and open files of all processes behind one port, added up for Prometheus.

The metrics have the names that the Prometheus client gives those of a single process.
"""

import mmap
import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from prometheus_client import Metric, ProcessCollector
from prometheus_client.registry import Collector

_LEAST_OF = {"process_start_time_seconds", "process_max_fds"}
"""Metrics of which the minimum is taken instead of the sum."""
_RESIDENT, _BUSY = "process_resident_memory_bytes", "process_cpu_seconds"


class ProcessFigures(Collector):
    """Prometheus collector over the parent and at most `processes` forked processes.

    Create it in the parent before processes are forked: the process ids are in shared memory.
    """

    def __init__(self, processes: int) -> None:
        self._ids = memoryview(mmap.mmap(-1, 8 * (processes + 1))).cast("q")
        self._ids[0] = os.getpid()

    def begin(self, number: int) -> None:
        """Store the id of this forked process under its number, from 0, in place of the predecessor."""
        self._ids[number + 1] = os.getpid()

    def collect(self) -> Iterable[Metric]:
        """Return each metric once, as the sum over all processes; start time and file limit as the minimum.

        Memory is the proportional share (PSS), so shared pages count once. Processor time includes that of
        ended children of the parent.
        """
        metrics: dict[str, Metric] = {}
        for pid in filter(None, self._ids):
            for metric in ProcessCollector(pid=partial(int, pid), registry=None).collect():
                value = metric.samples[0].value
                if metric.name == _RESIDENT:
                    value = _proportional_bytes(pid) or value
                elif metric.name == _BUSY and pid == self._ids[0]:
                    value += _processor_time_of_ended_s(pid)
                if (merged := metrics.get(metric.name)) is None:
                    merged = metrics[metric.name] = Metric(metric.name, metric.documentation, metric.type)
                    merged.add_sample(metric.samples[0].name, {}, value)
                    continue
                previous = merged.samples.pop().value
                combined = min(previous, value) if metric.name in _LEAST_OF else previous + value
                merged.add_sample(metric.samples[0].name, {}, combined)
        return metrics.values()


def _proportional_bytes(pid: int) -> float | None:
    """Return the memory of a process in bytes, with its share of shared pages (PSS); None if not known."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return next((1024.0 * int(line.split()[1]) for line in lines if line.startswith("Pss:")), None)


def _processor_time_of_ended_s(pid: int) -> float:
    """Return the processor time of a process's ended children, in seconds; 0 if it has ended, too."""
    try:
        parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(parts[13]) + int(parts[14])) / os.sysconf("SC_CLK_TCK")
