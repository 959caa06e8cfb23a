//! Lanes: the units of a thread that share a schedule, and the next unit that is due.

use measure::arrivals::Cursor;
use measure::recorder::Recorder;

use crate::program::Program;
use crate::session::Request;

/// Determines when the next unit is due.
#[derive(Debug)]
pub enum Pace {
    /// By a schedule, whatever the system under test does (open loop).
    Open(Cursor),
    /// By the end of an earlier unit (closed loop): `at_once` units are under way, each followed by a pause. This hides the effect
    /// of a stall, so no verdicts are computed.
    Closed { at_once: u32, pause_ns: u64 },
}

/// Recorder and state of one kind of unit or command.
pub struct Kind {
    /// Recorder of this kind only.
    pub recorder: Recorder,
    /// Number of this kind under way.
    pub in_flight: u64,
}

impl From<Recorder> for Kind {
    fn from(recorder: Recorder) -> Self {
        Self { recorder, in_flight: 0 }
    }
}

/// The units of one schedule and one thread.
pub struct Lane<C> {
    /// Determines the commands of each unit.
    pub program: Box<dyn Program<Command = C>>,
    pace: Pace,
    /// Kinds of units, in the order of [`Program::kind`].
    pub kinds: Vec<Kind>,
    /// Kinds of commands inside units with several commands, of which only service times are recorded; else none.
    pub commands: Vec<Kind>,
    /// Operations on absent keys, if they are also recorded separately.
    pub absent: Option<Kind>,
    /// Largest number of units under way; `None` if only the session's slots limit it.
    units_at_once: Option<u32>,
    /// Index of this thread's part of the unit numbers; `parts` is the number of parts.
    part: u64,
    parts: u64,
    /// Number within this part, and intended time, of the next unit.
    next: u64,
    next_ns: u64,
    /// First command of the next unit.
    first: C,
    /// Number of units of this part; `None` if unlimited.
    most: Option<u64>,
    /// Number of units under way.
    pub in_flight: u64,
}

impl<C: Copy> Lane<C> {
    /// Returns a lane of units with one command each, of at least one kind, for part `part` of `parts` of the numbers.
    pub fn new(
        program: Box<dyn Program<Command = C>>,
        pace: Pace,
        kinds: impl IntoIterator<Item = Recorder>,
        (part, parts): (u64, u64),
    ) -> Self {
        let next_ns = match &pace {
            Pace::Open(cursor) => cursor.next_ns(),
            Pace::Closed { .. } => 0,
        };
        Self {
            first: program.command(part, 0),
            program,
            pace,
            kinds: kinds.into_iter().map(Kind::from).collect(),
            commands: Vec::new(),
            absent: None,
            units_at_once: None,
            part,
            parts,
            next: 0,
            next_ns,
            most: None,
            in_flight: 0,
        }
    }

    /// Returns the lane limited to `units` units over all parts, after which nothing is due.
    pub fn at_most(mut self, units: u64) -> Self {
        let share = units / self.parts + u64::from(self.part < units % self.parts);
        self.most = Some(share);
        if share == 0 {
            self.next_ns = u64::MAX;
        }
        self
    }

    /// Returns whether the number of units is limited and all have ended.
    pub fn is_exhausted(&self) -> bool {
        self.in_flight == 0 && self.most.is_some_and(|most| self.next >= most)
    }

    /// Returns the kind of unit of a request, or `None` if units have several commands.
    pub fn kind_of(&self, request: &Request<C>) -> Option<usize> {
        (!self.has_units()).then_some(request.unit as usize)
    }

    /// Returns the recorder of a command inside a unit, or `None` if only units are recorded.
    pub fn kind_of_command(&mut self, command: &C) -> Option<&mut Kind> {
        let kind = self.program.kind_of_command(command)?;
        self.commands.get_mut(kind)
    }

    /// Returns whether units have several commands.
    pub fn has_units(&self) -> bool {
        !self.commands.is_empty()
    }

    /// Returns the lane for units of several commands, recorded by `commands`, with at most `units_at_once` units under way.
    pub fn of_several(mut self, commands: impl IntoIterator<Item = Recorder>, units_at_once: u32) -> Self {
        (self.commands, self.units_at_once) = (commands.into_iter().map(Kind::from).collect(), Some(units_at_once));
        self
    }

    /// Returns the lane with a separate recorder for operations on absent keys.
    pub fn with_absent(mut self, absent: Option<Recorder>) -> Self {
        self.absent = absent.map(Kind::from);
        self
    }

