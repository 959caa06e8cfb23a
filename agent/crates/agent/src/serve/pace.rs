//! The pace at which an agent with a job polls the backend.

use std::time::Duration;

use super::job::Step;

/// Times between polls while a job waits for others, and while it measures.
pub const WAITING_PACE: Duration = Duration::from_millis(250);
pub const RUNNING_PACE: Duration = Duration::from_secs(1);
const LONGEST_PACE: Duration = Duration::from_secs(30);

/// Returns the time between polls at a step of a job; `named` is the pace that the backend set.
pub fn pace(step: Step, named: Duration) -> Duration {
    let own = if step == Step::Running { RUNNING_PACE } else { WAITING_PACE };
    own.max(named.min(LONGEST_PACE))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::serve::Answer;

    #[test]
    fn the_pace_of_the_backend_is_kept_where_it_is_slower_and_no_longer_than_a_limit() {
        let answer: Answer =
            serde_json::from_value(json!({ "commands": [], "again_in_ms": 5_000 })).expect("an answer");
        let named = Duration::from_millis(answer.again_in_ms.expect("a pace"));
        assert_eq!(pace(Step::Running, named), Duration::from_secs(5));
        assert_eq!(pace(Step::Armed, named), Duration::from_secs(5));
        assert_eq!(pace(Step::Running, Duration::from_secs(3_600)), LONGEST_PACE);
        let silent: Answer = serde_json::from_value(json!({ "commands": [] })).expect("an answer of an older backend");
        assert_eq!(silent.again_in_ms, None);
        assert_eq!(pace(Step::Running, Duration::ZERO), RUNNING_PACE);
        assert_eq!(pace(Step::Armed, Duration::ZERO), WAITING_PACE);
    }
}
