//! Tests of stages on simulated sessions with known latencies.

use measure::clock::{ManualTime, TimeSource};
use measure::report::with_reporter;
use measure::series::{Outcome, SeriesDefinition, SeriesKind, StopFlag};
use runner::Session;
use runner::injected::{CompletionLog, Injected};
use workloads::job::Scheduling;
use workloads::plan;

use super::*;
use crate::command::Request;
use crate::trial::Memory;

const MS: u64 = 1_000_000;

struct Seen {
    memory: Memory,
    outcome: Outcome,
    series: Vec<SeriesDefinition>,
    truth: CompletionLog<Command>,
}

impl Seen {
    /// Returns the operations and misses of the first series of an operation on a clock.
    fn counts(&self, operation: &str, clock: Clock) -> (u64, u64) {
        let wanted = |one: &&SeriesDefinition| {
            one.operation == operation && one.clock == clock && one.kind == SeriesKind::Histogram
        };
        let number = self.series.iter().find(wanted).expect("a series").series_no;
        let sum = |of| self.memory.sum(number, of);
        (sum(|one| one.count), sum(|one| one.errors + one.timeouts + one.unfinished))
    }

    fn operations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.series.iter().map(|one| one.operation.as_str()).collect();
        names.dedup();
        names
    }

    fn commands(&self) -> Vec<Command> {
        self.truth.lock().expect("not poisoned").iter().map(|one| one.request.command).collect()
    }
}

/// A target that opens no sessions: the tests pass their own sessions to the stage.
struct Unopened;

impl Target for Unopened {
    type Command = Command;

    fn open(&self, _: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        unreachable!("no thread is started")
    }
}

/// A clock that advances by a fixed number of nanoseconds at every reading.
struct SlowMachine(ManualTime, u64);

impl TimeSource for SlowMachine {
    fn now_ns(&self) -> u64 {
        self.0.advance(self.1);
        self.0.now_ns()
    }

    fn wait_until(&self, offset_ns: u64) {
        self.0.advance_to(offset_ns);
    }
}

/// Runs stage `number` of a plan with simulated latencies.
fn run(text: &str, number: usize, latency_ns: fn(&Request) -> u64) -> Seen {
    run_slowly(text, number, latency_ns, 0)
}

fn run_slowly(text: &str, number: usize, latency_ns: fn(&Request) -> u64, look_ns: u64) -> Seen {
    let job = plan::Plan::parse(text).expect("a plan").job().expect("runs");
    let stage = &job.stages[number];
    let objects = &job.objects;
    let objects = Objects::new(objects.naming, (objects.first, objects.count), objects.shape.clone(), 1);
    let settings =
        Settings { seed: 1, timeout_ns: 10_000 * MS, ticks_per_histogram: 1, address: "a:1".into(), limits_ns: vec![] };
    let prepared = prepared(stage, &settings, objects, |_, _| Unopened).expect("usable");
    assert_eq!(prepared.threads, 1, "one thread in these tests");
    let places = usize::try_from(stage.connections).expect("few") * stage.pipeline as usize;
    let (mut session, truth) = Injected::new(places, latency_ns, (0, 0));
    let (memory, time) = (Memory::default(), Arc::new(SlowMachine(ManualTime::default(), look_ns)));
    let outcome = with_reporter(&prepared.series_table, &memory, |reporter| {
        prepared.measure(&mut session, time.clone(), reporter, &StopFlag::default())
    });
    let outcome = outcome.expect("reported").expect("ends");
    assert!(time.now_ns() > 0);
    Seen { memory, outcome, series: prepared.series_table.definitions("here"), truth }
}

