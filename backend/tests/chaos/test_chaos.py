"""The whole product, killed and cut off: what was acknowledged is stored once and judged as undisturbed."""

from backend.chaos.product import ROLES
from backend.chaos.trial import trial


def test_nothing_is_lost_doubled_or_judged_otherwise() -> None:
    with trial(seed=7, duration_s=9, fault_share=0.4) as running:
        running.round([*ROLES, "agent", "postgres frozen"])
        report = running.report
    assert report.problems == []
    killed = {kind for kind in report.faults if kind.endswith(" killed")}
    assert killed == {f"{role} killed" for role in (*ROLES, "agent")}
    assert report.faults["postgres frozen"] == 1
    assert report.faults.total() > 10, report
