//! The objects of a job in a set of Aerospike. What is measured goes another way (`server_session`).
//!
//! A record in the set `tailroom` says whose they are: which job loaded them, how many, and whether it came to its end. Records
//! under the same keys without it belong to somebody else, and nothing is written.

mod facts;

use std::collections::HashMap;
use std::sync::Arc;

use keys::placement::aerospike_text_digest;
use measure::series::{Workload, WorkloadError};
use workloads::job::{Objects as Wanted, Shape, Stage};

use crate::aerospike::client::Client;
use crate::aerospike::cluster::AerospikeCluster;
use crate::aerospike::login::Login;
use crate::aerospike::partitions::Partitions;
use crate::aerospike::protocol::{Aerospike, set_of};
use crate::aerospike::wire::{self as wire, Does, Home, Record};
use crate::cluster::ClusterSession;
#[cfg(test)]
use crate::command::Command;
use crate::connection::Server;
use crate::objects::Objects;
use crate::socket;
use crate::stage::Settings;
use crate::store::{self, Address, Facts, Found, Marker, MarkerState, Place, Store, fingerprint, sample};
use crate::store_stage::{self, Connect, Grown};
use crate::tls::Tls;

const BATCH: u64 = 500;
const MARKERS: &str = "tailroom";
/// What a record costs beside its data, at least: its entry in the index.
const OVERHEAD_BYTES: u64 = 64;
/// Results after which nothing that is written can succeed any more.
const LOOK_AT: &str = "memory, devices and rights";

/// See the module.
pub struct AerospikeStore {
    place: Place,
    address: socket::Address,
    tls: Option<Tls>,
    login: Option<Arc<Login>>,
    /// None: one node.
    partitions: Option<Arc<Partitions>>,
    home: Arc<Home>,
    wanted: Wanted,
    seed: u64,
    fingerprint: String,
    facts: Facts,
    /// How many objects there are by now.
    grown: Grown,
}

impl AerospikeStore {
    /// Connects and asks what the server is.
    ///
    /// # Errors
    /// A sentence with the address, the cause and what to do.
    pub fn open(place: &Place, wanted: &Wanted, seed: u64) -> Result<Self, WorkloadError> {
        let namespace = place.database.clone().unwrap_or_else(|| "test".to_owned());
        let Address::Internet(host, port) = &place.address else {
            return Err(WorkloadError(format!("database server {}: Aerospike has no such sockets", place.address)));
        };
        let address = socket::Address::of(host, *port).map_err(|error| {
            WorkloadError(format!(
                "database server {}: its address is not found: {error}; correct the address",
                place.address
            ))
        })?;
        let mut store = Self {
            place: place.clone(),
            address,
            tls: place.security()?,
            login: None,
            partitions: None,
            home: Arc::new(Home { namespace, set: set_of(wanted.naming) }),
            wanted: wanted.clone(),
            seed,
            fingerprint: fingerprint(wanted, seed),
            facts: Facts::new(),
            grown: Grown::new(wanted.count),
        };
        store.login = match (&place.username, &place.password) {
            (None, None) => None,
            (Some(user), Some(password)) => {
                let login = Login::new(user, password).map_err(|sentence| store.refuse(sentence))?;
                Some(Arc::new(login))
            }
            (Some(_), None) => {
                return Err(store.refuse(
                    "a user is named without a password; give it with --password-file or TAILROOM_TARGET_PASSWORD",
                ));
            }
            (None, Some(_)) => {
                return Err(store.refuse(
                    "a password is given without a user; name the user: aerospike://user@host:port/namespace",
                ));
            }
        };
        if matches!(wanted.shape, Shape::Record { indexed: true, .. }) {
            return Err(store.refuse(
                "it has no order of keys to scan in (scanproportion), as YCSB's own binding has none; run this plan against Redis \
                 or PostgreSQL",
            ));
        }
        store.ask()?;
        Ok(store)
    }

    fn refuse(&self, sentence: impl std::fmt::Display) -> WorkloadError {
        WorkloadError(format!("database server {}: {sentence}", self.place.address))
    }

