//! Commands that are not measured, sent to a single server, or to the node of a cluster that owns their key.

use std::io;
use std::sync::Arc;

use keys::placement::redis_slot;
use redis::{Cmd, ConnectionLike, ErrorKind, FromRedisValue as _, RedisError, RedisResult, Value};

use crate::redis::client::Connection;
use crate::redis::protocol::ASKING;
use crate::redis::resp;
use crate::redis::slots::{Redirection, Slots};
use crate::socket::Address;
use crate::tls::Tls;

/// Maximum number of redirections of a request, whose slot may be moving.
const MOST_REDIRECTIONS: usize = 8;

/// Blocking connections to a single server, or to the nodes of a cluster.
pub struct Router {
    /// Slots of the cluster; `None` for a single server.
    slots: Option<Arc<Slots>>,
    /// Connections by the index of the node. Commands without a key go to the first node.
    nodes: Vec<Option<Connection>>,
    tls: Option<Tls>,
    greeting: (Vec<u8>, usize),
}

impl Router {
    /// Connects to `address` if there are no `slots`. Otherwise a node is connected to when it is first needed.
    pub fn open(
        address: &Address,
        tls: Option<&Tls>,
        greeting: (Vec<u8>, usize),
        slots: Option<Arc<Slots>>,
    ) -> RedisResult<Self> {
        let mut router = Self { slots, nodes: Vec::new(), tls: tls.cloned(), greeting };
        if router.slots.is_none() {
            router.nodes.push(Some(router.connect(address)?));
        }
        Ok(router)
    }

    fn connect(&self, address: &Address) -> RedisResult<Connection> {
        Connection::open(address, self.tls.as_ref(), (&self.greeting.0, self.greeting.1))
    }

    /// Returns a description of the TLS connection; `None` for plain text.
    pub fn secured(&self) -> Option<String> {
        self.nodes.iter().flatten().find_map(Connection::secured)
    }

    fn node(&mut self, node: usize) -> RedisResult<&mut Connection> {
        if self.nodes.len() <= node {
            self.nodes.resize_with(node + 1, || None);
        }
        if self.nodes[node].is_none() {
            let address = self.slots.as_ref().and_then(|slots| slots.address(node));
            let address = address.ok_or_else(|| io::Error::from(io::ErrorKind::AddrNotAvailable))?;
            self.nodes[node] = Some(self.connect(&address)?);
        }
        self.nodes[node].as_mut().ok_or_else(|| RedisError::from((ErrorKind::Client, "no connection")))
    }

    /// Returns the number of keys on all nodes.
    pub fn key_count(&mut self) -> RedisResult<u64> {
        let count = self.slots.as_ref().map_or(1, |slots| slots.count());
        let request = redis::cmd("DBSIZE").get_packed_command();
        let answers = (0..count).map(|node| self.node(node)?.ask(&request, 1)).collect::<RedisResult<Vec<_>>>()?;
        answers.into_iter().flatten().map(|answer| Ok(u64::from_redis_value(answer.extract_error()?)?)).sum()
    }

    /// Returns the index of the node that a command goes to.
    fn node_of(&self, request: &[u8]) -> usize {
        const WITHOUT_KEY: [&[u8]; 4] = [b"INFO", b"CONFIG", b"CLUSTER", b"PING"];
        let Some(slots) = &self.slots else { return 0 };
        let (mut word, mut node) = (0, 0);
        let mut has_key = true;
        resp::each_value(request, |value| {
            match word {
                0 => has_key = !WITHOUT_KEY.contains(&value),
                1 if has_key => node = slots.node_of(redis_slot(value)),
                _ => {}
            }
            word += 1;
        });
        node
    }

    /// Follows redirections, beginning with `answer`, and returns the final answer to a request.
    fn followed(&mut self, request: &[u8], mut answer: Value) -> RedisResult<Value> {
        for _ in 0..MOST_REDIRECTIONS {
            let Value::ServerError(error) = &answer else { break };
            let text = format!("{} {}", error.code(), error.details().unwrap_or_default());
            let (Some(redirection), Some(slots)) = (Redirection::of(text.as_bytes()), self.slots.clone()) else {
                break;
            };
            let node = slots.follow(&redirection).map_err(io::Error::other)?;
            let connection = self.node(node)?;
            if redirection.asks {
                connection.ask(ASKING, 1)?;
            }
            answer = connection.ask(request, 1)?.pop().unwrap_or(Value::Nil);
        }
        Ok(answer)
    }
}

impl ConnectionLike for Router {
    fn req_packed_command(&mut self, request: &[u8]) -> RedisResult<Value> {
        let mut answers = self.req_packed_commands(request, 0, 1)?;
        answers.pop().unwrap_or(Value::Nil).extract_error()
    }

    fn req_packed_commands(&mut self, requests: &[u8], offset: usize, _: usize) -> RedisResult<Vec<Value>> {
        let (mut all, mut at) = (Vec::new(), 0);
        while let Ok(Some((_, length))) = resp::read_answer(&requests[at..]) {
            all.push(&requests[at..at + length]);
            at += length;
        }
        let mut of_node: Vec<(Vec<u8>, Vec<usize>)> = Vec::new();
        for (index, request) in all.iter().enumerate() {
            let node = self.node_of(request);
            if of_node.len() <= node {
                of_node.resize_with(node + 1, Default::default);
            }
            of_node[node].0.extend_from_slice(request);
            of_node[node].1.push(index);
        }
        let mut answers = vec![Value::Nil; all.len()];
        for (node, (bytes, indices)) in of_node.iter().enumerate().filter(|(_, (_, indices))| !indices.is_empty()) {
            let of_node = self.node(node)?.ask(bytes, indices.len())?;
            for (index, answer) in indices.iter().zip(of_node) {
                answers[*index] = self.followed(all[*index], answer)?;
            }
        }
        Ok(answers.split_off(offset))
    }

    fn get_db(&self) -> i64 {
        0
    }

    fn check_connection(&mut self) -> bool {
        self.req_command(&Cmd::new().arg("PING").to_owned()).is_ok()
    }

    fn is_open(&self) -> bool {
        true
    }
}
