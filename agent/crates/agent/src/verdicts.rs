//! The backend's verdicts on delivered runs, for people at the terminal.

use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use wire::messages::RunId;

use crate::transport::Transport;

/// Longest wait for verdicts: a worker judges a run within a second or two, and a busy one is not waited for.
const TIMEOUT: Duration = Duration::from_secs(10);
const CHECK_EVERY: Duration = Duration::from_millis(500);

/// A run as in the API; fields that are not needed are left out.
#[derive(Debug, Deserialize)]
struct JudgedRun {
    state: String,
    judged_at: Option<String>,
    verdicts: Vec<BudgetVerdict>,
}

#[derive(Debug, Deserialize)]
struct BudgetVerdict {
    budget: Budget,
    verdict: String,
    /// Verdict and strength as pages show them: `PASS in this run`.
    words: Option<String>,
    reason_text: Option<String>,
    provisional: bool,
}

#[derive(Debug, Deserialize)]
struct Budget {
    title: String,
    name: String,
    version: u32,
}

impl JudgedRun {
    fn is_decided(&self) -> bool {
        let is_judged = self.judged_at.is_some() || !self.verdicts.is_empty();
        self.state == "finished" && is_judged && !self.verdicts.iter().any(|verdict| verdict.provisional)
    }

    fn lines(&self) -> Vec<String> {
        if !self.is_decided() {
            return vec!["verdicts: not there yet; the run's page shows them".to_owned()];
        }
        let line =
            |BudgetVerdict { budget: Budget { title, name, version }, verdict, words, reason_text, .. }: &BudgetVerdict| {
                let reason = reason_text.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
                format!("verdict: {}  {title} [{name} v{version}]{reason}", words.as_ref().unwrap_or(verdict))
            };
        self.verdicts.iter().map(line).collect()
    }
}

/// Waits for the verdicts of runs and returns them as lines, under the title of each run if there are several. Runs that this
/// agent may not read are left out. Ends early if `is_stopped`.
pub fn lines_of(transport: &Transport, runs: &[(RunId, String)], is_stopped: impl Fn() -> bool) -> Vec<String> {
    let (until, mut lines) = (Instant::now() + TIMEOUT, Vec::new());
    for (run_id, title) in runs {
        let Some(run) = judged(transport, *run_id, until, &is_stopped) else { continue };
        let of_run = run.lines();
        if runs.len() > 1 && !of_run.is_empty() {
            lines.push(title.clone());
        }
        let indent = if runs.len() > 1 { "  " } else { "" };
        lines.extend(of_run.into_iter().map(|line| format!("{indent}{line}")));
    }
    lines
}

fn judged(transport: &Transport, run_id: RunId, until: Instant, is_stopped: &impl Fn() -> bool) -> Option<JudgedRun> {
    loop {
        let run: JudgedRun = serde_json::from_value(transport.get(&format!("/api/v1/runs/{run_id}")).ok()?).ok()?;
        if run.is_decided() || Instant::now() >= until || is_stopped() {
            return Some(run);
        }
        thread::sleep(CHECK_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(state: &str, judged: bool, verdicts: &serde_json::Value) -> JudgedRun {
        let judged_at = judged.then_some("2026-11-28T09:00:00Z");
        serde_json::from_value(json!({"state": state, "judged_at": judged_at, "verdicts": verdicts})).expect("a run")
    }

    #[test]
    fn verdicts_are_shown_once_they_are_final() {
        let verdict = |verdict: &str, provisional: bool| {
            let words = if verdict == "PASS" { "PASS in this run" } else { "Undecided: too few operations" };
            json!({
                "words": words,
                "budget": {"name": "act-limits", "title": "ACT limits", "version": 1, "question": null},
                "verdict": verdict, "reason_text": (verdict != "PASS").then_some("Too few reads."), "provisional": provisional,
            })
        };
        assert_eq!(
            run("finished", true, &json!([verdict("PASS", false), verdict("INDETERMINATE", false)])).lines(),
            [
                "verdict: PASS in this run  ACT limits [act-limits v1]",
                "verdict: Undecided: too few operations  ACT limits [act-limits v1]: Too few reads.",
            ]
        );
        for not_yet in [
            run("finished", true, &json!([verdict("PASS", true)])),
            run("running", true, &json!([verdict("PASS", false)])),
            run("finished", false, &json!([])),
        ] {
            assert!(not_yet.lines()[0].contains("not there yet"), "{not_yet:?}");
        }
        assert!(run("finished", true, &json!([])).lines().is_empty(), "no question is built in for this workload");
    }
}
