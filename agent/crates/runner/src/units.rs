//! Units under way that have several commands (transactions), with their progress.

/// Reason why a unit has no latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    Failed,
    TimedOut,
}

/// A unit under way.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    pub number: u64,
    pub lane: u16,
    pub kind: usize,
    pub intended_ns: u64,
    pub steps: u32,
    pub begun: u32,
    pub ended: u32,
    /// Number of commands that wait for a free slot, not included in `begun`.
    pub waiting: u32,
    /// Submission of the first command.
    pub submitted_ns: u64,
    /// End of the last command that ended; the intended time before the first ended.
    pub ended_ns: u64,
    /// First reason for a failure.
    pub failure: Option<Failure>,
}

impl Unit {
    /// Returns whether no command is under way and none will begin.
    pub fn is_over(&self) -> bool {
        self.begun == self.ended && (self.failure.is_some() || self.begun == self.steps)
    }
}

/// Units by index; an index is reused after its unit is removed.
#[derive(Debug, Default)]
pub struct Units {
    units: Vec<Option<Unit>>,
    free: Vec<u32>,
}

impl Units {
    pub fn add(&mut self, unit: Unit) -> u32 {
        if let Some(index) = self.free.pop() {
            self.units[index as usize] = Some(unit);
            return index;
        }
        self.units.push(Some(unit));
        u32::try_from(self.units.len() - 1).unwrap_or(u32::MAX)
    }

    pub fn get(&mut self, index: u32) -> Option<&mut Unit> {
        self.units.get_mut(index as usize)?.as_mut()
    }

    pub fn remove(&mut self, index: u32) -> Option<Unit> {
        let unit = self.units.get_mut(index as usize)?.take()?;
        self.free.push(index);
        Some(unit)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().flatten()
    }
}
