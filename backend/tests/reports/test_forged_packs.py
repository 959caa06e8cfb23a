"""Packs that somebody made to say more than their raw files do: each forgery is named."""

import base64
import hashlib
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.domain.verdicts.budget import ACT_PERFORMANCE_1
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, Limit, RuleSet
from tailroom.reports.attestation import signed_statement
from tailroom.reports.pack_archive import PackUnreadable
from tailroom.reports.packing import (
    ANSWERS,
    MANIFEST,
    PAGE,
    RAW,
    REPORT,
    SEAL_BYTES,
    SIGNATURE,
    STATEMENT,
    VERDICTS,
    PackNamesRepeat,
    pack,
    seal_of,
)
from tailroom.reports.signing import SigningKey
from tailroom.reports.verification import SignatureState, Verification, verify

SAMPLES = Path(__file__).parents[1] / "importers" / "samples"
ACT = SAMPLES / "act" / "act66_storage_3x_1dev_us_90s.log"
FAILING = SAMPLES / "act" / "act53_storage_1x_2dev_ms_60s.log"
MADE_AT = datetime(2026, 11, 22, tzinfo=UTC)
WEAKENED = replace(
    ACT_PERFORMANCE_1,
    limits=tuple(Limit(one.threshold_ns, 0.9) for one in ACT_PERFORMANCE_1.limits),
    certification=None,
)
Members = dict[str, bytes]


@pytest.fixture(scope="module")
def honest() -> bytes:
    """A pack as it is made, signed by its maker."""
    return pack({ACT.name: ACT.read_bytes()}, MADE_AT, key=SigningKey(Ed25519PrivateKey.generate()))[0]


def zipped(members: Iterable[tuple[str | zipfile.ZipInfo, bytes]], compression: int = 8) -> bytes:
    """An archive with the seal that covers it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
        archive.comment = b"0" * SEAL_BYTES
    return sealed(target.getvalue()[:-SEAL_BYTES])


def sealed(data: bytes) -> bytes:
    return data + seal_of(data)


def members_of(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(data: bytes, change: Callable[[Members], None]) -> bytes:
    """The same pack with other members, hashed and sealed anew; nobody's signature is left."""
    members = members_of(data)
    change(members)
    members.pop(SIGNATURE, None)
    members.pop(STATEMENT, None)
    manifest = json.loads(members.pop(MANIFEST))
    manifest["files"] = {
        name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in members.items()
    }
    return zipped([(MANIFEST, json.dumps(manifest).encode()), *members.items()])


def places(found: Verification) -> set[str]:
    return {one.where for one in found.differences}


def test_an_untouched_pack_is_as_it_says_and_names_no_omission(honest: bytes) -> None:
    found = verify(honest)
    assert (found.ok, found.differences, found.omitted) == (True, (), ())


def test_a_signature_with_the_fingerprint_of_somebody_else_is_not_his(honest: bytes) -> None:
    members = members_of(honest)
    victim = json.loads(members[SIGNATURE])["fingerprint"]
    thief = SigningKey(Ed25519PrivateKey.generate())
    signature = thief.sign(members[MANIFEST])
    own = signature["fingerprint"]
    members[SIGNATURE] = json.dumps(signature | {"fingerprint": victim}).encode()
    found = verify(zipped(members.items()))
    assert not found.ok
    assert (found.signature, found.fingerprint) == (SignatureState.VALID, own)
    assert places(found) == {f"{SIGNATURE}.fingerprint", STATEMENT}


@pytest.mark.parametrize("document", [7, [], {}, None, "signed", {"algorithm": "ed25519", "public_key": 3}])
def test_a_signature_of_another_form_is_none(honest: bytes, document: Any) -> None:
    members = members_of(honest) | {SIGNATURE: json.dumps(document).encode()}
    assert verify(zipped(members.items())).signature is SignatureState.INVALID


NOTE = {"note": "certified by a laboratory"}


