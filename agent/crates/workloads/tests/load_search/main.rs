//! The search for the highest load on 1,000 simulated servers with known knees: five kinds, each with a load generator that keeps
//! up and with a slower generator. `cargo test -p workloads --test load_search -- --nocapture` prints the table.

mod golden;
mod random;
mod servers;

use servers::{KINDS, Kind, OBJECTIVE_S, QUANTILE, Server};
use workloads::load_search::{Counts, Next, Probe, SearchResult, Settings, Verdict, fails_for_certain, next};

const SERVERS_OF_A_KIND: u64 = 200;
const WARM_UP_S: f64 = 2.0;
const SLICES: usize = 10;
const SLICE_S: f64 = 2.0;

/// Runs a search and returns its result and the number of probes.
fn search(server: &mut Server, settings: &Settings, generator_per_s: f64) -> (SearchResult, usize) {
    let mut probes = Vec::new();
    loop {
        match next(settings, &probes, server.now_s()) {
            Next::Measure(load) => {
                let (verdict, slices) = measured(server, load, generator_per_s);
                probes.push(Probe::of_slices(load, verdict, &slices));
            }
            Next::Done(result) => return (result, probes.len()),
        }
    }
}

/// Returns the result of a probe as an agent would report it, and the counts of its slices.
fn measured(server: &mut Server, load: f64, generator_per_s: f64) -> (Verdict, Vec<Counts>) {
    // A generator that is too slow sends what it can; the remaining operations begin late and count as late.
    let is_limited = load > generator_per_s;
    let is_over = |slices: &[Counts]| {
        let late = slices.iter().map(|slice| slice.late).sum();
        // Slices with a late generator prove no failure.
        !is_limited && fails_for_certain(1.0 - QUANTILE, late, load * SLICES as f64 * SLICE_S, slices.len())
    };
    let mut slices = server.probe(load.min(generator_per_s), WARM_UP_S, (SLICES, SLICE_S), &is_over);
    if is_limited {
        let unsent = 1.0 - generator_per_s / load;
        for slice in &mut slices {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
            let more = (unsent * slice.all as f64) as u64;
            *slice = Counts { late: slice.late + more, all: slice.all + more };
        }
    }
    let counts = slices
        .iter()
        .fold(Counts::default(), |sum, slice| Counts { late: sum.late + slice.late, all: sum.all + slice.all });
    let verdict = if counts.share() <= 1.0 - QUANTILE {
        Verdict::Pass
    } else if is_limited {
        Verdict::Limited
    } else {
        Verdict::Fail
    };
    (verdict, slices)
}

struct Row {
    kind: &'static str,
    searches: usize,
    in_bracket: usize,
    in_stated: usize,
    bounded: usize,
    in_bounded: usize,
    changed: usize,
    probes: Vec<usize>,
    widths: Vec<f64>,
    /// Time of each search relative to that with full-length probes.
    time_shares: Vec<f64>,
}

impl Row {
    fn line(&mut self) -> String {
        self.probes.sort_unstable();
        self.widths.sort_by(f64::total_cmp);
        self.time_shares.sort_by(f64::total_cmp);
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        format!(
            "{:<22}  {:>5.1} %  {:>5.1} %  {:>5.1} %  {:>5.1} %  {:>5.1} %  {:>5.1} %  {:>4}  {:>4}  {:>3.0} %",
            self.kind,
            share(self.in_bracket, self.searches),
            share(self.in_stated, self.searches),
            share(self.bounded, self.searches),
            share(self.in_bounded, self.bounded),
            100.0 * self.widths.get(self.widths.len() / 2).copied().unwrap_or(f64::NAN),
            share(self.changed, self.searches),
            self.probes[self.probes.len() / 2],
            self.probes[self.probes.len() * 95 / 100],
            100.0 * self.time_shares[self.time_shares.len() / 2],
        )
    }
}

fn row_of(kind: Kind) -> Row {
    let mut row = Row {
        kind: kind.name(),
        searches: 0,
        in_bracket: 0,
        in_stated: 0,
        bounded: 0,
        in_bounded: 0,
        changed: 0,
        probes: Vec::new(),
        widths: Vec::new(),
        time_shares: Vec::new(),
    };
    for seed in 0..SERVERS_OF_A_KIND {
        let mut server = Server::new(kind, seed);
        let start = server.start_load();
        let (result, probes) = search(&mut server, &Settings::from_start(start, 1.0 - QUANTILE), f64::INFINITY);
        let knee = server.knee_per_s();
        let within = |lower: Option<f64>, upper: Option<f64>| {
            lower.unwrap_or(0.0) <= knee && knee <= upper.unwrap_or(f64::INFINITY)
        };
        row.searches += 1;
        row.in_bracket += usize::from(within(result.passed, result.failed));
        row.in_stated += usize::from(within(result.surely_passed, result.surely_failed));
        row.changed += usize::from(!result.changes.is_empty());
        if let (Some(lower), Some(upper)) = (result.surely_passed, result.surely_failed) {
            row.bounded += 1;
            row.in_bounded += usize::from(within(Some(lower), Some(upper)));
            row.widths.push(upper / lower - 1.0);
        }
        row.probes.push(probes);
        row.time_shares.push(server.now_s() / (probes as f64 * (WARM_UP_S + SLICES as f64 * SLICE_S + 1.0)));
    }
    row
}

#[test]
fn the_knee_of_a_thousand_servers_lies_in_the_stated_bracket() {
    println!(
        "objective: p{} < {} ms; probes of {} s after {WARM_UP_S} s",
        100.0 * QUANTILE,
        1e3 * OBJECTIVE_S,
        SLICES as f64 * SLICE_S
    );
    println!(
        "                         knee in   in the    stated    of these           word of a    probes       time"
    );
    println!(
        "kind of server           bracket   stated    at both   the knee  width    load        median    (median)"
    );
    println!("                                   bracket   ends      inside    (median) changed         95 %");
    let mut all = (0, 0, Vec::new());
    for kind in KINDS {
        let mut row = row_of(kind);
        println!("{}", row.line());
        assert!(row.in_stated * 100 >= 95 * row.searches, "{}: {} of {}", row.kind, row.in_stated, row.searches);
        assert!(row.probes[row.probes.len() / 2] <= 12, "{}", row.kind);
        all.0 += row.searches;
        all.1 += row.in_stated;
        all.2.extend(row.probes);
    }
    all.2.sort_unstable();
    let (share, median) = (all.1 as f64 / all.0 as f64, all.2[all.2.len() / 2]);
    println!("together: {} searches, {:.1} % in the stated bracket, median {median} probes", all.0, 100.0 * share);
    assert!(share >= 0.95, "{share}");
    assert!(median <= 12, "{median}");
}

#[test]
fn a_slow_generator_is_never_reported_as_a_failure_of_the_server() {
    for kind in KINDS {
        for seed in 0..20 {
            let mut server = Server::new(kind, seed);
            let (start, generator_per_s) = (server.start_load(), 0.6 * server.knee_per_s());
            let (result, _) = search(&mut server, &Settings::from_start(start, 1.0 - QUANTILE), generator_per_s);
            let fails_at_generator = result.failed.is_some_and(|failed| failed > generator_per_s);
            assert!(!fails_at_generator, "{}, {seed}: {result:?}", kind.name());
        }
    }
}
