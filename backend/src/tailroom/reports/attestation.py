"""The verdicts of a pack as an in-toto statement in a DSSE envelope, for tools that read attestations.

The subjects are the raw files, and the page that judges them in any browser; the predicate is a test result
(version 0.1) whose tests are the verdicts, by run and budget. Undecided verdicts are warnings. The envelope
is signed with the key of the manifest, so that it needs no other key. The page contains neither the statement
nor the manifest, so that both can contain its digest.
Sources: https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md,
https://github.com/secure-systems-lab/dsse/blob/master/protocol.md.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from tailroom.domain.verdicts.verdict import Verdict
from tailroom.reports.file_verdicts import RunVerdict
from tailroom.reports.signing import SigningKey, signer_of_signature

PAYLOAD_TYPE = "application/vnd.in-toto+json"
_ENVELOPE_KEYS, _SIGNATURE_KEYS = {"payload", "payloadType", "signatures"}, {"keyid", "sig"}
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1"
_RESULTS = ((Verdict.FAIL, "FAILED"), (Verdict.INDETERMINATE, "WARNED"), (Verdict.PASS, "PASSED"))
"""Result of the statement by verdict, the worst first: the worst verdict of all decides."""


def statement_of(
    subjects: Mapping[str, bytes], verdicts: Sequence[RunVerdict], verdicts_document: bytes
) -> dict[str, Any]:
    """Return the in-toto statement about these files (contents by name) and verdicts.

    Its result is that of the worst verdict, WARNED without verdicts. `verdicts_document` is the content of
    `verdicts.json`, which has the budgets.
    """
    names: dict[Verdict, list[str]] = {verdict: [] for verdict in Verdict}
    for entry in verdicts:
        name = f"run {entry.run}: {entry.budget.name} v{entry.budget.version}"
        names[entry.assessment.judgement.verdict].append(name)
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": name, "digest": {"sha256": _sha256(data)}} for name, data in subjects.items()],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "result": next((result for verdict, result in _RESULTS if names[verdict]), "WARNED"),
            "configuration": [{"name": "verdicts.json", "digest": {"sha256": _sha256(verdicts_document)}}],
            "passedTests": names[Verdict.PASS],
            "warnedTests": names[Verdict.INDETERMINATE],
            "failedTests": names[Verdict.FAIL],
        },
    }


def envelope_of(statement: Mapping[str, Any], key: SigningKey) -> dict[str, Any]:
    """Return the DSSE envelope of a statement, signed by the key."""
    payload = json.dumps(statement, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    signature = key.sign(pre_authentication(payload))
    return {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{"keyid": signature["fingerprint"], "sig": signature["signature"]}],
    }


def pre_authentication(payload: bytes) -> bytes:
    """Return the bytes that the signature of an envelope covers: type and payload with their lengths."""
    kind = PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def signed_statement(envelope: Any, public_key: str) -> dict[str, Any] | None:
    """Return the statement of an envelope if it is signed with this public key (Base64), else None.

    Another payload type, another key id and a malformed envelope give None too.
    """
    try:
        payload = base64.b64decode(envelope["payload"], validate=True)
        (signature,) = envelope["signatures"]
        signer = signer_of_signature(pre_authentication(payload), public_key, signature["sig"])
        is_plain = (envelope.keys(), signature.keys()) == (_ENVELOPE_KEYS, _SIGNATURE_KEYS)
        is_ours = is_plain and envelope["payloadType"] == PAYLOAD_TYPE and signer is not None
        statement = json.loads(payload) if is_ours and signature["keyid"] == signer else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return statement if isinstance(statement, dict) else None


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
