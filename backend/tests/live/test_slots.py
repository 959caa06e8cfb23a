"""Places for live streams: counted by organisation in all processes, and free again when one is replaced."""

import os

from tailroom.access.caller import NO_ORGANISATION
from tailroom.kit.identifiers import new_id
from tailroom.live.slots import StreamSlots


def test_streams_of_an_organisation_are_those_of_all_processes() -> None:
    slots, one, other = StreamSlots(2, each=3), new_id(), new_id()
    pid = os.fork()
    if not pid:
        slots.begin(1)
        taken = [slots.take(one), slots.take(other), slots.take(one), slots.take(one)]
        os._exit(sum(place is not None for place in taken))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
    mine = slots.take(one)
    assert mine is not None
    assert (slots.count_of(one), slots.count_of(other)) == (3, 1)
    slots.release(mine)
    assert slots.count_of(one) == 2

    pid = os.fork()
    if not pid:  # takes the place of the one that was killed
        slots.begin(1)
        os._exit(0)
    os.waitpid(pid, 0)
    assert (slots.count_of(one), slots.count_of(other)) == (0, 0)


def test_free_places_are_no_streams_of_visitors() -> None:
    slots = StreamSlots(2, each=3)
    assert slots.count_of(NO_ORGANISATION) == 0
    taken = slots.take(NO_ORGANISATION)
    assert taken is not None
    assert slots.count_of(NO_ORGANISATION) == 1
    slots.release(taken)
    assert slots.count_of(NO_ORGANISATION) == 0
