//! Page-aligned memory, as needed for direct I/O.

/// Alignment of memory for direct I/O, in bytes; enough for every drive in use.
pub const ALIGNMENT: usize = 4096;

/// A page-aligned buffer.
#[derive(Debug)]
pub struct AlignedBytes {
    memory: Vec<u8>,
    start: usize,
    length: usize,
}

impl AlignedBytes {
    /// Returns a buffer of zeros; its pages are not allocated before they are written to.
    pub fn new(length: usize) -> Self {
        let memory = vec![0; length + ALIGNMENT];
        let start = memory.as_ptr().align_offset(ALIGNMENT);
        Self { memory, start, length }
    }

    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_on_a_page_and_is_as_long_as_asked() {
        for length in [1, 512, 4096, 131_072] {
            let mut bytes = AlignedBytes::new(length);
            let slice = bytes.as_mut_slice();
            assert_eq!(slice.as_ptr().addr() % ALIGNMENT, 0);
            assert_eq!(slice.len(), length);
        }
    }
}