#[test]
fn a_load_takes_every_object_once_and_ends_with_the_last() {
    let text = "workload = \"fraud\"\n[fraud]\nobjects = 1_003\nconnections = 3";
    let seen = run(text, 0, |_| MS);
    assert_eq!(seen.counts("insert", Clock::Service), (1_003, 0));
    assert!(seen.series.iter().all(|one| one.clock == Clock::Service && one.target_rate_per_s.is_none()));
    let mut keys: Vec<u64> = seen.commands().iter().map(Command::number).collect();
    assert!(seen.commands().iter().all(|one| matches!(one, Command::Load { .. })));
    keys.sort_unstable();
    assert_eq!(keys, (0..1_003).collect::<Vec<_>>());
    assert!(seen.outcome.completed && seen.outcome.duration_ns < 25 * MS, "{:?}", seen.outcome);
}

#[test]
fn a_mix_has_one_schedule_and_each_kind_the_rate_of_its_share() {
    for mix in ["random", "cycle"] {
        let text = format!(
            "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nmix = \"{mix}\"\nkey_maximum = 99\nrate_per_s = 5000\n\
             measure_s = 2\nconnections = 9"
        );
        let seen = run(&text, 1, |_| MS / 10);
        let (sets, gets) = (seen.counts("set", Clock::Response), seen.counts("get", Clock::Response));
        assert_eq!((sets.0 + gets.0, sets.1 + gets.1), (10_000, 0));
        // Five standard deviations of the draw.
        let room = if mix == "cycle" { 0 } else { 200 };
        assert!(sets.0.abs_diff(2_000) <= room, "{sets:?}");
        let writes = seen.commands().iter().filter(|one| matches!(one, Command::Update { .. })).count() as u64;
        assert_eq!(writes, sets.0, "what is recorded as a set was one");
        let rates: f64 = seen.series.iter().filter_map(|one| one.target_rate_per_s).sum();
        assert!((rates - 4.0 * 5_000.0).abs() < 1e-6, "on two clocks, as ticks and histograms: {rates}");
    }
}

#[test]
fn without_a_rate_as_many_are_under_way_as_places_and_only_service_is_known() {
    let text = "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:1\"\nkey_maximum = 99\nmeasure_s = 1\nconnections = 2\n\
                pipeline = 3";
    let seen = run(text, 1, |_| 10 * MS);
    assert_eq!(seen.operations(), ["set", "get"]);
    assert!(seen.series.iter().all(|one| one.clock == Clock::Service && one.target_rate_per_s.is_none()));
    let all = seen.counts("set", Clock::Service).0 + seen.counts("get", Clock::Service).0;
    assert!((594..=606).contains(&all), "six at a time, 10 ms each, for a second: {all}");
}

/// Runs one transaction of 25 reads of 1 ms each second, for two seconds. Returns its mean time in nanoseconds and the recorded
/// data.
fn transaction(setting: &str) -> (u64, Seen) {
    let text = format!(
        "workload = \"fraud\"\n[fraud]\nobjects = 100\nreads_per_transaction = 25\n{setting}\nramp_s = 0\nmeasure_s = 2\n\
         connections = 30\n[[fraud.phases]]\nname = \"steady\"\nreads_per_s = 25\nupdates_per_s = 5"
    );
    let seen = run(&text, 1, |request| if request.unit == 0 && request.lane == 0 { MS / 2 } else { MS });
    assert_eq!(seen.counts("transaction", Clock::Response), (2, 0));
    assert_eq!(seen.counts("update", Clock::Response), (10, 0));
    let series = seen.series.iter().find(|one| one.operation == "transaction").expect("a series");
    (seen.memory.sum(series.series_no, |one| one.sum_ns) / 2, seen)
}

#[test]
fn transactions_read_one_by_one_in_waves_through_a_pool_and_by_multi_gets() {
    let (sequential_ns, seen) = transaction("");
    assert_eq!((sequential_ns, seen.counts("read", Clock::Service)), (25 * MS, (50, 0)));
    let (waves_ns, seen) = transaction("scheduling = \"barrier\"\nfan_out = 10");
    assert_eq!((waves_ns, seen.counts("read", Clock::Service)), (3 * MS, (50, 0)), "10, 10 and 5");
    let (pool_ns, _) = transaction("scheduling = \"pool\"\nfan_out = 25");
    assert_eq!(pool_ns, MS);
    let (batches_ns, seen) = transaction("batch = 10");
    assert_eq!((batches_ns, seen.counts("batch-read", Clock::Service)), (3 * MS, (6, 0)));
    let sizes: Vec<u32> = seen
        .commands()
        .iter()
        .filter_map(|one| if let Command::ReadMany { count, .. } = one { Some(*count) } else { None })
        .collect();
    assert_eq!(sizes, [10, 10, 5, 10, 10, 5]);
    assert!(!seen.operations().contains(&"read"), "a multi-get is no read");
}

