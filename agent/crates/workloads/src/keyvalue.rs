//! The workload of `memtier_benchmark`: gets and sets on one kind of object.

use std::collections::BTreeMap;

use keys::chooser::{Chooser, Distribution};
use keys::name::Naming;
use serde::Deserialize;

use crate::error::{PlanError, check_agents};
use crate::expectation::{MemtierRate, hit_share};
use crate::explanation::{Dataset, Explanation, LOAD, Phase};
use crate::job::{self, Job, ObjectSpec, Operation, Shape, Stage, Stream};
use crate::rate::Rate;
use crate::size::{self, Size};

/// The section `[keyvalue]` of a plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KeyValue {
    /// Ratio of sets to gets, such as `1:4` for 80 % gets.
    pub ratio: String,
    /// How the next operation is selected.
    pub mix: Mix,
    pub object_bytes: u32,
    /// Range of sizes in bytes, such as `32-1024`, instead of `object_bytes`.
    pub data_size_range: Option<String>,
    /// Sizes in bytes with weights, such as `32:3,1024:1`, instead of `object_bytes`.
    pub data_size_list: Option<String>,
    /// `R` if the sizes of the range are drawn, `S` if they grow with the key.
    pub data_size_pattern: String,
    /// Range of seconds, such as `60-120`, after which values written by a set expire.
    pub expiry_range: Option<String>,
    pub key_minimum: u64,
    /// Last key number, inclusive.
    pub key_maximum: u64,
    /// Number of connections over all agents.
    pub connections: u64,
    /// Number of requests under way on a connection.
    pub pipeline: u32,
    /// Key distributions of sets and of gets in memtier's notation, each R, G, Z, S or P, such as `S:R`.
    pub key_pattern: String,
    /// Standard deviation of pattern G in keys; a sixth of the range if `None`.
    pub key_stddev: Option<f64>,
    /// Centre of pattern G as a key number; the middle of the range if `None`.
    pub key_median: Option<f64>,
    /// Exponent of pattern Z.
    pub key_zipf_exp: f64,
    /// Operations per second over all agents; a closed loop if `None`.
    pub rate_per_s: Option<f64>,
    /// Requests per second of each connection as in memtier, instead of `rate_per_s`.
    pub rate_limiting: Option<u64>,
    /// Number of agents that share the load.
    pub agents: u32,
    /// Whether to load every key first.
    pub load: bool,
    /// Keys loaded per second; as fast as the database accepts them if `None`.
    pub load_per_s: Option<f64>,
    /// Length of a warm-up phase with the same load, in seconds; 0 for none.
    pub warm_up_s: f64,
    /// Length of the ramp before the measurement, in seconds.
    pub ramp_s: f64,
    /// Length of the measurement, in seconds.
    pub measure_s: f64,
}

/// Largest expiry time in seconds: ten years.
const LONGEST_EXPIRY_S: u32 = 315_360_000;

/// How sets and gets are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mix {
    Random,
    /// A cycle of all sets of the ratio, then all gets, as in the original on each connection.
    Cycle,
}

impl Default for KeyValue {
    fn default() -> Self {
        Self {
            ratio: "1:10".into(),
            mix: Mix::Random,
            object_bytes: 32,
            data_size_range: None,
            data_size_list: None,
            data_size_pattern: "R".into(),
            expiry_range: None,
            key_minimum: 0,
            key_maximum: 10_000_000,
            connections: 200,
            pipeline: 1,
            key_pattern: "R:R".into(),
            key_stddev: None,
            key_median: None,
            key_zipf_exp: 1.0,
            rate_per_s: None,
            rate_limiting: None,
            agents: 1,
            load: true,
            load_per_s: None,
            warm_up_s: 0.0,
            ramp_s: 0.0,
            measure_s: 60.0,
        }
    }
}

impl KeyValue {
    /// Returns the explanation of the plan for `agents` agents; the plan's number if `None`.
    pub fn explain(&self, agents: Option<u32>) -> Result<Explanation, PlanError> {
        let agents = check_agents(agents.unwrap_or(self.agents))?;
        let set_share = self.check(agents)?;
        let rate = self.rate()?;
        let objects = self.key_maximum - self.key_minimum + 1;
        let (set_distribution, read_distribution) = self.distributions()?;
        for distribution in [set_distribution, read_distribution] {
            Chooser::new(distribution, self.key_minimum, objects, 0)
                .map_err(|error| PlanError::field("key_pattern", error))?;
        }
        let (size, expiry_s) = (self.size()?, self.expiry_s()?);
        let mix = BTreeMap::from([("get", 1.0 - set_share), ("set", set_share)]);
        let mut phases = Vec::new();
        if self.load {
            phases.push(Phase::loading("set", objects, self.load_rate()?, self.connections, agents));
        }
        let run = Phase::drawn("run", rate, &mix, self.connections, agents);
        phases.extend(run.warm_up(self.warm_up_s));
        phases.push(Phase { duration_s: Some(self.measure_s), ramp_s: self.ramp_s, ..run });
        Ok(Explanation {
            workload: "keyvalue",
            phases,
            dataset: Dataset::new(self.key_minimum, objects, Some(size.mean()), 1, agents),
            differs_from_original: self.differences(expiry_s.is_some()),
            notices: self.notices(objects, set_share, rate),
        })
    }

