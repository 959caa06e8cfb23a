//! The key-value test of `memtier_benchmark`: gets and sets on one kind of object.

use std::collections::BTreeMap;

use keys::chooser::{Chooser, Law};
use keys::name::Naming;
use serde::Deserialize;

use crate::error::{PlanError, check_agents};
use crate::expectation::{MemtierRate, hit_share};
use crate::explanation::{Dataset, Explanation, Phase, WARM_UP};
use crate::job::{self, Job, LOADING_PIPELINE, Objects, Operation, Part, Purpose, Shape, Stage, Stream};
use crate::rate::Rate;

/// The section `[keyvalue]` of a plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KeyValue {
    /// Sets and gets, such as `1:4` for 80 % gets.
    pub ratio: String,
    /// How the next operation is picked.
    pub mix: Mix,
    /// Bytes of one value.
    pub object_bytes: u32,
    /// First key.
    pub key_minimum: u64,
    /// Last key; both ends are used.
    pub key_maximum: u64,
    /// Connections of all agents together.
    pub connections: u64,
    /// Requests that one connection may have under way.
    pub pipeline: u32,
    /// How sets and gets choose their keys, as memtier writes it: `R:R`, `G:G`, `Z:Z` or `S:S`.
    pub key_pattern: String,
    /// Deviation of pattern G in keys; a sixth of the range when not given.
    pub key_stddev: Option<f64>,
    /// Centre of pattern G as a key number; the middle when not given.
    pub key_median: Option<f64>,
    /// Exponent of pattern Z.
    pub key_zipf_exp: f64,
    /// Operations a second of all agents; a closed loop when not given.
    pub rate_per_s: Option<f64>,
    /// The same as memtier has it: requests a second of each connection.
    pub rate_limiting: Option<u64>,
    /// Hosts that share the load.
    pub agents: u32,
    /// Load every key first.
    pub load: bool,
    /// A phase of its own before measuring, with the same load; none when 0.
    pub warm_up_s: f64,
    /// Ramp before measuring.
    pub ramp_s: f64,
    /// How long to measure.
    pub measure_s: f64,
}

/// How sets and gets alternate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mix {
    /// Each drawn by itself.
    Random,
    /// All sets of the ratio, then all gets, on each connection, as in the original.
    Cycle,
}

impl Default for KeyValue {
    fn default() -> Self {
        Self {
            ratio: "1:10".into(),
            mix: Mix::Random,
            object_bytes: 32,
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
            warm_up_s: 0.0,
            ramp_s: 0.0,
            measure_s: 60.0,
        }
    }
}

impl KeyValue {
    /// What the test means for so many agents.
    ///
    /// # Errors
    /// Names the field that is outside of what it may be.
    pub fn explain(&self, agents: Option<u32>) -> Result<Explanation, PlanError> {
        let agents = check_agents(agents.unwrap_or(self.agents))?;
        let set_share = self.check(agents)?;
        let rate = self.rate()?;
        let objects = self.key_maximum - self.key_minimum + 1;
        Chooser::new(self.law()?, self.key_minimum, objects, 0)
            .map_err(|error| PlanError::field("key_pattern", error.to_string()))?;
        let mix = BTreeMap::from([("get", 1.0 - set_share), ("set", set_share)]);
        let mut phases = Vec::new();
        if self.load {
            let load = Phase::drawn("load", None, &BTreeMap::from([("set", 1.0)]), self.connections, agents);
            phases.push(Phase { operations: Some(objects), ..load });
        }
        let run = Phase::drawn("run", rate, &mix, self.connections, agents);
        if self.warm_up_s > 0.0 {
            phases.push(Phase { name: WARM_UP.into(), duration_s: Some(self.warm_up_s), ..run.clone() });
        }
        phases.push(Phase { duration_s: Some(self.measure_s), ramp_s: self.ramp_s, ..run });
        Ok(Explanation {
            workload: "keyvalue",
            phases,
            dataset: Dataset::new(self.key_minimum, objects, Some(self.object_bytes.into()), 1, agents),
            differs_from_original: self.differences(),
            notices: self.notices(objects, set_share, rate),
        })
    }

    /// What one agent carries out.
    ///
    /// # Errors
    /// As [`Self::explain`].
    pub fn job(&self) -> Result<Job, PlanError> {
        let explanation = self.explain(Some(1))?;
        let (sets, gets) = self.sides()?;
        let share = f64::from(sets) / (f64::from(sets) + f64::from(gets));
        let all = [(Operation::Update("set"), share, sets), (Operation::Read("get"), 1.0 - share, gets)];
        let kinds: Vec<_> = all.into_iter().filter(|(_, _, count)| *count > 0).collect();
        let run = Stage {
            name: "run".to_owned(),
            purpose: Purpose::Measure,
            duration_s: Some(self.measure_s),
            operations: None,
            ramp_s: self.ramp_s,
            connections: self.connections,
            pipeline: self.pipeline,
            law: self.law()?,
            scans: None,
            part: Part::ALONE,
            load_from: 0,
            streams: vec![Stream::Operations {
                per_s: self.rate()?.map(Rate::per_s),
                kinds: kinds.iter().map(|(operation, share, _)| (*operation, *share)).collect(),
                cycle: (self.mix == Mix::Cycle).then(|| kinds.iter().map(|(_, _, count)| (*count).into()).collect()),
            }],
        };
        let warm_up = (self.warm_up_s > 0.0).then(|| run.as_warm_up(self.warm_up_s));
        let count = explanation.dataset.objects;
        let load = self.load.then(|| job::loading(count, "set", None, (self.connections, LOADING_PIPELINE)));
        Ok(Job {
            objects: Objects {
                naming: Naming::Memtier,
                first: self.key_minimum,
                count,
                shape: Shape::Value { bytes: self.object_bytes },
            },
            stages: load.into_iter().chain(warm_up).chain([run]).collect(),
            explanation,
        })
    }

