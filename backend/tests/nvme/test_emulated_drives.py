"""The agent on emulated NVMe drives: real log pages that count, refusals, formats. Times mean nothing.

`make test` tries them where QEMU and a kernel are there already; `make test-nvme` fetches the kernel first.
"""

import json
import os
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from backend.tests.nvme import machine

from tailroom.domain.drive_counters.summary import NVME_UNIT_BYTES, DriveCounters, summary_of

AGENT = Path(__file__).parents[3] / "target" / "release" / "tailroom-agent"
"""Built by `make setup`, as for the journeys."""
IS_ASKED = os.environ.get("TAILROOM_TEST_NVME") == "yes"
LARGE_BLOCK_BYTES = 131_072
PREPARE = """
printf 'LAB0001\\nLAB0002\\nLAB0003\\n' > /etc/allowed; chmod 600 /etc/allowed
export TAILROOM_ALLOW_LIST=/etc/allowed TAILROOM_SPOOL=/root/spool
shown() { echo "@file $1"; cat "$1"; echo; echo "@"; }
"""
COUNTERS = """
tailroom-agent act --load 1x --devices /dev/nvme0n1,/dev/nvme1n1 \
  --confirm-serial LAB0001 --confirm-serial LAB0002 --duration-s 6 --result /root/act.ndjson --quiet
shown /root/act.ndjson
tailroom-agent sync-write --device /dev/nvme0n1 --confirm-serial LAB0001 --block 4K,8K \
  --duration-s 2 --quiet 2>&1
( sleep 4; echo 1 > /sys/block/nvme1n1/device/device/remove ) &
tailroom-agent act --load 1x --devices /dev/nvme1n1 --confirm-serial LAB0002 \
  --duration-s 20 --quiet 2>&1
echo "vanished: $?"
"""
SUITE = """
qualify() { tailroom-agent qualify "$@" 2>&1; }
first() { qualify --device /dev/nvme0n1 --confirm-serial LAB0001 --state /root/one.json "$@"; }
second() { exec tailroom-agent qualify --device /dev/nvme1n1 --confirm-serial LAB0002 \
  --state /root/two.json "$@" 2>&1; }
sum() { dd if=/dev/nvme0n1 bs=4096 count=16 2>/dev/null | md5sum | sed "s/^/$1 /"; }
dd if=/dev/urandom of=/dev/nvme0n1 bs=4096 count=16 2>/dev/null; sync
sum before
first --step purge --purge format; echo "without consent: $?"
first --step purge --purge format --consent-format LAB0002; echo "consent to another: $?"
sum refused
first --step purge --purge format --consent-format LAB0001 --quiet; echo "with consent: $?"
sum formatted
dd if=/dev/urandom of=/dev/nvme0n1 bs=4096 count=16 2>/dev/null; sync
sum before-sanitize
first --restart --step purge --purge sanitize; echo "sanitize without consent: $?"
first --restart --step purge --purge sanitize --consent-format LAB0001; echo "consent to a format: $?"
first --restart --step purge --purge sanitize --consent-sanitize LAB0001; echo "sanitize not offered: $?"
sum sanitize-refused
for name in nvme2n1 nvme2n2; do
  qualify --device /dev/$name --confirm-serial LAB0003 --state /root/three-$name.json --step purge \
    --purge sanitize --consent-sanitize LAB0003; echo "divided $name: $?"
done
asked="--step prepare,throughput,outstanding,sync-writes --round-s 1 --result /root/cell.ndjson --quiet"
first $asked --restart; echo "uninterrupted: $?"
shown /root/one.json
for parts in 0 1 3 6; do
  ( second $asked ) & pid=$!
  until [ -e /root/two.json ] && [ "$(grep -c '"run_id"' /root/two.json)" -ge $parts ]; do sleep 0.2; done
  kill -9 $pid && echo "killed"; wait
  shown /root/two.json
done
( second $asked ); echo "resumed: $?"
shown /root/two.json
( until grep -q '"run_id"' /root/gone.json 2>/dev/null; do sleep 0.2; done; sleep 1
  echo 1 > /sys/block/nvme1n1/device/device/remove ) &
qualify --device /dev/nvme1n1 --confirm-serial LAB0002 --state /root/gone.json \
  --step settle --round-s 4 --quiet
echo "vanished: $?"
shown /root/gone.json
"""


@pytest.fixture(scope="module", autouse=True)
def _machine() -> None:
    missing = machine.missing_programs()
    if IS_ASKED:
        assert not missing, f"install first: apt-get install {' '.join(missing)}"
        machine.fetch_kernel()
    elif missing or machine.kernel() is None:
        pytest.skip("not tried without QEMU and a kernel: make test-nvme says what is missing")


def run(script: str) -> str:
    return machine.run(PREPARE + script, programs=[AGENT], drives=3, has_divided=True)


