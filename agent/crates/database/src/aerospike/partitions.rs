//! The owner of each partition of an Aerospike namespace, read from all nodes at the start and again after a change.
//!
//! A map never changes: a new map replaces it, and requests that were split by an older map remain valid. Measured operations take
//! no lock.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use crate::aerospike::client::Client;
use crate::aerospike::login::Login;
use crate::socket::Address;
use crate::tls::Tls;

pub const PARTITIONS: usize = 4096;
pub const MOST_NODES: usize = 256;
const NO_NODE: u16 = u16::MAX;
/// Maximum number of maps in a run. Later changes are ignored: nodes forward requests for partitions that have moved.
const MOST_MAPS: usize = 1_024;
/// Interval between two checks for changes, as in Aerospike's own clients.
const CHECK_EVERY: Duration = Duration::from_secs(1);

type Map = Box<[u16; PARTITIONS]>;

/// Namespace, TLS settings and login for every node.
#[derive(Clone)]
pub struct Access {
    pub tls: Option<Tls>,
    pub login: Option<Arc<Login>>,
    pub namespace: String,
}

/// The nodes of a cluster and the owner of each partition. The index of a node never changes.
pub struct Partitions {
    access: Access,
    maps: Box<[OnceLock<Map>]>,
    current: AtomicUsize,
    nodes: RwLock<Vec<(String, Address)>>,
    count: AtomicUsize,
}

