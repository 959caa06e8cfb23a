//! YCSB's core workload, from unchanged property files.
//!
//! Source: YCSB, `CoreWorkload`, `Client` and its templates A to F; docs/workloads.md section 4.

use keys::chooser::{Chooser, Distribution};
use keys::name::Naming;

use crate::error::PlanError;
use crate::explanation::{Dataset, Explanation, Phase};
use crate::job::{self, Job, ObjectSpec, Operation, ScanLength, Shape, Stage, Stream};
use crate::properties::Properties;
use crate::rate::Rate;
pub use crate::ycsb_notices::OWN_SETTINGS;
use crate::ycsb_notices::{LOAD_RATE_KEY, WARM_UP_KEY, notices};
use crate::ycsb_record::Record;
use crate::ycsb_requests::Requests;

/// Largest key number that YCSB itself can represent.
const MOST_RECORDS_OF_YCSB: u64 = 0x7fff_ffff;

/// Largest value of `zeropadding`; higher values are assumed to be typing errors.
const MOST_DIGITS: usize = 64;
/// Longest duration of a phase in seconds: a week.
const LONGEST_STAGE_S: u64 = 7 * 24 * 3_600;

/// Returns whether `text` is a property file of YCSB: it has no sections and sets `recordcount` or `workload`.
pub fn is_property_file(text: &str) -> bool {
    let is_section = |line: &str| line.trim_start().starts_with('[');
    let is_ours = |line: &str| {
        line.trim_start()
            .strip_prefix("workload")
            .is_some_and(|rest| rest.trim_start_matches([' ', '=']).starts_with('"'))
    };
    !text.lines().any(|line| is_section(line) || is_ours(line))
        && Properties::parse(text)
            .is_ok_and(|found| ["recordcount", "workload"].iter().any(|key| found.text(key).is_some()))
}

#[derive(Debug, Clone)]
pub struct Workload {
    /// Number of records, of which the keys `insert_start … insert_start + insert_count − 1` are loaded here.
    pub record_count: u64,
    /// First key number that is loaded.
    pub insert_start: u64,
    /// Number of records that are loaded.
    pub insert_count: u64,
    /// Number of operations after which a phase ends; 0 if it only ends by time.
    pub operation_count: u64,
    /// Time in seconds after which a phase ends; 0 if it only ends by operations.
    pub longest_s: u64,
    /// Length of the warm-up phase in seconds; 0 for none.
    pub warm_up_s: f64,
    /// Records loaded per second; as fast as the database accepts them if `None`.
    pub load_rate: Option<Rate>,
    pub phases: Vec<Requests>,
    /// How keys are named.
    pub naming: Naming,
    /// Number of connections, each with one request under way.
    pub threads: u64,
    /// Operations per second; a closed loop if `None`.
    pub target: Option<Rate>,
    record: Record,
    notices: Vec<String>,
}

