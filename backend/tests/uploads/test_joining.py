"""Files of several clients of one test, and histograms of production, sent through HTTP and asked about."""

from backend.tests.uploads.conftest import SAMPLES, Uploader

YCSB = (SAMPLES / "ycsb/y1.stdout.txt").read_bytes()
OTHER = YCSB.replace(b"99thPercentileLatency(us), ", b"99thPercentileLatency(us), 1")


def _answered(uploader: Uploader, run_id: str) -> int:
    """Operations of the run that are inserts, by the question whether any of them took a second or longer."""
    question = {"subject": {"run_id": run_id}, "budget": {"objective": "50% insert < 1s"}}
    samples: int = uploader.post("/sla/evaluate", question)["subject"]["samples"]
    return samples


def test_the_files_of_one_test_become_one_run(uploader: Uploader) -> None:
    files = [("a.txt", YCSB), ("b.txt", OTHER)]
    apart = uploader.send(files)
    assert len(apart["runs"]) == 2
    joined = uploader.send(files, join="true")
    (run,) = joined["runs"]
    assert run["run_id"] not in {each["run_id"] for each in apart["runs"]}
    assert [each["read_with"] for each in joined["files"]] == [None, "a.txt"]
    judged = [uploader.judged(each["run_id"]) for each in (*apart["runs"], run)]
    counts = [_answered(uploader, each["run_id"]) for each in (*apart["runs"], run)]
    assert all(each["verdicts"] is not None for each in judged)
    assert counts[2] == counts[0] + counts[1] > 0
    again = uploader.send(files, 200, join="true")
    assert [each["run_id"] for each in again["runs"]] == [run["run_id"]]
    assert {each["run_id"] for each in uploader.send(files, 200)["runs"]} == {
        each["run_id"] for each in apart["runs"]
    }


def test_files_that_cannot_be_joined_are_refused_with_the_reason(uploader: Uploader) -> None:
    refused = uploader.send([("a.txt", YCSB), ("b.txt", b"nothing that is known\n")], 422, join="true")
    assert "format not recognised" in refused["detail"]


def test_a_production_histogram_is_a_subject_beside_a_test(uploader: Uploader) -> None:
    production = uploader.send_paths(SAMPLES / "prometheus/range.json")["runs"][0]["run_id"]
    tested = uploader.send_paths(SAMPLES / "hdr_log/ycsb_READ.hdr")["runs"][0]["run_id"]
    budget = {"objective": "90% < 300ms"}
    for run_id in (production, tested):
        uploader.judged(run_id)
        answer = uploader.post("/sla/evaluate", {"subject": {"run_id": run_id}, "budget": budget})
        assert answer["verdict"] == "PASS", answer
    answer = uploader.post("/sla/evaluate", {"subject": {"run_id": production}, "budget": budget})
    assert answer["strength"] == "observed"
    assert "real clients" in str(answer)
    page = uploader.send_paths(SAMPLES / "prometheus/page.txt")["runs"][0]["run_id"]
    uploader.judged(page)
    compared = uploader.get("/comparisons", subject=[f"run:{production}", f"run:{page}"])
    assert compared["operation"] == "http_server_duration_seconds"
    assert [subject["run_id"] for subject in compared["subjects"]] == [production, page]


def test_a_file_may_be_one_client_of_two_tests(uploader: Uploader) -> None:
    third = YCSB.replace(b"99thPercentileLatency(us), ", b"99thPercentileLatency(us), 2")
    (first,) = uploader.send([("a.txt", YCSB), ("b.txt", OTHER)], join="true")["runs"]
    (second,) = uploader.send([("a.txt", YCSB), ("c.txt", third)], join="true")["runs"]
    assert first["run_id"] != second["run_id"]
    assert len(uploader.get("/uploads")["uploads"]) == 2
