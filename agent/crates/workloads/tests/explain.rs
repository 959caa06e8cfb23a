//! Explanations compared with the arithmetic of the reports and tools.

use serde_json::{Value, json};
use workloads::error::PlanError;
use workloads::explanation::Explanation;
use workloads::plan::Plan;

fn explain(text: &str, agents: Option<u32>) -> Result<Explanation, PlanError> {
    Plan::parse(text)?.explain(agents)
}

fn explained(text: &str, agents: Option<u32>) -> Value {
    serde_json::to_value(explain(text, agents).expect("a good plan")).expect("JSON")
}

fn refused(text: &str) -> String {
    explain(text, None).expect_err("a bad plan").to_string()
}

fn by_agent(phase: &Value, operation: &str) -> Vec<Value> {
    let parts = phase["by_agent"].as_array().expect("agents").iter();
    parts.map(|part| part["operations_per_s"][operation].clone()).collect()
}

#[test]
fn the_report_of_the_fraud_check_at_its_own_rates() {
    let found = explained("workload = \"fraud\"", Some(4));
    let phases = found["phases"].as_array().expect("phases");
    let names: Vec<_> = phases.iter().map(|phase| phase["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["load", "P1", "P2", "P3", "P4", "P5"]);
    let rates = |phase: &Value| (phase["transactions_per_s"].clone(), phase["operations_per_s"].clone());
    assert_eq!(rates(&phases[2]), (json!(4000), json!({"read": 1_000_000, "update": 250_000})));
    assert_eq!(rates(&phases[5]), (json!(12000), json!({"read": 3_000_000, "update": 500_000})));
    assert_eq!(by_agent(&phases[5], "update"), [125_000, 125_000, 125_000, 125_000]);
    assert_eq!(phases[1]["duration_s"], 600.0);
    assert_eq!(
        found["dataset"],
        json!({
            "objects": 2_000_000_000_u64, "object_bytes": 900.0, "logical_bytes": 1.8e12, "replicated_bytes": 3.6e12,
            "ranges": [[0, 500_000_000], [500_000_000, 1_000_000_000], [1_000_000_000, 1_500_000_000],
                       [1_500_000_000, 2_000_000_000]],
        })
    );
}

#[test]
fn a_hundredth_of_it_on_three_hosts() {
    let found = explained("workload = \"fraud\"\n[fraud]\nfactor = 0.01\nagents = 3", None);
    let phases = &found["phases"];
    let transactions = |phase: &Value| -> Vec<Value> {
        phase["by_agent"].as_array().expect("agents").iter().map(|part| part["transactions_per_s"].clone()).collect()
    };
    assert_eq!(transactions(&phases[1]), [14, 13, 13]);
    assert_eq!(by_agent(&phases[1], "read"), [3500, 3250, 3250]);
    assert_eq!(by_agent(&phases[2], "update"), [834, 833, 833]);
    assert_eq!(transactions(&phases[4]), [27, 27, 26]);
    assert!(found["differs_from_original"].to_string().contains("times 0.01"));
}

#[test]
fn ladders_that_cannot_be_climbed_are_named() {
    let fraud = |setting: &str| refused(&format!("workload = \"fraud\"\n[fraud]\n{setting}"));
    assert!(fraud("fan_out = 10").contains("sequential reads are one at a time"));
    assert!(fraud("factor = 0").contains("factor: is 0; it must be above 0"));
    assert!(fraud("factr = 1").contains("line 3: unknown field `factr`"), "{}", fraud("factr = 1"));
    assert!(fraud("agents = 0").contains("agents: is 0"));
    assert!(fraud("fan_out = 300\nscheduling = \"pool\"").contains("between 1 and 250"));
    assert!(refused("workload = \"frod\"").contains("unknown variant `frod`"));
    assert!(refused("this is no plan").contains("line 1"));
    assert_eq!(
        fraud("connections = -4"),
        "line 3: connections: invalid value: integer `-4`, expected a whole number from 0 on"
    );
    assert_eq!(fraud("\nfactor = \"a\""), "line 4: factor: invalid type: string \"a\", expected a number");
    assert_eq!(fraud("[keyvalue]\nratio = \"1:4\""), "keyvalue: the workload is fraud");
}

const WORKLOAD_D: &str = "\
# Read latest\nworkload=site.ycsb.workloads.CoreWorkload\nrecordcount=1000\noperationcount=200000\nreadallfields=true\n\
readproportion=0.95\nupdateproportion=0\nscanproportion=0\ninsertproportion=0.05\nrequestdistribution=latest\n";

#[test]
fn a_property_file_is_read_as_it_is() {
    let found = explained(WORKLOAD_D, None);
    let (load, run) = (&found["phases"][0], &found["phases"][1]);
    assert_eq!((&load["name"], &load["operations"]), (&json!("load"), &json!(1000)));
    assert_eq!(run["mix"], json!({"read": 0.95, "insert": 0.05}));
    assert_eq!((&run["loop"], &run["duration_s"]), (&json!("closed"), &Value::Null));
    assert_eq!(run["operations_per_s"], json!({"read": null, "insert": null}));
    assert_eq!(found["dataset"]["logical_bytes"], 1_000_000.0);
    assert!(found["differs_from_original"].to_string().contains("latest:"));
}

#[test]
fn a_target_makes_an_open_loop_and_divides_over_agents() {
    let text = format!("{WORKLOAD_D}target: 10000\nthreadcount 64\nmaxexecutiontime=15\n");
    let found = explained(&text, Some(3));
    let run = &found["phases"][1];
    assert_eq!(run["operations_per_s"], json!({"read": 9500, "insert": 500}));
    assert_eq!((&run["loop"], &run["duration_s"]), (&json!("open"), &json!(15.0)));
    let connections: Vec<_> =
        run["by_agent"].as_array().expect("agents").iter().map(|part| part["connections"].clone()).collect();
    assert_eq!(connections, [21, 21, 22]);
    assert_eq!(found["dataset"]["ranges"], json!([[0, 333], [333, 666], [666, 1000]]));
}

/// Shares and distributions are those of YCSB's `workloads/workloada` to `workloadf`.
#[test]
fn a_suite_is_ycsbs_own_workloads_one_after_the_other() {
    const SUITE: &str = "recordcount=1000\noperationcount=20000\nthreadcount=6\ntarget=2000\n";
    let text = format!("{SUITE}tailroom.workloads=A,B, c,F,E\ntailroom.warm_up_s=5\n");
    let found = explained(&text, Some(2));
    let phases = found["phases"].as_array().expect("phases");
    let told: Vec<_> = phases.iter().map(|phase| (phase["name"].clone(), phase["mix"].clone())).collect();
    assert_eq!(
        told,
        [
            (json!("load"), json!({"insert": 1.0})),
            (json!("warm-up"), json!({"read": 0.5, "update": 0.5})),
            (json!("A"), json!({"read": 0.5, "update": 0.5})),
            (json!("B"), json!({"read": 0.95, "update": 0.05})),
            (json!("C"), json!({"read": 1.0})),
            (json!("F"), json!({"read": 0.5, "read-modify-write": 0.5})),
            (json!("E"), json!({"scan": 0.95, "insert": 0.05})),
        ]
    );
    for phase in &phases[2..] {
        assert_eq!(
            (&phase["duration_s"], &phase["operations"], &phase["loop"]),
            (&json!(10.0), &json!(20000), &json!("open"))
        );
    }
    assert_eq!(phases[6]["by_agent"][1]["inserts"], json!({"first": 1001, "every": 2}));
    assert!(found["differs_from_original"].to_string().contains("phases of one plan"));
    assert!(found["differs_from_original"].to_string().contains("scan: 1 to 100 records"));

    let job = workloads::plan::Plan::parse(&text).expect("a good plan").job().expect("runs");
    let distributions: Vec<_> =
        job.stages.iter().map(|stage| serde_json::to_value(stage.distribution).expect("JSON")).collect();
    assert_eq!((&distributions[2]["kind"], &distributions[2]["new_keys"]), (&json!("zipfian"), &json!(0)));
    assert_eq!((&distributions[6]["kind"], &distributions[6]["new_keys"]), (&json!("zipfian"), &json!(2000)));
    let d = explained(&format!("{SUITE}tailroom.workloads=D"), None);
    assert_eq!(d["phases"][1]["mix"], json!({"read": 0.95, "insert": 0.05}));

    let with = |more: &str| refused(&format!("{SUITE}{more}\n"));
    assert!(with("tailroom.workloads=A,G").contains("line 5: tailroom.workloads: `G` is none"));
    assert!(with("tailroom.workloads=D,E").contains("D inserts records"), "{}", with("tailroom.workloads=D,E"));
    assert!(with("tailroom.workloads=A,A").contains("A comes twice"));
    assert!(
        with("tailroom.workloads=A\nreadproportion=1")
            .contains("line 6: readproportion: is set, and tailroom.workloads")
    );
    assert!(with("tailroom.workloads=A\nrequestdistribution=uniform").contains("leave one of both out"));
}

#[test]
fn what_has_no_effect_is_said_with_its_line() {
    let text = format!("{WORKLOAD_D}measurement.interval=both\nredis.host=here\nmaxscanrate=3\n");
    let found = explained(&text, None);
    let notices = found["notices"].as_array().expect("notices");
    assert_eq!(notices.len(), 3, "{notices:?}");
    assert!(
        notices.iter().any(|notice| notice.as_str().is_some_and(|text| text.contains("Line 11: measurement.interval")))
    );
    assert!(notices.iter().any(|notice| notice.as_str().is_some_and(|text| text.contains("Line 13: maxscanrate"))));
    let uneven = explained(&WORKLOAD_D.replace("0.95", "0.45"), None);
    assert_eq!(uneven["phases"][1]["mix"], json!({"read": 0.9, "insert": 0.1}));
    assert!(uneven["notices"].to_string().contains("add up to 0.5"));
}

#[test]
fn property_files_that_cannot_run_are_refused_by_line() {
    let with = |from: &str, to: &str| refused(&WORKLOAD_D.replace(from, to));
    assert!(with("recordcount=1000", "recordcount=0").contains("line 3: recordcount: is 0"));
    assert!(with("recordcount=1000", "recordcount=1e3").contains("line 3: recordcount: `1e3` is not a number"));
    assert!(with("operationcount=200000", "").contains("maxexecutiontime"));
    assert!(with("=latest", "=zipf").contains("line 10: requestdistribution: zipf is not supported"));
    assert!(with("site.ycsb.workloads.CoreWorkload", "site.ycsb.workloads.RestWorkload").contains("line 2: workload"));
    assert!(with("readproportion=0.95", "readproportion=-1").contains("line 6: readproportion"));
    assert!(with("recordcount=1000", "recordcount=1000\ninsertstart=600\ninsertcount=500").contains("does not fit"));
    assert!(with("=latest", "=hotspot\nhotspotdatafraction=0").contains("0 of 1000 keys are hot"));
}

#[test]
fn a_warm_up_is_a_phase_with_the_load_of_the_first() {
    let fraud = "workload = \"fraud\"\n[fraud]\nfactor = 0.01\nwarm_up_s = 30";
    let keyvalue = "workload = \"keyvalue\"\n[keyvalue]\nrate_per_s = 100\nwarm_up_s = 30\nramp_s = 5";
    let ycsb = format!("{WORKLOAD_D}tailroom.warm_up_s=30\n");
    for text in [fraud, keyvalue, &ycsb] {
        let found = explained(text, None);
        let (warm_up, first) = (&found["phases"][1], &found["phases"][2]);
        assert_eq!((&warm_up["name"], &warm_up["duration_s"]), (&json!("warm-up"), &json!(30.0)));
        assert_eq!((&warm_up["operations"], &warm_up["ramp_s"]), (&Value::Null, &json!(0.0)));
        assert_eq!(warm_up["operations_per_s"], first["operations_per_s"]);
        assert!(!found["notices"].to_string().contains("warm_up"));
        let job = workloads::plan::Plan::parse(text).expect("a good plan").job().expect("runs");
        let [_, warm_up, first, ..] = &job.stages[..] else { panic!("load, warm-up and a phase") };
        assert_eq!((&warm_up.streams, warm_up.ramp_s), (&first.streams, 0.0));
        assert!(!warm_up.loads() && !warm_up.measures() && first.measures());
    }
    assert!(refused("workload = \"fraud\"\n[fraud]\nwarm_up_s = -1").contains("warm_up_s: is -1"));
    let twice = "workload = \"fraud\"\n[[fraud.phases]]\nname = \"load\"\nreads_per_s = 1";
    assert!(refused(twice).contains("phases: `load` comes twice"));
}

#[test]
fn a_load_has_a_rate_where_one_is_given() {
    let keyvalue = "workload = \"keyvalue\"\n[keyvalue]\nkey_maximum = 9999\nrate_per_s = 100\nload_per_s = 500";
    let fraud = "workload = \"fraud\"\n[fraud]\nobjects = 10_000\nload_per_s = 500";
    let ycsb = WORKLOAD_D.replace("recordcount=1000", "recordcount=10000") + "tailroom.load_per_s=500\n";
    for (text, operation) in [(keyvalue, "set"), (fraud, "insert"), (&ycsb, "insert")] {
        let found = explained(text, Some(1));
        let load = &found["phases"][0];
        assert_eq!((&load["loop"], &load["duration_s"]), (&json!("open"), &json!(20.0)));
        assert_eq!((&load["operations"], &load["operations_per_s"][operation]), (&json!(10_000), &json!(500)));
        let job = workloads::plan::Plan::parse(text).expect("a good plan").part(1, 2);
        if operation == "set" || text == fraud {
            let stage = &job.expect("a part").stages[0];
            assert_eq!((stage.operations, stage.load_from, stage.duration_s), (Some(5_000), 5_000, Some(20.0)));
        }
    }
    assert!(refused("workload = \"keyvalue\"\n[keyvalue]\nload_per_s = 0").contains("load_per_s: is 0"));
    let with = |more: &str| refused(&format!("{WORKLOAD_D}{more}\n"));
    assert!(with("tailroom.load_per_s=-1").contains("line 11: tailroom.load_per_s: is -1"));
    assert!(with("tailroom.ramp_s=1").contains("line 11: tailroom.ramp_s: is not known to this version of the agent"));
}

#[test]
fn the_key_value_test() {
    let plan = "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nobject_bytes = 1000\nrate_per_s = 100000\nkey_maximum = 999";
    let found = explained(plan, Some(2));
    let run = &found["phases"][1];
    assert_eq!(run["operations_per_s"], json!({"get": 80000, "set": 20000}));
    assert_eq!(by_agent(run, "get"), [40000, 40000]);
    assert_eq!(found["dataset"]["objects"], 1000);
    assert!(refused("workload = \"keyvalue\"\n[keyvalue]\nratio = \"4\"").contains("sets:gets"));
    let closed = explained("workload = \"keyvalue\"", None);
    assert_eq!(closed["phases"][1]["loop"], "closed");
    assert_eq!(closed["dataset"]["objects"], 10_000_001);
}

#[test]
fn key_patterns_and_rates_are_read_as_memtier_writes_them() {
    let keyvalue = |settings: &str| format!("workload = \"keyvalue\"\n[keyvalue]\n{settings}\n");
    for (pattern, kind) in [("R", "uniform"), ("G", "gauss"), ("Z", "exact-zipf"), ("S", "sequential")] {
        let text = keyvalue(&format!("key_pattern = \"{pattern}:{pattern}\"\nkey_zipf_exp = 1.2"));
        let job = workloads::plan::Plan::parse(&text).expect("a good plan").job().expect("runs");
        let distribution = serde_json::to_value(job.stages[1].distribution).expect("JSON");
        assert_eq!(distribution["kind"], kind);
    }
    let text = keyvalue("key_pattern = \"P:R\"\nconnections = 7");
    let stage = &workloads::plan::Plan::parse(&text).expect("a good plan").job().expect("runs").stages[1];
    let distributions = serde_json::to_value((stage.update_distribution, stage.distribution)).expect("JSON");
    assert_eq!(distributions, json!([{"kind": "parallel", "parts": 7}, {"kind": "uniform"}]));
    for pattern in ["R", "R:X", "", "R:R:R"] {
        let told = refused(&keyvalue(&format!("key_pattern = \"{pattern}\"")));
        assert!(told.contains("write one of R, G, Z, S and P"), "{told}");
    }
    assert!(refused(&keyvalue("key_pattern = \"G:G\"\nkey_median = 1e9")).contains("inside the keys"));
    assert!(refused(&keyvalue("key_pattern = \"Z:Z\"\nkey_zipf_exp = 0")).contains("exponent"));
    assert!(refused(&keyvalue("expiry_range = \"0-5\"")).contains("seconds from-to"));

    let sized =
        explained(&keyvalue("data_size_list = \"100:3,1000:1\"\nkey_maximum = 99\nexpiry_range = \"60-90\""), None);
    assert_eq!(
        (&sized["dataset"]["object_bytes"], &sized["dataset"]["logical_bytes"]),
        (&json!(325.0), &json!(32_500.0))
    );
    let differs = sized["differs_from_original"].to_string();
    assert!(differs.contains("get-miss") && differs.contains("never expires") && differs.contains("by their weights"));

    let limited = explained(&keyvalue("rate_limiting = 1234\nconnections = 10\nratio = \"1:4\""), None);
    assert_eq!(limited["phases"][1]["operations_per_s"], json!({"get": 9872, "set": 2468}));
    assert!(limited["notices"][0].as_str().is_some_and(|text| text.contains("25 at once every 20408 µs")));
    assert!(refused(&keyvalue("rate_limiting = 1\nrate_per_s = 1")).contains("leave one of them out"));
    let empty = explained(&keyvalue("load = false\nrate_per_s = 100000\nratio = \"1:4\"\nmeasure_s = 100"), None);
    // 2,000,000 sets over 10,000,001 keys.
    assert!(empty["notices"].to_string().contains("18.1 % of gets would meet a key"));
}

#[test]
fn parts_of_connections_and_shares_of_reads_are_those_of_the_tools() {
    let ranges = |minimum: u64, maximum: u64, parts: u32| {
        let plan = format!("workload = \"keyvalue\"\n[keyvalue]\nkey_minimum = {minimum}\nkey_maximum = {maximum}");
        let found = explained(&plan, Some(parts))["dataset"]["ranges"].clone();
        let found = found.as_array().expect("ranges").clone();
        (found[0].clone(), found[found.len() - 1].clone())
    };
    // memtier's ranges of connections include both ends, these exclude the second.
    assert_eq!(ranges(0, 10_000_000, 200), (json!([0, 50_000]), json!([9_950_000, 10_000_001])));
    assert_eq!(ranges(1, 1_000, 7), (json!([1, 143]), json!([858, 1_001])));
    // Ranges of asbench's threads.
    assert_eq!(ranges(1, 1_000_000, 16), (json!([1, 62_501]), json!([937_501, 1_000_001])));
    assert_eq!(ranges(0, 1_000, 7), (json!([0, 143]), json!([858, 1_001])));
    // asbench draws reads with 24 bits of fixed-point precision.
    for (ratio, share) in [("20:80", 0.800_000_011_920_929), ("1:1", 0.5), ("5:95", 0.949_999_988_079_071)] {
        let plan = format!("workload = \"keyvalue\"\n[keyvalue]\nratio = \"{ratio}\"");
        let found = explained(&plan, None)["phases"][1]["mix"]["get"].as_f64().expect("a share");
        assert!((found - share).abs() < 1e-7, "{ratio}: {found}");
    }
}

#[test]
fn what_follows_from_a_ladder_is_said() {
    let found = explained("workload = \"fraud\"\n[fraud]\nobjects = 10000\nfactor = 0.001", None);
    assert!(found["notices"].to_string().contains("of 250 reads 246.91 keys are different on average"));
    assert_eq!(found["notices"].as_array().map(Vec::len), Some(1));
    // 3.5 million requests per second of 1 ms each over 64 connections.
    let found = explained("workload = \"fraud\"", None);
    assert!(found["notices"].to_string().contains("3500 under way; 64 connections with pipeline 1 carry 64"));
    assert!(found["notices"].to_string().contains("With pipeline 55 they would"));
    assert!(explain("workload = \"fraud\"\n[fraud]\nconnections = 2", Some(3)).is_err());
}

#[test]
fn every_setting_without_effect_is_named_with_its_line() {
    let settings = [
        "db.passwd=hush",
        "core_workload_insertion_retry_limit=3",
        "table=mine",
        "status=true",
        "operationcount=5000 ",
        "hdrhistogram.percentiles=95,99",
        "jdbc.fetchsize=10",
    ];
    let text = format!("{WORKLOAD_D}{}\n", settings.join("\n"));
    let notices = explained(&text, None)["notices"].as_array().expect("notices").clone();
    let told: Vec<&str> = notices.iter().filter_map(Value::as_str).collect();
    for (line, what) in [
        (11, "--target names the server"),
        (12, "not tried again"),
        (13, "records lie in usertable"),
        (14, "always recorded"),
        (15, "blanks behind the number of operationcount"),
        (16, "always recorded"),
        (17, "not known here"),
    ] {
        assert!(
            told.iter().any(|one| one.starts_with(&format!("Line {line}:")) && one.contains(what)),
            "{line}: {told:?}"
        );
    }
    assert_eq!(told.len(), settings.len());
    assert!(!told.concat().contains("hush"));
    let with = |more: &str| refused(&format!("{WORKLOAD_D}{more}\n"));
    assert!(with("zeropadding=65").contains("line 11: zeropadding: is 65"));
    assert!(with("maxexecutiontime=999999999").contains("line 11: maxexecutiontime"));
    assert!(with("dataintegrity=true\nfieldlengthdistribution=uniform").contains("line 11: dataintegrity"));
    assert!(with("fieldlengthdistribution=uniform\nminfieldlength=200").contains("minfieldlength 200 B"));
    let endless = WORKLOAD_D.replace("operationcount=200000", "maxexecutiontime=9").replace("=latest", "=zipfian");
    assert!(refused(&endless).contains("line 10: requestdistribution: zipfian hashes onto"));
}

/// Every explained plan can be run and every refused plan is refused with the same message, for rates, operations and agents from 0
/// up.
#[test]
fn what_is_explained_for_each_agent_can_be_run_by_it() {
    let mut plans = Vec::new();
    for rate in ["0", "0.001", "0.002", "0.5", "1", "2", "3", "1000"] {
        let steps = format!("[[fraud.phases]]\nname = \"P\"\nreads_per_s = {rate}\nupdates_per_s = 1\n");
        plans.push(format!("workload = \"fraud\"\n[fraud]\nobjects = 100\nreads_per_transaction = 1\n{steps}"));
        plans.push(plans[plans.len() - 1].replace("updates_per_s = 1", "updates_per_s = 0"));
        plans.push(format!("workload = \"keyvalue\"\n[keyvalue]\nload = false\nrate_per_s = {rate}\n"));
        plans.push(format!("recordcount=100\noperationcount=100\nthreadcount=8\ntarget={rate}\n"));
    }
    plans.push("workload = \"keyvalue\"\n[keyvalue]\nkey_maximum = 1\n".to_owned());
    plans.push("recordcount=100\noperationcount=2\nthreadcount=8\n".to_owned());
    plans.push("recordcount=2\noperationcount=100\nthreadcount=3\n".to_owned());
    let (mut good, mut bad) = (0, 0);
    for text in &plans {
        let plan = workloads::plan::Plan::parse(text).expect("readable");
        for agents in [1, 2, 3, 7] {
            let explained = plan.explain(Some(agents));
            for agent in 0..agents {
                match (&explained, plan.part(agent, agents)) {
                    (Ok(_), Ok(job)) => {
                        good += 1;
                        let idle = job.stages.iter().find(|one| one.streams.is_empty() || one.operations == Some(0));
                        assert!(idle.is_none(), "{text} for {agents}: {idle:?}");
                    }
                    (Err(said), Err(why)) => {
                        bad += 1;
                        assert_eq!(said, &why, "{text} for {agents}");
                    }
                    (said, part) => panic!("{text} for {agents}: {said:?}, but {part:?}"),
                }
            }
        }
    }
    assert!(good > 100 && bad > 50, "{good} {bad}");
    let two = "workload = \"fraud\"\n[fraud]\nfactor = 0.0005\nobjects = 100";
    let found = explained(two, Some(3));
    let parts = found["phases"][1]["by_agent"].as_array().expect("agents");
    let rates: Vec<_> = parts.iter().map(|part| part["transactions_per_s"].as_f64().expect("a rate")).collect();
    assert_eq!(rates, [0.667, 0.667, 0.666]);
    let few = explain("recordcount=100\noperationcount=2\nthreadcount=8\n", Some(3)).expect_err("too few").to_string();
    assert_eq!(few, "agents: is 3; phase run has 2 operations, so use 2 agents at most");
    let file = explained("recordcount=9\noperationcount=9\nfieldlengthdistribution=histogram\n", None);
    assert!(
        file["notices"][0].as_str().is_some_and(|one| one.starts_with("Cannot be run: fieldlengthhistogram")),
        "{file}"
    );
}
