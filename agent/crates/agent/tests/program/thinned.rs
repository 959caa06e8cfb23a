//! A killed agent's spool that was nearly full is delivered without gaps, and the finish reports what was left out.

use std::fs;

use measure::series::Interval;
use serde_json::json;
use wire::messages::{Announcement, RunOutcome};
use wire::spool::RunSpool;

use crate::support::Backend;
use crate::support::agent::{Agent, all_text};

const SECOND_NS: u64 = 1_000_000_000;

#[test]
fn ticks_that_were_left_out_before_a_kill_are_counted_in_the_end() {
    let (backend, agent) = (Backend::start(), Agent::new(3));
    let golden = include_str!("../../../../../docs/contracts/golden/announce.json");
    let announcement: Announcement = serde_json::from_str(golden).expect("golden");
    let series: Vec<_> = ["tick", "histogram"].into_iter().enumerate().collect();
    let definition = |(series_no, kind): (usize, &str)| {
        json!({"series_no": series_no, "operation": "read", "clock": "response", "phase": "main", "host": "host",
               "kind": kind, "device": null, "layout": null, "pin_thresholds_ns": [], "target_rate_per_s": null})
    };
    let series = serde_json::from_value::<Vec<_>>(series.into_iter().map(definition).collect()).expect("definitions");
    fs::create_dir_all(agent.spool()).expect("a folder");
    let spool = RunSpool::create(&agent.spool(), &announcement, &series, 64 << 10, false).expect("a new spool");
    let interval = |series_no: u16, seq: u64| {
        let text = json!({"series": series_no, "seq": seq, "start_ns": seq * SECOND_NS, "duration_ns": SECOND_NS,
                          "count": 0, "errors": 0, "timeouts": 0, "unfinished": 0, "sum_ns": 0, "min_ns": null,
                          "max_ns": null, "pins": [], "target_count": null, "lateness_max_ns": 0, "histogram": null});
        serde_json::from_value::<Interval>(text).expect("an interval")
    };
    let mut seconds = 0;
    while spool.omitted_ticks() == 0 {
        spool.append(&[interval(0, seconds), interval(1, seconds)]).expect("room");
        seconds += 1;
    }
    let omitted = spool.omitted_ticks();
    drop(spool);
    let output = agent.drain(&backend.url()).output().expect("an agent");
    assert_eq!(output.status.code(), Some(0), "{}", all_text(&output));
    assert_eq!(agent.runs_left(), 0);
    let store = backend.store();
    store.assert_complete();
    let finish = store.finish.as_ref().expect("a finish");
    assert_eq!(finish.outcome, RunOutcome::Interrupted);
    let said = format!("; {omitted} live ticks, the oldest unsent first, were left out");
    assert!(finish.reason.as_ref().is_some_and(|reason| reason.contains(&said)), "{finish:?}");
    assert_eq!(finish.last_seq, [(0, seconds - omitted - 1), (1, seconds - 1)].into());
    assert_eq!(finish.duration_ns, seconds * SECOND_NS);
    assert_eq!(store.intervals[&(0, 0)].start_ns, omitted * SECOND_NS, "the oldest are gone");
}
