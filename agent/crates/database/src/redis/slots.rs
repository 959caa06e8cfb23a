//! The owner of each slot of a Redis cluster, read at the start and updated by every redirection.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{PoisonError, RwLock};

use redis::Value;

use crate::socket::Address;

pub const SLOTS: usize = 16_384;
const NO_NODE: u16 = u16::MAX;

/// The nodes of a cluster and the owner of each slot. The index of a node never changes.
#[derive(Debug)]
pub struct Slots {
    owners: Box<[AtomicU16]>,
    nodes: RwLock<Vec<(String, Address)>>,
}

impl Slots {
    /// Parses the answer to `CLUSTER SLOTS`. Nodes that do not know their own address get `host`, the server that answered.
    /// Fails with the cause if the answer is malformed, a node has no address, or a slot has no owner.
    pub fn of_answer(answer: &Value, host: &str) -> Result<Self, String> {
        let slots = Self { owners: (0..SLOTS).map(|_| AtomicU16::new(NO_NODE)).collect(), nodes: RwLock::default() };
        slots.read(answer, host)?;
        let missing = slots.owners.iter().filter(|owner| owner.load(Ordering::Relaxed) == NO_NODE).count();
        if missing > 0 {
            return Err(format!(
                "{missing} of its {SLOTS} slots belong to no node; complete the cluster (CLUSTER ADDSLOTS)"
            ));
        }
        Ok(slots)
    }

    fn read(&self, answer: &Value, host: &str) -> Result<(), String> {
        const UNREADABLE: &str = "it keeps to itself which node has which slot (CLUSTER SLOTS)";
        let list = |value: &Value| match value {
            Value::Array(all) => Ok(all.clone()),
            _ => Err(UNREADABLE.to_owned()),
        };
        let number = |value: Option<&Value>| match value {
            Some(Value::Int(number)) => usize::try_from(*number).map_err(|_| UNREADABLE.to_owned()),
            _ => Err(UNREADABLE.to_owned()),
        };
        for range in list(answer)? {
            let range = list(&range)?;
            let (from, to) = (number(range.first())?, number(range.get(1))?);
            let node = list(range.get(2).unwrap_or(&Value::Nil))?;
            let name = match node.first() {
                Some(Value::BulkString(name)) if !name.is_empty() => String::from_utf8_lossy(name).into_owned(),
                _ => host.to_owned(),
            };
            let owner = self.node_at(&name, u16::try_from(number(node.get(1))?).unwrap_or(0))?;
            for slot in self.owners.get(from..=to).ok_or(UNREADABLE)? {
                slot.store(owner, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Returns the index of a node, which is added if it is new.
    fn node_at(&self, host: &str, port: u16) -> Result<u16, String> {
        let name = format!("{host}:{port}");
        let mut nodes = self.nodes.write().unwrap_or_else(PoisonError::into_inner);
        let index = if let Some(index) = nodes.iter().position(|(known, _)| *known == name) {
            index
        } else {
            let address = Address::of(host, port);
            let address = address.map_err(|error| format!("its node {name} is not found: {error}"))?;
            nodes.push((name, address));
            nodes.len() - 1
        };
        u16::try_from(index).map_err(|_| "it has more nodes than can be".to_owned())
    }

    #[inline]
    pub fn node_of(&self, slot: u16) -> usize {
        usize::from(self.owners[usize::from(slot) % SLOTS].load(Ordering::Relaxed))
    }

    /// Returns the address of a node; `None` if there is no such node.
    pub fn address(&self, node: usize) -> Option<Address> {
        let nodes = self.nodes.read().unwrap_or_else(PoisonError::into_inner);
        nodes.get(node).map(|(_, address)| address.clone())
    }

    pub fn count(&self) -> usize {
        self.nodes.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Returns the node that a redirection names. If the slot has moved, this node owns it from now on.
    pub fn follow(&self, redirection: &Redirection) -> Result<usize, String> {
        let (host, port) = redirection.to.rsplit_once(':').ok_or("a redirection names no node")?;
        let port = port.parse().map_err(|_| "a redirection names no port")?;
        let node = self.node_at(host.trim_matches(['[', ']']), port)?;
        if !redirection.asks {
            self.owners[usize::from(redirection.slot) % SLOTS].store(node, Ordering::Relaxed);
        }
        Ok(usize::from(node))
    }
}

/// Answer of a node that does not own a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirection {
    /// Whether only this command is redirected, since the slot is being moved.
    pub asks: bool,
    pub slot: u16,
    /// Address of the other node as `host:port`.
    pub to: String,
}

impl Redirection {
    /// Parses a refusal; `None` if it is no redirection.
    pub fn of(refusal: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(refusal).ok()?;
        let (asks, rest) = match text.split_once(' ')? {
            ("MOVED", rest) => (false, rest),
            ("ASK", rest) => (true, rest),
            _ => return None,
        };
        let mut words = rest.split(' ');
        Some(Self { asks, slot: words.next()?.parse().ok()?, to: words.next()?.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: i64, last: i64, host: &str, port: i64) -> Value {
        let node = Value::Array(vec![Value::BulkString(host.into()), Value::Int(port), Value::BulkString("id".into())]);
        Value::Array(vec![Value::Int(first), Value::Int(last), node])
    }

    #[test]
    fn owners_are_learned_at_first_and_from_redirections() {
        let answer = Value::Array(vec![range(0, 99, "127.0.0.1", 7000), range(100, 16_383, "", 7001)]);
        let slots = Slots::of_answer(&answer, "127.0.0.1").expect("whole");
        assert_eq!((slots.node_of(99), slots.node_of(100), slots.count()), (0, 1, 2));
        let moved = Redirection::of(b"MOVED 99 127.0.0.1:7001").expect("one");
        assert_eq!((slots.follow(&moved), slots.node_of(99)), (Ok(1), 1));
        let asks = Redirection::of(b"ASK 98 127.0.0.1:7002").expect("one");
        assert_eq!((slots.follow(&asks), slots.node_of(98), slots.count()), (Ok(2), 0, 3));
        assert_eq!(Redirection::of(b"ERR MOVED"), None);
        let part = Value::Array(vec![range(0, 99, "127.0.0.1", 7000)]);
        assert!(Slots::of_answer(&part, "127.0.0.1").expect_err("holes").contains("16284 of its 16384 slots"));
    }
}
