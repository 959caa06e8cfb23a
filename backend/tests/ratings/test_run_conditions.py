"""Which drive an agent's run measured, by the inventory of its machine."""

import pytest

from tailroom.ratings.sources.run_conditions import RunConditions
from tailroom.storage.run import AGENT, Run


@pytest.mark.parametrize(
    ("path", "firmware"),
    [
        ("/dev/nvme0n1", "first"),
        ("/dev/nvme0n1p3", "first"),
        ("/dev/nvme0n10", "tenth"),
        ("/dev/nvme0n10p1", "tenth"),
        ("/dev/sda", "a"),
        ("/dev/sda12", "a"),
        ("/dev/sdap1", None),
        ("/dev/nvme0n1p", None),
        ("/dev/nvme0n2", None),
        ("/var/lib/file", None),
    ],
)
def test_a_partition_belongs_to_its_own_drive(path: str, firmware: str | None) -> None:
    """A tenth namespace is no partition of the first, whose name it begins with."""
    drives = {"nvme0n1": "first", "nvme0n10": "tenth", "sda": "a"}
    listed = [{"name": name, "model": name, "firmware": text} for name, text in drives.items()]
    run = Run(
        source=AGENT, plan={"act_storage": {"path": path}}, host={"block_devices": listed}, disclosed={}
    )
    assert RunConditions.of(run).firmware == firmware
