"""Why a run that was read is not stored, in words for whoever sent it."""

import pytest
from backend.tests.importers.reading import SAMPLES, run_of

from tailroom.uploads.storable import RunNotStorable, storable


@pytest.mark.parametrize("tool", ["pgbench_progress", "sysbench_status"])
def test_an_excerpt_that_states_nothing_of_the_whole(tool: str) -> None:
    run = run_of(f"known_faults/{tool}_excerpt.txt")
    with pytest.raises(RunNotStorable, match="service time cannot be stored") as refused:
        storable(run, SAMPLES.name)
    assert str(refused.value).endswith(
        ": the file states no count, mean, percentile or extreme of its latencies in the whole run"
    )
