#!/bin/sh
# Starts PostgreSQL; at the first start makes the cluster, the role and the database that the application uses.
# Only the role `tailroom` may come over the network, with its password (SCRAM); the superuser only inside the container.
set -eu

: "${TAILROOM_DATABASE_PASSWORD:?is not set: give the database role a password}"
case "$TAILROOM_DATABASE_PASSWORD" in
  *[!A-Za-z0-9._~-]*)
    echo "database: TAILROOM_DATABASE_PASSWORD may hold only A-Z a-z 0-9 . _ ~ - because it stands in a URL." \
      "Make one with: openssl rand -hex 32" >&2
    exit 64 ;;
esac

set_password() {
  printf '%s\n' "ALTER ROLE tailroom LOGIN PASSWORD '$TAILROOM_DATABASE_PASSWORD';" | psql -qX -v ON_ERROR_STOP=1 "$@"
}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # A first start that was interrupted leaves a folder without the mark below: begin again.
  rm -rf "$PGDATA".making
  initdb --pgdata "$PGDATA".making --username postgres --encoding UTF8 --locale-provider builtin --locale C.UTF-8 \
    --data-checksums --auth-local peer --auth-host scram-sha-256 > /dev/null
  {
    echo 'local all      postgres              peer'
    echo 'host  tailroom tailroom all          scram-sha-256'
  } > "$PGDATA".making/pg_hba.conf
  pg_ctl --pgdata "$PGDATA".making --wait --silent --log /dev/stderr \
    --options "-c listen_addresses='' -c unix_socket_directories=/tmp" start
  psql -qX -v ON_ERROR_STOP=1 -h /tmp -U postgres -d postgres \
    -c 'CREATE ROLE tailroom LOGIN' -c 'CREATE ROLE tailroom_member NOLOGIN' -c 'GRANT tailroom_member TO tailroom' -c 'CREATE DATABASE tailroom OWNER tailroom'
  set_password -h /tmp -U postgres -d postgres
  pg_ctl --pgdata "$PGDATA".making --wait --silent stop
  find "$PGDATA".making -mindepth 1 -maxdepth 1 ! -name PG_VERSION -exec mv -t "$PGDATA" {} +
  mv "$PGDATA".making/PG_VERSION "$PGDATA"/PG_VERSION
  rmdir "$PGDATA".making
fi

exec postgres -D "$PGDATA" \
  -c listen_addresses='*' \
  -c unix_socket_directories=/run/postgresql \
  -c password_encryption=scram-sha-256 \
  -c shared_buffers="${TAILROOM_DATABASE_SHARED_BUFFERS:-256MB}" \
  -c max_connections="${TAILROOM_DATABASE_MAX_CONNECTIONS:-100}" \
  -c max_wal_size=4GB \
  -c log_timezone=UTC -c timezone=UTC
