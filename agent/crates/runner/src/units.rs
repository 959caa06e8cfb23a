//! Units of several commands under way (transactions): how far each has come, and how it will end.

/// Why a unit has no latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// A command failed.
    Failed,
    /// A command was given up at the time-out.
    TimedOut,
}

/// One unit under way.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    pub number: u64,
    pub lane: u16,
    pub kind: usize,
    pub intended_ns: u64,
    pub steps: u32,
    pub begun: u32,
    pub ended: u32,
    /// Asked for but without a place yet; counts as begun.
    pub waiting: u32,
    /// Of its first command.
    pub submitted_ns: u64,
    /// Of the last that ended; its intended time before that.
    pub ended_ns: u64,
    /// The first reason counts.
    pub failure: Option<Failure>,
}

impl Unit {
    /// Nothing of it is under way and nothing more will begin.
    pub fn is_over(&self) -> bool {
        self.begun == self.ended && (self.failure.is_some() || self.begun == self.steps)
    }
}

/// See the module. A unit is known by its place, which is used again.
#[derive(Debug, Default)]
pub struct Units {
    places: Vec<Option<Unit>>,
    free: Vec<u32>,
}

impl Units {
    pub fn add(&mut self, unit: Unit) -> u32 {
        if let Some(place) = self.free.pop() {
            self.places[place as usize] = Some(unit);
            return place;
        }
        self.places.push(Some(unit));
        u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
    }

    pub fn get(&mut self, place: u32) -> Option<&mut Unit> {
        self.places.get_mut(place as usize)?.as_mut()
    }

    pub fn remove(&mut self, place: u32) -> Option<Unit> {
        let unit = self.places.get_mut(place as usize)?.take()?;
        self.free.push(place);
        Some(unit)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Unit> {
        self.places.iter().flatten()
    }
}
