//! Loop devices for tests, if this machine permits them (root, `/dev/loop-control`).

use std::path::Path;
use std::process::Command;

/// A loop device over a file; detached when dropped.
pub(crate) struct Loop(pub String);

impl Loop {
    pub fn over(path: &Path) -> Option<Self> {
        let output = Command::new("losetup").args(["--find", "--show"]).arg(path).output().ok()?;
        if !output.status.success() {
            eprintln!("no loop devices here: not tried");
            return None;
        }
        Some(Self(String::from_utf8_lossy(&output.stdout).trim().to_owned()))
    }

    /// Returns the text that confirms the device, which has no serial number: name and size.
    pub fn serial(&self, size_bytes: u64) -> String {
        format!("{}:{size_bytes}", self.0.trim_start_matches("/dev/"))
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.0]).status();
    }
}
