//! The hash by which YCSB scatters keys.

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a over the 8 low-order-first bytes of `number`, as the absolute value of a signed number.
///
/// YCSB cuts numbers to 32 bits before it calls this; here they keep 64, so both agree below 2³¹ only.
/// Source: YCSB, `Utils.fnvhash64`.
#[must_use]
pub fn fnv_hash(number: u64) -> u64 {
    let mut hash = OFFSET_BASIS;
    for byte in number.to_le_bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    }
    hash.cast_signed().unsigned_abs()
}
