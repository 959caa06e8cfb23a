"""`tailroom judge` as a person and as a script meet it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from backend.tests.cli.judge_command import IMPORTER_SAMPLES, run, summary, write

from tailroom.domain.units import QuantityInvalid, duration_ns, share_ratio

ACT_SAMPLES = IMPORTER_SAMPLES / "act"
HDR: dict[str, Any] = {"layout": {"t": "hdr", "unit_ns": 1000, "sig": 3}}
ACT_LIMIT = {
    "layout": {"t": "explicit", "edges_ns": [0, 1_000_000, 8_000_000, 64_000_000, None]},
    "counts": [95_000, 4_000, 900, 100],
}


def test_a_run_of_transactions_is_asked_what_its_own_plan_asks(tmp_path: Path) -> None:
    sample = IMPORTER_SAMPLES / "agent" / "fraud-null-4s.ndjson"
    assert summary(sample, check=3)["budget"]["name"] == "fraud-250-sequential"
    text = sample.read_text().replace('"reads_per_transaction":250', '"reads_per_transaction":20', 1)
    assert text != sample.read_text()
    found = summary(write(tmp_path, text, "short.ndjson"), check=3)
    assert (
        found["budget"]["question"]
        == "Do 99.9 % of transactions finish 20 reads, one after another, within 1 s?"
    )
    assert "say what to judge by" in run(write(tmp_path, ACT_LIMIT), check=2)


def test_a_run_of_the_agent_is_asked_what_its_workload_or_its_search_asks(tmp_path: Path) -> None:
    sample = IMPORTER_SAMPLES / "agent" / "act-null-4s.ndjson"
    assert summary(sample, check=0)["budget"]["name"] == "act-limits"
    ladder = '"ladder":{"id":"s","step":1,"kind":"probe","load_per_s":2000,"objective":"p99 read < 5ms"}'
    text = sample.read_text().replace('"plan":{', f'"plan":{{{ladder},', 1)
    assert text != sample.read_text()
    assert summary(write(tmp_path, text, "probe.ndjson"), check=0)["budget"]["title"] == "p99 of read < 5 ms"


def test_a_simulated_run_is_called_so_beside_its_verdict() -> None:
    sample = IMPORTER_SAMPLES / "agent" / "act-null-4s.ndjson"
    assert "  the run        Simulated by an engine without a drive or server." in run(sample, check=0)
    assert summary(sample, check=0)["subject"]["series"][0]["simulated"] is True


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("act66_storage_killed_sigterm", "  the run        Not complete: 37 s of 120 s are there"),
        ("act66_storage_overload_drive_cant_keep_up", "  the run        Stopped, the drive could not"),
        ("act60_storage_1x_1dev_us_30s", None),
    ],
)
def test_a_run_that_ended_before_its_time_is_said_beside_its_verdict(name: str, line: str | None) -> None:
    path = IMPORTER_SAMPLES / "act" / f"{name}.log"
    said = run(path, "--budget", "fraud-250-sequential", check=0)
    endings = [text for text in said.splitlines() if text.startswith("  the run ")]
    assert [text[: len(line or "")] for text in endings] == ([] if line is None else [line])
    state = summary(path, "--budget", "fraud-250-sequential", check=0)["subject"]["series"][0]["state"]
    assert (state == "finished") == (line is None)


class TestExitCodes:
    @pytest.mark.parametrize(
        ("bucket", "count", "code", "word"),
        [
            (200, 10_000_000, 0, "PASS, proven: 250 reads in 1 s"),
            (5_000, 10_000_000, 1, "FAIL, proven: 250 reads in 1 s"),
            (200, 60_000, 0, "PASS in this run: 250 reads in 1 s"),
            (200, 6_000, 3, "Undecided: too few operations: 250 reads in 1 s"),
        ],
    )
    def test_the_word_is_the_exit_code(
        self, tmp_path: Path, bucket: int, count: int, code: int, word: str
    ) -> None:
        # Bucket 5,000 lies at 15.6 ms: 250 of them take almost four seconds.
        path = write(tmp_path, {**HDR, "counts": {str(bucket): count}})
        assert run(path, "--budget", "fraud-250-sequential", check=code).startswith(word)

    def test_a_pass_that_has_to_be_proven_ends_with_3_until_it_is(self, tmp_path: Path) -> None:
        few = write(tmp_path, {**HDR, "counts": {"200": 60_000}}, "few.json")
        many = write(tmp_path, {**HDR, "counts": {"200": 10_000_000}}, "many.json")
        slow = write(tmp_path, {**HDR, "counts": {"5000": 60_000}}, "slow.json")
        asked = ("--budget", "fraud-250-sequential", "--require", "proven")
        report = ("--junit", tmp_path / "found.xml")
        text = run(few, *asked, *report, check=3)
        assert text.startswith("PASS in this run: 250 reads in 1 s; a proven PASS is required\n")
        assert "would prove    750,000 reads like these" in text
        assert '<skipped message="PASS in this run: ' in (tmp_path / "found.xml").read_text()
        run(few, *asked[:2], "--require", "observed", check=0)
        run(many, *asked, check=0)
        run(slow, *asked, check=1)

    def test_a_pipe_is_read(self) -> None:
        """By the real command."""
        given = json.dumps({**HDR, "counts": {"200": 10_000_000}})
        command = [sys.executable, "-m", "tailroom.cli.main", "judge", "-"]
        words = ["--budget", "fraud-250-parallel", "--json"]
        done = subprocess.run([*command, *words], input=given, capture_output=True, text=True, check=True)
        assert (json.loads(done.stdout)["verdict"], done.stderr) == ("PASS", "")

    def test_junk_is_refused_without_a_traceback(self, tmp_path: Path) -> None:
        path = tmp_path / "junk.bin"
        path.write_bytes(bytes(range(256)) * 50)
        said = run(path, "--budget", "act-limits", check=2)
        assert "junk.bin" in said
        assert "format not recognised" in said

    def test_no_server_is_imported(self, tmp_path: Path) -> None:
        path = write(tmp_path, ACT_LIMIT)
        code = (
            "import sys; from tailroom.cli.main import main\n"
            f"sys.argv = ['tailroom', 'judge', {str(path)!r}, '--budget', 'act-limits']\n"
            "try: main()\nexcept SystemExit: pass\n"
            "print(sorted({'sqlalchemy', 'fastapi', 'celery', 'psycopg'} & set(sys.modules)))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == "[]"


class TestAnswers:
    def test_a_drive_at_the_act_limits_is_guaranteed_77_9_percent(self, tmp_path: Path) -> None:
        path = write(tmp_path, ACT_LIMIT)
        found = summary(path, "--reads", 250, "--window", "1s", "--objective", "99.9%", check=3)
        assert found["p_lower"] == pytest.approx(0.7787, abs=5e-5)
        assert (found["verdict"], found["reason"]) == ("INDETERMINATE", "resolution")
        assert found["observed"] == {
            "verdict": "INDETERMINATE",
            "lower": found["p_lower"],
            "upper": found["p_upper"],
        }
        assert found["proven"]["lower"] <= found["observed"]["lower"]
        text = run(path, "--reads", 250, "--window", "1s", check=3)
        assert text.startswith("Undecided: buckets too coarse: ")
        assert "in this run    undecided: 77 % or more" in text
        assert "would decide" in text

    def test_what_the_search_ends_at_is_no_finding(self, tmp_path: Path) -> None:
        at_once = ("--reads", 250, "--window", "1s", "--fan-out", 250)
        found = summary(write(tmp_path, {**HDR, "counts": {"200": 10**7}}), *at_once, check=0)
        assert (found["n_guaranteed"], found["n_possible"]) == (None, None)
        assert found["n_text"] == "no limit found"
        assert "1048576" not in json.dumps(found)

    def test_every_figure_of_the_contract_is_there(self, tmp_path: Path) -> None:
        found = summary(write(tmp_path, ACT_LIMIT), "--budget", "fraud-250-sequential", check=3)
        assert {
            "budget",
            "verdict",
            "strength",
            "words",
            "observed",
            "proven",
            "reason",
            "unproven",
            "reason_text",
            "decided_by",
            "p_lower",
            "p_estimate",
            "p_upper",
            "p_lower_confident",
            "p_upper_confident",
            "room_ms",
            "n_guaranteed",
            "n_possible",
            "method_version",
            "models",
            "rows",
            "subject",
        } <= set(found)
        assert set(found["room_ms"]) == {"lower", "upper"}

    def test_a_budget_is_built_in_place(self, tmp_path: Path) -> None:
        path = write(tmp_path, {**HDR, "counts": {"1500": 10_000_000}})
        slow = ["--reads", 250, "--window", "500ms", "--reserve", "400ms"]
        run(path, *slow, check=1)
        found = summary(path, *slow, "--fan-out", 10, check=0)
        assert found["budget"]["name"] == "command-line"
        run(path, *slow, "--fan-out", 250, check=0)
        run(path, *slow, "--fan-out", 10, "--scheduling", "waves", check=0)

    def test_a_budget_comes_from_a_file(self, tmp_path: Path) -> None:
        budget = {
            "kind": "percentile",
            "name": "mine",
            "operation": "read",
            "limits": [{"quantile": 0.99, "below_ns": 500_000}],
        }
        path = write(tmp_path, {**HDR, "counts": {"200": 10_000}})
        found = summary(path, "--budget", write(tmp_path, budget, "mine.json"), check=0)
        assert found["rows"][0]["kind"] == "percentile"
        wrong = write(tmp_path, {**budget, "colour": 1}, "wrong.json")
        assert "`colour`" in run(path, "--budget", wrong, check=2)
        assert "line 1" in run(path, "--budget", write(tmp_path, "{", "broken.json"), check=2)
        assert "No such file" in run(path, "--budget", tmp_path / "absent.json", check=2)

    def test_one_series_of_several_is_chosen(self, tmp_path: Path) -> None:
        fast, slow = {**HDR, "counts": {"200": 10**7}}, {**HDR, "counts": {"5000": 10**7}}
        path = write(tmp_path, [{"op": "read", "device": "a", **fast}, {"op": "read", "device": "b", **slow}])
        text = run(path, "--budget", "fraud-250-sequential", check=2)
        assert "1  read/operation/a" in text
        assert "2  read/operation/b" in text
        run(path, "--budget", "fraud-250-sequential", "--series", 1, check=0)
        run(path, "--budget", "fraud-250-sequential", "--series", "b", check=1)
        assert "'c'" in run(path, "--budget", "fraud-250-sequential", "--series", "c", check=2)

    def test_no_other_operation_is_taken_for_a_read(self, tmp_path: Path) -> None:
        one = {"op": "get", **HDR, "counts": {"200": 10**7}}
        run(write(tmp_path, one), "--budget", "fraud-250-sequential", check=0)
        two = write(tmp_path, [{**one, "op": "hget"}, {**one, "op": "set"}])
        assert "no series of read" in run(two, "--budget", "fraud-250-sequential", check=2)
        run(two, "--budget", "fraud-250-sequential", "--operation", "set", check=0)
        run(two, "--reads", 5, "--window", "1s", "--operation", "hget", check=0)

    def test_the_only_operation_is_not_taken_for_a_read(self) -> None:
        """Requests of HTTP are no reads, until somebody says which operation is meant."""
        path = IMPORTER_SAMPLES / "wrk/wrk2.txt"
        assert "no series of read" in run(path, "--budget", "fraud-250-sequential", check=2)
        found = summary(path, "--reads", 2, "--window", "1s", "--operation", "request", check=0)
        assert found["subject"]["series"][0]["operation"] == "request"

    def test_a_file_without_latencies_asks_for_no_operation(self) -> None:
        said = run(ACT_SAMPLES / "act66_storage_config_error.log", "--budget", "act-limits", check=2)
        assert "holds no latencies; `tailroom inspect`" in said
        assert "Name the operation" not in said

    def test_a_refusal_names_the_file_once(self, tmp_path: Path) -> None:
        path = write(tmp_path, '{"jobs": [', "fio.json")
        path.write_text('{\n "fio version" : "fio-3.33",\n "jobs" : [\n')
        said = run(path, "--budget", "act-limits", check=2)
        assert said.count("fio.json") == 1, said

    def test_unknown_conditions_decide_nothing(self, tmp_path: Path) -> None:
        """A table of percentiles states neither unit, operation nor load: asked about, not guessed."""
        source = IMPORTER_SAMPLES / "hdr_log/hdr_GET_command_run_1.txt"
        path = tmp_path / "table.txt"
        path.write_bytes(source.read_bytes())
        asked = ("--reads", 2, "--window", "10s")
        assert "unit of its latencies" in run(path, *asked, check=3)
        found = summary(path, *asked, "--operation", "read", check=3)
        assert found["reason"] == "metadata"
        assert "unit of its latencies" in found["reason_text"]
        answered = ("--operation", "read", "--loop", "open")
        slower = summary(path, "--reads", 1, "--window", "1ms", *answered, "--unit", "s", check=1)
        assert slower["verdict"] == "FAIL"

    def test_the_clock_of_the_user_is_preferred(self, tmp_path: Path) -> None:
        both = [
            {"op": "read", "clock": "device", **HDR, "counts": {"200": 10**7}},
            {"op": "read", "clock": "total", **HDR, "counts": {"5000": 10**7}},
        ]
        found = summary(write(tmp_path, both), "--budget", "fraud-250-sequential", check=1)
        assert found["subject"]["series"][0]["clock"] == "response"

    def test_an_act_log_is_judged(self) -> None:
        log = next(iter(sorted(ACT_SAMPLES.glob("*.log"))))
        found = summary(log, "--budget", "act-stress", check=3)
        assert found["reason"] in {"duration", "generator", "metadata"}


class TestBadInput:
    """Each is refused, and the broken rule is named."""

    @pytest.mark.parametrize(
        ("document", "rule"),
        [
            ('{"layout": {"t": "explicit", "edges_ns": [0, 1]}, "counts": [NaN]}', "NaN"),
            ({"layout": {"t": "explicit", "edges_ns": [0, 1]}, "counts": [-1]}, "-1"),
            (
                {"layout": {"t": "explicit", "edges_ns": [0, 1_000]}, "counts": [5], "sum_ns": 10**9},
                "add up to",
            ),
            ({"percentiles": [[0.5, 2_000_000], [0.9, 1_000_000]]}, "0.9"),
            ({"layout": {"t": "explicit", "edges_ns": [5, 5]}, "counts": [1]}, "ascend"),
            ({"layout": {"t": "explicit", "edges_ns": [0, 1]}, "counts": [1], "colour": 1}, "colour"),
            ("", "empty"),
            ("[" * 100_000, "format not recognised"),
            ('{"layout":{"t":"hdr"},"counts":' + "[" * 100_000, ""),
        ],
    )
    def test_of_files(self, tmp_path: Path, document: object, rule: str) -> None:
        assert rule in run(write(tmp_path, document), "--budget", "fraud-250-sequential", check=2)

    @pytest.mark.parametrize(
        ("words", "rule"),
        [
            ([], "--budget NAME or FILE"),
            (["--reads", 250], "--window"),
            (["--reads", 0, "--window", "1s"], "not 0"),
            (["--reads", -3, "--window", "1s"], "not -3"),
            (["--reads", 250, "--window", "0s"], "greater than 0"),
            (["--reads", 250, "--window", "1"], "unit"),
            (["--reads", 250, "--window", "fast"], "'fast'"),
            (["--reads", 250, "--window", "1s", "--objective", "1"], "between 0 and 1"),
            (["--reads", 250, "--window", "1s", "--objective", "99.9"], "did you mean 99.9%?"),
            (["--reads", 250, "--window", "1s", "--objective", "nan"], "'nan'"),
            (["--reads", 250, "--window", "1s", "--reserve", "1s"], "leaves nothing"),
            (["--reads", 250, "--window", "1s", "--fan-out", 0], "fan-out"),
            (
                ["--reads", 250, "--window", "1s", "--fan-out", 5, "--scheduling", "sequential"],
                "fan-out of 1",
            ),
            (["--reads", 250, "--window", "1s", "--scheduling", "magic"], "magic"),
            (["--budget", "nothing"], "there are act-limits"),
            (["--budget", "act-limits", "--version", 9], "version 9"),
            (["--budget", "act-limits", "--reads", 5], "--reads"),
            (["--version", 1], "--budget"),
            (["--budget", "m2g2", "--operation", "get"], "--operation"),
        ],
    )
    def test_of_words(self, tmp_path: Path, words: list[object], rule: str) -> None:
        assert rule in run(write(tmp_path, ACT_LIMIT), *words, check=2)

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        assert "there is no file" in run(tmp_path / "absent", "--budget", "act-limits", check=2)
        assert "a directory" in run(tmp_path, "--budget", "act-limits", check=2)


class TestQuantities:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [("1s", 10**9), ("400ms", 4 * 10**8), ("250us", 250_000), ("1.5s", 1_500_000_000), ("7 ns", 7)],
    )
    def test_durations(self, text: str, expected: int) -> None:
        assert duration_ns(text) == expected

    @pytest.mark.parametrize("text", ["", "1", "-1s", "1e3s", "1.5ns", "1s2", "١s", "inf s"])
    def test_no_durations(self, text: str) -> None:
        with pytest.raises(QuantityInvalid):
            duration_ns(text)

    def test_shares(self) -> None:
        assert share_ratio("99.9%") == share_ratio("0.999") == 0.999
        for text in ("0", "1", "100%", "0%", "-5%", "nan", ""):
            with pytest.raises(QuantityInvalid):
                share_ratio(text)


class TestOtherTools:
    """What the tool calls a read answers for it; nothing has to be named."""

    def test_an_act_log(self) -> None:
        path = ACT_SAMPLES / "act66_storage_3x_1dev_us_90s.log"
        limits = summary(path, "--budget", "act-limits", check=1)
        assert limits["words"] == "FAIL in this run"
        assert limits["subject"]["series"][0]["label"].startswith("read/service")
        found = summary(path, "--budget", "fraud-250-sequential", check=0)
        assert found["subject"]["series"][0]["samples"] == 540_000

    def test_a_memtier_hdr_log(self) -> None:
        path = ACT_SAMPLES.parent / "hdr_log" / "memtier_GET_command_run_1.hgrm"
        found = summary(path, "--budget", "fraud-250-sequential", check=0)
        # A closed loop: what would have waited is not in the file, so nothing is proven.
        assert (found["words"], found["unproven"]) == ("PASS in this run", "generator")
        assert "closed loop" in found["reason_text"]
        assert found["subject"]["series"] == [
            {
                "label": "get/service",
                "operation": "get",
                "clock": "service",
                "samples": 705_845,
                "closed_loop": True,
                "simulated": False,
                "state": "unknown",
                "state_text": "a log of histograms has no mark at its end",
            }
        ]

    def test_of_reads_and_writes_the_reads_are_meant(self) -> None:
        path = ACT_SAMPLES.parent / "memtier" / "given1.json"
        found = summary(path, "--reads", 10, "--window", "50ms", check=0)
        assert found["subject"]["series"][0]["operation"] == "get"
        # 90.9 % of the gets took less than 1 ms: that a slower load would be kinder does not help.
        rate = summary(path, "--budget", "m2g2", check=1)["criteria"][0]
        assert rate["words"] == "FAIL in this run"
        assert "closed loop: with more requests under way it may be higher" in rate["reason_text"]
