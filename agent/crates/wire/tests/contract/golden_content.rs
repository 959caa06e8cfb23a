//! The content of the golden files: four seconds of a storage run, generated from a fixed seed.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use measure::series::{Clock, Interval, Layout, LayoutKind, SeriesDefinition, SeriesKind};
use serde_json::{Value, json};
use wire::messages::{
    AgentVersion, AnnounceAnswer, Announcement, BatchAnswer, Directive, Finish, FinishAnswer, IntervalBatch,
    MissingRange, Problem, ProblemItem, RunId, RunOutcome, SearchEnd, WorkloadKind,
};

const RUN_ID: &str = "019b76da-a800-7d41-9c3e-5f0a1b2c3d4e";
const SECOND_NS: u64 = 1_000_000_000;
const LIMITS_NS: [u64; 3] = [1_000_000, 8_000_000, 64_000_000];
const HOST: &str = "bench-01";
const DEVICE: &str = "/var/lib/tailroom/act.dat";

pub fn run_id() -> RunId {
    RUN_ID.parse().expect("a UUIDv7")
}

pub fn announcement() -> Announcement {
    Announcement {
        run_id: run_id(),
        title: "First measurement: ACT 1x on bench-01".to_owned(),
        workload: WorkloadKind::ActStorage,
        started_at_unix_ns: 1_767_225_600_000_000_000,
        started_at_uncertainty_ns: Some(180),
        planned_duration_ns: 4 * SECOND_NS,
        agent: AgentVersion { version: "0.1.0".to_owned(), commit: None },
        host: host(),
        plan: json!({
            "title": "First measurement: ACT 1x on bench-01",
            "workload": "act-storage",
            "duration_s": 4,
            "histogram_every_s": 2,
            "act_storage": {
                "path": DEVICE, "file_size_bytes": 4_294_967_296_u64, "load_multiple": 1.0, "record_bytes": 1536,
                "large_block_bytes": 131_072, "defrag_lwm_pct": 50, "engine": "io_uring", "direct_io": true,
                "limits_ns": LIMITS_NS, "seed": 1,
            },
        }),
    }
}

fn host() -> Value {
    json!({
        "hostname": HOST,
        "agent": {"version": "0.1.0", "commit": null},
        "cpu": {"model": "AMD EPYC 7543 32-Core Processor", "sockets": 1, "cores": 32, "cores_per_socket": 32,
                "threads": 64, "smt_active": true, "governor": "performance",
                "mitigations": {"meltdown": "Not affected", "retbleed": "Mitigation: untrained return thunk"}},
        "numa": {"nodes": [{"node": 0, "cpus": "0-63", "memory_bytes": 270_049_099_776_u64}]},
        "memory": {"total_bytes": 270_049_099_776_u64},
        "os": {"name": "Debian GNU/Linux 12 (bookworm)", "kernel": "6.1.0-18-amd64", "architecture": "x86_64"},
        "virtualisation": {"hypervisor_flag": false, "product_name": "PowerEdge R6525", "container": null},
        "block_devices": [{
            "name": "nvme0n1", "model": "SAMSUNG MZQL23T8HCLS-00A07",
            "serial_sha256": "5f3c0f1c8a6fd1bd0b8a2b24d7c5f36c1bd70f66f2a7a5ecb6a40d0b4b8b7f10",
            "firmware": "GDC5602Q", "size_bytes": 3_840_755_982_336_u64, "rotational": false, "scheduler": "none",
            "logical_block_bytes": 512, "physical_block_bytes": 4096,
            "link_speed": "16.0 GT/s PCIe", "link_width": 4, "numa_node": 0,
        }],
        "file_systems": [{"path": DEVICE, "type": "ext4", "source": "/dev/nvme0n1p2", "mount_point": "/",
                          "options": "rw,relatime", "size_bytes": 3_778_822_152_192_u64,
                          "free_bytes": 3_201_447_362_560_u64}],
        "network_interfaces": [{"name": "eno1", "speed_mbit_per_s": 25_000, "state": "up", "mtu": 1500}],
        "unknown": {"virtualisation.container": "no sign of a container"},
    })
}

