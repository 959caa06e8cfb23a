//! The objects of a job in a set of Aerospike. Measured commands use `server_session`.
//!
//! A record in the set `tailroom` is the marker of the objects. If records with keys of the job exist without a marker, they are
//! foreign, and nothing is written.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use keys::placement::aerospike_text_digest;
use measure::series::WorkloadError;
use workloads::job::{ObjectSpec, Shape};

use crate::aerospike::client::Client;
use crate::aerospike::cluster::AerospikeCluster;
use crate::aerospike::login::Login;
use crate::aerospike::partitions::{Access, Partitions};
use crate::aerospike::protocol::{Aerospike, set_of};
use crate::aerospike::wire::{self as wire, Record, RecordFlags, SetName};
use crate::cluster::ClusterSession;
use crate::connection::Server;
use crate::life_cycle::refuse_existing_keys;
use crate::marker::Marker;
use crate::objects::Objects;
use crate::server_address::{Address, ServerAddress};
use crate::store::Facts;
use crate::store_driver::{MemoryLimit, StoreDriver, StoreJob};
use crate::store_stage::{self, Connect};

const BATCH: usize = 500;
const MARKERS: &str = "tailroom";

/// Properties of a namespace that affect results, by their names in versions 5 to 8.
const FACTS: [&str; 22] = [
    "ns_cluster_size",
    "effective_replication_factor",
    "replication-factor",
    "objects",
    "default-ttl",
    "nsup-period",
    "strong-consistency",
    "stop_writes",
    "single-bin",
    "storage-engine",
    "storage-engine.commit-to-device",
    "storage-engine.compression",
    "storage-engine.data-in-memory",
    "storage-engine.post-write-cache",
    "storage-engine.post-write-queue",
    "storage-engine.read-page-cache",
    "storage-engine.defrag-lwm-pct",
    "migrate_tx_partitions_remaining",
    "data_total_bytes",
    "data_used_bytes",
    "device_total_bytes",
    "device_used_bytes",
];

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

    /// Reads the properties of the server. Fails if the namespace is missing or takes no writes, or the cluster is incomplete.
    fn read_facts(&mut self) -> Result<(), WorkloadError> {
        let (client, namespace) = (&mut self.connect()?, &self.set_name.namespace);
        let lines = format!("build\nedition\nnamespaces\nstatistics\nnamespace/{namespace}");
        let answers = client.ask(&lines).map_err(self.with_context("does not report what it is"))?;
        let line = |name: &str| answers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        if !line("namespaces").split(';').any(|name| name == namespace) {
            return Err(self.refuse(format!(
                "it has no namespace {namespace} (it has {}); name one of them: aerospike://host:port/NAMESPACE",
                line("namespaces").replace(';', ", ")
            )));
        }
        let setting = |text: &str, name: &str| {
            let value = text.split(';').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
            value.map(|(_, value)| value.to_owned())
        };
        let nodes = setting(line("statistics"), "cluster_size").unwrap_or_default();
        if nodes != "1" {
            let access =
                Access { tls: self.job.tls.clone(), login: self.login.clone(), namespace: namespace.to_owned() };
            let partitions =
                Partitions::discover(access, &self.job.address).map_err(|sentence| self.refuse(sentence))?;
            if partitions.count().to_string() != nodes {
                return Err(self.refuse(format!(
                    "it belongs to a cluster of {nodes} nodes and names {}; wait until the cluster is complete (asadm: info)",
                    partitions.count()
                )));
            }
            self.partitions = Some(Arc::new(partitions));
        }
        let of_namespace = line(&format!("namespace/{namespace}")).to_owned();
        let mut facts = Facts::new();
        for name in FACTS {
            if let Some(value) = setting(&of_namespace, name) {
                facts.insert(name.replace(['-', '.'], "_"), value.into());
            }
        }
        for (name, value) in [("software", "Aerospike"), ("version", line("build")), ("edition", line("edition"))] {
            facts.insert(name.into(), value.into());
        }
        if facts.get("stop_writes").is_some_and(|stopped| stopped == "true") {
            return Err(self.refuse(format!(
                "the namespace {namespace} takes no writes (stop_writes): memory or device are full; make room there first"
            )));
        }
        if let Some(partitions) = &self.partitions {
            facts.insert("cluster_nodes".into(), partitions.count().into());
        }
        self.job.set_facts(facts, client.secured());
        Ok(())
    }

    /// Sums the number `name` in the answers of all nodes to the info command `question`. A missing number counts as 0.
    fn sum_of(&self, question: &str, name: &str) -> Result<u64, WorkloadError> {
        let unknown = self.with_context("does not count its records");
        let read = |client: &mut Client| -> Result<u64, String> {
            let answer = client.ask(question)?;
            let all =
                answer.iter().flat_map(|(_, text)| text.split([':', ';'])).filter_map(|pair| pair.split_once('='));
            Ok(all.filter(|(key, _)| *key == name).find_map(|(_, number)| number.parse().ok()).unwrap_or(0))
        };
        let Some(partitions) = &self.partitions else { return read(&mut self.connect()?).map_err(unknown) };
        let of_node = |node: usize| {
            let address = partitions.address(node).unwrap_or_else(|| self.job.address.clone());
            read(&mut Client::connect(&address, self.job.tls.as_ref(), self.login.as_deref())?)
        };
        (0..partitions.count()).map(of_node).sum::<Result<u64, String>>().map_err(unknown)
    }

    /// Returns the sum of the number `name`, or if that is 0, of `older_name`, its name on older servers.
    fn sum_of_either(&self, name: &str, older_name: &str) -> Result<u64, WorkloadError> {
        let question = format!("namespace/{}", self.set_name.namespace);
        match self.sum_of(&question, name)? {
            0 => self.sum_of(&question, older_name),
            number => Ok(number),
        }
    }

    /// Returns the number of copies of each record, at least 1.
    fn copies(&self) -> u64 {
        let copies = self.job.fact("effective_replication_factor").and_then(|copies| copies.parse().ok());
        copies.unwrap_or(1).max(1)
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
