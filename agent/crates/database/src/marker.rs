//! The marker that is stored with the objects on a server, and identifies the job that loaded them.

use sha2::{Digest as _, Sha256};
use workloads::job::ObjectSpec;

/// A record stored with the objects on a server: the job that loaded them, and the state of the load.
#[derive(Debug, Clone)]
pub struct Marker {
    /// Fingerprint of the job, see [`fingerprint`].
    pub fingerprint: String,
    pub first: u64,
    pub count: u64,
    pub state: MarkerState,
    /// Description of the objects, for messages.
    pub what: String,
}

/// The state of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerState {
    Complete,
    /// The load is in progress, or was interrupted.
    Loading,
    /// Several agents have inserted objects, in different numbers.
    Uneven,
}

impl MarkerState {
    /// Returns the name of the state on the server.
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "whole",
            Self::Loading => "loading",
            Self::Uneven => "uneven",
        }
    }
}

/// A marker with a missing or invalid field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the marker of Tailroom's objects is damaged: {field} is {}; take away the marker and the objects, or name another \
     database", value.as_ref().map_or_else(|| "missing".to_owned(), |value| format!("`{value}`"))
)]
pub struct MarkerDamaged {
    field: &'static str,
    value: Option<String>,
}

impl Marker {
    /// Returns the fields by name, as stored on a server.
    pub fn fields(&self) -> [(&'static str, String); 5] {
        [
            ("fingerprint", self.fingerprint.clone()),
            ("first", self.first.to_string()),
            ("count", self.count.to_string()),
            ("state", self.state.word().to_owned()),
            ("what", self.what.clone()),
        ]
    }

    pub fn of_fields(field: impl Fn(&str) -> Option<String>) -> Result<Self, MarkerDamaged> {
        let text = |name: &'static str| field(name).ok_or(MarkerDamaged { field: name, value: None });
        let number = |name: &'static str| {
            let value = text(name)?;
            value.parse().map_err(|_| MarkerDamaged { field: name, value: Some(value) })
        };
        let state = text("state")?;
        let states = [MarkerState::Complete, MarkerState::Loading, MarkerState::Uneven];
        Ok(Self {
            fingerprint: text("fingerprint")?,
            first: number("first")?,
            count: number("count")?,
            state: match states.into_iter().find(|known| known.word() == state) {
                Some(state) => state,
                None => return Err(MarkerDamaged { field: "state", value: Some(state) }),
            },
            what: text("what")?,
        })
    }
}

/// Returns a text that is equal for loads with the same keys, count, shape and seed.
pub fn fingerprint(spec: &ObjectSpec, seed: u64) -> String {
    const VERSION: u32 = 1;
    let text = format!("{VERSION} {:?} {} {} {:?} {seed}", spec.naming, spec.first, spec.count, spec.shape);
    let digest = Sha256::digest(text.as_bytes());
    let first = digest.iter().take(8).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    format!("{first:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_marker_is_named_by_field_and_is_no_marker_of_no_objects() {
        let fields = [("fingerprint", "f"), ("first", "5"), ("count", "10"), ("state", "whole"), ("what", "objects")];
        let read = |change: (&str, Option<&str>)| {
            Marker::of_fields(|name| {
                let stored = fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
                let value = if change.0 == name { change.1 } else { stored };
                value.map(str::to_owned)
            })
        };
        let marker = read(("", None)).expect("whole");
        assert_eq!((marker.first, marker.count, marker.state), (5, 10, MarkerState::Complete));
        for (change, named) in [
            (("count", Some("ten")), "count is `ten`"),
            (("first", Some("-1")), "first is `-1`"),
            (("state", Some("odd")), "state is `odd`"),
            (("count", None), "count is missing"),
        ] {
            assert!(read(change).expect_err("damaged").to_string().contains(named), "{named}");
        }
    }
}
