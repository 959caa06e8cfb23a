//! Requests of a YCSB phase: operations, distribution of keys, and length of scans.
//!
//! There is either one phase with the file's own proportions, or a suite of phases from YCSB's templates A to F, one after the
//! other on the same records.
//! Source: YCSB, `workloads/workloada` to `workloadf`; docs/workloads.md section 4.

use std::collections::BTreeMap;

use keys::chooser::{Distribution, YCSB_THETA};

use crate::error::PlanError;
use crate::job::ScanLength;
use crate::properties::Properties;
use crate::ycsb_notices::SUITE_KEY;

/// Operations with their keys and default shares, in the order in which YCSB adds up the shares.
const OPERATIONS: [(&str, &str, f64); 5] = [
    ("read", "readproportion", 0.95),
    ("update", "updateproportion", 0.05),
    ("insert", "insertproportion", 0.0),
    ("scan", "scanproportion", 0.0),
    ("read-modify-write", "readmodifywriteproportion", 0.0),
];
const DISTRIBUTION_KEY: &str = "requestdistribution";
const LONGEST_SCAN_KEY: &str = "maxscanlength";
/// YCSB's templates: shares in the order of [`OPERATIONS`], and the distribution of keys.
const TEMPLATES: [(&str, [&str; 5], &str); 6] = [
    ("A", ["0.5", "0.5", "0", "0", "0"], "zipfian"),
    ("B", ["0.95", "0.05", "0", "0", "0"], "zipfian"),
    ("C", ["1", "0", "0", "0", "0"], "zipfian"),
    ("D", ["0.95", "0", "0.05", "0", "0"], "latest"),
    ("E", ["0", "0", "0.05", "0.95", "0"], "zipfian"),
    ("F", ["0.5", "0", "0", "0", "0.5"], "zipfian"),
];
/// Longest scan of template E.
const LONGEST_SCAN: &str = "100";
/// Longest scan; higher values are assumed to be typing errors.
const MOST_SCANNED: u64 = 1_000_000;

#[derive(Debug, Clone)]
pub struct Requests {
    pub name: String,
    /// Share of each operation, without those of share 0.
    pub mix: BTreeMap<&'static str, f64>,
    pub distribution: Distribution,
    pub scans: ScanLength,
}

impl Requests {
    /// Returns the requests of each phase. `planned` is the expected number of operations of a phase.
    pub(crate) fn of(properties: &Properties, planned: f64, notices: &mut Vec<String>) -> Result<Vec<Self>, PlanError> {
        let Some(suite) = properties.text(SUITE_KEY) else {
            return Ok(vec![Self::one("run", properties, planned, notices)?]);
        };
        let own = OPERATIONS
            .iter()
            .map(|(_, key, _)| *key)
            .chain([DISTRIBUTION_KEY])
            .find(|key| properties.text(key).is_some());
        if let Some(key) = own {
            let sentence = format!("is set, and {SUITE_KEY} names workloads that say it; leave one of both out");
            return Err(properties.refuse(key, sentence));
        }
        let refuse = |sentence: String| Err(properties.refuse(SUITE_KEY, sentence));
        let mut phases: Vec<Self> = Vec::new();
        for letter in suite.split(',').map(str::trim) {
            let Some((name, shares, distribution)) =
                TEMPLATES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(letter))
            else {
                return refuse(format!(
                    "`{letter}` is none of YCSB's workloads; write letters from A to F, such as A,B,C,F,D"
                ));
            };
            if phases.iter().any(|phase| phase.name == *name) {
                return refuse(format!("{name} comes twice; a phase has a name of its own"));
            }
            if let Some(before) = phases.last().filter(|phase| phase.mix.contains_key("insert")) {
                return refuse(format!(
                    "{} inserts records, so the ones after it would meet others than YCSB's; it can only come last, and D and E \
                     need a plan each",
                    before.name
                ));
            }
            let shares = OPERATIONS.iter().zip(shares).map(|((_, key, _), share)| (*key, *share));
            let longest = properties.text(LONGEST_SCAN_KEY).unwrap_or(LONGEST_SCAN);
            let settings: Vec<_> =
                shares.chain([(DISTRIBUTION_KEY, *distribution), (LONGEST_SCAN_KEY, longest)]).collect();
            phases.push(Self::one(name, &properties.with(&settings, SUITE_KEY), planned, notices)?);
        }
        Ok(phases)
    }

    fn one(name: &str, properties: &Properties, planned: f64, notices: &mut Vec<String>) -> Result<Self, PlanError> {
        let mix = mix(properties, notices)?;
        let insert_share = mix.get("insert").copied().unwrap_or(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut as YCSB does")]
        let new_keys = (planned * insert_share * 2.0) as u64;
        let are_known = insert_share <= 0.0 || new_keys > 0 || properties.text(DISTRIBUTION_KEY) != Some("zipfian");
        let sentence = "zipfian hashes onto the keys that will be inserted, and nothing says how many; give operationcount, or a target";
        properties.require(are_known, DISTRIBUTION_KEY, sentence)?;
        Ok(Self {
            name: name.to_owned(),
            distribution: distribution(properties, new_keys)?,
            scans: scan_length(properties)?,
            mix,
        })
    }
}

