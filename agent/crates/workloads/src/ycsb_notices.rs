//! Settings of YCSB's property files that have an effect, and notices about all others.

use crate::error::PlanError;
use crate::properties::{Properties, Setting};

/// Tailroom's key, ignored by YCSB: length of a warm-up phase with the load of the first measured phase, in seconds.
pub(crate) const WARM_UP_KEY: &str = "tailroom.warm_up_s";
/// Tailroom's key: the workloads A to F of YCSB that are run one after the other as phases.
pub(crate) const SUITE_KEY: &str = "tailroom.workloads";
/// Tailroom's key: records loaded per second; as fast as the database accepts them if it is not set.
pub(crate) const LOAD_RATE_KEY: &str = "tailroom.load_per_s";
/// All keys of Tailroom. Agents report which of them they support, because older agents ignore them.
pub const OWN_SETTINGS: &[&str] = &[WARM_UP_KEY, SUITE_KEY, LOAD_RATE_KEY];
const PREFIX: &str = "tailroom.";
/// YCSB's name of the table of records.
const TABLE: &str = "usertable";
const HONOURED: &[&str] = &[
    "workload",
    "recordcount",
    "operationcount",
    "insertstart",
    "insertcount",
    "fieldcount",
    "fieldlength",
    "minfieldlength",
    "fieldnameprefix",
    "fieldlengthdistribution",
    "fieldlengthhistogram",
    "readallfields",
    "readallfieldsbyname",
    "writeallfields",
    "readproportion",
    "updateproportion",
    "insertproportion",
    "scanproportion",
    "readmodifywriteproportion",
    "requestdistribution",
    "hotspotdatafraction",
    "hotspotopnfraction",
    "exponential.percentile",
    "exponential.frac",
    "minscanlength",
    "maxscanlength",
    "scanlengthdistribution",
    "insertorder",
    "zeropadding",
    "dataintegrity",
    "table",
    "threadcount",
    "target",
    "maxexecutiontime",
];

/// Keys without effect, with the reason.
const WITHOUT_EFFECT: [(&[&str], &str); 3] = [
    (
        &["redis.", "as.", "db.driver", "db.url", "db.user", "db.passwd"],
        "--target names the server, and a file its password",
    ),
    (&["core_workload_insertion_"], "what fails is counted, and not tried again"),
    (
        &[
            "measurement.interval",
            "measurementtype",
            "hdrhistogram.",
            "histogram.buckets",
            "timeseries.granularity",
            "status",
            "status.",
            "exporter",
            "exportfile",
            "spin.sleep",
            "reportlatencyforeacherror",
            "latencytrackederrors",
        ],
        "both clocks and every status are always recorded",
    ),
];

/// Returns notices about settings without effect, with their lines. An unknown key is only a notice, because YCSB's bindings have
/// keys of their own. Fails if a key with Tailroom's prefix is unknown, because it may change the requests.
pub(crate) fn notices(properties: &Properties) -> Result<Vec<String>, PlanError> {
    let matches = |key: &str, name: &str| key == name || name.ends_with(['.', '_']) && key.starts_with(name);
    let among = |key: &str, names: &[&str]| names.iter().any(|name| matches(key, name));
    let mut notices = Vec::new();
    for (key, Setting { value, line, was_cut }) in properties.settings() {
        if *was_cut && value.parse::<f64>().is_ok() {
            notices.push(format!("Line {line}: blanks behind the number of {key} are cut; YCSB refuses it."));
        }
        if key == "table" && value != TABLE {
            notices.push(format!("Line {line}: table has no effect; records lie in {TABLE}, or under user… in Redis."));
        } else if let Some((_, why)) = WITHOUT_EFFECT.iter().find(|(names, _)| among(key, names)) {
            notices.push(format!("Line {line}: {key} has no effect; {why}."));
        } else if key.starts_with(PREFIX) && !among(key, OWN_SETTINGS) {
            let sentence = format!(
                "is not known to this version of the agent; it knows {}. Correct it, or install a newer agent",
                OWN_SETTINGS.join(", ")
            );
            return Err(properties.refuse(key, sentence));
        } else if !among(key, HONOURED) && !among(key, OWN_SETTINGS) {
            notices.push(format!("Line {line}: {key} is not known here and has no effect."));
        }
    }
    Ok(notices)
}
