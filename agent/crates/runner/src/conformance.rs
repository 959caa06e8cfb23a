//! Conformance tests of sessions. The tests of a driver implement [`Subject`] and call [`check`].

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use measure::clock::{MonotonicTime, TimeSource};

use crate::free_slots;
use crate::session::{Completion, End, Request, Session};

/// A session under test.
pub type Boxed<C> = Box<dyn Session<Command = C>>;

/// A driver under test.
pub trait Subject {
    /// Command of the driver's sessions.
    type Command: Copy + Debug + PartialEq;

    /// Returns new sessions with names: one for every kind of session of the driver that this machine supports.
    fn sessions(&self) -> Vec<(String, Boxed<Self::Command>)>;
    /// Returns a command that succeeds. Numbers are below 1,000; the kind of command alternates with the number.
    fn command(&self, number: u64) -> Self::Command;
    /// Returns the number that a command was created from.
    fn number(&self, command: &Self::Command) -> u64;
    /// Returns a command that ends otherwise than with [`End::Done`] and affects no other command, or `None` if no command can
    /// fail.
    fn wrong(&self, number: u64) -> Option<Self::Command>;
    /// Returns sessions whose peers do not answer.
    fn silent(&self) -> Vec<Silent<Self::Command>>;
}

/// A session whose peer does not answer until `answer` is called.
pub struct Silent<C> {
    pub name: String,
    pub session: Boxed<C>,
    pub command: C,
    /// Lets the peer answer from now on.
    pub answer: Box<dyn FnOnce()>,
}

const WAIT_NS: u64 = 10_000_000;
const TIMEOUT_NS: u64 = 20_000_000_000;

/// Runs all tests. Panics if a session does not conform, with its name and the difference.
pub fn check<S: Subject>(subject: &S) {
    assert!(!subject.sessions().is_empty(), "nothing to check");
    completes_each_once(subject);
    waits_until_its_time(subject);
    wakes_for_a_completion(subject);
    has_bounded_room_that_comes_back(subject);
    reports_which_commands_share_slots(subject);
    fails_alone(subject);
    gives_up_for_good(subject);
    can_be_dropped_at_any_time(subject);
    starts_again(subject);
}

fn request<C>(command: C) -> Request<C> {
    Request { command, lane: 3, unit: 7, intended_ns: 5, ready_ns: 5 }
}

fn started<C: Copy>(session: &mut Boxed<C>) -> Arc<MonotonicTime> {
    let time = Arc::new(MonotonicTime::start());
    session.start(time.clone());
    time
}

/// Executes all commands as slots become free, and returns their completions.
pub fn carry_out<C: Copy + Debug>(
    session: &mut dyn Session<Command = C>,
    time: &dyn TimeSource,
    commands: &[C],
) -> Vec<Completion<C>> {
    let (mut completions, begun_ns) = (Vec::new(), time.now_ns());
    let mut left = commands.iter().copied().peekable();
    while completions.len() < commands.len() {
        while let Some(command) = left.next_if(|command| session.has_free_slot(command)) {
            session.begin(request(command));
        }
        let now_ns = time.now_ns();
        assert!(now_ns < begun_ns + TIMEOUT_NS, "{} of {} completed", completions.len(), commands.len());
        session.wait(now_ns + WAIT_NS, &mut completions).expect("goes on");
    }
    completions
}

fn completes_each_once<S: Subject>(subject: &S) {
    for (name, mut session) in subject.sessions() {
        let time = started(&mut session);
        let commands: Vec<_> = (0..200).map(|number| subject.command(number)).collect();
        let completions = carry_out(session.as_mut(), time.as_ref(), &commands);
        let numbers: BTreeSet<u64> =
            completions.iter().map(|completion| subject.number(&completion.request.command)).collect();
        assert_eq!((completions.len(), numbers.len()), (200, 200), "{name}");
        assert_eq!(session.in_flight(), 0, "{name}");
        for completion in completions {
            assert_eq!(completion.end, End::Done, "{name} {completion:?}");
            assert!(completion.submitted_ns < completion.completed_ns, "{name} {completion:?}");
            let request = completion.request;
            assert_eq!((request.lane, request.unit, request.intended_ns), (3, 7, 5), "{name}: as it was given");
        }
    }
}

fn waits_until_its_time<S: Subject>(subject: &S) {
    for (name, mut session) in subject.sessions() {
        let time = started(&mut session);
        let mut completions = Vec::new();
        for _ in 0..3 {
            let until_ns = time.now_ns() + 3_000_000;
            while time.now_ns() < until_ns {
                session.wait(until_ns, &mut completions).expect("goes on");
            }
            assert!(time.now_ns() < until_ns + 2_000_000_000, "{name}");
        }
        session.wait(0, &mut completions).expect("a time that is past ends the wait at once");
        assert!(completions.is_empty(), "{name}");
    }
}

