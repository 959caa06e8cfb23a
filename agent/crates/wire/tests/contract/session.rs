//! The session decides as the contract says; no sockets are involved.

use std::collections::BTreeMap;
use std::time::Duration;

use wire::messages::{
    AnnounceAnswer, BatchAnswer, Directive, Finish, FinishAnswer, MissingRange, Problem, RunId, RunOutcome,
};
use wire::session::{Effect, End, Input, Link, Reply, Session};

const NOW: Duration = Duration::from_secs(100);

fn announced() -> Reply {
    Reply::Announced(AnnounceAnswer { run_id: RunId::new(), directive: Directive::Continue })
}

fn accepted(missing: Vec<MissingRange>) -> Reply {
    Reply::Accepted(BatchAnswer { acknowledged: BTreeMap::from([(0, 4)]), missing, directive: Directive::Continue })
}

fn finished(complete: bool, missing: Vec<MissingRange>) -> Reply {
    Reply::Finished(FinishAnswer { complete, missing, directive: Directive::Continue })
}

/// Returns a refusal with a code.
pub(crate) fn refused(status: u16, code: &str, intervals: usize) -> Reply {
    let problem = Problem {
        kind: None,
        title: String::new(),
        status,
        detail: "why".into(),
        code: code.into(),
        problems: Vec::new(),
    };
    Reply::Refused { status, retry_after: None, problem: Some(problem), intervals }
}

fn without_problem(status: u16) -> Reply {
    Reply::Refused { status, retry_after: None, problem: None, intervals: 3 }
}

fn finish() -> Finish {
    Finish {
        outcome: RunOutcome::Completed,
        reason: None,
        duration_ns: 5,
        last_seq: BTreeMap::from([(0, 4)]),
        drive_counters: None,
        search_ended: None,
    }
}

fn wake(session: &mut Session, waiting: bool) -> Vec<Effect> {
    session.step(NOW, Input::Wake { waiting })
}

fn reply(session: &mut Session, reply: Reply) -> Vec<Effect> {
    session.step(NOW, Input::Reply(reply))
}

/// Returns a session whose run is announced.
fn running() -> Session {
    let mut session = Session::new(1);
    assert_eq!(wake(&mut session, true), [Effect::Announce]);
    assert_eq!(reply(&mut session, announced()), [Effect::Link(Link::Up)]);
    session
}

#[test]
fn announces_sends_and_finishes_in_this_order() {
    let mut session = running();
    assert_eq!(wake(&mut session, false), []);
    assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 2000 }]);
    assert_eq!(wake(&mut session, true), [], "one request at a time");
    assert_eq!(reply(&mut session, accepted(vec![])), [Effect::Settle(BTreeMap::from([(0, 4)]))]);
    assert_eq!(session.step(NOW, Input::Ended(finish())), []);
    assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 2000 }], "intervals before the finish");
    reply(&mut session, accepted(vec![]));
    assert_eq!(wake(&mut session, false), [Effect::SendFinish(finish())]);
    assert_eq!(reply(&mut session, finished(true, vec![])), [Effect::Done(End::Delivered)]);
    assert_eq!(wake(&mut session, true), [], "done is done");
}

#[test]
fn batches_keep_their_pace_and_the_last_one_does_not_wait() {
    let mut session = Session::new(1).every(Duration::from_secs(10));
    assert_eq!(wake(&mut session, false), [Effect::Announce]);
    reply(&mut session, announced());
    assert!(session.wants_batch(NOW), "the first one at once");
    assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 2000 }]);
    reply(&mut session, accepted(vec![]));
    let next = session.wake_at().expect("the next batch");
    assert_eq!(next, NOW + Duration::from_secs(10));
    assert!(!session.wants_batch(next.saturating_sub(Duration::from_millis(1))));
    assert_eq!(wake(&mut session, true), []);
    assert_eq!(session.step(next, Input::Wake { waiting: false }), []);
    assert_eq!(session.wake_at(), None, "nobody is woken for nothing");
    assert_eq!(session.step(next, Input::Wake { waiting: true }), [Effect::SendBatch { limit: 2000 }]);
    session.step(next, Input::Reply(without_problem(503)));
    let again = session.wake_at().expect("the same again");
    assert!(again < next + Duration::from_secs(1), "what was refused keeps the pace of what is refused");
    assert_eq!(session.step(again, Input::Wake { waiting: true }), [Effect::SendBatch { limit: 2000 }]);
    session.step(again, Input::Reply(accepted(vec![])));
    assert!(!session.wants_batch(again));
    session.step(again, Input::Ended(finish()));
    assert!(session.wants_batch(again));
    assert_eq!(session.step(again, Input::Wake { waiting: true }), [Effect::SendBatch { limit: 2000 }]);
    session.step(again, Input::Reply(accepted(vec![])));
    assert_eq!(session.step(again, Input::Wake { waiting: false }), [Effect::SendFinish(finish())]);
}

