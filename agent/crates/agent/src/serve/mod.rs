//! `tailroom-agent serve`: polls the backend for work, and executes what the policy of this machine allows.
//!
//! The backend never connects to the agent. An idle agent polls, waits up to an hour for an answer that sends a byte every 40 s,
//! and polls again. During a job it polls up to four times a second, which also shows the backend that it is alive; in a campaign
//! of many agents it polls at the pace that the backend sets.

pub mod clock;
mod command;
pub mod enrolment;
mod identity;
mod job;
mod orders;
mod policy;
mod search;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use measure::clock::{unix_time, whole_ns};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::spool;
use workloads::ycsb::OWN_SETTINGS;

use crate::cli::{BackendArgs, ServeArgs};
use crate::failure::Failure;
use crate::inventory;
use crate::local_plan;
use crate::state_folder::spool_folder;
use crate::stop::on_signals;
use crate::transport::{AnswerTimeouts, Refusal, Transport};

use clock::ServerClock;
use command::Signed;
use identity::{Folder, Identity};
use job::{Job, RUNNING_PACE, Status, Step, WAITING_PACE};
use policy::{DEFAULT_PATH, Policy};

/// Seconds for which the backend may hold the poll of an idle agent: the first, or the second if it sends blanks meanwhile.
const IDLE_WAIT_S: u64 = 20;
const LONGEST_WAIT_S: u64 = 3_600;
/// Silence after which the backend counts as away.
const LONGEST_SILENCE: Duration = Duration::from_secs(100);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Time that a job continues without its backend, unless the backend set a slow pace.
const ORPHAN_GRACE: Duration = Duration::from_secs(10);
/// Time between clock comparisons during a job.
const CLOCK_EVERY: Duration = Duration::from_secs(5);
const DRAIN_EVERY: Duration = Duration::from_secs(30);
/// Capabilities: searches for the highest load, also continued with the probes from before an interruption, or with a drive ladder
/// as their plan; and polls at the pace that the backend sets.
const CAPABILITIES: [&str; 4] = ["load-search", "load-search-continued", "drive-search", "paced-polls"];
const POLL: &str = "/api/v1/agent/poll";

pub fn serve(args: &ServeArgs) -> Result<(), Failure> {
    let folder = Folder::of(args.state.as_deref())?;
    let identity = folder.identity()?;
    let _lock = folder.lock()?;
    let public_key = STANDARD
        .decode(&identity.public_key)
        .map_err(|error| Failure::Usage(format!("agent.json: public_key: {error}; enrol again")))?;
    let backend = BackendArgs {
        backend: Some(identity.backend.clone()),
        token_file: Some(folder.credential_file()),
        ca_file: identity.ca_file.clone(),
        allow_plain_http: identity.allow_plain_http,
    };
    let transport = Transport::from_args(&backend)?
        .ok_or_else(|| Failure::Usage("agent.json names no backend; enrol again".to_owned()))?;
    let policy = args.policy.clone().unwrap_or_else(|| DEFAULT_PATH.into());
    if let Err(sentence) = Policy::read(&policy) {
        eprintln!("tailroom-agent: {sentence}. Until then every command is refused.");
    }
    let spool = spool_folder(&args.spool)?;
    let (stop, signals) = on_signals()?;
    thread::spawn(move || {
        if signals.recv().is_ok() {
            // A job ends when its standard input is closed; its measurements are in the spool.
            thread::sleep(Duration::from_secs(5));
            std::process::exit(0);
        }
    });
    let mut server = Server {
        folder,
        identity,
        public_key,
        transport: Arc::new(transport),
        policy,
        spool,
        clock: ServerClock::default(),
        clock_at: None,
        job: None,
        drain: None,
        drained_at: None,
        refusals: VecDeque::new(),
        reached_at: Instant::now(),
        is_away: false,
        inventory_at: None,
        has_reported_clock: false,
        named_pace: Duration::ZERO,
    };
    println!("Serving {} as {}.", server.identity.backend, server.identity.name);
    while !stop.flag.is_stopped() {
        server.turn()?;
    }
    if let Some(job) = &mut server.job {
        job.stop();
        let until = Instant::now() + Duration::from_secs(4);
        while !job.is_over() && Instant::now() < until {
            thread::sleep(Duration::from_millis(50));
        }
    }
    Ok(())
}

#[derive(Debug, Deserialize)]
struct Answer {
    commands: Vec<Signed>,
    /// Time until the next poll during a job; without it the agent uses its own pace.
    again_in_ms: Option<u64>,
}

