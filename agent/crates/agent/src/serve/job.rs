//! A campaign on this machine: a process of its own measures the agent's part, and the agent reports its status.
//!
//! A process can be ended in any state, and cannot crash the serving agent.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value, json};
use wire::messages::SearchEnd;

use crate::barrier::BarrierMessage;
use crate::events::{CampaignStep, JobEvent};
use crate::lock::locked;
use crate::objective::SliceCounts;
use crate::stop::terminate;

/// Times between polls while a job waits for others, and while it measures.
pub const WAITING_PACE: Duration = Duration::from_millis(250);
pub const RUNNING_PACE: Duration = Duration::from_secs(1);
const LONGEST_PACE: Duration = Duration::from_secs(30);
/// Time that a job has to deliver after it was asked to end.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Most characters of a reason that the backend accepts.
const LONGEST_REASON: usize = 1_000;

/// Step of a job, in the terms of the backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    #[default]
    Preparing,
    /// Waits until the objects may be inspected.
    Ready,
    /// Inspects the objects, or loads them.
    Loading,
    /// Waits for the start of `phase`.
    Armed,
    /// Has the start of `phase`, or measures it.
    Running,
    /// Waits for the counts of the other agents in a probe.
    Measured,
    Ended,
    Failed,
}

impl Step {
    /// Returns the time between polls at this step; `named` is the pace that the backend set.
    pub fn pace(self, named: Duration) -> Duration {
        let own = if self == Self::Running { RUNNING_PACE } else { WAITING_PACE };
        own.max(named.min(LONGEST_PACE))
    }
}

/// Status of a job, as reported to the backend.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Status {
    pub campaign_id: String,
    pub step: Step,
    /// Index of the phase that is measured, or waits for its start.
    pub phase: Option<usize>,
    /// Phases as `explain` prints them, once they are known.
    pub phases: Option<Value>,
    /// Run id by index of the phase.
    pub runs: Map<String, Value>,
    /// The last probe, in a search for the highest load.
    pub probe: Option<ProbeStatus>,
    pub reason: Option<String>,
    /// Whether the job failed because it was killed or the backend was away; a search can continue after that.
    pub interrupted: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProbeStatus {
    pub phase: usize,
    /// Load of all agents together, in operations a second.
    pub load_per_s: f64,
    /// Slices of the probe on this agent, once it is measured.
    pub slices: Option<Vec<SliceCounts>>,
    /// Why the search ended with this probe, if it did.
    pub search_ended: Option<SearchEnd>,
}

#[derive(Debug)]
pub struct Job {
    status: Arc<Mutex<Status>>,
    child: Child,
    stdin: Option<ChildStdin>,
    last_line: Arc<Mutex<String>>,
    /// Index of the phase whose start was passed on.
    pub started: Option<usize>,
    stop_asked_at: Option<Instant>,
    /// Whether the job was stopped because the backend was away.
    is_cut_off: bool,
}

/// Returns the program of this process: at its path, or, where another version has replaced the file since, itself.
pub fn program_at(path: Option<PathBuf>) -> PathBuf {
    path.filter(|path| path.exists()).unwrap_or_else(|| "/proc/self/exe".into())
}

