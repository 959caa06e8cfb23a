"""The write amplification of simulated drives lies within the bounds that their rounded counters leave."""

from random import Random

import pytest

from tailroom.domain.drive_counters.summary import NVME_UNIT_BYTES, DriveReading, MeasuredDrive, summary_of
from tailroom.domain.units import NS_PER_MINUTE

DRIVES = 400
BLOCK_PAGES = 16
FREE_BLOCKS = 3


class SimulatedDrive:
    """Pages in blocks that are erased as a whole; that with the fewest valid pages is collected first."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.pages = random.randrange(16, 40) * BLOCK_PAGES
        self.page_bytes = random.choice([4_096, 16_384, 65_536, 262_144])
        blocks = int(self.pages * random.uniform(1.07, 1.3)) // BLOCK_PAGES + FREE_BLOCKS + 1
        self.place: dict[int, int] = {}
        self.valid: list[set[int]] = [set() for _ in range(blocks)]
        self.free = list(range(1, blocks))
        self.block, self.room = 0, BLOCK_PAGES
        self.host_pages = random.randrange(1_000_000)
        self.media_pages = self.host_pages * 2
        self.earlier_bytes = random.randrange(NVME_UNIT_BYTES)
        """What the host wrote in other sizes, so that counts begin anywhere within a unit."""

    def write(self, page: int) -> None:
        self._put(page)
        self.host_pages += 1
        while len(self.free) < FREE_BLOCKS:
            full = [
                block for block in range(len(self.valid)) if block != self.block and block not in self.free
            ]
            victim = min(full, key=lambda block: len(self.valid[block]))
            for moved in list(self.valid[victim]):
                self._put(moved)
            self.free.append(victim)

    def _put(self, page: int) -> None:
        if self.room == 0:
            self.block, self.room = self.free.pop(0), BLOCK_PAGES
        if page in self.place:
            self.valid[self.place[page]].discard(page)
        self.place[page] = self.block
        self.valid[self.block].add(page)
        self.room -= 1
        self.media_pages += 1

    def read(self, moment: str, at_ns: int) -> DriveReading:
        """Return what its log pages say: data in units, rounded up, and bytes of the flash."""
        host_bytes = self.host_pages * self.page_bytes + self.earlier_bytes
        values = {
            "smart.host_written_bytes": -(-host_bytes // NVME_UNIT_BYTES) * NVME_UNIT_BYTES,
            "extended.media_written_bytes": self.media_pages * self.page_bytes,
        }
        return DriveReading(moment, at_ns, 1_000, values)  # type: ignore[arg-type]


def test_write_amplification_lies_within_its_bounds() -> None:
    random = Random(39)  # noqa: S311 - drives, not secrets
    known, widest, amplified = 0, 0.0, 0
    for _ in range(DRIVES):
        drive = SimulatedDrive(random)
        for page in range(drive.pages):
            drive.write(page)
        before, host, media = drive.read("armed", 0), drive.host_pages, drive.media_pages
        for _ in range(random.randrange(1, 600)):
            drive.write(random.randrange(drive.pages))
        after = drive.read("drained", NS_PER_MINUTE)
        truth = (drive.media_pages - media) / (drive.host_pages - host)
        measured = MeasuredDrive(["/dev/simulated"], "simulated", [before, after])
        summary = summary_of(measured, None, has_ramp=False)
        figure = summary.known("write_amplification_ratio")
        written = (drive.host_pages - host) * drive.page_bytes
        if figure is None:
            assert written <= 2 * NVME_UNIT_BYTES
            continue
        assert figure.lower is not None
        assert figure.upper is not None
        assert figure.lower <= truth <= figure.upper, (truth, figure, written)
        known += 1
        amplified += truth > 1.5
        if written > 100 * NVME_UNIT_BYTES:
            widest = max(widest, figure.upper / figure.lower - 1)
    assert known > DRIVES * 0.8
    assert amplified > DRIVES * 0.3
    assert widest == pytest.approx(2 / 100, rel=0.2)
