//! Programs: the commands of each unit as a pure function of its number, the same on every thread and at any time.

/// The commands of units: single operations, or transactions of several commands.
pub trait Program: Send {
    type Command: Copy;

    /// Returns command `step` of unit `number`.
    fn command(&self, number: u64, step: u32) -> Self::Command;

    /// Returns the kind of unit `number`, as an index into the lane's kinds of units.
    fn kind(&self, _number: u64) -> usize {
        0
    }

    /// Returns the kind of a command inside a unit, as an index into the lane's kinds of commands, or `None` if it is not recorded.
    fn kind_of_command(&self, _command: &Self::Command) -> Option<usize> {
        Some(0)
    }

    /// Returns the number of commands of unit `number`, at least one.
    fn steps(&self, _number: u64) -> u32 {
        1
    }

    /// Returns how many further commands of a unit of `steps` may begin when `begun` have begun and `ended` of those have ended.
    ///
    /// By default, commands run one after the other. For a limit of f concurrent commands, return `f - (begun - ended)`; for groups
    /// of f, return f only if `begun == ended`.
    fn ready(&self, steps: u32, begun: u32, ended: u32) -> u32 {
        u32::from(begun == ended && begun < steps)
    }
}

/// Units of one command each, given as a function of the number.
pub struct Single<F>(pub F);

impl<C: Copy, F: Fn(u64) -> C + Send> Program for Single<F> {
    type Command = C;

    fn command(&self, number: u64, _: u32) -> C {
        self.0(number)
    }
}
