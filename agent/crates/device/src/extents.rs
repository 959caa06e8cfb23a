//! Offsets and sizes of operations, as a pure function of the operation's number.

use measure::random;
use runner::Program;

use crate::command::{Command, Kind};
use crate::plan::{ActStoragePlan, Model};

/// Offsets and sizes for one kind of operation on one device, drawn as ACT does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extents {
    unit_bytes: u32,
    count: u64,
    /// Smallest size; a size is this plus 0 to `sizes - 1` units.
    least_bytes: u32,
    sizes: u32,
}

impl Extents {
    /// Returns the extents of `kind` on a device with `span_bytes` usable bytes and a smallest unit of `unit_bytes`.
    pub fn of(kind: Kind, plan: &ActStoragePlan, span_bytes: u64, unit_bytes: u32) -> Self {
        let block = plan.large_block_bytes;
        if kind.is_large() {
            return Self { unit_bytes: block, count: span_bytes / u64::from(block), least_bytes: block, sizes: 1 };
        }
        let (least, most) = plan.stored_bytes();
        let (least, most) = (least.div_ceil(unit_bytes), most.div_ceil(unit_bytes));
        // The last extent has room for the largest record. As in ACT, an incomplete large block at the end is not used.
        let units = span_bytes / u64::from(block) * u64::from(block) / u64::from(unit_bytes);
        let (unit_bytes, count) = match plan.model {
            Model::Storage => (unit_bytes, units.saturating_sub(u64::from(most)) + 1),
            Model::Index => (least * unit_bytes, units / u64::from(least)),
        };
        let least_bytes = if plan.model == Model::Index { unit_bytes } else { least * unit_bytes };
        Self { unit_bytes, count, least_bytes, sizes: most - least + 1 }
    }

    /// Returns the size of the largest operation, in bytes.
    pub fn largest_bytes(self) -> u32 {
        self.least_bytes + (self.sizes - 1) * self.unit_bytes
    }

    /// Returns the offset of operation `number` of a repeated sequential pass over all extents.
    fn in_turn(self, number: u64) -> u64 {
        number % self.count * u64::from(self.unit_bytes)
    }

    /// Returns offset and size of operation `number`, drawn at random.
    fn draw(self, seed: u64, stream: u64, number: u64) -> (u64, u32) {
        let index = random::below(self.count, random::bits(seed, stream, number));
        let more = if self.sizes == 1 {
            0
        } else {
            random::below(u64::from(self.sizes), random::bits(seed, stream + (1 << 32), number))
        };
        (index * u64::from(self.unit_bytes), self.least_bytes + u32::try_from(more).unwrap_or(0) * self.unit_bytes)
    }
}

/// The operations of one kind on one device.
#[derive(Debug, Clone, Copy)]
pub struct Operations {
    pub kind: Kind,
    pub device: u16,
    pub extents: Extents,
    pub seed: u64,
}

impl Program for Operations {
    type Command = Command;

    fn command(&self, number: u64, _: u32) -> Command {
        let Self { kind, device, extents, seed } = *self;
        let (offset_bytes, bytes) = match kind {
            Kind::Sweep => (extents.in_turn(number), extents.least_bytes),
            _ => extents.draw(seed, u64::from(device) * 8 + kind as u64, number),
        };
        Command { kind, device, bytes, number, offset_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: u64 = 64 << 20;

    #[test]
    fn records_are_rounded_to_what_the_device_reads_and_every_extent_fits_the_largest() {
        let plan =
            ActStoragePlan { record_bytes: 1500, record_bytes_range_max: 4000, ..ActStoragePlan::new("a".into()) };
        for (unit, least, sizes, largest) in [(512, 1536, 6, 4096), (4096, 4096, 1, 4096)] {
            let extents = Extents::of(Kind::Read, &plan, SPAN + 5000, unit);
            assert_eq!((extents.least_bytes, extents.sizes, extents.largest_bytes()), (least, sizes, largest));
            let drawn: Vec<(u64, u32)> = (0..20_000).map(|number| extents.draw(7, 1, number)).collect();
            assert!(drawn.iter().all(|(offset, bytes)| offset + u64::from(*bytes) <= SPAN
                && offset.is_multiple_of(u64::from(unit))
                && bytes.is_multiple_of(unit)));
            let mut counts = std::collections::BTreeMap::new();
            for (_, bytes) in &drawn {
                *counts.entry(*bytes).or_insert(0) += 1;
            }
            assert_eq!(counts.len(), sizes as usize);
            assert!(counts.values().all(|count| (20_000 / i64::from(sizes) - count).abs() < 300), "{counts:?}");
            assert!(drawn.iter().any(|(offset, _)| *offset > SPAN * 99 / 100));
        }
    }

    #[test]
    fn an_index_entry_is_four_kib_in_its_own_extent() {
        let plan = ActStoragePlan { model: Model::Index, ..ActStoragePlan::new("a".into()) };
        let extents = Extents::of(Kind::Write, &plan, SPAN, 512);
        assert_eq!((extents.unit_bytes, extents.count, extents.largest_bytes()), (4096, SPAN / 4096, 4096));
    }
}
