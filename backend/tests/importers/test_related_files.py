"""Files that came together are not joined, and each says what it may belong to and what is missing."""

from dataclasses import replace
from pathlib import Path

from backend.tests.importers.reading import SAMPLES

from tailroom.importers.opening import open_path
from tailroom.importers.parsed_run import Severity
from tailroom.importers.registry import read_together
from tailroom.importers.related_files import Outline, notes, outline


def outlines(*names: str) -> list[Outline]:
    """Of the runs of samples that were sent together."""
    sources = [source for name in names for source in open_path(SAMPLES / name, Path(name).name)]
    results = [one for one in read_together(sources) if one.result is not None]
    return [outline(one.name, run) for one in results if one.result for run in one.result.runs]


def said(*names: str) -> dict[str, list[str]]:
    """Notes by file."""
    runs = outlines(*names)
    found: dict[str, list[str]] = {}
    for one, problems in zip(runs, notes(runs), strict=True):
        assert {problem.severity for problem in problems} <= {Severity.NOTE}
        found.setdefault(one.file, []).extend(problem.reason for problem in problems)
    return found


def test_a_memtier_summary_and_its_logs_say_what_they_have_in_common() -> None:
    found = said(
        "memtier/given1.json", "hdr_log/memtier_GET_command_run_1.hgrm", "hdr_log/memtier_FULL_RUN_1.hgrm"
    )
    of_get, of_all = found["given1.json"]
    assert "memtier_GET_command_run_1.hgrm came with it and counts the same (get 705,845)" in of_get
    assert "counts the same (total 882,331)" in of_all
    assert "the version of the tool is not stated in given1.json and memtier_GET" in of_get
    assert "when the run was" not in of_get
    (of_log,) = found["memtier_FULL_RUN_1.hgrm"]
    assert "given1.json came with it and counts the same (total 882,331)" in of_log
    assert of_log.endswith("each stays a run of its own")


def test_a_percentile_table_and_a_ycsb_log_lack_the_time() -> None:
    found = said("memtier/given1.json", "hdr_log/hdr_GET_command_run_1.txt")
    (note,) = found["hdr_GET_command_run_1.txt"]
    assert "when the run was is not stated in hdr_GET_command_run_1.txt" in note
    (note,) = said("ycsb/y2.stdout.txt", "hdr_log/ycsb_READ.hdr")["ycsb_READ.hdr"]
    assert "counts the same (read 99,842)" in note
    assert "they lasted 3.004 s and 3.021 s" in note


def test_other_counts_are_no_one_run() -> None:
    found = said("memtier/given3.json", "hdr_log/memtier_GET_command_run_1.hgrm")
    (note,) = found["given3.json"]
    assert note.startswith("not joined with memtier_GET_command_run_1.hgrm, which came with it: ")
    assert "here and 705,845 there" in note
    # Where one log has the same counts, others that have not are no news.
    both = said("memtier/given1.json", "memtier/given3.json", "hdr_log/memtier_GET_command_run_1.hgrm")
    (note,) = both["memtier_GET_command_run_1.hgrm"]
    assert note.startswith("given1.json came with it")


def test_a_summary_without_counts_says_so() -> None:
    found = said("memtier/given1.stdout.txt", "hdr_log/memtier_GET_command_run_1.hgrm")
    (note,) = found["memtier_GET_command_run_1.hgrm"]
    assert note == (
        "not joined with given1.stdout.txt, which came with it: given1.stdout.txt does not say how many "
        "operations it counts"
    )


def test_threads_of_a_pgbench_log_are_one_run_and_not_joined_with_the_summary() -> None:
    found = said("pgbench/rate.txt", "pgbench/rate.24957", "pgbench/rate.24957.1")
    (note,) = found["rate.24957"]
    assert "counts the same (transaction 1,186)" in note
    assert "the version of the tool is not stated in rate.24957" in note
    assert "rate.24957.1" not in found


def test_files_of_other_tools_and_kinds_say_nothing() -> None:
    found = said("memtier/given1.json", "memtier/given2.json", "hdr_log/ycsb_READ.hdr")
    assert set(map(len, found.values())) == {0}


def test_many_files_do_not_bury_the_run_in_notes() -> None:
    one = outlines("memtier/given1.json")[0]
    log = outlines("hdr_log/memtier_GET_command_run_1.hgrm")[0]
    logs = [replace(log, file=f"{number}.hgrm") for number in range(9)]
    first = notes([one, *logs])[0]
    assert len(first) == 5
    assert first[-1].reason == "the same holds of 5 more files that came with it"
