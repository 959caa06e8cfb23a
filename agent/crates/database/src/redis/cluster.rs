//! A Redis cluster: each key belongs to a slot, and nodes redirect requests for slots that have moved.

use std::sync::Arc;

use keys::placement::redis_slot;
use runner::End;

use crate::cluster::{Cluster, RedirectTarget};
use crate::command::Command;
use crate::connection::Server;
use crate::objects::Objects;
use crate::protocol::Protocol as _;
use crate::redis::protocol::{MOVED, Redirections, Redis};
use crate::redis::slots::Slots;

/// Length in bytes of the longest name of a key: prefix, zeros and digits.
const LONGEST_NAME: usize = 128;

/// Routes commands to the nodes of a Redis cluster.
pub struct RedisCluster {
    server: Server<Redis>,
    slots: Arc<Slots>,
    redirections: Vec<Redirections>,
}

impl RedisCluster {
    /// Creates the routing by `slots`. All nodes share the protocol and the TLS settings of `server`.
    pub fn new(server: Server<Redis>, slots: Arc<Slots>) -> Self {
        Self { server, slots, redirections: Vec::new() }
    }
}

impl Cluster for RedisCluster {
    type Protocol = Redis;

    fn count(&self) -> usize {
        self.slots.count()
    }

    fn server(&mut self, node: usize) -> Option<Server<Redis>> {
        let mut server = Server { address: self.slots.address(node)?, ..self.server.clone() };
        self.redirections.resize_with(self.redirections.len().max(node + 1), Redirections::default);
        server.protocol = server.protocol.of_cluster(&self.redirections[node]);
        Some(server)
    }

    fn objects(&self) -> &Objects {
        self.server.protocol.objects()
    }

    fn node_of(&self, key: u64) -> usize {
        let (mut name, mut length) = ([0; LONGEST_NAME], 0);
        self.objects().with_name(key, |parts| {
            for part in parts {
                name[length..length + part.len()].copy_from_slice(part);
                length += part.len();
            }
        });
        self.slots.node_of(redis_slot(&name[..length]))
    }

    /// Passes one read for each object, as nearly every key has its own slot.
    fn split(&self, number: u64, count: u32, to: &mut dyn FnMut(usize, Command)) {
        for number in number..number + u64::from(count) {
            let key = self.objects().drawn(number);
            to(self.node_of(key), Command::Read { key, number });
        }
    }

    fn redirect_target(&mut self, node: usize, end: End) -> Option<Result<RedirectTarget, ()>> {
        if end != End::Failed(MOVED) {
            return None;
        }
        let redirection = self.redirections.get(node)?.take()?;
        let node = self.slots.follow(&redirection).map_err(drop);
        Some(node.map(|node| RedirectTarget { node, asks: redirection.asks }))
    }
}
