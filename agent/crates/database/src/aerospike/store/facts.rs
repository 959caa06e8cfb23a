//! Properties of an Aerospike server and its cluster, and checks that it accepts writes.

use std::sync::Arc;

use measure::series::WorkloadError;

use super::AerospikeStore;
use crate::aerospike::client::Client;
use crate::aerospike::partitions::{Access, Partitions};
use crate::store::Facts;
use crate::store_driver::StoreDriver as _;

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

impl AerospikeStore {
    /// Reads the properties of the server. Fails if the namespace is missing or accepts no writes, or if the cluster is
    /// incomplete.
    pub(super) fn read_facts(&mut self) -> Result<(), WorkloadError> {
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
    pub(super) fn sum_of(&self, question: &str, name: &str) -> Result<u64, WorkloadError> {
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
    pub(super) fn sum_of_either(&self, name: &str, older_name: &str) -> Result<u64, WorkloadError> {
        let question = format!("namespace/{}", self.set_name.namespace);
        match self.sum_of(&question, name)? {
            0 => self.sum_of(&question, older_name),
            number => Ok(number),
        }
    }

    /// Returns the number of copies of each record, at least 1.
    pub(super) fn copies(&self) -> u64 {
        let copies = self.job.fact("effective_replication_factor").and_then(|copies| copies.parse().ok());
        copies.unwrap_or(1).max(1)
    }
}
