"""Which names mean the same drive, and which are only likely to."""

import pytest

from tailroom.catalogue.items import duplicates_among, read_items
from tailroom.catalogue.names import NamedItem, likely_duplicates, normalised


@pytest.mark.parametrize(
    "name", ["Samsung SM1715", "SAMSUNG SM-1715", "Samsung SM1715 1.6 TB", "samsung sm1715 NVMe SSD 800GB"]
)
def test_case_punctuation_and_capacities_do_not_matter(name: str) -> None:
    assert normalised(name) == "samsungsm1715"


@pytest.mark.parametrize("name", ["", " ", "1.6 TB", "SSD", "…"])
def test_a_name_may_say_nothing(name: str) -> None:
    assert normalised(name) == ""


def test_models_that_differ_by_a_word_or_a_digit_stay_apart() -> None:
    names = ["Samsung 840", "Samsung 840 Pro", "Samsung 830", "Micron 9200 MAX", "Micron 9200 PRO"]
    assert len({normalised(name) for name in names}) == len(names)


KNOWN = [
    NamedItem("intel-dc-s3700", "Intel", "DC S3700", ("Intel S3700",)),
    NamedItem("samsung-840", "Samsung", "840"),
    NamedItem("ocz-vertex-4", "OCZ", "Vertex 4"),
    NamedItem("amazon-m3-xlarge", "Amazon", "m3.xlarge local SSD"),
]


@pytest.mark.parametrize(
    ("vendor", "name", "likely"),
    [
        ("Intel", "S3700 400 GB", ["intel-dc-s3700"]),
        ("intel", "SSD DC-S3700", ["intel-dc-s3700"]),
        ("OCZ", "Vertxe 4", ["ocz-vertex-4"]),
        ("Samsung", "840 Pro", []),
        ("Samsung", "850", []),
        ("Micron", "840", []),
        ("Amazon", "r3.xlarge local SSD", []),
        ("Amazon", "m3.2xlarge local SSD", []),
    ],
)
def test_likely_duplicates(vendor: str, name: str, likely: list[str]) -> None:
    assert [one.slug for one in likely_duplicates(NamedItem("new", vendor, name), KNOWN)] == likely


def test_the_reference_data_has_none() -> None:
    assert duplicates_among(read_items()) == []