/// Returns the series: 0–2 are reads on both clocks, 3 and 4 large-block reads, 5 and 6 large-block writes.
fn series() -> Vec<SeriesDefinition> {
    let define = |series_no, operation: &str, clock, kind, rate| SeriesDefinition {
        series_no,
        operation: operation.to_owned(),
        clock,
        kind,
        phase: "main".to_owned(),
        host: HOST.to_owned(),
        device: Some(DEVICE.to_owned()),
        layout: (kind == SeriesKind::Histogram).then_some(Layout {
            t: LayoutKind::Hdr,
            unit_ns: 1000,
            significant_digits: 3,
        }),
        pin_thresholds_ns: LIMITS_NS.to_vec(),
        target_rate_per_s: Some(rate),
    };
    vec![
        define(0, "read", Clock::Response, SeriesKind::Tick, 2000.0),
        define(1, "read", Clock::Response, SeriesKind::Histogram, 2000.0),
        define(2, "read", Clock::Service, SeriesKind::Histogram, 2000.0),
        define(3, "large-block-read", Clock::Response, SeriesKind::Tick, 23.53),
        define(4, "large-block-read", Clock::Response, SeriesKind::Histogram, 23.53),
        define(5, "large-block-write", Clock::Response, SeriesKind::Tick, 23.53),
        define(6, "large-block-write", Clock::Response, SeriesKind::Histogram, 23.53),
    ]
}

pub fn batch() -> IntervalBatch {
    let mut random = Random(0x7a11_9e0d);
    let mut reads = Vec::new();
    let mut large_reads = Vec::new();
    let mut large_writes = Vec::new();
    for second in 0..4 {
        reads.push((0..2000).map(|_| random.latency(85_000, 240_000)).collect::<Vec<_>>());
        let large = if second % 2 == 0 { 24 } else { 23 };
        large_reads.push((0..large).map(|_| random.latency(210_000, 900_000)).collect::<Vec<_>>());
        // The device stalls: no large-block write completes in the second half.
        let large = if second < 2 { large } else { 0 };
        large_writes.push((0..large).map(|_| random.latency(340_000, 1_400_000)).collect::<Vec<_>>());
    }
    reads[1][700] = 9_412_337;
    reads[2][41] = 71_002_911;
    reads[2].truncate(1997);
    reads[3].truncate(1998);

    let mut intervals = Vec::new();
    intervals.extend(ticks(0, &reads, 2000));
    intervals.extend(histograms(1, &reads, 2000));
    let service: Vec<Vec<u64>> = reads.iter().map(|second| second.iter().map(|ns| ns - ns / 20).collect()).collect();
    intervals.extend(histograms(2, &service, 2000));
    intervals.extend(ticks(3, &large_reads, 24));
    intervals.extend(histograms(4, &large_reads, 24));
    intervals.extend(ticks(5, &large_writes, 24));
    intervals.extend(histograms(6, &large_writes, 24));
    for interval in &mut intervals {
        misses(interval);
    }
    IntervalBatch { series: series(), intervals: intervals.into_iter().collect() }
}

/// Returns the same batch from an agent that reports the state of generator and drive. In the third second the generator is late
/// by its own fault, and its thread is busy from then on; a large-block write is stuck; large-block reads have no temperature,
/// and the generator of large-block writes is unknown.
pub fn batch_with_conditions() -> IntervalBatch {
    let mut batch = batch();
    for interval in &mut batch.intervals {
        conditions(interval);
    }
    batch
}

