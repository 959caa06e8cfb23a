# Tailroom: two commands are enough, `make up` and `make test`. Everything they need is set up on the way.
#
#   make up                  set up, start the product, measure this machine (the first time), print page and verdict
#   make up MEASURE=no       only start           make up MEASURE=yes   measure again
#   make up EXIT=yes         stop after the measurement
#   make test                every check and every test, a browser included
#   make test ONLY="mypy pytest"                  only these of them
#   make check               format, lint, types, import rules, generated files; unchanged ones are left out (ONLY= works too)
#   make fix                 formatters and safe fixes
#   make bench               the figures of docs/performance.md for this machine (bench-start, bench-ingest, bench-load, bench-method,
#                            bench-sla, bench-course, bench-importers, bench-leaderboard, bench-page, bench-agent are its parts)
#   make bench-load-search   searches of a Valkey and a PostgreSQL that are limited on purpose, and a sweep by hand (root)
#   make bench-databases     the agent against Valkey and PostgreSQL, side by side with their own tools
#   make bench-hostile       100,000 broken messages, 20,000 cases of the API, 1,000 damaged files of each tool, the worst bodies,
#                            poisonous neighbours
#   make bench-packs         evidence pack, verification and PDF of a day
#   make bench-comparison    false alarms and what is found when two runs are compared; six runs of a day on one page
#   make bench-siblings      a campaign of 1,000 units: judged over HTTP, as JSON and CSV (UNITS=1000)
#   make bench-coherence     whether related questions get related answers: 10,000 pairs for each kind of source, 500 runs by every door
#   make bench-answers       how many questions put to result files are answered: FOLDERS="folder …", the samples by default
#   make bench-truths        bounds and words about 3,000 and thirteen simulated truths
#   make test-chaos          kills and network faults from a seed while agents send: FAULTS=1000 SEED=1 DISK_MIB=600 (docs/scale.md)
#   make test-upgrade        an upgrade from an earlier release while agents send: RELEASE=commit, CITUS=postgresql://… (docs/operations.md)
#   make test-cluster        the tests of storage, ingest, judging, the API and more against a Citus cluster: TAILROOM_TEST_CITUS=postgresql://…
#   make bench-distributed   batches and a run by its id there, against one PostgreSQL
#   make bench-node          a second node joins that cluster while agents send: what is refused, what each node serves
#   make bench-fleet         what a request of an agent costs, and how many agents this machine carries
#   make bench-soak HOURS=8  the whole product at work, watched: what grows that should not (PACE=0.2 FOLDER=target/soak)
#   make bench-viewers       1,000 open live pages: what they cost the API
#   make bench-idle          10,000 idle agents: what their waiting costs
#   make agent-package       the agent as a static binary in a Debian package, the same bytes from the same sources
#   make test-nvme        the agent on emulated NVMe drives (QEMU): counters, refusals, formats, a suite that is killed
#   make test-examples   the examples for pipelines in clean environments: pip installs from a package index
#   make test-compose        try docker-compose.yml for real, as root (docs/deployment.md); MANY=yes: compose.cluster.yml over it
#   make clean               remove what was built; DATA=yes also removes the database and measurements
#
# Settings: TAILROOM_PORT, TAILROOM_HOME, TAILROOM_MEASURE_DIR (see README.md); PYTHON names the interpreter.

PYTHON ?= python3
FAULTS ?= 100
SEED ?= 1
AGENTS ?= 40
UNITS ?= 1000
HOURS ?= 8
PACE ?= 1
FOLDER ?= target/soak
CLUSTER_ROOMS ?= $(addprefix backend/tests/,access analysis api budgets campaigns catalogue comparison ingest live observations operations people ratings records reports runs sla storage uploads watches work)
MEASURE ?= auto
EXIT ?= no
BOOTSTRAP = $(PYTHON) backend/tooling/bootstrap.py

.PHONY: up setup check fix test test-nvme test-compose test-examples test-chaos test-upgrade test-cluster agent-package bench bench-fleet bench-node bench-soak bench-viewers bench-idle bench-distributed bench-start bench-ingest bench-method bench-sla bench-course bench-importers bench-leaderboard bench-page bench-agent bench-databases bench-load-search bench-load bench-coherence bench-answers bench-truths bench-comparison bench-siblings bench-packs bench-hostile clean

up:
	@exec $(BOOTSTRAP) up --measure $(MEASURE) $(if $(filter yes,$(EXIT)),--exit-after-measure)

setup:
	@exec $(BOOTSTRAP) setup --dev

check:
	@exec $(BOOTSTRAP) check $(ONLY)

fix:
	@exec $(BOOTSTRAP) fix $(ONLY)

test:
	@exec $(BOOTSTRAP) test $(ONLY)

