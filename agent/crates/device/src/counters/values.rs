//! Maps from names, which contain the units, to numbers and texts.

use std::collections::BTreeMap;

/// Numbers by name, such as `smart.host_written_bytes`.
pub type Values = BTreeMap<String, u64>;
/// Texts by name, such as `kernel.scheduler`.
pub type Texts = BTreeMap<String, String>;
