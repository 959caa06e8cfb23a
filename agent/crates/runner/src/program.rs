//! The commands of each unit as a pure function of its number: any thread gets the same commands at any time.

/// The commands of one kind of unit: an operation, or a transaction of several.
pub trait Program: Send {
    /// What a session carries out.
    type Command: Copy;

    /// Command `step` of unit `number`.
    fn command(&self, number: u64, step: u32) -> Self::Command;

    /// Returns which of the lane's kinds of units number `number` is.
    fn kind(&self, _number: u64) -> usize {
        0
    }

    /// Returns which of the lane's kinds of commands a command of a unit of several is; none: it is not recorded by itself.
    fn kind_of_command(&self, _command: &Self::Command) -> Option<usize> {
        Some(0)
    }

    /// Returns how many commands unit `number` has, at least one.
    fn steps(&self, _number: u64) -> u32 {
        1
    }

    /// How many further commands of a unit of `steps` may begin once `begun` have begun and `ended` of those have ended.
    /// One after the other unless it says otherwise; a pool of f is `f - (begun - ended)`, a wave of f begins when
    /// `begun == ended`.
    fn ready(&self, steps: u32, begun: u32, ended: u32) -> u32 {
        u32::from(begun == ended && begun < steps)
    }
}

/// Units of one command each, from a function of the number.
pub struct Single<F>(pub F);

impl<C: Copy, F: Fn(u64) -> C + Send> Program for Single<F> {
    type Command = C;

    fn command(&self, number: u64, _: u32) -> C {
        self.0(number)
    }
}
