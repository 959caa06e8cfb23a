"""Which verdict of a run is its answer."""

import pytest

from tailroom.domain.verdicts.order import lead


@pytest.mark.parametrize(
    ("workload", "verdicts", "first"),
    [
        ("act-storage", {"act-limits": "FAIL", "fraud-250-sequential": "INDETERMINATE"}, "act-limits"),
        (
            "act-storage",
            {"act-limits": "INDETERMINATE", "fraud-250-sequential": "FAIL"},
            "fraud-250-sequential",
        ),
        ("act-storage", {"act-limits": "PASS", "fraud-250-sequential": "FAIL"}, "act-limits"),
        ("ycsb", {"act-limits": "PASS", "fraud-250-sequential": "PASS"}, "fraud-250-sequential"),
        ("act-storage", {"act-limits": "PASS", "of-our-own": "PASS"}, "of-our-own"),
        ("act-storage", {"act-limits": "PASS", "of-our-own": "INDETERMINATE"}, "act-limits"),
    ],
)
def test_what_is_decided_and_most_to_the_point_leads(
    workload: str, verdicts: dict[str, str], first: str
) -> None:
    kinds = {"act-limits": "exceedance"}
    found = [
        lead(
            word,
            name,
            kinds.get(name, "transaction"),
            workload=workload,
            is_built_in=name != "of-our-own",
        )
        for name, word in verdicts.items()
    ]
    assert min(found).budget_name == first
