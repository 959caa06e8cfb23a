//! The objects of a job in a set of Aerospike. Measured commands use `server_session`.
//!
//! A record in the set `tailroom` is the marker of the objects. If records with keys of the job exist without a marker, they are
//! foreign, and nothing is written.

mod facts;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use keys::placement::aerospike_text_digest;
use measure::series::WorkloadError;
use workloads::job::{ObjectSpec, Shape};

use crate::aerospike::client::Client;
use crate::aerospike::cluster::AerospikeCluster;
use crate::aerospike::login::Login;
use crate::aerospike::partitions::Partitions;
use crate::aerospike::protocol::{Aerospike, set_of};
use crate::aerospike::wire::{self as wire, Record, RecordFlags, SetName};
use crate::cluster::ClusterSession;
use crate::connection::Server;
use crate::life_cycle::refuse_existing_keys;
use crate::marker::Marker;
use crate::objects::Objects;
use crate::server_address::{Address, ServerAddress};
use crate::store_driver::{MemoryLimit, StoreDriver, StoreJob};
use crate::store_stage::{self, Connect};

const BATCH: usize = 500;
const MARKERS: &str = "tailroom";

pub struct AerospikeStore {
    job: StoreJob,
    login: Option<Arc<Login>>,
    /// Partitions of the cluster; `None` for a single node.
    partitions: Option<Arc<Partitions>>,
    set_name: Arc<SetName>,
}

impl AerospikeStore {
    /// Connects to a server and reads its properties.
    pub fn open(server: &ServerAddress, spec: &ObjectSpec, seed: u64) -> Result<Self, WorkloadError> {
        if matches!(server.address, Address::Local(_)) {
            return Err(server.refuse("Aerospike has no such sockets"));
        }
        let login = match (&server.username, &server.password) {
            (None, None) => None,
            (Some(user), Some(password)) => {
                Some(Arc::new(Login::new(user, password).map_err(|sentence| server.refuse(sentence))?))
            }
            (Some(_), None) => {
                return Err(server.refuse(
                    "a user is named without a password; give it with --password-file or TAILROOM_TARGET_PASSWORD",
                ));
            }
            (None, Some(_)) => {
                return Err(server.refuse(
                    "a password is given without a user; name the user: aerospike://user@host:port/namespace",
                ));
            }
        };
        if matches!(spec.shape, Shape::Record { indexed: true, .. }) {
            return Err(server.refuse(
                "it has no order of keys to scan in (scanproportion), as YCSB's own binding has none; run this plan against Redis \
                 or PostgreSQL",
            ));
        }
        let namespace = server.database.clone().unwrap_or_else(|| "test".to_owned());
        let mut store = Self {
            login,
            partitions: None,
            set_name: Arc::new(SetName { namespace, set: set_of(spec.naming) }),
            job: StoreJob::new(server, spec, seed)?,
        };
        store.read_facts()?;
        Ok(store)
    }

    fn protocol(&self, objects: Arc<Objects>) -> Aerospike {
        Aerospike::new(self.login.clone(), Arc::clone(&self.set_name), self.job.spec.naming, objects)
    }

    fn marker_key(&self) -> (SetName, [u8; 20]) {
        let digest = aerospike_text_digest(MARKERS, &[b"objects:", self.set_name.set.as_bytes()]);
        (SetName { namespace: self.set_name.namespace.clone(), set: MARKERS }, digest)
    }

    /// Sends a request that writes or deletes one record.
    fn change(&self, client: &mut Client, request: &[u8]) -> Result<(), WorkloadError> {
        let mut refused = None;
        let result = client.each(request, 1, |record| refused = (record.result != 0).then_some(record.result));
        result.map_err(self.with_context("does not take writes"))?;
        match refused {
            None => Ok(()),
            Some(result) => Err(self.refuse(format!(
                "it does not take writes: {result}: {}; look at its memory, devices and rights",
                wire::meaning(result)
            ))),
        }
    }

    /// Sends a request about each of the keys, and passes each key with its record to `to`.
    fn request_each(
        &self,
        client: &mut Client,
        flags: RecordFlags,
        keys: &[u64],
        mut to: impl FnMut(u64, Record<'_>),
    ) -> Result<(), WorkloadError> {
        let protocol = self.protocol(Arc::new(self.job.objects()));
        for keys in keys.chunks(BATCH) {
            let mut requests = Vec::new();
            for key in keys {
                protocol.write_plain(flags, *key, &mut requests);
            }
            let mut answered = keys.iter();
            let result = client.each(&requests, keys.len() as u64, |record| {
                if let Some(key) = answered.next() {
                    to(*key, record);
                }
            });
            result.map_err(self.with_context("does not report which records it has"))?;
        }
        Ok(())
    }
}

impl StoreDriver for AerospikeStore {
    type Connection = Client;
    type Error = String;

    const CHECKLIST: &'static str = "memory, devices and rights";
    const OTHER_WRITERS: &'static str = "another client writes to these records";

    fn job(&self) -> &StoreJob {
        &self.job
    }

    fn explain(error: String) -> String {
        error
    }

    fn try_connect(&self) -> Result<Client, String> {
        Client::connect(&self.job.address, self.job.tls.as_ref(), self.login.as_deref())
    }

