//! Tests of the policy.

use std::os::unix::fs::PermissionsExt as _;

use workloads::plan::Plan;

use super::*;

fn read(text: &str, mode: u32) -> Result<Policy, String> {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("campaigns.toml");
    fs::write(&path, text).expect("writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permitted");
    Policy::read(&path)
}

fn job(rate: &str) -> Job {
    let text = format!(
        "workload = \"keyvalue\"\n[keyvalue]\nload = false\nconnections = 8\nmeasure_s = 60\nramp_s = 0\n{rate}\n"
    );
    Plan::parse(&text).expect("a plan").part(0, 1).expect("a part")
}

fn refusal(policy: &Policy, job: &Job) -> String {
    policy.allows(job).expect_err("refused")
}

#[test]
fn what_is_not_allowed_is_refused_with_a_sentence() {
    let text = "targets = [{ address = \"redis://db\" }]\nmost_operations_per_s = 1000\nmost_connections = 8\n\
                longest_s = 60\nhours_utc = \"20:00-06:00\"\n";
    let policy = read(text, 0o644).expect("a policy");
    assert!(policy.target("redis://db:6379").is_ok(), "the same server, written otherwise");
    assert!(policy.target("redis://db:6380").expect_err("refused").contains("It allows: redis://db"));
    assert_eq!(policy.allows(&job("rate_per_s = 1000")), Ok(()));
    assert!(refusal(&policy, &job("rate_per_s = 1001")).contains("asks for 1001.0"));
    assert!(refusal(&policy, &job("")).contains("has no rate. Give it one in the plan (rate_per_s"));
    let narrow = Policy { most_connections: Some(7), ..policy.clone() };
    assert!(refusal(&narrow, &job("rate_per_s = 1")).contains("needs 8"));
    let short = Policy { longest_s: Some(59.0), ..policy.clone() };
    assert!(refusal(&short, &job("rate_per_s = 1")).contains("take 60 s"));
    assert_eq!(policy.allows_now(21 * 3600), Ok(()));
    assert_eq!(policy.allows_now(5 * 3600 + 3599), Ok(()));
    assert!(policy.allows_now(6 * 3600).expect_err("refused").contains("it is 06:00"));
}

/// Every kind of plan, with the reason for which `load = false`, `longest_s` and `most_operations_per_s` forbid it: loading,
/// writing, no end in time, no rate.
#[test]
fn what_each_setting_forbids_is_known_of_every_plan() {
    #[derive(Debug, PartialEq)]
    enum Is {
        Allowed,
        Loading,
        Writing,
        Endless,
        Unpaced,
    }
    let forbidden_by = |setting: &str, plan: &str| {
        let policy = read(&format!("{setting}\n"), 0o644).expect("a policy");
        match policy.allows(&Plan::parse(plan).expect("a plan").part(0, 1).expect("a part")) {
            Ok(()) => Is::Allowed,
            Err(reason) if reason.contains("does not allow loading") => Is::Loading,
            Err(reason) if reason.contains("does not allow writing") => Is::Writing,
            Err(reason) if reason.contains("has no end in time") => Is::Endless,
            Err(reason) if reason.contains("has no rate") => Is::Unpaced,
            Err(other) => panic!("{setting} and {plan}: {other}"),
        }
    };
    let keyvalue = |more: &str| format!("workload = \"keyvalue\"\n[keyvalue]\nmeasure_s = 3\nramp_s = 0\n{more}\n");
    let ycsb = |more: &str| format!("recordcount=10\nworkload=CoreWorkload\n{more}\n");
    let fraud =
        "workload = \"fraud\"\n[fraud]\nobjects = 10\nconnections = 1\nfactor = 1e-6\nramp_s = 0\nmeasure_s = 1\n";
    let bare = keyvalue("load = false\nratio = \"0:1\"\nrate_per_s = 5");
    for (plan, writing, time, rate) in [
        (keyvalue(""), Is::Loading, Is::Endless, Is::Unpaced),
        (keyvalue("load_per_s = 9_000_000\nrate_per_s = 5"), Is::Loading, Is::Allowed, Is::Allowed),
        (keyvalue("load_per_s = 9_000_000"), Is::Loading, Is::Allowed, Is::Unpaced),
        (keyvalue("load = false\nratio = \"1:0\"\nrate_per_s = 5"), Is::Writing, Is::Allowed, Is::Allowed),
        (keyvalue("load = false\nratio = \"1:10\"\nrate_per_s = 5"), Is::Writing, Is::Allowed, Is::Allowed),
        (keyvalue("load = false\nratio = \"0:1\""), Is::Allowed, Is::Allowed, Is::Unpaced),
        (bare.clone(), Is::Allowed, Is::Allowed, Is::Allowed),
        (format!("{bare}warm_up_s = 2"), Is::Allowed, Is::Allowed, Is::Allowed),
        (ycsb("operationcount=1000000000"), Is::Loading, Is::Endless, Is::Unpaced),
        (ycsb("operationcount=1000000000\ntailroom.load_per_s=1000"), Is::Loading, Is::Endless, Is::Unpaced),
        (
            ycsb("operationcount=1000000000\nmaxexecutiontime=3\ntailroom.load_per_s=1000"),
            Is::Loading,
            Is::Allowed,
            Is::Unpaced,
        ),
        (ycsb("operationcount=10\ntarget=5\ntailroom.load_per_s=1000"), Is::Loading, Is::Allowed, Is::Allowed),
        (ycsb("maxexecutiontime=3"), Is::Loading, Is::Endless, Is::Unpaced),
        (ycsb("operationcount=900\ntailroom.workloads=A,B,C,F,E"), Is::Loading, Is::Endless, Is::Unpaced),
        (fraud.to_owned(), Is::Loading, Is::Endless, Is::Unpaced),
        (format!("{fraud}load_per_s = 10"), Is::Loading, Is::Allowed, Is::Allowed),
    ] {
        assert_eq!(forbidden_by("load = false", &plan), writing, "load = false and {plan}");
        assert_eq!(forbidden_by("longest_s = 9", &plan), time, "longest_s and {plan}");
        assert_eq!(forbidden_by("most_operations_per_s = 9_000_000", &plan), rate, "a rate and {plan}");
        assert_eq!(forbidden_by("most_connections = 1_000", &plan), Is::Allowed, "connections and {plan}");
    }
}