    /// Returns the job of a single agent.
    pub fn job(&self) -> Result<Job, PlanError> {
        let explanation = self.explain(Some(1))?;
        let (sets, gets) = self.sides()?;
        let share = f64::from(sets) / (f64::from(sets) + f64::from(gets));
        let all = [(Operation::Update("set"), share, sets), (Operation::Read("get"), 1.0 - share, gets)];
        let kinds: Vec<_> = all.into_iter().filter(|(_, _, count)| *count > 0).collect();
        let (set_distribution, read_distribution) = self.distributions()?;
        let expiry_s = self.expiry_s()?;
        let per_s = self.rate()?.map(Rate::per_s);
        let run = |phase: &Phase| Stage {
            distribution: read_distribution,
            update_distribution: (set_distribution != read_distribution
                || matches!(set_distribution, Distribution::Sequential | Distribution::Parallel { .. }))
            .then_some(set_distribution),
            streams: vec![Stream::Operations {
                per_s,
                kinds: kinds.iter().map(|(operation, share, _)| (*operation, *share)).collect(),
                cycle: (self.mix == Mix::Cycle).then(|| kinds.iter().map(|(_, _, count)| (*count).into()).collect()),
            }],
            ..Stage::of_phase(phase, self.connections, self.pipeline)
        };
        let stage = |phase: &Phase| {
            if phase.name == LOAD { job::loading(phase, "set", self.connections) } else { run(phase) }
        };
        Ok(Job {
            objects: ObjectSpec {
                naming: Naming::Memtier,
                first: self.key_minimum,
                count: explanation.dataset.objects,
                shape: Shape::Value { bytes: self.size()? },
                expiry_s,
                may_be_absent: expiry_s.is_some() || !self.load,
            },
            stages: explanation.phases.iter().map(stage).collect(),
            explanation,
        })
    }

    /// Returns the rate over all connections, or `None` for a closed loop.
    fn rate(&self) -> Result<Option<Rate>, PlanError> {
        let (field, per_s) = match (self.rate_per_s, self.rate_limiting) {
            (None, None) => return Ok(None),
            (Some(per_s), None) => ("rate_per_s", per_s),
            (None, Some(of_each)) => ("rate_limiting", of_each as f64 * self.connections as f64),
            (Some(_), Some(_)) => {
                return Err(PlanError::field("rate_limiting", "says the same as rate_per_s; leave one of them out"));
            }
        };
        let sentence = format!("is {per_s} a second; it must be above 0, and at most 1e12");
        let rate = Rate::new(per_s).filter(|rate| *rate > Rate::default());
        rate.map(Some).ok_or_else(|| PlanError::field(field, sentence))
    }

    fn distributions(&self) -> Result<(Distribution, Distribution), PlanError> {
        const FORMS: &str = "write one of R, G, Z, S and P for sets and one for gets, such as R:R or S:R";
        let refused = || PlanError::field("key_pattern", format!("is `{}`; {FORMS}", self.key_pattern));
        let (sets, gets) = self.key_pattern.split_once(':').ok_or_else(refused)?;
        let distribution = |letter: &str| match letter {
            "R" => Ok(Distribution::Uniform),
            "G" => Ok(Distribution::Gauss { deviation: self.key_stddev, centre: self.key_median }),
            "Z" => Ok(Distribution::ExactZipf { exponent: self.key_zipf_exp }),
            "S" => Ok(Distribution::Sequential),
            "P" => Ok(Distribution::Parallel { parts: self.connections }),
            _ => Err(refused()),
        };
        Ok((distribution(sets)?, distribution(gets)?))
    }

    fn load_rate(&self) -> Result<Option<Rate>, PlanError> {
        job::load_rate(self.load_per_s).map_err(|sentence| PlanError::field("load_per_s", sentence))
    }

    fn size(&self) -> Result<Size, PlanError> {
        let settings = (self.data_size_range.as_deref(), self.data_size_list.as_deref(), &*self.data_size_pattern);
        Size::of_memtier(self.object_bytes, settings)
    }

    fn expiry_s(&self) -> Result<Option<(u32, u32)>, PlanError> {
        let Some(range) = &self.expiry_range else { return Ok(None) };
        let read =
            size::parsed(range, '-').filter(|(least, most)| (1..=*most).contains(least) && *most <= LONGEST_EXPIRY_S);
        read.map(Some).ok_or_else(|| {
            let sentence = format!("is `{range}`; write seconds from-to, such as 60-120, up to {LONGEST_EXPIRY_S}");
            PlanError::field("expiry_range", sentence)
        })
    }

