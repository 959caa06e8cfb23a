//! Any order of appends, deliveries, refusals and kills of a spool with little room.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use wire::spool::{Reader, RunSpool, SpoolError};

use crate::thinned_spool::*;

#[derive(Debug, Clone)]
enum Step {
    Append {
        seconds: u64,
        histograms: u64,
    },
    /// A batch is sent and stored by the backend; its answer may be lost.
    Send {
        intervals: usize,
        answered: bool,
    },
    /// A batch is read, and never reaches the backend.
    Offer {
        intervals: usize,
    },
    SetAside {
        intervals: usize,
    },
    Rewind,
    /// The process is killed; the intervals that a new process would deliver are compared with the model.
    Kill,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..60_u64, 0..4_u64).prop_map(|(seconds, histograms)| Step::Append { seconds, histograms }),
        1 => (1..200_usize, any::<bool>()).prop_map(|(intervals, answered)| Step::Send { intervals, answered }),
        1 => (1..200_usize).prop_map(|intervals| Step::Offer { intervals }),
        1 => (1..4_usize).prop_map(|intervals| Step::SetAside { intervals }),
        1 => Just(Step::Rewind),
        1 => Just(Step::Kill),
    ];
    prop::collection::vec(step, 1..70)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("an entry");
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

/// Asserts that a drain with `--retry-set-aside` delivers the rest of the spool.
fn assert_drained(spool: &RunSpool, mut backend: Backend, measured: &Measured) {
    let folder = folder();
    let run_id = spool.announcement.run_id;
    copy(&spool.folder, &folder.path().join(run_id.to_string()));
    let omitted = spool.omitted_ticks();
    let (spool, _) = RunSpool::open(folder.path(), run_id, true).expect("an old spool");
    assert_eq!(spool.omitted_ticks(), omitted);
    if measured.0 != [0; 3] {
        assert_whole(&spool, &mut backend, measured);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_wire_has_no_gaps_and_nothing_changes_its_number(steps in steps()) {
        let (folder, mut measured, mut backend) = (folder(), Measured::default(), Backend::default());
        let (spool, mut reader) = (create(&folder, LIMIT), Reader::default());
        for step in steps {
            match step {
                Step::Append { seconds, histograms } => {
                    let mut after = measured.clone();
                    match spool.append(&after.more(seconds, histograms)) {
                        Ok(()) => measured = after,
                        Err(error) => prop_assert!(matches!(error, SpoolError::Full { .. } | SpoolError::Closed { .. }), "{}", error),
                    }
                }
                Step::Send { intervals, answered } => if let Some(batch) = next(&spool, &mut reader, intervals) {
                    backend.take(&batch);
                    if answered {
                        spool.settle(&batch, &backend.acknowledged(&batch)).expect("settled");
                        reader.advance(&batch);
                    }
                },
                Step::Offer { intervals } => {
                    next(&spool, &mut reader, intervals);
                }
                Step::SetAside { intervals } => if let Some(batch) = next(&spool, &mut reader, intervals) {
                    spool.set_aside(&batch, "refused").expect("writable");
                    reader.advance(&batch);
                },
                Step::Rewind => reader.rewind(),
                Step::Kill => assert_drained(&spool, backend.clone(), &measured),
            }
            prop_assert!(spool.totals().bytes <= LIMIT + 16);
        }
        assert_drained(&spool, backend, &measured);
    }
}
