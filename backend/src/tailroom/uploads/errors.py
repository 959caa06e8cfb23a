"""Refusals of uploads."""

from tailroom.kit.errors import HttpProblem


class UploadTooLarge(HttpProblem, status=413, title="The upload is too large"):
    """The files of the upload have more bytes together than one upload may have."""


class UploadTooManyFiles(HttpProblem, status=413, title="The upload has too many files"):
    """The upload has more files than one upload may have."""


class UploadMalformed(HttpProblem, status=422, title="The upload is not a form with files"):
    """The body is no form with files, breaks a rule of the form, or, for OTLP, is no export request."""


class UploadUnreadable(HttpProblem, status=422, title="No file of the upload could be read"):
    """No file of the upload could be read; the files are stored."""


class UploadUnknown(HttpProblem, status=404, title="There is no such upload"):
    """The organisation has no such upload."""


class RawFileUnknown(HttpProblem, status=404, title="There is no such file"):
    """The organisation has sent no such file."""


class RawFileExpired(HttpProblem, status=410, title="The file is not stored any more"):
    """The file was sent, and its content has been deleted since."""


class RawFileUnshowable(HttpProblem, status=422, title="The lines of the file cannot be shown"):
    """The lines of the file cannot be read, or not in time."""


class ArchiveMemberUnknown(
    HttpProblem, status=404, code="raw-file-member-unknown", title="There is no such file in the archive"
):
    """The archive has no such file, no file of it was named, or the file is no archive."""


class LineUnknown(HttpProblem, status=404, code="raw-file-line-unknown", title="The file has no such line"):
    """The file has no line of the requested number."""


class RawFilesAway(
    HttpProblem,
    status=503,
    code="raw-files-unavailable",
    title="Files cannot be stored now",
    headers={"Retry-After": "10"},
):
    """Files cannot be stored or read now."""
