//! How one measured interval is written: as it is declared (`measure::series::Interval`), field by field under the names of
//! the contract.

use measure::series::Interval;
use serde::{Deserialize, Serialize};

/// An [`Interval`] on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WireInterval(pub Interval);
