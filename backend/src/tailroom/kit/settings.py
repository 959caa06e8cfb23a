"""Decides what can be set from outside, under which name, and with which default.

Every setting is an environment variable `TAILROOM_<NAME>`. The defaults suit one machine; a deployment sets
at least the two URLs, the allowed hosts and the secret key.
"""

from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

_ROOT = Path(__file__).resolve().parents[4]


class Settings(BaseSettings):
    """Settings of one process, read once from the environment."""

    model_config = SettingsConfigDict(env_prefix="TAILROOM_", extra="ignore", frozen=True)

    database_url: str = Field(
        "postgresql+psycopg://tailroom@localhost/tailroom", description="SQLAlchemy URL of PostgreSQL"
    )
    database_pool_size: int = Field(12, ge=1, le=200, description="connections of one process")
    redis_url: str = Field("redis://127.0.0.1:6379/0", description="Valkey: redis://… or unix://…")
    host: str = Field("127.0.0.1", description="address the API listens on")
    port: int = Field(8400, ge=0, le=65535, description="port of the API and the pages")
    home: Path = Field(Path(".tailroom"), description="folder for everything that Tailroom keeps itself")
    local_access: bool = Field(
        False, description="requests without credentials read as the organisation `local`; loopback only"
    )
    secret_key: SecretStr | None = Field(
        None, description="signs session cookies; without it a key is made in the home folder"
    )
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        ("localhost", "127.0.0.1", "[::1]"), description="host names a request may name, separated by commas"
    )
    ui_dist: Path = Field(_ROOT / "frontend" / "dist", description="folder of the built pages")
    migrations_dir: Path = Field(_ROOT / "migrations", description="folder of the Alembic migrations")

    body_limit_bytes: int = Field(8 * 2**20, description="largest request body as sent")
    unpacked_limit_bytes: int = Field(64 * 2**20, description="largest request body unpacked")
    raw_files: str | None = Field(
        None,
        description="where uploaded files are kept: a folder, or s3://bucket/prefix with the usual AWS_… "
        "variables; without it `raw-files` in the home folder",
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
    ingest_threads: int = Field(
        6, ge=1, le=64, description="batches worked on at the same time by one process"
    )

    interval_retention_days: int = Field(7, ge=1, description="how long raw intervals are kept")
    partition_days_ahead: int = Field(7, ge=1, le=60, description="how many daily partitions stand ready")

    live_max_lifetime_s: float = Field(3600.0, gt=0, description="a live stream is ended after this time")
    live_heartbeat_s: float = Field(10.0, gt=0, description="a live stream says this often that it lives")

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _split_hosts(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(host.strip().lower() for host in value.split(",") if host.strip())
        return value


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process. Tests build `Settings(...)` themselves and hand them over."""
    return Settings()