impl Job {
    /// Starts the process with these arguments.
    pub fn start(campaign_id: &str, arguments: &[OsString]) -> Result<Self, String> {
        let mut child = Command::new(program_at(std::env::current_exe().ok()))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("The job cannot be started: {error}"))?;
        let status = Status { campaign_id: campaign_id.to_owned(), ..Status::default() };
        let (status, last_line) = (Arc::new(Mutex::new(status)), Arc::new(Mutex::new(String::new())));
        let (followed, last) = (Arc::clone(&status), Arc::clone(&last_line));
        each_line(child.stdout.take(), move |line| {
            if let Ok(event) = serde_json::from_str(&line) {
                follow(&mut locked(&followed), event);
            }
        });
        each_line(child.stderr.take(), move |line| {
            eprintln!("{line}");
            *locked(&last) = line;
        });
        let stdin = child.stdin.take();
        Ok(Self { status, child, stdin, last_line, started: None, stop_asked_at: None, is_cut_off: false })
    }

    /// Returns the status; checks whether the process has ended.
    pub fn status(&mut self) -> Status {
        let ended = self.child.try_wait().ok().flatten();
        let mut status = locked(&self.status);
        if let Some(code) = ended
            && !matches!(status.step, Step::Ended | Step::Failed)
        {
            // Exit code 3 means measured but not delivered; a drain delivers it later.
            let is_done = matches!(code.code(), Some(0 | 3));
            status.step = if is_done { Step::Ended } else { Step::Failed };
            status.interrupted = !is_done && (self.is_cut_off || code.signal().is_some());
            if self.is_cut_off && !is_done {
                status.reason = Some("its backend was away".to_owned());
            }
            if !is_done && status.reason.is_none() {
                // The process died before it could report a reason; its last output may name it.
                let line = locked(&self.last_line);
                let separator = if line.is_empty() { "" } else { ": " };
                status.reason = Some(format!("the job ended with {code}{separator}{line}"));
            }
            let reason = status.reason.take().filter(|_| !is_done);
            status.reason = reason.map(|reason| reason.chars().take(LONGEST_REASON).collect());
        }
        status.clone()
    }

    pub fn is_over(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Writes an order to the process.
    pub fn send(&mut self, send: &BarrierMessage) {
        let Ok(line) = serde_json::to_string(send) else { return };
        if let Some(stdin) = &mut self.stdin {
            // If the process has ended, its status shows that.
            let _ = writeln!(stdin, "{line}").and_then(|()| stdin.flush());
        }
        let mut status = locked(&self.status);
        match send {
            // The step changes at once, so that the order is passed on once for each time the job waits.
            BarrierMessage::Objects => status.step = Step::Loading,
            BarrierMessage::Start { .. } => {
                self.started = status.phase;
                status.step = Step::Running;
            }
            BarrierMessage::Probe { .. } => status.step = Step::Running,
        }
    }

    /// Stops the job because the backend is away.
    pub fn cut_off(&mut self) {
        self.is_cut_off = true;
        self.stop();
    }

    /// Asks the process to end: by closing its standard input, and by a signal if it is called again after [`TIMEOUT`].
    pub fn stop(&mut self) {
        self.stdin = None;
        let asked_at = *self.stop_asked_at.get_or_insert_with(Instant::now);
        if asked_at.elapsed() >= TIMEOUT {
            terminate(&self.child);
        }
    }
}

/// Passes each line of `stream` to `take`, in a thread of its own.
fn each_line(stream: Option<impl Read + Send + 'static>, take: impl FnMut(String) + Send + 'static) {
    if let Some(stream) = stream {
        thread::spawn(move || BufReader::new(stream).lines().map_while(Result::ok).for_each(take));
    }
}

/// Returns the arguments of the process; `options` are about the delivery and what is measured. Values from the backend are bound
/// to their options by `=`, so that none becomes an option.
pub fn arguments_of(command: &str, options: Vec<String>, campaign_id: &str, title: &str, plan: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [command, "--json"].map(OsString::from).into();
    arguments.extend(options.into_iter().map(OsString::from));
    arguments.push(format!("--campaign={campaign_id}").into());
    arguments.push(format!("--title={title}").into());
    arguments.extend(["--".into(), plan.into()]);
    arguments
}

