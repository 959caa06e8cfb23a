"""Time stamps of packs, by an authority of OpenSSL with a certificate of its own."""

import io
import json
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.reports.packing import MANIFEST, TIME_STAMP, pack, seal_of
from tailroom.reports.packing_process import PackedFile, pack_in_process
from tailroom.reports.signing import key_of
from tailroom.reports.time_stamps import TimeStampRefused, TimeStampState, check_stamp, stamp
from tailroom.reports.verification import verify

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
MEMTIER = Path(__file__).parents[1] / "importers" / "samples" / "memtier"
FILES = {"given1.json": (MEMTIER / "given1.json").read_bytes()}
MADE_AT = datetime(2026, 11, 22, tzinfo=UTC)
POLICY = "1.2.3.4.1"
CONFIG = f"""
[tsa]
default_tsa = own
[own]
serial = {{folder}}/serial
default_policy = {POLICY}
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
"""


@dataclass
class Authority:
    """A time-stamp authority: its address, its root certificate, and what its next answer is changed to."""

    url: str
    root: x509.Certificate
    folder: Path
    status: int = 200
    replaced: bytes | None = None

    @property
    def root_file(self) -> Path:
        return self.folder / "root.pem"


def certificate(
    name: str, issuer: tuple[x509.Certificate, rsa.RSAPrivateKey] | None
) -> tuple[x509.Certificate, rsa.RSAPrivateKey]:
    """A root, or a certificate for time stamps that a root has signed."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer[0].subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if issuer is not None:
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        builder = builder.add_extension(usage, critical=True)
    return builder.sign(key if issuer is None else issuer[1], hashes.SHA256()), key


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    """OpenSSL answers queries, behind a server of HTTP."""
    folder = tmp_path_factory.mktemp("authority")
    root = certificate("Root of a test", None)
    signer, key = certificate("Clock of a test", root)
    (folder / "root.pem").write_bytes(root[0].public_bytes(Encoding.PEM))
    (folder / "signer.pem").write_bytes(signer.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (folder / "serial").write_text("01\n")
    (folder / "tsa.cnf").write_text(CONFIG.format(folder=folder))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.headers["Content-Type"] == "application/timestamp-query"
            query = folder / "query.tsq"
            query.write_bytes(self.rfile.read(int(self.headers["Content-Length"])))
            files = {"-queryfile": query, "-config": "tsa.cnf", "-signer": "signer.pem", "-inkey": "key.pem"}
            command = ["openssl", "ts", "-reply", *(str(word) for pair in files.items() for word in pair)]
            done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
            body = done.stdout if own.replaced is None else own.replaced
            self.send_response(own.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_parts: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    own = Authority(f"http://127.0.0.1:{server.server_address[1]}/", root[0], folder)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield own
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def stamped(authority: Authority) -> bytes:
    """A signed pack with a time stamp."""
    key = key_of(authority.folder / "packs.pem")
    return pack(FILES, MADE_AT, key=key, time_stamp_url=authority.url)[0]


def member(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


def with_stamp(data: bytes, reply: bytes) -> bytes:
    """The same pack with another time stamp."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(target, "w") as changed:
        for info in archive.infolist():
            content = reply if info.filename == TIME_STAMP else archive.read(info)
            info.compress_type = zipfile.ZIP_STORED
            changed.writestr(info, content)
        changed.comment = b"0" * 64
    sealed = target.getvalue()[:-64]
    return sealed + seal_of(sealed)


def test_a_stamped_pack_is_verified_with_the_root_of_its_authority(
    stamped: bytes, authority: Authority
) -> None:
    before = datetime.now(UTC) - timedelta(minutes=10)
    verification = verify(stamped, [authority.root])
    assert verification.ok
    assert verification.time_stamp is not None
    assert verification.time_stamp.state is TimeStampState.VALID
    assert verification.time_stamp.authority == "Clock of a test"
    assert verification.time_stamp.at is not None
    assert verification.time_stamp.at > before
    assert json.loads(member(stamped, MANIFEST))["tailroom_pack"] == 6


