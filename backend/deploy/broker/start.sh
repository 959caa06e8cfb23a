#!/bin/sh
# Starts Valkey with its password and an append-only file. Work is found again by a sweep over the database, so what
# the broker forgets between two fsyncs is harmless.
set -eu

: "${TAILROOM_BROKER_PASSWORD:?is not set: give the broker a password}"
case "$TAILROOM_BROKER_PASSWORD" in
  *[!A-Za-z0-9._~-]*)
    echo "broker: TAILROOM_BROKER_PASSWORD may hold only A-Z a-z 0-9 . _ ~ - because it stands in a URL." \
      "Make one with: openssl rand -hex 32" >&2
    exit 64 ;;
esac

# In a file, not on the command line, where every process list would show it.
umask 077
cat > /tmp/valkey.conf <<CONF
bind * -::*
port 6379
requirepass $TAILROOM_BROKER_PASSWORD
dir /var/lib/valkey
appendonly yes
appendfsync everysec
save ""
maxmemory ${TAILROOM_BROKER_MEMORY:-256mb}
maxmemory-policy noeviction
CONF
exec valkey-server /tmp/valkey.conf
