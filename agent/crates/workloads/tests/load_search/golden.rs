//! Writes and checks `docs/contracts/golden/load-search.json`: probes of searches with their results, which the backend tests also
//! read.
//!
//! `TAILROOM_WRITE_GOLDEN=1 cargo test -p workloads --test load_search golden` writes the file.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use workloads::load_search::{Counts, Next, Probe, SearchResult, Settings, Verdict, next};

use super::servers::{KINDS, QUANTILE, Server};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Case {
    name: String,
    allowed_share: f64,
    probes: Vec<GoldenProbe>,
    result: SearchResult,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct GoldenProbe {
    load: f64,
    #[serde(rename = "word")]
    verdict: Verdict,
    /// Late and all operations of each slice.
    slices: Vec<(u64, u64)>,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/contracts/golden/load-search.json")
}

/// Returns a search that runs to its end or for `most_probes` probes.
fn case(
    name: &str,
    start: f64,
    most_probes: usize,
    mut measure: impl FnMut(f64, usize) -> (Verdict, Vec<Counts>),
) -> Case {
    let allowed_share = 1.0 / 100.0;
    let mut settings = Settings::from_start(start, allowed_share);
    let (mut probes, mut golden) = (Vec::new(), Vec::new());
    let result = loop {
        if probes.len() == most_probes {
            settings.most_s = 0.0;
        }
        match next(&settings, &probes, 0.0) {
            Next::Measure(load) => {
                let (verdict, slices) = measure(load, probes.len());
                probes.push(Probe::of_slices(load, verdict, &slices));
                let slices = slices.iter().map(|slice| (slice.late, slice.all)).collect();
                golden.push(GoldenProbe { load, verdict, slices });
            }
            Next::Done(result) => break result,
        }
    };
    Case { name: name.to_owned(), allowed_share, probes: golden, result }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in KINDS {
        for (seed, generator_share) in [(1, f64::INFINITY), (2, f64::INFINITY), (3, 0.6)] {
            let mut server = Server::new(kind, seed);
            let generator_per_s = generator_share * server.knee_per_s();
            let start = server.start_load();
            let measure = |load: f64, _| super::measured(&mut server, load, generator_per_s);
            cases.push(case(&format!("{}, {seed}", kind.name()), start, usize::MAX, measure));
        }
    }
    // After an overload, the server only recovers at a lower load; this must show before the search has ended.
    for most_probes in [2, 5, 9, 20] {
        let mut was_overloaded = false;
        let hysteresis = |load: f64, _| {
            let knee = if was_overloaded { 4_300.0 } else { 5_300.0 };
            was_overloaded = load > knee;
            let (verdict, late) = if was_overloaded { (Verdict::Fail, 700) } else { (Verdict::Pass, 5) };
            (verdict, vec![Counts { late, all: 2_000 }; 10])
        };
        cases.push(case(&format!("hysteresis after {most_probes}"), 1_000.0, most_probes, hysteresis));
    }
    // Overloaded at first, and barely so when the load is repeated: the result stays, but the first counts no longer apply.
    let mut failed = Vec::new();
    let recovering = |load: f64, _| {
        if load < 1_700.0 {
            return (Verdict::Pass, vec![Counts { late: 5, all: 2_000 }; 10]);
        }
        let late = if failed.contains(&load.to_bits()) { [12, 30] } else { [1_000, 1_000] };
        failed.push(load.to_bits());
        (Verdict::Fail, late.repeat(5).into_iter().map(|late| Counts { late, all: 2_000 }).collect())
    };
    cases.push(case("other counts under the same word", 1_660.0, usize::MAX, recovering));
    cases
}

#[test]
fn golden_results_are_what_this_code_finds() {
    assert!((1.0 - QUANTILE - 0.01).abs() < 1e-9, "the cases are about p99");
    let cases = cases();
    if std::env::var_os("TAILROOM_WRITE_GOLDEN").is_some_and(|value| value == "1") {
        let lines: Vec<String> = cases.iter().map(|case| serde_json::to_string(case).expect("a JSON form")).collect();
        fs::write(path(), format!("[\n{}\n]\n", lines.join(",\n"))).expect("the golden folder can be written");
    }
    let text = fs::read_to_string(path()).expect("the golden file");
    let golden: Vec<Case> = serde_json::from_str(&text).expect("searches");
    assert_eq!(golden.len(), cases.len());
    for (golden, case) in golden.iter().zip(&cases) {
        assert_eq!(golden, case, "{}", case.name);
    }
    assert!(golden.iter().any(|case| case.result.changes.iter().any(workloads::load_search::Change::is_hysteresis)));
    assert!(golden.iter().any(|case| case.result.limited.is_some()));
}