#[test]
fn what_was_damaged_on_its_way_is_sent_again() {
    for answer in [refused(400, "body-damaged", 3), without_problem(400)] {
        let mut session = running();
        assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 2000 }]);
        let effects = reply(&mut session, answer);
        assert!(matches!(effects[..], [Effect::Link(Link::Away { .. })]), "{effects:?}");
        let later = NOW + Duration::from_secs(120);
        assert_eq!(session.step(later, Input::Wake { waiting: true }), [Effect::SendBatch { limit: 2000 }]);
    }
    let mut session = running();
    wake(&mut session, true);
    let effects = reply(&mut session, refused(400, "body-unreadable", 3));
    assert!(matches!(effects[..], [Effect::SetAside { .. }]), "what was read and refused stays refused: {effects:?}");
}

#[test]
fn retries_for_ever_with_growing_waits() {
    for status in [408, 429, 500, 502, 503, 504] {
        let mut session = running();
        let mut now = NOW;
        let mut waits = Vec::new();
        for _ in 0..200 {
            assert_eq!(session.step(now, Input::Wake { waiting: true }), [Effect::SendBatch { limit: 2000 }]);
            session.step(now, Input::Reply(refused(status, "storage-unavailable", 3)));
            let at = session.wake_at().expect("a next attempt");
            assert_eq!(session.step(at.saturating_sub(Duration::from_millis(1)), Input::Wake { waiting: true }), []);
            waits.push(at.saturating_sub(now));
            now = at;
        }
        assert!(waits[0] >= Duration::from_millis(250) && waits[0] <= Duration::from_millis(500));
        assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(30)));
        assert!(waits[50..].iter().all(|wait| *wait >= Duration::from_secs(15)));
        assert!(waits[50..].windows(2).any(|pair| pair[0] != pair[1]), "jitter");
    }
}

#[test]
fn tells_of_being_away_once_and_of_coming_back() {
    let mut session = Session::new(1);
    wake(&mut session, false);
    let away = Effect::Link(Link::Away { reason: "refused".into() });
    assert_eq!(reply(&mut session, Reply::Unreachable("refused".into())), [away]);
    let at = session.wake_at().expect("a next attempt");
    session.step(at, Input::Wake { waiting: false });
    assert_eq!(session.step(at, Input::Reply(Reply::Unreachable("refused".into()))), []);
    let at = session.wake_at().expect("a next attempt");
    session.step(at, Input::Wake { waiting: false });
    assert_eq!(session.step(at, Input::Reply(announced())), [Effect::Link(Link::Up)]);
}

#[test]
fn waits_as_long_as_the_backend_asks() {
    let mut session = running();
    wake(&mut session, true);
    let asked = Some(Duration::from_secs(90));
    reply(&mut session, Reply::Refused { status: 503, retry_after: asked, problem: None, intervals: 1 });
    assert_eq!(session.wake_at(), Some(NOW + Duration::from_secs(90)));
}

#[test]
fn halves_a_refused_batch_until_the_interval_stands_alone() {
    for (status, code) in [(422, "batch-invalid"), (413, "body-too-large"), (409, "interval-conflict")] {
        let mut session = running();
        let mut size = 40;
        while size > 1 {
            wake(&mut session, true);
            assert_eq!(reply(&mut session, refused(status, code, size)), []);
            size /= 2;
        }
        assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 1 }]);
        let reason = format!("HTTP {status} {code}: why");
        assert_eq!(reply(&mut session, refused(status, code, 1)), [Effect::SetAside { reason }]);
        wake(&mut session, true);
        reply(&mut session, accepted(vec![]));
        assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 2 }], "grows again");
    }
}

#[test]
fn sets_aside_what_is_refused_for_good_and_continues() {
    for (status, code) in [(400, "body-unreadable"), (415, "format-unsupported"), (409, "series-conflict"), (418, "")] {
        let mut session = running();
        wake(&mut session, true);
        let effects = reply(&mut session, refused(status, code, 40));
        assert!(matches!(effects.as_slice(), [Effect::SetAside { .. }]), "{status} {code}: {effects:?}");
        assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 2000 }]);
    }
}

