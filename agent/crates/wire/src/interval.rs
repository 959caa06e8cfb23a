//! The encoding of a measured interval: the fields of `measure::series::Interval` under the names of the wire contract.

use measure::series::Interval;
use serde::{Deserialize, Serialize};

/// An [`Interval`] in the form in which it is sent and stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WireInterval(pub Interval);
