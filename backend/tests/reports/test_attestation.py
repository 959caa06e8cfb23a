"""The statement of a pack: read and verified by the public libraries, and every change to it is found."""

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from google.protobuf.json_format import ParseDict
from in_toto_attestation.predicates.test_result.v0.test_result_pb2 import TestResult as PublicTestResult
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1.statement_pb2 import Statement as PublicStatement
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer._key import SSlibKey
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.reports.attestation import envelope_of
from tailroom.reports.packing import MANIFEST, PAGE, SIGNATURE, STATEMENT, VERDICTS, pack
from tailroom.reports.signing import SigningKey, key_of
from tailroom.reports.verification import SignatureState, verify

MEMTIER = Path(__file__).parents[1] / "importers" / "samples" / "memtier"
FILES = {"given1.json": (MEMTIER / "given1.json").read_bytes()}
MADE_AT = datetime(2026, 11, 22, tzinfo=UTC)
Members = dict[str, bytes]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    """The key of an installation."""
    return key_of(tmp_path_factory.mktemp("keys") / "packs.pem")


@pytest.fixture(scope="module")
def members(key: SigningKey) -> Members:
    """What a signed pack holds."""
    with zipfile.ZipFile(io.BytesIO(pack(FILES, MADE_AT, key=key)[0])) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def public_key(members: Members) -> SSlibKey:
    """The key of the pack as the public library has it."""
    signature = json.loads(members[SIGNATURE])
    raw = Ed25519PublicKey.from_public_bytes(base64.b64decode(signature["public_key"]))
    return SSlibKey.from_crypto(raw, keyid=signature["fingerprint"])


def test_the_public_libraries_verify_and_read_the_statement(members: Members) -> None:
    envelope = Envelope.from_dict(json.loads(members[STATEMENT]))
    assert envelope.verify([public_key(members)], threshold=1)
    document = json.loads(envelope.payload)
    statement = ParseDict(document, PublicStatement())
    Statement.copy_from_pb(statement).validate()
    assert {subject.name: subject.digest["sha256"] for subject in statement.subject} == {
        "given1.json": hashlib.sha256(FILES["given1.json"]).hexdigest(),
        "page.html": hashlib.sha256(members[PAGE]).hexdigest(),
    }
    result = ParseDict(document["predicate"], PublicTestResult())
    assert result.configuration[0].digest["sha256"] == hashlib.sha256(members[VERDICTS]).hexdigest()
    words = {"PASS": "passed_tests", "FAIL": "failed_tests", "INDETERMINATE": "warned_tests"}
    verdicts = json.loads(members[VERDICTS])
    for word, field in words.items():
        assert list(getattr(result, field)) == [
            f"run {row['run']}: {row['budget']['name']} v{row['budget']['version']}"
            for row in verdicts
            if row["verdict"]["verdict"] == word
        ]
    assert result.result == (
        "FAILED" if result.failed_tests else "WARNED" if result.warned_tests else "PASSED"
    )


def test_the_public_library_refuses_another_payload(members: Members) -> None:
    envelope = json.loads(members[STATEMENT])
    payload = (
        base64.b64decode(envelope["payload"]).replace(b"FAILED", b"PASSED").replace(b"WARNED", b"PASSED")
    )
    envelope["payload"] = base64.b64encode(payload).decode()
    with pytest.raises(VerificationError):
        Envelope.from_dict(envelope).verify([public_key(members)], threshold=1)


