//! What a search says at its end: the bracket, its stated error, and what speaks against it.

use serde::{Deserialize, Serialize};

use super::probe::Word;

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// The bracket is as narrow as asked, and both of its ends were measured again.
    Precision,
    /// All probes after the bracket are used up.
    Probes,
    /// The time is used up.
    Time,
    /// The highest load that may be tried holds.
    Top,
    /// No load holds, however low.
    NoPass,
}

/// A load that was measured again with another word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The load.
    pub load: f64,
    /// Its word before.
    pub before: Word,
    /// The result of the probe before it; none for the first probe.
    pub before_followed: Option<Word>,
    /// Its word afterwards.
    pub after: Word,
    /// The result of the probe before it.
    pub after_followed: Option<Word>,
    /// The shares of late operations differ by more than their scatter: the server changed, and not the luck of a probe.
    pub is_beyond_scatter: bool,
}

impl Change {
    /// Returns whether the load held after a pass and not after a failure, or the reverse: the state of the server depends
    /// on the load before.
    #[must_use]
    pub fn is_hysteresis(&self) -> bool {
        let follows = |word: Word, followed: Option<Word>| match word {
            Word::Pass => matches!(followed, None | Some(Word::Pass)),
            Word::Fail | Word::Limited => followed.is_some_and(|followed| followed != Word::Pass),
        };
        self.is_beyond_scatter && follows(self.before, self.before_followed) && follows(self.after, self.after_followed)
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// Highest load that held, below every load that did not.
    pub passed: Option<f64>,
    /// Lowest load that did not hold; none where the load generator or the highest load was reached before.
    pub failed: Option<f64>,
    /// Load that the generator could not make, where that and not the server ended the search.
    pub limited: Option<f64>,
    /// The stated error: the highest load at or below `passed` that holds by more than its scatter; none where every such load was measured before the server changed.
    pub surely_passed: Option<f64>,
    /// Likewise the lowest load at or above `failed` that does not hold.
    pub surely_failed: Option<f64>,
    /// Why it ended.
    pub ended_by: EndedBy,
    /// Whether both ends were measured at least twice since they changed their word.
    pub is_repeated: bool,
    /// Loads that changed their word, in the order of the changes.
    pub changes: Vec<Change>,
    /// Loads that held above one that did not, by their last words.
    pub passes_above_failure: Vec<f64>,
}
