//! Placement of keys by a server: digest and partition in Aerospike, slot in a Redis cluster.

use crc::{CRC_16_XMODEM, Crc};
use ripemd::{Digest as _, Ripemd160};

use crate::name::Key;

const AEROSPIKE_PARTITIONS: u16 = 4096;
const AEROSPIKE_INTEGER: u8 = 1;
const AEROSPIKE_TEXT: u8 = 3;
const REDIS_SLOTS: u16 = 16_384;
const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// Returns the 20-byte digest by which Aerospike identifies a record: RIPEMD-160 of set name, key type and key.
pub fn aerospike_digest(set: &str, key: &Key) -> [u8; 20] {
    match key {
        Key::Integer(number) => aerospike_integer_digest(set, *number),
        Key::Text(text) => aerospike_text_digest(set, &[text.as_bytes()]),
    }
}

/// Returns the Aerospike digest of the integer key `number`.
pub fn aerospike_integer_digest(set: &str, number: u64) -> [u8; 20] {
    let hasher = Ripemd160::new().chain_update(set).chain_update([AEROSPIKE_INTEGER]);
    hasher.chain_update(number.to_be_bytes()).finalize().into()
}

/// Returns the Aerospike digest of a text key given in `parts`.
pub fn aerospike_text_digest(set: &str, parts: &[&[u8]]) -> [u8; 20] {
    let hasher = Ripemd160::new().chain_update(set).chain_update([AEROSPIKE_TEXT]);
    parts.iter().fold(hasher, Ripemd160::chain_update).finalize().into()
}

/// Returns the partition of a digest, 0 to 4095.
pub fn aerospike_partition(digest: &[u8; 20]) -> u16 {
    u16::from_le_bytes([digest[0], digest[1]]) % AEROSPIKE_PARTITIONS
}

/// Returns the slot of a key in a Redis cluster, 0 to 16383. If the key contains a non-empty `{tag}`, only the first tag is hashed.
pub fn redis_slot(key: &[u8]) -> u16 {
    CRC.checksum(tag_of(key).unwrap_or(key)) % REDIS_SLOTS
}

fn tag_of(key: &[u8]) -> Option<&[u8]> {
    let begin = key.iter().position(|&byte| byte == b'{')? + 1;
    let length = key[begin..].iter().position(|&byte| byte == b'}')?;
    (length > 0).then(|| &key[begin..begin + length])
}