struct Server {
    folder: Folder,
    identity: Identity,
    public_key: Vec<u8>,
    transport: Arc<Transport>,
    policy: PathBuf,
    spool: PathBuf,
    clock: ServerClock,
    clock_at: Option<Instant>,
    job: Option<Job>,
    /// The process that delivers what an earlier job left in the spool.
    drain: Option<Child>,
    drained_at: Option<Instant>,
    refusals: VecDeque<Value>,
    reached_at: Instant,
    is_away: bool,
    inventory_at: Option<Instant>,
    /// Whether the warning about a clock far off was printed.
    has_reported_clock: bool,
    /// Pace of polls during a job that the backend set last.
    named_pace: Duration,
}

impl Server {
    /// Polls once and follows the answer.
    fn turn(&mut self) -> Result<(), Failure> {
        let begun = Instant::now();
        self.compare_clocks();
        let status = self.job.as_mut().map(Job::status);
        let pace = status.as_ref().map(|status| status.step.pace(self.named_pace));
        let is_idle = pace.is_none() && self.drain.is_none() && self.refusals.is_empty() && !self.wants_drain();
        let wait_s = if is_idle { IDLE_WAIT_S } else { 0 };
        let with_inventory = self.inventory_at.is_none_or(|at| at.elapsed() > Duration::from_secs(3_600));
        let body = self.question(status.as_ref(), wait_s, with_inventory);
        let answer = if is_idle {
            self.wait(&body)
        } else {
            let timeout = if pace.is_some() { Duration::from_secs(3) } else { ANSWER_TIMEOUT };
            self.transport.call(POLL, &body, timeout)
        };
        match answer {
            Ok(answer) => {
                if std::mem::take(&mut self.is_away) {
                    eprintln!("tailroom-agent: the backend is there again");
                }
                self.reached_at = Instant::now();
                self.refusals.clear();
                if with_inventory {
                    self.inventory_at = Some(Instant::now());
                }
                let answer: Answer =
                    serde_json::from_value(answer).unwrap_or(Answer { commands: Vec::new(), again_in_ms: None });
                self.named_pace = Duration::from_millis(answer.again_in_ms.unwrap_or(0));
                if is_idle && !answer.commands.is_empty() {
                    // The clocks may have drifted apart while the poll waited.
                    self.sample(1);
                }
                for signed in &answer.commands {
                    self.follow(signed)?;
                }
                self.after_answer(status.as_ref());
            }
            Err(refusal) => {
                if refusal.is_final {
                    if let Some(job) = &mut self.job {
                        job.stop();
                    }
                    return Err(Failure::Usage(self.explain(&refusal)));
                }
                if !std::mem::replace(&mut self.is_away, true) {
                    eprintln!("tailroom-agent: {}", refusal.sentence);
                }
                let grace = ORPHAN_GRACE.max(3 * self.named_pace);
                if self.reached_at.elapsed() > grace
                    && let Some(job) = &mut self.job
                    && !job.is_over()
                {
                    eprintln!("tailroom-agent: no answer from the backend for {} s: the job ends", grace.as_secs());
                    job.cut_off();
                }
                if pace.is_none() {
                    thread::sleep(RUNNING_PACE * 2);
                }
            }
        }
        if let Some(pace) = pace {
            thread::sleep(pace.saturating_sub(begun.elapsed()));
        } else if wait_s == 0 {
            thread::sleep(WAITING_PACE);
        }
        Ok(())
    }

    /// Polls without a job, and waits for the answer as long as bytes of it arrive. Meanwhile, runs in the spool are delivered.
    fn wait(&mut self, body: &Value) -> Result<Value, Refusal> {
        let transport = Arc::clone(&self.transport);
        let total = ANSWER_TIMEOUT + Duration::from_secs(LONGEST_WAIT_S);
        let timeout = AnswerTimeouts { total, silence: LONGEST_SILENCE };
        transport.call_noting(POLL, body, timeout, &mut || self.after_answer(None))
    }

    /// Returns the reason of a final refusal; if the token is unknown, with advice to enrol again.
    fn explain(&self, refusal: &Refusal) -> String {
        if !refusal.is_unknown_token {
            return refusal.sentence.clone();
        }
        format!(
            "{}. This machine is no longer an agent of {}: its key or token was revoked. Remove it there under Agents, make a \
             code, and enrol it again: `tailroom-agent enrol --again --backend {} --code CODE`",
            refusal.sentence.trim_end_matches('.'),
            self.identity.backend,
            self.identity.backend
        )
    }

    fn question(&self, status: Option<&Status>, wait_s: u64, with_inventory: bool) -> Value {
        let now = Instant::now();
        let ahead = self.ahead_ns();
        json!({
            "version": inventory::agent_version(),
            "knows": known(),
            "inventory": with_inventory.then(|| inventory::inventory(&[])),
            "wait_s": wait_s,
            "longest_wait_s": if wait_s > 0 { LONGEST_WAIT_S } else { 0 },
            "clock_error_ns": self.clock.error_at(now).map(whole_ns),
            "wall_clock_ahead_ns": ahead,
            "job": status,
            "refusals": self.refusals,
        })
    }

