//! A stand-in for an Aerospike server or cluster, written after the server's `proto.h`. The nodes share records in memory, so each
//! also serves keys that another node owns, as real nodes do.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

type Bins = BTreeMap<Vec<u8>, Vec<u8>>;

#[derive(Default)]
struct State {
    /// Bins by set and digest.
    records: HashMap<(Vec<u8>, Vec<u8>), Bins>,
    is_stopped: bool,
    /// Result code of every write, if set.
    refusal: Option<u8>,
    nodes: u32,
    ports: Vec<u16>,
    /// Index of the node that owns each partition.
    owners: Vec<usize>,
    generation: u64,
    /// Number of keys requested from each node.
    requested: Vec<u64>,
    /// Number of requested keys that another node owns.
    passed_on: u64,
    /// User and password hash that clients must send, if any.
    user: Option<(String, String)>,
}

impl State {
    fn ask(&mut self, node: usize, digest: &[u8]) {
        let partition = usize::from(u16::from_le_bytes([digest[0], digest[1]])) % PARTITIONS;
        self.requested[node] += 1;
        self.passed_on += u64::from(self.owners[partition] != node);
    }

    /// Returns the bits of the partitions that a node owns, in base64 as real servers write them.
    fn bits(&self, node: usize) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let six = |six: &[usize]| {
            let bits = (0..6).fold(0, |bits, at| bits << 1 | usize::from(six.get(at) == Some(&node)));
            char::from(DIGITS[bits])
        };
        self.owners.chunks(6).map(six).chain(['=']).collect()
    }
}

const PARTITIONS: usize = 4096;

#[derive(Default)]
struct Shared(Mutex<State>, Condvar);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stand-in for an Aerospike server or cluster. It ends with the process of the test.
#[derive(Clone)]
pub struct AerospikeServer {
    shared: Arc<Shared>,
    /// Port of the first node on loopback.
    pub port: u16,
}

impl AerospikeServer {
    pub fn start() -> Self {
        Self::cluster(1)
    }

    /// Starts a cluster of `nodes` nodes, and returns its first node.
    pub fn cluster(nodes: u16) -> Self {
        let shared = Arc::new(Shared::default());
        let listeners: Vec<TcpListener> =
            (0..nodes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
        let ports: Vec<u16> = listeners.iter().map(|listener| listener.local_addr().expect("bound").port()).collect();
        let mut state = shared.lock();
        (state.nodes, state.generation) = (nodes.into(), 1);
        state.owners = (0..PARTITIONS).map(|partition| partition % usize::from(nodes)).collect();
        state.requested = vec![0; nodes.into()];
        state.ports.clone_from(&ports);
        drop(state);
        for (node, listener) in listeners.into_iter().enumerate() {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || serve(stream, &shared, node));
                }
            });
        }
        Self { shared, port: ports[0] }
    }

    /// Returns the number of keys requested from each node since the last call, and how many of them another node owns.
    pub fn take_requested(&self) -> (Vec<u64>, u64) {
        let mut state = self.shared.lock();
        let none = vec![0; state.requested.len()];
        (std::mem::replace(&mut state.requested, none), std::mem::take(&mut state.passed_on))
    }

    /// Moves every partition to another node.
    pub fn rebalance(&self) {
        let mut state = self.shared.lock();
        let nodes = state.ports.len();
        state.owners.iter_mut().for_each(|owner| *owner = (*owner + 1) % nodes);
        state.generation += 1;
    }

    /// Requires this user and password hash from clients.
    pub fn let_in(&self, user: &str, credential: &str) {
        self.shared.lock().user = Some((user.to_owned(), credential.to_owned()));
    }

    pub fn url(&self) -> String {
        format!("aerospike://127.0.0.1:{}/test", self.port)
    }

    /// Suspends all answers, or resumes them.
    pub fn stop(&self, is_stopped: bool) {
        self.shared.lock().is_stopped = is_stopped;
        self.shared.1.notify_all();
    }

    /// Answers every write with this result code; `None` accepts writes again.
    pub fn refuse(&self, refusal: Option<u8>) {
        self.shared.lock().refusal = refusal;
    }

    /// Reports a cluster of `nodes` nodes.
    pub fn claim(&self, nodes: u32) {
        self.shared.lock().nodes = nodes;
    }

    /// Stores a record directly, without a request.
    pub fn put(&self, set: &str, digest: &[u8; 20], bin: &[u8], value: &[u8]) {
        let bins = Bins::from([(bin.to_vec(), value.to_vec())]);
        self.shared.lock().records.insert((set.into(), digest.to_vec()), bins);
    }

    /// Returns the number of records of a set.
    pub fn count(&self, set: &str) -> usize {
        self.shared.lock().records.keys().filter(|(of, _)| of == set.as_bytes()).count()
    }
}

