"""`tailroom judge --objective`: a question in one line, about the operation of the file."""

from pathlib import Path

import pytest
from backend.tests.cli.judge_command import IMPORTER_SAMPLES, run, summary, write


@pytest.mark.parametrize(
    ("file", "objective", "code", "operation"),
    [
        ("hdr_log/memtier_SET_command_run_1.hgrm", "p99 < 10ms", 0, "set"),
        ("hdr_log/memtier_SET_command_run_1.hgrm", "p99.99 set < 1ms", 1, "set"),
        ("hdr_log/memtier_FULL_RUN_1.hgrm", "p99 < 10ms", 0, "total"),
        ("pgbench/aggr.txt", "p99 < 10ms", 1, "transaction"),
        ("pgbench/aggr.txt", "99% transaction < 10ms", 1, "transaction"),
        ("memtier/given1.json", "p99 get < 10ms", 0, "get"),
        ("memtier/given1.json", "p99 set < 10ms", 0, "set"),
        ("memtier/given1.json", "p99 < 10ms", 0, "get"),
    ],
)
def test_each_operation_can_be_asked_about(file: str, objective: str, code: int, operation: str) -> None:
    found = summary(IMPORTER_SAMPLES / file, "--objective", objective, check=code)
    assert [one["operation"] for one in found["subject"]["series"]] == [operation]
    assert found["verdict"] == ("FAIL" if code else "PASS")


def test_where_several_fit_the_answer_asks_which(tmp_path: Path) -> None:
    layout = {"t": "explicit", "edges_ns": [0, 1_000_000]}
    series = [{"op": name, "layout": layout, "counts": [5_000]} for name in ("insert", "scan")]
    file = write(tmp_path, {"v": 1, "series": series})
    refused = run(file, "--objective", "p99 < 10ms", check=2)
    assert "the record holds `insert`, `scan`" in refused
    assert "--operation" in refused
    for words in (("p99 < 10ms", "--operation", "scan"), ("p99 scan < 10ms",)):
        chosen = summary(file, "--objective", *words, check=0)
        assert [one["operation"] for one in chosen["subject"]["series"]] == ["scan"]


def test_transactions_are_asked_of_the_only_operation() -> None:
    file = IMPORTER_SAMPLES / "hdr_log" / "memtier_SET_command_run_1.hgrm"
    found = summary(file, "--reads", 10, "--window", "200ms", "--objective", "90%", check=0)
    assert "sets" in found["reason_text"]


def test_an_objective_stands_alone_and_is_refused_with_the_place() -> None:
    file = IMPORTER_SAMPLES / "memtier" / "given1.json"
    assert "leave --reads out" in run(file, "--objective", "p99 get < 1ms", "--reads", 5, check=2)
    refused = run(file, "--objective", "p99 get < 1", check=2)
    assert "'1' (character 11)" in refused
