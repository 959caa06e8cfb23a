//! The steps of a suite and the loads of each. They depend on names and sizes only, so that every call gives the same.

use clap::ValueEnum;
use device::closed_load::{Access, ClosedLoad};
use serde::{Deserialize, Serialize};

use crate::summary::size;

/// A step of the suite; steps are executed in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Erases the content of the drive.
    Purge,
    /// Random writes of 4 KiB in rounds, over all of the drive as the purge left it.
    Saturation,
    /// Fills the drive.
    Prepare,
    /// Random writes of 4 KiB in rounds until the rate has settled.
    Settle,
    /// Operations a second, for eight block sizes and seven shares of reads.
    Iops,
    /// Bytes a second, for sequential large blocks.
    Throughput,
    /// Latency with one operation under way, for three block sizes and three shares of reads.
    Latency,
    /// Random reads of 4 KiB, with increasing numbers of operations under way.
    Outstanding,
    /// Sequential writes before and after random writes.
    CrossStimulus,
    /// Random writes after idle times of several lengths.
    HostIdle,
    /// Writes that are made durable one after another, as in the logs of databases.
    SyncWrites,
    /// ACT's test of a database's drive, at one load.
    Act,
}

/// One load of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Load {
    /// A closed load, with a fixed number of operations under way.
    Closed(ClosedLoad),
    /// A load of ACT, as a multiple of its standard load for one drive.
    Act { act_load: f64 },
}

impl Load {
    /// Returns the closed load, or `None` for ACT.
    pub fn closed(&self) -> Option<&ClosedLoad> {
        match self {
            Self::Closed(load) => Some(load),
            Self::Act { .. } => None,
        }
    }
}

/// Sizes and times that determine the loads of a suite.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// Smallest block of the drive, in bytes.
    pub unit_bytes: u32,
    pub round_s: u64,
    pub act_load: f64,
}

pub const CROSS_STIMULUS_ROUNDS: usize = 5;
/// Bytes written until write saturation ends, as a multiple of the drive's size.
pub const SATURATION_FILLS: u64 = 4;
/// Time until write saturation ends in any case, in seconds.
pub const SATURATION_S: u64 = 6 * 3_600;
/// Divisor of the round's length that gives the length of a burst after idle time; short, so that it shows the effect of that.
const BURST_DIVISOR: u64 = 12;
/// Length of a measurement of ACT, in rounds.
const ACT_ROUNDS: u64 = 10;
/// Idle times, as multiples of a burst.
const IDLE_BURSTS: [u64; 5] = [1, 2, 6, 12, 60];

impl Step {
    /// Returns the name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns whether the only load of the step is repeated in rounds until the result is known.
    pub fn is_in_rounds(self) -> bool {
        matches!(self, Self::Saturation | Self::Settle)
    }

    /// Returns the loads in order of measuring, without those that a drive with this smallest block cannot execute.
    pub fn loads(self, scale: Scale) -> Vec<Load> {
        if self == Self::Act {
            return vec![Load::Act { act_load: scale.act_load }];
        }
        let loads = self.closed_loads(scale.round_s).into_iter();
        loads.filter(|load| load.block_bytes.is_multiple_of(scale.unit_bytes.max(1))).map(Load::Closed).collect()
    }