fn conditions(interval: &mut Interval) {
    let series = series();
    let is_tick = series[usize::from(interval.series_no)].kind == SeriesKind::Tick;
    let first_second = interval.start_ns / SECOND_NS;
    let seconds = first_second..first_second + interval.duration_ns / SECOND_NS;
    let third = seconds.contains(&2);
    if interval.series_no < 5 {
        if third {
            interval.lateness_max_ns = 250_000;
        }
        interval.lateness_p99_ns = Some(if third { 161_999 } else { 12_999 });
        let of_second = |second| match second {
            0 | 1 => 41_000_000,
            2 => 990_000_000,
            _ => 560_000_000,
        };
        interval.busy_ns = Some(seconds.map(of_second).sum());
    }
    if is_tick {
        let stuck_ns = (interval.start_ns + interval.duration_ns).saturating_sub(2 * SECOND_NS);
        let (in_flight, oldest_ns) = match interval.series_no {
            0 => (2, 80_000),
            3 => (0, 0),
            _ => (1, stuck_ns.max(300_000)),
        };
        (interval.in_flight, interval.oldest_in_flight_ns) = (Some(in_flight), Some(oldest_ns));
        interval.temperature_millicelsius =
            (interval.series_no != 3).then_some(38_850 + 1_000 * first_second.cast_signed());
    }
}

fn ticks(series_no: u16, seconds: &[Vec<u64>], target_per_s: u64) -> Vec<Interval> {
    seconds
        .iter()
        .zip(0..)
        .map(|(latencies, seq)| interval(series_no, seq, seq * SECOND_NS, SECOND_NS, latencies, target_per_s, false))
        .collect()
}

fn histograms(series_no: u16, seconds: &[Vec<u64>], target_per_s: u64) -> Vec<Interval> {
    seconds
        .chunks(2)
        .zip(0..)
        .map(|(pair, seq)| {
            let latencies = pair.concat();
            interval(series_no, seq, 2 * seq * SECOND_NS, 2 * SECOND_NS, &latencies, 2 * target_per_s, true)
        })
        .collect()
}

fn interval(
    series_no: u16,
    seq: u64,
    start_ns: u64,
    duration_ns: u64,
    latencies_ns: &[u64],
    target_count: u64,
    with_histogram: bool,
) -> Interval {
    let over = |limit: &u64| latencies_ns.iter().filter(|latency| *latency >= limit).count() as u64;
    Interval {
        series_no,
        seq,
        start_ns,
        duration_ns,
        count: latencies_ns.len() as u64,
        errors: 0,
        timeouts: 0,
        unfinished: 0,
        sum_ns: latencies_ns.iter().sum(),
        min_ns: latencies_ns.iter().min().copied(),
        max_ns: latencies_ns.iter().max().copied(),
        pins: LIMITS_NS.iter().map(over).collect(),
        target_count: Some(target_count),
        lateness_max_ns: 52_000 + 1_000 * seq,
        lateness_p99_ns: None,
        busy_ns: None,
        in_flight: None,
        oldest_in_flight_ns: None,
        temperature_millicelsius: None,
        histogram: (with_histogram && !latencies_ns.is_empty()).then(|| payload(latencies_ns)),
    }
}

/// Adds two errors and a time-out to the third second of reads, and two unfinished reads and a write at the end.
fn misses(interval: &mut Interval) {
    match (interval.series_no, interval.seq) {
        (0, 2) => (interval.errors, interval.timeouts) = (2, 1),
        (0, 3) => interval.unfinished = 2,
        (1 | 2, 1) => (interval.errors, interval.timeouts, interval.unfinished) = (2, 1, 2),
        (5, 3) | (6, 1) => interval.unfinished = 1,
        _ => {}
    }
}

fn payload(latencies_ns: &[u64]) -> Vec<u8> {
    let mut histogram = Histogram::<u64>::new_with_bounds(1, 3_600_000_000, 3).expect("valid bounds");
    for latency_ns in latencies_ns {
        histogram.record(latency_ns / 1000).expect("within bounds");
    }
    let mut bytes = Vec::new();
    V2DeflateSerializer::new().serialize(&histogram, &mut bytes).expect("serialisable");
    bytes
}

/// `SplitMix64`, from which latencies with a long tail are drawn.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn latency(&mut self, base_ns: u64, spread_ns: u64) -> u64 {
        let body = base_ns + self.next() % (spread_ns / 4) + self.next() % (spread_ns / 4);
        if self.next().is_multiple_of(200) { body + self.next() % (6 * spread_ns) } else { body }
    }
}

pub fn finish() -> Finish {
    Finish {
        outcome: RunOutcome::Completed,
        reason: None,
        duration_ns: 4 * SECOND_NS,
        last_seq: BTreeMap::from([(0, 3), (1, 1), (2, 1), (3, 3), (4, 1), (5, 3), (6, 1)]),
        drive_counters: None,
        search_ended: None,
    }
}