    fn read_marker(&self, client: &mut Client) -> Result<Option<Marker>, WorkloadError> {
        let ((set_name, digest), mut request) = (self.marker_key(), Vec::new());
        wire::write_request(RecordFlags::READ_ALL, &set_name, &digest, 0, &mut request, |_| {});
        let mut bins: Option<HashMap<Vec<u8>, String>> = None;
        let result = client.each(&request, 1, |record| {
            if record.result == 0 {
                let text = |value| String::from_utf8_lossy(value).into_owned();
                bins = Some(record.bins().map(|(name, value)| (name.to_vec(), text(value))).collect());
            }
        });
        result.map_err(self.with_context("does not report whose its records are"))?;
        let marker = bins.map(|bins| Marker::of_fields(|name| bins.get(name.as_bytes()).cloned()));
        marker.transpose().map_err(|damaged| self.refuse(damaged))
    }

    fn write_marker(&self, client: &mut Client, marker: &Marker) -> Result<(), WorkloadError> {
        let (set_name, digest) = self.marker_key();
        let fields = marker.fields();
        let (count, mut request) = (u16::try_from(fields.len()).unwrap_or(u16::MAX), Vec::new());
        wire::write_request(RecordFlags::REPLACE, &set_name, &digest, count, &mut request, |into| {
            for (name, value) in &fields {
                wire::write_bin(name.as_bytes(), &[value.as_bytes()], into);
            }
        });
        self.change(client, &request)
    }

    fn delete_marker(&self, client: &mut Client) -> Result<(), WorkloadError> {
        let ((set_name, digest), mut request) = (self.marker_key(), Vec::new());
        wire::write_request(RecordFlags::DELETE, &set_name, &digest, 0, &mut request, |_| {});
        self.change(client, &request)
    }

    fn refuse_foreign_objects(&self, client: &mut Client) -> Result<(), WorkloadError> {
        let remedy = "Name another namespace (aerospike://host:port/NAMESPACE), or take these records away";
        refuse_existing_keys(self, client, ("record", &format!(" of the set {}", self.set_name.set), remedy))
    }

    fn existing(&self, client: &mut Client, keys: &[u64]) -> Result<Vec<u64>, WorkloadError> {
        let mut existing = Vec::new();
        self.request_each(client, RecordFlags::EXISTS, keys, |key, record| {
            if record.result == 0 {
                existing.push(key);
            }
        })?;
        Ok(existing)
    }

    fn damaged(&self, client: &mut Client, keys: &[u64]) -> Result<Vec<u64>, WorkloadError> {
        let (protocol, mut damaged) = (self.protocol(Arc::new(self.job.objects())), Vec::new());
        self.request_each(client, RecordFlags::READ_ALL, keys, |key, record| {
            if !protocol.is_complete(key, &record) {
                damaged.push(key);
            }
        })?;
        Ok(damaged)
    }

    fn stored_count(&self, _: &mut Client) -> Result<u64, WorkloadError> {
        let question = format!("sets/{}/{}", self.set_name.namespace, self.set_name.set);
        // Every node also counts the copies that it holds.
        Ok(self.sum_of(&question, "objects")? / self.copies())
    }

    fn explain_loss(&self, stored: u64) -> String {
        format!(
            "the set {} holds {stored}: it evicts or expires them, or another client deletes them; give it more room, or load \
             them again with `tailroom-agent run --reload`",
            self.set_name.set
        )
    }

    fn delete(&self, client: &mut Client, keys: Range<u64>) -> Result<u64, WorkloadError> {
        let mut deleted = 0;
        for from in keys.clone().step_by(BATCH) {
            let batch: Vec<u64> = (from..keys.end.min(from + BATCH as u64)).collect();
            self.request_each(client, RecordFlags::DELETE, &batch, |_, record| {
                deleted += u64::from(record.result == 0);
            })?;
        }
        Ok(deleted)
    }

    fn sessions(&self, objects: Arc<Objects>, depth: usize) -> Connect {
        let (address, tls) = (self.job.address.clone(), self.job.tls.clone());
        let server = Server { address, tls, protocol: self.protocol(objects), depth };
        let Some(partitions) = self.partitions.clone() else { return store_stage::to_server(server) };
        let watch = Arc::new(partitions.watch());
        Box::new(move |connections| {
            let protocol = server.protocol.clone().of_cluster(Arc::clone(&partitions));
            let server = Server { protocol, ..server.clone() };
            let cluster = AerospikeCluster::new(server, Arc::clone(&partitions), Arc::clone(&watch));
            Ok(Box::new(ClusterSession::new(cluster, depth, connections)?))
        })
    }

    fn memory_limit(&self) -> Result<Option<MemoryLimit>, WorkloadError> {
        let bytes = self.sum_of_either("data_total_bytes", "device_total_bytes")?;
        let text = format!("{bytes} B of the namespace {}", self.set_name.namespace);
        let limit = MemoryLimit { bytes, text, remedy: "Give it more room", copies: self.copies() };
        Ok((bytes > 0).then_some(limit))
    }

    fn used_bytes(&self, _: &mut Client) -> Result<u64, WorkloadError> {
        self.sum_of_either("data_used_bytes", "device_used_bytes")
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
