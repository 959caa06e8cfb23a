//! A backend that keeps the wire contract over real sockets, and misbehaves on request.

pub mod agent;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use measure::series::{Interval, SeriesDefinition};
use serde_json::{Value, json};
use wire::messages::{Announcement, Finish, IntervalBatch, from_msgpack};

/// Treatment of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Handled as the contract says.
    Keep,
    /// Answered with 503; nothing is stored.
    Refuse,
    /// The connection is closed without an answer; nothing is stored.
    Drop,
    /// Stored, but the connection is closed without an answer.
    StoreAndDrop,
    /// Handled as the contract says, after a delay.
    Delay(Duration),
    /// Answered with 200 and an invalid body.
    Babble,
}

/// Everything that reached the backend; it survives restarts.
#[derive(Debug, Default)]
pub struct Store {
    pub announcement: Option<Announcement>,
    pub series: BTreeMap<u16, SeriesDefinition>,
    pub intervals: BTreeMap<(u16, u64), Interval>,
    pub finish: Option<Finish>,
    pub requests: usize,
    /// Contract breaches of the agent.
    pub breaches: Vec<String>,
    /// Whether the agent is asked to stop its workload.
    pub stop: bool,
    /// An interval that is refused with 422, by series and number.
    pub refused: Option<(u16, u64)>,
    pub behave: Behaviours,
}

/// The treatment of a request by its number.
#[derive(Debug, Clone, Copy)]
pub struct Behaviours(pub fn(usize) -> Behaviour);

impl Default for Behaviours {
    fn default() -> Self {
        Self(|_| Behaviour::Keep)
    }
}

impl Store {
    fn missing(&self, series: impl Iterator<Item = (u16, u64)>) -> Vec<Value> {
        let gap = |series_no: u16, seq: u64| json!({"series": series_no, "from_seq": seq, "to_seq": seq});
        series
            .flat_map(|(series_no, last)| (0..=last).map(move |seq| (series_no, seq)))
            .filter(|key| !self.intervals.contains_key(key))
            .map(|(series_no, seq)| gap(series_no, seq))
            .collect()
    }

    fn last_seen(&self) -> BTreeMap<u16, u64> {
        self.intervals.keys().copied().collect()
    }

    fn directive(&self) -> &'static str {
        if self.stop { "stop" } else { "continue" }
    }

    fn announce(&mut self, body: &[u8]) -> (u16, Value) {
        let announcement: Announcement = from_msgpack(body).expect("an announcement");
        let status = match &self.announcement {
            None => 201,
            Some(known) if *known == announcement => 200,
            Some(_) => return problem(409, "run-conflict"),
        };
        let answer = json!({"run_id": announcement.run_id, "directive": self.directive()});
        self.announcement = Some(announcement);
        (status, answer)
    }

    fn take(&mut self, body: &[u8]) -> (u16, Value) {
        let batch: IntervalBatch = from_msgpack(body).expect("a batch");
        if self.announcement.is_none() {
            return problem(404, "run-unknown");
        }
        if batch.intervals.iter().any(|i| Some((i.series_no, i.seq)) == self.refused) {
            return problem(422, "batch-invalid");
        }
        self.series.extend(batch.series.into_iter().map(|series| (series.series_no, series)));
        let mut acknowledged = serde_json::Map::new();
        for interval in batch.intervals {
            let key = (interval.series_no, interval.seq);
            if !self.series.contains_key(&key.0) {
                self.breaches.push(format!("{key:?} has no definition"));
            }
            let before = self.intervals.insert(key, interval.clone());
            if before.is_some_and(|before| before != interval) {
                self.breaches.push(format!("{key:?} came again with other content"));
            }
            acknowledged.insert(key.0.to_string(), Value::Null);
        }
        for (series_no, highest) in &mut acknowledged {
            let series_no: u16 = series_no.parse().expect("a number");
            let contiguous = (0..self.intervals.len() as u64)
                .take_while(|seq| self.intervals.contains_key(&(series_no, *seq)))
                .count();
            *highest = json!(i64::try_from(contiguous).expect("few") - 1);
        }
        let missing = self.missing(self.last_seen().into_iter());
        (200, json!({"acknowledged": acknowledged, "missing": missing, "directive": self.directive()}))
    }

    fn end(&mut self, body: &[u8]) -> (u16, Value) {
        let finish: Finish = from_msgpack(body).expect("a finish");
        if self.finish.as_ref().is_some_and(|known| *known != finish) {
            return problem(409, "finish-conflict");
        }
        let missing = self.missing(finish.last_seq.clone().into_iter());
        self.finish = Some(finish);
        (200, json!({"complete": missing.is_empty(), "missing": missing, "directive": "continue"}))
    }

    /// Asserts that everything named by the finish has arrived once, and that the agent broke no rule.
    pub fn assert_complete(&self) {
        let finish = self.finish.as_ref().expect("a finish");
        assert_eq!(self.breaches, Vec::<String>::new());
        assert_eq!(self.missing(finish.last_seq.clone().into_iter()), Vec::<Value>::new());
        assert_eq!(self.last_seen(), finish.last_seq, "nothing beyond the last sequence numbers");
    }

    /// Returns the completed operations by series.
    pub fn counts(&self) -> BTreeMap<u16, u64> {
        let mut counts = BTreeMap::new();
        for ((series_no, _), interval) in &self.intervals {
            *counts.entry(*series_no).or_default() += interval.count;
        }
        counts
    }
}