@pytest.mark.parametrize("name", [MANIFEST, VERDICTS, ANSWERS])
def test_a_claim_that_nothing_compares_is_refused(honest: bytes, name: str) -> None:
    def add_row(members: Members) -> None:
        rows = json.loads(members[VERDICTS])
        members[VERDICTS] = json.dumps([rows[0] | NOTE, *rows[1:]]).encode()

    def add_answer(members: Members) -> None:
        members[ANSWERS] = json.dumps(NOTE).encode()

    data = forged(honest, {MANIFEST: lambda _: None, VERDICTS: add_row, ANSWERS: add_answer}[name])
    members = members_of(data)
    if name == MANIFEST:
        members[MANIFEST] = json.dumps(json.loads(members[MANIFEST]) | NOTE).encode()
    with pytest.raises(PackUnreadable, match=f"its {name} is not that of an evidence pack"):
        verify(zipped(members.items()))


def test_a_claim_beside_a_signature_makes_it_none(honest: bytes) -> None:
    members = members_of(honest)
    signature, statement = (json.loads(members[name]) for name in (SIGNATURE, STATEMENT))
    assert verify(
        zipped((members | {SIGNATURE: json.dumps(signature | NOTE).encode()}).items())
    ).signature is (SignatureState.INVALID)
    assert signed_statement(statement, signature["public_key"]) is not None
    assert signed_statement(statement | NOTE, signature["public_key"]) is None