fn mix(properties: &Properties, notices: &mut Vec<String>) -> Result<BTreeMap<&'static str, f64>, PlanError> {
    let mut shares = BTreeMap::new();
    for (operation, key, default) in OPERATIONS {
        let share: f64 = properties.number(key, default)?;
        let is_share = share.is_finite() && share >= 0.0;
        properties.require(is_share, key, format!("is {share}; a share must be 0 or more"))?;
        if share > 0.0 {
            shares.insert(operation, share);
        }
    }
    let sum: f64 = shares.values().sum();
    PlanError::require(sum > 0.0, "readproportion", "and all other proportions are 0; nothing would be done")?;
    if (sum - 1.0).abs() > 1e-9 {
        notices.push(format!("The proportions add up to {sum}; each is divided by that, as in YCSB."));
        for share in shares.values_mut() {
            *share /= sum;
        }
    }
    Ok(shares)
}

fn distribution(properties: &Properties, new_keys: u64) -> Result<Distribution, PlanError> {
    Ok(match properties.text(DISTRIBUTION_KEY).unwrap_or("uniform") {
        "uniform" => Distribution::Uniform,
        "zipfian" => Distribution::Zipfian { theta: YCSB_THETA, new_keys },
        "latest" => Distribution::Latest { theta: YCSB_THETA },
        "hotspot" => Distribution::Hotspot {
            hot_data: properties.number("hotspotdatafraction", 0.2)?,
            hot_operations: properties.number("hotspotopnfraction", 0.8)?,
        },
        "exponential" => Distribution::Exponential {
            percentile: properties.number("exponential.percentile", 95.0)?,
            fraction: properties.number("exponential.frac", 0.857_142_857_1)?,
        },
        "sequential" => Distribution::Sequential,
        other => {
            let sentence =
                format!("{other} is not supported; use uniform, zipfian, latest, hotspot, exponential or sequential");
            return Err(properties.refuse(DISTRIBUTION_KEY, sentence));
        }
    })
}

fn scan_length(properties: &Properties) -> Result<ScanLength, PlanError> {
    let (least, most) = (properties.number("minscanlength", 1)?, properties.number(LONGEST_SCAN_KEY, 1_000)?);
    let sentence =
        format!("is {most}, and minscanlength {least}; they must lie between 1 and {MOST_SCANNED} in this order");
    properties.require(0 < least && least <= most && most <= MOST_SCANNED, LONGEST_SCAN_KEY, sentence)?;
    let zipfian = match properties.text("scanlengthdistribution").unwrap_or("uniform") {
        "uniform" => false,
        "zipfian" => true,
        other => {
            let sentence = format!("{other} is not supported; use uniform or zipfian");
            return Err(properties.refuse("scanlengthdistribution", sentence));
        }
    };
    Ok(ScanLength { least, most, zipfian })
}