    /// Returns notices about consequences of the plan's numbers.
    fn notices(&self, objects: u64, set_share: f64, rate: Option<Rate>) -> Vec<String> {
        let mut notices = Vec::new();
        if let Some(of_each) = self.rate_limiting {
            let MemtierRate { requests_per_tick, tick_us, real_per_s } = MemtierRate::of(of_each);
            notices.push(format!(
                "memtier would send {requests_per_tick} at once every {tick_us} µs on each connection, which is {real_per_s:.2} a \
                 second of {of_each}; here they are evenly spaced, and none is lost."
            ));
        }
        if let Some(rate) = rate.filter(|_| !self.load && self.key_pattern == "R:R") {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut")]
            let sets = (rate.per_s() * (self.warm_up_s + self.measure_s) * set_share) as u64;
            notices.push(format!(
                "Nothing is loaded: in an empty database, {:.1} % of gets would meet a key at the end.",
                hit_share(objects, sets, 0) * 100.0
            ));
        }
        notices
    }

    fn sides(&self) -> Result<(u32, u32), PlanError> {
        let sides = self
            .ratio
            .split_once(':')
            .and_then(|(sets, gets)| Some((sets.trim().parse::<u32>().ok()?, gets.trim().parse::<u32>().ok()?)));
        sides.filter(|(sets, gets)| u64::from(*sets) + u64::from(*gets) > 0).ok_or_else(|| {
            let sentence = format!("is `{}`; write sets:gets, such as 1:4 for 80 % gets", self.ratio);
            PlanError::field("ratio", sentence)
        })
    }

    /// Checks the fields and returns the share of sets.
    fn check(&self, agents: u32) -> Result<f64, PlanError> {
        let (sets, gets) = self.sides()?;
        if self.key_maximum < self.key_minimum || self.key_maximum - self.key_minimum == u64::MAX {
            let sentence = format!("is {}, below key_minimum {}", self.key_maximum, self.key_minimum);
            return Err(PlanError::field("key_maximum", sentence));
        }
        let sentence = format!("is {}; it must lie between the number of agents and 1048576", self.connections);
        PlanError::require((agents.into()..=1 << 20).contains(&self.connections), "connections", sentence)?;
        PlanError::within("pipeline", self.pipeline.into(), 1..=1_024)?;
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        let are_times = [self.measure_s, self.ramp_s, self.warm_up_s].into_iter().all(is_time) && self.measure_s > 0.0;
        PlanError::require(are_times, "measure_s", "must be above 0, and ramp_s and warm_up_s 0 or more")?;
        Ok(f64::from(sets) / (f64::from(sets) + f64::from(gets)))
    }

    fn differences(&self, expires: bool) -> Vec<String> {
        let is_open = self.rate_per_s.is_some() || self.rate_limiting.is_some();
        let has_sizes = self.data_size_range.is_some() || self.data_size_list.is_some();
        let differences = [
            (
                true,
                "Each connection draws keys of its own; the original's connections all ask for the same keys in the same order.",
            ),
            (true, "Both ends of the key range are used; the original leaves one key out of its count."),
            (true, "Values cannot be compressed; the original repeats one letter unless set otherwise."),
            (
                expires || !self.load,
                "Gets that find nothing are also counted and timed by themselves, as get-miss; the original mixes them.",
            ),
            (
                expires,
                "What is loaded never expires, only what a set has written since; the original lets both expire.",
            ),
            (self.data_size_list.is_some(), "Sizes are drawn by their weights; the original goes round the list."),
            (
                has_sizes,
                "The size follows from key and version, so that each read is checked; the original checks none.",
            ),
            (
                self.key_pattern.contains(['S', 'P']),
                "Sets and gets each walk over the keys once, all connections together; in the original each connection walks.",
            ),
            (
                self.key_pattern.contains('P'),
                "P: as many equal parts of the keys as connections, walked side by side; any connection may carry any part.",
            ),
            (
                self.mix == Mix::Random,
                "Sets and gets are drawn; the original goes round a fixed cycle on each connection.",
            ),
            (
                self.mix == Mix::Cycle,
                "One cycle goes over all connections; in the original each connection has one of its own.",
            ),
            (self.load, "Every key is loaded first; without that most gets of the original miss."),
            (
                is_open,
                "Open loop with even spacing; the original limits each connection in bursts and loses what it did not use.",
            ),
            (
                !is_open,
                "Closed loop, as there: response time equals service time, and no verdict PASS follows from it.",
            ),
        ];
        differences.into_iter().filter(|(differs, _)| *differs).map(|(_, sentence)| sentence.to_owned()).collect()
    }
}
