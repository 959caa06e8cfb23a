//! `tailroom-agent keys` and `explain`, run as a program.

use std::process::{Command, Output};

use serde_json::{Value, json};

fn keys(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tailroom-agent"))
        .arg("keys")
        .args(arguments.split_whitespace())
        .output()
        .expect("the agent starts")
}

fn answer(arguments: &str) -> Value {
    let output = keys(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn shares_of_a_law_are_printed_and_the_seed_decides_them() {
    let found = answer("--law zipfian --items 1000 --draws 200000 --seed 7 --json");
    assert_eq!(found["draws"], 200_000);
    assert_eq!(found["top"][0]["key"], 144);
    assert_eq!(found["top"].as_array().map(Vec::len), Some(20));
    assert_eq!(found["by_age"].as_array().map(Vec::len), Some(20));
    let names: Vec<_> = found["share_of_top"].as_object().expect("an object").keys().cloned().collect();
    assert_eq!(names, ["1", "1%", "10", "10%", "100"]);
    assert_eq!(found, answer("--law zipfian --items 1000 --draws 200000 --seed 7"));
    assert_ne!(found, answer("--law zipfian --items 1000 --draws 200000 --seed 8"));
}

#[test]
fn names_come_with_their_places() {
    assert_eq!(
        answer("--name ycsb --number 0 --digest usertable --slot"),
        json!({
            "key": "user6284781860667377211", "hash": 6_284_781_860_667_377_211_u64,
            "digest": "59f6a99e074d9951b5a620a79cf6696f3b318641", "partition": 1625,
            "aerospike_key": "user6284781860667377211", "slot": 10488,
        })
    );
    assert_eq!(answer("--name ycsb --number 42 --ordered --zeropadding 12")["key"], "user000000000042");
    let negative = answer("--name ycsb --number -1 --json");
    assert_eq!(negative, json!({"key": "user8289690350564177859", "hash": 8_289_690_350_564_177_859_u64}));
    assert_eq!(answer("--name ycsb --number=-1 --ordered --zeropadding 12")["key"], "user0000000000-1");
    assert_eq!(answer("--name memtier --number 0 --slot")["slot"], 7563);
    assert_eq!(answer("--name asbench --number 42 --digest testset")["partition"], 851);
    assert_eq!(answer("--name fraud --number 7 --digest fraud")["partition"], 351);
}

#[test]
fn what_cannot_be_drawn_is_refused_with_its_reason() {
    for (arguments, reason) in [
        ("--law uniform", "--items"),
        ("--law uniform --items 0", "at least one key"),
        ("--law zipfian --items 10 --theta 1", "theta is 1; it must be above 0 and below 1"),
        ("--law hotspot --items 3", "0 of 3 keys are hot"),
        ("--name ycsb", "--number"),
        ("--name memtier --number -1", "between 0 and"),
        ("--name ycsb --number 18446744073709551616", "between -9223372036854775808 and"),
        ("", "--law"),
    ] {
        let output = keys(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(reason), "{arguments}: {told}");
    }
}

#[test]
fn a_plan_is_explained_or_refused_with_file_and_line() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("workloada");
    let explain = |text: &str| {
        std::fs::write(&path, text).expect("writable");
        Command::new(env!("CARGO_BIN_EXE_tailroom-agent")).arg("explain").arg(&path).output().expect("the agent starts")
    };
    let output = explain("recordcount=1000\noperationcount=1000\nreadproportion=0.5\nupdateproportion=0.5\n");
    let found: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(found["phases"][1]["mix"], json!({"read": 0.5, "update": 0.5}));
    let output = explain("recordcount=1000\noperationcount=many\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("workloada: line 2: operationcount: `many`"));
}