fn serve(mut stream: TcpStream, shared: &Shared, node: usize) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut is_in = false;
    loop {
        let mut head = [0; 8];
        stream.read_exact(&mut head)?;
        let kind = head[1];
        head[..2].fill(0);
        let mut body = vec![0; usize::try_from(u64::from_be_bytes(head)).unwrap_or(0)];
        stream.read_exact(&mut body)?;
        let mut state = shared.lock();
        while state.is_stopped {
            state = shared.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let is_asked = state.user.is_some() && !is_in;
        let answer = match kind {
            2 => {
                let result = admitted(&state, &body);
                is_in = result == 0;
                [&[0, result, 0, 0], [0; 12].as_slice()].concat()
            }
            1 if is_asked => b"ERROR:80:not authenticated\n".to_vec(),
            1 => told(&state, &body, node),
            _ if is_asked => record(80, 0, 0, &Bins::new()),
            _ => answered(&mut state, &body, node),
        };
        drop(state);
        let mut bytes = (answer.len() as u64).to_be_bytes();
        (bytes[0], bytes[1]) = (2, kind);
        stream.write_all(&[&bytes, &answer[..]].concat())?;
    }
}

/// Returns the result code of a login, whose two fields follow 16 bytes.
fn admitted(state: &State, body: &[u8]) -> u8 {
    assert_eq!(body[2..4], [20, 2], "a login");
    let mut rest = &body[16..];
    let fields = [take(&mut rest), take(&mut rest)].map(|field| String::from_utf8_lossy(&field[1..]).into_owned());
    match &state.user {
        None => 52,
        Some((user, _)) if *user != fields[0] => 60,
        Some((_, credential)) if *credential != fields[1] => 65,
        Some(_) => 0,
    }
}

fn told(state: &State, body: &[u8], node: usize) -> Vec<u8> {
    let mut answer = String::new();
    for line in String::from_utf8_lossy(body).lines() {
        let value = match line {
            "build" => "8.0.0.0".to_owned(),
            "edition" => "a stub of a test".to_owned(),
            "status" => "ok".to_owned(),
            "namespaces" => "test".to_owned(),
            "node" => format!("A{node}"),
            "partition-generation" => state.generation.to_string(),
            "peers-generation" => "1".to_owned(),
            "replicas" => format!("test:0,1,{}", state.bits(node)),
            "peers-clear-std" => {
                let others = state.ports.iter().enumerate().filter(|(other, _)| *other != node);
                let peers: Vec<String> =
                    others.map(|(other, port)| format!("[A{other},,[127.0.0.1:{port}]]")).collect();
                format!("1,3000,[{}]", peers.join(","))
            }
            "statistics" => format!("cluster_size={};uptime=7", state.nodes),
            "namespace/test" => "ns_cluster_size=1;effective_replication_factor=1;stop_writes=false;\
                                 storage-engine=memory;data_total_bytes=1000000;data_used_bytes=0"
                .to_owned(),
            _ => {
                let set = line.rsplit('/').next().unwrap_or_default().as_bytes();
                let lies_here = |digest: &[u8]| {
                    let partition = usize::from(u16::from_le_bytes([digest[0], digest[1]])) % PARTITIONS;
                    state.owners[partition] == node
                };
                let count = state.records.keys().filter(|(of, digest)| of == set && lies_here(digest)).count();
                format!("objects={count}:tombstones=0;")
            }
        };
        answer.extend([line, "\t", &value, "\n"]);
    }
    answer.into_bytes()
}

/// Removes the first part of `bytes`, which begins with its length, and returns it.
fn take<'a>(bytes: &mut &'a [u8]) -> &'a [u8] {
    let (length, rest) = bytes.split_first_chunk().expect("a length");
    let (part, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
    *bytes = rest;
    part
}