impl Workload {
    /// Parses a property file. Fails if a setting is invalid or not supported, with its line, key and the reason.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let properties = Properties::parse(text)?;
        if let Some(class) = properties.text("workload").filter(|class| !class.ends_with("CoreWorkload")) {
            let sentence = format!("{class} is not supported; only CoreWorkload is");
            return Err(properties.refuse("workload", sentence));
        }
        let mut notices = notices(&properties)?;
        let record_count: u64 = properties.number("recordcount", 0)?;
        let sentence = "is 0 or missing; YCSB would take 2147483647. Say how many records there are";
        properties.require(record_count > 0, "recordcount", sentence)?;
        let insert_start: u64 = properties.number("insertstart", 0)?;
        let insert_count: u64 = properties.number("insertcount", record_count.saturating_sub(insert_start))?;
        let fits = insert_count > 0 && insert_start.checked_add(insert_count).is_some_and(|end| end <= record_count);
        let sentence = format!(
            "{insert_start} + insertcount {insert_count} does not fit into recordcount {record_count}; at least one record must be \
             left to insert"
        );
        properties.require(fits, "insertstart", sentence)?;
        let operation_count: u64 = properties.number("operationcount", 0)?;
        let longest_s: u64 = properties.number("maxexecutiontime", 0)?;
        let sentence = format!("is {longest_s}; a phase lasts at most {LONGEST_STAGE_S} s");
        properties.require(longest_s <= LONGEST_STAGE_S, "maxexecutiontime", sentence)?;
        let sentence = "is 0 or missing, and so is maxexecutiontime; give one of them, else the run never ends";
        properties.require(operation_count > 0 || longest_s > 0, "operationcount", sentence)?;
        let warm_up_s: f64 = properties.number(WARM_UP_KEY, 0.0)?;
        let is_time = warm_up_s.is_finite() && warm_up_s >= 0.0;
        properties.require(is_time, WARM_UP_KEY, format!("is {warm_up_s}; it must be 0 or more"))?;
        let load_per_s = properties.text(LOAD_RATE_KEY).map(|_| properties.number(LOAD_RATE_KEY, 0.0)).transpose()?;
        let load_rate = job::load_rate(load_per_s).map_err(|sentence| properties.refuse(LOAD_RATE_KEY, sentence))?;
        let target: f64 = properties.number("target", 0.0)?;
        let rate = Rate::new(target)
            .ok_or_else(|| properties.refuse("target", format!("is {target}; it must be 0 or more")))?;
        let target = (rate > Rate::default()).then_some(rate);
        let threads: u64 = properties.number("threadcount", 1)?;
        properties.require(threads > 0, "threadcount", "is 0; at least one connection is needed")?;
        let planned = match (operation_count, target) {
            (0, Some(rate)) => rate.per_s() * longest_s as f64,
            (operations, _) => operations as f64,
        };
        let phases = Requests::of(&properties, planned, &mut notices)?;
        for phase in &phases {
            Chooser::new(phase.distribution, insert_start, insert_count, 0)
                .map_err(|error| properties.refuse("requestdistribution", error))?;
        }
        Ok(Self {
            record_count,
            insert_start,
            insert_count,
            operation_count,
            longest_s,
            warm_up_s,
            load_rate,
            phases,
            naming: Naming::Ycsb {
                ordered: properties.text("insertorder").is_some_and(|order| order != "hashed"),
                zero_padding: zero_padding(&properties)?,
            },
            threads,
            target,
            record: Record::of(&properties)?,
            notices,
        })
    }

    /// Returns the explanation of the workload for `agents` agents. Fails if there are more agents than connections.
    pub fn explain(&self, agents: u32) -> Result<Explanation, PlanError> {
        let sentence = format!("{} connections cannot be shared by {agents} agents; raise threadcount", self.threads);
        PlanError::require(u64::from(agents) <= self.threads, "threadcount", sentence)?;
        let run_s = match (self.operation_count, self.target) {
            (0, _) => Some(self.longest_s as f64),
            (operations, Some(rate)) => {
                let all_s = operations as f64 / rate.per_s();
                Some(if self.longest_s == 0 { all_s } else { all_s.min(self.longest_s as f64) })
            }
            // As in YCSB, the phase ends by operations or by time, whichever is first.
            (_, None) => (self.longest_s > 0).then_some(self.longest_s as f64),
        };
        let load = Phase::loading("insert", self.insert_count, self.load_rate, self.threads, agents);
        let phase = |requests: &Requests| {
            let phase = Phase {
                duration_s: run_s,
                operations: (self.operation_count > 0).then_some(self.operation_count),
                ..Phase::drawn(&requests.name, self.target, &requests.mix, self.threads, agents)
            };
            phase.inserting_from(self.insert_start + self.insert_count)
        };
        let measured: Vec<Phase> = self.phases.iter().map(phase).collect();
        let warm_up = measured.first().and_then(|first| first.warm_up(self.warm_up_s));
        Ok(Explanation {
            workload: "ycsb",
            phases: [load].into_iter().chain(warm_up).chain(measured).collect(),
            dataset: Dataset::new(self.insert_start, self.insert_count, self.record.mean_bytes(), 1, agents),
            differs_from_original: self.differences(),
            notices: self
                .shape()
                .err()
                .map(|why| format!("Cannot be run: {why}."))
                .into_iter()
                .chain(self.notices.clone())
                .collect(),
        })
    }

    /// Returns the job of a single agent. Fails if the plan has field lengths in a file, which is not read.
    pub fn job(&self) -> Result<Job, PlanError> {
        let shape = self.shape()?;
        let explanation = self.explain(1)?;
        // In the order in which YCSB adds up the shares.
        let all = [
            Operation::Read("read"),
            Operation::Update("update"),
            Operation::Insert("insert"),
            Operation::Scan("scan"),
            Operation::ReadModifyWrite("read-modify-write"),
        ];
        let first = explanation.phases.len() - self.phases.len();
        let stage = |(phase, requests): (&Phase, &Requests)| {
            let kinds = all
                .into_iter()
                .filter_map(|operation| Some((operation, *requests.mix.get(operation.name())?)))
                .collect();
            Stage {
                operations: phase.operations.filter(|_| self.target.is_none()),
                distribution: requests.distribution,
                scans: requests.mix.contains_key("scan").then_some(requests.scans),
                streams: vec![Stream::Operations { per_s: self.target.map(Rate::per_s), kinds, cycle: None }],
                ..Stage::of_phase(phase, self.threads, 1)
            }
        };
        let load = job::loading(&explanation.phases[0], "insert", self.threads);
        // A warm-up has the requests of the first measured phase.
        let warm_up = explanation.phases[1..first].iter().zip(&self.phases);
        let measured = explanation.phases[first..].iter().zip(&self.phases);
        Ok(Job {
            objects: ObjectSpec {
                naming: self.naming,
                first: self.insert_start,
                count: self.insert_count,
                shape,
                expiry_s: None,
                may_be_absent: false,
            },
            stages: [load].into_iter().chain(warm_up.chain(measured).map(stage)).collect(),
            explanation,
        })
    }

    fn shape(&self) -> Result<Shape, PlanError> {
        self.record.shape(self.has("scan"))
    }

    fn has(&self, operation: &str) -> bool {
        self.phases.iter().any(|phase| phase.mix.contains_key(operation))
    }

    fn differences(&self) -> Vec<String> {
        let mut differences = vec![
            "Both clocks are recorded for every operation; YCSB records service time alone by default.".to_owned(),
        ];
        differences.push(if self.target.is_some() {
            "Open loop at the target: a stall does not stop the schedule; YCSB has at most threadcount operations under way."
                .to_owned()
        } else {
            "Closed loop, as there: response time equals service time, and no verdict PASS follows from it.".to_owned()
        });
        if self.record_count > MOST_RECORDS_OF_YCSB {
            differences.push(format!(
                "Key numbers keep 64 bits; YCSB repeats keys beyond {MOST_RECORDS_OF_YCSB}. Not comparable with its runs."
            ));
        }
        if self.insert_count < self.record_count {
            differences.push(format!(
                "Only keys {} to {} are read, which are loaded here; YCSB takes all records up to recordcount as loaded, and its \
                 laws latest and exponential reach the others.",
                self.insert_start,
                self.insert_start + self.insert_count - 1
            ));
        }
        if self.phases.len() > 1 {
            differences.push(
                "Several workloads are phases of one plan, on the same records; YCSB's client carries out one at a time.".to_owned(),
            );
        }
        let is_latest = |phase: &Requests| {
            matches!(phase.distribution, Distribution::Latest { .. }) && phase.mix.contains_key("insert")
        };
        if self.phases.iter().any(is_latest) {
            differences.push(
                "latest: shares follow the growing number of keys; YCSB leaves the newest keys but two unread once they have \
                 doubled."
                    .to_owned(),
            );
        }
        if self.has("read-modify-write") {
            differences.push(
                "read-modify-write: the update's intended time is the end of the read; YCSB counts it from the read's."
                    .to_owned(),
            );
        }
        for ScanLength { least, most, .. } in
            self.phases.iter().filter(|phase| phase.mix.contains_key("scan")).map(|phase| phase.scans)
        {
            differences.push(format!(
                "scan: {least} to {most} records. In Redis the index is asked, then all records in one go, where YCSB's binding \
                 reads one after the other; both are one scan. Aerospike has no scans, and refuses this plan."
            ));
        }
        if self.has("insert") {
            differences.push(
                "Inserts of several agents are striped, and each reads its own beside the loaded ones; YCSB clients all insert \
                 the same keys."
                    .to_owned(),
            );
        }
        if self.has("update") || self.has("read-modify-write") {
            differences.push(
                "Updates change one field and leave the others; YCSB's Aerospike binding replaces the record and so shrinks it."
                    .to_owned(),
            );
        }
        differences
    }
}

fn zero_padding(properties: &Properties) -> Result<usize, PlanError> {
    let digits = properties.number("zeropadding", 1)?;
    let sentence = format!("is {digits}; it must be at most {MOST_DIGITS}");
    properties.require(digits <= MOST_DIGITS, "zeropadding", sentence).map(|()| digits)
}