fn problem(status: u16, code: &str) -> (u16, Value) {
    let body = json!({"type": "about:blank", "title": code, "status": status, "detail": "refused by the test",
                      "code": code, "problems": []});
    (status, body)
}

/// A backend that can be stopped and started again at the same address.
pub struct Backend {
    pub address: SocketAddr,
    pub store: Arc<Mutex<Store>>,
    running: Option<(Arc<AtomicBool>, JoinHandle<()>)>,
}

impl Backend {
    /// Starts a backend at a free port of this machine.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let mut backend = Self { address, store: Arc::default(), running: None };
        backend.serve(listener);
        backend
    }

    /// Returns a backend that does not listen until [`Self::start_again`].
    pub fn away() -> Self {
        let mut backend = Self::start();
        backend.stop();
        backend
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until enough has arrived.
    pub fn wait_until(&self, what: &str, reached: impl Fn(&Store) -> bool) {
        let until = Instant::now() + Duration::from_secs(120);
        while !reached(&self.store()) {
            assert!(Instant::now() < until, "not reached in two minutes: {what}");
            thread::park_timeout(Duration::from_millis(10));
        }
    }

    pub fn stop(&mut self) {
        if let Some((flag, thread)) = self.running.take() {
            flag.store(false, Ordering::Release);
            // Unblocks the accept.
            let _ = TcpStream::connect(self.address);
            thread.join().expect("the server ends");
        }
    }

    pub fn start_again(&mut self) {
        let listener = TcpListener::bind(self.address).expect("the port is free again");
        self.serve(listener);
    }

    fn serve(&mut self, listener: TcpListener) {
        let flag = Arc::new(AtomicBool::new(true));
        let (running, store) = (Arc::clone(&flag), Arc::clone(&self.store));
        let thread = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if !running.load(Ordering::Acquire) {
                    return;
                }
                let (running, store) = (Arc::clone(&running), Arc::clone(&store));
                thread::spawn(move || converse(&stream, &running, &store));
            }
        });
        self.running = Some((flag, thread));
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Answers requests on one connection until it or the backend ends.
fn converse(stream: &TcpStream, running: &AtomicBool, store: &Mutex<Store>) {
    let mut reader = BufReader::new(stream);
    while let Some((path, body)) = request(&mut reader) {
        if !running.load(Ordering::Acquire) {
            return;
        }
        let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
        let behaviour = store.behave.0(store.requests);
        store.requests += 1;
        let (status, answer) = match behaviour {
            Behaviour::Refuse => problem(503, "storage-unavailable"),
            Behaviour::Drop => return,
            Behaviour::Babble => (200, json!("welcome to this hotel's network")),
            Behaviour::Keep | Behaviour::StoreAndDrop | Behaviour::Delay(_) => {
                let body = zstd::decode_all(body.as_slice()).expect("zstd");
                match path.rsplit('/').next() {
                    Some("runs") => store.announce(&body),
                    Some("intervals") => store.take(&body),
                    Some("finish") => store.end(&body),
                    _ => problem(404, "not-found"),
                }
            }
        };
        drop(store);
        match behaviour {
            Behaviour::StoreAndDrop => return,
            Behaviour::Delay(time) => thread::park_timeout(time),
            _ => {}
        }
        let body = answer.to_string();
        let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n", body.len());
        let mut out = stream;
        if out.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

fn request(reader: &mut BufReader<&TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let (mut length, mut authorized) = (0, false);
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "authorization" => authorized = value == format!("Bearer {}", agent::TOKEN),
            _ => {}
        }
    }
    assert!(authorized, "the token is sent");
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, body))
}
