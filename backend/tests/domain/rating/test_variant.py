"""Which drives of one name are the same inside, by what they state."""

from tailroom.domain.rating.variant import (
    StatedDrive,
    Trait,
    differing,
    trait_text,
    traits_of,
    variants_of,
)

NVME = {
    "pci_vendor": "0x144d",
    "pci_device": "0xa80a",
    "max_link_speed": "16.0 GT/s PCIe",
    "max_link_width": 4,
}


def test_traits_are_what_a_drive_states_and_nothing_that_its_owner_may_change() -> None:
    device = {
        "name": "nvme0n1",
        "logical_block_bytes": 4_096,
        "discard_granularity_bytes": 4_096,
        "optimal_io_bytes": 131_072,
        "scheduler": "none",
        "nvme": NVME,
    }
    assert traits_of(device, None) == {
        "Controller": "144d:a80a",
        "Unit that is written best": "131,072 bytes",
        "Link": "16.0 GT/s PCIe ×4",
    }
    assert traits_of({"name": "sda"}, None) == {}


def test_log_pages_count_only_where_the_drive_may_be_asked() -> None:
    def pages(values: dict[str, int], absent: dict[str, str]) -> dict[str, Trait]:
        drive = {"disk": "nvme0n1", "readings": [{"values": values}], "absent": absent}
        return traits_of({"name": "nvme0n1"}, {"drives": [drive]})

    refused = {"extended": "status 0x4109", "latency_monitor": "no such page"}
    assert pages({"smart.percentage_used": 1}, refused) == {
        "Log page C0h": "not offered",
        "Log page C3h": "not offered",
    }
    assert pages({"smart.percentage_used": 1, "extended.media_written_bytes": 5}, {}) == {
        "Log page C0h": "offered"
    }
    assert pages({"kernel.written_bytes": 1}, {"smart": "not permitted", **refused}) == {}


def test_drives_are_one_variant_until_two_state_different_things() -> None:
    first = StatedDrive("a", {"Controller": "1:1", "Link": "x4"})
    same = StatedDrive("b", {"Controller": "1:1"})
    other = StatedDrive("c", {"Controller": "1:2", "Link": "x4"})
    one_variant = variants_of([first, same, first])
    assert [(variant.serials, variant.tests) for variant in one_variant] == [(("a", "b"), 3)]
    assert differing(one_variant) == []
    two = variants_of([other, first, same])
    assert [(variant.serials, variant.tests) for variant in two] == [(("a", "b"), 2), (("c",), 1)]
    assert differing(two) == ["Controller"]


def test_what_changes_from_test_to_test_of_one_drive_is_no_trait_of_it() -> None:
    before = StatedDrive("a", {"Controller": "1:1", "Unit that is erased": "65,536 bytes"})
    formatted = StatedDrive("a", {"Controller": "1:1", "Unit that is erased": "8,192 bytes"})
    (variant,) = variants_of([before, formatted, StatedDrive("b", {"Unit that is erased": "8,192 bytes"})])
    assert variant.traits == {"Controller": "1:1", "Unit that is erased": "8,192 bytes"}
    assert (variant.serials, variant.tests) == (("a", "b"), 3)


def test_caches_differ_where_their_ends_are_far_apart() -> None:
    def drive(serial: str, lower: int, upper: int) -> StatedDrive:
        return StatedDrive(serial, traits_of({}, None, {"lower_bytes": lower, "upper_bytes": upper}))

    close = variants_of([drive("a", 20 * 10**9, 22 * 10**9), drive("b", 30 * 10**9, 33 * 10**9)])
    assert len(close) == 1, "30 is less than 1.5 times 22"
    apart = variants_of([drive("a", 20 * 10**9, 22 * 10**9), drive("b", 34 * 10**9, 36 * 10**9)])
    assert [variant.serials for variant in apart] == [("a",), ("b",)]
    assert differing(apart) == ["End of the cache"]
    assert [trait_text(variant.traits["End of the cache"]) for variant in apart] == [
        "after 20 to 22 GB",
        "after 34 to 36 GB",
    ]
    assert traits_of({}, None, {"lower_bytes": "much", "upper_bytes": None}) == {}
