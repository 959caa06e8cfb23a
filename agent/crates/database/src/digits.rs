//! Decimal digits of a number without allocation, for names of keys.

/// Decimal digits of a number.
#[derive(Debug, Clone, Copy)]
pub struct Digits {
    bytes: [u8; 20],
    first: usize,
}

impl Digits {
    pub fn of(mut number: u64) -> Self {
        let (mut bytes, mut first) = ([b'0'; 20], 20);
        loop {
            first -= 1;
            bytes[first] = b'0' + u8::try_from(number % 10).unwrap_or(0);
            number /= 10;
            if number == 0 {
                return Self { bytes, first };
            }
        }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.first..]
    }
}
