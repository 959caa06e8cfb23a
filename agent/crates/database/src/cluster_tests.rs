//! Tests on a real Valkey cluster of three nodes.

use std::time::{Duration, Instant};

use keys::placement::redis_slot;
use redis::{Connection, Value};

use crate::redis::store::RedisStore;
use crate::server_address::ServerAddress;
use crate::store::{Store, StoredObjects};
use crate::trial::{job, load, run};
use test_servers::valkey::Valkey;

const PATIENCE: Duration = Duration::from_secs(60);

struct Cluster {
    nodes: Vec<Valkey>,
}

fn connection(node: &Valkey) -> Connection {
    node.connection().expect("connected")
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Cluster {
    fn start() -> Self {
        let (nodes, bus_ports): (Vec<Valkey>, Vec<u16>) =
            (0..3).map(|_| Valkey::start_node(&["--cluster-node-timeout", "15000"])).unzip();
        let edges = [0, 5_000, 11_000, 16_384];
        for (address, node) in nodes.iter().enumerate() {
            let mut to = connection(node);
            let range = redis::cmd("CLUSTER")
                .arg("ADDSLOTSRANGE")
                .arg(edges[address])
                .arg(edges[address + 1] - 1)
                .exec(&mut to);
            range.expect("slots");
            let meet =
                redis::cmd("CLUSTER").arg("MEET").arg("127.0.0.1").arg(nodes[0].port).arg(bus_ports[0]).exec(&mut to);
            meet.expect("met");
        }
        let cluster = Self { nodes };
        until("every node knows every other", || {
            cluster.nodes.iter().all(|node| {
                let to = &mut connection(node);
                let info: String = redis::cmd("CLUSTER").arg("INFO").query(to).expect("facts");
                let slots: Vec<Value> = redis::cmd("CLUSTER").arg("SLOTS").query(to).expect("slots");
                info.contains("cluster_state:ok") && slots.len() == 3
            })
        });
        cluster
    }

    fn open(&self, job: &workloads::job::Job) -> RedisStore {
        let address =
            ServerAddress::parse(&format!("redis://127.0.0.1:{}", self.nodes[0].port), None).expect("an address");
        RedisStore::open(&address, &job.objects, 1).expect("connected")
    }

    fn counts(&self) -> Vec<u64> {
        self.nodes.iter().map(Valkey::key_count).collect()
    }

    fn id(&self, node: usize) -> String {
        redis::cmd("CLUSTER").arg("MYID").query(&mut connection(&self.nodes[node])).expect("an id")
    }

    fn set(&self, node: usize, slot: u16, words: &[&str]) {
        redis::cmd("CLUSTER")
            .arg("SETSLOT")
            .arg(slot)
            .arg(words)
            .exec(&mut connection(&self.nodes[node]))
            .expect("set");
    }

    /// Moves a slot with its keys as `redis-cli --cluster reshard` does. Calls `meanwhile` after the keys have moved and before any
    /// node knows the new owner.
    fn reshard(&self, slot: u16, from: usize, to: usize, meanwhile: impl FnOnce()) {
        let (source, target) = (self.id(from), self.id(to));
        self.set(to, slot, &["IMPORTING", &source]);
        self.set(from, slot, &["MIGRATING", &target]);
        let connection = &mut connection(&self.nodes[from]);
        loop {
            let keys: Vec<String> =
                redis::cmd("CLUSTER").arg("GETKEYSINSLOT").arg(slot).arg(100).query(connection).expect("keys");
            if keys.is_empty() {
                break;
            }
            let mut migrate = redis::cmd("MIGRATE");
            migrate.arg("127.0.0.1").arg(self.nodes[to].port).arg("").arg(0).arg(5_000).arg("KEYS").arg(keys);
            migrate.exec(connection).expect("moved");
        }
        meanwhile();
        self.set(to, slot, &["NODE", &target]);
        self.set(from, slot, &["NODE", &target]);
    }
}

#[test]
fn objects_lie_on_all_nodes_and_every_kind_of_command_finds_them() {
    let cluster = Cluster::start();
    let keyvalue =
        job("workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nkey_maximum = 2999\nobject_bytes = 100\n\
                        connections = 6\npipeline = 4\nrate_per_s = 1000\nmeasure_s = 1");
    let store = cluster.open(&keyvalue);
    assert_eq!(store.facts()["cluster_nodes"], 3);
    load(&store, &keyvalue);
    assert!(cluster.counts().iter().all(|count| (700..1_300).contains(count)), "{:?}", cluster.counts());
    assert_eq!(cluster.counts().iter().sum::<u64>(), 3_001);
    let (memory, outcome) = run(&store, &keyvalue.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    assert_eq!((memory.sum(0, |one| one.count) + memory.sum(4, |one| one.count)), 1_000);
    assert_eq!(cluster.open(&keyvalue).inspect().expect("ours"), StoredObjects::Complete);
    assert_eq!(store.remove().expect("removed"), 3_000);
    assert_eq!(cluster.counts(), [0, 0, 0]);

    // Multi-gets are split by node and end with their last part. Inserts go to the node that owns their key.
    let fraud =
        job("workload = \"fraud\"\n[fraud]\nobjects = 500\nreads_per_transaction = 20\nbatch = 10\nconnections = 3\n\
                     ramp_s = 0\nmeasure_s = 1\n[[fraud.phases]]\nname = \"P1\"\nreads_per_s = 1000\n");
    let store = cluster.open(&fraud);
    load(&store, &fraud);
    let (memory, outcome) = run(&store, &fraud.stages[1]);
    assert!(outcome.completed, "{outcome:?}");
    let whole = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of);
    let missed = [whole(|one| one.errors), whole(|one| one.timeouts), whole(|one| one.unfinished)];
    assert_eq!((whole(|one| one.count), missed), (50, [0, 0, 0]), "{outcome:?}");
    store.remove().expect("removed");
    let ycsb =
        job("recordcount=500\noperationcount=2000\nreadproportion=0.9\nupdateproportion=0\ninsertproportion=0.1\n\
                    requestdistribution=latest\nthreadcount=4\n");
    let store = cluster.open(&ycsb);
    load(&store, &ycsb);
    let (memory, outcome) = run(&store, &ycsb.stages[1]);
    assert!(outcome.completed, "{outcome:?}");
    let (reads, inserts) = (memory.sum(0, |one| one.count), memory.sum(2, |one| one.count));
    assert_eq!(reads + inserts, 2_000, "no read met a key that is not there yet");
    assert_eq!(cluster.counts().iter().sum::<u64>(), 501 + inserts);

    let scans = job("recordcount=500\noperationcount=20\nreadproportion=0\nupdateproportion=0\nscanproportion=1\n");
    let address =
        ServerAddress::parse(&format!("redis://127.0.0.1:{}", cluster.nodes[1].port), None).expect("an address");
    let refused = |address: &ServerAddress, job: &workloads::job::Job| {
        RedisStore::open(address, &job.objects, 1).err().expect("refused").0
    };
    assert!(refused(&address, &scans).contains("scans (scanproportion) go by one index"));
    let numbered = ServerAddress { database: Some("3".into()), ..address };
    let told = refused(&numbered, &ycsb);
    assert!(told.contains("cannot be connected to: ERR "), "in the words of the server: {told}");
}

#[test]
fn slots_that_move_meanwhile_cost_no_operation() {
    let cluster = Cluster::start();
    let plan = |measure_s: u32| {
        job(&format!(
            "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nkey_maximum = 199\nobject_bytes = 100\nconnections = 3\n\
             pipeline = 4\nrate_per_s = 1000\nmeasure_s = {measure_s}"
        ))
    };
    let job = plan(6);
    let store = cluster.open(&job);
    load(&store, &job);
    let before = cluster.counts();
    let slots: Vec<u16> = (0..200)
        .map(|key| redis_slot(format!("memtier-{key}").as_bytes()))
        .filter(|slot| *slot < 5_000)
        .take(20)
        .collect();
    let (memory, outcome) = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&store, &job.stages[1]));
        std::thread::sleep(Duration::from_millis(500));
        for (address, slot) in slots.iter().enumerate() {
            // The first slot stays between two nodes for a while, so that commands are redirected with ASK.
            let pause = Duration::from_millis(if address == 0 { 1_000 } else { 0 });
            cluster.reshard(*slot, 0, 1, || std::thread::sleep(pause));
        }
        running.join().expect("ends")
    });
    assert!(outcome.completed, "{outcome:?}");
    let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(4, of);
    assert_eq!(
        (all(|one| one.count), all(|one| one.errors + one.timeouts + one.unfinished)),
        (6_000, 0),
        "{outcome:?}"
    );
    assert!(
        outcome.reason.as_deref().is_some_and(|told| told.contains("met another node of the cluster")),
        "{outcome:?}"
    );
    assert!(cluster.counts()[0] < before[0] && cluster.counts()[1] > before[1]);
    store.check().expect("all there, at the new nodes");
}
