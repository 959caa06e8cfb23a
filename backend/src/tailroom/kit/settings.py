"""Settings: environment variables `TAILROOM_<NAME>`, their types and defaults.

The defaults suit one machine; a deployment sets at least the two URLs and the allowed hosts.
"""

from email.utils import parseaddr
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from tailroom.kit.outside_types import (
    NAME,
    EmailAddress,
    WebUrl,
    checked_email,
    checked_name,
    parse_networks,
)
from tailroom.kit.processors import usable_cores

ROLES_OF_GROUPS = ("viewer", "engineer", "admin", "owner")
"""Roles that groups of the provider may give, the least first."""
_ENOUGH_PROCESSES = 2
"""Most API processes with `auto`: the database and the workers need processors too."""
_ROOT = Path(__file__).resolve().parents[4]


class GroupRole(NamedTuple):
    """Rule that members of a group at the provider belong to the organisation of this name, in this role."""

    group: str
    organisation: str
    role: str


class Settings(BaseSettings):
    """Settings of one process, read once from the environment."""

    # Compose files pass unset variables as empty texts.
    model_config = SettingsConfigDict(
        env_prefix="TAILROOM_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    database_url: str = Field(
        "postgresql+psycopg://tailroom@localhost/tailroom", description="SQLAlchemy URL of PostgreSQL"
    )
    row_level_security: bool = Field(
        True, description="requests run as a role of PostgreSQL that sees one organisation (docs/adr/0024)"
    )
    lock_timeout_s: float = Field(5.0, gt=0, description="longest wait for a row that somebody else changes")
    statement_timeout_s: float = Field(
        30.0, gt=0, description="longest that one statement of the API may take"
    )
    idle_in_transaction_s: float = Field(
        60.0, gt=0, description="a transaction of the API in which nothing happens for so long is ended"
    )
    redis_url: str = Field(
        "redis://127.0.0.1:6379/0",
        description="Valkey: redis://…, unix://…, or sentinel://:password@host:26379,host:26379/0?master=NAME",
    )
    host: str = Field("127.0.0.1", description="address the API listens on")
    port: int = Field(8400, ge=0, le=65535, description="port of the API and the pages")
    home: Path = Field(Path(".tailroom"), description="folder for everything that Tailroom keeps itself")
    requests_per_minute: int = Field(
        6_000,
        ge=1,
        description="of one token, person or visitor's address at one port; agents that send are not counted",
    )
    session_hours: int = Field(
        720, ge=1, le=720, description="how long people stay signed in; 12 as OWASP ASVS asks at level 2"
    )
    ready_with: Path | None = Field(
        None, description="not ready before this file is there: the agent's token of `make up`"
    )
    local_access: bool = Field(
        False, description="requests without credentials read as the organisation `local`; loopback only"
    )
    open_previews: bool = Field(
        False, description="badge, picture and link preview of a published run need no credentials"
    )
    open_browsing: bool = Field(
        False,
        description="what is published, and what is known of drives and documents, needs no credentials",
    )
    open_sign_up: bool = Field(
        False,
        description="anybody may make an account and an organisation; without it people need an invitation",
    )
    public_url: WebUrl | None = Field(
        None, description="address that links in mails begin with, such as https://tailroom.example.org"
    )
    smtp_url: SecretStr | None = Field(
        None,
        description="smtp://user:password@host:587 (STARTTLS), smtps://host:465, smtp+plain://host:25 (no"
        " TLS); without it mails are stored in `mail` of the home folder",
    )
    mail_from: str = Field("tailroom@localhost", description="sender of mails")
    otlp_url: WebUrl | None = Field(
        None,
        description="collector of OpenTelemetry that traces are sent to, such as http://collector:4318; needs"
        " the extra `tailroom[tracing]`",
    )
    operator_token: SecretStr | None = Field(
        None,
        min_length=20,
        description="token of operators (`/metrics`); without it only local requests may read",
    )
    operators: Annotated[tuple[EmailAddress, ...], NoDecode] = Field(
        (),
        description="e-mail addresses of operators (`/operations`), with commas between",
    )
    deletion_grace_days: int = Field(
        14, ge=0, le=365, description="days in which owners can cancel the deletion of their organisation"
    )
    oidc_issuer: WebUrl | None = Field(
        None,
        pattern=r"^(https://|http://(localhost|127\.0\.0\.1|\[::1\])[:/])",
        description="issuer identifier of the OpenID Connect provider that people sign in with",
    )
    oidc_client_id: str | None = Field(None, description="this installation's name at the provider")
    oidc_client_secret: SecretStr | None = Field(None, description="likewise; without it PKCE alone")
    oidc_name: Annotated[str, NAME] = Field(
        "single sign-on", max_length=40, description="the provider's name on the pages"
    )
    oidc_scopes: str = Field("openid email profile", pattern=r"\bopenid\b", description="what is asked for")
    oidc_groups_claim: str = Field("groups", description="claim with the groups of a person")
    oidc_roles: Annotated[tuple[GroupRole, ...], NoDecode] = Field(
        (),
        description="GROUP=ORGANISATION:ROLE, with semicolons between: what groups are members of, as what",
    )
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        ("localhost", "127.0.0.1", "[::1]"), description="host names a request may name, separated by commas"
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, with"
        " commas between; without it nobody's",
    )
    alert_networks: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="internal networks that alerts may go into, such as 10.1.0.0/16, with commas between",
    )
    ui_dist: Path = Field(_ROOT / "frontend" / "dist", description="folder of the built pages")
    migrations_dir: Path = Field(_ROOT / "migrations", description="folder of the Alembic migrations")

    body_limit_bytes: int = Field(8 * 2**20, description="largest request body as sent")
    unpacked_limit_bytes: int = Field(64 * 2**20, description="largest request body unpacked")
    raw_files: str | None = Field(
        None,
        description="where uploaded files are stored: a folder, or s3://bucket/prefix with the usual AWS_… "
        "variables; without it `raw-files` in the home folder",
    )
    raw_file_address_s: float | None = Field(
        None,
        ge=1,
        le=3600,
        description="downloads of uploaded files are sent on to an address of the S3 store that is good for"
        " so many seconds; without it, and where files are in a folder, the API sends the bytes itself",
    )
    pack_key_file: Path | None = Field(
        None,
        description="the key that signs evidence packs (Ed25519, PEM), where API processes share no home"
        " folder; without it `keys/packs.pem` there, made at the first pack",
    )
    time_stamp_url: str | None = Field(
        None,
        pattern=r"^https?://",
        description="the time-stamp authority (RFC 3161, over HTTP) whose token evidence packs hold; without"
        " it they hold none, and where it does not answer no pack is made",
    )
    upload_limit_bytes: int = Field(2 * 2**30, ge=1, description="largest upload, all files of it together")
    upload_files_limit: int = Field(100, ge=1, le=1000, description="most files of one upload")
    upload_threads: int = Field(
        2, ge=1, le=16, description="uploads read at the same time by one process; others wait in line"
    )
    upload_at_once_bytes: int = Field(
        128 * 2**20, ge=0, description="uploads up to this size are read before they are answered"
    )
    upload_at_once_s: float = Field(
        20.0, ge=0, description="reading that takes longer is left to a worker, and the answer says so"
    )
    upload_reading_s: float = Field(
        540.0, gt=0, le=580, description="the longest that a worker reads an upload; then it is refused"
    )
    page_threads: int = Field(
        2, ge=1, le=64, description="pages and lists worked on at the same time by one process"
    )
    analysis_threads: int = Field(
        2,
        ge=1,
        le=64,
        description="curves of runs worked on at once; an organisation leaves one place free",
    )
    rating_threads: int = Field(1, ge=1, le=64, description="leaderboards and drives worked on at once")
    question_threads: int = Field(
        2, ge=1, le=64, description="questions about SLAs and raw files worked on at the same time"
    )
    report_threads: int = Field(
        2, ge=1, le=64, description="reports of runs made at once; an organisation leaves one place free"
    )
    wait_s: float = Field(
        30.0, gt=0, description="a request that finds no free thread for so long is answered 503"
    )
    ingest_threads: int = Field(
        4, ge=1, le=64, description="batches worked on at the same time by one process"
    )

    api_processes: Annotated[int, Field(ge=1, le=64)] | Literal["auto"] = Field(
        "auto",
        description="processes of `tailroom serve` behind its port, which share what is loaded; `auto`: two,"
        " or one where there is but one processor",
    )
    judging_processes: int = Field(
        2, ge=1, le=1024, description="worker processes that judge runs, in the whole installation"
    )
    background_processes: int = Field(
        2, ge=1, le=1024, description="worker processes that do everything else, in the whole installation"
    )
    live_verdict_pause_s: float = Field(
        2.0,
        ge=0.5,
        le=3600,
        description="a run that goes on is judged again after this time at the earliest; at its end at once",
    )

    tick_retention_days: int = Field(
        7, ge=1, description="how long ticks are stored after the last data of their run"
    )
    interval_retention_days: int = Field(7, ge=1, description="how long raw histograms are, likewise")
    minute_retention_days: int | None = Field(
        90, ge=1, description="how long the minutes of a run are, likewise; hours and whole runs stay"
    )
    raw_file_retention_days: int | None = Field(
        None, ge=1, description="how long uploaded files are stored; without it for ever"
    )
    partition_days_ahead: int = Field(7, ge=1, le=60, description="how many daily partitions stand ready")

    live_streams: int = Field(
        2_000, ge=1, description="live streams open at the same time in one process; more are answered 503"
    )
    live_max_lifetime_s: float = Field(3600.0, gt=0, description="a live stream is ended after this time")
    live_heartbeat_s: float = Field(10.0, gt=0, description="a live stream says this often that it lives")

    @property
    def api_process_count(self) -> int:
        """Number of API processes on this machine; `auto`: two, or one if there is one processor."""
        return min(_ENOUGH_PROCESSES, usable_cores()) if self.api_processes == "auto" else self.api_processes

    @property
    def connections(self) -> int:
        """Number of database connections of an API process: one for each thread, two for an upload.

        Authentication, live streams, reading ahead and `/readyz` have one each.
        """
        threads = self.page_threads + self.analysis_threads + self.rating_threads + self.question_threads
        return threads + self.report_threads + self.ingest_threads + 2 * self.upload_threads + 4

    @property
    def pack_key(self) -> Path:
        """Path of the file with the key that signs evidence packs."""
        return self.pack_key_file or self.home / "keys" / "packs.pem"

    @field_validator("pack_key_file")
    @classmethod
    def _require_file(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_file():
            raise ValueError(
                f"there is no file {value}; make it with: openssl genpkey -algorithm ed25519 -out {value}"
            )
        return value

    @field_validator("oidc_roles", mode="before")
    @classmethod
    def _split_roles(cls, value: object) -> object:
        """Return the rules in a text GROUP=ORGANISATION:ROLE;…; another value is returned unchanged."""
        if not isinstance(value, str):
            return value
        roles = []
        for entry in filter(None, (part.strip() for part in value.split(";"))):
            group, _, place = entry.rpartition("=")
            organisation, _, role = place.rpartition(":")
            if not group or not organisation.strip() or role.strip() not in ROLES_OF_GROUPS:
                raise ValueError(
                    f"{entry!r} is not GROUP=ORGANISATION:ROLE with a role of {', '.join(ROLES_OF_GROUPS)}"
                )
            roles.append(GroupRole(group.strip(), organisation.strip(), role.strip()))
        return tuple(roles)

    @model_validator(mode="after")
    def _require_client_id(self) -> "Settings":
        if self.oidc_issuer is not None and not self.oidc_client_id:
            raise ValueError("TAILROOM_OIDC_ISSUER needs TAILROOM_OIDC_CLIENT_ID")
        return self

    @model_validator(mode="after")
    def _require_public_url(self) -> "Settings":
        if "*" in self.allowed_hosts and self.public_url is None:
            raise ValueError(
                "TAILROOM_ALLOWED_HOSTS=* needs TAILROOM_PUBLIC_URL: else whoever asks decides where links in"
                " mails lead"
            )
        return self

    @field_validator("trusted_proxies", "alert_networks")
    @classmethod
    def _check_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        parse_networks(value)
        return value

    @field_validator("mail_from")
    @classmethod
    def _check_sender(cls, value: str) -> str:
        name, address = parseaddr(value)
        checked_email(address)
        if name and checked_name(name) != name:
            raise ValueError("the name of the sender is no line of text")
        return value

    @field_validator("allowed_hosts", "alert_networks", "operators", "trusted_proxies", mode="before")
    @classmethod
    def _split_list(cls, value: object) -> object:
        """Return the parts of a text between commas, in lower case; another value is returned unchanged."""
        if isinstance(value, str):
            return tuple(host.strip().lower() for host in value.split(",") if host.strip())
        return value


class SettingInvalid(ValueError):
    """A variable cannot be used; the message says why, without its value, which may be a secret."""


def read_settings() -> Settings:
    """Return the settings in the environment. Raise SettingInvalid if a variable cannot be used."""
    try:
        return Settings()
    except ValidationError as error:
        problem = error.errors()[0]
        reason = problem["msg"].removeprefix("Value error, ")
        if problem["loc"]:
            reason = f"TAILROOM_{str(problem['loc'][0]).upper()} cannot be used: {reason}"
        raise SettingInvalid(reason) from None


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """Return the settings of this process, read at the first call. Raise SettingInvalid likewise."""
    return read_settings()