    /// Returns all recorders.
    pub fn recorders(&mut self) -> impl Iterator<Item = &mut Kind> {
        self.kinds.iter_mut().chain(&mut self.commands).chain(&mut self.absent)
    }

    /// Returns the intended time of the next unit.
    pub fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// Returns the first command of the next unit.
    pub fn first(&self) -> &C {
        &self.first
    }

    /// Returns whether the lane's limit permits a further unit.
    pub fn has_free_unit(&self) -> bool {
        self.units_at_once.is_none_or(|most| self.in_flight < u64::from(most))
    }

    /// Takes the next unit and returns its number, intended time and first command.
    pub fn take(&mut self) -> (u64, u64, C) {
        let kind = self.program.kind(self.next * self.parts + self.part);
        self.kinds[kind].in_flight += 1;
        let (number, intended_ns, first) = (self.next * self.parts + self.part, self.next_ns, self.first);
        self.next += 1;
        self.in_flight += 1;
        self.next_ns = match &mut self.pace {
            Pace::Open(cursor) => {
                cursor.advance();
                cursor.next_ns()
            }
            Pace::Closed { at_once, .. } if self.in_flight < u64::from(*at_once) => intended_ns,
            // Nothing is due until a unit ends.
            Pace::Closed { .. } => u64::MAX,
        };
        if self.most.is_some_and(|most| self.next >= most) {
            self.next_ns = u64::MAX;
        } else {
            self.first = self.program.command(self.next * self.parts + self.part, 0);
        }
        (number, intended_ns, first)
    }

    /// Records the end of a unit of this kind.
    pub fn ended(&mut self, kind: usize, now_ns: u64) {
        self.in_flight = self.in_flight.saturating_sub(1);
        self.kinds[kind].in_flight = self.kinds[kind].in_flight.saturating_sub(1);
        let has_more = self.most.is_none_or(|most| self.next < most);
        if let Pace::Closed { pause_ns, .. } = self.pace
            && has_more
        {
            self.next_ns = self.next_ns.min(now_ns + pause_ns);
        }
    }
}

#[cfg(test)]
mod tests {
    use measure::recorder::OperationPlan;
    use measure::series::Clock;

    use super::*;
    use crate::program::Single;

    fn lane(pace: Pace, part: (u64, u64)) -> Lane<u64> {
        let operation = OperationPlan {
            operation: "read".into(),
            device: None,
            schedule: None,
            clocks: vec![Clock::Service],
            pin_thresholds_ns: vec![],
        };
        Lane::new(Box::new(Single(|number| number)), pace, [Recorder::new(operation, 0, 1, 1_000_000_000)], part)
    }

    #[test]
    fn parts_take_numbers_in_turn_and_the_command_is_that_of_the_number() {
        let mut lane = lane(Pace::Closed { at_once: 3, pause_ns: 0 }, (1, 4));
        for expected in [1, 5, 9] {
            assert_eq!(*lane.first(), expected);
            assert_eq!(lane.take().0, expected);
        }
        assert_eq!(lane.next_ns(), u64::MAX, "three are under way");
    }

    #[test]
    fn a_closed_lane_goes_on_a_pause_after_an_end() {
        let mut lane = lane(Pace::Closed { at_once: 1, pause_ns: 50 }, (0, 1));
        assert_eq!(lane.take(), (0, 0, 0));
        lane.ended(0, 1_000);
        assert_eq!((lane.next_ns(), lane.in_flight), (1_050, 0));
    }

    #[test]
    fn a_number_of_units_is_dealt_out_and_then_nothing_is_due() {
        let numbers_of = |part| {
            let mut lane = lane(Pace::Closed { at_once: 1, pause_ns: 0 }, (part, 3)).at_most(7);
            let mut numbers = Vec::new();
            while lane.next_ns() < u64::MAX {
                assert!(!lane.is_exhausted());
                numbers.push(lane.take().0);
                assert!(!lane.is_exhausted());
                lane.ended(0, 5);
            }
            assert!(lane.is_exhausted());
            numbers
        };
        assert_eq!((numbers_of(0), numbers_of(1), numbers_of(2)), (vec![0, 3, 6], vec![1, 4], vec![2, 5]));
        let nothing = lane(Pace::Closed { at_once: 1, pause_ns: 0 }, (1, 2)).at_most(1);
        assert!(nothing.is_exhausted() && nothing.next_ns() == u64::MAX);
    }
}
