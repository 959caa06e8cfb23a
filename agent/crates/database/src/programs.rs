//! The commands of a workload by number: operation and key of a mix, and the reads of a transaction.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use keys::chooser::{Chooser, Distribution};
use measure::arrivals::Pick;
use runner::Program;
use workloads::job::{Operation, Scheduling};

use crate::command::Command;
use crate::objects::Objects;

/// A growing data set grows by one key in this many before its chooser is extended.
const GROWTH_DIVISOR: u64 = 1_000;

/// Counts the operations of a kind with smaller numbers than a given number. If the numbers rise, each is examined once.
#[derive(Debug, Default)]
struct Rank(Cell<(u64, u64)>);

impl Rank {
    fn of(&self, pick: &Pick, number: u64) -> u64 {
        let (mut at, mut count) = self.0.get();
        if number < at {
            (at, count) = (0, 0);
        }
        count += (at..number).filter(|number| pick.holds(*number)).count() as u64;
        self.0.set((number, count));
        count
    }
}

/// Keys of some kinds of operations. Sequential keys are indexed by the rank among these operations, so that none is skipped.
pub struct KeySource {
    chooser: RefCell<Chooser>,
    is_sequential: bool,
    rank: Rank,
}

impl KeySource {
    pub fn new(chooser: Chooser) -> Self {
        let is_sequential = matches!(chooser.distribution, Distribution::Sequential | Distribution::Parallel { .. });
        Self { chooser: RefCell::new(chooser), is_sequential, rank: Rank::default() }
    }
}

/// A mix of single operations, of one or several kinds.
pub struct Mix {
    pub kinds: Arc<[(Operation, Pick)]>,
    pub objects: Arc<Objects>,
    /// Keys of all operations, except for updates if `update_keys` is set.
    pub keys: KeySource,
    pub update_keys: Option<KeySource>,
    pub grows: bool,
    pub loads: bool,
    pub load_from: u64,
    /// Lengths of scans, if the workload has scans.
    pub scans: Option<Chooser>,
}

impl Mix {
    fn operation(&self, number: u64) -> Operation {
        self.kinds[self.kind(number)].0
    }

    fn key(&self, number: u64) -> u64 {
        if let Some(of_updates) = &self.update_keys {
            let (operation, pick) = &self.kinds[self.kind(number)];
            let keys = if matches!(operation, Operation::Update(_)) { of_updates } else { &self.keys };
            let number = if keys.is_sequential { keys.rank.of(pick, number) } else { number };
            return keys.chooser.borrow().key(number);
        }
        if self.grows {
            let mut chooser = self.keys.chooser.borrow_mut();
            let last = self.objects.end().saturating_sub(1);
            if last > chooser.last + chooser.items / GROWTH_DIVISOR {
                chooser.grow(last);
            }
            return chooser.key(number);
        }
        self.keys.chooser.borrow().key(number)
    }
}

impl Program for Mix {
    type Command = Command;

    fn command(&self, number: u64, step: u32) -> Command {
        match self.operation(number) {
            _ if self.loads => Command::Load { key: self.objects.first + self.load_from + number },
            Operation::Insert(_) => Command::Insert { number },
            Operation::Update(_) => Command::Update { key: self.key(number), number },
            Operation::ReadModifyWrite(_) if step == 1 => Command::Update { key: self.key(number), number },
            Operation::Scan(_) => {
                let count = self.scans.as_ref().map_or(1, |lengths| lengths.key(number));
                Command::Scan { key: self.key(number), number, count: u32::try_from(count).unwrap_or(u32::MAX) }
            }
            Operation::Read(_) | Operation::ReadModifyWrite(_) => Command::Read { key: self.key(number), number },
        }
    }

    fn kind(&self, number: u64) -> usize {
        if self.kinds.len() == 1 {
            return 0;
        }
        self.kinds.iter().position(|(_, pick)| pick.holds(number)).unwrap_or(0)
    }

    fn kind_of_command(&self, command: &Command) -> Option<usize> {
        // Units of other kinds have a single command, which needs no kind of its own.
        matches!(self.operation(command.number()), Operation::ReadModifyWrite(_))
            .then_some(usize::from(matches!(command, Command::Update { .. })))
    }

    fn steps(&self, number: u64) -> u32 {
        1 + u32::from(matches!(self.operation(number), Operation::ReadModifyWrite(_)))
    }
}

#[derive(Clone)]
pub struct Transactions {
    pub reads: u32,
    pub batch: u32,
    pub scheduling: Scheduling,
    pub fan_out: u32,
    pub chooser: Chooser,
}

impl Program for Transactions {
    type Command = Command;

    fn command(&self, transaction: u64, step: u32) -> Command {
        let first = step * self.batch;
        let number = transaction * u64::from(self.reads) + u64::from(first);
        if self.batch == 1 {
            return Command::Read { key: self.chooser.key(number), number };
        }
        Command::ReadMany { number, count: self.batch.min(self.reads - first) }
    }

    fn steps(&self, _: u64) -> u32 {
        self.reads.div_ceil(self.batch)
    }

    fn ready(&self, steps: u32, begun: u32, ended: u32) -> u32 {
        let left = steps - begun;
        match self.scheduling {
            Scheduling::Sequential => u32::from(begun == ended).min(left),
            Scheduling::Barrier if begun == ended => self.fan_out.min(left),
            Scheduling::Barrier => 0,
            Scheduling::Pool => self.fan_out.saturating_sub(begun - ended).min(left),
        }
    }
}