/// Returns the same finish, with the counters of the drive that holds the file.
pub fn finish_with_counters() -> Finish {
    let reading = |moment: &str, at_ns: i64, written_bytes: u64| {
        json!({
            "moment": moment,
            "at_ns": at_ns,
            "took_ns": 400_000,
            "values": {
                "extended.media_written_bytes": 3 * written_bytes,
                "kernel.written_bytes": written_bytes + 4_096,
                "smart.host_written_bytes": written_bytes,
                "smart.percentage_used": 3,
                "smart.temperature_k": 311,
            },
            "texts": {"kernel.scheduler": "none", "kernel.write_cache": "write back"},
        })
    };
    let drive = json!({
        "devices": [DEVICE],
        "disk": "nvme0n1",
        "readings": [
            reading("armed", -60_000_000, 512_000_000),
            reading("start", 100_000, 512_000_000),
            reading("end", 4_000_100_000, 716_800_000),
            reading("drained", 4_020_000_000, 717_312_000),
        ],
        "absent": {"latency_monitor": "the drive's latency monitor is switched off"},
    });
    Finish { drive_counters: Some(json!({"version": 1, "drives": [drive], "without_disk": []})), ..finish() }
}

/// Returns the same finish for the last probe of a search.
pub fn finish_of_search() -> Finish {
    Finish { search_ended: Some(SearchEnd::Precision), ..finish() }
}

pub fn ack() -> BatchAnswer {
    BatchAnswer {
        acknowledged: BTreeMap::from([(0, 3), (1, 1), (2, -1), (3, 3), (4, 1), (5, 3), (6, 1)]),
        missing: vec![MissingRange { series: 2, from_seq: 0, to_seq: 0 }],
        directive: Directive::Continue,
    }
}

pub fn announce_answer() -> AnnounceAnswer {
    AnnounceAnswer { run_id: run_id(), directive: Directive::Continue }
}

pub fn finish_answer() -> FinishAnswer {
    FinishAnswer { complete: true, missing: Vec::new(), directive: Directive::Continue }
}

pub fn problem() -> Problem {
    Problem {
        kind: Some("/problems/batch-invalid".to_owned()),
        title: "The batch breaks a rule of the wire contract".to_owned(),
        status: 422,
        detail: "2 rules are broken in 2 intervals of this batch; nothing of it was stored. See `problems`; correct \
                 the named fields and send the batch again."
            .to_owned(),
        code: "batch-invalid".to_owned(),
        problems: vec![
            ProblemItem {
                series: Some(0),
                seq: Some(2),
                field: Some("pins".to_owned()),
                reason: "pins[1] = 9 is greater than pins[0] = 4; counts over rising thresholds cannot rise".to_owned(),
            },
            ProblemItem {
                series: Some(1),
                seq: Some(0),
                field: Some("histogram".to_owned()),
                reason: "the histogram holds 3999 values but count is 4000".to_owned(),
            },
        ],
    }
}

/// Returns the live event of the ticks in the batch, as browsers receive it.
pub fn ticks_event() -> Value {
    let tick_series: Vec<u16> =
        series().iter().filter(|series| series.kind == SeriesKind::Tick).map(|series| series.series_no).collect();
    let ticks: Vec<Value> = batch()
        .intervals
        .iter()
        .filter(|interval| tick_series.contains(&interval.series_no))
        .map(|tick| {
            json!({
                "series_no": tick.series_no, "seq": tick.seq, "start_ns": tick.start_ns,
                "duration_ns": tick.duration_ns, "count": tick.count, "errors": tick.errors,
                "timeouts": tick.timeouts, "unfinished": tick.unfinished, "sum_ns": tick.sum_ns,
                "min_ns": tick.min_ns, "max_ns": tick.max_ns, "pins": tick.pins,
                "target_count": tick.target_count, "lateness_max_ns": tick.lateness_max_ns,
            })
        })
        .collect();
    json!({"run_id": RUN_ID, "ticks": ticks})
}
