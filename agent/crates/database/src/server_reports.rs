//! Refusals and redirections that a server reports during a stage.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Refusals and redirections that a server reports during a stage.
#[derive(Debug, Default)]
pub struct ServerReports {
    /// First refusal, in the words of the server.
    refusal: OnceLock<String>,
    /// First refusal after which no later write can succeed.
    fatal_refusal: OnceLock<String>,
    redirections: AtomicU64,
}

impl ServerReports {
    /// Stores a refusal if it is the first. A fatal refusal is also stored separately if it is the first fatal refusal.
    #[cold]
    pub fn refuse(&self, text: &[u8], is_fatal: bool) {
        let shortened = || String::from_utf8_lossy(text).chars().take(200).collect();
        self.refusal.get_or_init(shortened);
        if is_fatal {
            self.fatal_refusal.get_or_init(shortened);
        }
    }

    pub fn refusal(&self) -> Option<&str> {
        self.refusal.get().map(String::as_str)
    }

    /// Returns the first refusal after which no later write can succeed.
    pub fn fatal_refusal(&self) -> Option<&str> {
        self.fatal_refusal.get().map(String::as_str)
    }

    /// Counts a command that was sent again to another node.
    #[cold]
    pub fn redirect(&self) {
        self.redirections.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of commands that were sent again to another node.
    pub fn redirections(&self) -> u64 {
        self.redirections.load(Ordering::Relaxed)
    }
}