#[test]
fn how_to_connect_stands_in_the_policy() {
    let text = "targets = [{ address = \"rediss://db\", password_file = \"/p\", tls_ca = \"/ca.pem\" }]\n";
    let policy = read(text, 0o644).expect("a policy");
    let allowed = policy.target("rediss://db:6379").expect("allowed");
    assert_eq!(allowed.arguments(), ["--password-file=/p", "--tls-ca=/ca.pem"]);
    assert!(policy.target("redis://db").is_err(), "in plain text it is another server");
}

#[test]
fn drives_are_read_where_they_are_listed() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("drive");
    fs::write(&path, [0; 4096]).expect("writable");
    let place = path.display();
    let ladder = DriveLadder { loads: vec![1.0, 2.0], ramp_s: 1, measure_s: 10, ..DriveLadder::default() };
    let policy = read(&format!("devices = [\"{place}\"]\nmost_operations_per_s = 5000\nlongest_s = 22\n"), 0o644)
        .expect("a policy");
    assert_eq!(policy.drives("drives:"), Ok(vec![path.clone()]));
    assert_eq!(policy.drives(&format!("drives:{place}")), Ok(vec![path.clone()]));
    assert_eq!(policy.allows_ladder(&ladder, 1), Ok(()));
    assert!(policy.allows_ladder(&ladder, 2).expect_err("refused").contains("reads 8094.1 times"));
    let long = DriveLadder { measure_s: 11, ..ladder };
    assert!(policy.allows_ladder(&long, 1).expect_err("refused").contains("take 24 s"));
    for (target, reason) in [("drives:/dev/null", "does not let /dev/null be read"), ("redis://db", "name drives:")] {
        assert!(policy.drives(target).expect_err("refused").contains(reason), "{target}");
    }
    let none = read("targets = []\n", 0o644).expect("a policy");
    assert!(none.drives("drives:").expect_err("refused").contains("lists no drive"), "the default is none");
    let odd = read("devices = [\"/dev/null\", \"/dev/no-such\"]\n", 0o644).expect("a policy");
    assert!(odd.drives("drives:/dev/null").expect_err("refused").contains("neither a drive nor a file"));
    assert!(odd.drives("drives:/dev/no-such").expect_err("refused").contains("cannot be read"));
}

#[test]
fn synchronous_writes_go_to_a_listed_folder() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let place = folder.path().display();
    let one = read(&format!("folders = [\"{place}\"]\nlongest_s = 120\n"), 0o644).expect("a policy");
    for target in ["folders:".to_owned(), format!("folders:{place}")] {
        assert_eq!(one.folder(&target), Ok(folder.path().to_owned()));
    }
    let usual = SyncWriteCampaign::default();
    assert_eq!(one.allows_sync_write(&usual), Ok(()));
    let long = SyncWriteCampaign { measure_s: 61, ..usual.clone() };
    assert!(one.allows_sync_write(&long).expect_err("refused").contains("take 122 s"));
    let two = read(&format!("folders = [\"{place}\", \"/dev/null\"]\n"), 0o644).expect("a policy");
    let none = read("targets = []\n", 0o644).expect("a policy");
    for (policy, target, reason) in [
        (&one, "redis://db", "name folders:"),
        (&one, "folders:/etc", "does not let /etc be written to"),
        (&two, "folders:", "lists several folders"),
        (&two, "folders:/dev/null", "is no folder"),
        (&none, "folders:", "lists no folder"),
    ] {
        assert!(policy.folder(target).expect_err("refused").contains(reason), "{target}");
    }
    for (limit, reason) in [("load = false", "load = false"), ("most_operations_per_s = 9", "have no rate")] {
        let policy = read(limit, 0o644).expect("a policy");
        assert!(policy.allows_sync_write(&usual).expect_err("refused").contains(reason), "{limit}");
    }
}

#[test]
fn a_file_that_anybody_could_change_counts_for_nothing() {
    assert!(read("targets = []", 0o666).expect_err("refused").contains("nobody else may change"));
    assert!(read("targets = []\nanything = 1", 0o644).expect_err("refused").contains("line 2: unknown field"));
    assert!(read("targets = []\nload = 1", 0o644).expect_err("refused").contains("line 2: load: invalid type"));
    assert!(read("targets = []\nhours_utc = \"late\"", 0o644).expect_err("refused").contains("20:00-06:00"));
    assert!(read("targets = [{ address = \"mongodb://x\" }]", 0o644).expect_err("refused").contains("no address"));
}
