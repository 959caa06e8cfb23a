"""An S3-compatible server, moto's, and what the product is told of it. It wants a signature and does not work
it out again: whether an address is signed, and for how long, Amazon's own signer says (`is_signed`).
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import httpx
import obstore
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.server import ThreadedMotoServer
from obstore.store import S3Store

BUCKET, REGION = "tailroom", "us-east-1"
_KEY, _SECRET = "id", "secret"
Holds = Callable[[], dict[str, bytes]]
"""What the bucket holds, by key."""


def environment(address: str) -> dict[str, str]:
    """What the product is told of it."""
    return {
        "AWS_ACCESS_KEY_ID": _KEY,
        "AWS_SECRET_ACCESS_KEY": _SECRET,
        "AWS_REGION": REGION,
        "AWS_ENDPOINT": address,
        "AWS_ALLOW_HTTP": "true",
    }


def is_signed(address: str, valid_s: int) -> bool:
    """Whether an address was made by somebody with the secret, and is good for so many seconds."""
    parts = urlsplit(address)
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    signature = given.pop("X-Amz-Signature", "")
    request = AWSRequest("GET", urlunsplit(parts._replace(query=urlencode(given))))
    request.context["timestamp"] = given["X-Amz-Date"]
    signer = S3SigV4QueryAuth(Credentials(_KEY, _SECRET), "s3", REGION)
    expected = signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)
    return bool(signature == expected) and given["X-Amz-Expires"] == str(valid_s)


@contextmanager
def s3_server(host: str = "127.0.0.1") -> Iterator[tuple[str, Holds]]:
    """Its address, and what its one bucket holds."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it names every request
    server = ThreadedMotoServer(host, 0, verbose=False)
    server.start()
    try:
        address = "http://{}:{}".format(*server.get_host_and_port())
        # The state is that of the process, whatever server it had before.
        httpx.post(f"{address}/moto-api/reset").raise_for_status()
        httpx.put(f"{address}/{BUCKET}").raise_for_status()
        store = S3Store(
            BUCKET,
            endpoint=address,
            region=REGION,
            access_key_id=_KEY,
            secret_access_key=_SECRET,
            client_options={"allow_http": True},
        )

        def holds() -> dict[str, bytes]:
            keys = [one["path"] for page in obstore.list(store) for one in page]
            return {key: bytes(obstore.get(store, key).bytes()) for key in keys}

        yield address, holds
    finally:
        server.stop()