def test_a_size_that_is_not_that_of_the_member_is_found(honest: bytes) -> None:
    members = members_of(forged(honest, lambda _: None))
    manifest = json.loads(members[MANIFEST])
    manifest["files"][REPORT]["bytes"] += 1
    members[MANIFEST] = json.dumps(manifest).encode()
    assert places(verify(zipped(members.items()))) == {f"{MANIFEST}.files.{REPORT}.bytes"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("second", [REPORT, REPORT.upper(), "report\u200b.html"])
def test_two_members_that_unpack_as_one_are_refused(honest: bytes, second: str) -> None:
    members = [*members_of(honest).items(), (second, b"<h1>PASS</h1>")]
    with pytest.raises(PackUnreadable, match=r"twice|show otherwise"):
        verify(zipped(members))


def test_a_forged_report_is_found_although_its_hash_is_right(honest: bytes) -> None:
    def change(members: Members) -> None:
        members[REPORT] = members[REPORT].replace(b"INDETERMINATE", b"PASS").replace(b"FAIL", b"PASS")

    assert places(verify(forged(honest, change))) == {REPORT}


def test_a_page_with_other_counts_or_another_script_is_found(honest: bytes) -> None:
    def other_counts(members: Members) -> None:
        page = members[PAGE].decode()
        packed = page.split('id="evidence">')[1].split("</script>")[0]
        evidence = json.loads(zlib.decompress(base64.b64decode(packed)))
        evidence["runs"][0]["operations"][0]["cells"]["counts"][0] += 1
        nicer = base64.b64encode(zlib.compress(json.dumps(evidence).encode())).decode()
        members[PAGE] = page.replace(packed, nicer).encode()

    def other_script(members: Members) -> None:
        members[PAGE] = members[PAGE].replace(b"function judgeLimits(", b"function judgeLimitsOf(")

    def no_page(members: Members) -> None:
        del members[PAGE]

    def junk(members: Members) -> None:
        members[PAGE] = b'<script id="evidence">eJw=</script>'

    assert places(verify(forged(honest, other_counts))) == {
        f"{PAGE} evidence.runs[0].operations[0].cells.counts[0]"
    }
    assert places(verify(forged(honest, other_script))) == {PAGE}
    assert places(verify(forged(honest, no_page))) == {PAGE}
    assert places(verify(forged(honest, junk))) == {f"{PAGE} evidence"}


def test_the_evidence_of_a_page_is_compared_however_it_was_deflated(honest: bytes) -> None:
    def deflated_otherwise(members: Members) -> None:
        page = members[PAGE].decode()
        packed = page.split('id="evidence">')[1].split("</script>")[0]
        stored = base64.b64encode(zlib.compress(zlib.decompress(base64.b64decode(packed)), 1)).decode()
        assert stored != packed
        members[PAGE] = page.replace(packed, stored).encode()

    assert not places(verify(forged(honest, deflated_otherwise)))


def test_a_pack_of_the_version_before_has_no_page(honest: bytes) -> None:
    def no_page(members: Members) -> None:
        del members[PAGE]

    members = members_of(forged(honest, no_page))
    manifest = json.loads(members.pop(MANIFEST)) | {"tailroom_pack": 4}
    assert not places(verify(zipped([(MANIFEST, json.dumps(manifest).encode()), *members.items()])))


def test_a_report_hidden_by_style_is_found(honest: bytes) -> None:
    def change(members: Members) -> None:
        members[REPORT] = members[REPORT].replace(b"</style>", b"main{display:none}</style>", 1)

    assert places(verify(forged(honest, change))) == {REPORT}


def test_disclosure_and_buckets_are_worked_out_again(honest: bytes) -> None:
    def change(members: Members) -> None:
        disclosure = json.loads(members["disclosure.json"])
        disclosure[0]["not_stated"] = []
        members["disclosure.json"] = json.dumps(disclosure).encode()
        bucket = next(name for name in members if name.startswith("buckets/"))
        members["buckets/9-extra.json"] = members.pop(bucket)

    found = places(verify(forged(honest, change)))
    assert "buckets/9-extra.json" in found
    assert any(one.startswith("disclosure.json[0].not_stated") for one in found)
    assert any(one.startswith(("buckets/0-", "buckets/1-")) for one in found)


def test_a_weakened_budget_with_a_built_in_name_is_not_that() -> None:
    files = {ACT.name: ACT.read_bytes()}
    data, verdicts = pack(files, MADE_AT, budgets=[WEAKENED])
    assert [one.assessment.judgement.verdict.value for one in verdicts] == ["PASS"]
    found = verify(data)
    assert not found.ok
    assert {one.rpartition(".")[0] for one in places(found)} >= {f"{VERDICTS}[0].budget.limits[0]"}
    assert all(one.startswith(f"{VERDICTS}[0].budget") for one in places(found))


def test_a_weakened_built_in_inside_a_set_of_rules_is_found() -> None:
    together = RuleSet("our-rules", 1, "Ours", "", (WEAKENED,))
    data, _ = pack({ACT.name: ACT.read_bytes()}, MADE_AT, budgets=[together])
    assert any(one.startswith(f"{VERDICTS}[0].budget.criteria[0].") for one in places(verify(data)))


@pytest.mark.parametrize(
    "budget",
    [
        replace(WEAKENED, version=99),
        ExceedanceBudget("own-transactions", 1, "Ours", "", "read", (Limit(1_000_000, 0.9),)),
    ],
    ids=["a version that never was", "a question that the run does not ask"],
)
def test_built_in_names_with_nothing_built_in_behind_them_are_found(budget: ExceedanceBudget) -> None:
    data, _ = pack({ACT.name: ACT.read_bytes()}, MADE_AT, budgets=[budget])
    assert not verify(data).ok


def test_omitted_verdicts_are_named_with_their_words(tmp_path: Path) -> None:
    def change(members: Members) -> None:
        rows = json.loads(members[VERDICTS])
        members[VERDICTS] = json.dumps([one for one in rows if one["verdict"]["verdict"] != "FAIL"]).encode()

    data = forged(pack({FAILING.name: FAILING.read_bytes()}, MADE_AT)[0], change)
    found = verify(data)
    assert found.omitted == (
        "run 0, act-limits v1: FAIL, proven",
        "run 0, fraud-250-sequential v1: FAIL in this run",
    )
    assert found.document()["omitted"] == list(found.omitted)
    (tmp_path / "pack.zip").write_bytes(data)
    printed = CliRunner().invoke(build_app(["verify", "pack"]), ["verify", str(tmp_path / "pack.zip")])
    for omitted in found.omitted:
        assert f"not in the pack: {omitted}" in printed.output


def test_a_pack_of_a_chosen_budget_is_as_it_says_and_names_the_others() -> None:
    data, _ = pack({FAILING.name: FAILING.read_bytes()}, MADE_AT, budgets=[ACT_PERFORMANCE_1])
    found = verify(data)
    assert (found.ok, found.verdicts, len(found.omitted)) == (True, 1, 3)


def test_a_pack_without_a_verdict_is_not_as_it_says(honest: bytes) -> None:
    assert VERDICTS in places(verify(forged(honest, lambda members: members.update({VERDICTS: b"[]"}))))


def test_a_key_that_stands_twice_is_refused(honest: bytes) -> None:
    def change(members: Members) -> None:
        members[VERDICTS] = members[VERDICTS].replace(b'"verdict": {', b'"verdict": {"verdict": "PASS", ', 1)

    with pytest.raises(PackUnreadable, match="stands twice"):
        verify(forged(honest, change))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_numbers_that_are_none_are_refused(honest: bytes, number: str) -> None:
    def change(members: Members) -> None:
        rows = json.loads(members[VERDICTS])
        rows[0]["verdict"]["data_through_ns"] = "here"
        members[VERDICTS] = json.dumps(rows).replace('"here"', number).encode()

    with pytest.raises(PackUnreadable, match="no JSON that can be read"):
        verify(forged(honest, change))


@pytest.mark.parametrize(
    "name", ["raw/../../x", "/etc/passwd", "raw\\x", "C:x", "raw/a\x1b]0;x\x07", "raw//x"]
)
def test_members_that_unpack_elsewhere_are_refused(honest: bytes, name: str) -> None:
    info = zipfile.ZipInfo("x")
    info.filename = name
    members: list[tuple[str | zipfile.ZipInfo, bytes]] = [*members_of(honest).items(), (info, b"")]
    with pytest.raises(PackUnreadable, match="unpack elsewhere"):
        verify(zipped(members))


def test_names_of_files_are_packed_as_they_may_be_unpacked() -> None:
    data, _ = pack({"../..\\\x1b[2Jact\u202e.log": ACT.read_bytes()}, MADE_AT)
    assert f"{RAW}?[2Jact?.log" in members_of(data)
    assert verify(data).ok
    with pytest.raises(PackNamesRepeat, match="name of its own"):
        pack({"act.log": ACT.read_bytes(), "ACT.log": ACT.read_bytes()}, MADE_AT)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_pack_of_another_compression_damaged_or_not_is_refused(
    honest: bytes, method: int, tmp_path: Path
) -> None:
    data = bytearray(zipped(members_of(honest).items(), method))
    for damaged in (False, True):
        if damaged:
            data[200:260] = bytes(60)
        (tmp_path / "pack.zip").write_bytes(data)
        printed = CliRunner().invoke(build_app(["verify", "pack"]), ["verify", str(tmp_path / "pack.zip")])
        assert printed.exit_code == 2, printed.output
        assert "packs are deflated" in printed.output


def test_members_beside_the_directory_are_found(honest: bytes) -> None:
    """A program that reads without the directory finds another `report.html` first."""
    hidden = zipped([(REPORT, b"<h1>PASS</h1>")])
    with zipfile.ZipFile(io.BytesIO(hidden)) as archive:
        local = hidden[: archive.start_dir]
    with zipfile.ZipFile(io.BytesIO(honest)) as archive:
        directory_at = archive.start_dir
    body = bytearray(local + honest[:-SEAL_BYTES])
    end = body.rindex(b"PK\x05\x06")
    at = directory_at + len(local)
    struct.pack_into("<I", body, end + 16, at)
    while body[at : at + 4] == b"PK\x01\x02":
        (offset,) = struct.unpack_from("<I", body, at + 42)
        struct.pack_into("<I", body, at + 42, offset + len(local))
        at += 46 + sum(struct.unpack_from("<HHH", body, at + 28))
    data = sealed(bytes(body))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None, "a whole archive for those who read its directory"
    assert places(verify(data)) == {"the archive itself"}


def test_a_report_of_another_version_says_so(honest: bytes) -> None:
    members = members_of(honest)
    manifest = json.loads(members[MANIFEST]) | {"tailroom_version": "0.0.9"}
    members[REPORT] += b"<!-- another page -->"
    content = members[REPORT]
    manifest["files"][REPORT] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    del manifest["files"][STATEMENT]
    members[MANIFEST] = json.dumps(manifest).encode()
    del members[SIGNATURE], members[STATEMENT]
    (difference,) = verify(zipped(members.items())).differences
    assert difference.where == REPORT
    assert "Tailroom 0.0.9 made it: verify it with that version" in difference.derived
