//! What is read, by names with their units.

use std::collections::BTreeMap;

/// Numbers by name, such as `smart.host_written_bytes`.
pub type Values = BTreeMap<String, u64>;
/// Words by name, such as `kernel.scheduler`.
pub type Texts = BTreeMap<String, String>;
