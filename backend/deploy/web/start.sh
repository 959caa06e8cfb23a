#!/bin/sh
# Writes nginx's configuration from the templates and starts it. With a certificate in /etc/tailroom/tls it serves
# HTTPS and sends plain HTTP there; without one it serves plain HTTP and says so.
set -eu

: "${TAILROOM_PUBLIC_HOST:?is not set: give the host name under which people open Tailroom}"
case "$TAILROOM_PUBLIC_HOST" in
  *[!A-Za-z0-9.-]*)
    echo "web: TAILROOM_PUBLIC_HOST is '$TAILROOM_PUBLIC_HOST': give one host name, without scheme, port or spaces." >&2
    exit 64 ;;
esac
export TAILROOM_PUBLIC_HOST
export TAILROOM_PUBLIC_HTTPS_PORT="${TAILROOM_PUBLIC_HTTPS_PORT:-443}"
if [ "$TAILROOM_PUBLIC_HTTPS_PORT" = 443 ]; then https_suffix=; else https_suffix=":$TAILROOM_PUBLIC_HTTPS_PORT"; fi
export HTTPS_SUFFIX="$https_suffix"
# The address of the engine's own name server, asked again whenever a container has moved.
resolver=$(sed -n 's/^nameserver[[:space:]]\+//p' /etc/resolv.conf | head -n 1)
export RESOLVER="${resolver:-127.0.0.11}"

tls=/etc/tailroom/tls
if [ -e "$tls/fullchain.pem" ] || [ -e "$tls/privkey.pem" ]; then
  for file in fullchain.pem privkey.pem; do
    if [ ! -r "$tls/$file" ]; then
      echo "web: $tls/$file is missing or not readable by user 8403: both fullchain.pem and privkey.pem are needed." >&2
      exit 66
    fi
  done
  mode=https
else
  echo "web: no certificate in $tls: serving plain HTTP. Put fullchain.pem and privkey.pem there before others use it." >&2
  mode=http
fi

mkdir -p /tmp/nginx
wanted='$TAILROOM_PUBLIC_HOST $HTTPS_SUFFIX $RESOLVER'
envsubst "$wanted" < /etc/tailroom/web/nginx.conf > /tmp/nginx/nginx.conf
envsubst "$wanted" < "/etc/tailroom/web/listen-$mode.conf" > /tmp/nginx/listen.conf
cp /etc/tailroom/web/passing.conf /etc/tailroom/web/locations.conf /tmp/nginx/
exec nginx -c /tmp/nginx/nginx.conf -g 'daemon off;'
