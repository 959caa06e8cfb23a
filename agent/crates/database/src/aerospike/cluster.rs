//! An Aerospike cluster: each key belongs to a partition, and nodes forward requests for partitions that have moved.

use std::sync::Arc;

use keys::placement::aerospike_partition;
use runner::End;

use crate::aerospike::partitions::{MOST_NODES, Partitions, Watch};
use crate::aerospike::protocol::Aerospike;
use crate::cluster::{Cluster, RedirectTarget};
use crate::command::Command;
use crate::connection::Server;
use crate::objects::Objects;
use crate::protocol::Protocol as _;

/// Routes commands to the nodes of an Aerospike cluster.
pub struct AerospikeCluster {
    server: Server<Aerospike>,
    partitions: Arc<Partitions>,
    /// Refreshes `partitions` until the last session of all threads is dropped.
    _watch: Arc<Watch>,
}

impl AerospikeCluster {
    /// Creates the routing by `partitions`. All nodes share the protocol and the TLS settings of `server`.
    pub fn new(server: Server<Aerospike>, partitions: Arc<Partitions>, watch: Arc<Watch>) -> Self {
        Self { server, partitions, _watch: watch }
    }

    fn owner(&self, key: u64, map: u16) -> u16 {
        self.partitions.node_of(aerospike_partition(&self.server.protocol.digest(key)), map)
    }
}

impl Cluster for AerospikeCluster {
    type Protocol = Aerospike;

    fn count(&self) -> usize {
        self.partitions.count()
    }

    fn has_grown(&self, count: usize) -> bool {
        self.partitions.count() > count
    }

    fn server(&mut self, node: usize) -> Option<Server<Aerospike>> {
        Some(Server { address: self.partitions.address(node)?, ..self.server.clone() })
    }

    fn objects(&self) -> &Objects {
        self.server.protocol.objects()
    }

    fn node_of(&self, key: u64) -> usize {
        self.owner(key, self.partitions.current()).into()
    }

    /// Passes one [`Command::ReadOf`] for each node that owns at least one of the objects.
    fn split(&self, number: u64, count: u32, to: &mut dyn FnMut(usize, Command)) {
        let (map, mut sent) = (self.partitions.current(), [0; MOST_NODES]);
        for index in 0..count {
            let node = self.owner(self.objects().drawn(number + u64::from(index)), map);
            sent[usize::from(node) % MOST_NODES] += 1;
        }
        for (node, sent) in (0..).zip(sent).filter(|(_, sent)| *sent > 0) {
            to(node.into(), Command::ReadOf { number, count, sent, node, map });
        }
    }

    fn redirect_target(&mut self, _: usize, _: End) -> Option<Result<RedirectTarget, ()>> {
        None
    }
}