fn record(result: u8, info3: u8, index: u32, bins: &Bins) -> Vec<u8> {
    let mut bytes = vec![22, 0, 0, info3, 0, result];
    bytes.extend_from_slice(&[0; 8]);
    bytes.extend_from_slice(&index.to_be_bytes());
    bytes.extend_from_slice(&[0, 0]);
    bytes.extend_from_slice(&u16::try_from(bins.len()).expect("few").to_be_bytes());
    for (name, value) in bins {
        bytes.extend_from_slice(&u32::try_from(4 + name.len() + value.len()).expect("short").to_be_bytes());
        bytes.extend_from_slice(&[1, 4, 0, u8::try_from(name.len()).expect("short")]);
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(value);
    }
    bytes
}

fn answered(state: &mut State, body: &[u8], node: usize) -> Vec<u8> {
    let (info1, info2, info3) = (body[1], body[2], body[3]);
    let short = |at: usize| u16::from_be_bytes([body[at], body[at + 1]]);
    let mut rest = &body[22..];
    let fields: Vec<(u8, Vec<u8>)> =
        (0..short(18)).map(|_| take(&mut rest)).map(|field| (field[0], field[1..].to_vec())).collect();
    let field =
        |kind: u8| fields.iter().find(|(of, _)| *of == kind).map(|(_, value)| value.clone()).unwrap_or_default();
    if info1 & 8 != 0 {
        return batch(state, &field(41), node);
    }
    assert_eq!(field(0), b"test", "the namespace");
    let key = (field(1), field(4));
    state.ask(node, &key.1);
    let operations: Vec<(u8, Vec<u8>, Vec<u8>)> = (0..short(20))
        .map(|_| take(&mut rest))
        .map(|one| {
            let (name, value) = one[4..].split_at(one[3].into());
            (one[0], name.to_vec(), value.to_vec())
        })
        .collect();
    let empty = Bins::new();
    if info2 & 1 == 0 {
        return match state.records.get(&key) {
            None => record(2, 0, 0, &empty),
            Some(_) if info1 & 32 != 0 => record(0, 0, 0, &empty),
            Some(bins) if info1 & 2 != 0 => record(0, 0, 0, bins),
            Some(bins) => {
                let is_wanted = |name: &Vec<u8>| operations.iter().any(|(_, wanted, _)| wanted == name);
                record(0, 0, 0, &bins.clone().into_iter().filter(|(name, _)| is_wanted(name)).collect())
            }
        };
    }
    let is_there = state.records.contains_key(&key);
    let result = match state.refusal {
        Some(result) => result,
        None if info2 & 2 != 0 => {
            if state.records.remove(&key).is_some() {
                0
            } else {
                2
            }
        }
        None if info2 & 32 != 0 && is_there => 5,
        None if info3 & 8 != 0 && !is_there => 2,
        None => {
            let bins = state.records.entry(key).or_default();
            if info3 & 16 != 0 {
                bins.clear();
            }
            bins.extend(operations.into_iter().map(|(_, name, value)| (name, value)));
            0
        }
    };
    record(result, 0, 0, &empty)
}

fn batch(state: &mut State, field: &[u8], node: usize) -> Vec<u8> {
    let count = u32::from_be_bytes(*field.first_chunk().expect("a count"));
    let (mut rest, mut set, mut records) = (&field[5..], Vec::new(), Vec::new());
    for _ in 0..count {
        let index = u32::from_be_bytes(*rest.first_chunk().expect("an index"));
        let (digest, repeats) = (rest[4..24].to_vec(), rest[24] == 1);
        rest = &rest[25..];
        if !repeats {
            assert_eq!((rest[0], &rest[1..5]), (3, [0, 2, 0, 0].as_slice()), "all bins of two fields");
            rest = &rest[5..];
            assert_eq!(take(&mut rest), b"\0test");
            set = take(&mut rest)[1..].to_vec();
        }
        state.ask(node, &digest);
        let stored = state.records.get(&(set.clone(), digest));
        records.push(record(if stored.is_some() { 0 } else { 2 }, 0, index, stored.unwrap_or(&Bins::new())));
    }
    // Real servers send the records in any order.
    records.reverse();
    records.push(record(0, 1, 0, &Bins::new()));
    records.concat()
}