test-nvme:
	@cargo build --quiet --release --locked --package tailroom-agent
	@TAILROOM_TEST_NVME=yes exec $(BOOTSTRAP) run -m pytest -q backend/tests/nvme

test-compose:
	@exec $(BOOTSTRAP) run -m backend.deploy.try_compose $(if $(filter yes,$(MANY)),--many)

test-examples:
	@TAILROOM_TEST_EXAMPLES=yes exec $(BOOTSTRAP) run -m pytest -q backend/tests/cli/test_pipeline_examples.py

test-chaos:
	@exec $(BOOTSTRAP) run -m backend.chaos --faults $(FAULTS) --seed $(SEED) $(if $(DISK_MIB),--disk-mib $(DISK_MIB)) $(if $(CITUS),--citus $(CITUS))

test-upgrade:
	@exec $(BOOTSTRAP) run -m backend.deploy.try_upgrade --release $(RELEASE) $(if $(CITUS),--citus $(CITUS))

test-cluster:
	@exec $(BOOTSTRAP) run -m pytest -q $(CLUSTER_ROOMS)

agent-package:
	@exec $(BOOTSTRAP) run -m backend.deploy.agent_package

bench-distributed:
	@exec $(BOOTSTRAP) run -m backend.bench.distributed

bench-node:
	@exec $(BOOTSTRAP) run -m backend.bench.another_node

bench-fleet:
	@exec $(BOOTSTRAP) run -m backend.bench.simulate_fleet --agents $(AGENTS) $(if $(SEND_EVERY_S),--send-every-s $(SEND_EVERY_S))

bench-soak:
	@exec $(BOOTSTRAP) run -m backend.bench.soak --hours $(HOURS) --pace $(PACE) --folder $(FOLDER)

bench-viewers:
	@exec $(BOOTSTRAP) run -m backend.bench.viewers

bench-idle:
	@exec $(BOOTSTRAP) run -m backend.bench.idle_agents

bench: bench-start bench-method bench-sla bench-course bench-importers bench-leaderboard bench-ingest bench-load bench-page bench-agent

bench-start:
	@exec $(BOOTSTRAP) run backend/bench/start.py

bench-load:
	@exec $(BOOTSTRAP) run -m backend.bench.load

bench-load-search:
	@exec $(BOOTSTRAP) run -m backend.bench.load_search --sweep
	@exec $(BOOTSTRAP) run -m backend.bench.load_search --sweep --link

bench-ingest:
	@exec $(BOOTSTRAP) run backend/bench/ingest.py

bench-method:
	@$(BOOTSTRAP) run backend/bench/method.py
	@exec $(BOOTSTRAP) run backend/bench/transactions.py

bench-coherence:
	@$(BOOTSTRAP) run backend/bench/coherence.py
	@TAILROOM_RUNS_BY_ALL_DOORS=500 exec $(BOOTSTRAP) run -m pytest backend/tests/sla/test_all_doors.py -q

bench-answers:
	@$(BOOTSTRAP) run -m backend.bench.answers $(FOLDERS)

bench-truths:
	@$(BOOTSTRAP) run -m backend.bench.coverage --truths 3000
	@exec $(BOOTSTRAP) run -m backend.bench.regimes --runs 100

bench-sla:
	@exec $(BOOTSTRAP) run backend/bench/sla.py

bench-course:
	@exec $(BOOTSTRAP) run backend/bench/time_course.py

bench-importers:
	@$(BOOTSTRAP) run backend/bench/importers.py
	@exec $(BOOTSTRAP) run -m backend.bench.importer_rates

bench-leaderboard:
	@exec $(BOOTSTRAP) run -m backend.bench.leaderboard

bench-comparison:
	@$(BOOTSTRAP) run backend/bench/comparison.py
	@$(BOOTSTRAP) run -m backend.bench.siblings
	@$(BOOTSTRAP) run -m backend.bench.real_pairs
	@exec $(BOOTSTRAP) run -m backend.bench.comparison_page

bench-siblings:
	@exec $(BOOTSTRAP) run -m backend.bench.fleet_page --units $(UNITS)

bench-packs:
	@$(BOOTSTRAP) run -m backend.bench.packs
	@exec $(BOOTSTRAP) run -m backend.bench.packs --every 1 --series 2

bench-hostile:
	@$(BOOTSTRAP) run -m backend.bench.fuzz_importers
	@exec $(BOOTSTRAP) run -m backend.bench.hostile

bench-page:
	@$(BOOTSTRAP) setup --dev && npm run bench --workspace e2e

bench-agent:
	@cargo build --quiet --release --locked --package tailroom-agent
	@exec $(BOOTSTRAP) run -m backend.bench.agent

bench-databases:
	@cargo build --quiet --release --locked --package tailroom-agent
	@exec $(BOOTSTRAP) run -m backend.bench.databases

clean:
	@exec $(BOOTSTRAP) clean $(if $(filter yes,$(DATA)),--data)