/// Keeps the thread running that checks for changes. The thread ends after this is dropped.
pub struct Watch(Arc<AtomicBool>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Partitions {
    /// Connects to the node at `seed`, discovers all other nodes, and reads which partitions each owns. Fails with the node and
    /// the cause if a node cannot be reached or does not report its partitions, or if a partition has no owner.
    pub fn discover(access: Access, seed: &Address) -> Result<Self, String> {
        let partitions = Self {
            access,
            maps: (0..MOST_MAPS).map(|_| OnceLock::new()).collect(),
            current: AtomicUsize::new(0),
            nodes: RwLock::default(),
            count: AtomicUsize::new(0),
        };
        partitions.add_with_peers(seed)?;
        let map = partitions.read_map()?;
        let missing = map.iter().filter(|owner| **owner == NO_NODE).count();
        if missing > 0 {
            return Err(format!(
                "{missing} of {PARTITIONS} partitions of the namespace {} belong to no node; wait until the cluster is complete \
                 (asadm: info), or name a namespace that all nodes have",
                partitions.access.namespace
            ));
        }
        let _ = partitions.maps[0].set(map);
        Ok(partitions)
    }

    fn connect(&self, address: &Address) -> Result<Client, String> {
        Client::connect(address, self.access.tls.as_ref(), self.access.login.as_deref())
    }

    fn add_with_peers(&self, address: &Address) -> Result<(), String> {
        let peers = if self.access.tls.is_some() { "peers-tls-std" } else { "peers-clear-std" };
        let answers = self.connect(address)?.ask(&format!("node\n{peers}"))?;
        let answer = |name: &str| answers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        self.add(answer("node"), address.clone());
        for (id, host, port) in peers_of(answer(peers)).ok_or("it keeps to itself which nodes there are (peers)")? {
            let peer = Address::of(&host, port);
            self.add(&id, peer.map_err(|error| format!("its node {host}:{port} is not found: {error}"))?);
        }
        Ok(())
    }

    fn add(&self, id: &str, address: Address) {
        let mut nodes = self.nodes.write().unwrap_or_else(PoisonError::into_inner);
        if nodes.iter().all(|(node, _)| node != id) && nodes.len() < MOST_NODES {
            nodes.push((id.to_owned(), address));
            self.count.store(nodes.len(), Ordering::Release);
        }
    }

    /// Returns the node that owns each partition, as the nodes report it; `NO_NODE` if none does.
    fn read_map(&self) -> Result<Map, String> {
        let mut map: Map = Box::new([NO_NODE; PARTITIONS]);
        for node in 0..self.count() {
            let Some(address) = self.address(node) else { break };
            let answers = match self.connect(&address).and_then(|mut client| client.ask("replicas")) {
                Ok(answers) => answers,
                // A node that has left the cluster owns no partitions. At the start an unreachable node is an error.
                Err(_) if self.maps[0].get().is_some() => continue,
                Err(sentence) => return Err(format!("its node {} cannot be asked: {sentence}", self.name(node))),
            };
            let replicas = answers.first().map_or("", |(_, value)| value);
            let owned = masters_of(replicas, &self.access.namespace)
                .ok_or_else(|| format!("its node {} keeps to itself what it has (replicas)", self.name(node)))?;
            for (owner, _) in map.iter_mut().zip(owned).filter(|(_, is_owned)| *is_owned) {
                *owner = u16::try_from(node).unwrap_or(NO_NODE);
            }
        }
        Ok(map)
    }

    fn name(&self, node: usize) -> String {
        let nodes = self.nodes.read().unwrap_or_else(PoisonError::into_inner);
        nodes.get(node).map_or_else(String::new, |(id, address)| format!("{id} ({address:?})"))
    }

    /// Returns the address of a node; `None` if there is no such node.
    pub fn address(&self, node: usize) -> Option<Address> {
        let nodes = self.nodes.read().unwrap_or_else(PoisonError::into_inner);
        nodes.get(node).map(|(_, address)| address.clone())
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    #[inline]
    pub fn current(&self) -> u16 {
        u16::try_from(self.current.load(Ordering::Acquire)).unwrap_or(0)
    }

    /// Returns the node that owns `partition` in the map with number `map`; node 0 if that map has no owner for it.
    #[inline]
    pub fn node_of(&self, partition: u16, map: u16) -> u16 {
        let owner =
            self.maps[usize::from(map) % MOST_MAPS].get().map_or(0, |map| map[usize::from(partition) % PARTITIONS]);
        if owner == NO_NODE { 0 } else { owner }
    }

    /// Reads the map again if any node has changed since `generations`, and updates these. Empty `generations` are only filled.
    fn refresh(&self, generations: &mut Vec<String>) {
        let mut descriptions = Vec::new();
        for node in 0..self.count() {
            let Some(address) = self.address(node) else { break };
            let generation =
                self.connect(&address).and_then(|mut client| client.ask("partition-generation\npeers-generation"));
            descriptions.push(generation.map_or_else(|_| String::new(), |generation| format!("{generation:?}")));
        }
        if descriptions == *generations {
            return;
        }
        if !generations.is_empty() {
            for address in (0..self.count()).filter_map(|node| self.address(node)) {
                let _ = self.add_with_peers(&address);
            }
            let next = self.current.load(Ordering::Acquire) + 1;
            if let (true, Ok(map)) = (next < MOST_MAPS, self.read_map())
                && self.maps[next].set(map).is_ok()
            {
                self.current.store(next, Ordering::Release);
            }
        }
        *generations = descriptions;
    }

    /// Starts a thread that checks for changes every second until the returned value is dropped.
    pub fn watch(self: &Arc<Self>) -> Watch {
        let is_over = Arc::new(AtomicBool::new(false));
        let (watch, partitions) = (Watch(Arc::clone(&is_over)), Arc::clone(self));
        thread::spawn(move || {
            let mut generations = Vec::new();
            while !is_over.load(Ordering::Acquire) {
                partitions.refresh(&mut generations);
                thread::sleep(CHECK_EVERY);
            }
        });
        watch
    }
}

/// Parses `generation,port,[[id,tls-name,[host:port,…]],…]` into id, host and port of each node; `None` if malformed.
fn peers_of(text: &str) -> Option<Vec<(String, String, u16)>> {
    let mut words = text.splitn(3, ',');
    let (_, port, list) = (words.next()?, words.next()?, words.next()?);
    let default: u16 = port.parse().unwrap_or(3000);
    let list = list.strip_prefix('[')?.strip_suffix(']')?;
    let mut peers = Vec::new();
    for node in list.split("]],").map(|node| node.trim_start_matches(['[', ','])).filter(|node| !node.is_empty()) {
        let mut words = node.splitn(3, ',');
        let (id, _, hosts) = (words.next()?, words.next()?, words.next()?);
        // The first address of the node is used: `host`, `host:port`, `[v6]` or `[v6]:port`.
        let hosts = hosts.strip_prefix('[').unwrap_or(hosts);
        let (host, rest) = match hosts.strip_prefix('[') {
            Some(v6) => v6.split_once(']')?,
            None => hosts.split_at(hosts.find([':', ',', ']']).unwrap_or(hosts.len())),
        };
        let port = rest.strip_prefix(':').map(|rest| rest.split([',', ']']).next().unwrap_or_default().parse().ok());
        peers.push((id.to_owned(), host.to_owned(), port.unwrap_or(Some(default))?));
    }
    Some(peers)
}

/// Base64 without padding. The bits after the last partition are ignored.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// Returns for each partition whether the node is its master, from `namespace:regime,copies,bits,…;…`. The bits are base64 of 4,096
/// bits. Returns `None` if the namespace is missing or its bits are malformed.
fn masters_of(text: &str, namespace: &str) -> Option<Vec<bool>> {
    let of = text.split(';').find_map(|part| part.strip_prefix(namespace)?.strip_prefix(':'))?;
    let bits = of.split(',').nth(2)?;
    // Servers differ in how they pad base64.
    let bytes = BASE64.decode(bits.trim_end_matches('=')).ok()?;
    let mut owned: Vec<bool> =
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
    owned.truncate(PARTITIONS);
    (owned.len() == PARTITIONS).then_some(owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_are_read_as_servers_write_them() {
        let peer = |id: &str, host: &str, port| (id.to_owned(), host.to_owned(), port);
        assert_eq!(peers_of("0,3000,[]"), Some(vec![]));
        assert_eq!(
            peers_of(
                "2,3000,[[BB9050011AC4202,,[172.17.0.5]],[BB9070011AC4202,db,[[2001:db8::1]:3100,10.0.0.1:3100]]]"
            ),
            Some(vec![peer("BB9050011AC4202", "172.17.0.5", 3000), peer("BB9070011AC4202", "2001:db8::1", 3100)])
        );
        assert_eq!(peers_of("1,3000,[[A1,,[127.0.0.1:13010]]]"), Some(vec![peer("A1", "127.0.0.1", 13_010)]));
        assert_eq!(peers_of("ERROR"), None);
    }

    #[test]
    fn masters_are_the_first_bits_of_a_namespace() {
        // The bits are 512 bytes, of which the first is 0x80.
        let text = format!("other:0,1,AAAA;test:0,2,g{}=,{}=", "A".repeat(682), "/".repeat(683));
        let owned = masters_of(&text, "test").expect("whole");
        assert_eq!((owned[0], owned[1], owned.len()), (true, false, PARTITIONS));
        assert_eq!(masters_of(&text, "tes"), None);
        assert_eq!(masters_of("test:0,1,gA==", "test"), None);
    }
}