fn wakes_for_a_completion<S: Subject>(subject: &S) {
    for (name, mut session) in subject.sessions() {
        let time = started(&mut session);
        session.begin(request(subject.command(0)));
        let mut completions = Vec::new();
        // `wait` may return earlier for other events, such as a new connection.
        while completions.is_empty() && time.now_ns() < TIMEOUT_NS {
            session.wait(3 * TIMEOUT_NS, &mut completions).expect("goes on");
        }
        assert_eq!(completions.len(), 1, "{name}");
        assert!(time.now_ns() < TIMEOUT_NS, "{name}");
    }
}

fn has_bounded_room_that_comes_back<S: Subject>(subject: &S) {
    for (name, mut session) in subject.sessions() {
        if session.is_simulated() {
            continue;
        }
        let time = started(&mut session);
        let (command, mut taken) = (subject.command(0), 0);
        while session.has_free_slot(&command) {
            session.begin(request(subject.command(0)));
            taken += 1;
            assert!(taken <= 10_000, "{name} has no bound");
        }
        assert_eq!(session.in_flight(), taken, "{name}");
        let mut seen = 0;
        session.under_way(&mut |request| seen += usize::from(request.unit == 7));
        assert_eq!(seen, taken, "{name} shows all that is under way");
        let mut completions = Vec::new();
        while session.in_flight() > 0 {
            assert!(time.now_ns() < TIMEOUT_NS, "{name}");
            session.wait(time.now_ns() + WAIT_NS, &mut completions).expect("goes on");
        }
        assert_eq!(completions.len(), taken, "{name}");
        assert!(session.has_free_slot(&command), "{name}");
    }
}

fn reports_which_commands_share_slots<S: Subject>(subject: &S) {
    for (name, mut session) in subject.sessions() {
        if session.is_simulated() {
            continue;
        }
        let time = started(&mut session);
        let commands: Vec<_> = (0..5).map(|number| subject.command(number)).collect();
        let slot_class = |session: &Boxed<_>, command| session.slot_class(command);
        for command in &commands {
            if !session.has_free_slot(command) {
                continue;
            }
            let free: Vec<usize> =
                commands.iter().map(|other| session.free_slots_of(slot_class(&session, other))).collect();
            session.begin(request(*command));
            for (other, before) in commands.iter().zip(free) {
                let class = slot_class(&session, other);
                let shares = class == slot_class(&session, command);
                assert!(class < free_slots::SESSION_CLASSES, "{name}");
                assert_eq!(
                    before - session.free_slots_of(class),
                    usize::from(shares),
                    "{name}: {other:?} after {command:?}"
                );
            }
        }
        let mut completions = Vec::new();
        while session.in_flight() > 0 {
            assert!(time.now_ns() < TIMEOUT_NS, "{name}");
            session.wait(time.now_ns() + WAIT_NS, &mut completions).expect("goes on");
        }
    }
}

fn fails_alone<S: Subject>(subject: &S) {
    for (name, mut session) in subject.sessions() {
        let Some(wrong) = subject.wrong(900).filter(|_| !session.is_simulated()) else { continue };
        let time = started(&mut session);
        let mut commands: Vec<_> = (0..8).map(|number| subject.command(number)).collect();
        commands.insert(3, wrong);
        let completions = carry_out(session.as_mut(), time.as_ref(), &commands);
        let failed: Vec<u64> = completions
            .iter()
            .filter(|completion| completion.end != End::Done)
            .map(|completion| subject.number(&completion.request.command))
            .collect();
        assert_eq!(failed, [900], "{name}");
    }
}

fn gives_up_for_good<S: Subject>(subject: &S) {
    for Silent { name, mut session, command, answer } in subject.silent() {
        let time = started(&mut session);
        session.begin(request(command));
        let (mut completions, mut given_up) = (Vec::new(), Vec::new());
        let until_ns = time.now_ns() + WAIT_NS;
        while time.now_ns() < until_ns {
            session.wait(until_ns, &mut completions).expect("goes on");
        }
        assert_eq!((completions.len(), session.in_flight()), (0, 1), "{name}");
        session.give_up(0, &mut given_up);
        assert!(given_up.is_empty(), "{name}: not old enough");
        session.give_up(time.now_ns(), &mut given_up);
        session.give_up(time.now_ns(), &mut given_up);
        assert_eq!((&given_up[..], session.in_flight()), (&[request(command)][..], 0), "{name}");
        answer();
        let until_ns = time.now_ns() + 5 * WAIT_NS;
        while time.now_ns() < until_ns {
            session.wait(until_ns, &mut completions).expect("goes on");
        }
        assert!(completions.is_empty(), "{name}: told once");
    }
}

fn can_be_dropped_at_any_time<S: Subject>(subject: &S) {
    for (_, mut session) in subject.sessions() {
        started(&mut session);
        for command in (0..2).map(|number| subject.command(number)) {
            if session.has_free_slot(&command) {
                session.begin(request(command));
            }
        }
    }
}

fn starts_again<S: Subject>(subject: &S) {
    for (name, mut session) in subject.sessions() {
        for _ in 0..2 {
            let time = started(&mut session);
            let completions = carry_out(session.as_mut(), time.as_ref(), &[subject.command(1)]);
            assert_eq!(completions[0].end, End::Done, "{name}");
            assert!(completions[0].completed_ns < TIMEOUT_NS, "{name}: by the new clock");
        }
    }
}
