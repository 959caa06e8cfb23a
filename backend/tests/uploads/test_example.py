"""The simulated day of the first visit: what it shows, and that it stands among nothing that was measured."""

from backend.tests.sla.conftest import sequential
from backend.tests.uploads.conftest import ACT, Uploader

from tailroom.embedded import example

QUESTION = {"budget": {"document": sequential()}, "published": False}


def test_a_day_holds_for_seventeen_hours_and_is_never_matched(uploader: Uploader) -> None:
    uploader.send_paths(ACT / "act66_storage_6x_2dev_ms_60s.log")
    measured = uploader.post("/sla/match", QUESTION)
    day = example.result_file()
    sent = uploader.send([(example.FILE_NAME, day)], status=None)
    assert uploader.send([(example.FILE_NAME, example.result_file())], status=None)["runs"] == sent["runs"]
    run = uploader.judged(sent["runs"][0]["run_id"])
    assert (run["title"], run["simulated"], run["outcome"]) == (example.TITLE, True, "completed")
    rules = next(one for one in run["verdicts"] if one["budget"]["name"] == "act-performance")
    assert (rules["verdict"], rules["stage"]) == ("FAIL", "full")
    assert "the hour from 17 h" in rules["reason_text"]
    assert "; the worst, from 22 h, has 9" in rules["reason_text"]
    assert not any(row["verdict"] == "FAIL" for row in rules["exceedance"]["rows"])
    report = uploader.client.get(f"/api/v1/runs/{run['run_id']}/report.html", headers=uploader.headers)
    assert "simulated by an engine without a drive or server" in report.text
    listed = {one["run_id"]: one for one in uploader.get("/runs")["runs"]}
    assert {one["simulated"] for one in listed.values()} == {True, False}
    asked = uploader.post("/sla/match", QUESTION)
    assert asked["counts"] == measured["counts"]
    assert asked["not_looked_at"] == measured["not_looked_at"] == 0
    assert run["run_id"] not in {one["subject"]["run_id"] for one in asked["items"]}
    assert uploader.get("/leaderboard", scope="mine")["rows"] == []


def test_lists_draw_the_room_of_a_transaction(uploader: Uploader) -> None:
    sent = uploader.send([(example.FILE_NAME, example.result_file())], status=None)
    run = uploader.judged(sent["runs"][0]["run_id"])
    (listed,) = uploader.get("/runs", scope="mine")["runs"]
    for short, long in zip(listed["verdicts"], run["verdicts"], strict=True):
        assert short["headline"] == long["headline"]["text"]
        assert short["evidence_share"] == (long["meter"] or {}).get("share")
        transaction = long["transaction"]
        assert short["room"] == (transaction and {name: transaction[name] for name in short["room"]})
