"""What a result file is asked for fits what its tool measures."""

from pathlib import Path

import pytest
from backend.tests.importers.reading import SAMPLES, runs_of

from tailroom.catalogue.disclosure import DRIVE_MODEL, required_of_other_tools
from tailroom.importers.disclosure import not_stated
from tailroom.uploads.storable import workload_of

_SERVER = "plan.fraud.address"


def _names(workload: str) -> set[str]:
    """The required facts."""
    return {field.field for field in required_of_other_tools(workload)}


@pytest.mark.parametrize("workload", ["act-storage", "act-latency", "fio", "diskspd", "vdbench", "iozone"])
def test_tools_of_drives_are_asked_for_the_drive(workload: str) -> None:
    assert DRIVE_MODEL in _names(workload)
    assert _SERVER not in _names(workload)
    assert set(not_stated("address", "keys", workload=workload)) < _names(workload)
    assert ("plan.act_storage.load_multiple" in _names(workload)) == workload.startswith("act-")


@pytest.mark.parametrize("workload", ["ycsb", "wrk", "pgbench", "hdrhistogram"])
def test_other_tools_are_asked_for_the_server(workload: str) -> None:
    assert _SERVER in _names(workload)
    assert DRIVE_MODEL not in _names(workload)
    assert not _names(workload) & {"plan.fraud.reads_per_transaction", "plan.fraud.transactions_per_s"}


def test_counters_of_a_machine_are_asked_for_neither() -> None:
    names = _names("sysstat")
    assert "host.cpu.model" in names
    assert not {_SERVER, DRIVE_MODEL} & names
    assert set(not_stated("tool_version", workload="sysstat")) < names


@pytest.mark.parametrize("folder", ["diskspd", "fio", "vdbench", "iozone", "sysstat"])
def test_a_fact_that_is_not_required_is_not_given_either(folder: str) -> None:
    """What a run is asked for is required: else all required facts of another kind would count as given."""
    runs = [
        run
        for sample in sorted(path for path in (SAMPLES / folder).iterdir() if path.is_file())
        for run in runs_of(str(Path(folder) / sample.name))
    ]
    assert runs
    for run in runs:
        missing = {name for name in run.missing if not name.startswith("tool.")}
        assert missing <= _names(workload_of(run))
