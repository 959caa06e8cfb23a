//! Tests of rejected plans and of default values.

use super::*;

#[test]
fn a_table_with_only_a_path_has_every_default() {
    let plan: ActStoragePlan = toml::from_str("path = \"act.dat\"").expect("readable");
    assert_eq!(plan, ActStoragePlan::new("act.dat".into()));
    assert!(plan.validate().is_ok());
    assert_eq!((plan.effective_load(), plan.limits_ns.len()), (Some(1.0), 3));
}

#[test]
fn an_unknown_field_is_named() {
    let error = toml::from_str::<ActStoragePlan>("path = \"a\"\nload_multipel = 2.0").expect_err("refused");
    assert!(error.to_string().contains("load_multipel"));
}

#[test]
fn serial_numbers_stay_here() {
    let plan = ActStoragePlan { confirm_serials: vec!["S3CR3T".into()], ..ActStoragePlan::new("/dev/x".into()) };
    assert!(!toml::to_string(&plan).expect("written").contains("S3CR3T"));
}

#[test]
fn each_bad_value_is_named() {
    let refused = |change: fn(&mut ActStoragePlan)| {
        let mut plan = ActStoragePlan::new("act.dat".into());
        change(&mut plan);
        plan.validate().expect_err("refused").to_string()
    };
    assert!(refused(|plan| plan.path = PathBuf::new()).contains("path"));
    assert!(refused(|plan| plan.further_paths = vec!["act.dat".into()]).contains("twice"));
    assert!(refused(|plan| plan.load_multiple = Some(f64::NAN)).contains("load_multiple"));
    assert!(refused(|plan| plan.load_multiple = Some(0.0)).contains("load_multiple"));
    assert!(refused(|plan| plan.read_requests_per_s = Some(0)).contains("cannot both be 0"));
    assert!(
        refused(|plan| (plan.load_multiple, plan.read_requests_per_s) = (Some(1.0), Some(5))).contains("contradicts")
    );
    assert!(refused(|plan| plan.record_bytes = 0).contains("record_bytes"));
    assert!(refused(|plan| plan.record_bytes = 200_000).contains("does not fit"));
    assert!(refused(|plan| plan.record_bytes_range_max = 1_000).contains("record_bytes_range_max"));
    assert!(refused(|plan| plan.large_block_bytes = 5000).contains("large_block_bytes"));
    assert!(refused(|plan| plan.replication_factor = 0).contains("replication_factor"));
    assert!(refused(|plan| plan.update_pct = 101).contains("update_pct"));
    assert!(refused(|plan| plan.defrag_lwm_pct = 100).contains("defrag_lwm_pct"));
    assert!(refused(|plan| plan.compress_pct = 101).contains("compress_pct"));
    assert!(refused(|plan| (plan.commit_to_device, plan.sync_writes) = (true, false)).contains("commit_to_device"));
    assert!(refused(|plan| (plan.sq_poll, plan.io_poll) = (true, true)).contains("exclude each other"));
    assert!(refused(|plan| (plan.io_poll, plan.direct_io) = (true, false)).contains("direct_io"));
    assert!(refused(|plan| (plan.io_poll, plan.engine) = (true, EngineChoice::Sync)).contains("io_poll"));
    assert!(refused(|plan| (plan.sq_poll, plan.engine) = (true, EngineChoice::Sync)).contains("sq_poll"));
    assert!(refused(|plan| plan.file_size_bytes = Some(4096)).contains("file_size_bytes"));
    assert!(refused(|plan| plan.limits_ns = vec![2, 1]).contains("limits_ns"));
    assert!(refused(|plan| plan.limits_ns = vec![0]).contains("limits_ns"));
    assert!(refused(|plan| plan.over_provisioning = Some(21.0)).contains("over_provisioning"));
}
