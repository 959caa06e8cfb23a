"""Metrics of OpenTelemetry as an exporter or a collector sends them over HTTP: each request is an upload.

Source: https://opentelemetry.io/docs/specs/otlp/#otlphttp
"""

from collections.abc import Mapping
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query, Request, Response
from google.protobuf.json_format import MessageToJson
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse

from tailroom.access import trail
from tailroom.access.capabilities import Capability
from tailroom.access.errors import OriginForeign
from tailroom.access.quotas import QuotaReached
from tailroom.access.routing import CallerDep, GuardedRoute, client_address, needs, threads_of
from tailroom.domain.errors import DomainError
from tailroom.importers.production.opentelemetry import OPENTELEMETRY
from tailroom.importers.source import from_path
from tailroom.kit.errors import HttpProblem, RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import Line, Name
from tailroom.kit.raw_files import RawFilesUnavailable
from tailroom.kit.resources import resources_of
from tailroom.uploads import errors, service
from tailroom.uploads.acceptance import AcceptedUpload, accept, feed_in_chunks, files_unavailable
from tailroom.uploads.form_fields import LabelConditions, checked_options
from tailroom.uploads.receiving import ReceivedFile, ReceivedForm, too_large

PATH = "/api/v1/otlp/v1/metrics"
"""Path that exporters append to their endpoint, here `/api/v1/otlp`."""
router = APIRouter(tags=["uploads"], route_class=GuardedRoute)

_JSON, _PROTOBUF = "application/json", "application/x-protobuf"
_NAMES: Mapping[str, str] = {_JSON: "otlp-metrics.json", _PROTOBUF: "otlp-metrics.bin"}


@router.post(
    PATH,
    summary="Receive metrics by OTLP over HTTP",
    response_class=Response,
    responses={
        200: {
            "content": {
                _JSON: {"schema": {"type": "object"}},
                _PROTOBUF: {"schema": {"type": "string", "format": "binary"}},
            },
            "description": "ExportMetricsServiceResponse, in the format of the request. `partialSuccess` "
            "states problems; the request is stored",
        },
        **problem_responses(
            errors.UploadTooLarge,
            errors.UploadMalformed,
            QuotaReached,
            RequestInvalid,
            OriginForeign,
            errors.RawFilesAway,
            StorageUnavailable,
        ),
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                _JSON: {"schema": {"type": "object"}},
                _PROTOBUF: {"schema": {"type": "string", "format": "binary"}},
            },
        }
    },
)
@needs(Capability.UPLOAD)
async def receive_otlp_metrics(
    request: Request,
    caller: CallerDep,
    metric: Annotated[Line | None, Query(description="metric to read; default: all")] = None,
    match: Annotated[LabelConditions | None, Query(description="labels of the histograms to read")] = None,
    title: Annotated[Name | None, Query(description="of the runs")] = None,
) -> Response:
    """Store each export request as an upload, and read its histograms of times, explicit and exponential.

    Set an exporter's endpoint to `…/api/v1/otlp` and its header `Authorization` to `Bearer` and a token; gzip
    is accepted. Use delta temporality: each request is judged for its own period.
    """
    resources = resources_of(request)
    options = checked_options(service.SenderOptions(title=title, metric=metric, match=match))
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in _NAMES:
        raise errors.UploadMalformed(f"Content-Type is neither {_JSON} nor {_PROTOBUF}.")
    form = ReceivedForm([ReceivedFile(_NAMES[media_type], resources.raw_files.stage())])
    try:
        await _receive(request, form.files[0], resources.settings.upload_limit_bytes)
        threads = threads_of(request, "uploads")
        actor = trail.actor_of(caller, client_address(request))
        accepted = await threads.run(
            lambda: accept(resources, caller, actor, form, options), caller.organisation_id
        )
    finally:
        await run_sync(form.discard)
    return _response(accepted, media_type)


async def _receive(request: Request, file: ReceivedFile, limit_bytes: int) -> None:
    """Write the body of a request to a staged file and complete it."""

    def write(chunk: bytes) -> None:
        file.staged.write(memoryview(chunk))
        if file.staged.size_bytes > limit_bytes:
            raise too_large(limit_bytes)

    try:
        await feed_in_chunks(request, write)
        await run_sync(_check_beginning, file)
    except RawFilesUnavailable as error:
        raise files_unavailable(error) from None


def _check_beginning(file: ReceivedFile) -> None:
    """Complete the staged file. Raise UploadMalformed if its content is not recognised as OTLP metrics."""
    file.staged.complete()
    try:
        is_otlp = OPENTELEMETRY.detect(from_path(file.staged.path).head) is not None
    except DomainError:
        is_otlp = False
    if not is_otlp:
        raise errors.UploadMalformed("The body is no export request of OTLP metrics. Nothing was stored.")


def _response(accepted: AcceptedUpload, media_type: str) -> Response:
    """Return the response to an exporter, in the format of its request, always 200.

    A refusal, after which the request is stored, is the message of a partial success.
    """
    answer = ExportMetricsServiceResponse()
    if isinstance(accepted.result, HttpProblem):
        # The request is stored, so an error status would only make the exporter repeat it.
        answer.partial_success.error_message = str(accepted.result.detail)
    is_json = media_type == _JSON
    body = MessageToJson(answer) if is_json else answer.SerializeToString()
    headers = {"Location": f"/api/v1/uploads/{accepted.upload_id}"}
    return Response(body, media_type=media_type, headers=headers)
