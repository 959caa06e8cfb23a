"""Receiving an upload: a multipart form with files, written to the store's staging area while it arrives.

Received bytes are counted, whatever the headers announce. A part with a file name is a file, any other part
is a field.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from tailroom.kit.outside_types import clean_file_name, clean_line
from tailroom.kit.raw_files import RawFiles, StagedFile
from tailroom.uploads.errors import UploadMalformed, UploadTooLarge, UploadTooManyFiles

_FIELD_BYTES_MAX = 64 * 1024
_FIELDS_MAX = 50


@dataclass(slots=True)
class ReceivedFile:
    """A file of a form, staged while it arrives and not stored yet."""

    name: str
    staged: StagedFile


@dataclass(slots=True)
class ReceivedForm:
    """The received form: its files, and its fields by name."""

    files: list[ReceivedFile] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)

    def discard(self) -> None:
        """Remove the staged files that were not stored."""
        for file in self.files:
            file.staged.discard()


class FormReader:
    """Parser of a multipart body in any chunks; its methods write to disk, so call them in a thread."""

    def __init__(self, content_type: str, store: RawFiles, *, most_bytes: int, most_files: int) -> None:
        """Begin a form of at most `most_bytes` in all its files together, and `most_files`. Raise
        UploadMalformed unless the content type is that of a form with a boundary.
        """
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise UploadMalformed(
                f"Content-Type is {clean_line(content_type)[:100] or 'missing'}; send multipart/form-data "
                "with one part for each file."
            )
        self.form = ReceivedForm()
        self._store, self._most_bytes, self._most_files = store, most_bytes, most_files
        self._received_bytes = 0
        self._header = (bytearray(), bytearray())
        self._headers: dict[bytes, bytes] = {}
        self._field: tuple[str, bytearray] | None = None
        self._is_complete = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin_part,
                "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
                "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
                "on_header_end": self._store_header,
                "on_headers_finished": self._open_part,
                "on_part_data": self._write_part,
                "on_part_end": self._end_part,
                "on_end": self._end_body,
            },
        )

    def feed(self, chunk: bytes) -> None:
        """Parse the next chunk and write its files to the staging area.

        Raise UploadTooLarge or UploadTooManyFiles beyond a limit, UploadMalformed for a broken form,
        RawFilesUnavailable if the staging area fails.
        """
        self._received_bytes += len(chunk)
        # The limit is for content, so boundaries and headers get an allowance.
        allowance = _FIELD_BYTES_MAX * (_FIELDS_MAX + self._most_files)
        if self._received_bytes > self._most_bytes + allowance:
            raise too_large(self._most_bytes)
        with _refuse_parser_errors():
            self._parser.write(chunk)

    def finish(self) -> ReceivedForm:
        """Return the form. Raise UploadMalformed if the body is incomplete or has no file."""
        with _refuse_parser_errors():
            self._parser.finalize()
        if not self._is_complete:
            raise UploadMalformed("The body ends before its last boundary: it was cut short. Send it again.")
        if not self.form.files:
            raise UploadMalformed("The form has no file: send one part with a file name for each file.")
        return self.form

    def _begin_part(self) -> None:
        self._headers = {}
        self._field = None

    def _store_header(self) -> None:
        name, value = self._header
        self._headers[bytes(name).lower()] = bytes(value)
        name.clear()
        value.clear()

    def _open_part(self) -> None:
        """Begin the file or the field that the headers of the part describe."""
        kind, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        if kind != b"form-data":
            raise UploadMalformed("A part of the form has no `Content-Disposition: form-data`.")
        file_name = options.get(b"filename")
        if file_name is None:
            if len(self.form.fields) >= _FIELDS_MAX:
                raise UploadMalformed(f"The form has more than {_FIELDS_MAX} fields.")
            self._field = (clean_line(options.get(b"name", b"").decode("utf-8", "replace")), bytearray())
            return
        if len(self.form.files) >= self._most_files:
            raise UploadTooManyFiles(
                f"The upload has more than {self._most_files} files, the most that one may have "
                "(TAILROOM_UPLOAD_FILES_LIMIT). Send it in several parts."
            )
        self.form.files.append(ReceivedFile(_file_name(file_name, len(self.form.files)), self._store.stage()))

    def _write_part(self, data: bytes, start: int, end: int) -> None:
        """Write a slice of `data` to the part. Raise UploadMalformed or UploadTooLarge beyond a limit."""
        if self._field is not None:
            self._field[1].extend(data[start:end])
            if len(self._field[1]) > _FIELD_BYTES_MAX:
                raise UploadMalformed(f"The field “{self._field[0]}” has more than {_FIELD_BYTES_MAX} bytes.")
            return
        self.form.files[-1].staged.write(memoryview(data)[start:end])
        if sum(file.staged.size_bytes for file in self.form.files) > self._most_bytes:
            raise too_large(self._most_bytes)

    def _end_part(self) -> None:
        if self._field is not None:
            name, value = self._field
            self.form.fields[name] = value.decode("utf-8", "replace")
            self._field = None

    def _end_body(self) -> None:
        self._is_complete = True


def too_large(limit_bytes: int) -> UploadTooLarge:
    """Return the refusal of an upload over the limit; its text names the limit."""
    return UploadTooLarge(
        f"The files have more than {limit_bytes:,} bytes together, the most that one upload may have "
        "(TAILROOM_UPLOAD_LIMIT_BYTES). Pack them (gzip, zstd or zip), or send them in several parts."
    )


@contextlib.contextmanager
def _refuse_parser_errors() -> Iterator[None]:
    """Raise UploadMalformed in place of an error of the form parser."""
    try:
        yield
    except FormParserError as error:
        raise UploadMalformed(f"The body is no readable form: {clean_line(str(error))[:300]}.") from None


def _file_name(raw: bytes, position: int) -> str:
    """Return the file name without its folders; `file-N` (N from 1) if nothing is left of it."""
    text = raw.decode("utf-8", "replace")
    return clean_file_name(text) if text.strip("/\\ ") else f"file-{position + 1}"