/// Returns when a transaction of reads with these latencies ends, in milliseconds.
fn end_ms(latencies_ms: &[u32], scheduling: Scheduling, fan_out: u32) -> u32 {
    let chooser = Chooser::new(Distribution::Uniform, 0, 100, 1).expect("a law");
    let reads = u32::try_from(latencies_ms.len()).expect("few");
    let transaction = Transactions { reads, batch: 1, scheduling, fan_out, chooser };
    let (mut now_ms, mut begun, mut ended, mut under_way) = (0, 0, 0, Vec::new());
    while ended < reads {
        for _ in 0..transaction.ready(reads, begun, ended) {
            under_way.push(now_ms + latencies_ms[begun as usize]);
            begun += 1;
        }
        under_way.sort_unstable();
        now_ms = under_way.remove(0);
        ended += 1;
    }
    now_ms
}

#[test]
fn transactions_end_when_the_slowest_of_each_wave_or_the_pool_is_done() {
    // Expected values are calculated independently.
    let latencies_ms = [5, 1, 1, 1, 9, 1, 2, 2, 1, 3];
    for (fan_out, barrier_ms, pool_ms) in [(2, 20, 14), (4, 17, 10)] {
        assert_eq!(end_ms(&latencies_ms, Scheduling::Barrier, fan_out), barrier_ms, "{fan_out} in a wave");
        assert_eq!(end_ms(&latencies_ms, Scheduling::Pool, fan_out), pool_ms, "{fan_out} in a pool");
    }
    assert_eq!(end_ms(&latencies_ms, Scheduling::Sequential, 1), 26);
}

#[test]
fn a_read_modify_write_is_a_read_and_then_an_update_of_the_same_key() {
    let properties = "recordcount=100\noperationcount=1000\nworkload=CoreWorkload\nreadproportion=0.5\n\
                      updateproportion=0\nreadmodifywriteproportion=0.5\nrequestdistribution=zipfian\nthreadcount=4\n";
    for (target, clock) in [("", Clock::Service), ("target=500\n", Clock::Response)] {
        let seen = run(&format!("{properties}{target}"), 1, |_| MS);
        let (reads, both) = (seen.counts("read", clock), seen.counts("read-modify-write", clock));
        assert_eq!((reads.0 + both.0, reads.1 + both.1), (1_000, 0), "requests are half as many again");
        assert_eq!(seen.counts("rmw-read", Clock::Service), (both.0, 0));
        assert_eq!(seen.counts("rmw-update", Clock::Service), (both.0, 0));
        assert!(both.0.abs_diff(500) < 80, "{both:?}");
        let commands = seen.commands();
        let updates = commands.iter().filter(|one| matches!(one, Command::Update { .. }));
        for update in updates {
            let Command::Update { key, number } = *update else { continue };
            assert!(commands.contains(&Command::Read { key, number }));
        }
    }
}

#[test]
fn a_number_of_operations_and_a_time_end_a_stage_by_whichever_comes_first() {
    let properties = "recordcount=100\nworkload=CoreWorkload\nthreadcount=4\nmaxexecutiontime=1\n";
    for (operations, expected) in [(1_000_000_000, 396..=404), (40, 40..=40)] {
        let seen = run(&format!("{properties}operationcount={operations}\n"), 1, |_| 10 * MS);
        let done = seen.counts("read", Clock::Service).0 + seen.counts("update", Clock::Service).0;
        assert!(expected.contains(&done), "four at a time, 10 ms each: {done} of {operations}");
        assert!(seen.outcome.completed && seen.outcome.duration_ns <= 1_000 * MS, "{:?}", seen.outcome);
    }
}