def test_openssl_verifies_the_token_as_well(stamped: bytes, authority: Authority, tmp_path: Path) -> None:
    for name in (MANIFEST, TIME_STAMP):
        (tmp_path / name).write_bytes(member(stamped, name))
    command = ["openssl", "ts", "-verify", "-data", MANIFEST, "-in", TIME_STAMP]
    command += ["-CAfile", str(authority.root_file)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "Verification: OK" in done.stdout + done.stderr) == (0, True)


def test_without_a_root_the_authority_is_not_checked(stamped: bytes) -> None:
    verification = verify(stamped)
    assert verification.ok
    assert verification.time_stamp is not None
    assert verification.time_stamp.state is TimeStampState.UNCHECKED


def test_another_root_another_manifest_and_another_reply_are_found(
    stamped: bytes, authority: Authority
) -> None:
    other_root, _ = certificate("Root of a test", None)
    assert not verify(stamped, [other_root]).is_intact
    reply = member(stamped, TIME_STAMP)
    other = stamp(b"another manifest", authority.url)
    for changed in (other, b"", b"nonsense", reply[:-1], reply[:40] + b"\0" + reply[41:]):
        verification = verify(with_stamp(stamped, changed), [authority.root])
        assert not verification.is_intact
        assert TIME_STAMP in {difference.where for difference in verification.differences}
    flipped = bytearray(reply)
    flipped[-5] ^= 1
    assert check_stamp(member(stamped, MANIFEST), bytes(flipped), [authority.root]).state is (
        TimeStampState.INVALID
    )


def test_no_pack_is_made_where_the_authority_gives_no_token(authority: Authority) -> None:
    authority.replaced = stamp(b"of something else", authority.url)
    try:
        with pytest.raises(TimeStampRefused, match="a token of something else"):
            pack(FILES, MADE_AT, time_stamp_url=authority.url)
        authority.replaced = b"no token"
        with pytest.raises(TimeStampRefused, match="gave no token"):
            pack(FILES, MADE_AT, time_stamp_url=authority.url)
        authority.status = 503
        with pytest.raises(TimeStampRefused, match="answered 503"):
            pack(FILES, MADE_AT, time_stamp_url=authority.url)
    finally:
        authority.replaced, authority.status = None, 200
    with pytest.raises(TimeStampRefused, match="did not answer"):
        pack(FILES, MADE_AT, time_stamp_url="http://127.0.0.1:1/")


def test_the_process_that_packs_for_the_api_stamps_too(authority: Authority) -> None:
    files = [PackedFile(name, len(data), [data]) for name, data in FILES.items()]
    archive = pack_in_process(files, authority.folder / "packs.pem", time_stamp_url=authority.url)
    assert verify(archive, [authority.root]).ok


def test_the_command_line_stamps_and_says_what_the_stamp_proves(authority: Authority, tmp_path: Path) -> None:
    app, target = build_app(["pack", "verify"]), tmp_path / "pack.zip"
    (tmp_path / "given1.json").write_bytes(FILES["given1.json"])
    command = ["pack", str(tmp_path / "given1.json"), "--output", str(target)]
    command += ["--key", str(authority.folder / "packs.pem"), "--time-stamp", authority.url]
    assert CliRunner().invoke(app, command).exit_code == 0
    checked = CliRunner().invoke(app, ["verify", str(target), "--time-stamp-roots", str(authority.root_file)])
    assert checked.exit_code == 0
    assert "; existed at " in checked.output
    assert "by Clock of a test." in checked.output
    unchecked = CliRunner().invoke(app, ["verify", str(target)])
    assert "not checked: give its root with --time-stamp-roots" in unchecked.output
    refused = CliRunner().invoke(app, ["verify", str(target), "--time-stamp-roots", str(target)])
    assert refused.exit_code == 2