    fn closed_loads(self, round_s: u64) -> Vec<ClosedLoad> {
        const KIB: u32 = 1024;
        let random = |block_bytes, read_pct, depth| ClosedLoad {
            block_bytes,
            read_pct,
            depth,
            access: Access::Random,
            idle_before_s: 0,
            is_durable: false,
        };
        let sequential =
            |block_bytes, read_pct| ClosedLoad { access: Access::Sequential, ..random(block_bytes, read_pct, 32) };
        match self {
            Self::Purge | Self::Prepare | Self::Act => Vec::new(),
            Self::Saturation | Self::Settle => vec![random(4 * KIB, 0, 32)],
            // Large blocks and reads first, as in the specification.
            Self::Iops => [1024, 128, 64, 32, 16, 8, 4]
                .map(|kib| kib * KIB)
                .into_iter()
                .chain([512])
                .flat_map(|block| [100, 95, 65, 50, 35, 5, 0].map(|reads| random(block, reads, 32)))
                .collect(),
            Self::Throughput => [1024, 128]
                .into_iter()
                .flat_map(|kib| [100, 0].map(|read_pct| sequential(kib * KIB, read_pct)))
                .collect(),
            Self::Latency => [8 * KIB, 4 * KIB, 512]
                .into_iter()
                .flat_map(|block| [100, 65, 0].map(|reads| random(block, reads, 1)))
                .collect(),
            Self::Outstanding => [1, 4, 16, 64, 256].map(|depth| random(4 * KIB, 100, depth)).into(),
            Self::CrossStimulus => [sequential(1024 * KIB, 0), random(8 * KIB, 0, 32), sequential(1024 * KIB, 0)]
                .into_iter()
                .flat_map(|load| [load; CROSS_STIMULUS_ROUNDS])
                .collect(),
            // A full round before each idle time uses up the effect of the previous one.
            Self::HostIdle => IDLE_BURSTS
                .into_iter()
                .flat_map(|bursts| {
                    let writes = random(4 * KIB, 0, 32);
                    [writes, ClosedLoad { idle_before_s: bursts * burst_s(round_s), ..writes }]
                })
                .collect(),
            Self::SyncWrites => {
                [4, 8].map(|kib| ClosedLoad { depth: 1, is_durable: true, ..sequential(kib * KIB, 0) }).into()
            }
        }
    }
}

/// Returns how long a load is measured, in seconds: a burst after idle time, ten rounds for ACT, one round otherwise.
pub fn measured_s(load: &Load, round_s: u64) -> u64 {
    match load {
        Load::Act { .. } => ACT_ROUNDS * round_s,
        Load::Closed(load) if load.idle_before_s > 0 => burst_s(round_s),
        Load::Closed(_) => round_s,
    }
}

fn burst_s(round_s: u64) -> u64 {
    (round_s / BURST_DIVISOR).max(1)
}

/// Returns a description of a load, such as `4 KiB, random 65 % reads, 32 under way`.
pub fn description(load: &Load) -> String {
    let load = match load {
        Load::Closed(load) => load,
        Load::Act { act_load } => return format!("ACT {act_load}x"),
    };
    let block = size(load.block_bytes);
    let operations = match load.read_pct {
        100 => "reads".to_owned(),
        0 => "writes".to_owned(),
        reads => format!("{reads} % reads"),
    };
    let access = if load.access == Access::Random { "random" } else { "sequential" };
    let idle = match load.idle_before_s {
        0 => String::new(),
        idle_s => format!(", after {idle_s} s without any"),
    };
    let durable = if load.is_durable { ", each durable before the next" } else { "" };
    format!("{block}, {access} {operations}, {} under way{idle}{durable}", load.depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suite_has_the_cells_of_the_specification() {
        let counts = |unit| {
            let scale = Scale { unit_bytes: unit, round_s: 60, act_load: 1.0 };
            <Step as ValueEnum>::value_variants().iter().map(|step| step.loads(scale).len()).collect::<Vec<_>>()
        };
        assert_eq!(counts(512), [0, 1, 0, 1, 56, 4, 9, 5, 15, 10, 2, 1]);
        assert_eq!(counts(4096), [0, 1, 0, 1, 49, 4, 6, 5, 15, 10, 2, 1], "no 512 bytes where the drive has 4,096");
        assert!(<Step as ValueEnum>::value_variants().is_sorted());
        for step in <Step as ValueEnum>::value_variants() {
            assert_eq!(step.to_possible_value().expect("a name").get_name(), step.name());
        }
    }

    #[test]
    fn idle_times_are_followed_by_bursts() {
        let times = |round_s| -> Vec<(u64, u64)> {
            let loads = Step::HostIdle.loads(Scale { unit_bytes: 512, round_s, act_load: 1.0 });
            let idle_s = |load: &Load| load.closed().map_or(0, |load| load.idle_before_s);
            loads.iter().map(|load| (idle_s(load), measured_s(load, round_s))).collect()
        };
        assert_eq!(times(60)[..4], [(0, 60), (5, 5), (0, 60), (10, 5)]);
        assert_eq!(times(60)[9], (300, 5));
        assert_eq!(times(1)[..4], [(0, 1), (1, 1), (0, 1), (2, 1)], "never shorter than a second");
    }
}
