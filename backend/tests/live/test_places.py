"""Places for live streams: counted by organisation in all processes, and free again when one is replaced."""

import os

from tailroom.kit.identifiers import new_id
from tailroom.live.places import StreamPlaces


def test_streams_of_an_organisation_are_those_of_all_processes() -> None:
    places, one, other = StreamPlaces(2, each=3), new_id(), new_id()
    pid = os.fork()
    if not pid:
        places.begin(1)
        taken = [places.take(one), places.take(other), places.take(one), places.take(one)]
        os._exit(sum(place is not None for place in taken))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
    mine = places.take(one)
    assert mine is not None
    assert (places.of(one), places.of(other)) == (3, 1)
    places.give_back(mine)
    assert places.of(one) == 2

    pid = os.fork()
    if not pid:  # takes the place of the one that was killed
        places.begin(1)
        os._exit(0)
    os.waitpid(pid, 0)
    assert (places.of(one), places.of(other)) == (0, 0)