fn follow(status: &mut Status, event: JobEvent) {
    match event {
        JobEvent::Campaign(CampaignStep::Ready { phases }) => {
            status.step = Step::Ready;
            status.phases = Some(phases);
        }
        JobEvent::Campaign(CampaignStep::Loading) => status.step = Step::Loading,
        JobEvent::Campaign(CampaignStep::Armed { phase }) => {
            status.step = Step::Armed;
            status.phase = Some(phase);
        }
        JobEvent::Campaign(CampaignStep::Run { phase, run_id }) => {
            status.runs.insert(phase.to_string(), json!(run_id));
        }
        JobEvent::Campaign(CampaignStep::Probe { phase, load_per_s }) => {
            status.probe = Some(ProbeStatus { phase, load_per_s, slices: None, search_ended: None });
        }
        JobEvent::Campaign(CampaignStep::Measured { slices }) => {
            status.step = Step::Measured;
            if let Some(probe) = &mut status.probe {
                probe.slices = Some(slices);
            }
        }
        JobEvent::Campaign(CampaignStep::SearchEnded { ended }) => {
            if let Some(probe) = &mut status.probe {
                probe.search_ended = Some(ended);
            }
        }
        JobEvent::Failed { reason } => status.reason = Some(reason),
        JobEvent::Other => {}
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, Command};
    use crate::serve::Answer;

    #[test]
    fn a_replaced_program_starts_its_own_version() {
        let own = std::env::current_exe().expect("a program");
        assert_eq!(program_at(Some(own.clone())), own);
        assert_eq!(program_at(Some("/usr/bin/tailroom-agent (deleted)".into())), Path::new("/proc/self/exe"));
    }

    #[test]
    fn no_text_of_a_campaign_becomes_an_option_of_the_job() {
        for text in ["--x", "-", "", "--", "a b", "--title=y", "-h", "=", "überall"] {
            let options = vec![format!("--target={text}"), "--seed=7".to_owned()];
            let arguments = arguments_of("run", options, text, text, Path::new("--plan"));
            let command = std::iter::once("tailroom-agent".into()).chain(arguments);
            let Command::Run(run) = Cli::try_parse_from(command).expect("understood").command else { panic!("a run") };
            assert_eq!((run.campaign.title.as_deref(), run.campaign.campaign.as_deref()), (Some(text), Some(text)));
            assert_eq!((run.target.target.as_deref(), run.target.seed), (Some(text), 7));
            assert_eq!(run.plan_file().expect("a plan"), Path::new("--plan"));
        }
    }

    #[test]
    fn a_job_is_followed_by_its_events() {
        let mut status = Status {
            campaign_id: "c".into(),
            step: Step::Preparing,
            phase: None,
            phases: None,
            runs: Map::new(),
            probe: None,
            reason: None,
            interrupted: false,
        };
        follow(&mut status, JobEvent::Campaign(CampaignStep::Ready { phases: json!([{"name": "load"}]) }));
        assert_eq!((status.step, status.phases.is_some()), (Step::Ready, true));
        follow(&mut status, JobEvent::Other);
        assert_eq!(status.step, Step::Ready);
        let run_id = wire::messages::RunId::new();
        follow(&mut status, JobEvent::Campaign(CampaignStep::Run { phase: 1, run_id }));
        follow(&mut status, JobEvent::Campaign(CampaignStep::Armed { phase: 1 }));
        assert_eq!((status.step, status.phase, &status.runs["1"]), (Step::Armed, Some(1), &json!(run_id)));
        follow(&mut status, JobEvent::Campaign(CampaignStep::Probe { phase: 1, load_per_s: 500.0 }));
        follow(&mut status, JobEvent::Campaign(CampaignStep::Measured { slices: vec![SliceCounts::default()] }));
        follow(&mut status, JobEvent::Campaign(CampaignStep::SearchEnded { ended: SearchEnd::Top }));
        let probe = ProbeStatus {
            phase: 1,
            load_per_s: 500.0,
            slices: Some(vec![SliceCounts::default()]),
            search_ended: Some(SearchEnd::Top),
        };
        assert_eq!((status.step, status.probe.as_ref()), (Step::Measured, Some(&probe)));
        follow(&mut status, JobEvent::Failed { reason: "the server is gone".into() });
        assert_eq!(status.reason.as_deref(), Some("the server is gone"));
    }

    #[test]
    fn the_pace_of_the_backend_is_kept_where_it_is_slower_and_no_longer_than_a_limit() {
        let answer: Answer =
            serde_json::from_value(json!({ "commands": [], "again_in_ms": 5_000 })).expect("an answer");
        let named = Duration::from_millis(answer.again_in_ms.expect("a pace"));
        assert_eq!(Step::Running.pace(named), Duration::from_secs(5));
        assert_eq!(Step::Armed.pace(named), Duration::from_secs(5));
        assert_eq!(Step::Running.pace(Duration::from_secs(3_600)), LONGEST_PACE);
        let silent: Answer = serde_json::from_value(json!({ "commands": [] })).expect("an answer of an older backend");
        assert_eq!(silent.again_in_ms, None);
        assert_eq!(Step::Running.pace(Duration::ZERO), RUNNING_PACE);
        assert_eq!(Step::Armed.pace(Duration::ZERO), WAITING_PACE);
    }
}