#[test]
fn keeps_everything_while_the_run_itself_is_refused() {
    for status in [301, 401, 403] {
        let mut session = running();
        wake(&mut session, true);
        let effects = reply(&mut session, refused(status, "token-unknown", 40));
        assert!(matches!(effects.as_slice(), [Effect::Link(Link::Held { .. })]), "{effects:?}");
        let at = session.wake_at().expect("a next attempt");
        assert_eq!(session.step(at, Input::Wake { waiting: true }), [Effect::SendBatch { limit: 2000 }]);
    }
}

#[test]
fn announces_again_when_the_backend_forgot_the_run() {
    let mut session = running();
    wake(&mut session, true);
    reply(&mut session, refused(404, "run-unknown", 40));
    let at = session.wake_at().expect("a next attempt");
    assert_eq!(session.step(at, Input::Wake { waiting: true }), [Effect::Announce]);
}

#[test]
fn a_refused_announcement_is_tried_again_slowly() {
    let mut session = Session::new(1);
    wake(&mut session, true);
    let effects = reply(&mut session, refused(409, "run-conflict", 0));
    assert!(matches!(effects.as_slice(), [Effect::Link(Link::Held { .. })]), "{effects:?}");
    assert_eq!(session.wake_at(), Some(NOW + Duration::from_secs(15)));
}

#[test]
fn sends_missing_intervals_again_but_not_for_ever() {
    let gap = vec![MissingRange { series: 0, from_seq: 1, to_seq: 2 }];
    let mut session = running();
    wake(&mut session, true);
    let effects = reply(&mut session, accepted(gap.clone()));
    assert_eq!(effects[1..], [Effect::Resend(gap.clone())]);
    wake(&mut session, true);
    assert_eq!(reply(&mut session, accepted(gap.clone())).len(), 1, "asked for once");
    session.step(NOW, Input::Ended(finish()));
    wake(&mut session, false);
    assert_eq!(reply(&mut session, finished(false, gap.clone())), [Effect::Done(End::Incomplete(gap))]);
}

#[test]
fn a_gap_found_at_the_finish_is_filled_and_the_finish_sent_again() {
    let gap = vec![MissingRange { series: 0, from_seq: 1, to_seq: 2 }];
    let mut session = running();
    session.step(NOW, Input::Ended(finish()));
    wake(&mut session, false);
    assert_eq!(reply(&mut session, finished(false, gap.clone())), [Effect::Resend(gap)]);
    assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 2000 }]);
    reply(&mut session, accepted(vec![]));
    assert_eq!(wake(&mut session, false), [Effect::SendFinish(finish())]);
    assert_eq!(reply(&mut session, finished(true, vec![])), [Effect::Done(End::Delivered)]);
}

#[test]
fn the_directive_stops_the_workload_once() {
    let stop = BatchAnswer { acknowledged: BTreeMap::new(), missing: vec![], directive: Directive::Stop };
    let mut session = running();
    wake(&mut session, true);
    assert!(reply(&mut session, Reply::Accepted(stop.clone())).contains(&Effect::StopWorkload));
    wake(&mut session, true);
    assert!(!reply(&mut session, Reply::Accepted(stop)).contains(&Effect::StopWorkload));
}

#[test]
fn a_finish_refused_for_good_ends_the_session() {
    let mut session = running();
    session.step(NOW, Input::Ended(finish()));
    wake(&mut session, false);
    let effects = reply(&mut session, refused(409, "finish-conflict", 0));
    assert_eq!(effects, [Effect::Done(End::FinishRefused("HTTP 409 finish-conflict: why".into()))]);
}

#[test]
fn what_this_side_cannot_write_is_no_absence_of_the_backend() {
    let mut session = running();
    let unsendable = |intervals| Reply::Unsendable { reason: "too strange".into(), intervals };
    assert!(matches!(wake(&mut session, true)[..], [Effect::SendBatch { .. }]));
    assert_eq!(reply(&mut session, unsendable(8)), [], "halves, at once and without back-off");
    assert_eq!(wake(&mut session, true), [Effect::SendBatch { limit: 4 }]);
    assert_eq!(reply(&mut session, unsendable(1)), [Effect::SetAside { reason: "too strange".into() }]);
    assert_eq!(&session.link, &Link::Up, "nothing is said about the network");
    assert!(matches!(wake(&mut session, true)[..], [Effect::SendBatch { .. }]));
    assert_eq!(reply(&mut session, unsendable(0)), [Effect::Done(End::Broken("too strange".into()))]);
}

#[test]
fn a_spool_that_cannot_be_read_ends_the_sending_and_says_so() {
    let mut session = running();
    let broken = session.step(NOW, Input::Broken("bad disk".into()));
    assert_eq!(broken, [Effect::Done(End::Broken("bad disk".into()))]);
    assert_eq!(wake(&mut session, true), [], "and is not tried again");
}