    /// Returns how far this machine's clock is ahead of the backend's, in nanoseconds.
    fn ahead_ns(&self) -> Option<i64> {
        let unix_ns = self.clock.unix_ns_at(Instant::now())?;
        let apart = i128::try_from(unix_time().as_nanos()).unwrap_or(i128::MAX) - i128::from(unix_ns);
        Some(i64::try_from(apart).unwrap_or(i64::MAX))
    }

    /// Removes a job that has ended, once the backend has its final status, and starts a drain if one is due.
    fn after_answer(&mut self, sent: Option<&Status>) {
        if sent.is_some_and(|status| matches!(status.step, Step::Ended | Step::Failed))
            && self.job.as_mut().is_some_and(Job::is_over)
        {
            self.job = None;
        }
        if let Some(drain) = &mut self.drain {
            if !matches!(drain.try_wait(), Ok(None)) {
                self.drain = None;
            }
        } else if self.wants_drain() {
            self.drained_at = Some(Instant::now());
            self.drain = self.begin_drain();
        }
    }

    /// Returns whether an earlier job left runs to deliver. A failed delivery is tried again after [`DRAIN_EVERY`].
    fn wants_drain(&self) -> bool {
        self.job.is_none() && self.drained_at.is_none_or(|at| at.elapsed() > DRAIN_EVERY) && has_runs(&self.spool)
    }

    fn begin_drain(&self) -> Option<Child> {
        let program = job::program_at(std::env::current_exe().ok());
        let mut command = Process::new(program);
        command.arg("drain").args(self.delivery()).args(["--leave-held", "--deliver-wait-s=5"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().ok()
    }

    /// Returns the arguments that say where and with which credential results are sent.
    fn delivery(&self) -> Vec<String> {
        let mut arguments = vec![
            format!("--backend={}", self.identity.backend),
            format!("--token-file={}", self.folder.credential_file().display()),
            format!("--spool={}", self.spool.display()),
        ];
        if let Some(path) = &self.identity.ca_file {
            arguments.push(format!("--ca-file={}", path.display()));
        }
        if self.identity.allow_plain_http {
            arguments.push("--allow-plain-http".to_owned());
        }
        arguments
    }

    /// Compares the clocks if that is due: regularly during a job, seldom when idle.
    fn compare_clocks(&mut self) {
        let due = match (&self.job, self.clock_at) {
            (_, None) => 1,
            (Some(_), Some(at)) if at.elapsed() > CLOCK_EVERY.max(6 * self.named_pace) => 3,
            (None, Some(at)) if at.elapsed() > Duration::from_secs(60) => 1,
            _ => return,
        };
        self.sample(due);
    }

    fn sample(&mut self, times: usize) {
        self.clock.compare(&self.transport, times);
        self.clock_at = Some(Instant::now());
        if let Some(sentence) = self.ahead_ns().and_then(far_apart).filter(|_| !self.has_reported_clock) {
            eprintln!("tailroom-agent: {sentence}");
            self.has_reported_clock = true;
        }
    }
}

/// Returns the capabilities of this agent that older agents lack.
fn known() -> Vec<&'static str> {
    OWN_SETTINGS.iter().copied().chain(local_plan::WORKLOADS).chain(CAPABILITIES).collect()
}

/// Returns a warning if the clock is minutes off; smaller differences need no action.
fn far_apart(ahead_ns: i64) -> Option<String> {
    let (minutes, word) = (ahead_ns.abs() / 60_000_000_000, if ahead_ns > 0 { "ahead of" } else { "behind" });
    (minutes > 0).then(|| {
        format!(
            "the clock of this machine is {} h {} min {word} the backend's. Campaigns begin by the backend's clock all \
             the same; `hours_utc` of the policy follows this machine's. Set it right (`timedatectl set-ntp true`).",
            minutes / 60,
            minutes % 60
        )
    })
}

fn has_runs(spool: &Path) -> bool {
    spool::runs(spool).is_ok_and(|runs| runs.into_iter().any(|run_id| !spool::is_held(spool, run_id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_hours_off_is_named_and_a_second_is_not() {
        let hour_ns = 3_600_000_000_000;
        assert!(far_apart(3 * hour_ns).expect("a sentence").contains("3 h 0 min ahead of the backend's"));
        assert!(far_apart(-hour_ns / 2).expect("a sentence").contains("0 h 30 min behind the backend's"));
        assert_eq!(far_apart(1_000_000_000), None);
    }
}
