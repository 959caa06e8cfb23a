//! Data folders of databases, where no file for a measurement may be created: it would use their space and look like a file of
//! theirs.

use std::path::Path;

use measure::series::WorkloadError;

use super::system::refusal;

/// Names of databases, each with files that together identify its data folder.
const DATABASES: &[(&str, &[&str])] = &[
    ("PostgreSQL", &["PG_VERSION", "base"]),
    ("MySQL or MariaDB", &["ibdata1"]),
    ("MySQL", &["mysql.ibd"]),
    ("RocksDB", &["CURRENT", "IDENTITY"]),
    ("MongoDB", &["WiredTiger", "WiredTiger.wt"]),
    ("Ceph", &["ceph_fsid", "whoami"]),
];

/// Returns an error if `folder` is in the data folder of a database, at any depth.
pub fn check(path: &Path, folder: &Path) -> Result<(), WorkloadError> {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    for ancestor in real.ancestors() {
        let database = DATABASES.iter().find(|(_, names)| names.iter().all(|name| ancestor.join(name).exists()));
        if let Some((database, _)) = database {
            return Err(refusal(
                path,
                &format!(
                    "lies in {}, which holds the data of {database}, so nothing is created there; choose another folder",
                    ancestor.display()
                ),
            ));
        }
    }
    Ok(())
}