def rebuilt(members: Members, key: SigningKey, statement: Any, version: int = 6) -> bytes:
    """A pack whose statement is another, and whose manifest is right and signed again."""
    changed = {**members, STATEMENT: json.dumps(statement).encode()}
    manifest = json.loads(members[MANIFEST])
    manifest["tailroom_pack"] = version
    for name in (STATEMENT, PAGE):
        content = changed[name]
        manifest["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    changed[MANIFEST] = json.dumps(manifest).encode()
    changed[SIGNATURE] = json.dumps(key.sign(changed[MANIFEST])).encode()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in changed.items():
            archive.writestr(name, data)
    return target.getvalue()


def with_other_result(envelope: dict[str, Any], sign: Callable[[bytes], dict[str, str]]) -> dict[str, Any]:
    """The envelope of another result, signed."""
    statement = json.loads(base64.b64decode(envelope["payload"]))
    statement["predicate"]["result"] = "PASSED" if statement["predicate"]["result"] != "PASSED" else "FAILED"
    payload = json.dumps(statement).encode()
    kind = envelope["payloadType"]
    signature = sign(f"DSSEv1 {len(kind)} {kind} {len(payload)} ".encode() + payload)
    return {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": kind,
        "signatures": [{"keyid": signature["fingerprint"], "sig": signature["signature"]}],
    }


def test_a_statement_that_the_raw_files_do_not_give_is_named(
    members: Members, key: SigningKey, tmp_path: Path
) -> None:
    envelope = json.loads(members[STATEMENT])
    assert STATEMENT not in {each.where for each in verify(rebuilt(members, key, envelope)).differences}
    lie = rebuilt(members, key, with_other_result(envelope, key.sign))
    assert f"{STATEMENT}.predicate.result" in {each.where for each in verify(lie).differences}
    other = key_of(tmp_path / "other.pem")
    foreign = rebuilt(members, key, with_other_result(envelope, other.sign))
    assert STATEMENT in {each.where for each in verify(foreign).differences}
    unusable: list[Any] = [{}, [], {"payload": 7}, {**envelope, "signatures": []}]
    for statement in unusable:
        broken = verify(rebuilt(members, key, statement))
        assert STATEMENT in {each.where for each in broken.differences}


def test_a_page_by_itself_is_the_subject_of_the_statement_of_its_pack(tmp_path: Path) -> None:
    names = ("page.html", "pack.zip", "alone.html", "packs.pem")
    log, archive, page, key = (tmp_path / name for name in names)
    log.write_bytes(FILES["given1.json"])
    arguments = ["pack", str(log), "--output", str(archive), "--page", str(page), "--key", str(key)]
    made = CliRunner().invoke(build_app(["pack"]), arguments)
    assert made.exit_code == 0, made.output
    with zipfile.ZipFile(archive) as content:
        packed = {name: content.read(name) for name in content.namelist()}
    envelope = Envelope.from_dict(json.loads(packed[STATEMENT]))
    envelope.verify([public_key(packed)], threshold=1)
    digests = {each["name"]: each["digest"]["sha256"] for each in json.loads(envelope.payload)["subject"]}
    # A raw file of the same name has its own entry.
    assert digests == {
        "page.html": hashlib.sha256(log.read_bytes()).hexdigest(),
        "./page.html": hashlib.sha256(page.read_bytes()).hexdigest(),
    }
    assert verify(archive.read_bytes()).ok


def test_another_page_is_no_subject_of_the_statement(members: Members, key: SigningKey) -> None:
    changed = {**members, PAGE: members[PAGE].replace(b"PASS", b"FAIL").replace(b"</title>", b"!</title>")}
    other = rebuilt(changed, key, json.loads(members[STATEMENT]))
    assert f"{STATEMENT}.subject[1].digest.sha256" in {each.where for each in verify(other).differences}


def test_a_statement_of_an_earlier_version_does_not_name_the_page(members: Members, key: SigningKey) -> None:
    envelope = json.loads(members[STATEMENT])
    statement = json.loads(base64.b64decode(envelope["payload"]))
    statement["subject"] = [each for each in statement["subject"] if each["name"] != PAGE]
    earlier = rebuilt(members, key, envelope_of(statement, key), version=5)
    assert not [each for each in verify(earlier).differences if each.where.startswith(STATEMENT)]


def test_an_unsigned_pack_has_no_statement() -> None:
    data, _ = pack(FILES, MADE_AT)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert STATEMENT not in archive.namelist()
        assert json.loads(archive.read(MANIFEST))["tailroom_pack"] == 5
    found = verify(data)
    assert (found.ok, found.signature) == (True, SignatureState.NONE)
