//! The hash that YCSB scatters keys with.

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Returns the FNV-1a hash of the 8 little-endian bytes of `number`, as the absolute value of a signed integer.
///
/// YCSB truncates numbers to 32 bits before hashing; this function does not, so the two agree only below 2³¹.
/// Source: YCSB, `Utils.fnvhash64`.
pub fn fnv_hash(number: u64) -> u64 {
    let mut hash = OFFSET_BASIS;
    for byte in number.to_le_bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    }
    hash.cast_signed().unsigned_abs()
}
