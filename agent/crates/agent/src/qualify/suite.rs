//! The steps of a suite and the loads of each: what is measured is a function of names and sizes, the same in every call.

use clap::ValueEnum;
use device::closed_load::{Access, ClosedLoad};
use serde::{Deserialize, Serialize};

/// A part of the suite, in the order in which all of them are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// The drive forgets what it holds.
    Purge,
    /// It is filled.
    Prepare,
    /// Random writes of 4 KiB in rounds until the rate has settled.
    Settle,
    /// Operations a second: eight sizes of block, seven shares of reads.
    Iops,
    /// Bytes a second: large blocks one behind the other.
    Throughput,
    /// Latency with one operation under way: three sizes, three shares of reads.
    Latency,
    /// Random reads of 4 KiB with more and more operations under way.
    Outstanding,
}

impl Step {
    /// Returns its name as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Purge => "purge",
            Self::Prepare => "prepare",
            Self::Settle => "settle",
            Self::Iops => "iops",
            Self::Throughput => "throughput",
            Self::Latency => "latency",
            Self::Outstanding => "outstanding",
        }
    }

    /// Returns its loads, in the order in which they are measured, without those that a drive of this smallest unit cannot do.
    /// Those of `settle` are repeated until the rate has settled.
    pub fn loads(self, unit_bytes: u32) -> Vec<ClosedLoad> {
        const KIB: u32 = 1024;
        let random = |block_bytes, read_pct, depth| ClosedLoad { block_bytes, read_pct, depth, access: Access::Random };
        let all = match self {
            Self::Purge | Self::Prepare => Vec::new(),
            Self::Settle => vec![random(4 * KIB, 0, 32)],
            // Large blocks and reads first, as the specification has them.
            Self::Iops => [1024, 128, 64, 32, 16, 8, 4]
                .map(|kib| kib * KIB)
                .into_iter()
                .chain([512])
                .flat_map(|block| [100, 95, 65, 50, 35, 5, 0].map(|reads| random(block, reads, 32)))
                .collect(),
            Self::Throughput => [1024, 128]
                .into_iter()
                .flat_map(|kib| {
                    [100, 0].map(|read_pct| ClosedLoad {
                        block_bytes: kib * KIB,
                        read_pct,
                        depth: 32,
                        access: Access::Sequential,
                    })
                })
                .collect(),
            Self::Latency => [8 * KIB, 4 * KIB, 512]
                .into_iter()
                .flat_map(|block| [100, 65, 0].map(|reads| random(block, reads, 1)))
                .collect(),
            Self::Outstanding => [1, 4, 16, 64, 256].map(|depth| random(4 * KIB, 100, depth)).into(),
        };
        all.into_iter().filter(|load| load.block_bytes.is_multiple_of(unit_bytes.max(1))).collect()
    }
}

/// Returns a load in words, such as `4 KiB, 65 % reads, 32 under way, random`.
pub fn in_words(load: &ClosedLoad) -> String {
    let block = match load.block_bytes {
        bytes if bytes.is_multiple_of(1024) => format!("{} KiB", bytes / 1024),
        bytes => format!("{bytes} B"),
    };
    let operations = match load.read_pct {
        100 => "reads".to_owned(),
        0 => "writes".to_owned(),
        reads => format!("{reads} % reads"),
    };
    let access = if load.access == Access::Random { "random" } else { "sequential" };
    format!("{block}, {access} {operations}, {} under way", load.depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suite_has_the_cells_of_the_specification() {
        let counts =
            |unit| <Step as ValueEnum>::value_variants().iter().map(|step| step.loads(unit).len()).collect::<Vec<_>>();
        assert_eq!(counts(512), [0, 0, 1, 56, 4, 9, 5]);
        assert_eq!(counts(4096), [0, 0, 1, 49, 4, 6, 5], "no 512 bytes where the drive has 4,096");
        assert!(<Step as ValueEnum>::value_variants().is_sorted());
        for step in <Step as ValueEnum>::value_variants() {
            assert_eq!(step.to_possible_value().expect("a name").get_name(), step.name());
        }
    }
}