    fn told(&self, what: &'static str) -> impl Fn(String) -> WorkloadError + '_ {
        move |sentence| WorkloadError(format!("database server {} {what}: {sentence}", self.place.address))
    }

    fn connect(&self) -> Result<Client, WorkloadError> {
        Client::connect(&self.address, self.tls.as_ref(), self.login.as_deref())
            .map_err(self.told("cannot be connected to"))
    }

    fn objects(&self) -> Objects {
        Objects::of(&self.wanted, self.grown.count(), self.seed)
    }

    fn protocol(&self, objects: Arc<Objects>) -> Aerospike {
        Aerospike::new(self.login.clone(), Arc::clone(&self.home), self.wanted.naming, objects)
    }

    fn server(&self, objects: Arc<Objects>, depth: usize) -> Server<Aerospike> {
        Server { address: self.address.clone(), tls: self.tls.clone(), protocol: self.protocol(objects), depth }
    }

    /// How a thread connects to the objects.
    fn connecting(&self, objects: Arc<Objects>, depth: usize) -> Connect {
        let server = self.server(objects, depth);
        let Some(partitions) = self.partitions.clone() else { return store_stage::to_server(server) };
        let watch = Arc::new(partitions.watch());
        Box::new(move |connections| {
            let protocol = server.protocol.clone().of_cluster(Arc::clone(&partitions));
            let server = Server { protocol, ..server.clone() };
            let cluster = AerospikeCluster::new(server, Arc::clone(&partitions), Arc::clone(&watch));
            Ok(Box::new(ClusterSession::new(cluster, depth, connections)?))
        })
    }

    /// Connections to the objects, by themselves.
    #[cfg(test)]
    pub fn session(
        &self,
        connections: usize,
        depth: usize,
    ) -> Result<runner::conformance::Boxed<Command>, WorkloadError> {
        (self.connecting(Arc::new(self.objects()), depth))(connections)
    }

    /// Where it is written down whose the objects are.
    fn marker_home(&self) -> (Home, [u8; 20]) {
        let digest = aerospike_text_digest(MARKERS, &[b"objects:", self.home.set.as_bytes()]);
        (Home { namespace: self.home.namespace.clone(), set: MARKERS }, digest)
    }

    fn marker(&self, client: &mut Client) -> Result<Option<Marker>, WorkloadError> {
        let ((home, digest), mut request) = (self.marker_home(), Vec::new());
        wire::write_request(Does::READ_ALL, &home, &digest, 0, &mut request, |_| {});
        let mut bins: Option<HashMap<Vec<u8>, String>> = None;
        let result = client.each(&request, 1, |record| {
            if record.result == 0 {
                let text = |value| String::from_utf8_lossy(value).into_owned();
                bins = Some(record.bins().map(|(name, value)| (name.to_vec(), text(value))).collect());
            }
        });
        result.map_err(self.told("does not report whose its records are"))?;
        let marker = bins.map(|bins| Marker::of_fields(|name| bins.get(name.as_bytes()).cloned()));
        marker.transpose().map_err(|damaged| self.refuse(damaged))
    }

    /// Writes or takes away one record, and tells what is refused.
    fn carry_out(&self, client: &mut Client, request: &[u8]) -> Result<(), WorkloadError> {
        let mut refused = None;
        let result = client.each(request, 1, |record| refused = (record.result != 0).then_some(record.result));
        result.map_err(self.told("does not take writes"))?;
        match refused {
            None => Ok(()),
            Some(result) => Err(self.refuse(format!(
                "it does not take writes: {result}: {}; look at its memory, devices and rights",
                wire::meaning(result)
            ))),
        }
    }

    fn mark(&self, state: MarkerState) -> Result<(), WorkloadError> {
        let (home, digest) = self.marker_home();
        let bins = [
            ("fingerprint", self.fingerprint.clone()),
            ("first", self.wanted.first.to_string()),
            ("count", self.grown.count().to_string()),
            ("state", state.word().to_owned()),
            ("what", format!("{} objects of {} B", self.wanted.count, self.wanted.shape.bytes())),
        ];
        let mut request = Vec::new();
        wire::write_request(Does::REPLACE, &home, &digest, 5, &mut request, |into| {
            for (name, value) in &bins {
                wire::write_bin(name.as_bytes(), &[value.as_bytes()], into);
            }
        });
        self.carry_out(&mut self.connect()?, &request)
    }

    /// Asks the same about several keys; `to` gets the number of each and its record.
    fn about(
        &self,
        client: &mut Client,
        does: Does,
        keys: &[u64],
        mut to: impl FnMut(u64, Record<'_>),
    ) -> Result<(), WorkloadError> {
        let protocol = self.protocol(Arc::new(self.objects()));
        for keys in keys.chunks(usize::try_from(BATCH).unwrap_or(1)) {
            let mut requests = Vec::new();
            for key in keys {
                protocol.write_plain(does, *key, &mut requests);
            }
            let mut place = keys.iter();
            let result = client.each(&requests, keys.len() as u64, |record| {
                if let Some(key) = place.next() {
                    to(*key, record);
                }
            });
            result.map_err(self.told("does not report which records it has"))?;
        }
        Ok(())
    }

    /// Objects that still have to be written: those that a load left behind which was cut off take their room already.
    fn missing(&self, found: &Found) -> Result<u64, WorkloadError> {
        if *found != Found::Unfinished {
            return Ok(self.wanted.count);
        }
        let keys: Vec<u64> = sample(self.wanted.first, self.wanted.count).collect();
        let there = self.existing(&mut self.connect()?, &keys)?.len();
        Ok(store::missing(self.wanted.count, keys.len(), there))
    }

    /// See `Grown::find_end`.
    fn find_end(&self, client: &mut Client, marker: &Marker) -> Result<(), WorkloadError> {
        self.grown.find_end((marker.first, marker.count), |keys| {
            Ok(self.existing(client, &keys.collect::<Vec<u64>>())?.last().copied())
        })
    }

    /// Those of the keys that exist.
    fn existing(&self, client: &mut Client, keys: &[u64]) -> Result<Vec<u64>, WorkloadError> {
        let mut existing = Vec::new();
        self.about(client, Does::LOOK, keys, |key, record| {
            if record.result == 0 {
                existing.push(key);
            }
        })?;
        Ok(existing)
    }
}

impl Store for AerospikeStore {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn look(&self) -> Result<Found, WorkloadError> {
        let client = &mut self.connect()?;
        if let Some(marker) = self.marker(client)? {
            let state = marker.found(&self.fingerprint, &self.grown);
            if state != Found::Whole {
                return Ok(state);
            }
            self.find_end(client, &marker)?;
            return Ok(Found::Whole);
        }
        let question = format!("sets/{}/{}", self.home.namespace, self.home.set);
        let is_empty = self.sum_of(&question, "objects")? == 0;
        let mut looked_at = 0;
        for keys in store::looked_at(self.wanted.first, self.wanted.count, is_empty) {
            let there = self.existing(client, &keys)?;
            looked_at += keys.len();
            if let Some(first) = there.first() {
                return Err(self.refuse(format!(
                    "the record {} of the set {} is there already and was not loaded by Tailroom ({} of the first {looked_at} that \
                     were looked at are); nothing was written. Name another namespace (aerospike://host:port/NAMESPACE), or take \
                     these records away",
                    self.objects().name(*first),
                    self.home.set,
                    there.len(),
                )));
            }
        }
        Ok(Found::Nothing)
    }

    fn check_room(&self, found: &Found) -> Result<(), WorkloadError> {
        let question = format!("namespace/{}", self.home.namespace);
        let either = |one: &str, other: &str| match self.sum_of(&question, one)? {
            0 => self.sum_of(&question, other),
            bytes => Ok(bytes),
        };
        let most = either("data_total_bytes", "device_total_bytes")?;
        if most == 0 {
            return Ok(());
        }
        let used = either("data_used_bytes", "device_used_bytes")?;
        let missing = self.missing(found)?;
        let needed = missing.saturating_mul(self.wanted.shape.bytes() + OVERHEAD_BYTES) * self.copies();
        if used.saturating_add(needed) <= most {
            return Ok(());
        }
        Err(self.refuse(format!(
            "{missing} objects of {} B need at least {needed} B, and of {most} B of the namespace {} {used} B are used already; \
             nothing was written. Give it more room, or choose fewer or smaller objects",
            self.wanted.shape.bytes(),
            self.home.namespace
        )))
    }

    fn begin_loading(&self) -> Result<(), WorkloadError> {
        self.grown.set(self.wanted.count);
        self.mark(MarkerState::Loading)
    }

    fn begin_inserting(&self) -> Result<(), WorkloadError> {
        self.mark(MarkerState::Uneven)
    }

    fn check(&self) -> Result<(), WorkloadError> {
        let client = &mut self.connect()?;
        let count = self.grown.count();
        let question = format!("sets/{}/{}", self.home.namespace, self.home.set);
        // Copies are counted by the nodes that hold them.
        let all = self.sum_of(&question, "objects")? / self.copies();
        if all < count {
            return Err(self.refuse(format!(
                "{count} objects were loaded and the set {} holds {all}: it evicts or expires them, or somebody deletes \
                 them; give it more room, or load them again with --reload",
                self.home.set
            )));
        }
        let keys: Vec<u64> = sample(self.wanted.first, count).collect();
        let (protocol, mut wrong) = (self.protocol(Arc::new(self.objects())), Vec::new());
        self.about(client, Does::READ_ALL, &keys, |key, record| {
            if !protocol.is_whole(key, &record) {
                wrong.push(key);
            }
        })?;
        let Some(first) = wrong.first() else { return Ok(()) };
        Err(self.refuse(format!(
            "{} of {} objects that were read back are missing or not what was loaded, such as {}: somebody else writes to \
             these records; load them again with --reload",
            wrong.len(),
            keys.len(),
            self.objects().name(*first)
        )))
    }

    fn finish_loading(&self) -> Result<(), WorkloadError> {
        self.mark(MarkerState::Whole)
    }

    fn remove(&self) -> Result<u64, WorkloadError> {
        let client = &mut self.connect()?;
        let Some(marker) = self.marker(client)? else { return Ok(0) };
        self.find_end(client, &marker)?;
        let (mut removed, mut from) = (0, marker.first);
        let end = marker.first + self.grown.count();
        while from < end {
            let to = (from + BATCH).min(end);
            let keys: Vec<u64> = (from..to).collect();
            self.about(client, Does::DELETE, &keys, |_, record| removed += u64::from(record.result == 0))?;
            from = to;
        }
        let ((home, digest), mut request) = (self.marker_home(), Vec::new());
        wire::write_request(Does::DELETE, &home, &digest, 0, &mut request, |_| {});
        self.carry_out(client, &request)?;
        self.grown.set(self.wanted.count);
        Ok(removed)
    }

    fn stage(&self, stage: &Stage, settings: &Settings) -> Result<Box<dyn Workload>, WorkloadError> {
        let (objects, name) = (self.objects(), self.place.address.to_string());
        store_stage::prepared(stage, settings, objects, (name, &self.grown, LOOK_AT), |objects| {
            self.connecting(objects, stage.pipeline as usize)
        })
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