def files(printed: str, name: str) -> list[str]:
    """Return each content that was printed of a file."""
    return re.findall(rf"^@file {re.escape(name)}\n(.*?)^@$", printed, re.DOTALL | re.MULTILINE)


def test_two_drives_count_what_was_written_and_one_that_vanishes_is_named() -> None:
    printed = run(COUNTERS)
    lines = [json.loads(line) for line in files(printed, "/root/act.ndjson")[0].splitlines() if line]
    counters = msgspec.convert(
        next(line for line in lines if "finish" in line)["finish"]["drive_counters"], DriveCounters
    )
    series = next(line for line in lines if "series" in line)["series"]
    intervals = [interval for line in lines for interval in line.get("intervals", [])]
    assert sorted(drive.disk for drive in counters.drives) == ["nvme0n1", "nvme1n1"]
    for drive in counters.drives:
        [device] = drive.devices
        [number] = [
            each["series_no"]
            for each in series
            if (each["operation"], each["device"], each["kind"], each["clock"])
            == ("large-block-write", device, "tick", "response")
        ]
        ticks = [interval for interval in intervals if interval["series"] == number]
        assert sum(tick["errors"] + tick["timeouts"] + tick["unfinished"] for tick in ticks) == 0
        written_bytes = sum(tick["count"] for tick in ticks) * LARGE_BLOCK_BYTES
        assert written_bytes > 20 * NVME_UNIT_BYTES
        first, last = drive.readings[0].values, drive.readings[-1].values
        kernel_bytes = last["kernel.written_bytes"] - first["kernel.written_bytes"]
        drive_bytes = last["smart.host_written_bytes"] - first["smart.host_written_bytes"]
        assert kernel_bytes == written_bytes
        assert abs(drive_bytes - written_bytes) <= NVME_UNIT_BYTES
        figures = summary_of(drive, (written_bytes, written_bytes), has_ramp=False)
        foreign = figures.known("foreign_written_bytes")
        assert foreign is not None
        assert (foreign.lower, foreign.upper) == (0, 0)
        assert figures.known("write_amplification_ratio") is None, "QEMU has no page C0h, and none is made up"
        assert "extended" in drive.absent
    assert re.search(r"^4 KiB, p99 sync-write < 10ms: (yes|no|not decided)", printed, re.MULTILINE)
    assert "/dev/nvme1n1 is gone" in printed
    assert "vanished: 1" in printed


def parts(state: dict[str, Any]) -> list[tuple[str, str]]:
    return [(part["step"], json.dumps(part["load"], sort_keys=True)) for part in state["measured"]]


def test_erasing_needs_its_own_consent_and_a_killed_suite_goes_on() -> None:
    printed = run(SUITE)
    sums = dict(re.findall(r"^(\S+) (\w{32})", printed, re.MULTILINE))
    assert "without consent: 1" in printed
    assert "consent to another: 1" in printed
    assert printed.count("is not formatted: a format needs a consent of its own") == 2
    assert sums["before"] == sums["refused"]
    assert "with consent: 0" in printed
    assert sums["formatted"] != sums["before"]

    assert "sanitize without consent: 1" in printed
    assert "consent to a format: 1" in printed
    assert printed.count("is not sanitized: a sanitize needs a consent of its own") == 2
    assert "sanitize not offered: 1" in printed
    assert "cannot be sanitized: it offers neither block erase nor crypto erase" in printed
    assert sums["sanitize-refused"] == sums["before-sanitize"] != sums["before"]
    assert "divided nvme2n1: 1" in printed
    assert "divided nvme2n2: 1" in printed
    assert printed.count("it would erase all 2 namespaces of the drive, and the consent is to one") == 2

    assert "uninterrupted: 0" in printed
    assert "resumed: 0" in printed
    whole = json.loads(files(printed, "/root/one.json")[-1])
    states = [json.loads(text) for text in files(printed, "/root/two.json")]
    assert printed.count("killed") == 4
    resumed = states[-1]
    assert len(parts(whole)) == 11
    assert parts(resumed) == parts(whole)
    assert resumed["filled"] == whole["filled"]
    assert resumed["settings"] == whole["settings"]
    for before, after in pairwise(states):
        # Nothing that was done before a kill is done again.
        assert after["measured"][: len(before["measured"])] == before["measured"]
        assert after["filled"][0] >= before["filled"][0]
    assert len(states[-2]["measured"]) < len(parts(whole)), "the kills came in time"

    assert "vanished: 1" in printed
    assert "/dev/nvme1n1 is gone" in printed
    gone = json.loads(files(printed, "/root/gone.json")[-1])
    assert gone["measured"], "what was measured before stays"
    assert all(load["step"] == "settle" and load["per_s"] > 0 for load in gone["measured"])
