//! Folders of databases: a file for measuring in there would take their space, and look like one of their files.

use std::path::Path;

use measure::series::WorkloadError;

use super::system::refusal;

/// What holds such a folder together, and files that together show it.
const DATABASES: &[(&str, &[&str])] = &[
    ("PostgreSQL", &["PG_VERSION", "base"]),
    ("MySQL or MariaDB", &["ibdata1"]),
    ("MySQL", &["mysql.ibd"]),
    ("RocksDB", &["CURRENT", "IDENTITY"]),
    ("MongoDB", &["WiredTiger", "WiredTiger.wt"]),
    ("Ceph", &["ceph_fsid", "whoami"]),
];

/// Refuses a file in the data folder of a database, or anywhere below it.
pub fn check(path: &Path, folder: &Path) -> Result<(), WorkloadError> {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    for place in real.ancestors() {
        let database = DATABASES.iter().find(|(_, names)| names.iter().all(|name| place.join(name).exists()));
        if let Some((database, _)) = database {
            return Err(refusal(
                path,
                &format!(
                    "lies in {}, which holds the data of {database}, so nothing is created there; choose another folder",
                    place.display()
                ),
            ));
        }
    }
    Ok(())
}
