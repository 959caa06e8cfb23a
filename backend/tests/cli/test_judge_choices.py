"""`tailroom judge` where a file has several histograms, a test several files, or no room is left."""

from pathlib import Path

import pytest
from backend.tests.cli.judge_command import IMPORTER_SAMPLES, run, summary, write

PAGE = IMPORTER_SAMPLES / "prometheus" / "page.txt"


def test_a_production_histogram_is_asked_for_by_name_and_labels() -> None:
    chosen = ("--metric", "http_server_duration", "--match", 'route="/pay"')
    found = summary(PAGE, *chosen, "--objective", "95% < 300ms", check=0)
    assert found["strength"] == "observed"
    (bucket,) = [line for line in PAGE.read_text().splitlines() if 'le="0.3"' in line and "/pay" in line]
    (whole,) = [line for line in PAGE.read_text().splitlines() if "_seconds_count" in line and "/pay" in line]
    share = float(bucket.rpartition(" ")[2]) / float(whole.rpartition(" ")[2])
    assert found["observed"]["lower"] == found["observed"]["upper"] == pytest.approx(share, abs=1e-12)
    assert (found["proven"]["lower"], found["proven"]["upper"]) == (0.0, 1.0)
    assert "what real clients sent, and is not on record" in run(
        PAGE, *chosen, "--objective", "95% < 300ms", check=0
    )
    assert run(PAGE, *chosen, "--objective", "95% < 300ms", "--require", "proven", check=3)


def test_the_bucket_edge_that_would_decide_is_named() -> None:
    answer = run(PAGE, "--metric", "http_server_duration", "--objective", "95% < 250ms", check=3)
    assert "a bucket edge at 250 ms" in answer


def test_several_histograms_are_listed_and_asked_about() -> None:
    refusal = run(PAGE, "--objective", "95% < 300ms", check=2)
    assert "2 histograms" in refusal
    assert 'route="/pay"' in refusal
    assert "--metric" in refusal
    assert "it has http_server_duration_seconds" in run(
        PAGE, "--metric", "grpc", "--objective", "95% < 300ms", check=2
    )
    assert "compared by = and != only" in run(
        PAGE, "--metric", "a", "--match", 'b=~"c"', "--objective", "95% < 1s", check=2
    )


def test_a_choice_that_fits_nothing_says_why() -> None:
    question = ("--objective", "95% < 300ms")
    name = "http_server_duration"
    labels = run(PAGE, "--metric", name, "--match", 'route="/no"', *question, check=2)
    assert (
        'cannot be judged: it holds no histogram of times called http_server_duration{route="/no"}' in labels
    )
    assert "no histogram of that name has these labels; `tailroom inspect` lists those that it has" in labels
    assert "http_request_size_bytes counts no time" in run(
        PAGE, "--metric", "http_request_size_bytes", *question, check=2
    )
    other = IMPORTER_SAMPLES / "hdr_log/ycsb_READ.hdr"
    for option in ("--metric", "--match"):
        assert "this is a result of ycsb" in run(other, option, 'a="b"', *question, check=2)


def test_a_closed_loop_proves_no_lower_bound() -> None:
    answer = run(IMPORTER_SAMPLES / "ycsb/histogram.stdout.txt", "--objective", "99% < 1ms", check=1)
    assert "for the next   FAIL: at most 96.4 % with 95 % confidence" in answer


def test_an_objective_that_cannot_be_read_is_named() -> None:
    assert "--objective 'p99 under 10' cannot be read" in run(PAGE, "--objective", "p99 under 10", check=2)


def test_operations_that_failed_leave_no_room(tmp_path: Path) -> None:
    sample = IMPORTER_SAMPLES / "hey/report.txt"
    answer = run(sample, "--reads", "5", "--window", "100ms", "--operation", "request", check=1)
    assert "room           none: more transactions fail than may take longer than 100ms" in answer.replace(
        "100 ms", "100ms"
    )
    slow = {"op": "read", "layout": {"t": "explicit", "edges_ns": [10**9, 2 * 10**9]}, "counts": [10**6]}
    answer = run(write(tmp_path, slow), "--reads", "5", "--window", "1s", check=1)
    assert "room           none: at least 3.998 s more than 1 s in this run" in answer


def test_one_client_and_one_client_twice(tmp_path: Path) -> None:
    sample = IMPORTER_SAMPLES / "ycsb/y1.stdout.txt"
    question = ("--objective", "50% insert < 1s")
    assert "joined         one file: nothing to add up" in run("--join", sample, *question, check=0)
    assert "is named twice" in run("--join", sample, sample, *question, check=2)


def test_files_of_several_clients_are_joined_only_when_that_is_said(tmp_path: Path) -> None:
    text = (IMPORTER_SAMPLES / "ycsb/y1.stdout.txt").read_text()
    slower = text.replace("99thPercentileLatency(us), ", "99thPercentileLatency(us), 1")
    first, second = write(tmp_path, text, "a.txt"), write(tmp_path, slower, "b.txt")
    question = ("--objective", "50% insert < 1s")
    assert "only with --join" in run(first, second, *question, check=2)
    alone, together = summary(first, *question, check=0), summary("--join", first, second, *question, check=0)
    samples = [each["subject"]["series"][0]["samples"] for each in (alone, together)]
    assert samples[1] == 2 * samples[0]
    assert together["subject"]["joined"][0] == "2 files added up"
    assert "  joined         2 files added up" in run("--join", first, second, *question, check=0)
