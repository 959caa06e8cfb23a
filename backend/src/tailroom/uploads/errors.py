"""Refusals of uploads."""

from typing import ClassVar

from tailroom.kit.errors import HttpProblem


class UploadTooLarge(HttpProblem):
    """The files of the upload have more bytes together than one upload may have."""

    status = 413
    code = "upload-too-large"
    title = "The upload is too large"


class UploadTooManyFiles(HttpProblem):
    """The upload has more files than one upload may have."""

    status = 413
    code = "upload-too-many-files"
    title = "The upload has too many files"


class UploadMalformed(HttpProblem):
    """The body is no form with files, breaks a rule of the form, or, for OTLP, is no export request."""

    status = 422
    code = "upload-malformed"
    title = "The upload is not a form with files"


class UploadUnreadable(HttpProblem):
    """No file of the upload could be read; the files are stored."""

    status = 422
    code = "upload-unreadable"
    title = "No file of the upload could be read"


class UploadUnknown(HttpProblem):
    """The organisation has no such upload."""

    status = 404
    code = "upload-unknown"
    title = "There is no such upload"


class RawFileUnknown(HttpProblem):
    """The organisation has sent no such file."""

    status = 404
    code = "raw-file-unknown"
    title = "There is no such file"


class RawFileExpired(HttpProblem):
    """The file was sent, and its content has been deleted since."""

    status = 410
    code = "raw-file-expired"
    title = "The file is not stored any more"


class RawFileUnshowable(HttpProblem):
    """The lines of the file cannot be read, or not in time."""

    status = 422
    code = "raw-file-unshowable"
    title = "The lines of the file cannot be shown"


class ArchiveMemberUnknown(HttpProblem):
    """The archive has no such file, no file of it was named, or the file is no archive."""

    status = 404
    code = "raw-file-member-unknown"
    title = "There is no such file in the archive"


class LineUnknown(HttpProblem):
    """The file has no line of the requested number."""

    status = 404
    code = "raw-file-line-unknown"
    title = "The file has no such line"


class RawFilesAway(HttpProblem):
    """Files cannot be stored or read now."""

    status = 503
    code = "raw-files-unavailable"
    title = "Files cannot be stored now"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "10"}