/// Runs 100 transactions of one read each second on one connection, for three seconds.
fn of_one_connection(latency_ns: fn(&Request) -> u64, look_ns: u64) -> Memory {
    let text = "workload = \"fraud\"\n[fraud]\nobjects = 100\nreads_per_transaction = 1\nramp_s = 0\nmeasure_s = 3\n\
                connections = 1\n[[fraud.phases]]\nname = \"steady\"\nreads_per_s = 100";
    run_slowly(text, 1, latency_ns, look_ns).memory
}

#[test]
fn a_transaction_that_waits_for_a_connection_is_not_late_by_the_generators_fault() {
    let stalls: fn(&Request) -> u64 = |read| if read.command.number() == 130 { 500 * MS } else { MS / 10 };
    let slow: fn(&Request) -> u64 = |_| 12 * MS;
    for (latency_ns, least_ns) in [(stalls, 480 * MS), (slow, 300 * MS)] {
        let memory = of_one_connection(latency_ns, 0);
        for series_no in 0..4 {
            let second = &memory.by_series()[&series_no][1];
            assert!(second.lateness_max_ns > least_ns, "{second:?}");
            assert_eq!(second.lateness_p99_ns, Some(999), "no more than the width of a bucket: {second:?}");
            assert!(second.busy_ns.is_some());
        }
        let reads = &memory.by_series()[&4];
        assert!(reads.iter().all(|interval| interval.lateness_p99_ns.is_none()), "reads have no schedule");
    }
}

#[test]
fn a_generator_that_is_slow_says_so_whether_connections_are_free_or_not() {
    for latency_ns in [|_: &Request| MS / 10, |_: &Request| 12 * MS] {
        let memory = of_one_connection(latency_ns, MS / 5);
        let second = &memory.by_series()[&1][1];
        // The thread reads the clock two or three times between an answer and the next transaction.
        let late_ns = second.lateness_p99_ns.expect("told");
        assert!((MS / 5..MS).contains(&late_ns), "{second:?}");
    }
}

#[test]
fn transactions_without_an_answer_are_under_way_at_the_end_of_a_second() {
    let memory = of_one_connection(|read| if read.command.number() == 150 { 1_000 * MS } else { MS }, 0);
    let ticks = &memory.by_series()[&0];
    assert_eq!((ticks[1].in_flight, ticks[1].oldest_in_flight_ns), (Some(1), Some(500 * MS)), "{:?}", ticks[1]);
    assert_eq!((ticks[2].in_flight, ticks[2].oldest_in_flight_ns), (Some(0), Some(0)), "{:?}", ticks[2]);
    assert!(memory.by_series()[&1].iter().all(|interval| interval.in_flight.is_none()));
}

#[test]
fn what_cannot_be_run_is_named() {
    let refused = |more: &str| {
        let text = format!("recordcount=100\noperationcount=10\nworkload=CoreWorkload\n{more}");
        plan::Plan::parse(&text).expect("explained").job().expect_err("not run").to_string()
    };
    let told = refused("fieldlengthdistribution=histogram");
    assert!(told.contains("fieldlengthhistogram: names lengths in a file"), "{told}");
}