    /// Of all connections together.
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

    fn law(&self) -> Result<Law, PlanError> {
        let refused = |sentence: String| PlanError::field("key_pattern", sentence);
        let (set, get) = self.key_pattern.split_once(':').unwrap_or((&self.key_pattern, ""));
        if set != get {
            let sentence = "sets and gets choose alike here; write R:R, G:G, Z:Z or S:S";
            return Err(refused(format!("is `{}`; {sentence}", self.key_pattern)));
        }
        Ok(match set {
            "R" => Law::Uniform,
            "G" => Law::Gauss { deviation: self.key_stddev, centre: self.key_median },
            "Z" => Law::ExactZipf { exponent: self.key_zipf_exp },
            "S" => Law::Sequential,
            "P" => {
                return Err(refused("P gives each connection a range of its own, as the load does; choose S".into()));
            }
            other => return Err(refused(format!("is `{other}:{other}`; write R:R, G:G, Z:Z or S:S"))),
        })
    }

    /// What follows from the numbers, for whoever chose them.
    fn notices(&self, objects: u64, set_share: f64, rate: Option<Rate>) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(of_each) = self.rate_limiting {
            let MemtierRate { requests_per_tick, tick_us, real_per_s } = MemtierRate::of(of_each);
            found.push(format!(
                "memtier would send {requests_per_tick} at once every {tick_us} µs on each connection, which is {real_per_s:.2} a \
                 second of {of_each}; here they are evenly spaced, and none is lost."
            ));
        }
        if let Some(rate) = rate.filter(|_| !self.load && self.key_pattern == "R:R") {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut")]
            let sets = (rate.per_s() * (self.warm_up_s + self.measure_s) * set_share) as u64;
            found.push(format!(
                "Nothing is loaded: in an empty database, {:.1} % of gets would meet a key at the end.",
                hit_share(objects, sets, 0) * 100.0
            ));
        }
        found
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

    /// The share of sets.
    fn check(&self, agents: u32) -> Result<f64, PlanError> {
        let (sets, gets) = self.sides()?;
        if self.key_maximum < self.key_minimum || self.key_maximum - self.key_minimum == u64::MAX {
            let sentence = format!("is {}, below key_minimum {}", self.key_maximum, self.key_minimum);
            return Err(PlanError::field("key_maximum", sentence));
        }
        if self.connections < u64::from(agents) || self.connections > 1 << 20 {
            let sentence = format!("is {}; it must lie between the number of agents and 1048576", self.connections);
            return Err(PlanError::field("connections", sentence));
        }
        if self.pipeline == 0 || self.pipeline > 1_024 || self.object_bytes == 0 || self.object_bytes > 64 << 20 {
            return Err(PlanError::field(
                "pipeline",
                "must lie between 1 and 1024, and object_bytes between 1 and 64 MiB",
            ));
        }
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        if !(is_time(self.measure_s) && self.measure_s > 0.0 && is_time(self.ramp_s) && is_time(self.warm_up_s)) {
            return Err(PlanError::field("measure_s", "must be above 0, and ramp_s and warm_up_s 0 or more"));
        }
        Ok(f64::from(sets) / (f64::from(sets) + f64::from(gets)))
    }

    fn differences(&self) -> Vec<String> {
        let mut found = vec![
            "Each connection draws keys of its own; the original's connections all ask for the same keys in the same order."
                .to_owned(),
            "Both ends of the key range are used; the original leaves one key out of its count.".to_owned(),
            "Values cannot be compressed; the original repeats one letter unless set otherwise.".to_owned(),
            "Hits and misses are timed apart; the original mixes them.".to_owned(),
        ];
        if self.mix == Mix::Random {
            found.push("Sets and gets are drawn; the original goes round a fixed cycle on each connection.".to_owned());
        } else {
            found.push(
                "One cycle goes over all connections; in the original each connection has one of its own.".to_owned(),
            );
        }
        if self.load {
            found.push("Every key is loaded first; without that most gets of the original miss.".to_owned());
        }
        let is_open = self.rate_per_s.is_some() || self.rate_limiting.is_some();
        let open =
            "Open loop with even spacing; the original limits each connection in bursts and loses what it did not use.";
        let closed = "Closed loop, as there: response time equals service time, and no verdict PASS follows from it.";
        found.push(if is_open { open } else { closed }.to_owned());
        found
    }
}
