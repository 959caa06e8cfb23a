//! Contents of fields under YCSB's `dataintegrity`: key and field name, then repeatedly the hash of all text so far, cut to a
//! length.
//!
//! Source: YCSB, `CoreWorkload.buildDeterministicValue`.

/// Returns Java's hash of a text (`String.hashCode`), continued from `hash`, the hash of the text before it.
pub fn java_hash(hash: i32, text: &[u8]) -> i32 {
    text.iter().fold(hash, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(*byte)))
}

/// Passes the content to `to` in parts until `to` returns `false`. Returns whether all parts were accepted.
pub fn each_part(key: &[&[u8]], field: &[u8], length: usize, mut to: impl FnMut(&[u8]) -> bool) -> bool {
    let (mut hash, mut left) = (0, length);
    let mut hand = |hash: &mut i32, part: &[u8]| {
        *hash = java_hash(*hash, part);
        let cut = &part[..part.len().min(left)];
        left -= cut.len();
        (to(cut), left)
    };
    for part in key.iter().chain([&b":".as_slice(), &field]) {
        if !hand(&mut hash, part).0 {
            return false;
        }
    }
    loop {
        let (is_taken, left) = hand(&mut hash, b":");
        if !is_taken || left == 0 {
            return is_taken;
        }
        let mut buffer = itoa::Buffer::new();
        let number = buffer.format(hash).as_bytes();
        if !hand(&mut hash, number).0 {
            return false;
        }
    }
}

/// Returns whether `content` is the content that [`each_part`] creates.
pub fn holds(key: &[&[u8]], field: &[u8], length: usize, content: &[u8]) -> bool {
    let mut rest = content;
    let is_begin = each_part(key, field, length, |part| {
        let behind = rest.strip_prefix(part);
        rest = behind.unwrap_or(rest);
        behind.is_some()
    });
    is_begin && rest.is_empty() && content.len() == length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_hold_what_ycsb_calls_data_integrity() {
        for (key, field, length, expected) in [
            (
                "user6284781860667377211",
                "field0",
                100,
                "user6284781860667377211:field0:-56807877:2032869390:-165488160:1762371712:-169193395:-1039977118:-10",
            ),
            (
                "user55488592825689361",
                "field3",
                100,
                "user55488592825689361:field3:740276884:-649972520:-676670795:-983186951:-150490476:1672693279:-17308",
            ),
            ("user55488592825689361", "field3", 37, "user55488592825689361:field3:74027688"),
            ("user3343117810311055043", "field9", 20, "user3343117810311055"),
        ] {
            let parts: [&[u8]; 2] = [&key.as_bytes()[..4], &key.as_bytes()[4..]];
            let mut text = Vec::new();
            assert!(each_part(&parts, field.as_bytes(), length, |part| {
                text.extend_from_slice(part);
                true
            }));
            assert_eq!(String::from_utf8_lossy(&text), expected);
            assert!(holds(&parts, field.as_bytes(), length, &text));
            for wrong in [&text[1..], &text[..length - 1], &[&text[..], b":"].concat(), b""] {
                assert!(!holds(&parts, field.as_bytes(), length, wrong));
            }
            text[length - 1] ^= 1;
            assert!(!holds(&parts, field.as_bytes(), length, &text));
        }
    }
}