#[test]
fn sets_and_gets_walk_over_the_keys_by_themselves() {
    let text = "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nkey_minimum = 5\nkey_maximum = 104\nload = false\n\
                rate_per_s = 1000\nmeasure_s = 1\nconnections = 4\n";
    for (pattern, first) in [("S:S", [5, 6, 7, 8, 9]), ("P:P", [5, 30, 55, 80, 6])] {
        for mix in ["random", "cycle"] {
            let seen = run(&format!("{text}key_pattern = \"{pattern}\"\nmix = \"{mix}\"\n"), 0, |_| 1_000);
            let keys = |updates: bool| -> Vec<u64> {
                let key = |command: &Command| match *command {
                    Command::Update { key, .. } if updates => Some(key),
                    Command::Read { key, .. } if !updates => Some(key),
                    _ => None,
                };
                seen.commands().iter().filter_map(key).collect()
            };
            for keys in [keys(true), keys(false)] {
                assert_eq!(keys[..5], first, "{pattern} {mix}");
                let mut round = keys[..100].to_vec();
                round.sort_unstable();
                assert_eq!(round, (5..105).collect::<Vec<_>>(), "{pattern} {mix}: each key once in a round");
            }
        }
    }
    // Sets go through the keys in order, gets draw them at random.
    let seen = run(&format!("{text}key_pattern = \"S:R\"\n"), 0, |_| 1_000);
    let reads = seen
        .commands()
        .into_iter()
        .filter_map(|one| if let Command::Read { key, .. } = one { Some(key) } else { None });
    let reads: Vec<u64> = reads.collect();
    assert!(!reads.is_sorted());
}

/// Central binomial intervals that one draw in a million misses, calculated independently.
#[test]
fn mixes_lie_in_the_intervals_of_their_draws() {
    let ycsb = |shares: &str, operations: u32| {
        format!(
            "recordcount=1000\noperationcount={operations}\nreadproportion=0\nupdateproportion=0\nthreadcount=4\n{shares}\n"
        )
    };
    let within = |seen: &Seen, operation: &str, least: u64, most: u64| {
        let (count, misses) = seen.counts(operation, Clock::Service);
        assert!((least..=most).contains(&count) && misses == 0, "{operation}: {count}");
        count
    };
    for (shares, operations, expected) in [
        ("readproportion=0.5\nupdateproportion=0.5", 100_000, [("read", 49_227, 50_773), ("update", 49_227, 50_773)]),
        ("readproportion=0.95\nupdateproportion=0.05", 100_000, [("read", 94_659, 95_334), ("update", 4_666, 5_341)]),
        (
            "readproportion=0.95\ninsertproportion=0.05",
            200_000,
            [("read", 189_520, 190_473), ("insert", 9_527, 10_480)],
        ),
    ] {
        let seen = run(&ycsb(shares, operations), 1, |_| 1_000);
        let counts = expected.map(|(operation, least, most)| within(&seen, operation, least, most));
        assert_eq!(counts.iter().sum::<u64>(), u64::from(operations));
    }
    // Workload F: every operation reads, and a read-modify-write also updates.
    let seen = run(&ycsb("readproportion=0.5\nreadmodifywriteproportion=0.5", 100_000), 1, |_| 1_000);
    let reads = within(&seen, "read", 49_227, 50_773);
    let whole = within(&seen, "read-modify-write", 49_227, 50_773);
    assert_eq!(reads + whole, 100_000);
    assert_eq!(
        (seen.counts("rmw-read", Clock::Service).0, seen.counts("rmw-update", Clock::Service).0),
        (whole, whole)
    );
    assert!((149_227..=150_773).contains(&seen.commands().len()));

    let keyvalue = |mix: &str| {
        let plan = "key_maximum = 99\nrate_per_s = 100000\nmeasure_s = 10\nconnections = 64\nload = false";
        format!("workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nmix = \"{mix}\"\n{plan}\n")
    };
    let seen = run(&keyvalue("random"), 0, |_| 1_000);
    assert_eq!(within(&seen, "get", 798_041, 801_954) + within(&seen, "set", 198_046, 201_959), 1_000_000);
    let seen = run(&keyvalue("cycle"), 0, |_| 1_000);
    assert_eq!((seen.counts("set", Clock::Service).0, seen.counts("get", Clock::Service).0), (200_000, 800_000));
    let first: String =
        seen.commands()[..10].iter().map(|one| if matches!(one, Command::Update { .. }) { 'S' } else { 'G' }).collect();
    assert_eq!(first, "SGGGGSGGGG");
}
