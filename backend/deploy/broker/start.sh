#!/bin/sh
# Starts Valkey with its password and an append-only file. Work is found again by a sweep over the database, so what
# the broker forgets between two fsyncs is harmless. TAILROOM_BROKER_ROLE makes it one of several (compose.cluster.yml):
# a `server` to begin with, a `replica` of the service `broker`, or a `sentinel` that says which of them is the master.
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
if [ "${TAILROOM_BROKER_ROLE:-server}" = sentinel ]; then
  cat > /tmp/sentinel.conf <<CONF
bind * -::*
port 26379
dir /tmp
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel monitor tailroom broker 6379 2
sentinel auth-pass tailroom $TAILROOM_BROKER_PASSWORD
sentinel down-after-milliseconds tailroom 3000
sentinel failover-timeout tailroom 20000
CONF
  exec valkey-server /tmp/sentinel.conf --sentinel
fi
cat > /tmp/valkey.conf <<CONF
bind * -::*
port 6379
requirepass $TAILROOM_BROKER_PASSWORD
masterauth $TAILROOM_BROKER_PASSWORD
dir /var/lib/valkey
appendonly yes
appendfsync everysec
save ""
maxmemory ${TAILROOM_BROKER_MEMORY:-256mb}
maxmemory-policy noeviction
CONF
if [ -n "${TAILROOM_BROKER_NAME:-}" ]; then
  echo "replica-announce-ip $TAILROOM_BROKER_NAME" >> /tmp/valkey.conf
fi
if [ "${TAILROOM_BROKER_ROLE:-server}" = replica ]; then
  echo "replicaof broker 6379" >> /tmp/valkey.conf
fi
exec valkey-server /tmp/valkey.conf
